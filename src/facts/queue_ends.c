// The two ends of a queue: without a last element there is no first one.
//
// Two pointer fields of a struct are the ends of a queue when some function stores one value to
// both, and memory is written through one of them, the last element's (`q->tail->next = e`). The
// elements are structs of another kind: the links of a node or a tree are none. A load of one end
// then knows the other: what is written through is not null where the other is not.
//
// It is not so, and nothing is said, where null is stored to that end by a function that neither
// stores null to the other nor asks whether it is null: a pointer to the current element is set
// aside like that. Errs towards a missed leak where a queue is left without its end by a value that
// happens to be null.
#include "facts/facts_int.h"
#include "facts/fields.h"

#include "base/hash.h"

typedef struct {
    uint64_t of;   // struct
    uint32_t a, b; // offsets
    bool a_last, b_last;
} FieldPair;

typedef struct {
    const Program *p;
    VEC(FieldPair) pairs;
    Map pair_of;  // struct and offset -> index in pairs and 1; MANY: several
    Map through;  // struct and offset: something is written behind it
    Bits touches; // functions that store null to, or load, a field of a struct with such a pair
} QueueFields;

enum { MANY = UINT32_MAX };

static uint64_t end_key(uint64_t of, uint32_t offset)
{
    return hash_mix(of, offset + 1);
}

// The field that an address is, of a struct whose name is known.
static bool end_at(const Map *types, const Unit *u, const Func *f, Ref address, Field *field,
                   uint32_t *offset)
{
    if (!fields_at(types, u, f, address, field) || !field->of) return false;
    *offset = func_ins(u, f, ref_index(address))->b;
    return true;
}

static Ref root_of(const Unit *u, const Func *f, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *i = func_ins(u, f, ref_index(r));
        if (i->op != OP_FIELD && i->op != OP_INDEX) break;
        r = (Ref){i->a};
    }
    return r;
}

static void note_pair(QueueFields *e, uint64_t of, uint32_t a, uint32_t b)
{
    bool fresh;
    uint64_t *at_a = map_at(&e->pair_of, end_key(of, a), 0, &fresh);
    uint64_t have_a = *at_a;
    uint64_t *at_b = map_at(&e->pair_of, end_key(of, b), 0, &fresh);
    if (have_a && have_a == *at_b) return;
    bool many = have_a || *at_b;
    uint64_t number = many ? MANY : e->pairs.len + 1;
    *at_b = number;
    map_set(&e->pair_of, end_key(of, a), number);
    if (!many) vec_push(&e->pairs, ((FieldPair){.of = of, .a = a, .b = b}));
}

// Which fields get one value, and which lead to memory that is written.
static void look_for_pairs(QueueFields *e, FuncId id, Map *types, Map *last)
{
    const Unit *u;
    const Func *f = program_body(e->p, id, &u);
    Field field, other;
    uint32_t offset, before;
    bool typed = false;
    map_clear(last);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_STORE || mtype_class(in->type) != MT_PTR) continue;
        if (!typed) fields_types(types, u, f);
        typed = true;
        Ref behind = root_of(u, f, (Ref){in->a});
        const Ins *load = ref_is_ins(behind) && !ref_same(behind, (Ref){in->a})
                              ? func_ins(u, f, ref_index(behind))
                              : NULL;
        if (load && load->op == OP_LOAD && end_at(types, u, f, (Ref){load->a}, &field, &offset)) {
            uint64_t element = fields_struct(u, fields_pointed(types, u, f, behind, 0));
            if (element && element != field.of) map_set(&e->through, end_key(field.of, offset), 1);
        }
        Ref value = {in->b};
        if (!ref_is_ins(value) && !ref_is_param(value)) continue;
        if (!end_at(types, u, f, (Ref){in->a}, &field, &offset) || ref_same(value, field.base))
            continue;
        const uint64_t *earlier = map_get(last, value.bits);
        if (earlier && end_at(types, u, f, (Ref){(uint32_t)*earlier}, &other, &before) &&
            other.of == field.of && ref_same(other.base, field.base) && before != offset)
            note_pair(e, field.of, before, offset);
        map_set(last, value.bits, in->a);
    }
}

