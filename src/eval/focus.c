// What of a function the evaluation walks: the projection of PML (seed 002, section 3) with the
// evaluation's own idea of what matters, so that nothing that it could tell is lost.
//
// Kept is whatever changes the state by more than a value: calls, what writes memory, what may
// touch a block that was released, ends of scopes, bindings of pointers and returns. Then what
// these are computed from, and the branches that govern them (project_close). What is left are
// numbers that nobody asks for and branches whose sides differ in nothing that is kept: those are
// passed over to where their sides have met again, on one path instead of two.
//
// A loop with something kept keeps its header: rounds are counted there. Names of numbers are taken
// along where the number is kept and the path comes by; they govern nothing.
#include "eval/eval_int.h"
#include "project/project.h"

typedef struct {
    const Work *w;
    Bits plain; // by instruction: an address inside a local or a global
} Focus;

static bool is_plain(const Focus *k, Ref r)
{
    if (ref_is_ins(r)) return bits_has(&k->plain, ref_index(r));
    return ref_is_const(r);
}

// Addresses that cannot be ones of a released block. A phi's are not followed: errs towards
// keeping.
static void find_plain(Focus *k)
{
    const Work *w = k->w;
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        bool step = in->op == OP_FIELD || in->op == OP_INDEX;
        if (in->op == OP_ALLOCA || (step && is_plain(k, (Ref){in->a}))) bits_add(&k->plain, i);
    }
}

// Whether the value may be an address, in whatever clothes.
static bool may_be_pointer(const Work *w, Ref r)
{
    MType m = ref_type(w->unit, w->func, r);
    if (mtype_class(m) == MT_PTR || mtype_class(m) == MT_AGG) return true;
    return mtype_class(m) == MT_INT && mtype_size(m) >= w->terms.pointer_bits;
}

static bool any_pointer(const Work *w, const Ins *in)
{
    for (uint32_t k = 0; k < in->c; k++)
        if (may_be_pointer(w, (Ref){*func_extra(w->unit, w->func, in->b + k)})) return true;
    return false;
}

static bool matters(const Focus *k, const Ins *in)
{
    const Work *w = k->w;
    switch ((Op)in->op) {
    case OP_LOAD:
        return (in->flags & INS_VOLATILE) || !is_plain(k, (Ref){in->a});
    case OP_OPAQUE:
        return any_pointer(w, in);
    case OP_BIND:
        return ref_is_none((Ref){in->a}) ||
               mtype_class(ref_type(w->unit, w->func, (Ref){in->a})) == MT_PTR;
    case OP_NOP: // the position of a return statement
    case OP_STORE:
    case OP_COPY:
    case OP_FILL:
    case OP_LIFE_START:
    case OP_LIFE_END:
    case OP_VA_START:
    case OP_VA_COPY:
    case OP_VA_ARG:
    case OP_LANDING:
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
    case OP_GOTO:
    case OP_RET:
    case OP_RESUME:
        return true;
    default:
        return false;
    }
}

static void keep_all(Work *w)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) bits_add(&w->kept, i);
}

// Where all ways from the block lead, when its own branch was dropped.
static uint32_t way_on(const Work *w, const Projection *p, uint32_t block)
{
    EdgeRange r = w->cfg->succ[block];
    uint32_t lead = p->leads[w->cfg->edges[r.first]];
    for (uint32_t i = 1; i < r.count; i++)
        if (p->leads[w->cfg->edges[r.first + i]] != lead) return BLOCK_NONE;
    return lead ? p->nodes[lead - 1].block : BLOCK_NONE;
}

// A branch that is dropped where its ways do not meet in one node is none that the walk can pass
// over: it is taken as it stands. Closed sets have no such branch.
static void find_ways_on(Work *w, const Projection *p)
{
    for (uint32_t b = 0; b < w->cfg->block_count; b++) {
        const Block *k = func_block(w->unit, w->func, b);
        uint32_t end = k->first + k->count - 1;
        if (w->cfg->succ[b].count < 2 || bits_has(&w->kept, end)) continue;
        w->way_on[b] = way_on(w, p, b);
    }
}

void focus(Work *w, bool whole)
{
    const Func *f = w->func;
    w->kept = bits_new(w->arena, f->ins_count);
    w->way_on = arena_array_of(w->arena, uint32_t, w->cfg->block_count);
    for (uint32_t b = 0; b < w->cfg->block_count; b++) w->way_on[b] = BLOCK_NONE;
    if (whole) {
        keep_all(w);
        return;
    }
    Focus k = {.w = w};
    Arena *a = arena_new("focus");
    k.plain = bits_new(a, f->ins_count);
    find_plain(&k);
    for (uint32_t i = 0; i < f->ins_count; i++)
        if (matters(&k, func_ins(w->unit, f, i))) bits_add(&w->kept, i);
    ProjectHow how = {.values = true, .deaths = true, .headers = true};
    project_close(w->unit, f, w->cfg, &how, &w->kept);
    find_ways_on(w, project_build(a, w->unit, f, w->cfg, &w->kept));
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(w->unit, f, i);
        if (in->op != OP_BIND) continue;
        Ref r = {in->a};
        if (!ref_is_ins(r) || bits_has(&w->kept, ref_index(r))) bits_add(&w->kept, i);
    }
    arena_free(a);
}
