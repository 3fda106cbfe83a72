// Slices and verdicts (Saber, "Phase 4"): forward from an allocation along the value-flow graph,
// calls and returns matched by their sites; back from the releases; the guards of the flows
// between.
//
// What a callee does with a parameter is asked once and remembered: most parameters lead neither
// to a release, nor out, nor back, and such calls are not entered (dull). Where a value leaves the
// function of its allocation, every caller has to release it: each is a source of its own.
#include "base/hash.h"
#include "flow/flow_int.h"

#include <string.h>

enum { WHICH_MEMORY = 1000 }; // a source in a caller: what a call has left in memory

// ---- what a callee does with a value ----

typedef struct {
    FlowFunc *g;
    uint32_t node;
} SlicePlace;

// Does anything that matters lie ahead of this node of a callee? Without contexts, so it errs
// towards yes.
static bool leads_somewhere(Flow *f, FlowFunc *g, uint32_t node)
{
    uint64_t key = map_pair(g->id.id, node);
    uint64_t *known = map_get(&f->dull, key);
    if (known) return *known == 2;
    Map seen = {0};
    VEC(SlicePlace) open = {0};
    vec_push(&open, ((SlicePlace){g, node}));
    bool hit = false;
    while (open.len && !hit) {
        SlicePlace at = vec_pop(&open);
        bool fresh;
        map_at(&seen, map_pair(at.g->id.id, at.node), 1, &fresh);
        if (!fresh) continue;
        if (seen.len > MAX_REACHED) hit = true;
        for (uint32_t u = at.g->first_use[at.node]; u && !hit; u = at.g->uses.at[u - 1].next) {
            const Use *use = &at.g->uses.at[u - 1];
            if (use->kind == USE_FLOW) {
                vec_push(&open, ((SlicePlace){at.g, use->node}));
            } else if (use->kind == USE_ARG) {
                FlowFunc *h = flow_func(f, (FuncId){use->other});
                uint64_t *below = map_get(&f->dull, map_pair(h->id.id, use->index));
                if (below && *below == 2) hit = true;
                if (!below) vec_push(&open, ((SlicePlace){h, use->index}));
            } else {
                hit = true;
            }
        }
    }
    map_set(&f->dull, key, hit ? 2 : 1);
    map_free(&seen);
    vec_free(&open);
    return hit;
}

// ---- forward ----

static uint32_t reach(Slice *s, uint32_t context, uint32_t node)
{
    Context *c = &s->contexts.at[context];
    bool fresh;
    uint32_t r = s->reached.len;
    if (c->g->node_count > MOST_IN_ARRAY) {
        r = (uint32_t)*map_at(&s->reach_of, map_pair(context, node), r, &fresh);
    } else {
        if (!c->reach_of) c->reach_of = arena_array_of(s->arena, uint32_t, c->g->node_count);
        fresh = !c->reach_of[node];
        if (fresh) c->reach_of[node] = r + 1;
        r = c->reach_of[node] - 1;
    }
    if (fresh) {
        vec_push(&s->reached, ((ReachedNode){.context = context, .node = node}));
        vec_push(&s->open, r);
    }
    return r;
}

bool slice_has_value(const Slice *s, uint32_t context, uint32_t node)
{
    const Context *c = &s->contexts.at[context];
    if (c->g->node_count > MOST_IN_ARRAY)
        return map_get(&s->reach_of, map_pair(context, node)) != NULL;
    return c->reach_of && c->reach_of[node];
}

static uint32_t enter(Slice *s, uint32_t from, uint32_t site, FuncId callee)
{
    uint64_t key = hash_mix(map_pair(from, site), callee.id), *known = map_get(&s->context_of, key);
    if (known) return (uint32_t)*known;
    uint32_t depth = s->contexts.at[from].depth + 1;
    if (depth > MAX_DEPTH || s->contexts.len >= MAX_CONTEXTS) {
        s->result.gave_up = true;
        return UINT32_MAX;
    }
    map_set(&s->context_of, key, s->contexts.len);
    vec_push(&s->contexts, ((Context){from + 1, flow_func(s->f, callee), site, depth, NULL}));
    return s->contexts.len - 1;
}

