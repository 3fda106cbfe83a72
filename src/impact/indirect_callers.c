// Who calls a function whose address is taken.
//
// The points-to sets say which calls through pointers may reach it. That is all there is when code
// that we do not see has no business with the address. Such code calls what it is given itself, what lies in
// the structs that it is given and in those that they lead to, a few steps deep (a driver with its table of
// operations). To library functions that are specified it is a member of the struct (qsort, sigaction), and to some
// of them the struct is bytes (free, memcpy, the data of a thread). What such code could get at by more steps it
// does not call; but the program may have it back from there: each of its calls through a pointer that
// comes from such memory, with such arguments, counts as a caller. One that calls it at
// most once (atexit, the tests of a test program; by its specification) is no caller that counts. One that calls it while
// it runs itself, or begins a thread with it, comes to it from the calls that give it the function. Errs
// towards "called by others too", but for the steps.
#include "impact/impact_int.h"

#include "unit/types.h"

#include <stdlib.h>

typedef struct {
    uint32_t callee;
    CallOf call;
} Through;

struct Pointed {
    Bits loose;       // by FuncId: others may call it, at any time
    Bits once;        // by FuncId: others call it, but at most once
    Bits started;     // by FuncId: a thread begins with it, and the call that begins it is known
    Bits called;      // by FuncId: a library function calls it while that runs
    Bits escaped;     // by FuncId: code that we do not see could find the address
    Bits seen;        // by cell: what its object holds has been looked at
    Bits given;       // by ObjId: code that we do not see has been given it
    U32s work;        // of these the last
    VEC(Through) all; // by callee
    VEC(Through) handed; // by callee: calls that are given the function, of those in `started` and `called`
    CallsOf open;     // whose targets are not all known
    Bits reached;     // by FuncId, see frequency_reached
    bool has_main;
};

static void let_loose(const Points *points, uint32_t cell, Bits *into)
{
    const PointsObj *o = points_object(points, points_cell_object(points, cell));
    if (o->kind == POBJ_FUNC) bits_add(into, o->func.id);
}

// The functions that lie in the object; `further` gets what else it leads to.
static void open_object(Pointed *k, const Points *points, ObjId object, U32s *further, Bits *into)
{
    uint32_t part, in;
    for (uint32_t n = 0; (part = points_object_cell(points, object, n)); n++) {
        const SBits *held = points_content(points, part);
        if (!held) continue;
        for (SIter h = sbits_iter(held); sbits_step(&h, &in);) {
            if (in == POINTS_UNKNOWN) continue;
            let_loose(points, in, into);
            uint32_t o = points_cell_object(points, in).id;
            if (further && bits_add(&k->given, o)) vec_push(further, o);
        }
    }
}

// No value is a function here and data there: such sets have lost track of the parts of a struct.
static bool is_mixed(const Points *points, const SBits *set)
{
    uint32_t cell;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);)
        if (cell != POINTS_UNKNOWN && points_object(points, points_cell_object(points, cell))->kind != POBJ_FUNC)
            return true;
    return false;
}

// The functions that the argument is.
static void hand_out_itself(Pointed *k, const Points *points, const SBits *set)
{
    uint32_t cell;
    if (!set || is_mixed(points, set)) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);)
        if (cell != POINTS_UNKNOWN) let_loose(points, cell, &k->loose);
}

// To a library function that is specified: also those that lie in what it points to.
static void hand_out(Pointed *k, const Points *points, const SBits *set)
{
    uint32_t cell;
    hand_out_itself(k, points, set);
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);)
        if (cell != POINTS_UNKNOWN && bits_add(&k->seen, cell))
            open_object(k, points, points_cell_object(points, cell), NULL, &k->loose);
}

// To code of which nothing is known.
static void give_away(Pointed *k, const Points *points, const SBits *set)
{
    uint32_t cell;
    hand_out_itself(k, points, set);
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        uint32_t o = cell == POINTS_UNKNOWN ? 0 : points_cell_object(points, cell).id;
        if (o && bits_add(&k->given, o)) vec_push(&k->work, o);
    }
}

// To one that calls what it is given, or what lies there, at most once.
static void hand_out_once(Pointed *k, const Points *points, const SBits *set)
{
    uint32_t cell;
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN) continue;
        let_loose(points, cell, &k->once);
        open_object(k, points, points_cell_object(points, cell), NULL, &k->once);
    }
}

