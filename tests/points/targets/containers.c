// Containers that are given how to compare, hash and free: each instance its own functions.
#include <stdlib.h>
#include <string.h>
typedef unsigned (*Hash)(const void *);
typedef int (*Same)(const void *, const void *);
typedef void (*Drop)(void *);
struct table {
    void *slots[64];
    Hash hash;
    Same same;
    Drop drop;
};
static unsigned hash_text(const void *p) { return *(const unsigned char *)p; }
static unsigned hash_number(const void *p) { return *(const unsigned *)p; }
static int same_text(const void *a, const void *b) { return strcmp(a, b) == 0; }
static int same_number(const void *a, const void *b) { return *(const unsigned *)a == *(const unsigned *)b; }
static int by_length(const void *a, const void *b) { return strlen(a) < strlen(b); }
static void drop_text(void *p) { free(p); }
static void drop_nothing(void *p) { (void)p; }
static void drop_later(void *p) { (void)p; }
static Drop later = drop_later;
static struct table names, numbers;
static void *find_name(const char *s)
{
    void *p = names.slots[names.hash(s) % 64]; // CALLS hash_text
    return p && names.same(p, s) ? p : NULL; // CALLS same_text
}
static void *find_number(const unsigned *n)
{
    void *p = numbers.slots[numbers.hash(n) % 64]; // CALLS hash_number
    return p && numbers.same(p, n) ? p : NULL; // CALLS same_number
}
static void clear(struct table *t)
{
    for (int i = 0; i < 64; i++)
        if (t->slots[i]) t->drop(t->slots[i]); // CALLS drop_text, drop_nothing
}
static int sorted(void **v, int n, Same less)
{
    for (int i = 1; i < n; i++)
        if (less(v[i], v[i - 1])) return 0; // CALLS by_length
    return 1;
}
int main(int argc, char **argv)
{
    unsigned n = (unsigned)argc;
    names.hash = hash_text, names.same = same_text, names.drop = drop_text;
    numbers.hash = hash_number, numbers.same = same_number, numbers.drop = drop_nothing;
    names.slots[1] = strdup(argv[0]);
    int found = find_name(argv[0]) != NULL;
    found += find_number(&n) != NULL;
    found += sorted((void **)argv, argc, by_length);
    clear(&names);
    clear(&numbers);
    later(NULL); // CALLS drop_later
    return found;
}
