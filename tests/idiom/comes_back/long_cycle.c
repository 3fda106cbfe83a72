// run: --level=likely
// A cycle of calls whose functions stand callers first, as in a parser by precedence: one round
// takes the way out one function further, and two do not bring it to the first of them.
#include <stdlib.h>

struct input {
    const char *at;
};

static int sum(struct input *in);
static int product(struct input *in);
static int power(struct input *in);
static int sign(struct input *in);
static int atom(struct input *in);

int expression(const char *text)
{
    struct input *in = malloc(sizeof *in); // LEAK in
    if (!in) return 0;
    in->at = text;
    return sum(in);
}

static int sum(struct input *in)
{
    int x = product(in);
    while (*in->at == '+') {
        in->at++;
        x += product(in);
    }
    return x;
}

static int product(struct input *in)
{
    int x = power(in);
    while (*in->at == '*') {
        in->at++;
        x *= power(in);
    }
    return x;
}

static int power(struct input *in)
{
    int x = sign(in);
    if (*in->at == '^') {
        in->at++;
        x ^= sign(in);
    }
    return x;
}

static int sign(struct input *in)
{
    if (*in->at != '-') return atom(in);
    in->at++;
    return -atom(in);
}

static int atom(struct input *in)
{
    int x;
    if (*in->at != '(') return *in->at++ - '0';
    in->at++;
    x = sum(in);
    in->at++;
    return x;
}
