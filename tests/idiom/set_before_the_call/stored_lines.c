// Lines are stored until the log is open, and written then. Whether it is open a global says, which
// the only caller sets before it has them written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_open;
static char **stored;
static size_t count;

void put_line(const char *line)
{
    if (!is_open) {
        char *copy = strdup(line);
        char **more = realloc(stored, (count + 1) * sizeof *more);
        if (more == NULL || copy == NULL)
            abort();
        more[count++] = copy;
        stored = more;
        return;
    }
    puts(line);
}

static void write_stored(void)
{
    for (size_t i = 0; i < count; i++) {
        char **at = &stored[i];
        put_line(*at);
        free(*at);
    }
    free(stored);
    stored = NULL;
    count = 0;
}

void open_log(void)
{
    is_open = 1;
    write_stored();
}

static int is_ready;
static char **waiting;
static size_t number;

void put_other(const char *line)
{
    if (!is_ready) {
        char *copy = strdup(line);
        char **more = realloc(waiting, (number + 1) * sizeof *more);
        if (more == NULL || copy == NULL)
            abort();
        more[number++] = copy;
        waiting = more;
        return;
    }
    puts(line);
}

static void write_waiting(void)
{
    for (size_t i = 0; i < number; i++) {
        char **at = &waiting[i];
        put_other(*at);
        free(*at); // USE-AFTER-FREE LIKELY because UNDECIDED
    }
    free(waiting);
    waiting = NULL;
    number = 0;
}

void open_other(void)
{
    is_ready = 1;
    write_waiting();
}

void open_other_late(void)
{
    write_waiting();
    is_ready = 1;
}