// Of those at the instruction; they come by instruction.
static uint32_t first_chi(const FlowFunc *g, uint32_t ins)
{
    uint32_t low = 0, high = g->chis.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->chis.at[middle].ins < ins)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void edge(Slice *s, uint32_t from, const Use *use, uint32_t context, uint32_t node)
{
    uint32_t to = reach(s, context, node);
    vec_push(&s->edges, ((SliceEdge){from, use, to + 1}));
}

// Regions of a callee that have cells of the set, as a list in Flow.meeting: its length, then they.
// Asked of each pair once: in a large program functions have hundreds of regions, and slices come
// by with the same sets again and again.
static uint32_t regions_that_meet(Flow *f, const FlowFunc *callee, const CellSet *cells)
{
    bool fresh;
    uint64_t *at =
        map_at(&f->meeting_of, map_pair(callee->id.id, cells->number), f->meeting.len, &fresh);
    if (!fresh) return (uint32_t)*at;
    uint32_t first = f->meeting.len;
    vec_push(&f->meeting, 0);
    vec_each (k, &callee->regions)
        if (!callee->regions.at[k].local && set_meet(f, callee->regions.at[k].cells, cells))
            vec_push(&f->meeting, k);
    f->meeting.at[first] = f->meeting.len - first - 1;
    return first;
}

static void step(Slice *s, uint32_t r, const Use *use)
{
    uint32_t context = s->reached.at[r].context;
    Context here = s->contexts.at[context];
    switch (use->kind) {
    case USE_FLOW:
        edge(s, r, use, context, use->node);
        break;
    case USE_ARG: {
        FlowFunc *callee = flow_func(s->f, (FuncId){use->other});
        if (!leads_somewhere(s->f, callee, use->index)) break;
        uint32_t c = enter(s, context, use->ins, callee->id);
        if (c != UINT32_MAX) edge(s, r, use, c, use->index);
        break;
    }
    case USE_MEMORY: {
        FlowFunc *callee = flow_func(s->f, (FuncId){use->other});
        uint32_t at = regions_that_meet(s->f, callee, here.g->regions.at[use->index].cells);
        uint32_t count = s->f->meeting.at[at];
        uint32_t c = count ? enter(s, context, use->ins, callee->id) : UINT32_MAX;
        for (uint32_t k = 1; c != UINT32_MAX && k <= count; k++) // the entry versions
            edge(s, r, use, c, node_of_version(callee, s->f->meeting.at[at + k]));
        break;
    }
    case USE_RETURN:
        if (here.parent)
            edge(s, r, use, here.parent - 1,
                 node_of_ins(s->contexts.at[here.parent - 1].g, here.site));
        else
            vec_push(&s->edges, ((SliceEdge){r, use, 0}));
        break;
    case USE_OUT: {
        if (!here.parent) {
            vec_push(&s->edges, ((SliceEdge){r, use, 0}));
            break;
        }
        FlowFunc *caller = s->contexts.at[here.parent - 1].g;
        const CellSet *cells = here.g->regions.at[use->index].cells;
        for (uint32_t k = first_chi(caller, here.site);
             k < caller->chis.len && caller->chis.at[k].ins == here.site; k++)
            if (set_meet(s->f, caller->regions.at[caller->chis.at[k].region].cells, cells))
                edge(s, r, use, here.parent - 1,
                     node_of_version(caller, caller->chis.at[k].version));
        break;
    }
    case USE_SINK:
    case USE_ESCAPE:
        vec_push(&s->edges, ((SliceEdge){r, use, 0}));
        break;
    }
}

static void start_nodes(Slice *s, FlowFunc *g)
{
    FlowSource source = s->source;
    if (source.which == SPEC_RETURN) {
        reach(s, 0, node_of_ins(g, source.ins));
        return;
    }
    const Ins *i = func_ins(g->u, g->f, source.ins);
    const SBits *set = NULL;
    if (source.which != WHICH_MEMORY && (uint32_t)source.which < i->c)
        set = points_set(s->f->points, g->id,
                         (Ref){*func_extra(g->u, g->f, i->b + (uint32_t)source.which)});
    for (uint32_t k = first_chi(g, source.ins); k < g->chis.len; k++) {
        const Access *c = &g->chis.at[k];
        if (c->ins != source.ins) break;
        if (source.which == WHICH_MEMORY ||
            set_meet(s->f, g->regions.at[c->region].cells, set_tracked(s->f, set, false)))
            reach(s, 0, node_of_version(g, c->version));
    }
    // Handed out into memory that is not followed.
    if (!s->reached.len) {
        s->escapes = true;
        s->result.escapes |= FLOW_TO_UNSEEN;
    }
}

