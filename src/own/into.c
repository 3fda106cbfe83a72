// Where parameters go: into memory that another parameter leads to, among others of their kind or
// as the only one. Container routines are recognised by it (Heine and Lam, section 2.4): what is stored behind
// another parameter and may be one of many is an element; what replaces the content of a field is
// not.
//
// A region is all memory that one parameter, allocation or local leads to: a value and what is
// loaded through it are of one region. A store is an edge from region to region; a callee's edges
// are taken over with its arguments. Flow-insensitive, for drafts only.
#include "own/own_int.h"

typedef struct {
    uint32_t from, to;
    bool many; // the place is one of several: an element of an array, or behind a loaded pointer
} StoreEdge;

typedef struct {
    Body *b;
    uint32_t *parent; // by value
    VEC(StoreEdge) edges;
} Regions;

static uint32_t find(Regions *k, uint32_t v)
{
    while (k->parent[v] != v) v = k->parent[v] = k->parent[k->parent[v]];
    return v;
}

static void join(Regions *k, uint32_t a, uint32_t b)
{
    if (a == NO_VALUE || b == NO_VALUE) return;
    a = find(k, a);
    b = find(k, b);
    // The smaller number stays: parameters come first.
    k->parent[a > b ? a : b] = a > b ? b : a;
}

static const Into *into_of(const Body *b, const CallInst *inst)
{
    return inst->callee.id ? b->own->intos[inst->callee.id] : NULL;
}

static Ref argument(const Body *b, const CallInst *inst, uint32_t k)
{
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    return (Ref){*func_extra(b->unit, b->func, call->b + k)};
}

static bool is_local(const Body *b, Ref r)
{
    return ref_is_ins(r) && func_ins(b->unit, b->func, ref_index(r))->op == OP_ALLOCA;
}

static void join_ins(Regions *k, uint32_t n)
{
    Body *b = k->b;
    const Ins *i = func_ins(b->unit, b->func, n);
    uint32_t v = value_ins(b, n), cell;
    switch ((Op)i->op) {
    case OP_LOAD:
    case OP_FIELD:
    case OP_INDEX:
        join(k, v, direct_value(b, (Ref){i->a}));
        break;
    case OP_STORE:
        if (is_cell(b, (Ref){i->a}, &cell))
            join(k, direct_value(b, (Ref){i->a}), direct_value(b, (Ref){i->b}));
        break;
    case OP_PHI:
        for (uint32_t p = 0; p < i->c; p++)
            join(k, v, direct_value(b, (Ref){func_extra(b->unit, b->func, i->b)[2 * p + 1]}));
        break;
    case OP_SELECT:
        join(k, v, direct_value(b, (Ref){i->b}));
        join(k, v, direct_value(b, (Ref){i->c}));
        break;
    case OP_CALL:
    case OP_INVOKE: {
        CallInst *inst = inst_of(b, n);
        const Into *into = inst ? into_of(b, inst) : NULL;
        if (!into) break;
        if (into->result_from < inst->arg_count)
            join(k, v, direct_value(b, argument(b, inst, into->result_from)));
        // A local variable that the callee sets to something behind another argument.
        for (uint32_t h = 0; h < inst->arg_count && h < 32; h++)
            for (uint32_t p = 0; p < into->param_count && p < inst->arg_count; p++)
                if ((into->set[p] >> h & 1) && is_local(b, argument(b, inst, h)))
                    join(k, direct_value(b, argument(b, inst, h)),
                         direct_value(b, argument(b, inst, p)));
        break;
    }
    default:
        break;
    }
}

// One of several places: not a field of what a parameter or a fresh object points to.
static bool is_one_of_many(const Body *b, Ref address)
{
    while (ref_is_ins(address)) {
        const Ins *i = func_ins(b->unit, b->func, ref_index(address));
        if (i->op == OP_LOAD || i->op == OP_PHI) return true;
        if (i->op == OP_INDEX && !ref_is_const((Ref){i->b})) return true;
        if (i->op != OP_FIELD && i->op != OP_INDEX) return false;
        address = (Ref){i->a};
    }
    return false;
}

