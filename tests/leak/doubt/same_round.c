// Obtained and overwritten by calls in one round of a loop, however the path came there. In another round it would be
// for audit (rounds.c).
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    struct name *next;
    char *text;
    int wide;
};

static void format(char **into, const char *text)
{
    *into = strdup(text);
    if (!*into) abort();
}

int margin(int i);

void lost_in_the_same_round(const struct name *list, int wide)
{
    int total = 0;
    for (int i = 0; i < 100; i++) total += margin(i); // more rounds than are followed
    for (const struct name *n = list; n; n = n->next) {
        char *s;
        format(&s, n->text); // LEAK long LIKELY
        if ((int)strlen(s) > wide - total) format(&s, "..."); // LOST long
        puts(s);
        free(s);
    }
}
