// Allocation wrappers (Saber, phase 1: "malloc + malloc wrappers"): functions that hand out a fresh
// object, or null, and keep no other way to it. Each call of one is an allocation site of its own,
// so that one xmalloc does not make all memory of a program one object.
//
// A function counts when every returned value comes, through phis and selects, from null or from
// the result of a direct call of an allocator or of another wrapper, and these values are used for
// nothing that could store them: comparing, being filled, being an address of loads and stores,
// being lent to functions whose specs say so. Bottom-up over the call graph; recursion is no
// wrapper.
#include "points/points_int.h"

typedef struct {
    Points *p;
    uint32_t unit;
    const Unit *u;
    const Func *f;
    Bits traced; // instructions whose values are the fresh object
    Bits inside; // addresses inside it
    U32s open;
    bool fresh_seen;
} Wrap;

static FuncId direct_callee(const Wrap *w, const Ins *i)
{
    return program_callee(w->p->program, w->unit, w->u, (Ref){i->a});
}

static bool gives_fresh(const Wrap *w, const Ins *i)
{
    FuncId g = direct_callee(w, i);
    if (!g.id) return false;
    const SpecFunc *s = w->p->spec[g.id];
    if (!s) return bits_has(&w->p->wrapper, g.id);
    for (uint32_t k = 0; k < s->case_count; k++)
        if (s->cases[k].gives != SPEC_OWN && s->cases[k].gives != SPEC_NULL) return false;
    const SpecFamily *family = spec_family(w->p->specs, s->result.family);
    return s->result.gives == SPEC_OWN && s->result.in == SPEC_NONE &&
           (!family || family->repr == SPEC_POINTER);
}

static bool trace(Wrap *w, Ref r)
{
    if (ref_is_none(r) || ref_is_param(r)) return false;
    if (ref_is_const(r)) return w->u->consts.at[ref_index(r)].kind == CONST_NULL;
    if (bits_add(&w->traced, ref_index(r))) vec_push(&w->open, ref_index(r));
    return true;
}

// All returned values lead to fresh objects or null.
static bool returns_fresh(Wrap *w)
{
    for (uint32_t k = 0; k < w->f->ins_count; k++) {
        const Ins *i = func_ins(w->u, w->f, k);
        if (i->op == OP_RET && !trace(w, (Ref){i->a})) return false;
    }
    while (w->open.len) {
        const Ins *i = func_ins(w->u, w->f, vec_pop(&w->open));
        switch ((Op)i->op) {
        case OP_PHI:
            for (uint32_t k = 0; k < i->c; k++)
                if (!trace(w, (Ref){*func_extra(w->u, w->f, i->b + 2 * k + 1)})) return false;
            break;
        case OP_SELECT:
            if (!trace(w, (Ref){i->b}) || !trace(w, (Ref){i->c})) return false;
            break;
        case OP_CALL:
        case OP_INVOKE:
            if (!gives_fresh(w, i)) return false;
            w->fresh_seen = true;
            break;
        default:
            return false;
        }
    }
    return w->fresh_seen;
}

static bool is_it(const Wrap *w, uint32_t ref)
{
    Ref r = {ref};
    return ref_is_ins(r) &&
           (bits_has(&w->traced, ref_index(r)) || bits_has(&w->inside, ref_index(r)));
}

static bool lent(const Wrap *w, const Ins *i, uint32_t k)
{
    FuncId g = direct_callee(w, i);
    const SpecFunc *s = g.id ? w->p->spec[g.id] : NULL;
    if (!s) return false;
    const SpecParam *par = k < s->param_count ? &s->params[k] : &s->rest;
    bool back = s->result.gives == SPEC_ALIAS || s->result.gives == SPEC_INSIDE;
    if (par->mode == SPEC_TAKE) return true; // freed, or exchanged for another fresh one
    return par->mode == SPEC_REF && par->effect != SPEC_CHANGES && !par->called && !back &&
           !s->copy_count;
}

static bool kept_secret(Wrap *w)
{
    for (bool more = true; more;) { // addresses of fields, in whatever order blocks stand
        more = false;
        for (uint32_t k = 0; k < w->f->ins_count; k++) {
            const Ins *i = func_ins(w->u, w->f, k);
            if ((i->op == OP_FIELD || i->op == OP_INDEX) && is_it(w, i->a))
                more |= bits_add(&w->inside, k);
        }
    }
    for (uint32_t k = 0; k < w->f->ins_count; k++) {
        const Ins *i = func_ins(w->u, w->f, k);
        Operands ops = ins_operands(w->u, w->f, i);
        bool used = false;
        for (uint32_t n = 0; n < ops.count; n++) used |= is_it(w, ops.refs[n].bits);
        for (uint32_t n = 0; n < ops.more_count; n++) used |= is_it(w, ops.more[n * ops.more_step]);
        if (!used) continue;
        switch ((Op)i->op) {
        case OP_FIELD:
        case OP_LOAD:
        case OP_FILL:
        case OP_EQ:
        case OP_NE:
        case OP_BIND:
        case OP_RET:
            break;
        case OP_INDEX:
        case OP_STORE:
            if (is_it(w, i->b)) return false;
            break;
        case OP_COPY: // its content may be copied in, not out of it
            if (is_it(w, i->b)) return false;
            break;
        case OP_PHI:
        case OP_SELECT:
            if (!bits_has(&w->traced, k)) return false;
            break;
        case OP_CALL:
        case OP_INVOKE:
            for (uint32_t n = 0; n < i->c; n++)
                if (is_it(w, *func_extra(w->u, w->f, i->b + n)) && !lent(w, i, n)) return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

void pts_find_wrappers(Points *p)
{
    const Program *prog = p->program;
    Arena *scratch = arena_new("wrappers");
    vec_each (n, &prog->order) {
        FuncId id = prog->order.at[n];
        Wrap w = {.p = p, .unit = prog->funcs.at[id.id].unit};
        w.f = program_body(prog, id, &w.u);
        if (!w.f || p->spec[id.id] || mtype_class(w.f->result) != MT_PTR) continue;
        if (prog->sccs.at[prog->funcs.at[id.id].scc.id].count > 1) continue;
        arena_reset(scratch);
        w.traced = bits_new(scratch, w.f->ins_count);
        w.inside = bits_new(scratch, w.f->ins_count);
        if (returns_fresh(&w) && kept_secret(&w)) bits_add(&p->wrapper, id.id);
        vec_free(&w.open);
    }
    arena_free(scratch);
}
