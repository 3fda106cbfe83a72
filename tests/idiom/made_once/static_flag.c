// A log or a table that is made at its first use, behind a static flag or itself: once it is there it stays, whatever
// paths are joined and loops are run in between. Not so where somebody takes the flag back.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int work(int n);

unsigned wanted = ~0u; // others may set it

void log_line(unsigned mask, const char *text)
{
    static int ready, to_file;
    static FILE *file;
    if (!ready) {
        ready = 1;
        file = stderr;
        if (wanted == ~0u) wanted = 1;
        const char *name = getenv("LOG_MASK");
        if (name) wanted = (unsigned)strtoul(name, NULL, 0);
        name = getenv("LOG_FILE");
        if (name) {
            FILE *f = fopen(name, "w"); // OK
            if (f) {
                file = f;
                setvbuf(file, NULL, _IONBF, 0);
                to_file = 1;
            } else {
                fprintf(file, "cannot write %s", name);
            }
        }
    }
    if ((mask & wanted) && to_file) fputs(text, file);
}

#define LOG(mask, text) do { if (wanted & (mask)) log_line(mask, text); } while (0)

int each_line(int n)
{
    LOG(2048, "start");
    int bad = 0;
    for (int i = 0; i < n; i++) {
        if (work(i) < 0) {
            LOG(2048, "bad");
            bad++;
        } else {
            LOG(4, "good");
        }
    }
    return bad;
}

int all_lines(int a, int b)
{
    int bad = each_line(a);
    if (bad > 3) LOG(8, "many");
    bad += each_line(b);
    return bad + each_line(work(bad));
}

struct table {
    int used;
    char *slots[16];
};
static struct table *names;

static void need_names(void)
{
    if (names) return;
    names = calloc(1, sizeof *names); // OK
    if (!names) abort();
}

int add_names(char **list, int n)
{
    int added = 0;
    for (int i = 0; i < n; i++) {
        if (work(i)) {
            need_names();
            names->used++;
        } else {
            added++;
        }
    }
    need_names();
    if (work(n)) need_names();
    return added;
}

static FILE *trace;
static int tracing;

void trace_line(const char *text)
{
    if (!tracing) {
        tracing = 1;
        trace = fopen("trace", "w");
    }
    if (trace) fputs(text, trace);
}

void trace_anew(void)
{
    tracing = 0;
}

void trace_twice(void)
{
    trace_line("one"); // RESOURCE-LEAK trace
    trace_anew();
    trace_line("two"); // LOST trace
}
