// A failed allocation that ends the program many callers away: each hands the failure on, and functions call each
// other on the way. Where one of the callers goes on with its next round, it can happen again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *name;
    struct entry *next;
};
static struct entry *entries, *others;

static int add_entry(const char *name) {
    struct entry *e = malloc(sizeof *e); // LEAK entry ONCE because PROCESS_ENDS
    if (e == NULL || (e->name = strdup(name)) == NULL)
        return -1; // LOST entry
    e->next = entries;
    entries = e;
    return 0;
}

static int add_other(const char *name) {
    struct entry *e = malloc(sizeof *e); // LEAK other MEMORY_SHORT
    if (e == NULL || (e->name = strdup(name)) == NULL)
        return -1; // LOST other
    e->next = others;
    others = e;
    return 0;
}

static int deep(const char *name, int depth);

static int deeper(const char *name, int depth) {
    if (depth > 9)
        return add_entry(name);
    if (deep(name, depth + 1))
        return -1;
    return 0;
}

static int deep(const char *name, int depth) {
    if (depth % 2 && deep(name, depth + 2))
        return -1;
    return deeper(name, depth + 1);
}

static int first(const char *name) { return deep(name, 0) ? -2 : 0; }
static int second(const char *name) { return first(name) ? -3 : 0; }
static int third(const char *name) { return second(name) ? -4 : 0; }
static int fourth(const char *name) { return third(name) ? -5 : 0; }
static int fifth(const char *name) { return fourth(name) ? -6 : 0; }
static int sixth(const char *name) { return fifth(name) ? -7 : 0; }
static int seventh(const char *name) { return sixth(name) ? -8 : 0; }

static int other_first(const char *name) { return add_other(name) ? -2 : 0; }
static int other_second(const char *name) { return other_first(name) ? -3 : 0; }
static int other_third(const char *name) { return other_second(name) ? -4 : 0; }

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (seventh(line))
            return 1;
        if (other_third(line))
            puts("not taken");
    }
    for (struct entry *e = entries; e != NULL; e = e->next)
        puts(e->name);
    for (struct entry *e = others; e != NULL; e = e->next)
        puts(e->name);
    exit(0);
}
