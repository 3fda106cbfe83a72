// Moving ownership out of a variable by hand.
#include <stdlib.h>
#include <string.h>

static void *steal(void *pp) {
    void **slot = pp;
    void *p = *slot;
    *slot = NULL;
    return p;
}

struct reply {
    char *body;
};

char *body_moved_out(const char *s) {
    struct reply r;
    r.body = strdup(s); // OK
    char *body = steal(&r.body);
    free(r.body);
    return body;
}

int stolen_and_lost(const char *s) {
    struct reply r;
    r.body = strdup(s); // LEAK stolen
    char *body = steal(&r.body);
    int n = body != NULL;
    free(r.body);
    return n; // LOST stolen
}

void moved_between_structs(struct reply *to, struct reply *from) {
    free(to->body);
    to->body = steal(&from->body);
}

void moved_over_a_held_one(const char *s) {
    struct reply a = {strdup(s)}; // LEAK held
    struct reply b = {strdup(s)}; // OK
    a.body = steal(&b.body);      // LOST held
    free(a.body);
    free(b.body);
}
