// Contracting what is not kept.
//
// The dropped blocks fall into strongly connected regions, taken in the order of a depth-first
// search: those behind first. A region that leads to no kept node is nowhere; one that leads to a
// single node is that node; only where it leads to several does it need a node of its own, a
// junction. A junction that one edge leads to is dissolved into that edge. This is the paper's
// step 2 (fold paths) and step 3 (delete n not in N*) without copying edges over and over: every
// edge of the function is looked at once, and the projection has no more edges than it.
#include "project/project.h"

#define NOWHERE UINT32_MAX
#define OPEN    (UINT32_MAX - 1) // a block whose region is not complete

// Targets are numbers of nodes: kept ones from 0, then junctions.
typedef struct {
    const Unit *u;
    const Func *f;
    const Cfg *c;
    const Bits *keep;
    Projection *p;
    Arena *a;        // scratch
    uint32_t *leads; // by dropped block, once its region is done: target or NOWHERE
    uint32_t kept_count;
    struct Junction {
        uint32_t block;
        uint32_t first, count; // in targets
        uint32_t in;           // edges that lead here
        uint32_t number;       // as a node, when it stays
    } * junctions;
    uint32_t junction_count;
    U32s targets;
    U32s stamp; // by target: when it was last put into a list
    uint32_t now;
    VEC(ProjectEdge) edges;
} Contract;

static bool is_kept(const Contract *k, uint32_t block)
{
    return k->p->node_of[block] != 0;
}

static uint32_t lead(const Contract *k, uint32_t block)
{
    return is_kept(k, block) ? k->p->node_of[block] - 1 : k->leads[block];
}

static bool is_new(Contract *k, uint32_t target)
{
    if (target >= k->stamp.len) vec_extend(&k->stamp, (uint64_t)target + 1 - k->stamp.len);
    if (k->stamp.at[target] == k->now) return false;
    k->stamp.at[target] = k->now;
    return true;
}

// The nodes: the entry, exits, and each block with a kept instruction.
static void choose_nodes(Contract *k, Arena *a)
{
    const Cfg *c = k->c;
    Projection *p = k->p;
    p->node_of = arena_array_of(a, uint32_t, c->block_count);
    VEC(ProjectNode) nodes = {0};
    U32s ins = {0}, succs = {0};
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i];
        const Block *block = func_block(k->u, k->f, b);
        uint32_t end = block->first + block->count;
        const Ins *last = func_ins(k->u, k->f, end - 1);
        ProjectNode n = {.block = b, .first_ins = ins.len};
        if (b == 0) n.flags |= PROJECT_ENTRY;
        if (last->op == OP_RET || last->op == OP_RESUME) n.flags |= PROJECT_EXIT;
        for (uint32_t x = bits_next(k->keep, block->first); x < end; x = bits_next(k->keep, x + 1))
            vec_push(&ins, x);
        n.ins_count = ins.len - n.first_ins;
        if (!n.flags && !n.ins_count) continue;
        vec_clear(&succs);
        bool several = block_successors(k->u, k->f, b, &succs) > 1;
        if (bits_has(k->keep, end - 1) && several) n.flags |= PROJECT_BRANCH;
        vec_push(&nodes, n);
        p->node_of[b] = nodes.len;
    }
    vec_free(&succs);
    k->kept_count = nodes.len;
    p->ins_count = ins.len;
    vec_keep(&ins, a);
    p->ins = ins.at;
    p->nodes = nodes.at; // moved into the arena when the junctions are known
}

// A region is complete: where does it lead?
static void close_region(Contract *k, const uint32_t *members, uint32_t count)
{
    const Cfg *c = k->c;
    uint32_t first = k->targets.len;
    k->now++;
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t i = 0; i < c->succ[members[m]].count; i++) {
            uint32_t to = c->edges[c->succ[members[m]].first + i];
            uint32_t target = lead(k, to);
            if (target == NOWHERE || target == OPEN) continue; // open: in this same region
            if (is_new(k, target)) vec_push(&k->targets, target);
        }
    uint32_t found = k->targets.len - first, leads = NOWHERE;
    if (found == 1) leads = k->targets.at[first];
    if (found < 2) k->targets.len = first;
    if (found >= 2) {
        leads = k->kept_count + k->junction_count;
        k->junctions[k->junction_count++] =
            (struct Junction){.block = members[0], .first = first, .count = found};
    }
    for (uint32_t m = 0; m < count; m++) k->leads[members[m]] = leads;
}

// Tarjan's strongly connected components over the dropped blocks, without recursion.
static void find_regions(Contract *k)
{
    const Cfg *c = k->c;
    uint32_t n = c->block_count, number = 0, depth = 0, open = 0;
    uint32_t *index = arena_array_of(k->a, uint32_t, n); // 0: not met
    uint32_t *low = arena_array_of(k->a, uint32_t, n);
    uint32_t *next = arena_array_of(k->a, uint32_t, n);
    uint32_t *walk = arena_array_of(k->a, uint32_t, n), *stack = arena_array_of(k->a, uint32_t, n);
    for (uint32_t r = 0; r < c->order_count; r++) {
        uint32_t root = c->order[r];
        if (is_kept(k, root) || index[root]) continue;
        walk[depth++] = root;
        while (depth) {
            uint32_t v = walk[depth - 1];
            if (!index[v]) {
                index[v] = low[v] = ++number;
                stack[open++] = v;
                k->leads[v] = OPEN;
            }
            if (next[v] < c->succ[v].count) {
                uint32_t w = c->edges[c->succ[v].first + next[v]++];
                if (is_kept(k, w)) continue;
                if (!index[w])
                    walk[depth++] = w;
                else if (k->leads[w] == OPEN && index[w] < low[v])
                    low[v] = index[w];
                continue;
            }
            depth--;
            if (depth && low[v] < low[walk[depth - 1]]) low[walk[depth - 1]] = low[v];
            if (low[v] != index[v]) continue;
            uint32_t first = open;
            do first--;
            while (stack[first] != v);
            close_region(k, stack + first, open - first);
            open = first;
        }
    }
}

