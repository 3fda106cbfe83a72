// Members that count the owners of an object whose class is a library's: `counts down`, `counts up`.
//
// The last owner's release calls a virtual function. Inside of a destructor nobody knows which; the
// function that made the object does. So a release whose count is the caller's leaves the releasing function in the
// cell ELEMENTS_ENDED of the object, as the destructors of containers do, and the caller releases it (elements_end).
// Counts of which no caller knows more were joined: nothing is claimed of their objects.
#include "call/call_int.h"
#include "heap/elements.h"
#include "unit/types.h"

#include <string.h>

// Where the count is in the class of the first parameter. False: there is no such member.
static bool member_place(const Facts *f, const Unit *u, const Func *decl, Name member, Elem *found)
{
    if (!decl->param_count) return false;
    const Type *class = &u->types.at[plain_type(u, pointee(u, u->params.at[decl->first_param].type)).id];
    const char *wanted = name_text(spec_names(f->specs), member);
    for (uint32_t i = 0; class->kind == TYPE_STRUCT && i < class->elem_count; i++) {
        *found = u->elems.at[class->first_elem + i];
        if (found->name.id && !strcmp(name_text(u->names, found->name), wanted) && found->offset % 8 == 0) return true;
    }
    return false;
}

typedef struct {
    Work *w;
    uint32_t ins;
    Term object, at; // at: the count's address
    uint32_t bytes;
} Count;

static bool count_find(Work *w, uint32_t ins, Term object, const Unit *u, const Func *decl, Name member,
                       Count *c)
{
    Elem e;
    if (!member_place(w->facts, u, decl, member, &e)) return false;
    uint64_t bytes = u->types.at[plain_type(u, e.type).id].size;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return false;
    *c = (Count){w, ins, object, term_field(&w->terms, object, (int64_t)(e.offset / 8)), (uint32_t)bytes};
    return true;
}

static Term count_load(const Count *c, State *s)
{
    return mem_load(c->w, s, c->at, c->bytes, elements_word(c->bytes), c->ins);
}

static void count_add(const Count *c, State *s, Term n, int by)
{
    Terms *t = &c->w->terms;
    mem_store(c->w, s, c->at, c->bytes, term_binary(t, T_ADD, n, term_int(t, c->bytes * 8, by)), c->ins);
}

// The virtual function of the object; none where its class is not known.
static FuncId virtual_of(const Count *c, State *s, int16_t slot)
{
    Terms *t = &c->w->terms;
    uint32_t bytes = t->pointer_bits / 8;
    MType pointer = mtype(MT_PTR, t->pointer_bits);
    Term table = mem_load(c->w, s, c->object, bytes, pointer, c->ins);
    Address a = term_address(t, table);
    if (!a.base.id || a.index.id || term_kind(t, a.base) != T_GLOBAL) return (FuncId){0};
    Term func = mem_load(c->w, s, term_field(t, table, (int64_t)slot * bytes), bytes, pointer, c->ins);
    return (FuncId){term_kind(t, func) == T_FUNC ? term_node(t, func)->a : 0};
}

// A number that the caller knows better: as it was, or more than that.
static bool is_callers(const Terms *t, Term n, bool *more)
{
    int64_t by;
    *more = term_kind(t, n) == T_ADD && term_is_int(t, (Term){term_node(t, n)->b}, &by) && by > 0 &&
            term_kind(t, (Term){term_node(t, n)->a}) == T_INPUT;
    return *more || term_kind(t, n) == T_INPUT;
}

// One owner less. False: what follows is not known.
static bool count_down(const Count *c, State *s, FuncId f, FuncId ends, States *on, States *last)
{
    Work *w = c->w;
    Terms *t = &w->terms;
    Term n = count_load(c, s);
    int64_t owners;
    bool more;
    Elements e;
    if (term_is_int(t, n, &owners)) {
        if (owners == 1 && !ends.id) return false;
        if (owners > 0) count_add(c, s, n, -1);
        vec_push(owners == 1 ? last : on, *s);
        return true;
    }
    if (!is_callers(t, n, &more) || !elements_find(w, s, c->object, c->ins, &e)) return false;
    if (more)
        count_add(c, s, n, -1);
    else
        mem_store(w, s, elements_place(&e, ELEMENTS_ENDED), t->pointer_bits / 8,
                  term_leaf(t, T_FUNC, t->pointer_bits, f.id, 0, 0, 0), c->ins);
    vec_push(on, *s);
    return true;
}

static bool count_up(const Count *c, const State *before, CallOuts *outs)
{
    Work *w = c->w;
    Terms *t = &w->terms;
    State none = *before, some = *before;
    Term n = count_load(c, &some), zero = term_eq(t, n, term_int(t, c->bytes * 8, 0));
    if (cond_assume(&w->conds, &none.facts, zero, true))
        call_done(w, &none, c->ins, term_int(t, 1, 0), false, outs);
    if (cond_assume(&w->conds, &some.facts, zero, false)) {
        count_add(c, &some, n, 1);
        call_done(w, &some, c->ins, term_int(t, 1, 1), false, outs);
    }
    return true;
}

// ---- Callables: the function that a member holds, where the caller knows which.

