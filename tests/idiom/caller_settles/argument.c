// A loss deep in a chain of calls that needs a null pointer, a flag or a number which only the callers
// far above could pass. They pass something else, or they do not.
#include <stdlib.h>
#include <string.h>

struct record {
    int used;
    char *gc;
    char name[16];
};

// ---- The address of a field is no null pointer.

static char *keep_copy(const char *text, char **gc)
{
    char *copy = strdup(text); // OK
    if (!copy) return NULL;
    if (!gc) return NULL;
    *gc = copy;
    return copy;
}

static char *copy_again(const char *text, char **gc, int n)
{
    return n > 0 ? keep_copy(text, gc) : NULL;
}

static int copy_into(const char *text, char **gc)
{
    return copy_again(text, gc, 1) != NULL;
}

int collected(struct record *x, const char *text)
{
    return copy_into(text, &x->gc);
}

static char *drop_copy(const char *text, char **gc)
{
    char *copy = strdup(text); // LEAK uncollected
    if (!copy) return NULL;
    if (!gc) return NULL; // LOST uncollected
    *gc = copy;
    return copy;
}

static char *drop_again(const char *text, char **gc, int n)
{
    return n > 0 ? drop_copy(text, gc) : NULL;
}

static int drop_into(const char *text, char **gc)
{
    return drop_again(text, gc, 1) != NULL;
}

int uncollected(struct record *x, const char *text)
{
    return drop_into(text, &x->gc) + drop_into(text, NULL);
}

// ---- A pointer that the caller has looked at.

static int add_name(char **slot, const char *name)
{
    char *copy = malloc(16); // OK
    if (!copy) return -1;
    if (!name) return -1;
    strncpy(copy, name, 16);
    *slot = copy;
    return 0;
}

static int add_names(char **slot, const char *name, int n)
{
    int r = 0;
    if (n) r = add_name(slot, name);
    return r;
}

static int enter(char **slot, const char *name)
{
    return add_names(slot, name, 2);
}

int checked_before(char **slot, const char *name)
{
    if (!name || !*name) return 0;
    return enter(slot, name);
}

static int put_name(char **slot, const char *name)
{
    char *copy = malloc(16); // LEAK unchecked
    if (!copy) return -1;
    if (!name) return -1; // LOST unchecked
    strncpy(copy, name, 16);
    *slot = copy;
    return 0;
}

static int put_names(char **slot, const char *name, int n)
{
    int r = 0;
    if (n) r = put_name(slot, name);
    return r;
}

static int put(char **slot, const char *name)
{
    return put_names(slot, name, 2);
}

int checked_too_late(char **slot, const char *name)
{
    int r = 0;
    if (!name) r = put(slot, name);
    return r;
}

// ---- A literal.

static char *labelled(const char *label)
{
    char *p = malloc(32); // OK
    if (!p) return NULL;
    if (label[0] != '<') return NULL;
    strcpy(p, label);
    return p;
}

static char *label_of(const char *label)
{
    return labelled(label);
}

static char *label_twice(const char *label)
{
    return label_of(label);
}

char *with_label(int open)
{
    return label_twice(open ? "<a>" : "<b>");
}

static char *marked(const char *label)
{
    char *p = malloc(32); // LEAK unmarked
    if (!p) return NULL;
    if (label[0] != '<') return NULL; // LOST unmarked
    strcpy(p, label);
    return p;
}

static char *mark_of(const char *label)
{
    return marked(label);
}

static char *mark_twice(const char *label)
{
    return mark_of(label);
}

char *with_mark(int open)
{
    return mark_twice(open ? "<a>" : "a");
}

// ---- A word of flags without the bit.

enum { QUIET = 1, DETACHED = 2, TWICE = 4 };

static char *begin(unsigned flags)
{
    char *p = malloc(32); // OK
    if (p && (flags & DETACHED)) return NULL;
    return p;
}

static char *begin_quietly(unsigned flags)
{
    return begin(flags | QUIET);
}

static char *begin_task(unsigned flags, int again)
{
    return begin_quietly(again ? flags | TWICE : flags);
}

char *attached(int again)
{
    return begin_task(0, again);
}

static char *start(unsigned flags)
{
    char *p = malloc(32); // LEAK detached
    if (p && (flags & DETACHED)) return NULL; // LOST detached
    return p;
}

static char *start_quietly(unsigned flags)
{
    return start(flags | QUIET);
}

static char *start_task(unsigned flags, int again)
{
    return start_quietly(again ? flags | TWICE : flags);
}

char *detached(int again)
{
    return start_task(DETACHED, again);
}

// ---- A relation of two arguments.

static char *part(int from, int to)
{
    char *p = malloc(64); // OK
    if (!p) return NULL;
    if (from >= to) return NULL;
    return p;
}

static char *part_of(int from, int length)
{
    return part(from, from + length);
}

static char *part_once(int from)
{
    return part_of(from, 8);
}

char *in_order(int from)
{
    if (from < 0 || from > 100) return NULL;
    return part_once(from);
}

static char *piece(int from, int to)
{
    char *p = malloc(64); // LEAK backwards
    if (!p) return NULL;
    if (from >= to) return NULL; // LOST backwards
    return p;
}

static char *piece_of(int from, int length)
{
    return piece(from, from + length);
}

static char *piece_once(int from)
{
    return piece_of(from, 0);
}

char *out_of_order(int from)
{
    if (from < 0 || from > 100) return NULL;
    return piece_once(from);
}
