// The shape of a function: neighbours, order, dominators, post-dominators; loops are in loop.c.
#include "unit/cfg.h"

#include "unit/cfg_int.h"

#include <stdlib.h>

// Successors of each block without repetition, and the predecessors turned around.
static void neighbours(Cfg *c, Arena *a, const Unit *u, const Func *f)
{
    uint32_t n = c->block_count;
    U32s edges = {0}, found = {0};
    uint32_t *stamp = mem_alloc((size_t)n * sizeof *stamp);
    c->succ = arena_array_of(a, EdgeRange, n);
    c->pred = arena_array_of(a, EdgeRange, n);
    for (uint32_t b = 0; b < n; b++) {
        vec_clear(&found);
        block_successors(u, f, b, &found);
        c->succ[b].first = edges.len;
        vec_each (i, &found) {
            if (stamp[found.at[i]] == b + 1) continue;
            stamp[found.at[i]] = b + 1;
            vec_push(&edges, found.at[i]);
            c->pred[found.at[i]].count++;
        }
        c->succ[b].count = edges.len - c->succ[b].first;
    }
    uint32_t count = edges.len, at = count;
    for (uint32_t b = 0; b < n; b++) {
        c->pred[b].first = at;
        at += c->pred[b].count;
        c->pred[b].count = 0;
    }
    vec_extend(&edges, count);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = 0; i < c->succ[b].count; i++) {
            EdgeRange *to = &c->pred[edges.at[c->succ[b].first + i]];
            edges.at[to->first + to->count++] = b;
        }
    vec_keep(&edges, a);
    c->edges = edges.at;
    vec_free(&found);
    mem_free(stamp);
}

// A post order of the blocks that the entry reaches, turned around.
static void order_blocks(Cfg *c, Arena *a)
{
    uint32_t n = c->block_count;
    c->order = arena_array_of(a, uint32_t, n);
    c->position = arena_array_of(a, uint32_t, n);
    uint32_t *memory = mem_alloc((size_t)n * 2 * sizeof *memory);
    uint32_t *stack = memory, *next = memory + n;
    enum { NEW = UINT32_MAX, SEEN = UINT32_MAX - 1 };
    for (uint32_t b = 0; b < n; b++) c->position[b] = NEW;
    uint32_t depth = 0, place = n;
    if (n) {
        stack[depth++] = 0;
        c->position[0] = SEEN;
    }
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] == c->succ[b].count) {
            c->order[--place] = b;
            depth--;
            continue;
        }
        uint32_t to = c->edges[c->succ[b].first + next[b]++];
        if (c->position[to] != NEW) continue;
        c->position[to] = SEEN;
        stack[depth++] = to;
    }
    c->order_count = n - place;
    memmove(c->order, c->order + place, (size_t)c->order_count * sizeof *c->order);
    for (uint32_t i = 0; i < c->order_count; i++) c->position[c->order[i]] = i;
    mem_free(memory);
}

// The same lists in the form that cfg_idoms takes.
static Neighbours flat(const Cfg *c, const EdgeRange *of, uint32_t **memory)
{
    uint32_t n = c->block_count, at = 0;
    uint32_t total = 0;
    for (uint32_t b = 0; b < n; b++) total += of[b].count;
    uint32_t *first = mem_alloc(((size_t)n + 1 + total) * sizeof *first), *list = first + n + 1;
    for (uint32_t b = 0; b < n; b++) {
        first[b] = at;
        for (uint32_t i = 0; i < of[b].count; i++) list[at++] = c->edges[of[b].first + i];
    }
    first[n] = at;
    *memory = first;
    return (Neighbours){first, list};
}

