// How much of the functions that are evaluated has to be looked at: what the projection keeps by
// itself, what it keeps without the nodes that the value flow calls idle, and what a fixpoint over
// all functions would keep. The last is a bound that no evaluation could live with: it takes
// a use of a pointer to matter only where the block may have been released somewhere, forgets
// what is learnt from a use (not null), and tells fields apart where that is not safe. It goes
// through memory: a store matters when a load that matters may read it, a branch when it governs
// something that does, a call when the callee has such a node.
// Built and run by bench/flow --nodes; not part of stanch. Prints one JSON object.
#include "flow/flow.h"
#include "project/project.h"

#include "program.h"

#include <stdio.h>

typedef struct {
    const Unit *u;
    const Func *f;
    Cfg *cfg;
    Bits plain, keep, seen;
    bool acts;
} Fn;

typedef struct {
    const Program *p;
    const Points *points;
    FlowHints hints;
    Fn *fns;
    Bits freed; // by ObjId: may be released somewhere
    Bits read;  // by cell
    bool unseen;
    FuncId id;
    Fn *fn;
} Bound;

static const SBits *set_of(const Bound *b, uint32_t ref)
{
    return points_set(b->points, b->id, (Ref){ref});
}

static uint32_t argument(const Bound *b, const Ins *i, uint32_t n)
{
    return *func_extra(b->fn->u, b->fn->f, i->b + n);
}

static bool is_heap(const Bound *b, const SBits *s)
{
    uint32_t cell;
    if (!s) return false;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);)
        if (cell == POINTS_UNKNOWN ||
            points_object(b->points, points_cell_object(b->points, cell))->kind == POBJ_HEAP)
            return true;
    return false;
}

// Calls `ask` for the cells of the set, or for all of their objects.
static bool any_cell(const Bound *b, const SBits *s, bool objects,
                     bool (*ask)(const Bound *, uint32_t))
{
    uint32_t cell, of;
    if (!s) return false;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN || ask(b, cell)) return true;
        ObjId o = points_cell_object(b->points, cell);
        for (uint32_t k = 0; objects && (of = points_object_cell(b->points, o, k)); k++)
            if (ask(b, of)) return true;
    }
    return false;
}

static bool holds_heap(const Bound *b, uint32_t cell)
{
    return is_heap(b, points_content(b->points, cell));
}

static bool is_read(const Bound *b, uint32_t cell)
{
    return bits_has(&b->read, cell) ||
           (b->unseen && points_object(b->points, points_cell_object(b->points, cell))->escaped);
}

static bool is_freed(const Bound *b, uint32_t cell)
{
    ObjKind kind = points_object(b->points, points_cell_object(b->points, cell))->kind;
    return kind == POBJ_HEAP && bits_has(&b->freed, points_cell_object(b->points, cell).id);
}

static bool touches(const Bound *b, uint32_t ref)
{
    return !project_is_plain(&b->fn->plain, (Ref){ref}) &&
           any_cell(b, set_of(b, ref), false, is_freed);
}

static bool writes(const Bound *b, uint32_t ref, bool objects)
{
    const SBits *s = set_of(b, ref);
    return any_cell(b, s, objects, holds_heap) || any_cell(b, s, objects, is_read);
}

static bool is_given(const SpecValue *v)
{
    return v->gives == SPEC_OWN || v->gives == SPEC_POLY;
}

static bool spec_acts(const Bound *b, const Ins *i, const SpecFunc *s)
{
    if (s->noreturn || s->twice || s->realloc || is_given(&s->result)) return true;
    for (uint32_t n = 0; n < s->case_count; n++)
        if (is_given(&s->cases[n])) return true;
    for (uint32_t n = 0; n < i->c; n++) {
        const SpecParam *p = n < s->param_count ? &s->params[n] : &s->rest;
        uint32_t arg = argument(b, i, n);
        if (p->called || p->effect == SPEC_EMPTIES || p->mode == SPEC_TAKE || is_given(&p->value) ||
            (p->mode != SPEC_REF && is_heap(b, set_of(b, arg))) || touches(b, arg))
            return true;
        bool out = p->effect != SPEC_READS || p->place != SPEC_ITSELF || s->copy_count;
        if (out && writes(b, arg, true)) return true;
    }
    return false;
}

