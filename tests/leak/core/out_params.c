// Out-parameters: the result says whether there is something to free.
#include <stdlib.h>
#include <string.h>

static int dup_into(const char *s, char **out) {
    char *p = strdup(s); // LEAK forgotten; LEAK kept
    if (p == NULL)
        return -1;
    *out = p;
    return 0;
}

int freed_after_success(const char *s) {
    char *copy;
    if (dup_into(s, &copy) < 0)
        return -1;
    free(copy);
    return 0;
}

int forgotten_after_success(const char *s) {
    char *copy;
    if (dup_into(s, &copy) < 0) // LEAK forgotten
        return -1;
    return copy[0]; // LOST forgotten
}

int passed_on(const char *s, char **out) {
    return dup_into(s, out);
}

int kept_on_the_error_of_another(const char *s, const char *t) {
    char *a, *b;
    if (dup_into(s, &a) < 0) // LEAK kept
        return -1;
    if (dup_into(t, &b) < 0)
        return -1; // LOST kept
    free(a);
    free(b);
    return 0;
}

static void dup_pair(const char *s, char **first, char **second) {
    *first = strdup(s);  // OK
    *second = strdup(s); // LEAK second
}

void second_of_a_pair_forgotten(const char *s) {
    char *a, *b;
    dup_pair(s, &a, &b); // LEAK second
    free(a);
} // LOST second

struct result {
    char *text;
    int status;
};

static void fill(struct result *r, const char *s) {
    r->text = strdup(s); // LEAK text
    r->status = r->text != NULL;
}

void filled_and_freed(const char *s) {
    struct result r;
    fill(&r, s);
    if (r.status)
        free(r.text);
}

void filled_and_forgotten(const char *s) {
    struct result r;
    fill(&r, s); // LEAK text
} // LOST text
