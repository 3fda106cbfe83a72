// Headers and fixtures for the recipes of readline.own.
#include "run.h"

#include <stdio.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>

static inline FILE *stream(const char *s)
{
    FILE *f = OWN(fopen("x.txt", "w+"), fclose);
    fputs(s, f);
    rewind(f);
    return f;
}
static inline void from(const char *s)
{
    rl_instream = stream(s);
    rl_outstream = OWN(fopen("/dev/null", "w"), fclose);
}
static inline void drop_history(void *p) { clear_history(); }
static inline void two_lines(void)
{
    using_history();
    add_history("one");
    add_history("two");
    mine("", drop_history);
}
static inline void drop_entry(HIST_ENTRY *e) { free(free_history_entry(e)); }
static inline void drop_list(char **l)
{
    for (char **s = l; *s; s++) free(*s);
    free(l);
}
static inline char *twice(const char *text, int state) { return state < 2 ? strdup(state ? "text2" : "text1") : NULL; }
static int calls;
static inline char *counted(const char *text, int state)
{
    calls = state ? calls + 1 : 0;
    return twice(text, calls);
}
static inline char *none(const char *text, int state) { return NULL; }
static inline int command(int count, int key) { return 0; }