// To one that calls it while that runs, or begins a thread with it: as often as the call is come to, or in each
// time that it is.
static void hand_over(Pointed *k, const Points *points, const SBits *set, CallOf call, Bits *into)
{
    uint32_t cell;
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN) continue;
        const PointsObj *x = points_object(points, points_cell_object(points, cell));
        if (x->kind != POBJ_FUNC) continue;
        bits_add(into, x->func.id);
        vec_push(&k->handed, ((Through){x->func.id, call}));
    }
}

// Whether something of the type has functions in it. What is declared only is the library's own.
static bool holds_functions(const Unit *u, TypeId type, uint32_t depth)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    switch ((TypeKind)t->kind) {
    case TYPE_VOID:
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_FLOAT:
    case TYPE_ENUM:
        return false;
    case TYPE_POINTER:
        return u->types.at[plain_type(u, pointee(u, type)).id].kind == TYPE_FUNC;
    case TYPE_ARRAY:
    case TYPE_STRUCT:
    case TYPE_UNION:
        for (uint32_t i = 0; i < t->elem_count; i++)
            if (!depth || holds_functions(u, u->elems.at[t->first_elem + i].type, depth - 1)) return true;
        return false;
    default:
        return true;
    }
}

typedef enum { GETS_NOTHING, GETS_ITSELF, GETS_MEMBERS } Gets;

// What a library function that is specified may call of what it is given: the argument, or members of the struct.
// To some the struct is bytes, or a type of their own, whatever it is to the program.
static Gets gets_functions(const Program *p, FuncId callee, const SpecFunc *spec, uint32_t k)
{
    const Unit *u;
    const Func *decl = callee.id ? program_decl(p, callee, &u) : NULL;
    if (!decl) return GETS_MEMBERS;
    if (k >= decl->param_count) return spec && spec->variadic && !spec->rest.mode ? GETS_NOTHING : GETS_ITSELF;
    TypeId to = pointee(u, u->params.at[decl->first_param + k].type);
    if (!to.id) return GETS_MEMBERS;
    if (u->types.at[plain_type(u, to).id].kind == TYPE_FUNC) return GETS_ITSELF;
    return holds_functions(u, to, NESTED_DEEP) ? GETS_MEMBERS : GETS_NOTHING;
}

static bool is_few(const Program *p, FuncId callee, uint32_t k)
{
    return callee.id && k < MAX_WORDS && p->funcs.at[callee.id].few >> k & 1;
}

// Whether the function takes the arguments, pointers where the call has them. Where it ignores the last ones it was
// cast to another type.
static bool takes(const Program *p, FuncId f, const Unit *by_unit, const Func *by, const Ins *call)
{
    const Unit *u;
    const Func *body = program_body(p, f, &u);
    if (!body || body->flags & FUNC_VARARGS) return true;
    for (uint32_t k = 0; k < body->param_count && k < call->c; k++) {
        Ref r = {*func_extra(by_unit, by, call->b + k)};
        bool pointer = mtype_class(u->params.at[body->first_param + k].mtype) == MT_PTR;
        if (pointer != (mtype_class(ref_type(by_unit, by, r)) == MT_PTR)) return false;
    }
    return body->param_count <= call->c;
}

static void look_at_call(Frequency *o, Pointed *k, FuncId by, const CallSite *c, U32s *targets)
{
    const Facts *facts = o->facts;
    const Program *p = facts->program;
    const Points *points = facts->points;
    const Unit *u;
    const Func *f = program_body(p, by, &u);
    const Ins *in = func_ins(u, f, c->ins);
    bool unseen = c->callee.id && !program_has_code(p, c->callee);
    bool specified = !c->callee.id || facts_spec(facts, c->callee);
    if (!c->callee.id) {
        targets->len = 0;
        unseen = !points_callees(points, by, c->ins, targets);
        specified = !unseen;
        bool open = unseen;
        vec_each (i, targets) {
            bool code = program_has_code(p, (FuncId){targets->at[i]});
            unseen |= !code;
            specified &= code || facts_spec(facts, (FuncId){targets->at[i]});
            if (takes(p, (FuncId){targets->at[i]}, u, f, in) && member_may_hold(o, by, c->ins, (FuncId){targets->at[i]}))
                vec_push(&k->all, ((Through){targets->at[i], {by, c->ins}}));
        }
        if (open) vec_push(&k->open, ((CallOf){by, c->ins}));
        // A program that has targets of its own for it calls those; a library may be given others.
        if (targets->len && p->linked && k->has_main) return;
    }
    if (!unseen) return;
    if (op_form((Op)in->op) != FORM_CALL && in->op != OP_INVOKE) return;
    Operands ops = ins_operands(u, f, in);
    const SpecFunc *spec = c->callee.id ? facts_spec(facts, c->callee) : NULL;
    for (uint32_t i = 0; i < ops.more_count; i++) {
        const SBits *set = points_set(points, by, (Ref){ops.more[i * ops.more_step]});
        const SpecParam *param = spec && i < spec->param_count ? &spec->params[i] : NULL;
        bool during = param && param->called && !param->once && gets_functions(p, c->callee, spec, i) == GETS_ITSELF;
        if (during || (param && param->starts)) {
            hand_over(k, points, set, (CallOf){by, c->ins}, param->starts ? &k->started : &k->called);
            continue;
        }
        if (is_few(p, c->callee, i) || (param && param->once))
            hand_out_once(k, points, set);
        else if (!specified)
            give_away(k, points, set);
        else if (gets_functions(p, c->callee, spec, i) == GETS_MEMBERS)
            hand_out(k, points, set);
        else if (gets_functions(p, c->callee, spec, i) == GETS_ITSELF)
            hand_out_itself(k, points, set);
    }
}