static struct Junction *junction_at(Contract *k, uint32_t target)
{
    return target >= k->kept_count ? &k->junctions[target - k->kept_count] : NULL;
}

// How many edges lead to each junction: an edge counts once for each node and outcome.
static void count_ways_in(Contract *k)
{
    U32s succs = {0};
    for (uint32_t n = 0; n < k->kept_count; n++) {
        uint32_t b = k->p->nodes[n].block;
        bool kept = k->p->nodes[n].flags & PROJECT_BRANCH;
        vec_clear(&succs);
        block_successors(k->u, k->f, b, &succs);
        k->now++;
        vec_each (i, &succs) {
            uint32_t target = lead(k, succs.at[i]);
            if (kept) k->now++;
            struct Junction *j = target == NOWHERE ? NULL : junction_at(k, target);
            if (j && is_new(k, target)) j->in++;
        }
    }
    for (uint32_t i = 0; i < k->junction_count; i++)
        for (uint32_t t = 0; t < k->junctions[i].count; t++) {
            struct Junction *j = junction_at(k, k->targets.at[k->junctions[i].first + t]);
            if (j) j->in++;
        }
    vec_free(&succs);
}

// An edge to a target; junctions that only this edge leads to are passed through.
static void put_edge(Contract *k, uint32_t target, uint32_t outcome, U32s *stack)
{
    vec_clear(stack);
    vec_push(stack, target);
    while (stack->len) {
        uint32_t t = vec_pop(stack);
        struct Junction *j = junction_at(k, t);
        if (j && j->in == 1) { // in reverse, so that the first target comes out first
            for (uint32_t i = j->count; i-- > 0;) vec_push(stack, k->targets.at[j->first + i]);
            continue;
        }
        if (is_new(k, t)) vec_push(&k->edges, ((ProjectEdge){t, outcome}));
    }
}

static void edges_of_node(Contract *k, uint32_t n, U32s *succs, U32s *stack)
{
    ProjectNode *node = &k->p->nodes[n];
    bool kept = node->flags & PROJECT_BRANCH;
    node->first_edge = k->edges.len;
    vec_clear(succs);
    block_successors(k->u, k->f, node->block, succs);
    k->now++;
    vec_each (i, succs) {
        uint32_t target = lead(k, succs->at[i]);
        if (kept) k->now++;
        if (target != NOWHERE) put_edge(k, target, kept ? i : PROJECT_ANY, stack);
    }
    node->edge_count = k->edges.len - node->first_edge;
}

// Rule 3: a branch without a memory node among its successors.
static void mark_closed(Contract *k)
{
    for (uint32_t n = 0; n < k->kept_count; n++) {
        ProjectNode *node = &k->p->nodes[n];
        if (!(node->flags & PROJECT_BRANCH)) continue;
        bool memory = false;
        for (uint32_t e = 0; e < node->edge_count; e++) {
            const ProjectNode *to = &k->p->nodes[k->p->edges[node->first_edge + e].to];
            const Block *block = func_block(k->u, k->f, to->block);
            memory |= to->ins_count && k->p->ins[to->first_ins] != block->first + block->count - 1;
        }
        if (!memory) node->flags |= PROJECT_CLOSED;
    }
}

Projection *project_build(Arena *a, const Unit *u, const Func *f, const Cfg *c, const Bits *keep)
{
    Projection *p = arena_new_of(a, Projection);
    Contract k = {.u = u, .f = f, .c = c, .keep = keep, .p = p, .a = arena_new("project")};
    choose_nodes(&k, a);
    k.leads = arena_array_of(k.a, uint32_t, c->block_count);
    k.junctions = arena_array_of(k.a, struct Junction, c->block_count);
    k.now = 1;
    find_regions(&k);
    count_ways_in(&k);
    U32s succs = {0}, stack = {0};
    VEC(ProjectNode) nodes = {0};
    for (uint32_t n = 0; n < k.kept_count; n++) edges_of_node(&k, n, &succs, &stack);
    vec_append(&nodes, p->nodes, k.kept_count);
    mem_free(p->nodes);
    for (uint32_t i = 0; i < k.junction_count; i++) {
        struct Junction *j = &k.junctions[i];
        if (j->in < 2) continue;
        ProjectNode node = {.block = j->block,
                            .first_ins = p->ins_count,
                            .flags = PROJECT_JUNCTION,
                            .first_edge = k.edges.len};
        k.now++;
        for (uint32_t t = 0; t < j->count; t++)
            put_edge(&k, k.targets.at[j->first + t], PROJECT_ANY, &stack);
        node.edge_count = k.edges.len - node.first_edge;
        j->number = nodes.len;
        vec_push(&nodes, node);
    }
    vec_each (i, &k.edges) {
        struct Junction *j = junction_at(&k, k.edges.at[i].to);
        if (j) k.edges.at[i].to = j->number;
    }
    p->node_count = nodes.len;
    p->edge_count = k.edges.len;
    vec_keep(&nodes, a);
    vec_keep(&k.edges, a);
    p->nodes = nodes.at;
    p->edges = k.edges.at;
    mark_closed(&k);
    p->leads = arena_array_of(a, uint32_t, c->block_count);
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i], target = lead(&k, b);
        if (target != NOWHERE && !junction_at(&k, target)) p->leads[b] = target + 1;
    }
    vec_free(&succs);
    vec_free(&stack);
    vec_free(&k.targets);
    vec_free(&k.stamp);
    arena_free(k.a);
    return p;
}
