// The entry of the module and its answers.
#include "points/points_int.h"

#include <stdlib.h>

Points *points_solve(const Program *prog, const SpecTable *specs)
{
    Points *p = mem_alloc(sizeof *p);
    p->program = prog;
    p->specs = specs;
    p->arena = arena_new("points");
    uint32_t funcs = prog->funcs.len;
    p->spec = arena_array_of(p->arena, const SpecFunc *, funcs);
    p->wrapper = bits_new(p->arena, funcs);
    p->slots = arena_array_of(p->arena, Node *, funcs);
    p->values = arena_array_of(p->arena, Node *, funcs);
    p->consts = arena_array_of(p->arena, Node *, prog->unit_count);
    p->ret = arena_array_of(p->arena, Node, funcs);
    p->rest = arena_array_of(p->arena, uint32_t, funcs);
    p->func_obj = arena_array_of(p->arena, uint32_t, funcs);
    p->global_obj = arena_array_of(p->arena, uint32_t, prog->globals.len);
    pts_find_orderly(p);
    vec_extend(&p->sites, 1);
    pts_obj_new(p, (Obj){0}); // none
    pts_obj_new(p, (Obj){.is = {.kind = POBJ_UNKNOWN, .collapsed = true}});
    pts_node_new(p);      // none
    pts_cell_at(p, 1, 0); // NODE_UNKNOWN
    pts_node_new(p);      // NODE_ESCAPED
    pts_gen_program(p);
    pts_solve(p);
    for (Node n = 1; n < p->nodes.len; n++) {
        sbits_clear(&p->succ.at[n]);
        sbits_clear(&p->nodes.at[n].delta);
        find(p, n);
    }
    p->counts.objects = p->objs.len - 2;
    return p;
}

void points_free(Points *p)
{
    if (!p) return;
    vec_each (i, &p->nodes) {
        sbits_clear(&p->nodes.at[i].pts);
        sbits_clear(&p->nodes.at[i].delta);
        sbits_clear(&p->succ.at[i]);
    }
    vec_each (i, &p->objs) {
        vec_free(&p->objs.at[i].cells);
        vec_free(&p->objs.at[i].watchers);
    }
    vec_free(&p->nodes);
    vec_free(&p->succ);
    vec_free(&p->scratch);
    vec_free(&p->cells);
    vec_free(&p->rep);
    vec_free(&p->objs);
    vec_free(&p->cons);
    vec_free(&p->links);
    vec_free(&p->sites);
    vec_free(&p->args);
    vec_free(&p->queued);
    vec_free(&p->place);
    vec_free(&p->at);
    vec_free(&p->pending);
    vec_free(&p->hybrid);
    map_free(&p->addrs);
    map_free(&p->forms);
    map_free(&p->heap);
    map_free(&p->met);
    map_free(&p->watching);
    vec_each (i, &p->ranges) {
        sbits_clear(&p->ranges.at[i].to);
        sbits_clear(&p->ranges.at[i].from);
    }
    vec_free(&p->ranges);
    map_free(&p->range_of);
    map_free(&p->ranged);
    map_free(&p->looked);
    arena_free(p->arena);
    mem_free(p);
}

// Reading changes nothing, so that threads may ask at once.
static Node leader(const Points *p, Node n)
{
    while (p->rep.at[n] != n) n = p->rep.at[n];
    return n;
}

const SBits *points_set(const Points *p, FuncId f, Ref r)
{
    Node n = NODE_NONE;
    if (!p->slots[f.id] || ref_is_none(r)) return NULL;
    if (ref_is_const(r)) {
        const Node *consts = p->consts[p->program->funcs.at[f.id].unit];
        if (consts) n = consts[ref_index(r)];
    } else {
        n = (ref_is_param(r) ? p->slots : p->values)[f.id][ref_index(r)];
    }
    return n ? &p->nodes.at[leader(p, n)].pts : NULL;
}

const SBits *points_content(const Points *p, uint32_t cell)
{
    return &p->nodes.at[leader(p, cell)].pts;
}
ObjId points_cell_object(const Points *p, uint32_t cell)
{
    return (ObjId){p->cells.at[cell].obj};
}
uint32_t points_cell_offset(const Points *p, uint32_t cell)
{
    return p->cells.at[cell].off;
}
uint32_t points_cell_limit(const Points *p)
{
    return p->nodes.len;
}
const PointsObj *points_object(const Points *p, ObjId o)
{
    return &p->objs.at[o.id].is;
}
uint32_t points_object_count(const Points *p)
{
    return p->objs.len - 1;
}
uint32_t points_object_cell(const Points *p, ObjId o, uint32_t i)
{
    return i < p->objs.at[o.id].cells.len ? p->objs.at[o.id].cells.at[i].cell : 0;
}
ObjId points_heap(const Points *p, FuncId caller, uint32_t ins, int16_t which)
{
    uint64_t *at = map_get(&p->heap, map_pair(caller.id, ins) * 64 + (uint16_t)(which + 2) % 64);
    return (ObjId){at ? (uint32_t)*at : 0};
}
bool points_is_wrapper(const Points *p, FuncId f)
{
    return bits_has(&p->wrapper, f.id);
}
const SpecFunc *points_spec(const Points *p, FuncId f)
{
    return p->spec[f.id];
}
PointsCounts points_counts(const Points *p)
{
    return p->counts;
}

static bool has_escaped(const Points *p, const SBits *s)
{
    uint32_t cell;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);)
        if (cell == POINTS_UNKNOWN || p->objs.at[p->cells.at[cell].obj].is.escaped) return true;
    return false;
}

