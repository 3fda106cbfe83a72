// run: --level=likely
// A realloc of one's own that frees the block for a size of 0, and says how much there is to whom
// it is asked by. That it gives null without having freed anything is so only when malloc fails.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

size_t used;
void out_of_memory(size_t size);

static void *get(size_t size, size_t *usable)
{
    if (size >= SIZE_MAX / 2) return NULL;
    void *p = malloc(size > 0 ? size : sizeof(long));
    if (!p) return NULL;
    size = malloc_usable_size(p);
    used += size;
    if (usable) *usable = size;
    return p;
}

static void *get_usable(size_t size, size_t *usable)
{
    size_t there = 0;
    void *p = get(size, &there);
    if (usable) *usable = there;
    return p;
}

static void give_back(void *p)
{
    if (p == NULL) return;
    used -= malloc_usable_size(p);
    free(p);
}

static void *resize(void *p, size_t size, size_t *usable)
{
    if (size == 0 && p != NULL) {
        give_back(p);
        if (usable) *usable = 0;
        return NULL;
    }
    if (p == NULL) return get_usable(size, usable);
    if (size >= SIZE_MAX / 2) {
        give_back(p);
        if (usable) *usable = 0;
        return NULL;
    }
    size_t before = malloc_usable_size(p);
    void *q = realloc(p, size);
    if (q == NULL) {
        if (usable) *usable = 0;
        return NULL;
    }
    used -= before;
    size = malloc_usable_size(q);
    used += size;
    if (usable) *usable = size;
    return q;
}

static void *resize_or_die(void *p, size_t size)
{
    p = resize(p, size, NULL);
    if (!p && size != 0) abort();
    return p;
}

int sum_of(const int *from, size_t count, size_t more)
{
    int *copy = resize_or_die(NULL, (count + 1) * sizeof *copy); // OK
    int sum = 0;
    copy[0] = *from;
    count += more;
    copy = resize_or_die(copy, count * sizeof *copy);
    if (count) sum = copy[0];
    give_back(copy);
    return sum;
}

int forgotten(int first)
{
    int *copy = resize_or_die(NULL, 64); // LEAK copy
    copy[0] = first;
    return copy[0] + first;
}
