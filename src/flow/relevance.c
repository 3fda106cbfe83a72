// What functions can do that matters to ownership, with all that they call: a bottom-up closure of
// a few bits over the call graph, calls through pointers by their targets. Cheap (one look at each
// instruction), so that the evaluation can ask it of every function and call before it begins.
// Errs towards more bits.
#include "flow/flow.h"

#include "base/bits.h"

typedef struct {
    const Program *p;
    const Points *points;
    U32s callees; // of the function, with code: their bits are not known yet
    FuncId id;
    const Unit *u;
    const Func *f;
} Look;

static uint8_t of_value(const SpecValue *v)
{
    return v->gives == SPEC_OWN || v->gives == SPEC_POLY ? FLOW_ACQUIRES : 0;
}

static uint8_t of_param(const SpecParam *par)
{
    uint8_t bits = of_value(&par->value);
    switch (par->mode) {
    case SPEC_REF:
        break;
    case SPEC_TAKE:
    case SPEC_REF_DEC:
        bits |= FLOW_RELEASES;
        break;
    case SPEC_REF_INC:
        bits |= FLOW_ACQUIRES;
        break;
    case SPEC_HOLD:
    case SPEC_KEEP:
    case SPEC_BY_TYPE:
        bits |= FLOW_KEEPS;
        break;
    }
    if (par->effect != SPEC_READS) bits |= FLOW_WRITES;
    if (par->effect == SPEC_EMPTIES) bits |= FLOW_RELEASES;
    if (par->effect == SPEC_CHANGES) bits |= FLOW_KEEPS;
    if (par->called) bits |= FLOW_UNKNOWN;
    return bits;
}

static uint8_t of_spec(const SpecFunc *spec)
{
    uint8_t bits = of_value(&spec->result);
    for (uint32_t k = 0; k < spec->case_count; k++) bits |= of_value(&spec->cases[k]);
    for (uint32_t k = 0; k < spec->param_count; k++) bits |= of_param(&spec->params[k]);
    bits |= of_param(&spec->rest);
    if (spec->copy_count) bits |= FLOW_KEEPS | FLOW_WRITES;
    if (spec->realloc) bits |= FLOW_ACQUIRES | FLOW_RELEASES | FLOW_WRITES;
    if (spec->noreturn || spec->twice) bits |= FLOW_LEAVES;
    return spec->pure ? 0 : bits;
}

static uint8_t of_target(Look *l, FuncId callee)
{
    const SpecFunc *spec = points_spec(l->points, callee);
    if (spec) return of_spec(spec);
    if (program_has_code(l->p, callee)) {
        vec_push(&l->callees, callee.id);
        return 0;
    }
    const Unit *u;
    const Func *decl = program_decl(l->p, callee, &u);
    uint8_t leaves = decl->flags & FUNC_NORETURN ? FLOW_LEAVES : 0;
    if (decl->flags & FUNC_READNONE) return leaves;
    if (decl->flags & FUNC_VARARGS) return FLOW_UNKNOWN | leaves;
    for (uint32_t k = 0; k < decl->param_count; k++) {
        const Param *q = &u->params.at[decl->first_param + k];
        if (mtype_class(q->mtype) == MT_PTR && !(q->flags & PARAM_CONST_POINTEE))
            return FLOW_UNKNOWN | leaves;
    }
    // It may hand out something of its own, and change what it can reach by itself.
    return FLOW_UNKNOWN | leaves;
}

static bool is_own(const Look *l, const SBits *set)
{
    uint32_t cell;
    if (!set) return true; // through null
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        const PointsObj *o = points_object(l->points, points_cell_object(l->points, cell));
        bool own = (o->kind == POBJ_LOCAL || o->kind == POBJ_BYVAL) && o->func.id == l->id.id;
        if (!own || o->escaped) return false;
    }
    return true;
}

static bool holds_pointer(const Look *l, Ref r)
{
    MClass c = mtype_class(ref_type(l->u, l->f, r));
    return c == MT_PTR || c == MT_AGG || c == MT_VEC;
}

// Whether the function gives the address of a string's text.
static bool lends(const Look *l, FuncId callee)
{
    const SpecFunc *spec = points_spec(l->points, callee);
    const SpecValue *v = spec ? &spec->result : NULL;
    return v && v->gives == SPEC_REF_OF && v->param >= 0 && spec->params[v->param].opaque;
}

static bool is_call(const Ins *i)
{
    return i->op == OP_CALL || i->op == OP_INVOKE;
}

// Whether the call's result is used by this instruction in a way that it may outlive the string: it is kept, or
// passed on to the program's own code.
static bool is_kept_by(const Look *l, uint32_t at, U32s *targets)
{
    const Ins *i = func_ins(l->u, l->f, at);
    if (!is_call(i)) return i->op != OP_LOAD && i->op != OP_BIND;
    vec_clear(targets);
    points_callees(l->points, l->id, at, targets);
    vec_each (t, targets)
        if (!points_spec(l->points, (FuncId){targets->at[t]})) return true;
    return false;
}

