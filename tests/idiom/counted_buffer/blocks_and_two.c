// Room for as many blocks as a file has, and two more: never for none.
#include <stdlib.h>

struct out {
    int num, max;
    char *buf;
};

static int make_room(struct out *o, int block, int blocks)
{
    if (o->max) {
        char *more = realloc(o->buf, (size_t)block * blocks);
        if (!more)
            return -1;
        o->buf = more;
    } else {
        o->buf = malloc((size_t)block * blocks);
        if (!o->buf)
            return -1;
        o->num = 0;
    }
    o->max = blocks;
    return 0;
}

static int next_block(struct out *o, int block, char **to)
{
    if (o->num >= o->max) {
        int more = o->max / 10;
        if (make_room(o, block, o->max + (more < 50 ? 50 : more)))
            return -1;
    }
    *to = o->buf + o->num++ * block;
    return 0;
}

int copied(struct out *o, unsigned long size, unsigned block)
{
    char *start;
    o->max = 0;
    if (make_room(o, block, size / block + 2)) // OK
        return -1;
    o->num = 0;
    if (next_block(o, block, &start))
        return -1;
    start[0] = 0;
    return 0;
}

int forgotten(struct out *o, unsigned size, unsigned block)
{
    o->max = 0;
    if (make_room(o, block, size / block + 2)) // LEAK first
        return -1;
    o->max = 0;
    return make_room(o, block, size / block); // LOST first
}