static void dominators(Cfg *c, Arena *a)
{
    uint32_t n = c->block_count, *succ_memory, *pred_memory;
    c->idom = arena_array_of(a, uint32_t, n);
    c->dom_first = arena_array_of(a, uint32_t, n);
    c->dom_last = arena_array_of(a, uint32_t, n);
    if (n == 0) return;
    Neighbours succ = flat(c, c->succ, &succ_memory), pred = flat(c, c->pred, &pred_memory);
    cfg_idoms(n, 0, succ, pred, c->idom);
    mem_free(succ_memory);
    mem_free(pred_memory);
    // Subtree sizes from the leaves up, then numbers from the root down: a dominator comes before
    // what it dominates in reverse post order.
    uint32_t *size = c->dom_last, *cursor = mem_alloc((size_t)n * sizeof *cursor);
    for (uint32_t i = c->order_count; i-- > 0;) {
        uint32_t b = c->order[i];
        size[b]++;
        if (c->idom[b] != BLOCK_NONE) size[c->idom[b]] += size[b];
    }
    for (uint32_t b = 0; b < n; b++)
        if (c->position[b] == UINT32_MAX) c->dom_first[b] = UINT32_MAX;
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i], up = c->idom[b];
        c->dom_first[b] = up == BLOCK_NONE ? 0 : cursor[up];
        if (up != BLOCK_NONE) cursor[up] += size[b];
        cursor[b] = c->dom_first[b] + 1;
    }
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i];
        c->dom_last[b] = c->dom_first[b] + size[b] - 1;
    }
    mem_free(cursor);
}

bool cfg_dominates(const Cfg *c, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    return c->dom_first[a] <= c->dom_first[b] && c->dom_first[b] <= c->dom_last[a];
}

static bool goes_on(const Cfg *c, const Bits *live, uint32_t block)
{
    for (uint32_t k = 0; k < c->succ[block].count; k++)
        if (!live || bits_has(live, c->edges[c->succ[block].first + k])) return true;
    return false;
}

void cfg_exits(const Cfg *c, const Bits *live, Bits *exits)
{
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i];
        if ((!live || bits_has(live, b)) && !goes_on(c, live, b)) bits_add(exits, b);
    }
    // An outermost loop is a strongly connected component; it is final when no edge leaves it.
    uint32_t *mark = mem_alloc((size_t)c->block_count * sizeof *mark);
    for (uint32_t l = 0; l < c->loop_count; l++) {
        const Loop *loop = &c->loops[l];
        if (loop->parent || (live && !bits_has(live, loop->header))) continue;
        const uint32_t *members = c->loop_blocks + loop->blocks.first;
        uint32_t last = loop->header;
        bool left = false;
        for (uint32_t i = 0; i < loop->blocks.count; i++) mark[members[i]] = l + 1;
        for (uint32_t i = 0; i < loop->blocks.count; i++) {
            uint32_t b = members[i];
            if (c->position[b] > c->position[last]) last = b;
            for (uint32_t k = 0; k < c->succ[b].count; k++) {
                uint32_t to = c->edges[c->succ[b].first + k];
                left |= mark[to] != l + 1 && (!live || bits_has(live, to));
            }
        }
        if (!left) bits_add(exits, last);
    }
    mem_free(mark);
}

