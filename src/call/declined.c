// Releases that a callee leaves undone for a reason: the program as a whole has them switched off,
// or a count in the block says that others still use it.
#include "call/call_int.h"

static bool frees_term(const Case *c, Term x)
{
    for (uint32_t i = 0; i < c->free_count; i++)
        if (term_same(c->frees[i].base, x)) return true;
    return false;
}

// Whether it is a global that this function has not set itself, or a comparison of one with a
// constant.
static bool is_of_global(Instance *k, Term guard)
{
    const Summary *sum = k->sum;
    if (term_kind(&k->w->terms, translate(k, guard)) == T_INT) return false;
    const TermNode *n = &sum->terms.nodes.at[guard.id];
    if (n->kind == T_NOT) n = &sum->terms.nodes.at[n->a];
    if (n->kind >= T_EQ && n->kind <= T_SLT) n = &sum->terms.nodes.at[n->a];
    return n->kind == T_INPUT && sum->terms.nodes.at[n->a].kind == T_GLOBAL;
}

static bool asks_global(Instance *k)
{
    for (uint32_t i = 0; i < k->c->guard_count; i++)
        if (is_of_global(k, k->c->guards[i].term)) return true;
    return false;
}

typedef struct {
    Work *w;
    Term base;
} FieldCells;

static bool is_written_field(void *context, Term x)
{
    const FieldCells *f = context;
    const TermNode *n = term_node(&f->w->terms, x);
    return n->kind == T_HAVOC && n->b == f->base.id;
}

// Whether the case asks for a field of the block that unknown code has written.
static bool asks_written(Instance *k, Term base)
{
    for (uint32_t i = 0; i < k->c->guard_count; i++)
        if (term_any(&k->w->terms, translate(k, k->c->guards[i].term), is_written_field,
                     &(FieldCells){k->w, base}))
            return true;
    return false;
}

// Whether the case puts the value where it can be found again.
static bool keeps_term(const Case *c, Term x)
{
    for (uint32_t i = 0; i < c->effect_count; i++)
        if (term_same(c->effects[i].value, x)) return true;
    for (uint32_t i = 0; i < c->escape_count; i++)
        if (term_same(c->escapes[i], x)) return true;
    return false;
}

// Whether the two have no value in common, where one of them is a single value.
static bool excludes(const Range *a, const Range *b, uint32_t width)
{
    int64_t value;
    if (!range_single(a, width, &value)) return false;
    if (value < b->smin || value > b->smax) return true;
    for (uint32_t i = 0; i < b->not_count; i++)
        if (b->not [i] == value) return true;
    return false;
}

// Whether a global alone tells this case, in which the caller's block stays, from one that releases
// it: neither the result nor a place where it is kept now does.
static bool is_switched_off(Instance *k, const Case *releasing, Term x)
{
    const Case *c = k->c;
    if (!term_same(c->result, releasing->result) || keeps_term(c, x)) return false;
    for (uint32_t i = 0; i < c->guard_count; i++) {
        const Guard *g = &c->guards[i];
        if (!is_of_global(k, g->term)) continue;
        uint32_t width = k->sum->terms.nodes.at[g->term.id].width;
        for (uint32_t j = 0; j < releasing->guard_count; j++)
            if (term_same(g->term, releasing->guards[j].term) &&
                (excludes(&g->range, &releasing->guards[j].range, width) ||
                 excludes(&releasing->guards[j].range, &g->range, width)))
                return true;
    }
    return false;
}

// Whether the value is a parameter that holds a block of this function's, which this case leaves
// alone.
static bool is_left(Instance *k, Term x)
{
    Work *w = k->w;
    if (k->sum->terms.nodes.at[x.id].kind != T_PARAM || keeps_term(k->c, x) || frees_term(k->c, x))
        return false;
    Term base = term_address(&w->terms, translate(k, x)).base;
    if (!base.id || term_kind(&w->terms, base) != T_HEAP) return false;
    ObjState o = obj_get(k->s, base);
    return o.status == OBJ_ALLOCATED && !(o.flags & OBJF_ESCAPED);
}

// A block that another case keeps (an entry of a table) is not taken in this one, the answer says
// so, and the caller does not look at it: it knows better, most often, for it has looked whether
// the entry is there. Where the library fails, and that alone, it does not know; and where no paths
// were joined in the callee, the conditions are told.
static bool is_refused(Instance *k)
{
    const Summary *sum = k->sum;
    if (!(k->c->joined || doubt_blurs(&k->c->doubts)) || !k->c->result.id || k->c->thrown || k->c->why ||
        k->w->uses[k->ins].count)
        return false;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *c = &sum->cases[i];
        if (c->thrown || term_same(c->result, k->c->result)) continue;
        for (uint32_t j = 0; j < c->effect_count; j++)
            if (is_left(k, c->effects[j].value)) return true;
        for (uint32_t j = 0; j < c->escape_count; j++)
            if (is_left(k, c->escapes[j])) return true;
    }
    return false;
}

// Whether it leads from what the caller has: an argument, or a global.
static bool is_callers(const Summary *sum, Term x)
{
    const TermNode *n = &sum->terms.nodes.at[x.id];
    while (n->kind == T_INPUT || n->kind == T_ADDR) n = &sum->terms.nodes.at[n->a];
    return n->kind == T_PARAM || n->kind == T_GLOBAL;
}

