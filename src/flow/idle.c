// Nodes that nobody needs: stores into objects that nothing reads, and calls that change nothing
// and whose result is not used. One look at each instruction says what is read and which nodes may
// be idle; then these are gone through bottom-up over the call graph. No fixpoint: that a load is
// only wanted by what is idle itself is not seen (bench/flow --nodes says how little that would
// add). Errs towards needing.
//
// Objects are taken as a whole: the points-to sets tell the elements of a buffer apart only as far
// as pointers are concerned. What may hold a pointer to the heap or a resource that is a number (a
// descriptor) is never idle: a store there may be the last trace of it, or overwrite that.
#include "flow/flow.h"

#include "base/map.h"
#include "flow/limits.h"
#include "project/project.h"

#include <string.h>

typedef enum {
    NEEDED,
    WRITES, // nothing but numbers into memory: idle where nothing reads that
    CALLS,  // does what the code of its callee does
    IDLE,
} IdleKind;

typedef struct {
    uint32_t func, ins;
    IdleKind kind;
} IdleCandidate;

typedef struct {
    const Program *p;
    const Points *points;
    Bits read;      // by ObjId: something reads it
    Bits handles;   // by ObjId: a number may be stored there that stands for a resource
    Bits acts;      // by FuncId: a call of it may do something
    bool unseen;    // something reads what unknown code sees
    uint8_t *holds; // by ObjId: whether it may hold a pointer to the heap; 0: not looked at
    Map sets;       // read already
    VEC(IdleCandidate) candidates; // callees before callers
    // The function that is looked at.
    FuncId id;
    const Unit *u;
    const Func *f;
    Bits plain, used;
} Idle;

static const SBits *set_of(const Idle *k, uint32_t ref)
{
    return points_set(k->points, k->id, (Ref){ref});
}

static bool is_number(MType t)
{
    return mtype_class(t) == MT_INT || mtype_class(t) == MT_FLOAT;
}

static FuncId callee_of(const Idle *k, const Ins *i)
{
    FuncId g = program_callee(k->p, k->p->funcs.at[k->id.id].unit, k->u, (Ref){i->a});
    return k->p->funcs.at[g.id].flags & PROG_IFUNC ? (FuncId){0} : g;
}

// ---- what an instruction may be ----

static bool is_heap(const Idle *k, const SBits *s)
{
    uint32_t cell;
    if (!s) return false;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);)
        if (cell == POINTS_UNKNOWN ||
            points_object(k->points, points_cell_object(k->points, cell))->kind == POBJ_HEAP)
            return true;
    return false;
}

// The value is a number that stands for nothing: worked out, or too narrow. What was loaded, handed
// in or returned by code may be a descriptor.
static bool is_mere(const Idle *k, Ref r, uint32_t depth)
{
    MType t = ref_type(k->u, k->f, r);
    if (mtype_class(t) == MT_FLOAT || (mtype_class(t) == MT_INT && mtype_size(t) < 32)) return true;
    if (ref_is_const(r)) return true;
    if (!ref_is_ins(r) || !depth) return false;
    const Ins *i = func_ins(k->u, k->f, ref_index(r));
    switch ((Op)i->op) {
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC:
        return is_mere(k, (Ref){i->a}, depth - 1);
    case OP_SELECT:
        return is_mere(k, (Ref){i->b}, depth - 1) && is_mere(k, (Ref){i->c}, depth - 1);
    case OP_CALL: {
        FuncId g = callee_of(k, i);
        const SpecFunc *s = g.id ? points_spec(k->points, g) : NULL;
        return s && !s->case_count && s->result.gives == SPEC_PLAIN;
    }
    default:
        return i->op >= OP_ADD && i->op <= OP_SLE;
    }
}

// Nothing else may be left of what the value stands for: a block, or a descriptor that is not in
// memory. Where the last use of it stands is told.
static bool is_trace(const Idle *k, Ref r)
{
    if (is_number(ref_type(k->u, k->f, r)))
        return ref_is_ins(r) && func_ins(k->u, k->f, ref_index(r))->op != OP_LOAD &&
               !is_mere(k, r, NUMBER_STEPS);
    return !project_is_plain(&k->plain, r) && is_heap(k, set_of(k, r.bits));
}