// ---- guards ----

// The block of the source's function in which a context was entered.
static uint32_t root_block(const Slice *s, uint32_t context, uint32_t block)
{
    while (s->contexts.at[context].parent) {
        uint32_t up = s->contexts.at[context].parent - 1;
        block = s->contexts.at[up].g->block_of[s->contexts.at[context].site];
        context = up;
    }
    return block;
}

// Ways on which a callee that the value was handed to ends the program (a failed assertion) count
// as released, like those of the function itself.
static void find_stops(Slice *s)
{
    Bdds *bs = &s->bdds;
    Bdd *way = arena_array_of(s->arena, Bdd, s->contexts.len); // on which a context is entered
    const FlowFunc *root = s->contexts.at[0].g;
    way[0] = BDD_TRUE;
    for (uint32_t k = 1; k < s->contexts.len && !bs->full; k++) { // parents come first
        const Context *c = &s->contexts.at[k];
        uint32_t up = c->parent - 1;
        const FlowFunc *caller = s->contexts.at[up].g;
        uint32_t from = up ? caller->cfg->order[0] : root->block_of[s->source.ins];
        way[k] = bdd_and(bs, way[up], guard_between(s, up, from, caller->block_of[c->site]));
        for (uint32_t b = 0; b < c->g->cfg->block_count; b++) {
            const Block *block = func_block(c->g->u, c->g->f, b);
            uint32_t last = block->first + block->count - 1;
            if (func_ins(c->g->u, c->g->f, last)->op != OP_UNREACHABLE) continue;
            if (flow_block_jumps(c->g, b)) continue; // the program goes on, the block is lost
            Bdd x = bdd_and(bs, way[k], guard_between(s, k, c->g->cfg->order[0], b));
            s->sinks = bdd_or(bs, s->sinks, x);
            s->sure_sinks = bdd_or(bs, s->sure_sinks, x);
        }
    }
}

