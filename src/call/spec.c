// Calls of functions that a spec describes. A condition on the return value splits the state: one
// in which it holds and the effect takes place, one in which it does not.
#include "heap/elements.h"
#include "link/specs.h"
#include "call/call_int.h"

#include "unit/types.h"

#include <string.h>

typedef struct {
    Work *w;
    const SpecFunc *spec;
    const CallArgs *args;
    uint32_t ins;
    const State *before;
} Spec;

static Term argument(const Spec *k, int32_t i)
{
    return i >= 0 && (uint32_t)i < k->args->count ? k->args->at[i] : (Term){0};
}

static Term condition(const Spec *k, const SpecCond *c, Term result)
{
    Terms *t = &k->w->terms;
    if (c->op == SPEC_ALWAYS) return term_int(t, 1, 1);
    Term x = c->subject == SPEC_RETURN ? result : argument(k, c->subject);
    if (!x.id || term_width(t, x) == 0) return term_int(t, 1, 1);
    Term v = term_int(t, term_width(t, x), c->value);
    switch (c->op) {
    case SPEC_EQ:
        return term_eq(t, x, v);
    case SPEC_NE:
        return term_not(t, term_eq(t, x, v));
    case SPEC_LT:
        return term_slt(t, x, v);
    case SPEC_LE:
        return term_not(t, term_slt(t, v, x));
    case SPEC_GT:
        return term_slt(t, v, x);
    case SPEC_GE:
        return term_not(t, term_slt(t, x, v));
    case SPEC_MASK:
        return term_not(t,
                        term_eq(t, term_binary(t, T_AND, x, v), term_int(t, term_width(t, x), 0)));
    case SPEC_ALWAYS:
        break;
    }
    return term_int(t, 1, 1);
}

static Term product(const Spec *k, const int16_t of[2])
{
    Terms *t = &k->w->terms;
    Term r = {0};
    for (int i = 0; i < 2; i++) {
        if (of[i] < 0) continue;
        Term x = argument(k, of[i]);
        if (!x.id || term_width(t, x) == 0) return (Term){0};
        if (term_width(t, x) != t->pointer_bits)
            x = term_convert(t, term_width(t, x) > t->pointer_bits ? T_TRUNC : T_ZEXT, x,
                             t->pointer_bits);
        r = r.id ? term_binary(t, T_MUL, r, x) : x;
    }
    return r;
}

static ObjInfo fresh_info(const Spec *k, FamilyId family, bool deep, SpecFail fail, int64_t fail_value)
{
    const SpecFamily *f = spec_family(k->w->facts->specs, family);
    ObjInfo info = {
        .family = family,
        .allocator = k->args->name,
        .pos = pos_of_ins(k->w, k->ins),
        .fail = fail,
        .fail_value = fail_value,
        .zeroed = k->spec->zeroed,
        .filled = !k->spec->zeroed && k->spec->size[0] == SPEC_NONE,
        .resource = f && f->resource,
        .for_memory = !(f && f->resource) && k->spec->fails != SPEC_FAILS_ON_INPUT,
        .arena = f && f->arena,
        .embedded = f && f->repr == SPEC_EMBEDDED,
        .deep = deep,
        .size = product(k, k->spec->size),
        .believed = k->spec->belief,
        .doubt = k->spec->belief ? DOUBT_BELIEVED : 0,
    };
    return info;
}

// Several states at once: every effect maps the list to a new list.

// "s != null" of a pointer that the program has from elsewhere and never tested: it counts on it.
// Errs towards a missed leak.
static bool is_counted_on(const Spec *k, const State *s, const SpecCond *c, Term result)
{
    const Terms *t = &k->w->terms;
    if (c->op != SPEC_NE || c->subject < 0 || result.id) return false;
    Term x = argument(k, c->subject);
    if (!x.id || term_width(t, x) != t->pointer_bits) return false;
    TermKind kind = term_kind(t, x);
    return (kind == T_INPUT || kind == T_RESULT || kind == T_HAVOC) &&
           !pmap_get(s->facts, x.id, NULL);
}

static void split(const Spec *k, const State *s, Term cond, States *yes, States *no)
{
    Truth known = cond_decide(&k->w->conds, s->facts, cond);
    for (int side = 1; side >= 0; side--) {
        if (known == (side ? COND_FALSE : COND_TRUE)) continue;
        State copy = *s;
        if (known == COND_UNKNOWN) note_guess(k->w, &copy, cond);
        if (!cond_assume(&k->w->conds, &copy.facts, cond, side)) continue;
        if (side)
            vec_push(yes, copy);
        else
            vec_push(no, copy);
    }
}

// A size is never so large that it looks negative, nor when it becomes an int: sums of sizes do not
// wrap, and what a program does with strings of 2 GiB is of no interest. Errs towards a missed
// leak.
static bool is_size(const Spec *k)
{
    const SpecType *type = k->spec->result_type;
    const Names *names = spec_names(k->w->facts->specs);
    return type && type->kind == SPEC_T_BASE && k->spec->fail == SPEC_NO_FAIL &&
           strcmp(name_text(names, type->name), "size_t") == 0;
}