static int by_callee(const void *a, const void *b)
{
    const Through *x = a, *y = b;
    if (x->callee != y->callee) return x->callee < y->callee ? -1 : 1;
    if (x->call.by.id != y->call.by.id) return x->call.by.id < y->call.by.id ? -1 : 1;
    return x->call.ins < y->call.ins ? -1 : x->call.ins > y->call.ins;
}

static void visit(Pointed *k, U32s *work, uint32_t f)
{
    if (bits_add(&k->reached, f)) vec_push(work, f);
}

// From where a process begins, and from whatever unseen code may call.
static void reach_from_start(Pointed *k, const Facts *facts)
{
    const Program *p = facts->program;
    U32s work = {0}, targets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        uint32_t flags = p->funcs.at[f].flags;
        bool start = (flags & (PROG_START | PROG_KEPT | PROG_IFUNC)) || !(flags & PROG_HIDDEN);
        bool is_main = program_is_main(p, (FuncId){f});
        if (start || is_main || bits_has(&k->loose, f) || bits_has(&k->escaped, f) || bits_has(&k->once, f) ||
            bits_has(&k->started, f) || bits_has(&k->called, f))
            visit(k, &work, f);
    }
    while (work.len) {
        FuncId f = {vec_pop(&work)};
        if (!program_has_code(p, f)) continue;
        ProgRange r = p->funcs.at[f.id].calls;
        for (uint32_t i = 0; i < r.count; i++) {
            const CallSite *c = &p->calls.at[r.first + i];
            targets.len = 0;
            if (c->callee.id)
                visit(k, &work, c->callee.id);
            else
                points_callees(facts->points, f, c->ins, &targets);
            vec_each (t, &targets) visit(k, &work, targets.at[t]);
        }
    }
    vec_free(&work);
    vec_free(&targets);
}

// The functions whose address an instruction has, but where it hands them over to be called a few times.
static void add_named(const Program *p, FuncId f, const Unit *u, const Func *body, const Ins *in, Bits *into)
{
    uint32_t unit = p->funcs.at[f.id].unit;
    bool call = in->op == OP_CALL || in->op == OP_INVOKE;
    FuncId callee = call ? program_callee(p, unit, u, (Ref){in->a}) : (FuncId){0};
    Operands ops = ins_operands(u, body, in);
    for (uint32_t k = call ? 1 : 0; k < ops.count; k++)
        bits_add(into, program_callee(p, unit, u, ops.refs[k]).id);
    for (uint32_t k = 0; k < ops.more_count; k++)
        if (!is_few(p, callee, k))
            bits_add(into, program_callee(p, unit, u, (Ref){ops.more[k * ops.more_step]}).id);
}

// What a plug-in hands to the program that loads it, and to nobody else, has escaped; but it is known when that
// program calls it.
static void excuse_handed(Pointed *k, const Facts *facts)
{
    const Program *p = facts->program;
    const Points *points = facts->points;
    bool any = false;
    for (uint32_t f = 1; f < p->funcs.len; f++) any |= p->funcs.at[f].few != 0;
    if (!any) return;
    Arena *scratch = arena_new("handed");
    Bits named = bits_new(scratch, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        for (uint32_t i = 0; body && i < body->ins_count; i++)
            add_named(p, (FuncId){f}, u, body, func_ins(u, body, i), &named);
    }
    for (uint32_t i = 1; i <= points_object_count(points); i++) {
        uint32_t part, in;
        for (uint32_t n = 0; (part = points_object_cell(points, (ObjId){i}, n)); n++) {
            const SBits *held = part == POINTS_UNKNOWN ? NULL : points_content(points, part);
            if (held)
                for (SIter h = sbits_iter(held); sbits_step(&h, &in);)
                    if (in != POINTS_UNKNOWN) let_loose(points, in, &named);
        }
    }
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (!bits_has(&named, f)) bits_drop(&k->escaped, f);
    arena_free(scratch);
}

