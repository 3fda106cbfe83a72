// Strongly connected components (Tarjan 1972), with an explicit stack: call graphs of generated
// code are deep enough to break recursion.
#include "link/program.h"

#include <stdlib.h>

typedef struct {
    uint32_t node, edge; // edge: the next successor to look at
} NodeVisit;

// Side by side, since every edge asks for them at its far end.
typedef struct {
    uint32_t number, low; // number: order of discovery + 1; 0 unseen
} Mark;

#define DONE UINT32_MAX // the number of who is in a component: it lowers nobody's

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static void alone(Components *c, Mark *marks, uint32_t n, uint32_t place)
{
    marks[n].number = DONE;
    c->of[n] = c->count;
    c->start[c->count++] = place;
    c->order[place] = n;
}

Components components_of(Arena *a, uint32_t nodes, const uint32_t *first, const uint32_t *edges)
{
    Components c = {
        .order = arena_raw(a, nodes * sizeof *c.order),
        .of = arena_raw(a, nodes * sizeof *c.of),
        .start = arena_raw(a, ((size_t)nodes + 1) * sizeof *c.start),
    };
    Mark *marks = mem_alloc(nodes * sizeof *marks);
    VEC(NodeVisit) frames = {0};
    U32s open = {0};
    uint32_t next = 0, placed = 0;
    for (uint32_t root = 0; root < nodes; root++) {
        if (marks[root].number) continue;
        if (first[root] == first[root + 1]) {
            alone(&c, marks, root, placed++);
            continue;
        }
        vec_push(&frames, ((NodeVisit){root, first[root]}));
        marks[root] = (Mark){next + 1, next + 1};
        next++;
        vec_push(&open, root);
        while (frames.len) {
            NodeVisit *f = &vec_last(&frames);
            uint32_t n = f->node;
            if (f->edge < first[n + 1]) {
                uint32_t to = edges[f->edge++];
                Mark *m = &marks[to];
                if (m->number) {
                    if (m->number < marks[n].low) marks[n].low = m->number;
                } else if (first[to] == first[to + 1]) { // nothing behind it: one of its own
                    alone(&c, marks, to, placed++);
                } else {
                    *m = (Mark){next + 1, next + 1};
                    next++;
                    vec_push(&open, to);
                    vec_push(&frames, ((NodeVisit){to, first[to]}));
                }
                continue;
            }
            frames.len--;
            if (frames.len) {
                uint32_t parent = vec_last(&frames).node;
                if (marks[n].low < marks[parent].low) marks[parent].low = marks[n].low;
            }
            if (marks[n].low != marks[n].number) continue;
            c.start[c.count] = placed;
            uint32_t member;
            do {
                member = vec_pop(&open);
                marks[member].number = DONE;
                c.of[member] = c.count;
                c.order[placed++] = member;
            } while (member != n);
            uint32_t size = placed - c.start[c.count];
            if (size > 1) qsort(c.order + c.start[c.count], size, sizeof *c.order, ascending);
            c.count++;
        }
    }
    c.start[c.count] = placed;
    mem_free(marks);
    vec_free(&frames);
    vec_free(&open);
    return c;
}
