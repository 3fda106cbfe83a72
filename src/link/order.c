// An order of units that depends on what they hold, not on how they were handed over: by the path
// of the source, then by content. Where no link step says who comes first (unit files named on a
// command line, say), the first definition of a name is taken in this order, so that the same units
// give the same program however a shell or a scheduler lists them.
#include "base/hash.h"
#include "base/out.h"
#include "link/link_int.h"

#include <stdlib.h>

typedef struct {
    const char *source;
    Hash128 content; // zero until two units of one source have to be told apart
    uint32_t unit;
} Key;

static int by_source(const void *left, const void *right)
{
    const Key *x = left, *y = right;
    int order = strcmp(x->source, y->source);
    if (!order) order = (x->unit > y->unit) - (x->unit < y->unit);
    return order;
}

// Equal content: whichever comes first, the program is the same.
static int by_content(const void *left, const void *right)
{
    const Key *x = left, *y = right;
    int order = hash128_order(x->content, y->content);
    if (order) return order;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static Hash128 content_of(const Unit *u)
{
    Out *o = out_memory();
    unit_write(o, u);
    size_t len;
    const char *bytes = out_content(o, &len);
    Hash128 hash = hash128_bytes(bytes, len);
    out_discard(o);
    return hash;
}

void sort_units(const LinkInfo *info, U32s *units)
{
    if (units->len < 2) return;
    Key *keys = mem_alloc(units->len * sizeof *keys);
    vec_each (i, units) {
        const Unit *u = info->units[units->at[i]];
        keys[i] = (Key){.source = name_text(u->names, u->source), .unit = units->at[i]};
    }
    qsort(keys, units->len, sizeof *keys, by_source);
    for (uint32_t first = 0, end; first < units->len; first = end) {
        for (end = first + 1; end < units->len; end++)
            if (strcmp(keys[first].source, keys[end].source) != 0) break;
        if (end - first == 1) continue;
        for (uint32_t i = first; i < end; i++)
            keys[i].content = content_of(info->units[keys[i].unit]);
        qsort(keys + first, end - first, sizeof *keys, by_content);
    }
    vec_each (i, units) units->at[i] = keys[i].unit;
    mem_free(keys);
}