// Whether the opaque argument is an object that was cleared and not changed since: a condition on its state, so that
// callers know.
static Term is_clear(const Spec *k, State *s)
{
    for (uint32_t i = 0; i < k->args->count && i < k->spec->param_count; i++)
        if (k->spec->params[i].opaque && k->args->at[i].id && term_address(&k->w->terms, k->args->at[i]).base.id)
            return object_is_clear(k->w, s, k->args->at[i], k->ins);
    return (Term){0};
}

static Term plain_result(const Spec *k, State *s)
{
    Work *w = k->w;
    const Ins *i = func_ins(w->unit, w->func, k->ins);
    if (mtype_class(i->type) == MT_VOID) return (Term){0};
    Term r = value_unknown(w, s, k->ins, made(MADE_VALUE, 0), i->type);
    uint32_t width = term_width(&w->terms, r);
    Term clear = k->spec->tells_cleared && width ? is_clear(k, s) : (Term){0};
    if (clear.id && width == 1) return k->spec->when_cleared ? clear : term_not(&w->terms, clear);
    if (width) r = asked_before(w, s, k->spec, k->args, r);
    Term same = k->spec->compares[0] != SPEC_NONE ? same_content(w, s, k->spec, k->args, k->ins) : (Term){0};
    if (same.id && width == 1) return k->spec->differs ? term_not(&w->terms, same) : same;
    if (same.id) {
        cond_assume(&w->conds, &s->facts, term_eq(&w->terms, r, term_int(&w->terms, width, 0)), false);
        return term_ite(&w->terms, same, term_int(&w->terms, width, 0), r);
    }
    if (width > 1 && is_size(k)) {
        Range range = cond_range(&w->conds, s->facts, r);
        range.smin = 0, range.smax = INT32_MAX, range.umin = 0, range.umax = INT32_MAX;
        cond_restrict(&w->conds, &s->facts, r, &range);
    }
    return clear.id ? term_ite(&w->terms, clear, term_int(&w->terms, width, k->spec->when_cleared), r) : r;
}

// A choice that the path has already made.
static Term chosen(const Spec *k, const State *s, Term x)
{
    for (;;) {
        const TermNode *n = term_node(&k->w->terms, x);
        if (n->kind != T_ITE) return x;
        Truth c = cond_decide(&k->w->conds, s->facts, (Term){n->a});
        if (c == COND_UNKNOWN) return x;
        x = (Term){c == COND_TRUE ? n->b : n->c};
    }
}

// The parameter that the value is about, or what it points to when the call begins.
static Term subject(const Spec *k, const State *s, const SpecValue *v)
{
    Terms *t = &k->w->terms;
    Term p = argument(k, v->param);
    if (!v->deref || !p.id) return p;
    if (term_width(t, p) != t->pointer_bits || !term_address(t, p).base.id) return (Term){0};
    State before = *k->before;
    Term x =
        mem_load(k->w, &before, p, t->pointer_bits / 8, mtype(MT_INT, t->pointer_bits), k->ins);
    return chosen(k, s, x);
}

// The value, or null when the call fails.
static Term or_null(const Spec *k, const State *s, Term x, uint32_t number)
{
    Terms *t = &k->w->terms;
    return term_ite(t, bits_unknown(k->w, s, k->ins, number, 1), x, term_null(t));
}

// Of a call through a pointer: what each of its targets brings is another object.
static uint32_t object_number(const Spec *k, uint32_t which)
{
    Ref callee = {func_ins(k->w->unit, k->w->func, k->ins)->a};
    return ref_is_const(callee) ? made(MADE_VALUE, which)
                                : number_by_target(k->w, k->spec->name.id, which, true);
}

// The value that `v` says, in this state; `which` of the call's values it is, see numbers.h.
static Term given(const Spec *k, State *s, const SpecValue *v, uint32_t which, uint32_t width,
                  SpecFail fail, int64_t fail_value)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    switch (v->gives) {
    case SPEC_OWN: {
        ObjInfo info = fresh_info(k, v->family, v->deep, fail, fail_value);
        if (v->in >= 0) info.arena = true;
        if (!size_is_possible(w, s, info.size) && fail == SPEC_OR_NULL) return term_int(t, width, 0);
        Term h = obj_new(w, s, k->ins, object_number(k, which), &info, width);
        if (v->in >= 0 && argument(k, v->in).id && width == t->pointer_bits) {
            Term arena = term_address(t, argument(k, v->in)).base;
            if (arena.id) mem_store(w, s, term_field(t, h, ARENA_AT), width / 8, arena, k->ins);
            s->flags |= STATE_ARENA;
        }
        if (fail == SPEC_NO_FAIL && !info.embedded &&
            !(spec_family(w->facts->specs, v->family) &&
              spec_family(w->facts->specs, v->family)->repr == SPEC_VALUE))
            cond_assume(&w->conds, &s->facts, term_eq(t, h, term_int(t, width, 0)), false);
        return h;
    }
    case SPEC_ALIAS: {
        Term p = subject(k, s, v);
        if (!p.id) break;
        if (fail != SPEC_OR_NULL || width != t->pointer_bits) return p;
        return or_null(k, s, p, made(MADE_GIVES, which));
    }
    case SPEC_INSIDE: {
        Term p = subject(k, s, v);
        if (!p.id || term_width(t, p) != t->pointer_bits) break;
        Term by = bits_unknown(w, s, k->ins, made(MADE_DISTANCE, which), t->pointer_bits);
        Term inside = term_index(t, p, by, 1);
        if (fail != SPEC_OR_NULL) return inside;
        return or_null(k, s, inside, made(MADE_GIVES_INSIDE, which));
    }
    case SPEC_NULL:
        return term_int(t, width, v->number);
    case SPEC_REF_OF: {
        Term owner = v->param >= 0 && k->spec->params[v->param].opaque ? subject(k, s, v) : (Term){0};
        Term text = owner.id && width == t->pointer_bits ? text_of(w, s, owner, k->ins, k->args->name) : (Term){0};
        if (text.id) return text;
        break;
    }
    case SPEC_PLAIN:
    case SPEC_STATIC:
    case SPEC_POLY:
        break;
    }
    Term r = bits_unknown(w, s, k->ins, made(MADE_VALUE, which), width);
    return k->spec->pure && which == 0 ? asked_before(w, s, k->spec, k->args, r) : r;
}

