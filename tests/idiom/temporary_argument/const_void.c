// A pointer to const void: a holder of anything takes elements like this, so const is no promise to leave
// them alone. A buffer is followed by its size, and text or a struct is read.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct holder;
struct item {
    int number;
};
struct ways {
    void (*keep)(struct holder *h, const void *element);
    void (*send)(struct holder *h, const void *bytes, int count);
};
void holder_take(struct holder *h, const void *element);
void holder_send(struct holder *h, const void *bytes, unsigned long count);
void holder_print(struct holder *h, const struct item *i);

static struct item *item_new(int number)
{
    struct item *i = malloc(sizeof *i);
    if (i) i->number = number;
    return i;
}

void taken(struct holder *h, int number)
{
    struct item *i = item_new(number); // OK: the holder has it
    if (!i) return;
    i->number++;
    holder_take(h, i);
}

void taken_by_pointer(struct holder *h, const struct ways *w, int number)
{
    struct item *i = item_new(number); // OK: the holder has it
    if (!i) return;
    i->number++;
    w->keep(h, i);
}

void sent(struct holder *h, int number)
{
    struct item *i = item_new(number); // LEAK sent
    if (!i) return;
    i->number++;
    holder_send(h, i, sizeof *i);
} // LOST sent

void sent_by_pointer(struct holder *h, const struct ways *w, int number)
{
    struct item *i = item_new(number); // LEAK pointer LIKELY because UNDECIDED
    if (!i) return;
    i->number++;
    w->send(h, i, sizeof *i);
} // LOST pointer

void printed(struct holder *h, int number)
{
    struct item *i = item_new(number); // LEAK printed
    if (!i) return;
    i->number++;
    holder_print(h, i);
} // LOST printed
