// Modules that hand out a table of functions, filters in a chain, and wrappers around a callback.
#include <stdlib.h>
struct filter {
    int (*apply)(struct filter *self, int value);
    struct filter *next;
    int (*parameter)(int);
};
static int twice(int v) { return v * 2; }
static int half(int v) { return v / 2; }
static int plus_one(int v) { return v + 1; }
static int minus_one(int v) { return v - 1; }
static int scale(struct filter *f, int v) { return f->parameter(v); } // CALLS twice
static int shift(struct filter *f, int v) { return f->parameter(v); } // CALLS plus_one
static int silent(struct filter *f, int v) { return f ? v : 0; }
struct module {
    int (*start)(int);
    int (*stop)(int);
};
static const struct module sound = {twice, half};
static const struct module light = {plus_one, minus_one};
static const struct module *get_sound(void) { return &sound; }
static const struct module *get_light(void) { return &light; }
static int chain(struct filter *f, int v)
{
    for (; f; f = f->next) v = f->apply(f, v); // CALLS scale, shift
    return v;
}
static int map(int (*f)(int), int v) { return f(v); } // CALLS half, minus_one
int main(int argc, char **argv)
{
    (void)argv;
    struct filter *a = malloc(sizeof *a), *b = malloc(sizeof *b), mute = {silent, NULL, NULL};
    if (!a || !b) exit(1);
    *a = (struct filter){scale, b, twice};
    *b = (struct filter){shift, NULL, plus_one};
    int v = chain(a, argc);
    v += get_sound()->start(v); // CALLS twice
    v += get_sound()->stop(v); // CALLS half
    v += get_light()->start(v); // CALLS plus_one
    v += get_light()->stop(v); // CALLS minus_one
    v += mute.apply(&mute, v); // CALLS silent
    v += map(half, v) + map(minus_one, v);
    free(a);
    free(b);
    return v;
}