// The string whose text the call gives may change or end before the text is used for the last time.
static bool outlives(const Look *l, uint32_t call, U32s *targets)
{
    uint32_t string = *func_extra(l->u, l->f, func_ins(l->u, l->f, call)->b);
    bool changed = false;
    for (uint32_t n = call + 1; n < l->f->ins_count; n++) {
        const Ins *i = func_ins(l->u, l->f, n);
        Operands all = ins_operands(l->u, l->f, i);
        for (uint32_t k = 0; k < all.count + all.more_count; k++) {
            Ref r = operand_at(&all, k);
            bool uses = ref_is_ins(r) && ref_index(r) == call && i->op != OP_BIND;
            if (uses && (changed || is_kept_by(l, n, targets))) return true;
        }
        changed |= is_call(i) && i->c && *func_extra(l->u, l->f, i->b) == string;
    }
    return false;
}

static uint8_t of_ins(Look *l, uint32_t ins, U32s *targets)
{
    const Ins *i = func_ins(l->u, l->f, ins);
    switch ((Op)i->op) {
    case OP_STORE:
        if (is_own(l, points_set(l->points, l->id, (Ref){i->a}))) return 0;
        return holds_pointer(l, (Ref){i->b}) ? FLOW_WRITES | FLOW_KEEPS : FLOW_WRITES;
    case OP_COPY:
        return is_own(l, points_set(l->points, l->id, (Ref){i->a})) ? 0 : FLOW_WRITES | FLOW_KEEPS;
    case OP_FILL:
        return is_own(l, points_set(l->points, l->id, (Ref){i->a})) ? 0 : FLOW_WRITES;
    case OP_ASM:
        return FLOW_UNKNOWN;
    case OP_RESUME:
        return FLOW_LEAVES;
    case OP_CALL:
    case OP_INVOKE: {
        vec_clear(targets);
        uint8_t bits = points_callees(l->points, l->id, ins, targets) ? 0 : FLOW_UNKNOWN;
        if (i->flags & INS_RETURNS_TWICE) bits |= FLOW_LEAVES;
        bool lent = targets->len == 1 && lends(l, (FuncId){targets->at[0]}) && i->c;
        vec_each (k, targets) bits |= of_target(l, (FuncId){targets->at[k]});
        if (lent && outlives(l, ins, targets)) bits |= FLOW_RELEASES;
        return bits;
    }
    default:
        return 0;
    }
}

const uint8_t *flow_relevance(Arena *a, const Program *p, const Points *points)
{
    Look l = {.p = p, .points = points};
    uint8_t *bits = arena_array_of(a, uint8_t, p->funcs.len);
    U32s targets = {0};
    uint32_t *first = mem_alloc(((size_t)p->order.len + 1) * sizeof *first);
    // Instructions are looked at once; what callees do is added over the calls alone. Callees come
    // first, so that all but recursive calls and calls through pointers are settled in the first
    // round.
    vec_each (n, &p->order) {
        l.id = p->order.at[n];
        l.f = program_body(p, l.id, &l.u);
        first[n] = l.callees.len;
        uint8_t own = 0;
        for (uint32_t i = 0; l.f && i < l.f->ins_count && own != FLOW_ALL; i++)
            own |= of_ins(&l, i, &targets);
        bits[l.id.id] = own;
    }
    first[p->order.len] = l.callees.len;
    for (bool grew = true; grew;) {
        grew = false;
        vec_each (n, &p->order) {
            uint8_t *at = &bits[p->order.at[n].id], all = *at;
            for (uint32_t k = first[n]; k < first[n + 1] && all != FLOW_ALL; k++)
                all |= bits[l.callees.at[k]];
            grew |= all != *at;
            *at = all;
        }
    }
    mem_free(first);
    vec_free(&l.callees);
    vec_free(&targets);
    return bits;
}

Bits flow_matters(Arena *a, const Program *p, const Points *points, const uint8_t *relevance)
{
    Bits matters = bits_new(a, p->funcs.len);
    U32s open = {0}, targets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (relevance[f] & (FLOW_ACQUIRES | FLOW_RELEASES | FLOW_UNKNOWN)) {
            bits_add(&matters, f);
            vec_push(&open, f);
        }
    while (open.len) {
        FuncId id = {vec_pop(&open)};
        const Unit *u;
        const Func *f = program_body(p, id, &u);
        // Whoever has the object may know its virtual functions where `points` does not.
        vec_clear(&targets);
        points_virtuals(p, id, &targets);
        vec_each (t, &targets)
            if (bits_add(&matters, targets.at[t])) vec_push(&open, targets.at[t]);
        for (uint32_t i = 0; f && i < f->ins_count; i++) {
            const Ins *in = func_ins(u, f, i);
            if (in->op != OP_CALL && in->op != OP_INVOKE) continue;
            vec_clear(&targets);
            points_callees(points, id, i, &targets);
            vec_each (t, &targets)
                if (bits_add(&matters, targets.at[t])) vec_push(&open, targets.at[t]);
        }
    }
    vec_free(&open);
    vec_free(&targets);
    return matters;
}