static void solve_guards(Slice *s)
{
    FlowFunc *root = s->contexts.at[0].g;
    uint32_t source_block = root->block_of[s->source.ins];
    uint32_t loop = root->cfg->loop_of[source_block];
    Bdd *sure = arena_array_of(s->arena, Bdd, s->reached.len);
    vec_each (i, &s->reached) {
        bool start = s->reached.at[i].context == 0 && i < s->open.len;
        s->reached.at[i].guard = sure[i] = start ? BDD_TRUE : BDD_FALSE;
        if (start && s->source.which != SPEC_RETURN) sure[i] = BDD_FALSE;
    }
    for (bool more = true; more && !s->bdds.full;) {
        more = false;
        vec_each (i, &s->edges) {
            const SliceEdge *e = &s->edges.at[i];
            const ReachedNode *r = &s->reached.at[e->reach];
            bdd_spend(&s->bdds, 1);
            if (r->guard == BDD_FALSE || s->bdds.full) continue;
            const FlowFunc *g = s->contexts.at[r->context].g;
            const Use *use = e->use;
            Bdd way = guard_between(s, r->context, flow_block_of(g, r->node), use->block);
            if (use->into)
                way = bdd_and(&s->bdds, way, guard_edge(s, r->context, use->block, use->into - 1));
            Bdd x = bdd_and(&s->bdds, r->guard, way);
            Bdd y = use->weak ? BDD_FALSE : bdd_and(&s->bdds, sure[e->reach], way);
            if (e->to) {
                ReachedNode *t = &s->reached.at[e->to - 1];
                Bdd all = bdd_or(&s->bdds, t->guard, x),
                    safe = bdd_or(&s->bdds, sure[e->to - 1], y);
                more |= all != t->guard || safe != sure[e->to - 1];
                t->guard = all;
                sure[e->to - 1] = safe;
            } else if (use->kind == USE_SINK) {
                s->any_sink = true;
                // One iteration has to release what it allocates.
                if (loop && !cfg_loop_has(root->cfg, loop, root_block(s, r->context, use->block)))
                    continue;
                s->sinks = bdd_or(&s->bdds, s->sinks, x);
                s->sure_sinks = bdd_or(&s->bdds, s->sure_sinks, y);
            } else if (use->kind == USE_ESCAPE) {
                s->escapes = true;
            } else {
                s->left = true;
                s->exits = bdd_or(&s->bdds, s->exits, x);
            }
        }
    }
    if (s->bdds.full) return; // it is given up
    // Ways to the end: of the function, or of the iteration.
    const Cfg *c = root->cfg;
    for (uint32_t b = 0; b < c->block_count; b++) {
        Bdd here = guard_between(s, 0, source_block, b);
        if (here == BDD_FALSE) continue;
        const Block *block = func_block(root->u, root->f, b);
        Op last = (Op)func_ins(root->u, root->f, block->first + block->count - 1)->op;
        if (!loop) {
            if (last == OP_RET || last == OP_RESUME || flow_block_jumps(root, b))
                s->ends = bdd_or(&s->bdds, s->ends, here);
            continue;
        }
        if (!cfg_loop_has(c, loop, b)) continue;
        for (uint32_t i = 0; i < c->succ[b].count; i++) {
            uint32_t to = c->edges[c->succ[b].first + i];
            if (cfg_loop_has(c, loop, to) && to != c->loops[loop - 1].header) continue;
            s->ends = bdd_or(&s->bdds, s->ends, bdd_and(&s->bdds, here, guard_edge(s, 0, b, to)));
        }
    }
    Bdd open = bdd_not(&s->bdds, bdd_or(&s->bdds, s->sure_sinks, s->exits));
    if (s->any_sink && bdd_and(&s->bdds, s->ends, open) != BDD_FALSE) find_stops(s);
}

// Does a value live on into the next iteration of a loop around its source?
static void find_crossing(Slice *s)
{
    const FlowFunc *g = s->contexts.at[0].g;
    uint32_t source_block = g->block_of[s->source.ins];
    vec_each (i, &s->edges) {
        const Use *use = s->edges.at[i].use;
        if (s->reached.at[s->edges.at[i].reach].context != 0 || !use->into) continue;
        if (!cfg_is_back_edge(g->cfg, use->block, use->into - 1)) continue;
        if (cfg_loop_has(g->cfg, g->cfg->loop_of[use->into - 1], source_block)) s->crosses = true;
    }
}

// ---- backward ----

// Edges by where they lead: the last one, and from each the one before; + 1.
typedef struct {
    uint32_t *into, *before;
} Backward;

static Backward edges_backward(Slice *s)
{
    Backward back = {arena_array_of(s->arena, uint32_t, s->reached.len),
                     arena_array_of(s->arena, uint32_t, s->edges.len)};
    vec_each (i, &s->edges) {
        const SliceEdge *e = &s->edges.at[i];
        if (!e->to) continue;
        back.before[i] = back.into[e->to - 1];
        back.into[e->to - 1] = i + 1;
    }
    return back;
}

static void mark_useful(Slice *s, const Backward *back)
{
    U32s open = {0};
    vec_each (i, &s->edges) {
        const SliceEdge *e = &s->edges.at[i];
        if (e->to || e->use->kind != USE_SINK || s->reached.at[e->reach].useful) continue;
        s->reached.at[e->reach].useful = true;
        vec_push(&open, e->reach);
    }
    while (open.len) {
        s->result.kept++;
        for (uint32_t i = back->into[vec_pop(&open)]; i; i = back->before[i - 1]) {
            ReachedNode *r = &s->reached.at[s->edges.at[i - 1].reach];
            if (r->useful) continue;
            r->useful = true;
            vec_push(&open, s->edges.at[i - 1].reach);
        }
    }
    vec_free(&open);
}

// ---- rounds of loops ----