static bool may_hold_heap(Idle *k, ObjId o)
{
    enum { NO = 1, YES };
    if (!k->holds[o.id]) {
        bool heap = false;
        uint32_t cell;
        for (uint32_t i = 0; !heap && (cell = points_object_cell(k->points, o, i)); i++)
            heap = is_heap(k, points_content(k->points, cell));
        k->holds[o.id] = heap ? YES : NO;
    }
    return k->holds[o.id] == YES;
}

// An address inside a local or global that holds no pointer to the heap.
static bool is_dull(Idle *k, uint32_t ref)
{
    const SBits *s = set_of(k, ref);
    uint32_t cell;
    if (!s || sbits_is_empty(s) || !project_is_plain(&k->plain, (Ref){ref})) return false;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN) return false;
        ObjId o = points_cell_object(k->points, cell);
        ObjKind kind = points_object(k->points, o)->kind;
        if ((kind != POBJ_LOCAL && kind != POBJ_GLOBAL) || may_hold_heap(k, o)) return false;
    }
    return true;
}

static bool is_null(const Idle *k, Ref r)
{
    return ref_is_const(r) && k->u->consts.at[ref_index(r)].kind == CONST_NULL;
}

// By its specification the call only looks at its arguments or writes numbers, and none of them is
// a block that may have been released.
static IdleKind of_spec(Idle *k, const Ins *i, const SpecFunc *s)
{
    if (s->noreturn || s->twice || s->realloc || s->case_count || s->copy_count || s->unexpected)
        return NEEDED;
    if (s->result.gives == SPEC_OWN || s->result.gives == SPEC_POLY) return NEEDED;
    IdleKind is = IDLE;
    for (uint32_t n = 0; n < i->c; n++) {
        const SpecParam *p = n < s->param_count ? &s->params[n] : &s->rest;
        Ref arg = {*func_extra(k->u, k->f, i->b + n)};
        MType t = ref_type(k->u, k->f, arg);
        if (p->mode != SPEC_REF || p->place != SPEC_ITSELF || p->called || p->to >= 0 ||
            p->when.op != SPEC_ALWAYS)
            return NEEDED;
        if (!is_number(t) && !(mtype_class(t) == MT_PTR && project_is_plain(&k->plain, arg)))
            return NEEDED;
        if (p->effect == SPEC_READS || is_null(k, arg)) continue;
        if (p->effect != SPEC_WRITES && p->effect != SPEC_FILLS) return NEEDED;
        if (!is_dull(k, arg.bits)) return NEEDED;
        is = WRITES;
    }
    return is;
}

// A message that tells of an assertion says that the program takes what comes after it to be impossible.
static bool tells_assertion(const Idle *k, Ref r)
{
    const Const *c = ref_is_const(r) ? &k->u->consts.at[ref_index(r)] : NULL;
    if (!c || c->kind != CONST_GLOBAL) return false;
    const Global *g = &k->u->globals.at[c->target];
    const char *text = (g->flags & GLOBAL_STRING) && g->text.id ? name_text(k->u->names, g->text) : "";
    return strstr(text, "ssert") || strstr(text, "SSERT");
}

// C++ is left out: specs of containers speak of functions that have code. So are calls whose result
// is used: that something needs them shows in the function itself.
static IdleKind of_call(Idle *k, uint32_t ins)
{
    const Ins *i = func_ins(k->u, k->f, ins);
    FuncId g = callee_of(k, i);
    if (!g.id || (k->f->flags & FUNC_CXX) || bits_has(&k->used, ins) ||
        (i->flags & (INS_NORETURN | INS_RETURNS_TWICE | INS_MUSTTAIL)))
        return NEEDED;
    for (uint32_t n = 0; n < i->c; n++)
        if (is_trace(k, (Ref){*func_extra(k->u, k->f, i->b + n)}) ||
            tells_assertion(k, (Ref){*func_extra(k->u, k->f, i->b + n)}))
            return NEEDED;
    const SpecFunc *s = points_spec(k->points, g);
    bool code = program_has_code(k->p, g);
    if (s) return code ? NEEDED : of_spec(k, i, s);
    // One of the same component has no summary yet when it is called.
    bool recursive = k->p->funcs.at[g.id].scc.id == k->p->funcs.at[k->id.id].scc.id;
    return code && !recursive ? CALLS : NEEDED;
}

