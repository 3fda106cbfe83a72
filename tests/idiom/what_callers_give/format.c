// A static function asks for what none of its callers gives it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int write_value(const char *path, const char *format, void *value, int aloud)
{
    int err = 0;
    FILE *f = fopen(path, "r+"); // OK
    if (!f) {
        err = errno;
    } else if (format[0] != '%') {
        err = EINVAL;
    } else {
        if (format[1] == 's')
            fprintf(f, "%s", (char *)value);
        else
            fprintf(f, "%d", *(int *)value);
        fclose(f);
    }
    if (err && aloud)
        perror(path);
    return err;
}

// What it gives on is one of these.
int set_value(const char *path, int is_text, void *value)
{
    return write_value(path, is_text ? "%s" : "%d", value, 1);
}

static int write_line(const char *path, const char *format, int value)
{
    FILE *f = fopen(path, "r+"); // RESOURCE-LEAK plain
    if (!f)
        return errno;
    if (format[0] != '%')
        return EINVAL; // LOST plain
    fprintf(f, "%d", value);
    fclose(f);
    return 0;
}

int set_line(const char *path, int n)
{
    return write_line(path, "%d", n) || write_line(path, "none", n);
}

enum { GIVE_UP = 1, TRY_AGAIN = 2, QUIETLY = 4 };

static char *room(size_t n, int how)
{
    char *p = malloc(n); // OK
    if (p && (how & GIVE_UP))
        return NULL;
    return p;
}

char *room_again(size_t n)
{
    return room(n, TRY_AGAIN);
}

char *room_quietly(size_t n)
{
    return room(n, TRY_AGAIN | QUIETLY);
}

static char *place(size_t n, int how)
{
    char *p = malloc(n); // LEAK given_up
    if (p && (how & GIVE_UP))
        return NULL; // LOST given_up
    return p;
}

char *place_or_none(size_t n)
{
    return place(n, GIVE_UP | QUIETLY);
}