static void edge(Regions *k, Ref from, Ref to, bool many)
{
    uint32_t a = direct_value(k->b, from), v = direct_value(k->b, to);
    if (a == NO_VALUE || v == NO_VALUE) return;
    a = find(k, a);
    v = find(k, v);
    if (a != v) vec_push(&k->edges, ((StoreEdge){a, v, many}));
}

static void edges_ins(Regions *k, uint32_t n)
{
    Body *b = k->b;
    const Ins *i = func_ins(b->unit, b->func, n);
    if ((i->op == OP_STORE && mtype_class(i->type) == MT_PTR) || i->op == OP_COPY)
        edge(k, (Ref){i->a}, (Ref){i->b}, is_one_of_many(b, (Ref){i->a}));
    CallInst *inst = i->op == OP_CALL || i->op == OP_INVOKE ? inst_of(b, n) : NULL;
    const Into *into = inst ? into_of(b, inst) : NULL;
    if (!into) return;
    for (uint32_t h = 0; h < inst->arg_count && h < 32; h++)
        if (into->result_in >> h & 1) edge(k, argument(b, inst, h), ref_ins(n), true);
    for (uint32_t p = 0; p < into->param_count && p < inst->arg_count; p++)
        for (uint32_t h = 0; h < into->param_count && h < inst->arg_count && h < 32; h++)
            if ((into->many[p] | into->one[p]) >> h & 1)
                edge(k, argument(b, inst, h), argument(b, inst, p), into->many[p] >> h & 1);
}

// Linked to what was there before: the old head goes into the new node, or its two neighbours.
static bool is_linked(const Regions *k, uint32_t node, uint32_t home)
{
    uint32_t other = NO_VALUE;
    vec_each (i, &k->edges) {
        const StoreEdge *e = &k->edges.at[i];
        if (e->from != node || e->to >= k->b->param_count) continue;
        if (e->to == home || (other != NO_VALUE && e->to != other)) return true;
        other = e->to;
    }
    return false;
}

// From the home along the edges; `many` once one of them is.
static void spread(Regions *k, uint32_t home, uint8_t *state)
{
    bool more = true;
    state[home] = 1;
    while (more) {
        more = false;
        vec_each (i, &k->edges) {
            const StoreEdge *e = &k->edges.at[i];
            if (!state[e->from]) continue;
            bool many = state[e->from] == 2 || e->many ||
                        (e->to >= k->b->param_count && is_linked(k, e->to, home));
            uint8_t now = many ? 2 : 1;
            if (e->to == home || state[e->to] >= now) continue;
            state[e->to] = now;
            more = true;
        }
    }
}

static bool is_param(const Body *b, uint32_t value)
{
    return value < b->param_count && value < 32;
}

// Each call is given the parameter: the function does nothing but pass it on.
static bool only_passes_on(const Body *b, uint32_t param)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        bool given = false;
        for (uint32_t p = 0; p < inst->arg_count; p++)
            given |= direct_value(b, argument(b, inst, p)) == param;
        if (!given) return false;
    }
    return true;
}

// The callee takes it on some ways: no constraint of the caller says so.
static bool is_taken_sometimes(const Body *b, const CallInst *inst, uint32_t arg)
{
    const Interface *face = inst->callee.id ? b->own->interfaces[inst->callee.id] : NULL;
    return face && arg < face->param_count && face->torn && face->torn[arg] &&
           face_forced(face, face->params[arg].own) == 1;
}

