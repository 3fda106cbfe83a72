// An object is used: whether that is possible, and what it says of the path.
#include "lost/lost.h"

// The last page of addresses, where no object lies: numbers of errors that go by way of pointers.
static bool is_error_number(const Terms *t, Term x)
{
    enum { MOST = 4096 };
    int64_t k;
    return term_width(t, x) == t->pointer_bits && term_is_int(t, x, &k) && k < 0 && k >= -MOST;
}

// Whether it is the address of an object. One whose failure is shown by such a number (mmap) may be
// that number.
static bool is_object_address(Work *w, Term x)
{
    const Terms *t = &w->terms;
    Term base = term_width(t, x) == t->pointer_bits ? term_address(t, x).base : (Term){0};
    TermKind kind = base.id ? term_kind(t, base) : T_NONE;
    const ObjInfo *info = kind == T_HEAP ? obj_info(w, base) : NULL;
    return kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC ||
           (info && info->fail != SPEC_OR_VALUE && info->fail != SPEC_OR_NEGATIVE);
}

bool is_below_errors(Work *w, Op op, Term a, Term b, bool *truth)
{
    if (op != OP_ULT && op != OP_ULE) return false;
    bool left = is_object_address(w, a) && is_error_number(&w->terms, b);
    bool right = is_object_address(w, b) && is_error_number(&w->terms, a);
    *truth = left;
    return (left || right) && assumes(w, ASSUME_NO_ADDRESS);
}

// The first content of a local or of fresh memory. A path that uses it as a pointer is one that
// the program does not take (it would have set it there): errs towards a missed misuse.
static bool is_uninitialised(const Work *w, Term base)
{
    const TermNode *n = term_node(&w->terms, base);
    if (n->kind != T_UNDEF || n->c != 0 || !n->a) return false;
    TermKind home = term_kind(&w->terms, term_address(&w->terms, (Term){n->a}).base);
    return home == T_LOCAL || home == T_HEAP;
}

// What a freed block held may be what is read back from it: nothing is claimed of that any more.
// The order of the releases is wrong, and that is told.
static void held_is_back(Work *w, State *s, Term freed, uint32_t ins)
{
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_PUT && term_same(term_address(&w->terms, e->a).base, freed))
            escape_term(w, s, e->b, ins);
}

bool touch(Work *w, State *s, Term address, uint32_t ins)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, address);
    if (n.kind == T_ITE) {
        // A null arm cannot be the one that is used.
        if (term_is_zero(t, (Term){n.b}))
            return cond_assume(&w->conds, &s->facts, (Term){n.a}, false) &&
                   touch(w, s, (Term){n.c}, ins);
        if (term_is_zero(t, (Term){n.c}))
            return cond_assume(&w->conds, &s->facts, (Term){n.a}, true) &&
                   touch(w, s, (Term){n.b}, ins);
        return true;
    }
    Address a = term_address(t, address);
    if (!a.base.id)
        return a.index.id || a.offset < 0 ||
               a.offset >= 4096; // near null: the path ends in a fault
    TermKind kind = term_kind(t, a.base);
    if (kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC) return true;
    if (is_uninitialised(w, a.base) && assumes(w, ASSUME_INITIALISED)) return false;
    // Memory that is used was not null.
    if (term_width(t, a.base) == t->pointer_bits) {
        Term null = term_eq(t, a.base, term_null(t));
        if (!cond_assume(&w->conds, &s->facts, null, false)) return false;
    }
    ObjState o = obj_get(s, a.base);
    if (o.status == OBJ_FREED && !(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED))) {
        misuse(w, s, RULE_USE_AFTER_FREE, a.base, ins, NULL);
        held_is_back(w, s, a.base, ins);
        o.flags |= OBJF_ESCAPED; // said once a path
        obj_set(w, s, a.base, o);
    }
    if (kind == T_PARAM || kind == T_INPUT)
        s->touched = pmap_set(w->arena, s->touched, a.base.id, TOUCH_DEREFERENCED);
    return true;
}

bool fits_in(Work *w, const State *s, Term address, uint32_t bytes)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id || term_kind(&w->terms, a.base) != T_HEAP || a.offset < 0) return true;
    Term size = obj_size(s, a.base);
    if (!size.id || a.offset >= EMBEDDED_AT) return true;
    // Always too small: that is the program's error, and no path is excluded by it. (A size of none
    // or one is what allocators make of an empty block, which nobody fills.)
    const TermNode *n = term_node(&w->terms, size);
    if (n->kind == T_INT && n->value > 1) return true;
    uint64_t most = cond_range(&w->conds, s->facts, size).umax;
    return (a.index.id ? 0 : (uint64_t)a.offset) + bytes <= most || !assumes(w, ASSUME_IN_BOUNDS);
}

void touch_if_any(Work *w, State *s, Term address, uint32_t ins)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id) return;
    TermKind kind = term_kind(&w->terms, a.base);
    if (obj_get(s, a.base).status == OBJ_FREED)
        touch(w, s, address, ins);
    else if ((kind == T_PARAM || kind == T_INPUT) && !pmap_get(s->touched, a.base.id, NULL))
        s->touched = pmap_set(w->arena, s->touched, a.base.id, TOUCH_USED);
}
