// Correlated branches: the same question asked twice has the same answer.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern bool ready(void);

void same_flag_twice(bool wanted) {
    char *p = NULL;
    if (wanted)
        p = malloc(4); // OK
    ready();
    if (wanted)
        free(p);
}

void opposite_flag(bool wanted) {
    char *p = NULL;
    if (wanted)
        p = malloc(4); // LEAK opposite
    if (!wanted)
        free(p);
} // LOST opposite

void answer_remembered(void) {
    char *p = NULL;
    bool r = ready();
    if (r)
        p = malloc(4); // OK
    if (r)
        free(p);
}

void asked_anew(void) {
    char *p = NULL;
    if (ready())
        p = malloc(4); // LEAK anew
    if (ready())
        free(p);
} // LOST anew

void needs_free_flag(const char *s) {
    bool needs_free = false;
    const char *name = s;
    if (s == NULL) {
        name = strdup("none"); // OK
        needs_free = true;
    }
    ready();
    if (needs_free)
        free((char *)name);
}

void compared_with_the_original(const char *s) {
    const char *name = s;
    if (s[0] == '~')
        name = strdup(s + 1); // OK
    ready();
    if (name != s)
        free((char *)name);
}

int status_decides(void) {
    int status = 0;
    char *p = malloc(4); // OK
    if (p == NULL)
        status = -1;
    else if (ready())
        status = 1;
    if (status == 0)
        free(p);
    if (status == 1)
        free(p);
    return status;
}

int short_circuit(int n) {
    char *p = NULL;
    if (n > 3 && (p = malloc(n)) != NULL && ready()) { // OK
        free(p);
        return 1;
    }
    free(p);
    return 0;
}

int ternary(int n) {
    char *p = n ? malloc(4) : NULL; // OK
    int r = n ? p != NULL : 0;
    free(p);
    return r;
}