// realloc: succeeds and the block moves with its contents; or fails and it stays.
static void exchange(const Spec *k, const State *before, uint32_t param, States *out,
                     TermList *results)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    Term old = argument(k, (int32_t)param), frees = {0};
    if (k->spec->realloc_frees.op != SPEC_ALWAYS) {
        frees = condition(k, &k->spec->realloc_frees, (Term){0});
        if (cond_decide(&w->conds, before->facts, frees) == COND_TRUE) {
            State s = *before;
            release(w, &s, old, k->spec->params[param].family, false, k->ins, k->args->name);
            vec_push(out, s);
            vec_push(results, term_null(t));
            return;
        }
    }
    State moved = *before;
    Address a = term_address(t, old);
    ObjInfo info = fresh_info(k, k->spec->result.family, false, SPEC_NO_FAIL, 0);
    bool sized = size_is_possible(w, &moved, info.size), possible = sized;
    Term h = obj_new(w, &moved, k->ins, object_number(k, 0), &info, t->pointer_bits);
    int64_t none = k->spec->fail == SPEC_OR_VALUE ? k->spec->fail_value : 0;
    Term nothing = term_int(t, t->pointer_bits, none);
    cond_assume(&w->conds, &moved.facts, term_eq(t, h, term_null(t)), false);
    cond_assume(&w->conds, &moved.facts, term_eq(t, h, nothing), false);
    if (a.base.id && possible) {
        ObjState o = obj_get(&moved, a.base);
        bool live = !(term_kind(t, a.base) == T_HEAP && obj_failed(w, &moved, a.base));
        if (live) {
            mem_copy(w, &moved, h, old,
                     bits_unknown(w, &moved, k->ins, made(MADE_MOVED, 0), t->pointer_bits),
                     k->ins);
            // The contents live on in the new block: they are taken out before the old one goes.
            PMap lost = moved.lost;
            mem_forget(w, &moved, a.base);
            moved.lost = lost;
            possible = release(w, &moved, old, k->spec->params[param].family, false, k->ins,
                               k->args->name);
            if (o.flags & OBJF_ESCAPED)
                obj_set(w, &moved, h,
                        (ObjState){OBJ_ALLOCATED, o.flags & (OBJF_ESCAPED | OBJF_FAMILY), k->ins, {0}});
        }
    }
    if (possible) {
        story_add(w, &moved, STORY_CALL, k->ins, h, (Term){CALL_SUCCEEDS}, false, NULL);
        vec_push(out, moved);
        vec_push(results, h);
    }
    if (k->spec->fail == SPEC_OR_NULL || k->spec->fail == SPEC_OR_VALUE) {
        State failed = *before;
        failed.flags |= STATE_ERROR;
        // The failure is a fact with a name, for the condition in words.
        Term r = bits_unknown(w, &failed, k->ins, made(MADE_VALUE, 0), t->pointer_bits);
        // Null for a size of 0 is no failure: a wrapper that dies unless the size is 0 never loses
        // the block. That size gets no way of its own where it is not known: `if (!q) free (p);`
        // would free twice for a size that nobody gives. Errs towards a missed double free.
        bool fails = !frees.id || cond_assume(&w->conds, &failed.facts, frees, false);
        // Nor is more asked for then than there can be, where that is not what makes it fail.
        fails = fails && (!sized || size_is_possible(w, &failed, info.size));
        Term failure = term_eq(t, r, nothing);
        if (fails && cond_assume(&w->conds, &failed.facts, failure, true)) {
            story_add(w, &failed, STORY_BRANCH, k->ins, failure, (Term){0}, true, NULL);
            if (info.for_memory) state_doubt(w, &failed, DOUBT_NO_MEMORY, k->ins);
            vec_push(out, failed);
            vec_push(results, nothing);
        }
    }
}

static bool is_embedded(const Spec *k, FamilyId f)
{
    const SpecFamily *family = spec_family(k->w->facts->specs, f);
    return family && family->repr == SPEC_EMBEDDED;
}

