// Whoever goes on using what he has given back knows of another reference; and what a function of a
// library does when it is given null says nothing about its callers.
#include <stdlib.h>

struct group {
    int references, members;
};

struct line {
    struct line *next;
    struct group *group;
};

void group_unref(struct group *g)
{
    if (g && --g->references <= 0)
        free(g);
}

void leave_group(struct line *l)
{
    group_unref(l->group);
    l->group->members--;
    l->group = NULL;
}

void leave_by_hand(struct line *l)
{
    struct group *g = l->group;
    if (--g->references <= 0)
        free(g);
    g->members--; // USE-AFTER-FREE
}

// What the line holds goes with the last reference to it.
struct shared {
    int references;
    char *text;
};

static void shared_unref(struct shared *s)
{
    if (--s->references > 0)
        return;
    free(s->text);
    free(s);
}

void print_after(struct shared *s)
{
    char *text = s->text;
    shared_unref(s);
    text[0] = 0;
}

void print_after_by_hand(struct shared *s)
{
    char *text = s->text;
    free(s->text);
    free(s);
    text[0] = 0; // USE-AFTER-FREE
}

struct entry {
    void *data;
};

int entry_set(struct entry *e, void *data)
{
    if (e == NULL)
        return -1;
    e->data = data;
    return 0;
}

static void make_data(struct entry *e)
{
    int *data = calloc(1, sizeof *data); // OK
    if (data == NULL)
        abort();
    entry_set(e, data);
}

void make_all(struct entry **all, int n)
{
    for (int i = 0; i < n; i++)
        make_data(all[i]);
}

static int make_data_if(struct entry *e)
{
    int *data = calloc(1, sizeof *data); // LEAK data
    if (data == NULL)
        abort();
    if (e == NULL)
        return -1; // LOST data
    return entry_set(e, data);
}

int make_some(struct entry **all, int n)
{
    int made = 0;
    for (int i = 0; i < n; i++)
        made += make_data_if(all[i]) == 0;
    return made;
}
