// Structs by value: as arguments, as results, in compound literals.
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    long length, room, flags;
};

struct small {
    char *bytes;
};

static struct text text_make(const char *s) {
    struct text t = {strdup(s), (long)strlen(s), 0, 0}; // LEAK made
    return t;
}

static struct small small_make(const char *s) {
    return (struct small){strdup(s)}; // LEAK little
}

static void text_drop(struct text t) {
    free(t.bytes);
}

static long text_measure(struct text t) {
    return t.length + t.room;
}

void made_and_dropped(const char *s) {
    struct text t = text_make(s);
    text_drop(t);
}

long made_and_measured(const char *s) {
    struct text t = text_make(s); // LEAK made
    return text_measure(t);       // LOST made
}

void dropped_twice(const char *s) {
    struct text t = {strdup(s), 0, 0, 0}; // OK
    text_drop(t);
    free(t.bytes); // DOUBLE-FREE
}

void small_result_freed(const char *s) {
    free(small_make(s).bytes);
}

void small_result_forgotten(const char *s) {
    small_make(s); // LEAK little; LOST little
} // LOST little

struct text passed_through(struct text t) {
    t.flags = 1;
    return t;
}

void passed_through_and_dropped(const char *s) {
    struct text t = {strdup(s), 0, 0, 0}; // OK
    t = passed_through(t);
    text_drop(t);
}