static void post_dominators(Cfg *c, Arena *a)
{
    uint32_t n = c->block_count;
    c->ipdom = arena_array_of(a, uint32_t, n);
    Bits exits = bits_new(a, n);
    cfg_exits(c, NULL, &exits);
    // The graph turned around: node n is the virtual exit, only reachable blocks have edges.
    uint32_t edges = 0;
    for (uint32_t b = 0; b < n; b++) edges += c->succ[b].count + 1;
    uint32_t *memory = mem_alloc((2 * ((size_t)n + 2 + edges) + n + 1) * sizeof *memory);
    uint32_t *back_first = memory, *back = back_first + n + 2;
    uint32_t *ahead_first = back + edges, *ahead = ahead_first + n + 2, *idom = ahead + edges;
    uint32_t at = 0, to = 0;
    for (uint32_t b = 0; b <= n; b++) {
        back_first[b] = at;
        ahead_first[b] = to;
        if (b == n) {
            bits_each (e, &exits) back[at++] = e;
            continue;
        }
        if (c->position[b] == UINT32_MAX) continue;
        for (uint32_t i = 0; i < c->pred[b].count; i++) {
            uint32_t p = c->edges[c->pred[b].first + i];
            if (c->position[p] != UINT32_MAX) back[at++] = p;
        }
        for (uint32_t i = 0; i < c->succ[b].count; i++)
            ahead[to++] = c->edges[c->succ[b].first + i];
        if (bits_has(&exits, b)) ahead[to++] = n;
    }
    back_first[n + 1] = at;
    ahead_first[n + 1] = to;
    cfg_idoms(n + 1, n, (Neighbours){back_first, back}, (Neighbours){ahead_first, ahead}, idom);
    for (uint32_t b = 0; b < n; b++) c->ipdom[b] = idom[b] == n ? BLOCK_NONE : idom[b];
    mem_free(memory);
}

Cfg *cfg_build_dominators(Arena *a, const Unit *u, const Func *f)
{
    Cfg *c = arena_new_of(a, Cfg);
    c->block_count = f->block_count;
    neighbours(c, a, u, f);
    order_blocks(c, a);
    dominators(c, a);
    return c;
}

enum { FEW_WAYS = 8 }; // of a phi: looked through one by one

static int by_way(const void *a, const void *b)
{
    const PhiWay *x = a, *y = b;
    if (x->ins != y->ins) return x->ins < y->ins ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->nth < y->nth ? -1 : x->nth > y->nth;
}

static void sort_wide_phis(Cfg *c, Arena *a, const Unit *u, const Func *f)
{
    VEC(PhiWay) ways = {0};
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *phi = func_ins(u, f, i);
        if (phi->op != OP_PHI || phi->c <= FEW_WAYS) continue;
        const uint32_t *pairs = func_extra(u, f, phi->b);
        for (uint32_t k = 0; k < phi->c; k++)
            vec_push(&ways, ((PhiWay){i, pairs[2 * k], k, {pairs[2 * k + 1]}}));
    }
    if (ways.len) qsort(ways.at, ways.len, sizeof *ways.at, by_way);
    vec_keep(&ways, a);
    c->phi_ways = ways.at;
    c->phi_way_count = ways.len;
}