// The edge by which a merge gets its value from this block, or null.
static const SliceEdge *edge_from(const Slice *s, const Backward *back, uint32_t reach, uint32_t block)
{
    for (uint32_t i = back->into[reach]; i; i = back->before[i - 1]) {
        const SliceEdge *e = &s->edges.at[i - 1];
        if (e->use->into && e->use->block == block && !e->use->weak) return e;
    }
    return NULL;
}

static bool is_merge(const Slice *s, const Backward *back, uint32_t reach)
{
    return back->into[reach] && s->edges.at[back->into[reach] - 1].use->into;
}

// Is what merges at the head of the loop still the same value after every round? Conditions stand
// for one round each, so what a round loses only sometimes they do not tell. Where it cannot be seen
// (by a callee, in memory that may be several objects) the answer is no: the evaluation decides.
static bool survives_rounds(Slice *s, const Backward *back, uint32_t head)
{
    const ReachedNode h = s->reached.at[head];
    const FlowFunc *g = s->contexts.at[h.context].g;
    uint32_t header = flow_block_of(g, h.node), loop = g->cfg->loop_of[header];
    Map seen = {0};
    U32s open = {0};
    bool same = true, fresh;
    map_at(&seen, head, 1, &fresh);
    vec_push(&open, head);
    while (same && open.len) {
        uint32_t at = vec_pop(&open);
        const ReachedNode r = s->reached.at[at];
        uint32_t block = flow_block_of(g, r.node);
        if (r.context != h.context || !cfg_loop_has(g->cfg, loop, block)) {
            same = false;
            break;
        }
        EdgeRange preds = g->cfg->pred[block];
        bool merge = is_merge(s, back, at);
        for (uint32_t k = 0; merge && same && k < preds.count; k++) {
            uint32_t from = g->cfg->edges[preds.first + k];
            if (!cfg_loop_has(g->cfg, loop, from)) continue; // the first round's
            const SliceEdge *e = edge_from(s, back, at, from);
            same = e != NULL;
            if (e && (map_at(&seen, e->reach, 1, &fresh), fresh)) vec_push(&open, e->reach);
        }
        if (!merge && !back->into[at]) same = false;
        for (uint32_t i = merge ? 0 : back->into[at]; i && same; i = back->before[i - 1]) {
            const SliceEdge *e = &s->edges.at[i - 1];
            same = !e->use->weak;
            if (same && (map_at(&seen, e->reach, 1, &fresh), fresh)) vec_push(&open, e->reach);
        }
    }
    map_free(&seen);
    vec_free(&open);
    return same;
}

static bool all_survive_rounds(Slice *s, const Backward *back)
{
    vec_each (i, &s->reached) {
        if (!s->reached.at[i].useful || !is_merge(s, back, i)) continue;
        const FlowFunc *g = s->contexts.at[s->reached.at[i].context].g;
        uint32_t block = flow_block_of(g, s->reached.at[i].node), loop = g->cfg->loop_of[block];
        if (!loop || g->cfg->loops[loop - 1].header != block) continue;
        if (!survives_rounds(s, back, i)) return false;
    }
    return true;
}

// ---- verdicts ----

// Where the value has left its function: what all callers do with it.
static void ask_callers(Flow *f, const Leaving *l, uint32_t depth, FlowResult *result, U32s *ups)
{
    FuncId id = l->func;
    ProgRange range = f->callers_of[id.id];
    const ProgFunc *pf = &f->program->funcs.at[id.id];
    bool all_freed = l->covered, any_sink = l->any_sink, escapes = l->escapes, sure = true;
    // Code that we do not see may call it, too: also through a pointer that it got.
    if (range.count == 0 || (pf->flags & PROG_ADDRESS_TAKEN)) {
        escapes = true;
        result->escapes |= FLOW_TO_CALLERS;
    }
    if (escapes) range.count = 0; // nothing that callers do would change that
    if (depth >= MAX_UP || range.count > MAX_CALLERS) {
        result->gave_up = true;
        all_freed = false;
        range.count = 0;
    }
    for (uint32_t i = 0; i < range.count; i++) {
        Caller c = f->callers.at[range.first + i];
        for (int memory = 0; memory < 2; memory++) {
            if (memory ? !l->in_memory : !l->returned) continue;
            FlowSource up = {c.caller, c.ins, memory ? WHICH_MEMORY : SPEC_RETURN};
            uint32_t known = flow_of_source(f, up, depth + 1);
            const FlowResult *r = &f->known.at[known].result;
            vec_push(ups, known);
            all_freed &= r->verdict == FLOW_FREED;
            sure &= r->sure;
            any_sink |= r->verdict == FLOW_FREED || r->verdict == FLOW_PARTLY;
            escapes |= r->verdict == FLOW_ESCAPES;
            result->escapes |= r->escapes;
            result->gave_up |= r->gave_up;
        }
    }
    if (all_freed && !escapes && range.count) {
        result->verdict = FLOW_FREED;
        result->sure &= sure;
    } else {
        result->verdict = escapes ? FLOW_ESCAPES : any_sink ? FLOW_PARTLY : FLOW_NEVER;
    }
    if (result->gave_up && result->verdict == FLOW_NEVER) result->verdict = FLOW_PARTLY;
}