static IdleKind kind_of(Idle *k, uint32_t ins)
{
    const Ins *i = func_ins(k->u, k->f, ins);
    switch ((Op)i->op) {
    case OP_STORE:
        if ((i->flags & (INS_VOLATILE | INS_ATOMIC)) || !is_number(i->type)) return NEEDED;
        return !is_heap(k, set_of(k, i->b)) && is_dull(k, i->a) ? WRITES : NEEDED;
    case OP_FILL:
        return !(i->flags & INS_VOLATILE) && is_dull(k, i->a) ? WRITES : NEEDED;
    case OP_CALL:
        return of_call(k, ins);
    default:
        return NEEDED;
    }
}

// ---- what is read ----

static void mark(const Idle *k, const SBits *s, Bits *objects, bool *unseen)
{
    uint32_t cell;
    if (!s) return;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN)
            *unseen = true;
        else
            bits_add(objects, points_cell_object(k->points, cell).id);
    }
}

static void mark_read(Idle *k, uint32_t ref)
{
    const SBits *s = set_of(k, ref);
    bool fresh;
    if (!s || sbits_is_empty(s)) return;
    map_at(&k->sets, (uint64_t)(uintptr_t)s, 0, &fresh);
    if (fresh) mark(k, s, &k->read, &k->unseen);
}

// Code that is evaluated reads by its own loads; a struct that is handed over by value is copied.
// Other code may leave a resource there.
static void mark_arguments(Idle *k, const Ins *i)
{
    bool unseen = false;
    FuncId g = i->op == OP_CALL || i->op == OP_INVOKE ? callee_of(k, i) : (FuncId){0};
    const Unit *u;
    const Func *body = g.id && !points_spec(k->points, g) ? program_body(k->p, g, &u) : NULL;
    for (uint32_t n = 0; n < i->c; n++)
        if (!body || n >= body->param_count ||
            (u->params.at[body->first_param + n].flags & PARAM_BYVAL)) {
            uint32_t arg = *func_extra(k->u, k->f, i->b + n);
            mark_read(k, arg);
            mark(k, set_of(k, arg), &k->handles, &unseen);
        }
}

static void look_for_reads(Idle *k, uint32_t ins, IdleKind kind)
{
    const Ins *i = func_ins(k->u, k->f, ins);
    bool unseen = false; // what unknown code has stored is nobody's that we know
    switch ((Op)i->op) {
    case OP_LOAD:
        if (bits_has(&k->used, ins)) mark_read(k, i->a);
        break;
    case OP_STORE:
        if (!is_number(i->type) || !is_mere(k, (Ref){i->b}, NUMBER_STEPS))
            mark(k, set_of(k, i->a), &k->handles, &unseen);
        break;
    case OP_COPY:
        mark_read(k, i->b);
        mark(k, set_of(k, i->a), &k->handles, &unseen);
        break;
    case OP_VA_START:
    case OP_VA_ARG:
        mark_read(k, i->a);
        break;
    case OP_VA_COPY:
        mark_read(k, i->a);
        mark_read(k, i->b);
        break;
    case OP_CALL:
        if (kind == NEEDED || kind == CALLS) mark_arguments(k, i);
        break;
    case OP_INVOKE:
    case OP_ASM:
        mark_arguments(k, i);
        break;
    default:
        break;
    }
}

// ---- what is left ----