static bool call_acts(const Bound *b, uint32_t ins, const Ins *i)
{
    U32s targets = {0};
    bool acts = !points_callees(b->points, b->id, ins, &targets) ||
                (i->flags & (INS_NORETURN | INS_RETURNS_TWICE));
    for (uint32_t k = 0; k < targets.len && !acts; k++) {
        FuncId g = {targets.at[k]};
        const SpecFunc *s = points_spec(b->points, g);
        if (s)
            acts = spec_acts(b, i, s);
        else
            acts = !program_has_code(b->p, g) || b->fns[g.id].acts ||
                   (b->hints.does[g.id] & FLOW_LEAVES);
    }
    vec_free(&targets);
    return acts;
}

static bool acts(const Bound *b, uint32_t ins)
{
    const Ins *i = func_ins(b->fn->u, b->fn->f, ins);
    switch ((Op)i->op) {
    case OP_LOAD:
        return touches(b, i->a);
    case OP_STORE:
        return touches(b, i->a) || is_heap(b, set_of(b, i->b)) || writes(b, i->a, false);
    case OP_COPY:
        return touches(b, i->a) || touches(b, i->b) || writes(b, i->a, true) ||
               any_cell(b, set_of(b, i->b), true, holds_heap);
    case OP_FILL:
        return touches(b, i->a) || writes(b, i->a, true);
    case OP_LIFE_START:
    case OP_LIFE_END:
        return any_cell(b, set_of(b, i->a), true, holds_heap);
    case OP_OPAQUE:
        for (uint32_t n = 0; n < i->c; n++)
            if (is_heap(b, set_of(b, argument(b, i, n)))) return true;
        return false;
    case OP_NOP:
    case OP_BIND:
    case OP_RET:
        return false;
    case OP_CALL:
    case OP_INVOKE:
        return call_acts(b, ins, i);
    default:
        return project_needs(b->fn->u, b->fn->f, &b->fn->plain, ins);
    }
}

static void mark_read(Bound *b, uint32_t ref, bool objects)
{
    const SBits *s = set_of(b, ref);
    uint32_t cell, of;
    if (!s) return;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);) {
        b->unseen |= cell == POINTS_UNKNOWN;
        bits_add(&b->read, cell);
        ObjId o = points_cell_object(b->points, cell);
        for (uint32_t k = 0; objects && (of = points_object_cell(b->points, o, k)); k++)
            bits_add(&b->read, of);
    }
}

static bool grow(Bound *b, bool first)
{
    Fn *fn = b->fn;
    bool grew = first;
    for (uint32_t i = 0; i < fn->f->ins_count; i++)
        if (!bits_has(&fn->keep, i) && acts(b, i)) {
            bits_add(&fn->keep, i);
            fn->acts = grew = true;
        }
    if (!grew) return false;
    project_close(fn->u, fn->f, fn->cfg, &PROJECT_TO_WALK, &fn->keep);
    bits_each (i, &fn->keep) {
        const Ins *in = func_ins(fn->u, fn->f, i);
        if (!bits_add(&fn->seen, i)) continue;
        if (in->op == OP_LOAD) mark_read(b, in->a, mtype_class(in->type) == MT_AGG);
        if (in->op == OP_COPY) mark_read(b, in->b, true);
    }
    return true;
}

static void find_freed(Bound *b)
{
    U32s targets = {0};
    for (uint32_t ins = 0; ins < b->fn->f->ins_count; ins++) {
        const Ins *i = func_ins(b->fn->u, b->fn->f, ins);
        if (i->op != OP_CALL && i->op != OP_INVOKE) continue;
        vec_clear(&targets);
        points_callees(b->points, b->id, ins, &targets);
        vec_each (t, &targets) {
            const SpecFunc *s = points_spec(b->points, (FuncId){targets.at[t]});
            for (uint32_t n = 0; s && n < i->c; n++) {
                const SpecParam *p = n < s->param_count ? &s->params[n] : &s->rest;
                const SBits *set = set_of(b, argument(b, i, n));
                uint32_t cell;
                if (!set || (p->mode == SPEC_REF && p->effect != SPEC_EMPTIES)) continue;
                for (SIter k = sbits_iter(set); sbits_step(&k, &cell);)
                    bits_add(&b->freed, points_cell_object(b->points, cell).id);
            }
        }
    }
    vec_free(&targets);
}