Ref cfg_phi_value(const Cfg *c, const Unit *u, const Func *f, uint32_t ins, uint32_t from)
{
    const Ins *phi = func_ins(u, f, ins);
    const uint32_t *pairs = func_extra(u, f, phi->b);
    if (phi->c <= FEW_WAYS) {
        for (uint32_t k = 0; k < phi->c; k++)
            if (pairs[2 * k] == from) return (Ref){pairs[2 * k + 1]};
        return (Ref){0};
    }
    PhiWay key = {.ins = ins, .from = from};
    uint32_t low = 0, high = c->phi_way_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_way(&c->phi_ways[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < c->phi_way_count && c->phi_ways[low].ins == ins &&
                 c->phi_ways[low].from == from;
    return found ? c->phi_ways[low].value : (Ref){0};
}

Cfg *cfg_build_edges(Arena *a, const Unit *u, const Func *f)
{
    Cfg *c = arena_new_of(a, Cfg);
    c->block_count = f->block_count;
    neighbours(c, a, u, f);
    order_blocks(c, a);
    sort_wide_phis(c, a, u, f);
    return c;
}

void cfg_complete(Cfg *c, Arena *a)
{
    if (c->idom) return;
    dominators(c, a);
    cfg_find_loops(c, a);
    post_dominators(c, a);
}

Cfg *cfg_build(Arena *a, const Unit *u, const Func *f)
{
    Cfg *c = cfg_build_edges(a, u, f);
    cfg_complete(c, a);
    return c;
}

bool cfg_is_back_edge(const Cfg *c, uint32_t from, uint32_t to)
{
    uint32_t loop = c->loop_of[to];
    if (!loop || c->loops[loop - 1].header != to) return false;
    return cfg_loop_has(c, loop, from);
}

// The blocks of a loop lie in one range, with those of the loops inside: no walk over the nest,
// which is as deep as a function is long where gotos make it so.
bool cfg_loop_has(const Cfg *c, uint32_t loop, uint32_t block)
{
    uint32_t at = c->loop_of[block];
    if (at == 0) return false;
    EdgeRange outer = c->loops[loop - 1].blocks, inner = c->loops[at - 1].blocks;
    return inner.first >= outer.first && inner.first - outer.first < outer.count;
}

// Text inside a dot label: each line of the block left-aligned.
static void dot_text(Out *o, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\') out_char(o, '\\');
        out_char(o, s[i]);
    }
}

static void dot_edges(Out *o, const Unit *u, const Func *f, const Cfg *c, uint32_t b)
{
    const Block *block = func_block(u, f, b);
    const Ins *t = func_ins(u, f, block->first + block->count - 1);
    U32s to = {0};
    uint32_t n = block_successors(u, f, b, &to);
    for (uint32_t i = 0; i < n; i++) {
        out_printf(o, "  b%u -> b%u", b, to.at[i]);
        const char *sep = " [";
        if (t->op == OP_BRANCH) {
            out_printf(o, "%slabel=\"%s\"", sep, i == 0 ? "true" : "false");
            sep = ",";
        } else if (t->op == OP_INVOKE && i == 1) {
            out_printf(o, "%slabel=\"unwind\"", sep);
            sep = ",";
        } else if (t->op == OP_SWITCH && i + 1 == n) {
            out_printf(o, "%slabel=\"default\"", sep);
            sep = ",";
        } else if (t->op == OP_SWITCH) {
            Ref r = {*func_extra(u, f, t->b + 2 * i)};
            out_printf(o, "%slabel=\"%lld\"", sep, (long long)u->consts.at[ref_index(r)].value);
            sep = ",";
        }
        if (cfg_is_back_edge(c, b, to.at[i])) {
            out_printf(o, "%sstyle=bold", sep);
            sep = ",";
        }
        out_text(o, *sep == ',' ? "];\n" : ";\n");
    }
    vec_free(&to);
}

void cfg_print_dot(Out *o, const Unit *u, const Func *f)
{
    Arena *a = arena_new("cfg dot");
    Cfg *c = cfg_build(a, u, f);
    Out *line = out_memory(); // all lines so far; each is copied on with its escapes
    UnitPrinter *p = unit_printer_new(line, u, f);
    size_t done = 0;
    out_text(o, "digraph \"");
    dot_text(o, name_text(u->names, f->name), name_len(u->names, f->name));
    out_text(o, "\" {\n  node [shape=box,fontname=monospace];\n");
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(u, f, b);
        out_printf(o, "  b%u [label=\"b%u", b, b);
        if (c->loop_of[b])
            out_printf(o, "  loop %u depth %u%s", c->loop_of[b], c->loops[c->loop_of[b] - 1].depth,
                       c->loops[c->loop_of[b] - 1].irreducible ? " irreducible" : "");
        out_text(o, "\\l");
        for (uint32_t i = 0; i < block->count; i++) {
            unit_printer_ins(p, block->first + i);
            size_t len;
            const char *s = out_content(line, &len);
            dot_text(o, s + done, len - done);
            out_text(o, "\\l");
            done = len;
        }
        out_printf(o, "\"%s];\n", c->position[b] == UINT32_MAX ? ",style=dashed" : "");
    }
    for (uint32_t b = 0; b < f->block_count; b++) dot_edges(o, u, f, c, b);
    out_text(o, "}\n");
    unit_printer_free(p);
    out_discard(line);
    arena_free(a);
}