static FieldPair *pair_at(const QueueFields *e, uint64_t of, uint32_t offset)
{
    const uint64_t *number = map_get(&e->pair_of, end_key(of, offset));
    return number && *number && *number != MANY ? &e->pairs.at[*number - 1] : NULL;
}

static bool is_null(const Unit *u, Ref r)
{
    return ref_is_const(r) && u->consts.at[ref_index(r)].kind == CONST_NULL;
}

// Whether the function stores null to the field, or asks whether it, or what it stores there, is
// null.
static bool minds(const Map *types, const Unit *u, const Func *f, Ref base, uint64_t of,
                  uint32_t offset)
{
    Field field;
    uint32_t at;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_STORE && in->op != OP_LOAD) continue;
        if (!end_at(types, u, f, (Ref){in->a}, &field, &at) || field.of != of || at != offset ||
            !ref_same(field.base, base))
            continue;
        if (in->op == OP_STORE && is_null(u, (Ref){in->b})) return true;
        Ref value = in->op == OP_LOAD ? ref_ins(i) : (Ref){in->b};
        for (uint32_t n = 0; n < f->ins_count; n++) {
            const Ins *test = func_ins(u, f, n);
            if ((test->op == OP_EQ || test->op == OP_NE) && ref_same((Ref){test->a}, value) &&
                is_null(u, (Ref){test->b}))
                return true;
        }
    }
    return false;
}

// A null that one end gets where the other is not minded.
static void look_at_nulls(QueueFields *e, FuncId id, Map *types)
{
    const Unit *u;
    const Func *f = program_body(e->p, id, &u);
    Field field;
    uint32_t offset;
    bool typed = false;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        bool store = in->op == OP_STORE && is_null(u, (Ref){in->b});
        if ((!store && in->op != OP_LOAD) || mtype_class(in->type) != MT_PTR) continue;
        if (!typed) fields_types(types, u, f);
        typed = true;
        if (!end_at(types, u, f, (Ref){in->a}, &field, &offset)) continue;
        FieldPair *p = pair_at(e, field.of, offset);
        if (!p) continue;
        bits_add(&e->touches, id.id);
        bool *last = offset == p->a ? &p->a_last : &p->b_last;
        uint32_t other = offset == p->a ? p->b : p->a;
        if (store && *last && !minds(types, u, f, field.base, field.of, other)) *last = false;
    }
}

static void note_loads(const QueueFields *e, Facts *into, FuncId id, Map *types)
{
    const Unit *u;
    const Func *f = program_body(e->p, id, &u);
    Field field;
    uint32_t offset;
    fields_types(types, u, f);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_LOAD || mtype_class(in->type) != MT_PTR ||
            !end_at(types, u, f, (Ref){in->a}, &field, &offset))
            continue;
        const FieldPair *p = pair_at(e, field.of, offset);
        if (!p || (!p->a_last && !p->b_last)) continue;
        bool a = offset == p->a;
        QueueEnd end = {.other = (int32_t)((a ? p->b : p->a) - offset),
                        .last = a ? p->a_last : p->b_last,
                        .other_last = a ? p->b_last : p->a_last};
        facts_note_load(into, id, i, end);
    }
}

void queue_ends_find(Facts *f, Arena *a)
{
    const Program *p = f->program;
    QueueFields e = {.p = p, .touches = bits_new(a, p->funcs.len)};
    Map types = {0}, last = {0};
    for (uint32_t n = 1; n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_for_pairs(&e, (FuncId){n}, &types, &last);
    vec_each (i, &e.pairs) {
        FieldPair *pair = &e.pairs.at[i];
        pair->a_last = map_get(&e.through, end_key(pair->of, pair->a)) != NULL;
        pair->b_last = map_get(&e.through, end_key(pair->of, pair->b)) != NULL;
    }
    for (uint32_t n = 1; e.pairs.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_at_nulls(&e, (FuncId){n}, &types);
    bits_each (n, &e.touches) note_loads(&e, f, (FuncId){n}, &types);
    map_free(&types);
    map_free(&last);
    map_free(&e.pair_of);
    map_free(&e.through);
    vec_free(&e.pairs);
}