static bool is_orderly(const Slice *s)
{
    vec_each (c, &s->contexts)
        if (!s->contexts.at[c].g->orderly) return false;
    return true;
}

// The slice itself: what does not depend on who asks.
static void slice_alone(Slice *s, Flow *f, FlowSource source, bool explain)
{
    *s = (Slice){.f = f, .source = source, .arena = arena_new("slice")};
    bdd_init(&s->bdds);
    FlowFunc *g = flow_func(f, source.func);
    vec_push(&s->contexts, ((Context){.g = g}));
    start_nodes(s, g);
    uint32_t starts = s->reached.len;
    // A function has so much for all its sources. Beyond it they are left to the evaluation, which
    // has a budget of its own.
    uint64_t *spent = &g->slice_steps[explain];
    uint64_t still = *spent < SLICE_STEPS ? SLICE_STEPS - *spent : 0;
    for (uint32_t at = 0; at < s->open.len; at++) {
        uint32_t r = s->open.at[at];
        if (s->reached.len > MAX_REACHED || s->reached.len > still) {
            s->result.gave_up = true;
            break;
        }
        FlowFunc *here = s->contexts.at[s->reached.at[r].context].g;
        for (uint32_t u = here->first_use[s->reached.at[r].node]; u; u = here->uses.at[u - 1].next)
            step(s, r, &here->uses.at[u - 1]);
    }
    s->open.len = starts; // those that guards begin at
    f->counts.slices++;
    f->counts.nodes += s->reached.len;
    f->counts.edges += s->edges.len;
    Map funcs = {0};
    vec_each (i, &s->contexts) {
        bool fresh;
        map_at(&funcs, s->contexts.at[i].g->id.id, 1, &fresh);
        if (fresh) vec_push(&s->funcs, s->contexts.at[i].g->id.id);
    }
    map_free(&funcs);
    Backward back = edges_backward(s);
    mark_useful(s, &back);
    find_crossing(s);
    bool any_sink = false, left = false;
    vec_each (i, &s->edges) {
        if (s->edges.at[i].to) continue;
        UseKind k = s->edges.at[i].use->kind;
        any_sink |= k == USE_SINK;
        left |= k == USE_RETURN || k == USE_OUT;
        if (k == USE_ESCAPE) {
            s->escapes = true;
            s->result.escapes |= s->edges.at[i].use->index;
        }
    }
    s->any_sink = any_sink;
    // Guards only where something is left to decide: a value that goes nowhere is fine when the
    // program ends on every way from its allocation.
    bool guarded = (any_sink || left || explain || !s->escapes) && !s->result.gave_up;
    if (still < s->bdds.allowed) s->bdds.allowed = still;
    if (guarded) solve_guards(s);
    *spent += s->reached.len + s->edges.len + s->bdds.steps;
    s->result.gave_up |= s->bdds.full;
    Bdds *b = &s->bdds;
    Bdd covering = bdd_or(b, s->sinks, s->exits), sure = bdd_or(b, s->sure_sinks, s->exits);
    bool covered = guarded && bdd_and(b, s->ends, bdd_not(b, covering)) == BDD_FALSE &&
                   !s->crosses && !s->result.gave_up;
    s->result.sure = bdd_and(b, s->ends, bdd_not(b, sure)) == BDD_FALSE;
    if (!is_orderly(s)) s->result.sure = false;
    if (covered && s->result.sure && !all_survive_rounds(s, &back)) s->result.sure = false;
    if (left && !(covered && !s->left)) {
        s->leaving = (Leaving){source.func, true, false, false, covered, s->any_sink, s->escapes};
        vec_each (i, &s->edges) {
            if (s->edges.at[i].to) continue;
            s->leaving.returned |= s->edges.at[i].use->kind == USE_RETURN;
            s->leaving.in_memory |= s->edges.at[i].use->kind == USE_OUT;
        }
    } else if (covered) {
        s->result.verdict = FLOW_FREED;
    } else {
        s->result.verdict = s->escapes ? FLOW_ESCAPES : any_sink ? FLOW_PARTLY : FLOW_NEVER;
    }
    if (s->result.gave_up && s->result.verdict == FLOW_NEVER) s->result.verdict = FLOW_PARTLY;
}