static void take(const Spec *k, State *s, const SpecParam *p, Term x)
{
    Work *w = k->w;
    if (is_embedded(k, p->family)) {
        Term at = term_field(&w->terms, x, EMBEDDED_AT);
        MType type = mtype(MT_INT, w->terms.pointer_bits);
        Address a = term_address(&w->terms, at);
        uint64_t value;
        // What is in a struct of the caller's the caller may know. Of others it was never made.
        TermKind kind = a.base.id ? term_kind(&w->terms, a.base) : T_UNDEF;
        bool callers = kind == T_PARAM || kind == T_INPUT;
        if (callers ||
            (a.base.id && !a.index.id && pmap_get(s->mem, cell_key(a.base, a.offset), &value))) {
            Term handle = mem_load(w, s, at, w->terms.pointer_bits / 8, type, k->ins);
            release(w, s, handle, p->family, p->deep, k->ins, k->args->name);
            mem_store(w, s, at, w->terms.pointer_bits / 8, term_null(&w->terms), k->ins);
        }
        return;
    }
    release(w, s, x, p->family, p->deep, k->ins, k->args->name);
}

// A pointer that moves along the block it points into (inout ref); null stays null.
static Term moved_along(const Spec *k, const State *s, Term old, uint32_t which, bool or_end)
{
    Terms *t = &k->w->terms;
    const TermNode n = *term_node(t, old);
    if (n.kind == T_ITE) {
        Term a = moved_along(k, s, (Term){n.b}, which, or_end),
             b = moved_along(k, s, (Term){n.c}, which, or_end);
        return term_ite(t, (Term){n.a}, a, b);
    }
    if (!term_address(t, old).base.id) return old;
    Term by = bits_unknown(k->w, s, k->ins, made(MADE_DISTANCE, which), t->pointer_bits);
    Term moved = term_index(t, old, by, 1);
    return or_end ? or_null(k, s, moved, made(MADE_GIVES_INSIDE, which)) : moved;
}

static void advance(const Spec *k, State *s, const SpecParam *p, uint32_t index, Term x, Term old)
{
    Terms *t = &k->w->terms;
    if (!old.id || term_width(t, old) != t->pointer_bits) return;
    Term moved = moved_along(k, s, old, made_by_param(index, 0), p->or_null);
    mem_store(k->w, s, x, t->pointer_bits / 8, moved, k->ins);
}

static Term below(Terms *t, Term x, int64_t least)
{
    return term_slt(t, x, term_int(t, term_width(t, x), least));
}

// A list of arguments, whose pointers lead to what is meant.
static bool is_list(const Spec *k, const SpecParam *p)
{
    const Names *names = spec_names(k->w->facts->specs);
    return p->type && p->type->kind == SPEC_T_BASE &&
           strcmp(name_text(names, p->type->name), "va_list") == 0;
}

// The library fills the struct that has a resource inside: what was zero there may be anything now.
// Pointers that the program set itself stay.
static void fill_struct(const Spec *k, State *s, uint32_t index, Term x)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    const Ins *i = func_ins(w->unit, w->func, k->ins);
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){i->a});
    const Unit *u;
    const Func *decl = f.id ? program_decl(p, f, &u) : NULL;
    if (!decl || index >= decl->param_count) return;
    TypeId type = plain_type(u, pointee(u, u->params.at[decl->first_param + index].type));
    uint32_t step = t->pointer_bits / 8;
    uint64_t size = type.id ? u->types.at[type.id].size : 0;
    for (uint64_t at = 0; size <= STRUCT_FILLED && at + step <= size; at += step) {
        Term place = term_field(t, x, (int64_t)at);
        Term old = mem_load(w, s, place, step, mtype(MT_INT, t->pointer_bits), k->ins);
        if (!term_is_zero(t, old) && term_kind(t, old) != T_UNDEF) continue;
        mem_store(w, s, place, step,
                  term_leaf(t, T_RESULT, t->pointer_bits, k->ins, made(MADE_STRUCT, index), s->iter,
                            (int64_t)at),
                  k->ins);
    }
}

// A block that a library function keeps for its caller, and may enlarge, moves by that: where other
// pointers lead into it, they are stale. Without any it may as well have stayed.
static void moves_away(const Spec *k, State *s, const SpecParam *p, uint32_t index, Term x,
                       Term old)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    Address block = term_address(t, chosen(k, s, old)), home = term_address(t, x);
    if (!block.base.id || block.offset || block.index.id ||
        term_kind(t, block.base) != T_HEAP || home.index.id)
        return;
    ObjState o = obj_get(s, block.base);
    if (o.status != OBJ_ALLOCATED || (o.flags & (OBJF_ESCAPED | OBJF_FAMILY)) ||
        !held_elsewhere(w, s, func_block_of(w->unit, w->func, k->ins), k->ins, block.base,
                        cell_key(home.base, home.offset)))
        return;
    ObjInfo info = fresh_info(k, p->value.family, false, SPEC_NO_FAIL, 0);
    Term moved = obj_new(w, s, k->ins, made(MADE_ENLARGED, index), &info, t->pointer_bits);
    cond_assume(&w->conds, &s->facts, term_eq(t, moved, term_null(t)), false);
    mem_store(w, s, x, t->pointer_bits / 8, moved, k->ins);
    release(w, s, block.base, p->value.family, false, k->ins, k->args->name);
}