// Only memory of code that we do not see. Where it may be the program's own too, the points-to sets are more likely
// to have lost track of that.
static bool is_unknown(const SBits *set)
{
    return set && sbits_has(set, POINTS_UNKNOWN) && sbits_size(set) == 1;
}

// What a function stores in memory of code that we do not see.
static void look_at_stores(Pointed *k, const Facts *facts, FuncId by)
{
    const Points *points = facts->points;
    const Unit *u;
    const Func *f = program_body(facts->program, by, &u);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if ((in->op == OP_STORE || in->op == OP_COPY) && is_unknown(points_set(points, by, (Ref){in->a})))
            give_away(k, points, points_set(points, by, (Ref){in->b}));
    }
}

// What such code gets from functions that it calls.
static void look_at_results(Pointed *k, const Facts *facts)
{
    const Program *p = facts->program;
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f})) continue;
        bool given = bits_has(&k->loose, f) || bits_has(&k->started, f) || bits_has(&k->called, f);
        if (!given && (p->funcs.at[f].flags & (PROG_INTERNAL | PROG_HIDDEN))) continue;
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        for (uint32_t i = 0; i < body->ins_count; i++) {
            const Ins *in = func_ins(u, body, i);
            if (in->op == OP_RET && !ref_is_none((Ref){in->a}))
                give_away(k, facts->points, points_set(facts->points, (FuncId){f}, (Ref){in->a}));
        }
    }
}

// Other parts of the program may use it.
static bool is_exported(const Program *p, const PointsObj *x)
{
    if (x->kind != POBJ_GLOBAL || !x->escaped) return false;
    return !(p->globals.at[x->index].flags & (PROG_INTERNAL | PROG_HIDDEN));
}

// What lies in all that was given away, and in what that leads to, as deep as it is looked for.
static void open_given(Pointed *k, const Points *points)
{
    U32s next = {0};
    for (uint32_t deep = 0; deep < GIVEN_DEEP && k->work.len; deep++) {
        vec_each (i, &k->work) open_object(k, points, (ObjId){k->work.at[i]}, &next, &k->loose);
        U32s done = k->work;
        k->work = next;
        next = done;
        next.len = 0;
    }
    k->work.len = 0;
    vec_free(&next);
}

static Pointed *pointed_new(Frequency *o)
{
    const Program *p = o->facts->program;
    const Points *points = o->facts->points;
    Pointed *k = arena_array_of(o->arena, Pointed, 1);
    k->loose = bits_new(o->arena, p->funcs.len);
    k->once = bits_new(o->arena, p->funcs.len);
    k->started = bits_new(o->arena, p->funcs.len);
    k->called = bits_new(o->arena, p->funcs.len);
    k->escaped = bits_new(o->arena, p->funcs.len);
    k->seen = bits_new(o->arena, points_cell_limit(points));
    k->given = bits_new(o->arena, points_object_count(points) + 1);
    for (uint32_t i = 1; i <= points_object_count(points); i++) {
        const PointsObj *x = points_object(points, (ObjId){i});
        if (x->kind == POBJ_FUNC && x->escaped) bits_add(&k->escaped, x->func.id);
        if (is_exported(p, x) && bits_add(&k->given, i)) vec_push(&k->work, i);
    }
    for (uint32_t f = 1; f < p->funcs.len; f++)
        k->has_main |= program_is_main(p, (FuncId){f}) && program_has_code(p, (FuncId){f});
    excuse_handed(k, o->facts);
    U32s targets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f})) continue;
        ProgRange r = p->funcs.at[f].calls;
        for (uint32_t i = 0; i < r.count; i++)
            look_at_call(o, k, (FuncId){f}, &p->calls.at[r.first + i], &targets);
        look_at_stores(k, o->facts, (FuncId){f});
    }
    open_given(k, points);
    look_at_results(k, o->facts);
    open_given(k, points);
    vec_free(&targets);
    vec_free(&k->work);
    if (k->all.len) qsort(k->all.at, k->all.len, sizeof *k->all.at, by_callee);
    if (k->handed.len) qsort(k->handed.at, k->handed.len, sizeof *k->handed.at, by_callee);
    k->reached = bits_new(o->arena, p->funcs.len);
    reach_from_start(k, o->facts);
    return k;
}

