// Functions with neither code nor spec: what the callers do afterwards says who must free.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct thing {
    int size;
    char name[20];
};

void inspect(struct thing *t);
void adopt(struct thing *t);
int enroll(struct thing *t);
void seen_once(struct thing *t);
void add_to(struct thing *list, struct thing *t);
char *fill(char *buffer);

// ---- inspect: three of four free it afterwards

int frees_it(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    inspect(t);
    int n = t->size;
    free(t);
    return n;
}

int frees_it_after_a_test(int much) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    inspect(t);
    if (much)
        inspect(t);
    free(t);
    return 0;
}

void frees_a_parameter(struct thing *t) {
    inspect(t);
    free(t);
}

int forgets_it(int early) {
    struct thing *t = malloc(sizeof *t); // LEAK t
    if (!t)
        return -1;
    inspect(t);
    if (early)
        return 1; // LOST t
    free(t);
    return 0;
}

// Brought by a callee, which had it inspected.
static struct thing *inspected(void) {
    struct thing *t = malloc(sizeof *t); // LEAK brought
    if (t)
        inspect(t);
    return t;
}

int forgets_what_was_brought(void) {
    struct thing *t = inspected();
    if (!t)
        return -1;
    return t->size; // LOST brought
}

int freed_twice(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    inspect(t);
    free(t);
    free(t); // DOUBLE-FREE
    return 0;
}

// ---- adopt: nobody looks at it again

int first_for_adoption(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    adopt(t);
    return 0;
}

int second_for_adoption(int n) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    t->size = n;
    adopt(t);
    return 0;
}

int third_for_adoption(void) {
    struct thing *t = calloc(1, sizeof *t); // OK
    if (t)
        adopt(t);
    return 0;
}

// ---- enroll: taken when it succeeds

int enrolls(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    if (enroll(t) < 0) {
        free(t);
        return -1;
    }
    return 0;
}

int enrolls_a_named_one(const char *name) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    strncpy(t->name, name, sizeof t->name);
    if (enroll(t) != 0) {
        free(t);
        return -1;
    }
    return 0;
}

int enrolls_and_looks(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    int r = enroll(t);
    if (r < 0)
        free(t);
    return r;
}

// ---- seen_once: one witness is none

int one_frees(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    seen_once(t);
    free(t);
    return 0;
}

int one_does_not(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    seen_once(t);
    return 0;
}

// ---- add_to: used again, as what was taken may be

int adds(struct thing *list) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    add_to(list, t);
    return t->size;
}

int adds_another(struct thing *list) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    add_to(list, t);
    t->size = 3;
    return 0;
}

int adds_a_third(struct thing *list) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    add_to(list, t);
    t->size = 4;
    return 0;
}

// ---- fill: a buffer in a variable whose address is taken

void grow(char **p);

int filled(void) {
    char *b = malloc(10); // OK
    if (!b)
        return -1;
    grow(&b);
    fill(b);
    free(b);
    return 0;
}

// ---- adopt: three callers never release what they gave; these do

int gives_and_frees(void) {
    struct thing *t = malloc(sizeof *t);
    if (!t)
        return -1;
    adopt(t);
    free(t); // DOUBLE-FREE
    return 0;
}

int gives_or_frees(int give) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    if (give)
        adopt(t);
    else
        free(t);
    return 0;
}

// ---- accept: its answer is looked at by the one that frees, not by those that forget to

int accept_thing(struct thing *t);

int accepted_first(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (t)
        accept_thing(t);
    return 0;
}

int accepted_second(int n) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    t->size = n;
    accept_thing(t);
    return 0;
}

int accepted_third(void) {
    struct thing *t = calloc(1, sizeof *t); // OK
    if (!t)
        return -1;
    accept_thing(t);
    return 0;
}

int accepted_with_care(void) {
    struct thing *t = malloc(sizeof *t); // OK
    if (!t)
        return -1;
    if (accept_thing(t) < 0)
        free(t);
    return 0;
}

// ---- a list of anything: one owns, another borrows

void list_put(void *list, void *element);

void puts_its_own(void *list) {
    list_put(list, malloc(3)); // OK
}

void puts_another(void *list) {
    char *s = strdup("a"); // OK
    list_put(list, s);
}

void puts_a_third(void *list) {
    char *s = strdup("b"); // OK
    list_put(list, s);
}

void puts_borrowed(void *list) {
    char *s = strdup("c"); // OK
    list_put(list, s);
    free(s);
}
