// A search that makes something of the entry that it finds and goes on: a second match would overwrite it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state;
struct rule {
    struct state *start, *end;
    int kind;
};

char *label_of(struct rule *const *rules, int count, const struct state *s)
{
    char *label = NULL;
    for (int i = 0; i < count; i++)
        if (rules[i]->start == s) label = strdup("start"); // LEAK label LIKELY because TWO_MATCHES; LOST label
    return label;
}

// Of one kind there may be many.
char *name_of_kind(struct rule *const *rules, int count)
{
    char *name = NULL;
    for (int i = 0; i < count; i++)
        if (rules[i]->kind == 3) name = strdup("third"); // LEAK name; LOST name
    return name;
}

char *first_label(struct rule *const *rules, int count, const struct state *s)
{
    for (int i = 0; i < count; i++)
        if (rules[i]->start == s) return strdup("start"); // OK
    return NULL;
}
