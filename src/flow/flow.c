// The entry of the module: sources, callers, verdicts on demand.
#include "flow/flow_int.h"

#include <string.h>

static bool is_pointer_family(const Flow *f, FamilyId id)
{
    const SpecFamily *family = spec_family(f->specs, id);
    return !family || (family->repr == SPEC_POINTER && !family->arena);
}

static bool is_surely_there(const Unit *u, const Func *body, Ref r)
{
    if (ref_is_const(r)) return u->consts.at[ref_index(r)].kind == CONST_GLOBAL;
    if (!ref_is_ins(r)) return false;
    const Ins *i = func_ins(u, body, ref_index(r));
    return i->op == OP_ALLOCA || (i->op == OP_FIELD && is_surely_there(u, body, (Ref){i->a}));
}

// The call may allocate by its specification: not when an argument decides otherwise ("returns buf
// when (buf != null)" for the address of a variable).
static bool is_given(const Flow *f, const Unit *u, const Func *body, const Ins *i,
                     const SpecFunc *spec)
{
    bool own = false;
    for (uint32_t k = 0; k < spec->case_count; k++) {
        const SpecValue *v = &spec->cases[k];
        own |= v->gives == SPEC_OWN && is_pointer_family(f, v->family);
        const SpecCond *c = &v->when;
        if (c->op == SPEC_NE && c->value == 0 && c->subject >= 0 && (uint32_t)c->subject < i->c &&
            is_surely_there(u, body, (Ref){*func_extra(u, body, i->b + (uint32_t)c->subject)}))
            return own;
    }
    return own || (spec->result.gives == SPEC_OWN && is_pointer_family(f, spec->result.family));
}

static void sources_of_call(Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins,
                            FuncId callee)
{
    const Ins *i = func_ins(u, body, ins);
    const SpecFunc *spec = points_spec(f->points, callee);
    if (!spec) {
        if (points_is_wrapper(f->points, callee) && mtype_class(i->type) == MT_PTR)
            vec_push(&f->sources, ((FlowSource){id, ins, SPEC_RETURN}));
        return;
    }
    if (is_given(f, u, body, i, spec)) vec_push(&f->sources, ((FlowSource){id, ins, SPEC_RETURN}));
    for (uint32_t k = 0; k < spec->param_count && k < i->c; k++)
        if (spec->params[k].place == SPEC_OUT && spec->params[k].value.gives == SPEC_OWN &&
            is_pointer_family(f, spec->params[k].value.family))
            vec_push(&f->sources, ((FlowSource){id, ins, (int16_t)k}));
}

// The object that a wrapper hands out is a source at the wrapper's calls; others that it allocates
// on the way are sources here.
static bool is_handed_out(const Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins)
{
    ObjId o = points_heap(f->points, id, ins, SPEC_RETURN);
    for (uint32_t k = 0; o.id && k < body->ins_count; k++) {
        const Ins *i = func_ins(u, body, k);
        const SBits *s = i->op == OP_RET ? points_set(f->points, id, (Ref){i->a}) : NULL;
        if (s && sbits_has(s, points_object_cell(f->points, o, 0))) return true;
    }
    return false;
}

typedef struct {
    FuncId callee, caller;
    uint32_t ins;
} CallEdge;

static void find_calls(Flow *f)
{
    const Program *p = f->program;
    VEC(CallEdge) edges = {0};
    U32s targets = {0};
    f->callers_of = arena_array_of(f->arena, ProgRange, p->funcs.len);
    f->callees_of = arena_array_of(f->arena, ProgRange, p->funcs.len);
    f->jumps = bits_new(f->arena, p->funcs.len);
    for (uint32_t id = 1; id < p->funcs.len; id++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){id}, &u);
        if (!body || points_spec(f->points, (FuncId){id})) continue;
        bool wrapper = points_is_wrapper(f->points, (FuncId){id});
        f->callees_of[id].first = f->callees.len;
        for (uint32_t k = 0; k < body->ins_count; k++) {
            const Ins *i = func_ins(u, body, k);
            if (i->op != OP_CALL && i->op != OP_INVOKE) continue;
            vec_clear(&targets);
            bool complete = points_callees(f->points, (FuncId){id}, k, &targets);
            vec_each (t, &targets) {
                FuncId callee = {targets.at[t]};
                const SpecFunc *spec = points_spec(f->points, callee);
                if (spec && spec->noreturn == SPEC_JUMPS) {
                    bits_add(&f->jumps, callee.id);
                    bits_add(&f->jumps, id);
                }
                if (!program_has_code(p, callee)) continue;
                vec_push(&edges, ((CallEdge){callee, {id}, k}));
                f->callers_of[callee.id].count++;
                vec_push(&f->callees, callee.id);
                f->callees_of[id].count++;
            }
            // A call that may reach others too is no allocation to be sure of.
            if (complete && targets.len == 1 &&
                !(wrapper && is_handed_out(f, (FuncId){id}, u, body, k)))
                sources_of_call(f, (FuncId){id}, u, body, k, (FuncId){targets.at[0]});
        }
    }
    uint32_t at = 0;
    for (uint32_t id = 1; id < p->funcs.len; id++) {
        f->callers_of[id].first = at;
        at += f->callers_of[id].count;
        f->callers_of[id].count = 0;
    }
    vec_extend(&f->callers, edges.len);
    vec_each (i, &edges) {
        ProgRange *r = &f->callers_of[edges.at[i].callee.id];
        f->callers.at[r->first + r->count++] = (Caller){edges.at[i].caller, edges.at[i].ins};
    }
    vec_free(&edges);
    vec_free(&targets);
}

