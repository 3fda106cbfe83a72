// Which functions a call through a member of a struct may reach, by the member's name.
//
// x->open(name) reaches the functions that lie in members called `open`: those that initialisers and assignments put
// there (multi-layer types: Lu and Hu, CCS 2019, but by name and offset alone), or in members that are assigned to it. One
// to which anything else is assigned, or whose address is handed on, says nothing. The points-to sets are more exact where they tell the members of a struct
// apart; where a copy of bytes has made them one, this is what is left. Errs towards "calls it" but for
// struct types that are cast to others.
#include "impact/impact_int.h"

#include "base/hash.h"
#include "base/map.h"
#include "unit/types.h"

#include <string.h>

typedef struct {
    uint64_t from;
    uint32_t next; // + 1, with the same `to`
} Assigned;

typedef VEC(uint64_t) Keys;

struct Members {
    Map held;     // function and member -> 1
    Map open;     // member -> 1: may hold any function
    Map assigned; // member -> place in `all` + 1: what is assigned to it
    VEC(Assigned) all;
    Bits untyped; // by FuncId: lies where no member is known
};

// Of a member: its name, and where it lies in its struct. 0: it has none.
static uint64_t member_key(const char *name, int64_t offset)
{
    return *name ? hash_mix(hash_bytes(name, strlen(name), 0), (uint64_t)offset) : 0;
}

static uint64_t held_key(FuncId f, uint64_t member)
{
    return hash_mix(f.id, member);
}

// Of a variable, or of any element of an array that is one.
static uint64_t member_of_variable(const Unit *u, Ref variable, int64_t offset)
{
    const Const *c = ref_is_const(variable) ? &u->consts.at[ref_index(variable)] : NULL;
    if (!c || c->kind != CONST_GLOBAL || c->value + offset < 0) return 0;
    const Elem *e = innermost_member(u, u->globals.at[c->target].type, (uint64_t)(c->value + offset));
    return e ? member_key(name_text(u->names, e->name), e->offset / 8) : 0;
}

// The elements of an array count as one.
static uint64_t member_of(const Unit *u, const Func *f, Ref address)
{
    int64_t offset = 0;
    while (ref_is_ins(address)) {
        const Ins *in = func_ins(u, f, ref_index(address));
        if (in->op == OP_FIELD && in->c) return member_key(name_text(u->names, (Name){in->c}), (int32_t)in->b);
        if (in->op != OP_INDEX && in->op != OP_FIELD) break;
        if (in->op == OP_FIELD) offset += (int32_t)in->b;
        address = (Ref){in->a};
    }
    return member_of_variable(u, address, offset);
}

// A struct, which is no member although its first one begins there.
static bool is_start(const Unit *u, Ref r)
{
    return ref_is_const(r) && u->consts.at[ref_index(r)].value == 0;
}

static void look_at_global(Members *m, const Program *p, GlobalId id)
{
    const ProgGlobal *pg = &p->globals.at[id.id];
    const Unit *u = p->units[pg->unit];
    const Global *d = &u->globals.at[pg->global.id];
    for (uint32_t k = 0; k < d->init_count; k++) {
        const Init *init = &u->inits.at[d->first_init + k];
        FuncId held = program_callee(p, pg->unit, u, (Ref){init->value});
        if (!held.id) continue;
        const Elem *e = innermost_member(u, d->type, init->offset);
        uint64_t member = e ? member_key(name_text(u->names, e->name), e->offset / 8) : 0;
        if (member)
            map_set(&m->held, held_key(held, member), 1);
        else
            bits_add(&m->untyped, held.id);
    }
}

static bool is_null(const Unit *u, Ref r)
{
    return ref_is_const(r) && u->consts.at[ref_index(r)].kind == CONST_NULL;
}

static void assign_member(Members *m, uint64_t to, uint64_t from)
{
    uint64_t *first = map_at(&m->assigned, to, 0, &(bool){0});
    vec_push(&m->all, ((Assigned){from, (uint32_t)*first}));
    *first = m->all.len;
}

// `value` is assigned to the member.
static void assign(Members *m, const Program *p, FuncId by, const Unit *u, const Func *f, uint64_t member, Ref value,
                   uint32_t depth)
{
    FuncId held = program_callee(p, p->funcs.at[by.id].unit, u, value);
    const Ins *in = ref_is_ins(value) ? func_ins(u, f, ref_index(value)) : NULL;
    uint64_t from = in && in->op == OP_LOAD ? member_of(u, f, (Ref){in->a}) : 0;
    if (held.id) {
        map_set(&m->held, held_key(held, member), 1);
    } else if (in && depth && in->op == OP_SELECT) {
        assign(m, p, by, u, f, member, (Ref){in->b}, depth - 1);
        assign(m, p, by, u, f, member, (Ref){in->c}, depth - 1);
    } else if (in && depth && in->op == OP_PHI) {
        for (uint32_t i = 0; i < in->c; i++)
            assign(m, p, by, u, f, member, (Ref){func_extra(u, f, in->b + 2 * i)[1]}, depth - 1);
    } else if (from) {
        assign_member(m, member, from);
    } else if (!is_null(u, value)) {
        map_set(&m->open, member, 1);
    }
}

