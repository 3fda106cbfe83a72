// A local struct that begins with constants has those values, whatever their sizes: clang copies it from a
// hidden constant in pieces of eight bytes. Small structs travel in one register.
#include <stdlib.h>
#include <string.h>

struct two {
    int kind, state;
};

struct mixed {
    char a, b;
    short c;
    int n;
};

struct nested {
    struct two two;
    struct mixed mixed;
    const char *name;
};

static const struct two table[] = {{1, 2}, {3, 4}};

// ---- Fields that are as they were initialised.

void first_field_is_three(const char *text)
{
    struct two t = {3, 2};
    char *p = strdup(text); // OK
    if (t.kind != 3) return;
    free(p);
}

void second_field_is_two(const char *text)
{
    struct two t = {3, 2};
    char *p = strdup(text); // LEAK second
    if (t.state == 2) return; // LOST second
    free(p);
}

void narrow_fields(const char *text)
{
    struct mixed t = {1, 2, 9, 4};
    char *p = strdup(text); // OK
    if (t.c != 9 || t.b != 2) return;
    free(p);
}

void of_an_array(const char *text)
{
    int n[4] = {3, 2, 7, 1};
    char *p = strdup(text); // OK
    if (n[2] != 7) return;
    free(p);
}

void copied_from_a_table(const char *text)
{
    struct two t = table[1];
    char *p = strdup(text); // OK
    if (t.state != 4) return;
    free(p);
}

// ---- Passed and returned by value.

static int is_third(struct two t)
{
    return t.kind == 3;
}

static int has_nine(struct nested t)
{
    return t.mixed.c == 9;
}

static struct two made(void)
{
    struct two t = {3, 2};
    return t;
}

void passed(const char *text)
{
    struct two t = {3, 2};
    char *p = strdup(text); // OK
    if (!is_third(t)) return;
    free(p);
}

void another_passed(const char *text)
{
    struct two t = {4, 2};
    char *p = strdup(text); // LEAK another
    if (!is_third(t)) return; // LOST another
    free(p);
}

void large_passed(const char *text)
{
    struct nested t = {{3, 2}, {1, 2, 9, 4}, "x"};
    char *p = strdup(text); // OK
    if (!has_nine(t)) return;
    free(p);
}

void returned(const char *text)
{
    struct two t = made();
    char *p = strdup(text); // OK
    if (t.state != 2) return;
    free(p);
}

// ---- Of two values one is known by its argument only.

void filled_and_passed(const char *text, int n)
{
    struct two t;
    t.kind = n;
    t.state = 4;
    char *p = strdup(text); // OK
    if (n == 3 && !is_third(t)) return;
    free(p);
}

void filled_with_another(const char *text, int n)
{
    struct two t;
    t.kind = n;
    t.state = 4;
    char *p = strdup(text); // LEAK filled
    if (n == 2 && !is_third(t)) return; // LOST filled
    free(p);
}