// The block of this function's, or the one that it gets from this case, which another case keeps and this one
// leaves alone. None: there is none.
static Term unplaced(Instance *k, const Case *other)
{
    const Summary *sum = k->sum;
    for (uint32_t i = 0; i < other->effect_count + other->escape_count; i++) {
        bool stored = i < other->effect_count;
        Term x = stored ? other->effects[i].value : other->escapes[i - other->effect_count];
        bool made = sum->terms.nodes.at[x.id].kind == T_HEAP && term_same(x, k->c->result) && stored &&
                    is_callers(sum, other->effects[i].base) && !keeps_term(k->c, x) && !frees_term(k->c, x);
        if (made || is_left(k, x)) return term_address(&k->w->terms, translate(k, x)).base;
    }
    return (Term){0};
}

static bool lacks_memory(const Case *c)
{
    return doubt_has(&c->doubts, DOUBT_NO_MEMORY) || c->why;
}

static bool is_possible(const Instance *k, const Case *other)
{
    State s = *k->before;
    Instance o = {k->w, k->before, &s, k->sum, other, k->args, k->ins, fresh_memo(k->w, k->sum), NULL, {0}};
    return guards_hold(&o);
}

// Whether an earlier call of the function has left a block like this on the path: what that took to be so decides now.
static bool was_unplaced_before(const Instance *k)
{
    for (const Story *e = k->s->story; e; e = e->prev)
        if (e->kind == STORY_UNPLACED && e->text && k->args->name && strcmp(e->text, k->args->name) == 0) return true;
    return false;
}

// Whether the caller looks at what the call returns, other than to hand it on.
static bool is_answer_asked(const Instance *k)
{
    const Work *w = k->w;
    UseRange r = w->uses[k->ins];
    for (uint32_t i = 0; i < r.count; i++) {
        Op op = (Op)func_ins(w->unit, w->func, w->use_ins[r.first + i])->op;
        if (op != OP_RET && op != OP_BIND && op != OP_PHI) return true;
    }
    return false;
}

// A pointer in memory, not one of this function's making, that has to be null for this case to be the one. None
// where the caller asks whether it was: then it reckons with that.
static Term absent(Instance *k)
{
    Terms *t = &k->w->terms;
    if (is_answer_asked(k)) return (Term){0};
    for (uint32_t i = 0; i < k->c->guard_count; i++) {
        const Guard *g = &k->c->guards[i];
        uint32_t width = k->sum->terms.nodes.at[g->term.id].width;
        int64_t value;
        if (width != t->pointer_bits || !range_single(&g->range, width, &value) || value) continue;
        Term x = translate(k, g->term);
        if (term_kind(t, x) == T_INPUT) return x;
    }
    return (Term){0};
}

// Whether the two cases give the caller the same answer, or may: null here, and there what the place held before.
static bool is_same_answer(const Instance *k, const Case *other)
{
    const Terms *t = &k->sum->terms;
    Term mine = k->c->result, theirs = other->result;
    int64_t value;
    if (term_same(mine, theirs)) return true;
    if (!mine.id || !theirs.id || !term_is_int(t, mine, &value) || value || term_kind(t, theirs) != T_INPUT) return false;
    for (uint32_t i = 0; i < other->guard_count; i++)
        if (term_same(other->guards[i].term, theirs)) return false;
    return true;
}

// A block that other cases keep, or give to a function that the program sets, while they return the same: the
// caller cannot tell them apart. What does is the state of the callee's struct (a place that is taken, a
// function that is not set), of which whoever wrote the call may know that it does not occur. Where something
// fails in this case alone, that is why. Likewise where the answer tells, and it is the place to keep it in that
// is missing: a list that is made with its struct. Errs towards `likely`.
static void note_unplaced(Instance *k)
{
    const Summary *sum = k->sum;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *c = &sum->cases[i];
        bool same = is_same_answer(k, c);
        if (c == k->c || c->thrown || (lacks_memory(k->c) && !lacks_memory(c))) continue;
        Term base = unplaced(k, c), null = base.id && !same ? absent(k) : (Term){0};
        if (!base.id || !(same || null.id) || !(is_possible(k, c) || was_unplaced_before(k))) continue;
        story_add(k->w, k->s, STORY_UNPLACED, k->ins, base, null, null.id != 0, k->args->name);
        return;
    }
}

// A release that some state of the whole program switches off ("we are exiting anyway"), or that a
// count in the block puts off, which code that is not followed may have changed: that the block
// stays may be meant then, so what is found about it is likely at most. Where only the switch
// tells, all that such a path leaves behind is meant to be left; what is forgotten shows on the
// path on which releases are done.
void note_declined(Instance *k)
{
    Work *w = k->w;
    const Summary *sum = k->sum;
    if (sum->case_count < 2) return;
    if (is_refused(k)) state_doubt(w, k->s, DOUBT_REFUSED, k->ins);
    note_unplaced(k);
    bool global = asks_global(k);
    for (uint32_t i = 0; i < sum->case_count; i++)
        for (uint32_t j = 0; j < sum->cases[i].free_count; j++) {
            Term x = sum->cases[i].frees[j].base;
            TermKind kind = (TermKind)sum->terms.nodes.at[x.id].kind;
            if ((kind != T_PARAM && kind != T_INPUT) || frees_term(k->c, x)) continue;
            Term base = term_address(&w->terms, translate(k, x)).base;
            if (!base.id) continue;
            if (global && is_switched_off(k, &sum->cases[i], x))
                state_doubt(w, k->s, DOUBT_RELEASES_OFF, k->ins);
            if (term_kind(&w->terms, base) != T_HEAP) continue;
            ObjState o = obj_get(k->s, base);
            if (o.status != OBJ_ALLOCATED || !(global || asks_written(k, base))) continue;
            o.flags |= OBJF_PUT_OFF;
            obj_set(w, k->s, base, o);
        }
}