// The member whose address this is, or those between which it is chosen. One that has none is left out.
static void add_members(const Unit *u, const Func *f, Ref address, uint32_t depth, Keys *into)
{
    const Ins *in = ref_is_ins(address) ? func_ins(u, f, ref_index(address)) : NULL;
    uint64_t member = is_start(u, address) ? 0 : member_of(u, f, address);
    if (member) vec_push(into, member);
    if (!in || !depth) return;
    if (in->op == OP_SELECT) {
        add_members(u, f, (Ref){in->b}, depth - 1, into);
        add_members(u, f, (Ref){in->c}, depth - 1, into);
    }
    for (uint32_t i = 0; in->op == OP_PHI && i < in->c; i++)
        add_members(u, f, (Ref){func_extra(u, f, in->b + 2 * i)[1]}, depth - 1, into);
}

// What is copied to a member that is an array comes from others.
static void look_at_copy(Members *m, const Unit *u, const Func *f, const Ins *in)
{
    uint64_t to = is_start(u, (Ref){in->a}) ? 0 : member_of(u, f, (Ref){in->a});
    Keys from = {0};
    if (to) add_members(u, f, (Ref){in->b}, ASSIGNED_DEEP, &from);
    vec_each (i, &from) if (from.at[i] != to) assign_member(m, to, from.at[i]);
    if (to && !from.len) map_set(&m->open, to, 1);
    vec_free(&from);
}

// Whose address a call gets, or some place in memory: there it may be written by any name.
static void look_at_addresses(Members *m, const Unit *u, const Func *f, const Ins *in)
{
    Operands ops = ins_operands(u, f, in);
    Keys handed = {0};
    for (uint32_t k = 0; k < ops.count + ops.more_count; k++)
        if (in->op != OP_STORE || k == 1) add_members(u, f, operand_at(&ops, k), ASSIGNED_DEEP, &handed);
    vec_each (i, &handed) map_set(&m->open, handed.at[i], 1);
    vec_free(&handed);
}

static void look_at_ins(Members *m, const Program *p, FuncId by, const Unit *u, const Func *f, const Ins *in)
{
    if (in->op == OP_COPY) look_at_copy(m, u, f, in);
    if (in->op == OP_STORE && mtype_class(ref_type(u, f, (Ref){in->b})) == MT_PTR) {
        uint64_t member = member_of(u, f, (Ref){in->a});
        if (member) assign(m, p, by, u, f, member, (Ref){in->b}, ASSIGNED_DEEP);
    }
    if (in->op == OP_STORE || in->op == OP_RET || in->op == OP_INVOKE || op_form((Op)in->op) == FORM_CALL)
        look_at_addresses(m, u, f, in);
}

static Members *find_members(Frequency *o)
{
    const Program *p = o->facts->program;
    Members *m = arena_array_of(o->arena, Members, 1);
    m->untyped = bits_new(o->arena, p->funcs.len);
    for (uint32_t g = 1; g < p->globals.len; g++) look_at_global(m, p, (GlobalId){g});
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        for (uint32_t i = 0; body && i < body->ins_count; i++)
            look_at_ins(m, p, (FuncId){f}, u, body, func_ins(u, body, i));
    }
    return m;
}

void members_free(Members *m)
{
    if (!m) return;
    map_free(&m->held);
    map_free(&m->open);
    map_free(&m->assigned);
    vec_free(&m->all);
}

static bool may_hold(const Members *m, uint64_t member, FuncId f, uint32_t depth)
{
    if (!depth || map_get(&m->open, member) || map_get(&m->held, held_key(f, member))) return true;
    const uint64_t *first = map_get(&m->assigned, member);
    for (uint32_t i = first ? (uint32_t)*first : 0; i; i = m->all.at[i - 1].next)
        if (m->all.at[i - 1].from != member && may_hold(m, m->all.at[i - 1].from, f, depth - 1)) return true;
    return false;
}

bool member_may_hold(Frequency *o, FuncId by, uint32_t call, FuncId callee)
{
    const Unit *u;
    const Func *f = program_body(o->facts->program, by, &u);
    Ref pointer = {func_ins(u, f, call)->a};
    if (!ref_is_ins(pointer) || func_ins(u, f, ref_index(pointer))->op != OP_LOAD) return true;
    uint64_t member = member_of(u, f, (Ref){func_ins(u, f, ref_index(pointer))->a});
    if (!member) return true;
    if (!o->members) o->members = find_members(o);
    return bits_has(&o->members->untyped, callee.id) || may_hold(o->members, member, callee, ASSIGNED_DEEP);
}