// How wide a number is that the call writes to where the argument points: a descriptor is an int, a timer is as wide as
// a pointer, and so is what any type of pointer may lead to.
static uint32_t number_width(const Spec *k, uint32_t index)
{
    const Work *w = k->w;
    const Program *p = w->facts->program;
    Ref callee = {func_ins(w->unit, w->func, k->ins)->a};
    FuncId f = program_callee(p, w->unit_index, w->unit, callee);
    const Unit *u = NULL;
    const Func *decl = f.id ? program_decl(p, f, &u) : NULL;
    if (!decl || index >= decl->param_count) return NUMBER_BITS;
    TypeId to = pointee(u, u->params.at[decl->first_param + index].type);
    uint64_t bytes = to.id ? u->types.at[plain_type(u, to).id].size : 0;
    return !bytes || bytes * 8 == w->terms.pointer_bits ? w->terms.pointer_bits : NUMBER_BITS;
}

// Plain data is written there, or through the pointers of a list.
static void fill(const Spec *k, State *s, const SpecParam *p, uint32_t index, Term x)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    if (p->then_positive) {
        uint32_t width = number_width(k, index);
        Term n = bits_unknown(w, s, k->ins, made(MADE_FILLED, index), width);
        cond_assume(&w->conds, &s->facts, term_slt(t, term_int(t, width, 0), n), true);
        if (term_address(t, x).base.id) mem_store(w, s, x, width / 8, n, k->ins);
        return;
    }
    if (is_list(k, p)) {
        rest_filled(w, s, x, k->ins);
        return;
    }
    Term length = product(k, p->length);
    if (!length.id)
        length = bits_unknown(w, s, k->ins, made(MADE_LENGTH, index), t->pointer_bits);
    mem_fill(w, s, x, bits_unknown(w, s, k->ins, made(MADE_FILLED, index), 8), length, k->ins);
}

// What the call puts where the argument points.
static void effect_out(const Spec *k, State *s, const SpecParam *p, uint32_t index, Term x)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    Address home = term_address(t, x);
    if (term_width(t, x) != t->pointer_bits || !home.base.id) return;
    const SpecFamily *f = spec_family(w->facts->specs, p->value.family);
    if (f && f->repr == SPEC_EMBEDDED) {
        // Begun again what is there is used again (`inout`), as lzma does.
        Term old = p->place == SPEC_INOUT ? mem_load(w, s, term_field(t, x, EMBEDDED_AT), t->pointer_bits / 8,
                                                     mtype(MT_INT, t->pointer_bits), k->ins)
                                          : (Term){0};
        Address there = term_address(t, old);
        if (there.base.id && term_kind(t, there.base) == T_HEAP && obj_get(s, there.base).status == OBJ_ALLOCATED) return;
        Term h = given(k, s, &p->value, made_by_param(index, 0), t->pointer_bits, SPEC_NO_FAIL, 0);
        mem_store(w, s, term_field(t, x, EMBEDDED_AT), t->pointer_bits / 8, h, k->ins);
        fill_struct(k, s, index, x);
        return;
    }
    uint32_t width = f && f->repr == SPEC_VALUE ? number_width(k, index) : t->pointer_bits;
    if (p->place == SPEC_INOUT) {
        Term old = mem_load(w, s, x, width / 8, mtype(MT_INT, width), k->ins);
        Term null = term_eq(t, old, term_int(t, width, 0));
        if (p->value.gives != SPEC_OWN) {
            advance(k, s, p, index, x, chosen(k, s, old));
            return;
        }
        if (cond_decide(&w->conds, s->facts, null) != COND_TRUE) {
            mem_scribble(w, s, old, 0, k->ins);
            if (p->or_inside)
                advance(k, s, p, index, x, chosen(k, s, old));
            else
                moves_away(k, s, p, index, x, old); // it stays, perhaps enlarged
            return;
        }
    }
    // A struct whose first member is what the call gives; a length often stands behind it.
    if (p->place == SPEC_OUT && p->effect == SPEC_FILLS) fill_struct(k, s, index, x);
    for (uint32_t i = 0; i < (p->count ? p->count : 1); i++) {
        Term v = given(k, s, &p->value, made_by_param(index, i), width,
                       p->or_null ? SPEC_OR_NULL : SPEC_NO_FAIL, 0);
        if (p->bounded) cond_assume(&w->conds, &s->facts, below(t, v, p->least), false);
        mem_store(w, s, term_field(t, x, (int64_t)i * (width / 8)), width / 8, v, k->ins);
    }
}