enum { ALL, ALONE, HANDED, BOUND, COLUMNS };
enum { INSTRUCTIONS, STORES, CALLS, BRANCHES, ROWS };

static void count(const Bound *b, uint64_t table[ROWS][COLUMNS])
{
    const Fn *fn = b->fn;
    Arena *a = arena_new("count");
    const Bits *idle = &b->hints.idle[b->id.id];
    Bits kept[2] = {bits_new(a, fn->f->ins_count), bits_new(a, fn->f->ins_count)};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < fn->f->ins_count; i++)
            if (project_needs(fn->u, fn->f, &fn->plain, i) &&
                !(k && idle->words && bits_has(idle, i)))
                bits_add(&kept[k], i);
        project_close(fn->u, fn->f, fn->cfg, &PROJECT_TO_WALK, &kept[k]);
    }
    for (uint32_t i = 0; i < fn->f->ins_count; i++) {
        Op op = (Op)func_ins(fn->u, fn->f, i)->op;
        bool branch = op == OP_BRANCH || op == OP_SWITCH;
        if (op == OP_BIND || op == OP_NOP || op == OP_JUMP) continue; // no work
        for (int row = 0; row < ROWS; row++) {
            if ((row == STORES && op != OP_STORE) || (row == CALLS && op != OP_CALL) ||
                (row == BRANCHES && !branch))
                continue;
            table[row][ALL]++;
            table[row][ALONE] += bits_has(&kept[0], i);
            table[row][HANDED] += bits_has(&kept[1], i);
            table[row][BOUND] += bits_has(&fn->keep, i);
        }
    }
    arena_free(a);
}

static bool enter(Bound *b, FuncId id)
{
    b->id = id;
    b->fn = &b->fns[id.id];
    return b->fn->f && bits_has(&b->hints.matters, id.id);
}

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: nodes MODELS UNIT...\n"), 2;
    SpecTable *specs = read_models(argv[1]);
    Arena *a = arena_new("bench");
    Program *p = read_program(a, argv + 2, argc - 2);
    Points *points = points_solve(p, specs);
    Flow *flow = flow_new(p, points, specs);
    Bound b = {.p = p, .points = points};
    b.hints = flow_hints(flow, a);
    double t0 = now();
    flow_idle(a, p, points, &b.hints.matters);
    double t1 = now();
    b.fns = arena_array_of(a, Fn, p->funcs.len);
    b.freed = bits_new(a, points_object_count(points) + 1);
    b.read = bits_new(a, points_cell_limit(points));
    for (uint32_t o = 1; o <= points_object_count(points); o++)
        if (points_object(points, (ObjId){o})->escaped &&
            points_object(points, (ObjId){o})->kind == POBJ_HEAP)
            bits_add(&b.freed, o);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        Fn *fn = &b.fns[f];
        fn->f = program_body(p, (FuncId){f}, &fn->u);
        if (!enter(&b, (FuncId){f})) continue;
        fn->cfg = cfg_build(a, fn->u, fn->f);
        fn->plain = project_plain(a, fn->u, fn->f);
        fn->keep = bits_new(a, fn->f->ins_count);
        fn->seen = bits_new(a, fn->f->ins_count);
        find_freed(&b);
    }
    bool first = true;
    for (bool grew = true; grew; first = false) {
        grew = false;
        vec_each (i, &p->order)
            if (enter(&b, p->order.at[i])) grew |= grow(&b, first);
    }
    uint64_t table[ROWS][COLUMNS] = {0};
    uint32_t functions = 0;
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (enter(&b, (FuncId){f})) count(&b, table), functions++;
    static const char *const rows[] = {"instructions", "stores", "calls", "branches"};
    printf("{\"functions\": %u, \"seconds\": %.4f, \"bound_seconds\": %.4f", functions, t1 - t0,
           now() - t1);
    for (int r = 0; r < ROWS; r++)
        printf(", \"%s\": [%llu, %llu, %llu, %llu]", rows[r], (unsigned long long)table[r][ALL],
               (unsigned long long)table[r][ALONE], (unsigned long long)table[r][HANDED],
               (unsigned long long)table[r][BOUND]);
    printf("}\n");
    flow_free(flow);
    points_free(points);
    return 0;
}
