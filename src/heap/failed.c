// The number that says why a call failed (errno): above 0 once one has, until the program sets it.
#include "heap/heap.h"

#include <string.h>

enum { HIGHEST_ERROR = 4095 }; // as the kernel has it: above it are addresses

static const SpecFunc *called(const Work *w, const Ins *call)
{
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){call->a});
    return f.id ? facts_spec(w->facts, f) : NULL;
}

// Of a library function that gives an int and owns nothing, whatever is not 0 tells failure where the
// program reads the number afterwards (`if (ioctl (...)) return -errno;`).
static bool is_status(const Work *w, const SpecFunc *spec)
{
    const SpecType *type = spec ? spec->result_type : NULL;
    return type && type->kind == SPEC_T_BASE && spec->result.gives == SPEC_PLAIN &&
           strcmp(name_text(spec_names(w->facts->specs), type->name), "int") == 0;
}

// A call of unknown code, or of the program's own, that gives a negative number counts as well,
// although it need not set the number: errs towards a missed leak where that is 0. A null pointer
// counts only where the call hands something out: those that search find nothing without an error.
static bool tells_failure(Work *w, State *s, const Ins *call, Term x)
{
    Terms *t = &w->terms;
    uint32_t width = term_width(t, x);
    const SpecFunc *spec = called(w, call);
    if (width < 2 || (spec && (spec->pure || spec->tells_failure))) return false;
    Term zero = term_int(t, width, 0);
    if (mtype_class(call->type) == MT_PTR) {
        if (!spec || spec->result.gives != SPEC_OWN) return false;
        int64_t none = spec->fail == SPEC_OR_VALUE ? spec->fail_value : 0;
        return spec->fail != SPEC_NO_FAIL &&
               cond_decide(&w->conds, s->facts, term_eq(t, x, term_int(t, width, none))) == COND_TRUE;
    }
    return cond_decide(&w->conds, s->facts, term_slt(t, x, zero)) == COND_TRUE ||
           (is_status(w, spec) &&
            cond_decide(&w->conds, s->facts, term_eq(t, x, zero)) == COND_FALSE);
}

// The call whose result the value is.
static const Ins *call_of(const Work *w, Ref r, Term x)
{
    const Terms *t = &w->terms;
    const Ins *in = NULL;
    while (ref_is_ins(r)) {
        in = func_ins(w->unit, w->func, ref_index(r));
        if (in->op != OP_SEXT && in->op != OP_ZEXT) break;
        r = (Ref){in->a};
    }
    if (ref_is_ins(r) && in->op == OP_CALL) return in;
    while (term_kind(t, x) == T_SEXT || term_kind(t, x) == T_ZEXT) x.id = term_node(t, x)->a;
    const TermNode *n = term_node(t, x);
    if (n->kind != T_RESULT || n->b != made(MADE_VALUE, 0) || n->a >= w->func->ins_count) return NULL;
    in = func_ins(w->unit, w->func, n->a);
    return in->op == OP_CALL ? in : NULL;
}

void note_failure(Work *w, State *s, Ref test)
{
    if ((s->flags & STATE_FAILED) || !ref_is_ins(test)) return;
    const Ins *in = func_ins(w->unit, w->func, ref_index(test));
    if (in->op != OP_EQ && in->op != OP_NE && in->op != OP_SLT && in->op != OP_SLE) return;
    for (int side = 0; side < 2; side++) {
        Ref r = {side ? in->b : in->a};
        uint64_t value;
        if (!ref_is_ins(r) || !pmap_get(s->env, ref_index(r), &value)) continue;
        Term x = {(uint32_t)value};
        const Ins *call = call_of(w, r, x);
        if (call && tells_failure(w, s, call, x)) s->flags |= STATE_FAILED;
    }
}

bool says_why(const Work *w, Ref address)
{
    if (!ref_is_ins(address)) return false;
    const Ins *in = func_ins(w->unit, w->func, ref_index(address));
    const SpecFunc *spec = in->op == OP_CALL ? called(w, in) : NULL;
    return spec && spec->tells_failure;
}

void error_is_positive(Work *w, State *s, Term place, uint32_t ins)
{
    Terms *t = &w->terms;
    if (!(s->flags & STATE_FAILED) || !place.id || !term_address(t, place).base.id) return;
    Term n = mem_load(w, s, place, NUMBER_BITS / 8, mtype(MT_INT, NUMBER_BITS), ins);
    if (term_width(t, n) != NUMBER_BITS) return;
    cond_assume(&w->conds, &s->facts, term_slt(t, n, term_int(t, NUMBER_BITS, 1)), false);
    cond_assume(&w->conds, &s->facts, term_slt(t, term_int(t, NUMBER_BITS, HIGHEST_ERROR), n), false);
}