// What happens to one argument, its condition being fulfilled.
static void effect(const Spec *k, State *s, const SpecParam *p, uint32_t index, Term x)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    bool pointer = term_width(t, x) == t->pointer_bits;
    MType word = mtype(MT_INT, t->pointer_bits);
    switch (p->place) {
    case SPEC_ITSELF:
        break;
    case SPEC_IN:
        if (is_embedded(k, p->family)) {
            take(k, s, p, x);
            return;
        }
        if (pointer && term_address(t, x).base.id) {
            Term inner = mem_load(w, s, x, t->pointer_bits / 8, word, k->ins);
            release(w, s, inner, p->family, p->deep, k->ins, k->args->name);
            if (p->then_null) mem_store(w, s, x, t->pointer_bits / 8, term_null(t), k->ins);
        }
        return;
    case SPEC_OUT:
    case SPEC_INOUT:
        effect_out(k, s, p, index, x);
        return;
    }
    switch (p->mode) {
    case SPEC_TAKE:
        take(k, s, p, x);
        return;
    case SPEC_HOLD:
    case SPEC_KEEP:
    case SPEC_BY_TYPE:
        escape_term(w, s, x, k->ins);
        break;
    case SPEC_REF_INC: {
        // Of an object that was made here every reference is known.
        Address a = term_address(t, x);
        ObjState o = obj_get(s, a.base.id ? a.base : x);
        if (a.base.id && term_kind(t, a.base) == T_HEAP && !a.offset && !a.index.id &&
            o.status == OBJ_ALLOCATED && !(o.flags & (OBJF_ESCAPED | OBJF_FAMILY)))
            set_references(w, s, a.base, references(w, s, a.base) + 1, k->ins);
        else
            escape_term(w, s, x, k->ins);
        break;
    }
    case SPEC_REF_DEC: {
        Address a = term_address(t, x);
        ObjState o = obj_get(s, a.base.id ? a.base : x);
        // The reference that we hold was the only one we know of; an escaped object has others.
        if (!a.base.id || (o.flags & OBJF_ESCAPED)) return;
        // Whether it was the last one of an object from outside the caller knows.
        if (term_kind(t, a.base) != T_HEAP) {
            o.flags |= OBJF_MAYBE_FREED;
            obj_set(w, s, a.base, o);
        }
        take(k, s, p, x);
        return;
    }
    case SPEC_REF:
        break;
    }
    if (p->called || p->to >= 0) escape_contents(w, s, x, k->ins, true);
    if (k->spec->withdraws && (p->opaque || p->effect == SPEC_RENEWS || p->effect == SPEC_CLEARS))
        text_gone(w, s, x, k->ins, k->args->name);
    switch (p->effect) {
    case SPEC_READS:
        break;
    case SPEC_RENEWS:
        if (index || k->spec->same == SPEC_NONE || !take_content(w, k->before, s, k->spec, k->args, k->ins))
            object_renew(w, s, x, k->ins, index);
        break;
    case SPEC_CLEARS:
        object_clear(w, s, x, k->ins);
        break;
    case SPEC_WRITES:
        mem_scribble(w, s, x, 0, k->ins);
        break;
    case SPEC_FILLS:
        fill(k, s, p, index, x);
        break;
    case SPEC_CHANGES:
        escape_contents(w, s, x, k->ins, true);
        break;
    case SPEC_EMPTIES:
        escape_contents(w, s, x, k->ins, false);
        release_arena(w, s, term_address(t, x).base, k->ins);
        break;
    }
}

static bool is_pointer(const SpecType *type)
{
    return type && (type->kind == SPEC_T_POINTER || type->kind == SPEC_T_REFERENCE);
}

// A state together with what the call returns in it.
typedef struct {
    State s;
    Term result;
} Way;
typedef VEC(Way) Ways;

static bool is_number(const Work *w, Term x)
{
    const Terms *t = &w->terms;
    while (term_kind(t, x) == T_SEXT || term_kind(t, x) == T_ZEXT) x.id = term_node(t, x)->a;
    return term_kind(t, x) == T_HEAP && term_width(t, x) == NUMBER_BITS;
}

// What is taken over on success alone may be lost right here, where no test tells why.
static void explain_failure(const Spec *k, State *s, const SpecParam *p, Term x, bool fails)
{
    const char *callee = names_callee(k->w, k->ins);
    bool gives = p->place == SPEC_OUT && p->value.gives == SPEC_OWN;
    if (p->when.subject != SPEC_RETURN || (p->mode != SPEC_TAKE && p->mode != SPEC_HOLD && !gives) || !callee) return;
    // Taken over by the failure itself, as freopen() does: where it is not, the call succeeded.
    if (p->when.op == SPEC_EQ && p->when.value == 0 && k->spec->fail == SPEC_OR_NULL) return;
    story_add(k->w, s, STORY_CALL, k->ins, x, (Term){fails ? CALL_FAILS : CALL_SUCCEEDS}, false,
              fails ? arena_printf(k->w->arena, "%s() fails", callee) : NULL);
}

// What is released on success alone is released where nobody asks how it went: a program that closes a
// connection and does not look has nothing that would make it fail. Errs towards a missed leak.
static bool is_trusted(const Spec *k, const SpecParam *p)
{
    bool by_failure = p->when.op == SPEC_EQ && p->when.value == 0 && k->spec->fail == SPEC_OR_NULL;
    return p->mode == SPEC_TAKE && p->when.subject == SPEC_RETURN && !by_failure && !k->w->uses[k->ins].count &&
           assumes(k->w, ASSUME_RELEASED);
}