static bool is_target_read(const Idle *k, uint32_t ref)
{
    const SBits *s = set_of(k, ref);
    uint32_t cell;
    if (!s) return false;
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell);) {
        ObjId o = points_cell_object(k->points, cell);
        if (bits_has(&k->read, o.id) || bits_has(&k->handles, o.id) ||
            (k->unseen && points_object(k->points, o)->escaped))
            return true;
    }
    return false;
}

static bool is_idle(Idle *k, const IdleCandidate *c)
{
    k->id = (FuncId){c->func};
    k->f = program_body(k->p, k->id, &k->u);
    const Ins *i = func_ins(k->u, k->f, c->ins);
    if (c->kind == CALLS) return !bits_has(&k->acts, callee_of(k, i).id);
    if (c->kind == IDLE) return true;
    if (i->op != OP_CALL) return !is_target_read(k, i->a);
    for (uint32_t n = 0; n < i->c; n++)
        if (is_target_read(k, *func_extra(k->u, k->f, i->b + n))) return false;
    return true;
}

// Needed by the function itself, not by those who call it.
static bool is_inward(const Idle *k, const Ins *i)
{
    switch ((Op)i->op) {
    case OP_LOAD:
        return project_is_plain(&k->plain, (Ref){i->a});
    case OP_NOP:
    case OP_BIND:
    case OP_LIFE_START:
    case OP_LIFE_END:
    case OP_RET:
        return true;
    default:
        return false;
    }
}

static void find_used(Idle *k)
{
    for (uint32_t i = 0; i < k->f->ins_count; i++) {
        const Ins *in = func_ins(k->u, k->f, i);
        if (in->op == OP_BIND) continue;
        Operands o = ins_operands(k->u, k->f, in);
        for (uint32_t n = 0; n < o.count; n++)
            if (ref_is_ins(o.refs[n])) bits_add(&k->used, ref_index(o.refs[n]));
        for (uint32_t n = 0; n < o.more_count; n++) {
            Ref r = {o.more[n * o.more_step]};
            if (ref_is_ins(r)) bits_add(&k->used, ref_index(r));
        }
    }
}

static void look_at(Idle *k, FuncId id)
{
    k->id = id;
    k->f = program_body(k->p, id, &k->u);
    if (!k->f) return;
    Arena *scratch = arena_new("idle");
    k->plain = project_plain(scratch, k->u, k->f);
    k->used = bits_new(scratch, k->f->ins_count);
    find_used(k);
    bool acts = false, returns = false;
    for (uint32_t i = 0; i < k->f->ins_count; i++) {
        const Ins *in = func_ins(k->u, k->f, i);
        IdleKind kind = kind_of(k, i);
        look_for_reads(k, i, kind);
        returns |= in->op == OP_RET;
        if (kind != NEEDED)
            vec_push(&k->candidates, ((IdleCandidate){id.id, i, kind}));
        else if (!acts && !is_inward(k, in))
            acts = project_needs(k->u, k->f, &k->plain, i);
    }
    if (acts || !returns) bits_add(&k->acts, id.id);
    arena_free(scratch);
}

const Bits *flow_idle(Arena *a, const Program *p, const Points *points, const Bits *matters)
{
    Arena *own = arena_new("idle");
    Idle k = {.p = p, .points = points};
    uint32_t objects = points_object_count(points) + 1;
    k.read = bits_new(own, objects);
    k.handles = bits_new(own, objects);
    k.holds = arena_array_of(own, uint8_t, objects);
    k.acts = bits_new(own, p->funcs.len);
    vec_each (i, &p->order)
        if (bits_has(matters, p->order.at[i].id)) look_at(&k, p->order.at[i]);
    Bits *idle = arena_array_of(a, Bits, p->funcs.len);
    vec_each (i, &k.candidates) {
        const IdleCandidate *c = &k.candidates.at[i];
        if (!is_idle(&k, c)) {
            bits_add(&k.acts, c->func);
            continue;
        }
        if (!idle[c->func].words) idle[c->func] = bits_new(a, k.f->ins_count);
        bits_add(&idle[c->func], c->ins);
    }
    vec_free(&k.candidates);
    map_free(&k.sets);
    arena_free(own);
    return idle;
}