// Whoever calls a function that jumps may be left by that jump. One that takes the jump itself
// (setjmp) counts too: where the jump goes is not known.
static void find_jumps(Flow *f)
{
    U32s work = {0};
    for (uint32_t id = 1; id < f->program->funcs.len; id++)
        if (bits_has(&f->jumps, id)) vec_push(&work, id);
    while (work.len) {
        ProgRange callers = f->callers_of[vec_pop(&work)];
        for (uint32_t k = 0; k < callers.count; k++) {
            uint32_t caller = f->callers.at[callers.first + k].caller.id;
            if (bits_add(&f->jumps, caller)) vec_push(&work, caller);
        }
    }
    vec_free(&work);
}

Flow *flow_new(const Program *p, const Points *points, const SpecTable *specs)
{
    Flow *f = mem_alloc(sizeof *f);
    f->program = p;
    f->points = points;
    f->specs = specs;
    f->arena = arena_new("flow");
    f->funcs = arena_array_of(f->arena, FlowFunc *, p->funcs.len);
    sets_init(f);
    find_calls(f);
    find_jumps(f);
    flow_modref(f);
    vec_extend(&f->results, f->sources.len);
    f->solved = bits_new(f->arena, f->sources.len);
    return f;
}

void flow_free(Flow *f)
{
    if (!f) return;
    sets_free(f);
    vec_free(&f->parts.ref);
    vec_free(&f->parts.mod);
    vec_free(&f->callees);
    for (uint32_t i = 1; i < f->program->funcs.len; i++) {
        vec_free(&f->own[i]);
        FlowFunc *g = f->funcs[i];
        if (!g) continue;
        vec_free(&g->regions);
        vec_free(&g->versions);
        vec_free(&g->phi_args);
        vec_free(&g->mus);
        vec_free(&g->chis);
        vec_free(&g->outs);
        vec_free(&g->uses);
    }
    vec_free(&f->sources);
    vec_free(&f->results);
    vec_free(&f->callers);
    vec_each (i, &f->known) {
        vec_free(&f->known.at[i].funcs);
        vec_free(&f->known.at[i].ups);
    }
    vec_free(&f->known);
    map_free(&f->known_of);
    map_free(&f->dull);
    map_free(&f->meeting_of);
    vec_free(&f->meeting);
    arena_free(f->arena);
    mem_free(f);
}

uint32_t flow_source_count(const Flow *f)
{
    return f->sources.len;
}
FlowSource flow_source(const Flow *f, uint32_t i)
{
    return f->sources.at[i];
}
FlowResult flow_result(Flow *f, uint32_t i)
{
    if (bits_add(&f->solved, i)) {
        uint32_t k = flow_of_source(f, f->sources.at[i], 0);
        FlowResult r = f->known.at[k].result;
        flow_count(f, &f->known.at[k].funcs, f->known.at[k].nodes, &f->known.at[k].ups, &r);
        f->results.at[i] = r;
    }
    return f->results.at[i];
}
FlowCounts flow_counts(const Flow *f)
{
    FlowCounts c = f->counts;
    c.sources = f->sources.len;
    return c;
}
FlowHints flow_hints(Flow *f, Arena *a)
{
    FlowHints h = {.does = flow_relevance(a, f->program, f->points)};
    h.matters = flow_matters(a, f->program, f->points, h.does);
    h.idle = flow_idle(a, f->program, f->points, &h.matters);
    h.freed = arena_array_of(a, Bits, f->program->funcs.len);
    vec_each (i, &f->sources) {
        FlowSource s = f->sources.at[i];
        FlowResult r = flow_result(f, i);
        if (s.which != SPEC_RETURN || r.verdict != FLOW_FREED || !r.sure) continue;
        const Unit *u;
        const Func *body = program_body(f->program, s.func, &u);
        if (!h.freed[s.func.id].words) h.freed[s.func.id] = bits_new(a, body->ins_count);
        bits_add(&h.freed[s.func.id], s.ins);
    }
    return h;
}

const char *flow_verdict_text(FlowVerdict v)
{
    static const char *const texts[] = {"freed", "partly", "never", "escapes"};
    return texts[v];
}
