// Globals keep what they point to; overwriting them loses it.
#include <stdlib.h>
#include <string.h>

static char *current;
static char *table[10];
static int count;

void set_current(const char *s) {
    free(current);
    current = strdup(s); // OK
}

void set_twice(void) {
    current = strdup("one"); // LEAK one
    current = strdup("two"); // LOST one
}

void set_once_for_all(void) {
    if (current == NULL)
        current = strdup("default"); // OK
}

void cleared_without_free(void) {
    current = strdup("x"); // LEAK cleared
    current = NULL;        // LOST cleared
}

int added(const char *s) {
    if (count == 10)
        return -1;
    table[count++] = strdup(s); // OK
    return 0;
}

int lost_when_the_table_is_full(const char *s) {
    char *copy = strdup(s); // LEAK full
    if (count == 10)
        return -1; // LOST full
    table[count++] = copy;
    return 0;
}

void taken_out_again(void) {
    char *p = malloc(3); // OK
    current = p;
    current = NULL;
    free(p);
}

struct config {
    char *path;
} config;

void in_a_global_struct(const char *s) {
    config.path = strdup(s); // OK
}
