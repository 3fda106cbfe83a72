// What speaks against a misuse of memory that the path shows.
#include "lost/lost_int.h"

#include "finding/grounds.h"
#include "heap/elements.h"
#include "unit/types.h"

// Tests that speak of the misused object itself.
typedef struct {
    Work *w;
    Term base;
    bool shape; // by its own pointers: how the structure that it is part of looks
    bool flag;  // by a field that unknown code may have written: whether it is to be freed at all
    bool count; // by a number in it: how many hold it, say
    bool number; // by any number in it
    bool known; // no value was tested that unknown code or a join left open
} OwnTests;

static bool is_own_test_of(void *context, Term x)
{
    OwnTests *o = context;
    const TermNode *n = term_node(&o->w->terms, x);
    if (n->kind == T_INPUT && n->a == o->base.id && n->width == o->w->terms.pointer_bits)
        o->shape = true;
    if (n->kind == T_INPUT && n->a == o->base.id && n->width == 32) o->count = true;
    if (n->kind == T_INPUT && n->a == o->base.id && n->width < o->w->terms.pointer_bits) o->number = true;
    if (n->kind == T_HAVOC && n->b == o->base.id) o->flag = true;
    if (n->kind == T_HAVOC || n->kind == T_MERGE) o->known = false;
    return false; // all of them
}

static bool own_test(void *context, uint64_t key, uint64_t fact)
{
    OwnTests *o = context;
    (void)fact;
    term_any(&o->w->terms, (Term){(uint32_t)key}, is_own_test_of, o);
    return !(o->shape && o->flag && o->count && o->number && !o->known);
}

// A variable that this function does not name itself: a callee made it stand for an empty buffer,
// and tells it from others by what it keeps beside it. A string literal is none.
static bool is_stand_in(const Work *w, Term base)
{
    const TermNode *n = term_node(&w->terms, base);
    if (n->kind != T_GLOBAL) return false;
    const Program *p = w->facts->program;
    const ProgGlobal *g = &p->globals.at[n->a];
    if (p->units[g->unit]->globals.at[g->global.id].flags & GLOBAL_STRING) return false;
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        Operands o = ins_operands(w->unit, w->func, func_ins(w->unit, w->func, i));
        for (uint32_t k = 0; k < o.count + o.more_count; k++) {
            Ref r = operand_at(&o, k);
            if (!ref_is_const(r)) continue;
            const Const *c = &w->unit->consts.at[ref_index(r)];
            if (c->kind == CONST_GLOBAL &&
                program_global(p, w->unit_index, (UGlobalId){c->target}).id == n->a)
                return false;
        }
    }
    return true;
}

// What a variable of a library's holds (the standard streams) is the library's: it opens it again
// and never gives its memory back.
static bool is_of_library(const Work *w, Term base)
{
    const TermNode *n = term_node(&w->terms, base);
    if (n->kind != T_INPUT || term_kind(&w->terms, (Term){n->a}) != T_GLOBAL) return false;
    const Program *p = w->facts->program;
    return !(p->globals.at[term_node(&w->terms, (Term){n->a})->a].flags & PROG_DEFINED);
}

// Whether a function of the program's own released it.
static bool is_freed_by_callee(Work *w, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (i->op != OP_CALL && i->op != OP_INVOKE) return false;
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){i->a});
    return f.id && program_has_code(p, f);
}

// Whether the call was given the address of the first member of a struct, as that member: a part, which
// begins where the whole does.
static bool is_given_part(const Work *w, uint32_t ins)
{
    const Ins *call = func_ins(w->unit, w->func, ins);
    for (uint32_t n = 0; n < call->c; n++) {
        Ref r = {*func_extra(w->unit, w->func, call->b + n)};
        const Ins *at = ref_is_ins(r) ? func_ins(w->unit, w->func, ref_index(r)) : NULL;
        if (at && at->op == OP_FIELD && !at->b) return true;
    }
    return false;
}

static const SpecFunc *spec_of_call(const Work *w, const Ins *i)
{
    if (i->op != OP_CALL && i->op != OP_INVOKE) return NULL;
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){i->a});
    return f.id && !program_has_code(w->facts->program, f) ? facts_spec(w->facts, f) : NULL;
}