void slice_run(Slice *s, Flow *f, FlowSource source)
{
    slice_alone(s, f, source, true);
    if (s->leaving.asks) ask_callers(f, &s->leaving, 0, &s->result, &s->ups);
}

void slice_free(Slice *s)
{
    bdd_free(&s->bdds);
    vec_free(&s->contexts);
    map_free(&s->context_of);
    map_free(&s->reach_of);
    map_free(&s->guards_of);
    map_free(&s->edges_of);
    map_free(&s->var_of);
    vec_free(&s->reached);
    vec_free(&s->edges);
    vec_free(&s->vars);
    vec_free(&s->open);
    vec_free(&s->funcs);
    vec_free(&s->ups);
    arena_free(s->arena);
}

static uint64_t key_of(FlowSource source, uint32_t depth)
{
    uint32_t words[4] = {source.func.id, source.ins, (uint32_t)source.which, depth};
    return hash_bytes(words, sizeof words, 1);
}

// The forward slice of a source is made once. Only where callers are asked does the answer depend
// on how far down the question comes from: then there is one for each depth.
uint32_t flow_of_source(Flow *f, FlowSource source, uint32_t depth)
{
    uint64_t *at = map_get(&f->known_of, key_of(source, depth));
    if (at) return (uint32_t)*at;
    uint64_t alone_key = key_of(source, UINT32_MAX);
    at = map_get(&f->known_of, alone_key);
    if (!at) {
        Slice s;
        slice_alone(&s, f, source, false);
        KnownSlice k = {.result = s.result, .nodes = s.reached.len, .funcs = s.funcs};
        k.leaving = s.leaving;
        s.funcs = (U32s){0};
        slice_free(&s);
        vec_push(&f->known, k);
        map_set(&f->known_of, alone_key, f->known.len - 1);
    }
    uint32_t alone = (uint32_t)*map_get(&f->known_of, alone_key), made = alone;
    if (f->known.at[alone].leaving.asks) {
        KnownSlice k = f->known.at[alone];
        k.funcs = k.ups = (U32s){0};
        vec_append(&k.funcs, f->known.at[alone].funcs.at, f->known.at[alone].funcs.len);
        ask_callers(f, &k.leaving, depth, &k.result, &k.ups);
        vec_push(&f->known, k);
        made = f->known.len - 1;
    }
    map_set(&f->known_of, key_of(source, depth), made);
    return made;
}

static void count_up(Flow *f, Map *seen, const U32s *funcs, uint32_t nodes, const U32s *ups,
                     FlowResult *into)
{
    into->nodes += nodes;
    vec_each (i, funcs) map_set(seen, funcs->at[i], 1);
    vec_each (i, ups) {
        KnownSlice *k = &f->known.at[ups->at[i]];
        if (k->query == f->query) continue;
        k->query = f->query;
        count_up(f, seen, &k->funcs, k->nodes, &k->ups, into);
    }
}

void flow_count(Flow *f, const U32s *funcs, uint32_t nodes, const U32s *ups, FlowResult *into)
{
    Map seen = {0};
    f->query++;
    into->nodes = 0;
    count_up(f, &seen, funcs, nodes, ups, into);
    into->functions = seen.len;
    map_free(&seen);
}