static void apply_params(const Spec *k, Ways *ways)
{
    Work *w = k->w;
    for (uint32_t i = 0; i < k->args->count; i++) {
        const SpecParam *p = i < k->spec->param_count ? &k->spec->params[i] : &k->spec->rest;
        Term x = k->args->at[i];
        if (!x.id || (k->spec->realloc && p->mode == SPEC_TAKE && p->place == SPEC_ITSELF))
            continue;
        Ways next = {0};
        vec_each (j, ways) {
            Way way = ways->at[j];
            // A borrowed argument is used by the callee.
            if (i < k->spec->param_count
                    ? is_pointer(p->type) && !(p->mode == SPEC_TAKE && p->place == SPEC_ITSELF)
                    : text_uses(w, k->spec, k->args, i))
                touch_if_any(w, &way.s, x, k->ins);
            if (i >= k->spec->param_count && is_number(w, x) && text_is_kept(k->spec))
                escape_term(w, &way.s, x, k->ins);
            if (p->when.op == SPEC_ALWAYS) {
                effect(k, &way.s, p, i, x);
                vec_push(&next, way);
                continue;
            }
            States yes = {0}, no = {0};
            split(k, &way.s, condition(k, &p->when, way.result), &yes, &no);
            vec_each (n, &yes) {
                if (no.len) explain_failure(k, &yes.at[n], p, x, false);
                effect(k, &yes.at[n], p, i, x);
                vec_push(&next, ((Way){yes.at[n], way.result}));
            }
            if (yes.len && no.len && is_trusted(k, p)) no.len = 0;
            vec_each (n, &no) {
                if (yes.len) explain_failure(k, &no.at[n], p, x, true);
                // A number says so: there is no object whose address would be tested.
                if (yes.len && k->spec->fails == SPEC_FAILS_WITHOUT_MEMORY)
                    state_doubt(w, &no.at[n], DOUBT_NO_MEMORY, k->ins);
                if (p->else_null && term_address(&w->terms, x).base.id)
                    mem_store(w, &no.at[n], x, w->terms.pointer_bits / 8, term_null(&w->terms),
                              k->ins);
                vec_push(&next, ((Way){no.at[n], way.result}));
            }
            vec_free(&yes);
            vec_free(&no);
        }
        vec_free(ways);
        *ways = next;
    }
}

static void apply_copies(const Spec *k, State *s, Term result)
{
    Terms *t = &k->w->terms;
    for (uint32_t i = 0; i < k->spec->copy_count; i++) {
        const SpecCopy *c = &k->spec->copies[i];
        if (c->to == c->from) continue; // rearranged: the effect on the parameter says it
        Term to = c->to == SPEC_RETURN ? result : argument(k, c->to), from = argument(k, c->from);
        if (!to.id || !from.id || term_width(t, to) != t->pointer_bits ||
            term_width(t, from) != t->pointer_bits)
            continue;
        Term length = product(k, c->length);
        if (!length.id)
            length = bits_unknown(k->w, s, k->ins, made(MADE_COPIED, i), t->pointer_bits);
        mem_copy(k->w, s, to, from, length, k->ins);
    }
}

// Whether the call obtains anything is up to an argument that the path has not asked for: a command
// in a variable.
static void is_undecided(const Spec *k, State *s, Term object)
{
    state_doubt(k->w, s, DOUBT_OPEN_ARGUMENT, k->ins);
    if (object.id)
        story_add(k->w, s, STORY_BELIEF, k->ins, object, (Term){0}, false,
                  "this depends on an argument, and nothing here says what it is");
}

static bool is_address(const Spec *k, int32_t subject)
{
    Term x = argument(k, subject);
    return x.id && term_width(&k->w->terms, x) == k->w->terms.pointer_bits;
}

// The states for the choice of result: by the cases of the spec, then the plain one.
static void choose_result(const Spec *k, const State *s, Ways *ways)
{
    Work *w = k->w;
    const Ins *i = func_ins(w->unit, w->func, k->ins);
    uint32_t width = mtype_class(i->type) == MT_INT
                         ? (mtype_size(i->type) > 64 ? 64 : mtype_size(i->type))
                         : w->terms.pointer_bits;
    bool is_void = mtype_class(i->type) == MT_VOID;
    if (k->spec->realloc) {
        for (uint32_t p = 0; p < k->spec->param_count; p++) {
            if (k->spec->params[p].mode != SPEC_TAKE || !argument(k, (int32_t)p).id) continue;
            States out = {0};
            TermList results = {0};
            exchange(k, s, p, &out, &results);
            vec_each (j, &out) vec_push(ways, ((Way){out.at[j], results.at[j]}));
            vec_free(&out);
            vec_free(&results);
            return;
        }
    }
    States rest = {0};
    vec_push(&rest, *s);
    for (uint32_t c = 0; c <= k->spec->case_count; c++) {
        bool last = c == k->spec->case_count;
        const SpecValue *v = last ? &k->spec->result : &k->spec->cases[c];
        States yes = {0}, no = {0};
        if (last)
            yes = rest;
        else
            vec_each (j, &rest) {
                uint32_t these = yes.len, others = no.len;
                split(k, &rest.at[j], condition(k, &v->when, (Term){0}), &yes, &no);
                // Whether a pointer is null that the program itself does not ask for: likely only.
                bool null = v->when.subject != SPEC_RETURN && v->when.value == 0 &&
                            is_address(k, v->when.subject) &&
                            (v->when.op == SPEC_EQ || v->when.op == SPEC_NE);
                States *side = v->when.op == SPEC_EQ ? &yes : &no;
                if (null && yes.len > these && no.len > others)
                    state_doubt(w, &vec_last(side), DOUBT_UNTESTED_NULL, k->ins);
                if (is_counted_on(k, &rest.at[j], &v->when, (Term){0}) &&
                    assumes(w, ASSUME_COUNTED_ON))
                    no.len = others;
            }
        bool open = !last && yes.len && no.len;
        vec_each (j, &yes) {
            State one = yes.at[j];
            Term r = {0};
            if (!is_void)
                r = v->gives == SPEC_PLAIN || v->gives == SPEC_POLY
                        ? plain_result(k, &one)
                        : given(k, &one, v, 0, width,
                                v->gives == SPEC_OWN || v->gives == SPEC_INSIDE ||
                                        v->gives == SPEC_ALIAS
                                    ? k->spec->fail
                                    : SPEC_NO_FAIL,
                                k->spec->fail_value);
            if (open && v->gives == SPEC_OWN) is_undecided(k, &one, r);
            vec_push(ways, ((Way){one, r}));
        }
        vec_free(&yes);
        if (!last) {
            vec_free(&rest);
            rest = no;
        }
    }
}