void indirect_callers_free(Pointed *k)
{
    if (!k) return;
    vec_free(&k->all);
    vec_free(&k->handed);
    vec_free(&k->open);
}

// The first call through a pointer that may reach the function, or the first that is given it.
static uint32_t first_in(const Through *all, uint32_t count, uint32_t callee)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (all[mid].callee < callee)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t first_of(const Pointed *k, uint32_t callee)
{
    return first_in(k->all.at, k->all.len, callee);
}

static const Pointed *pointed_of(Frequency *o)
{
    if (!o->pointed && o->facts->points) o->pointed = pointed_new(o);
    return o->pointed;
}

bool call_through(Frequency *o, FuncId f, uint32_t n, CallOf *c)
{
    const Pointed *k = pointed_of(o);
    uint32_t i = k ? first_of(k, f.id) + n : 0;
    if (!k || i >= k->all.len || k->all.at[i].callee != f.id) return false;
    *c = k->all.at[i].call;
    return true;
}

bool frequency_reached(Frequency *o, FuncId f)
{
    const Program *p = o->facts->program;
    const Pointed *k = p->linked ? pointed_of(o) : NULL;
    return !k || !(k->has_main || p->listed) || bits_has(&k->reached, f.id);
}

// Calls of library functions that are given the function; false where they may come to it in other ways.
static bool add_handed(const Pointed *k, FuncId f, CallsOf *into, CallerKinds kinds)
{
    if (!(kinds & CALLERS_START) && bits_has(&k->started, f.id)) return false;
    if (!(kinds & CALLERS_DURING) && bits_has(&k->called, f.id)) return false;
    for (uint32_t i = first_in(k->handed.at, k->handed.len, f.id); i < k->handed.len && k->handed.at[i].callee == f.id; i++)
        vec_push(into, k->handed.at[i].call);
    return true;
}

bool callers_but_once(Frequency *o, FuncId f, CallerKinds kinds, CallsOf *into, bool *once)
{
    const Program *p = o->facts->program;
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (!(pf->flags & PROG_DEFINED) || (pf->flags & (PROG_IFUNC | PROG_KEPT))) return false;
    // Other programs with this file have no other calls of what only the file can name.
    if ((pf->flags & PROG_SHARED) && !(pf->flags & (PROG_INTERNAL | PROG_HIDDEN))) return false;
    for (uint32_t i = 0; i < pf->callers.count; i++) {
        FuncId by = p->callers.at[pf->callers.first + i];
        if (!program_has_code(p, by)) return false;
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t n = 0; n < calls.count; n++) {
            const CallSite *c = &p->calls.at[calls.first + n];
            if (c->callee.id == f.id) vec_push(into, ((CallOf){by, c->ins}));
        }
    }
    if (!(pf->flags & PROG_ADDRESS_TAKEN)) return true;
    const Pointed *k = pointed_of(o);
    if (!k || bits_has(&k->loose, f.id) || !add_handed(k, f, into, kinds)) return false;
    *once = bits_has(&k->once, f.id);
    for (uint32_t i = first_of(k, f.id); i < k->all.len && k->all.at[i].callee == f.id; i++)
        vec_push(into, k->all.at[i].call);
    if (!bits_has(&k->escaped, f.id)) return true;
    vec_each (i, &k->open) {
        const Unit *u;
        const Func *by = program_body(p, k->open.at[i].by, &u);
        CallOf c = k->open.at[i];
        if (takes(p, f, u, by, func_ins(u, by, c.ins)) && member_may_hold(o, c.by, c.ins, f)) vec_push(into, c);
    }
    return true;
}

bool callers_of(Frequency *o, FuncId f, CallsOf *into)
{
    bool once = false;
    return callers_but_once(o, f, CALLERS_ALONE, into, &once) && !once;
}

bool all_callers_pass(Frequency *o, FuncId f, uint32_t param, PassedTest test, uint32_t depth)
{
    CallsOf calls = {0};
    bool all = callers_of(o, f, &calls) && calls.len;
    for (uint32_t i = 0; i < calls.len && all; i++) {
        Shape *by = frequency_shape(o, calls.at[i].by);
        const Ins *in = func_ins(by->unit, by->func, calls.at[i].ins);
        all = param < in->c && test(o, calls.at[i].by, by,
                                    (Ref){*func_extra(by->unit, by->func, in->b + param)}, depth);
    }
    vec_free(&calls);
    return all;
}
