// A text that is built in a buffer which grows: on the way the builder asks for many values that joined
// paths left unknown, but whatever they are it gives back a block.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>

struct text {
    size_t room, length;
    char *at;
};

static void *grow(void *old, size_t size)
{
    void *p = realloc(old, size);
    if (!p && !size)
        p = realloc(old, 1);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static void text_grow(struct text *t, size_t more)
{
    int fresh = !t->room;
    if (more + 1 <= more || t->length + more + 1 <= t->length)
        exit(2);
    if (fresh)
        t->at = NULL;
    if (t->length + more + 1 > t->room) {
        if ((t->room + 16) * 3 / 2 < t->length + more + 1)
            t->room = t->length + more + 1;
        else
            t->room = (t->room + 16) * 3 / 2;
        t->at = grow(t->at, t->room);
    }
    if (fresh)
        t->at[0] = '\0';
}

static size_t text_left(const struct text *t)
{
    return t->room ? t->room - t->length - 1 : 0;
}

static void text_set(struct text *t, size_t length)
{
    if (length > (t->room ? t->room - 1 : 0))
        exit(3);
    t->length = length;
    t->at[length] = '\0';
}

static void text_format(struct text *t, const char *format, va_list list)
{
    int n;
    va_list copy;
    if (!text_left(t))
        text_grow(t, 64);
    va_copy(copy, list);
    n = vsnprintf(t->at + t->length, t->room - t->length, format, copy);
    va_end(copy);
    if (n < 0)
        exit(4);
    if ((size_t)n > text_left(t)) {
        text_grow(t, n);
        n = vsnprintf(t->at + t->length, t->room - t->length, format, list);
        if ((size_t)n > text_left(t))
            exit(5);
    }
    text_set(t, t->length + n);
}

static void text_add(struct text *t, const char *more)
{
    size_t n = strlen(more);
    if (n > text_left(t))
        text_grow(t, n);
    memcpy(t->at + t->length, more, n);
    text_set(t, t->length + n);
}

static char *formatted(const char *format, ...)
{
    struct text t = {0};
    va_list list;
    text_grow(&t, 0);
    text_add(&t, getenv("ROOT") ? "/root/" : "/");
    text_add(&t, getenv("HOME") ? "home/" : "");
    va_start(list, format);
    text_format(&t, format, list);
    va_end(list);
    text_grow(&t, 0);
    if (t.length > 1 << 20)
        exit(6);
    if (t.length % 4 == 3 && t.room > 1 << 21)
        exit(7);
    if (t.length % 8 == 5 && t.room > 1 << 22)
        exit(8);
    return t.at;
}

int look(const char *path);
int step(int at);

int path_forgotten(const char *name, int n)
{
    int i, even = 0, odd = 0, status = 0;
    for (i = 0; i < n; i++)
        if (step(i))
            even += 2;
        else
            odd++;
    char *path = formatted("%s/", name); // LEAK path LIKELY
    if (even == 40)
        status = step(-1);
    if (odd == 50)
        status = step(-2);
    if (look(path))
        return -1; // LOST path
    free(path);
    return status;
}

int path_freed(const char *name, int n)
{
    int i, even = 0, odd = 0, status = 0;
    for (i = 0; i < n; i++)
        if (step(i))
            even += 2;
        else
            odd++;
    char *path = formatted("%s/", name); // OK
    if (even == 40)
        status = step(-1);
    if (odd == 50)
        status = step(-2);
    if (look(path))
        status = -1;
    free(path);
    return status;
}
