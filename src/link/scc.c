// Strongly connected components (Tarjan 1972), with an explicit stack: call graphs of generated
// code are deep enough to break recursion.
#include "link/program.h"

#include <stdlib.h>

typedef struct {
    uint32_t node, edge; // edge: the next successor to look at
} Frame;

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

Components components_of(Arena *a, uint32_t nodes, const uint32_t *first, const uint32_t *edges)
{
    Components c = {
        .order = arena_array_of(a, uint32_t, nodes),
        .of = arena_array_of(a, uint32_t, nodes),
        .start = arena_array_of(a, uint32_t, (size_t)nodes + 1),
    };
    uint32_t *number = mem_alloc(nodes * sizeof *number); // order of discovery + 1; 0 unseen
    uint32_t *low = mem_alloc(nodes * sizeof *low);
    bool *done = mem_alloc(nodes * sizeof *done); // already in a component
    VEC(Frame) frames = {0};
    U32s open = {0};
    uint32_t next = 0, placed = 0;
    for (uint32_t root = 0; root < nodes; root++) {
        if (number[root]) continue;
        vec_push(&frames, ((Frame){root, first[root]}));
        number[root] = low[root] = ++next;
        vec_push(&open, root);
        while (frames.len) {
            Frame *f = &vec_last(&frames);
            uint32_t n = f->node;
            if (f->edge < first[n + 1]) {
                uint32_t to = edges[f->edge++];
                if (!number[to]) {
                    number[to] = low[to] = ++next;
                    vec_push(&open, to);
                    vec_push(&frames, ((Frame){to, first[to]}));
                } else if (!done[to] && number[to] < low[n]) {
                    low[n] = number[to];
                }
                continue;
            }
            frames.len--;
            if (frames.len) {
                uint32_t parent = vec_last(&frames).node;
                if (low[n] < low[parent]) low[parent] = low[n];
            }
            if (low[n] != number[n]) continue;
            c.start[c.count] = placed;
            uint32_t member;
            do {
                member = vec_pop(&open);
                done[member] = true;
                c.of[member] = c.count;
                c.order[placed++] = member;
            } while (member != n);
            uint32_t size = placed - c.start[c.count];
            if (size > 1) qsort(c.order + c.start[c.count], size, sizeof *c.order, ascending);
            c.count++;
        }
    }
    c.start[c.count] = placed;
    mem_free(number);
    mem_free(low);
    mem_free(done);
    vec_free(&frames);
    vec_free(&open);
    return c;
}
