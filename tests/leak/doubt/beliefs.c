// What the call sites of functions without source say about them: one borrows, the other takes over.
#include <stdlib.h>
#include <string.h>

struct sink;
void send_to(struct sink *s, char *text);
void give_to(struct sink *s, char *text);

#define SENDS(name)                                                                                \
    void name(struct sink *s)                                                                      \
    {                                                                                              \
        char *p = strdup(#name);                                                                   \
        if (!p) return;                                                                            \
        send_to(s, p);                                                                             \
        free(p);                                                                                   \
    }
SENDS(sends_one)
SENDS(sends_two)
SENDS(sends_three)
SENDS(sends_four)

int sends_and_forgets(struct sink *s, int n)
{
    char *p = strdup("d"); // LEAK sent LIKELY because BELIEVED
    if (!p) return -1;
    send_to(s, p);
    if (n < 0) return -1; // LOST sent
    free(p);
    return 0;
}

#define GIVES(name)                                                                                \
    void name(struct sink *s)                                                                      \
    {                                                                                              \
        char *p = strdup(#name);                                                                   \
        if (p) give_to(s, p);                                                                      \
    }
GIVES(gives_one)
GIVES(gives_two)
GIVES(gives_three)
GIVES(gives_four)
GIVES(gives_five)

void frees_what_was_given(struct sink *s)
{
    char *p = strdup("f");
    if (!p) return;
    give_to(s, p);
    free(p); // DOUBLE-FREE LIKELY because TAKEN
}
