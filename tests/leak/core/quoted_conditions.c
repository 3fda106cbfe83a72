// Conditions are told as the source has them: literal arguments, enumerators, flags, macros around a test, the
// operand of && and || that decides.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_A, KIND_B = 7 };
#define FLAG_X 0x40
#define unlikely(x) __builtin_expect(!!(x), 0)
#define BAD(r) ((r)->kind == 3)
struct rec {
    char *name;
    unsigned count;
    int kind;
};

int literal_argument(const char *arg)
{
    char *p = malloc(10); // LEAK literal
    if (!p) return -1;
    if (strcmp(arg, "--cafile") == 0) return 1; // LOST literal; ONLY WHEN: strcmp(arg, "--cafile") == 0
    free(p);
    return 0;
}

int enumerator(const struct rec *r)
{
    char *p = malloc(10); // LEAK enumerator
    if (!p) return -1;
    if (r->kind != KIND_B) {
        free(p);
        return 0;
    }
    return 1; // LOST enumerator; ONLY WHEN: r->kind == KIND_B
}

int flag_or_name(const struct rec *r, unsigned flags)
{
    char *p = malloc(10); // LEAK flag
    if (!p) return -1;
    if (flags & FLAG_X || unlikely(!r->name)) {
        free(p);
        return 1;
    }
    return 0; // LOST flag; ONLY WHEN: !(flags & FLAG_X) and r->name
}

int unsigned_more_than_none(const struct rec *r)
{
    char *p = malloc(10); // LEAK count
    if (!p) return -1;
    if (r->count > 0) return 1; // LOST count; ONLY WHEN: r->count > 0
    free(p);
    return 0;
}

int in_the_second_operand(const struct rec *r, int n)
{
    char *p = malloc(10); // LEAK second
    if (!p) return -1;
    if (!r->name ||
        n >= 8) {
        free(p);
        return 1;
    }
    return 0; // LOST second; ONLY WHEN: r->name and n < 8
}

// What the macro asks cannot be read off its name: the evaluation's own words stay.
int hidden_in_a_macro(const struct rec *r)
{
    char *p = malloc(10); // LEAK macro
    if (!p) return -1;
    if (BAD(r)) return 1; // LOST macro; ONLY WHEN: r->kind == 3
    free(p);
    return 0;
}

// Of the rounds of a loop the last one counts.
int asked_in_a_loop(char **names, int n, const struct rec *r)
{
    char *p = malloc(10); // LEAK loop
    if (!p) return -1;
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], "stop") == 0 && r->kind == KIND_A)
            return 1; // LOST loop; WHEN: strcmp(names[i], "stop") == 0 and r->kind == KIND_A
    free(p);
    return 0;
}
