// Functions made from any graph, for tests that are about shape only: node v of the graph is
// block v, its successors are those given. Instruction 2v is a nop, 2v + 1 the terminator.
#ifndef TESTS_UNIT_GRAPH_H
#define TESTS_UNIT_GRAPH_H

#include "unit/unit.h"

typedef struct {
    uint32_t n;
    U32s *succ; // by node
} Graph;

static uint64_t graph_seed = 88172645463325252u;

static inline uint32_t any(uint32_t n)
{
    graph_seed ^= graph_seed << 13;
    graph_seed ^= graph_seed >> 7;
    graph_seed ^= graph_seed << 17;
    return (uint32_t)((graph_seed >> 32) % n);
}

static inline Graph graph_new(uint32_t n)
{
    return (Graph){n, mem_alloc(n * sizeof(U32s))};
}

static inline void graph_edge(Graph *g, uint32_t from, uint32_t to)
{
    vec_push(&g->succ[from], to);
}

static inline void graph_free(Graph *g)
{
    for (uint32_t v = 0; v < g->n; v++) vec_free(&g->succ[v]);
    mem_free(g->succ);
}

// Nothing leads back to node 0. About a third of the nodes ends the function or loops for ever.
static inline Graph graph_any(uint32_t n)
{
    Graph g = graph_new(n);
    uint32_t shape = any(4);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t count = any(10) == 0 ? 0 : any(5) == 0 ? any(5) : 1 + any(2);
        if (n == 1) count = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t to = 1 + any(n - 1);
            if (shape == 0 && any(4)) to = v + 1 < n ? v + 1 + any(n - v - 1) : to; // mostly ahead
            if (shape == 1 && any(3)) to = v + 1 < n ? v + 1 : to; // mostly a chain
            graph_edge(&g, v, to);
        }
    }
    return g;
}

static inline Unit *graph_unit(const Graph *g)
{
    Unit *u = unit_new();
    UnitBuilder *b = unit_builder_new(u);
    MType none = mtype(MT_VOID, 0);
    vec_push(&u->params, ((Param){.mtype = mtype(MT_INT, 1)}));
    vec_push(&u->params, ((Param){.mtype = mtype(MT_INT, 32)}));
    for (uint32_t v = 0; v < g->n; v++) {
        const U32s *s = &g->succ[v];
        vec_push(&u->blocks, ((Block){2 * v, 2}));
        vec_push(&u->ins, ((Ins){.op = OP_NOP}));
        Ins t = {.op = OP_RET, .type = none};
        if (s->len == 1) {
            t.op = OP_JUMP;
            t.a = s->at[0];
        } else if (s->len == 2) {
            t.op = OP_BRANCH;
            t.a = ref_param(0).bits;
            t.b = s->at[0];
            t.c = s->at[1];
        } else if (s->len > 2) {
            t.op = OP_SWITCH;
            t.a = ref_param(1).bits;
            t.b = u->extra.len;
            t.c = s->len - 1;
            for (uint32_t i = 0; i + 1 < s->len; i++) {
                vec_push(&u->extra, unit_const_int(b, 32, i).bits);
                vec_push(&u->extra, s->at[i]);
            }
            vec_push(&u->extra, s->at[s->len - 1]);
        }
        vec_push(&u->ins, t);
    }
    vec_push(&u->funcs, ((Func){.name = name_of(u->names, "f"),
                                .param_count = 2,
                                .block_count = g->n,
                                .ins_count = 2 * g->n,
                                .extra_count = u->extra.len}));
    unit_builder_free(b);
    return u;
}

#endif