// A result that comes only where a condition holds: to refuse an argument that is null, say.
static void tie_result(const Spec *k, Ways *ways)
{
    const SpecFunc *f = k->spec;
    Conds *conds = &k->w->conds;
    Terms *t = &k->w->terms;
    uint32_t count = f->unless[0].op == SPEC_ALWAYS ? 0 : ways->len, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        Way way = ways->at[i];
        bool open = true;
        Term never = term_eq(t, way.result, term_int(t, term_width(t, way.result), f->never));
        for (int c = 0; c < 2 && f->unless[c].op != SPEC_ALWAYS && open; c++) {
            Way refused = way;
            Term holds = condition(k, &f->unless[c], way.result);
            if (cond_assume(conds, &refused.s.facts, holds, true)) vec_push(ways, refused);
            open = cond_assume(conds, &way.s.facts, holds, false);
        }
        // None of the conditions holds on this one; where one does, the result is open.
        if (open && cond_assume(conds, &way.s.facts, never, false)) ways->at[kept++] = way;
    }
    if (!count) return;
    for (uint32_t i = count; i < ways->len; i++) ways->at[kept++] = ways->at[i];
    ways->len = kept;
}

void call_spec(Work *w, const State *before, uint32_t ins, const CallArgs *args,
               const SpecFunc *spec, CallOuts *outs)
{
    Spec k = {w, spec, args, ins, before};
    Terms *t = &w->terms;
    State s = *before;
    if (spec->noreturn != SPEC_RETURNS && !spec->noreturn_on_success) {
        if (spec->noreturn == SPEC_JUMPS) throw_always(w, &s, ins, args, spec, outs);
        Term when = condition(&k, &spec->noreturn_when, (Term){0});
        if (!cond_assume(&w->conds, &s.facts, when, false)) return;
    }
    if (spec->unexpected) state_doubt(w, &s, DOUBT_UNEXPECTED, ins);
    Ways ways = {0};
    throw_of_spec(w, &s, ins, spec, outs);
    choose_result(&k, &s, &ways);
    if (spec->prints && text_is_made(w, spec, args))
        vec_each (i, &ways) {
            Way *way = &ways.at[i];
            Term none = term_eq(t, way->result, term_int(t, term_width(t, way->result), 0));
            cond_assume(&w->conds, &way->s.facts, none, false);
        }
    tie_result(&k, &ways);
    apply_params(&k, &ways);
    vec_each (i, &ways) {
        Way *way = &ways.at[i];
        if (spec->nonnull && way->result.id && term_width(t, way->result) == t->pointer_bits &&
            !cond_assume(&w->conds, &way->s.facts, term_eq(t, way->result, term_null(t)), false))
            continue;
        if (spec->bounded && way->result.id && w->uses[ins].count &&
            !cond_assume(&w->conds, &way->s.facts, below(t, way->result, spec->least), false))
            continue;
        if (spec->limited && way->result.id && w->uses[ins].count &&
            !cond_assume(&w->conds, &way->s.facts, below(t, way->result, spec->most + 1), true))
            continue;
        if (spec->tells_failure) error_is_positive(w, &way->s, way->result, ins);
        if (spec->nonempty) size_not_empty(w, &way->s, way->result, ins);
        apply_copies(&k, &way->s, way->result);
        call_done(w, &way->s, ins, way->result, false, outs);
    }
    vec_free(&ways);
}

bool call_believed(Work *w, const State *before, uint32_t ins, CallArgs *args, CallOuts *outs)
{
    const SpecFunc *spec = facts_call_spec(w->facts, w->id, ins);
    if (!spec) return false;
    args->name = spec->called;
    call_spec(w, before, ins, args, spec, outs);
    return true;
}

bool call_variable(Work *w, const State *before, uint32_t ins, Term callee, CallArgs *args,
                   CallOuts *outs)
{
    const TermNode n = *term_node(&w->terms, callee);
    Term home = {n.kind == T_INPUT && !n.b ? n.a : n.kind == T_HAVOC ? n.b : 0};
    if (!home.id || n.value || term_kind(&w->terms, home) != T_GLOBAL) return false;
    const Program *p = w->facts->program;
    GlobalId g = {term_node(&w->terms, home)->a};
    const SpecFunc *spec = program_variable_spec(p, w->facts->specs, g);
    if (!spec) return false;
    args->name = name_text(p->names, p->globals.at[g.id].name);
    call_spec(w, before, ins, args, spec, outs);
    return true;
}