// Whether the value is an argument, lent, of a library function that makes an object of the family; maybe as what
// another one gives back (a cast).
static bool is_made_into_another(const Work *w, uint32_t value, FamilyId family, uint32_t until, int depth)
{
    UseRange uses = w->uses[value];
    for (uint32_t n = 0; n < uses.count; n++) {
        uint32_t at = w->use_ins[uses.first + n];
        const Ins *i = func_ins(w->unit, w->func, at);
        const SpecFunc *spec = spec_of_call(w, i);
        for (uint32_t k = 0; spec && at < until && k < i->c && k < spec->param_count; k++) {
            if (!ref_same((Ref){*func_extra(w->unit, w->func, i->b + k)}, ref_ins(value))) continue;
            const SpecParam *p = &spec->params[k];
            bool lent = p->mode == SPEC_REF && p->place == SPEC_ITSELF;
            if (lent && spec->result.gives == SPEC_OWN && spec->result.family.id == family.id) return true;
            bool same = spec->result.gives == SPEC_ALIAS && spec->result.param == (int)k;
            if (same && depth && is_made_into_another(w, at, family, until, depth - 1)) return true;
        }
    }
    return false;
}

// Whether the call lets go of one reference alone, and another object was made of this one before: a stream of
// another stream. That one may have a reference of its own.
static bool is_held_by_another(const Work *w, const ObjInfo *info, uint32_t released)
{
    enum { CASTS = 2 };
    const SpecFunc *spec = spec_of_call(w, func_ins(w->unit, w->func, released));
    bool counted = false;
    for (uint32_t k = 0; spec && k < spec->param_count; k++) counted |= spec->params[k].mode == SPEC_REF_DEC;
    return counted && is_made_into_another(w, info->ins, info->family, released, CASTS);
}

// Whether the pointer shares its place with others in a union, and the path asked for a field
// beside it: which of them is there, the two tests of one path need not agree about in our eyes.
static bool is_one_of_union(Work *w, const State *s, Term base)
{
    enum { DEPTH = 4 };
    const TermNode n = *term_node(&w->terms, base);
    if (n.kind != T_INPUT || n.b || n.value < 0) return false;
    TypeId holder = pointee(w->unit, input_type(w, (Term){n.a}, DEPTH));
    return holder.id && in_union(w->unit, holder, (uint64_t)n.value) &&
           explain_asks_beside(w, s, base);
}

// A pointer that a loop has left unknown, or that lies too deep to be told from others.
static bool is_left_unknown(const Terms *t, Term x)
{
    TermKind kind = term_kind(t, x);
    return kind == T_MERGE || kind == T_HAVOC || kind == T_UNDEF;
}

// Whether it was released with a struct that leads to it, and a number in that was asked first: what a
// struct holds goes with the last reference to the struct.
static bool holder_is_counted(Work *w, const State *s, Term base, uint32_t ins)
{
    while (term_kind(&w->terms, base) == T_INPUT) {
        base = (Term){term_node(&w->terms, base)->a};
        ObjState o = obj_get(s, base);
        OwnTests t = {.w = w, .base = base};
        if (o.status != OBJ_FREED || o.ins != ins) continue;
        pmap_each(s->facts, own_test, &t);
        if (t.count) return true;
    }
    return false;
}

// A library function that releases what it is given, and tells by a number whether that went well, which is asked.
static bool reports_failure(const Work *w, uint32_t ins)
{
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){func_ins(w->unit, w->func, ins)->a});
    const SpecFunc *spec = f.id && !program_has_code(w->facts->program, f) ? facts_spec(w->facts, f) : NULL;
    return spec && spec->result.gives == SPEC_PLAIN && w->uses[ins].count != 0;
}