// Releases, or hands to a function that is only known as a pointer, what is found behind the
// parameter. What callees release counts where they are of the same file or the function does
// nothing else.
static void finds_and_releases(Regions *k, Into *into)
{
    Body *b = k->b;
    const Program *program = b->own->program;
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->prio != PRIO_MEMORY || c->kind != CON_LOAD || c->value == NO_VALUE) continue;
        // A result that is released makes a user of the container, not a routine of it.
        if (c->value < b->param_count || c->value >= b->param_count + b->func->ins_count ||
            func_ins(b->unit, b->func, c->value - b->param_count)->op != OP_LOAD)
            continue;
        uint32_t r = find(k, c->value);
        if (is_param(b, r)) into->out_self |= (uint32_t)1 << r;
    }
    into->out = into->out_self;
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Into *callee = into_of(b, inst);
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        // What returns something compares or looks.
        bool pointer = !inst->callee.id && call->op != OP_ASM && mtype_class(call->type) == MT_VOID;
        bool ours = callee && (program->funcs.at[inst->callee.id].flags & PROG_INTERNAL);
        for (uint32_t p = 0; p < inst->arg_count && p < 32; p++) {
            uint32_t v = direct_value(b, argument(b, inst, p));
            if (v == NO_VALUE) continue;
            uint32_t r = find(k, v);
            bool loaded = v >= b->param_count &&
                          func_ins(b->unit, b->func, v - b->param_count)->op == OP_LOAD;
            bool released =
                callee ? (ours && (callee->out_self >> p & 1)) ||
                             ((callee->out >> p & 1) && is_param(b, v) && only_passes_on(b, v))
                       : pointer && loaded;
            if (released && is_param(b, r)) into->out |= (uint32_t)1 << r;
            Op op =
                v < b->param_count ? OP_NOP : func_ins(b->unit, b->func, v - b->param_count)->op;
            bool found = op == OP_LOAD || op == OP_PHI || op == OP_SELECT;
            if (found && is_param(b, r) && is_taken_sometimes(b, inst, p))
                into->out |= (uint32_t)1 << r, into->out_self |= (uint32_t)1 << r;
        }
    }
}

static uint32_t result_region(Regions *k)
{
    Body *b = k->b;
    uint32_t result = NO_VALUE;
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        uint32_t v = x->op == OP_RET ? direct_value(b, (Ref){x->a}) : NO_VALUE;
        if (v != NO_VALUE) result = find(k, v);
    }
    return result;
}

void body_into(Body *b)
{
    Regions k = {.b = b};
    uint32_t count = b->param_count + b->func->ins_count;
    k.parent = arena_array_of(b->arena, uint32_t, b->value_count + 1);
    for (uint32_t v = 0; v < b->value_count; v++) k.parent[v] = v;
    for (uint32_t i = 0; i < b->func->ins_count; i++) join_ins(&k, i);
    for (uint32_t i = 0; i < b->func->ins_count; i++) edges_ins(&k, i);
    Own *o = b->own;
    Into *into = arena_new_of(o->arena, Into);
    into->param_count = b->param_count;
    into->many = arena_array_of(o->arena, uint32_t, b->param_count + 1);
    into->one = arena_array_of(o->arena, uint32_t, b->param_count + 1);
    into->result_from = NO_VALUE;
    into->set = arena_array_of(o->arena, uint32_t, b->param_count + 1);
    vec_each (i, &k.edges)
        if (k.edges.at[i].from < b->param_count && k.edges.at[i].from < 32 &&
            k.edges.at[i].to < b->param_count)
            into->set[k.edges.at[i].to] |= (uint32_t)1 << k.edges.at[i].from;
    uint32_t result = result_region(&k);
    if (result < b->param_count) into->result_from = result;
    uint8_t *state = arena_array_of(b->arena, uint8_t, count + 1);
    for (uint32_t h = 0; h < b->param_count && h < 32; h++) {
        if (find(&k, h) != h || !k.edges.len) continue;
        memset(state, 0, count);
        spread(&k, h, state);
        if (result != NO_VALUE && result >= b->param_count && state[result] == 2)
            into->result_in |= (uint32_t)1 << h;
        for (uint32_t p = 0; p < b->param_count; p++) {
            uint8_t at = p == h ? 0 : state[find(&k, p)];
            if (at == 2) into->many[p] |= (uint32_t)1 << h;
            if (at == 1) into->one[p] |= (uint32_t)1 << h;
        }
    }
    for (uint32_t i = 0; i < b->func->ins_count && !into->opens; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        into->opens = x->op == OP_FIELD;
    }
    finds_and_releases(&k, into);
    o->intos[b->f.id] = into;
    vec_free(&k.edges);
}