bool points_may_alias(const Points *p, FuncId f, Ref a, FuncId g, Ref b)
{
    const SBits *x = points_set(p, f, a), *y = points_set(p, g, b);
    if (!x || !y) return false;
    if (sbits_meet(x, y)) return true;
    return (sbits_has(x, POINTS_UNKNOWN) && has_escaped(p, y)) ||
           (sbits_has(y, POINTS_UNKNOWN) && has_escaped(p, x));
}

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

bool points_callees(const Points *p, FuncId caller, uint32_t ins, U32s *into)
{
    const Unit *u;
    const Func *f = program_body(p->program, caller, &u);
    const Ins *i = func_ins(u, f, ins);
    Ref callee = {i->a};
    if (i->op == OP_ASM || ref_is_none(callee)) return false;
    uint32_t before = into->len;
    FuncId g = program_callee(p->program, p->program->funcs.at[caller.id].unit, u, callee);
    if (g.id) {
        if (p->program->funcs.at[g.id].flags & PROG_IFUNC)
            program_ifunc_targets(p->program, g, into);
        else
            vec_push(into, g.id);
        return into->len > before;
    }
    const SBits *s = points_set(p, caller, callee);
    bool complete = s && !sbits_is_empty(s);
    uint32_t cell;
    if (s)
        for (SIter k = sbits_iter(s); sbits_step(&k, &cell);) {
            const PointsObj *o = &p->objs.at[p->cells.at[cell].obj].is;
            if (cell == POINTS_UNKNOWN)
                complete = false;
            else if (o->kind == POBJ_FUNC)
                vec_push(into, o->func.id);
        }
    if (into->len > before)
        qsort(into->at + before, into->len - before, sizeof *into->at, ascending);
    else
        complete = false; // nothing is known rather than nothing is called
    return complete;
}

void points_virtuals(const Program *prog, FuncId func, U32s *into)
{
    const Unit *u;
    const Func *f = program_body(prog, func, &u);
    if (!f || !(f->flags & FUNC_CXX)) return;
    uint32_t unit = prog->funcs.at[func.id].unit;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *ins = func_ins(u, f, i);
        Ref value = {ins->b};
        if (ins->op != OP_STORE || !ref_is_const(value)) continue;
        const Const *c = &u->consts.at[ref_index(value)];
        if (c->kind == CONST_FUNC) {
            FuncId held = program_callee(prog, unit, u, value);
            if (held.id) vec_push(into, held.id);
        }
        if (c->kind != CONST_GLOBAL || !c->value) continue;
        const ProgGlobal *g = &prog->globals.at[program_global(prog, unit, (UGlobalId){c->target}).id];
        const Unit *home = prog->units[g->unit];
        const Global *table = &home->globals.at[g->global.id];
        for (uint32_t k = 0; k < table->init_count; k++) {
            Ref entry = {home->inits.at[table->first_init + k].value};
            FuncId virtual = program_callee(prog, g->unit, home, entry);
            if (virtual.id) vec_push(into, virtual.id);
        }
    }
}

const SccId *points_order(const Points *p, Arena *a)
{
    const Program *prog = p->program;
    uint32_t n = prog->sccs.len;
    Arena *scratch = arena_new("call order");
    uint32_t *first = arena_array_of(scratch, uint32_t, (size_t)n + 1);
    uint32_t *place = arena_array_of(scratch, uint32_t, n);
    U32s edges = {0}, targets = {0};
    for (uint32_t c = 1; c < n; c++) {
        first[c] = edges.len;
        for (uint32_t i = 0; i < prog->sccs.at[c].count; i++) {
            FuncId f = prog->order.at[prog->sccs.at[c].first + i];
            ProgRange calls = prog->funcs.at[f.id].calls;
            for (uint32_t k = 0; k < calls.count; k++) {
                CallSite site = prog->calls.at[calls.first + k];
                vec_clear(&targets);
                if (site.callee.id)
                    vec_push(&targets, site.callee.id);
                else if (!points_callees(p, f, site.ins, &targets) && targets.len > FEW_OF_MANY)
                    continue;
                vec_each (t, &targets) vec_push(&edges, prog->funcs.at[targets.at[t]].scc.id);
            }
        }
    }
    first[n] = edges.len;
    Components comps = components_of(scratch, n, first, edges.at);
    for (uint32_t i = 0; i < n; i++) place[comps.order[i]] = i;
    // Then virtual functions come before whoever makes an object, too, and what a callable holds before it. Where that makes a cycle the order
    // stays as it is: nodes are their places in it.
    U32s all = {0};
    uint32_t *start = arena_array_of(scratch, uint32_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = comps.order[i];
        start[i] = all.len;
        for (uint32_t k = first[c]; c && k < first[c + 1]; k++) vec_push(&all, place[edges.at[k]]);
        vec_clear(&targets);
        for (uint32_t k = 0; c && k < prog->sccs.at[c].count; k++)
            points_virtuals(prog, prog->order.at[prog->sccs.at[c].first + k], &targets);
        vec_each (t, &targets) vec_push(&all, place[prog->funcs.at[targets.at[t]].scc.id]);
    }
    start[n] = all.len;
    Components again = components_of(scratch, n, start, all.at);
    SccId *order = arena_array_of(a, SccId, n);
    uint32_t at = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = comps.order[again.order[i]];
        if (c) order[at++] = (SccId){c};
    }
    vec_free(&all);
    vec_free(&edges);
    vec_free(&targets);
    arena_free(scratch);
    return order;
}