// What the caller handed in is a tree to us. Where it is a list with two directions, a node whose
// back pointer was found null or not may be the one that another pointer leads to: taking it out
// mends that pointer too. And a struct with a field that says whether it is to be freed.
void doubt_misuse(Work *w, const State *s, Rule rule, Term base, uint32_t ins, const ObjInfo *info, Doubts *d)
{
    TermKind kind = term_kind(&w->terms, base);
    if (s->guesses > 1) explain_doubt(w, d, DOUBT_SEVERAL_TESTS, ins, NULL);
    OwnTests o = {.w = w, .base = base, .known = true};
    pmap_each(s->facts, own_test, &o);
    // Of a loop over such a list, what its nodes hold is met again with them; in a round that stands
    // for many the list itself is not known, and its first node may be another one each time.
    for (Term x = base; s->loops && !o.shape && term_kind(&w->terms, x) == T_INPUT;) {
        x = (Term){term_node(&w->terms, x)->a};
        OwnTests node = {.w = w, .base = x};
        if (term_kind(&w->terms, x) == T_INPUT) pmap_each(s->facts, own_test, &node);
        o.shape |= node.shape || is_left_unknown(&w->terms, x);
    }
    bool repeated = rule == RULE_DOUBLE_FREE || rule == RULE_USE_AFTER_FREE;
    if (rule == RULE_DOUBLE_FREE && is_of_library(w, base))
        explain_doubt(w, d, DOUBT_OF_LIBRARY, ins, NULL);
    // A callee that frees it only when a count in it says so: whoever uses it afterwards knows of
    // another reference.
    ObjState gone = obj_get(s, base);
    if (rule == RULE_USE_AFTER_FREE && kind != T_HEAP && gone.status == OBJ_FREED &&
        is_freed_by_callee(w, gone.ins) && (o.count || holder_is_counted(w, s, base, gone.ins)))
        explain_doubt(w, d, DOUBT_COUNTED, gone.ins, NULL);
    // What frees a part only where a number in it says so knows that from those which are blocks of their own.
    if (repeated && kind != T_HEAP && o.number && gone.status == OBJ_FREED && is_freed_by_callee(w, gone.ins) &&
        is_given_part(w, gone.ins))
        explain_doubt(w, d, DOUBT_FLAGGED, gone.ins, NULL);
    if (repeated && kind == T_HEAP && info && gone.status == OBJ_FREED && is_held_by_another(w, info, gone.ins))
        explain_doubt(w, d, DOUBT_HELD_BY_ANOTHER, gone.ins, NULL);
    if (repeated && kind == T_INPUT && o.shape) explain_doubt(w, d, DOUBT_LINKED, ins, NULL);
    if (repeated && kind == T_INPUT && is_one_of_union(w, s, base))
        explain_doubt(w, d, DOUBT_IN_UNION, ins, NULL);
    // What stands in for a block (a static buffer) is told from one by a field beside the pointer.
    bool invalid = rule == RULE_INVALID_FREE && kind != T_HEAP;
    if (invalid && (o.flag || !o.known)) explain_doubt(w, d, DOUBT_FLAGGED, ins, NULL);
    // A static buffer that stands for an empty one: which of the joined paths had it, and what says
    // so, is not known any more, here or in the callee.
    bool joined = (s->flags & STATE_JOINED) || doubt_has(&s->doubts, DOUBT_MERGED_RELEASE);
    if (invalid && (joined || is_stand_in(w, base)))
        explain_doubt(w, d, DOUBT_STAND_IN, ins, NULL);
    // An allocator and its release, each behind a pointer that can be replaced: they are replaced
    // together, which the two choices of this path do not know. Likewise, one of the functions that
    // a pointer may hold releases what the others leave (a realloc that frees when it fails).
    bool unlike = (rule == RULE_INVALID_FREE || rule == RULE_MISMATCHED_FREE) && kind == T_HEAP;
    if ((unlike || repeated) && explain_choices(w, s)) explain_doubt(w, d, DOUBT_HOOKED, ins, NULL);
    // A number that is closed twice is an error that the second close tells, no more.
    const SpecFamily *f = info ? spec_family(w->facts->specs, info->family) : NULL;
    bool number = (f && f->repr == SPEC_VALUE) || is_number_input(&w->terms, base);
    if (rule == RULE_DOUBLE_FREE && number) explain_doubt(w, d, DOUBT_CLOSED_TWICE, ins, NULL);
    if (rule == RULE_DOUBLE_FREE && gone.status == OBJ_FREED && gone.ins == ins && reports_failure(w, ins))
        explain_doubt(w, d, DOUBT_TRIED_AGAIN, ins, NULL);
}