// A parameter that is no reference is handed on by a reference to it. Objects are passed by address as it is.
static bool is_by_address(const Unit *u, const Param *q)
{
    TypeKind kind = (TypeKind)u->types.at[plain_type(u, q->type).id].kind;
    return mtype_class(q->mtype) == MT_PTR && kind != TYPE_POINTER;
}

// The arguments of what is run; false: they are not those that were expected.
static bool run_arguments(Work *w, State *s, uint32_t ins, const CallArgs *args, const SpecFunc *spec, const Func *decl,
                          const Unit *u, const Func *held, CallArgs *given)
{
    Terms *t = &w->terms;
    int16_t number = spec->counts[0].slot;
    if (held->param_count != (number == SPEC_NONE ? args->count : 3) || decl->param_count != args->count) return false;
    Term *at = arena_array_of(w->arena, Term, held->param_count);
    *given = (CallArgs){at, held->param_count, NULL};
    at[0] = args->at[0];
    if (number != SPEC_NONE) {
        at[1] = args->at[0];
        at[2] = term_int(t, 32, number);
        return true;
    }
    for (uint32_t k = 1; k < args->count; k++) {
        const Param *q = &u->params.at[decl->first_param + k];
        at[k] = args->at[k];
        if (is_by_address(u, q)) continue;
        if (!at[k].id || !term_width(t, at[k])) return false;
        ObjInfo info = {.allocator = "an argument", .pos = pos_of_ins(w, ins), .arena = true};
        bool silent = w->silent;
        Term place = obj_new(w, s, ins, made(MADE_ARGUMENT, k), &info, t->pointer_bits);
        w->silent = silent;
        cond_assume(&w->conds, &s->facts, term_eq(t, place, term_null(t)), false);
        mem_store(w, s, place, (term_width(t, at[k]) + 7) / 8, at[k], ins);
        at[k] = place;
    }
    return true;
}

bool call_held(Work *w, const State *before, uint32_t ins, const CallArgs *args, const SpecFunc *spec,
               const Func *decl, const Unit *u, CallOuts *outs)
{
    Terms *t = &w->terms;
    Elem e;
    State s = *before;
    Term object = args->count ? args->at[0] : (Term){0};
    if (!decl || !object.id || term_width(t, object) != t->pointer_bits || !term_address(t, object).base.id ||
        !member_place(w->facts, u, decl, spec->counts[0].member, &e))
        return false;
    Term member = term_field(t, object, (int64_t)(e.offset / 8));
    Term held = mem_load(w, &s, member, t->pointer_bits / 8, mtype(MT_PTR, t->pointer_bits), ins);
    bool ends = spec->counts[0].slot != SPEC_NONE;
    if (ends && term_is_zero(t, held)) {
        call_done(w, &s, ins, (Term){0}, false, outs);
        return true;
    }
    if (term_kind(t, held) != T_FUNC) return false;
    FuncId f = {term_node(t, held)->a};
    const Unit *other;
    const Func *code = program_decl(w->facts->program, f, &other);
    CallArgs given;
    if (!code || !is_evaluated(w, f) || !callee_summary(w->callees, f) ||
        !run_arguments(w, &s, ins, args, spec, decl, u, code, &given))
        return false;
    call_function(w, &s, ins, &given, f, outs);
    return true;
}

bool call_counted(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                  const SpecFunc *spec, FuncId f, const Func *decl, const Unit *u, CallOuts *outs)
{
    Count c;
    State s = *before;
    Term object = args->count ? args->at[0] : (Term){0};
    Address a = term_address(&w->terms, object);
    if (!a.base.id || a.index.id || !count_find(w, ins, object, u, decl, spec->counts[0].member, &c)) return false;
    touch_if_any(w, &s, object, ins);
    if (spec->counts[0].slot == SPEC_NONE) return count_up(&c, &s, outs);
    FuncId ends = virtual_of(&c, &s, spec->counts[0].slot);
    States on = {0}, last = {0};
    // The object is not lost between the functions that end it.
    PMap lost = s.lost;
    bool known = count_down(&c, &s, f, ends, &on, &last);
    for (uint16_t i = 0; known && last.len; i++) {
        States ended = {0};
        CallOuts inner = {&ended, outs->thrown, outs->block};
        vec_each (k, &last) {
            Term at = object;
            CallArgs call = {&at, 1, NULL};
            State now = last.at[k];
            now.lost = NULL;
            call_function(w, &now, ins, &call, ends, &inner);
        }
        vec_each (k, &ended) ended.at[k].lost = lost;
        last.len = 0;
        bool again = i + 1 < spec->count_count && count_find(w, ins, object, u, decl, spec->counts[i + 1].member, &c);
        vec_each (k, &ended) {
            ends = again ? virtual_of(&c, &ended.at[k], spec->counts[i + 1].slot) : (FuncId){0};
            if (again && count_down(&c, &ended.at[k], f, ends, &on, &last)) continue;
            if (again) escape_term(w, &ended.at[k], object, ins);
            vec_push(&on, ended.at[k]);
        }
        vec_free(&ended);
    }
    vec_each (i, &on) call_done(w, &on.at[i], ins, (Term){0}, false, outs);
    vec_free(&on);
    vec_free(&last);
    return known;
}
