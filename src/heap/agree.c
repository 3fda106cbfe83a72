// What the whole program says of a value that was read: it is followed on no path where it is otherwise.
#include "heap/heap.h"

#include "unit/types.h"

// Without a last element a queue has no first one: what the path knows of one end, as it was when
// the function was called, the other follows.
static bool ends_agree(Work *w, State *s, Term value, const QueueEnd *end)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, value);
    Term other = term_leaf(t, T_INPUT, n.width, n.a, n.b, 0, n.value + end->other);
    Term none = term_eq(t, value, term_null(t)), no_other = term_eq(t, other, term_null(t));
    Truth known = cond_decide(&w->conds, s->facts, no_other);
    if (known == COND_UNKNOWN) return true;
    if (!(known == COND_TRUE ? end->other_last : end->last)) return true;
    return !assumes(w, ASSUME_QUEUE_ENDS) ||
           cond_assume(&w->conds, &s->facts, none, known == COND_TRUE);
}

bool is_not_zero(const Work *w, const State *s, Term x)
{
    Range r = cond_range(&w->conds, s->facts, x);
    bool zero = r.smin <= 0 && r.smax >= 0 && !r.umin;
    for (uint32_t i = 0; i < r.not_count; i++) zero &= r.not [i] != 0;
    return !zero;
}

bool is_raised(Work *w, const State *s, Term home, int64_t offset, Term value)
{
    const TermNode *n = term_node(&w->terms, home);
    return n->kind == T_GLOBAL && offset == 0 && term_width(&w->terms, value) && is_not_zero(w, s, value) &&
           facts_is_one_way(w->facts, w->trace, (GlobalId){n->a}) && assumes(w, ASSUME_ONE_WAY);
}

void stays_raised(Work *w, State *s, Term value)
{
    if (!is_not_zero(w, s, value))
        cond_assume(&w->conds, &s->facts, term_eq(&w->terms, value, term_int(&w->terms, term_width(&w->terms, value), 0)),
                    false);
}

bool was_zero(Work *w, State *s, GlobalId g, Term value)
{
    uint32_t width = term_width(&w->terms, value);
    int64_t number;
    Range r = cond_range(&w->conds, s->facts, value);
    if (!width || !range_single(&r, width, &number) || number) return true;
    Term home = term_leaf(&w->terms, T_GLOBAL, w->terms.pointer_bits, g.id, 0, 0, 0);
    Term first = term_leaf(&w->terms, T_INPUT, width, home.id, 0, 0, 0);
    return term_same(first, value) || !facts_is_one_way(w->facts, w->trace, g) || !assumes(w, ASSUME_ONE_WAY) ||
           cond_assume(&w->conds, &s->facts, term_eq(&w->terms, first, term_int(&w->terms, width, 0)), true);
}

// What was in the caller's memory when the function was called, or what code that is not followed has
// put there since.
static bool is_callers(const Work *w, Term value)
{
    const Terms *t = &w->terms;
    const TermNode *n = term_node(t, value);
    if (n->kind != T_HAVOC) return n->kind == T_INPUT;
    Term home = n->b ? term_address(t, (Term){n->b}).base : (Term){0};
    return home.id && (term_kind(t, home) == T_PARAM || term_kind(t, home) == T_INPUT);
}

// What came in, or was given by a call, beside the value: the other word of a struct that is passed in registers, or
// lies in memory. 0: not known.
static Term beside(Work *w, Term value, const LengthBeside *b)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, value);
    if (n.kind == T_INPUT) return term_leaf(t, T_INPUT, b->bits, n.a, n.b, 0, n.value + b->other);
    if (n.kind == T_UNDEF && n.c == UNDEF_PART) return term_leaf(t, T_UNDEF, b->bits, n.a, 0, UNDEF_PART, n.value + b->other);
    if (n.kind != T_PARAM || (b->other < 0 && !n.a)) return (Term){0};
    uint32_t number = b->other < 0 ? n.a - 1 : n.a + 1;
    if (n.a >= w->func->param_count || number >= w->func->param_count) return (Term){0};
    const Param *a = &w->unit->params.at[w->func->first_param + n.a], *o = &w->unit->params.at[w->func->first_param + number];
    bool parts = a->type.id && a->type.id == o->type.id && a->name.id == o->name.id &&
                 w->unit->types.at[plain_type(w->unit, a->type).id].kind == TYPE_STRUCT;
    return parts && mtype_bytes(o->mtype) * 8 == b->bits ? term_leaf(t, T_PARAM, b->bits, number, 0, 0, 0) : (Term){0};
}

// Where there is a length, there is what it is the length of.
static bool lengths_agree(Work *w, State *s, Term value, bool pointer, const LengthBeside *b)
{
    Terms *t = &w->terms;
    Term other = beside(w, value, b);
    if (!other.id) return true;
    Term none = term_eq(t, value, term_int(t, term_width(t, value), 0));
    Truth no_other = cond_decide(&w->conds, s->facts, term_eq(t, other, term_int(t, b->bits, 0)));
    if (no_other == COND_UNKNOWN || (no_other == COND_TRUE) == pointer) return true;
    return !assumes(w, ASSUME_WITH_LENGTH) || cond_assume(&w->conds, &s->facts, none, !pointer);
}

bool loaded_agrees(Work *w, State *s, Term value, MType type, uint32_t ins)
{
    Terms *t = &w->terms;
    QueueEnd end;
    LengthBeside length;
    bool pointer = mtype_class(type) == MT_PTR;
    if ((!pointer && mtype_class(type) != MT_INT) || !value.id) return true;
    if (facts_reads_length(w->facts, w->trace, w->id, ins, &length) && !lengths_agree(w, s, value, pointer, &length))
        return false;
    if (!pointer || !is_callers(w, value)) return true;
    if (facts_reads_set_field(w->facts, w->trace, w->id, ins) && assumes(w, ASSUME_SET_FIELD))
        return cond_assume(&w->conds, &s->facts, term_eq(t, value, term_null(t)), false);
    return term_kind(t, value) != T_INPUT ||
           !facts_reads_end(w->facts, w->trace, w->id, ins, &end) || ends_agree(w, s, value, &end);
}
