// A block and the function to release it with go to a function of another file: it keeps both.
#include <stdlib.h>
#include <string.h>

struct stream;
struct stream *stream_of(const void *data, unsigned long len, void (*release)(void *));
struct stream *stream_of_copy(const void *data, unsigned long len, int (*compare)(const void *, const void *));

static void drop(void *p)
{
    free(p);
}

static int by_byte(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

struct stream *handed_over(const char *text)
{
    char *copy = strdup(text); // OK: released by free
    if (!copy) return NULL;
    copy[0] = '-';
    return stream_of(copy, 1, free);
}

struct stream *handed_over_with_ours(const char *text)
{
    char *copy = strdup(text); // OK: released by drop
    if (!copy) return NULL;
    copy[0] = '-';
    return stream_of(copy, 1, drop);
}

struct stream *only_lent(const char *text)
{
    char *copy = strdup(text); // LEAK copy
    if (!copy) return NULL;
    copy[0] = '-';
    return stream_of_copy(copy, 1, by_byte); // LOST copy
}

struct stream *not_released(const char *text)
{
    char *copy = strdup(text); // LEAK plain
    if (!copy) return NULL;
    copy[0] = '-';
    return stream_of(copy, 1, NULL); // LOST plain
}

struct user_data {
    void *data;
    void (*release)(void *);
};
struct key {
    char *name;
    int length;
};
int register_reader(const char *name, const struct user_data *u);
int look_up(const struct key *k);

int registered_with_its_data(const char *text)
{
    char *copy = strdup(text); // OK: copied out of the struct, with its release
    if (!copy) return -1;
    copy[0] = '-';
    struct user_data u = {copy, drop};
    return register_reader("text", &u);
}

int registered_without_a_release(const char *text)
{
    char *copy = strdup(text); // LEAK bare
    if (!copy) return -1;
    copy[0] = '-';
    struct user_data u = {copy, NULL};
    return register_reader("text", &u); // LOST bare
}

int looked_up(const char *text)
{
    struct key k = {strdup(text), 4}; // LEAK key
    if (!k.name) return -1;
    return look_up(&k); // LOST key
}
