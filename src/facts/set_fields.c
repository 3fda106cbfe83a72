// Which loads read a field that is only ever given addresses.
//
// A pointer field, by the name of its struct, its own name and its offset, is set when every store
// to it in the program puts an address there that cannot be null, and every place that allocates
// the struct stores one before it returns. A null may be stored where the struct is released behind
// it, or where the same function puts an address there behind it. Functions that are given the
// struct while the field is null (the destructor, where the constructor fails half-way), and
// whatever they call, see both: their loads are not covered. Structs of one name in different units
// are taken for one.
//
// Not covered, so that the field may be null: structs that are also variables or parts of other
// structs, that code without source is given or gives, that are copied or filled as a whole; fields
// whose address is used otherwise than to load and store; fields that a function called by the
// constructor sets; what is beyond the looks of a function (limits.h). Not seen, which errs towards
// a missed leak: writes to a whole struct by way of untyped pointers, memory that becomes such a
// struct by a cast alone, half-built structs that are handed on through function pointers or
// globals, and users of a library that make its structs themselves.
#include "base/hash.h"
#include "facts/facts_int.h"
#include "facts/fields.h"
#include "facts/limits.h"
#include "facts/not_null.h"
#include "unit/types.h"

#include <stdlib.h>
#include <string.h>

// A function that gets a struct whose field is null.
typedef struct {
    uint64_t field;
    FuncId func;
} Half;

typedef VEC(Half) Halves;

typedef struct {
    NotNull known;
    Map fresh;    // FuncId -> it returns memory that it allocates
    Map releases; // (FuncId, parameter) -> it releases what it is given
    Map spoiled;  // hashes of structs, fields, and names of fields
    Map places;   // hash of a struct -> how many places allocate it
    Map set;      // hash of a field -> how many of them set it
    Halves half;  // who is given a struct whose field is not set yet, or no longer
    Map unset;    // a field and a function -> it may see it like that
} Fields;

static void spoil(Fields *k, uint64_t what)
{
    if (what) map_set(&k->spoiled, what, 1);
}

static void spoil_field(Fields *k, const Field *f)
{
    spoil(k, f->of ? f->key : f->name);
}

// Whether it may still be one that is always set.
static bool matters(const Fields *k, const Field *f)
{
    if (map_get(&k->spoiled, f->name)) return false;
    return !f->of || (map_get(&k->places, f->of) && !map_get(&k->spoiled, f->of) &&
                      !map_get(&k->spoiled, f->key));
}

// ---- What is done to them.

static bool releases(Fields *k, FuncId f, uint32_t param, int depth)
{
    const SpecFunc *spec = facts_spec(k->known.facts, f);
    const Program *p = k->known.facts->program;
    if (spec && (!program_has_code(p, f) || spec_beats_code(spec))) {
        const SpecParam *q = param < spec->param_count ? &spec->params[param] : NULL;
        return q && q->place == SPEC_ITSELF && (q->mode == SPEC_TAKE || q->mode == SPEC_REF_DEC);
    }
    const Unit *u;
    const Func *body = program_body(p, f, &u);
    if (!body || depth > LOOKS) return false;
    bool fresh, found = false;
    const uint64_t *known = map_at(&k->releases, map_pair(f.id, param), 0, &fresh);
    if (!fresh) return *known != 0;
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < calls.count && !found; i++) {
        const CallSite *site = &p->calls.at[calls.first + i];
        const Ins *in = func_ins(u, body, site->ins);
        for (uint32_t n = 0; site->callee.id && n < in->c && !found; n++)
            found = ref_same((Ref){*func_extra(u, body, in->b + n)}, ref_param(param)) &&
                    releases(k, site->callee, n, depth + 1);
    }
    map_set(&k->releases, map_pair(f.id, param), found);
    return found;
}

// The call gives memory that nothing was put into: its function returns no struct of its own.
static bool is_fresh(Fields *k, FuncId f)
{
    const Program *p = k->known.facts->program;
    const SpecFunc *spec = facts_spec(k->known.facts, f);
    const Unit *u;
    const Func *decl = program_decl(p, f, &u);
    const Type *t = decl ? &u->types.at[decl->type.id] : NULL;
    if (t && t->elem_count && fields_struct_behind(u, u->elems.at[t->first_elem].type)) return false;
    if (spec && (!program_has_code(p, f) || spec_beats_code(spec)))
        return spec->result.gives == SPEC_OWN;
    const Func *body = program_body(p, f, &u);
    bool fresh;
    uint64_t *known = map_at(&k->fresh, f.id, 0, &fresh);
    if (!fresh || !body || mtype_class(body->result) != MT_PTR) return *known != 0;
    bool found = false;
    for (uint32_t i = 0; i < body->ins_count && !found; i++) {
        const Ins *in = func_ins(u, body, i);
        if (in->op != OP_RET && in->op != OP_PHI) continue;
        Operands o = ins_operands(u, body, in);
        for (uint32_t n = 0; n < o.count + o.more_count && !found; n++) {
            Ref r = operand_at(&o, n);
            const Ins *c = ref_is_ins(r) ? func_ins(u, body, ref_index(r)) : NULL;
            if (!c || (c->op != OP_CALL && c->op != OP_INVOKE)) continue;
            FuncId callee = program_callee(p, p->funcs.at[f.id].unit, u, (Ref){c->a});
            found = callee.id && is_fresh(k, callee);
        }
    }
    map_set(&k->fresh, f.id, found);
    return found;
}

static bool is_behind(const View *v, uint32_t first, uint32_t second)
{
    uint32_t a = func_block_of(v->u, v->f, first), b = func_block_of(v->u, v->f, second);
    return a == b ? first < second : cfg_dominates(v->cfg, a, b);
}

// The instruction is executed on every way on from the first one.
static bool is_certain_behind(const View *v, uint32_t first, uint32_t second)
{
    uint32_t a = func_block_of(v->u, v->f, first), b = func_block_of(v->u, v->f, second);
    if (a == b) return first < second;
    while (a != BLOCK_NONE && a != b) a = v->cfg->ipdom[a];
    return a == b;
}

static bool is_set_at(const View *v, uint32_t store, uint32_t block)
{
    const Block *b = func_block(v->u, v->f, block);
    return is_behind(v, store, b->first + b->count - 1);
}

// Every way to a return has the store behind it, but those that return null.
static bool is_set_at_return(NotNull *k, const View *v, uint32_t store)
{
    if (!not_null_spend(k, v->f->block_count)) return false;
    for (uint32_t b = 0; b < v->f->block_count; b++) {
        const Block *block = func_block(v->u, v->f, b);
        const Ins *last = func_ins(v->u, v->f, block->first + block->count - 1);
        if (last->op != OP_RET || !bits_has(&v->live, b) || view_is_zero(v, (Ref){last->a}))
            continue;
        const Ins *phi = view_ins(v, (Ref){last->a});
        if (!phi || phi->op != OP_PHI) {
            if (!is_set_at(v, store, b)) return false;
            continue;
        }
        for (uint32_t n = 0; n < phi->c; n++) {
            uint32_t from = *func_extra(v->u, v->f, phi->b + 2 * n);
            Ref r = {*func_extra(v->u, v->f, phi->b + 2 * n + 1)};
            if (!view_is_zero(v, r) && bits_has(&v->live, from) && !is_set_at(v, store, from))
                return false;
        }
    }
    return true;
}

typedef struct {
    Fields *k;
    FuncId id;
    const View *v;
    const Map *types;
    Map set; // fields that this function gives an address, with their base -> the store
} Stores;

static uint64_t place_key(const Field *f)
{
    return hash_mix(f->key, f->base.bits);
}

// The struct is passed on by calls of this function while its field is null: by those in front of
// the store that sets it, or by those behind the one that takes it away.
static void note_halves(const Stores *s, const Field *field, uint32_t store, bool in_front)
{
    const View *v = s->v;
    const Program *p = s->k->known.facts->program;
    ProgRange calls = p->funcs.at[s->id.id].calls;
    for (uint32_t c = 0; c < calls.count; c++) {
        const CallSite *site = &p->calls.at[calls.first + c];
        const Ins *in = func_ins(v->u, v->f, site->ins);
        if (!program_has_code(p, site->callee)) continue;
        if (in_front ? is_behind(v, store, site->ins) : is_behind(v, site->ins, store)) continue;
        bool given = false;
        for (uint32_t n = 0; n < in->c && !given; n++)
            given = ref_same((Ref){*func_extra(v->u, v->f, in->b + n)}, field->base);
        if (given) vec_push(&s->k->half, ((Half){field->key, site->callee}));
    }
}

// A null that nobody gets to see but those that are noted.
static bool is_excused(const Stores *s, const Field *field, uint32_t store)
{
    const View *v = s->v;
    const uint64_t *set = map_get(&s->set, place_key(field));
    if (set && is_behind(v, store, (uint32_t)*set) &&
        (is_certain_behind(v, store, (uint32_t)*set) ||
         is_set_at_return(&s->k->known, v, (uint32_t)*set))) {
        note_halves(s, field, (uint32_t)*set, true);
        return true;
    }
    const Program *p = s->k->known.facts->program;
    ProgRange calls = p->funcs.at[s->id.id].calls;
    if (!not_null_spend(&s->k->known, 2 * calls.count)) return false;
    for (uint32_t c = 0; c < calls.count; c++) {
        const CallSite *site = &p->calls.at[calls.first + c];
        const Ins *in = func_ins(v->u, v->f, site->ins);
        for (uint32_t n = 0; site->callee.id && site->ins > store && n < in->c; n++)
            if (ref_same((Ref){*func_extra(v->u, v->f, in->b + n)}, field->base) &&
                is_certain_behind(v, store, site->ins) && releases(s->k, site->callee, n, 0)) {
                note_halves(s, field, store, false);
                return true;
            }
    }
    return false;
}

static void look_at_stores(Stores *s)
{
    const View *v = s->v;
    Field field;
    U32s others = {0};
    for (uint32_t i = 0; i < v->f->ins_count; i++) {
        const Ins *in = func_ins(v->u, v->f, i);
        if (in->op != OP_STORE || !fields_at(s->types, v->u, v->f, (Ref){in->a}, &field) ||
            !matters(s->k, &field) || !bits_has(&v->live, func_block_of(v->u, v->f, i)))
            continue;
        if (mtype_class(in->type) != MT_PTR || !not_null(&s->k->known, v, (Ref){in->b}, i))
            vec_push(&others, i);
        else if (field.of)
            map_set(&s->set, place_key(&field), i);
    }
    vec_each (n, &others) {
        const Ins *in = func_ins(v->u, v->f, others.at[n]);
        fields_at(s->types, v->u, v->f, (Ref){in->a}, &field);
        if (!matters(s->k, &field)) continue;
        if (!view_is_zero(v, (Ref){in->b}) || !field.of || !is_excused(s, &field, others.at[n]))
            spoil_field(s->k, &field);
    }
    vec_free(&others);
}

// A place that allocates a struct: which fields it sets.
static void look_at_place(Stores *s, uint32_t call, uint64_t of)
{
    const View *v = s->v;
    Field field;
    Map seen = {0};
    bool fresh;
    for (uint32_t i = 0; i < v->f->ins_count; i++) {
        const Ins *in = func_ins(v->u, v->f, i);
        if (in->op != OP_STORE || !fields_at(s->types, v->u, v->f, (Ref){in->a}, &field) ||
            field.of != of || !ref_same(field.base, ref_ins(call)))
            continue;
        const uint64_t *set = map_get(&s->set, place_key(&field));
        if (!set || *set != i || !is_set_at_return(&s->k->known, v, i)) continue;
        map_at(&seen, field.key, 1, &fresh);
        if (!fresh) continue;
        ++*map_at(&s->k->set, field.key, 0, &fresh);
        note_halves(s, &field, i, true);
    }
    map_free(&seen);
}

// Whether the instruction allocates a struct.
static bool is_place(Fields *k, const Map *types, FuncId id, const Unit *u, uint32_t i)
{
    const Program *p = k->known.facts->program;
    const Func *f = program_body(p, id, &u);
    const Ins *in = func_ins(u, f, i);
    if ((in->op != OP_CALL && in->op != OP_INVOKE) || !map_get(types, ref_ins(i).bits))
        return false;
    FuncId callee = program_callee(p, p->funcs.at[id.id].unit, u, (Ref){in->a});
    return callee.id && is_fresh(k, callee);
}

// Uses of a field's address, and writes to whole structs.
static void look_at_use(Fields *k, const Map *types, const Unit *u, const Func *f, const Ins *in)
{
    Field field;
    if (in->op == OP_COPY || in->op == OP_FILL) {
        Ref to = {in->a};
        const Ins *from = ref_is_ins(to) ? func_ins(u, f, ref_index(to)) : NULL;
        bool fresh = in->op == OP_FILL && from && (from->op == OP_CALL || from->op == OP_INVOKE);
        if (!fresh) spoil(k, fields_struct(u, fields_pointed(types, u, f, to, 0)));
    }
    if (in->op == OP_LOAD || in->op == OP_FIELD || in->op == OP_BIND || in->op == OP_EQ ||
        in->op == OP_NE)
        return;
    Operands o = ins_operands(u, f, in);
    for (uint32_t n = in->op == OP_STORE; n < o.count; n++)
        if (fields_at(types, u, f, o.refs[n], &field)) spoil_field(k, &field);
    for (uint32_t n = 0; n < o.more_count; n++)
        if (fields_at(types, u, f, (Ref){o.more[n * o.more_step]}, &field)) spoil_field(k, &field);
}

// The first look at a function: what it spoils, which structs it allocates, whether it stores
// addresses.
static void look_over(Fields *k, FuncId id, Map *types)
{
    const Program *p = k->known.facts->program;
    const Unit *u;
    const Func *f = program_body(p, id, &u);
    bool fresh;
    fields_types(types, u, f);
    fields_types_by_use(p, types, id, u, f);
    for (uint32_t i = 0; i < f->local_count; i++)
        spoil(k, fields_struct(u, u->locals.at[f->first_local + i].type));
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        look_at_use(k, types, u, f, in);
        if (is_place(k, types, id, u, i))
            ++*map_at(&k->places, fields_struct(u, fields_pointed(types, u, f, ref_ins(i), 0)), 0, &fresh);
    }
}

// The second look: what is stored there.
static void look_at_function(Fields *k, FuncId id, Map *types)
{
    const Program *p = k->known.facts->program;
    const Unit *u;
    const Func *f = program_body(p, id, &u);
    bool stores = false;
    Field field;
    fields_types(types, u, f);
    fields_types_by_use(p, types, id, u, f);
    for (uint32_t i = 0; i < f->ins_count && !stores; i++) {
        const Ins *in = func_ins(u, f, i);
        stores = in->op == OP_STORE && fields_at(types, u, f, (Ref){in->a}, &field) &&
                 (field.of || mtype_class(in->type) == MT_PTR) && matters(k, &field);
    }
    if (!stores) return;
    k->known.left = LOOKS_START + (uint64_t)LOOKS_PER_INS * f->ins_count;
    Arena *a = arena_new("stores");
    View v = view_of(&k->known, a, id, 0);
    Stores s = {.k = k, .id = id, .v = &v, .types = types};
    look_at_stores(&s);
    for (uint32_t i = 0; i < f->ins_count; i++)
        if (is_place(k, types, id, u, i))
            look_at_place(&s, i, fields_struct(u, fields_pointed(types, u, f, ref_ins(i), 0)));
    map_free(&s.set);
    arena_free(a);
}

// Structs that are variables, parts of others, or known to code that is not here.
static void look_at_types(Fields *k)
{
    const Program *p = k->known.facts->program;
    for (uint32_t n = 0; n < p->unit_count; n++) {
        const Unit *u = p->units[n];
        vec_each (g, &u->globals) spoil(k, fields_struct(u, u->globals.at[g].type));
        vec_each (t, &u->types) {
            const Type *type = &u->types.at[t];
            if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION) continue;
            for (uint32_t e = 0; e < type->elem_count; e++)
                spoil(k, fields_struct(u, u->elems.at[type->first_elem + e].type));
        }
    }
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *decl = program_decl(p, (FuncId){f}, &u);
        if (program_has_code(p, (FuncId){f}) || !decl) continue;
        const Type *type = &u->types.at[decl->type.id];
        for (uint32_t e = 0; e < type->elem_count; e++)
            spoil(k, fields_struct_behind(u, u->elems.at[type->first_elem + e].type));
    }
}

static bool is_set(const Fields *k, const Field *f)
{
    const uint64_t *places = map_get(&k->places, f->of), *set = map_get(&k->set, f->key);
    return f->of && places && set && *places == *set && !map_get(&k->spoiled, f->of) &&
           !map_get(&k->spoiled, f->key) && !map_get(&k->spoiled, f->name);
}

static int by_field(const void *a, const void *b)
{
    const Half *x = a, *y = b;
    if (x->field != y->field) return x->field < y->field ? -1 : 1;
    return x->func.id < y->func.id ? -1 : x->func.id > y->func.id;
}

// Who may see a field that is null: those that were given such a struct, and what they call.
static void follow_halves(Fields *k)
{
    const Program *p = k->known.facts->program;
    U32s work = {0};
    if (k->half.len) qsort(k->half.at, k->half.len, sizeof *k->half.at, by_field);
    for (uint32_t i = 0; i < k->half.len;) {
        uint64_t field = k->half.at[i].field;
        uint32_t seen = 0;
        bool fresh;
        work.len = 0;
        for (; i < k->half.len && k->half.at[i].field == field; i++) {
            map_at(&k->unset, hash_mix(field, k->half.at[i].func.id), 1, &fresh);
            if (fresh) vec_push(&work, k->half.at[i].func.id);
        }
        if (map_get(&k->spoiled, field)) continue;
        while (work.len && seen++ < HALF_SEEN) {
            ProgRange calls = p->funcs.at[vec_pop(&work)].calls;
            for (uint32_t c = 0; c < calls.count; c++) {
                FuncId callee = p->calls.at[calls.first + c].callee;
                if (!program_has_code(p, callee)) continue;
                map_at(&k->unset, hash_mix(field, callee.id), 1, &fresh);
                if (fresh) vec_push(&work, callee.id);
            }
        }
        if (work.len) spoil(k, field);
    }
    vec_free(&work);
}

static void note_loads(const Fields *k, Facts *into, FuncId id, Map *types)
{
    const Unit *u;
    const Func *f = program_body(into->program, id, &u);
    Field field;
    fields_types(types, u, f);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_LOAD || mtype_class(in->type) != MT_PTR ||
            !fields_at(types, u, f, (Ref){in->a}, &field) || !is_set(k, &field) ||
            map_get(&k->unset, hash_mix(field.key, id.id)))
            continue;
        facts_note_set_load(into, id, i);
    }
}

void set_fields_find(Facts *f)
{
    const Program *p = f->program;
    Fields k = {.known = {.facts = f}};
    Map types = {0};
    look_at_types(&k);
    for (uint32_t n = 1; n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_over(&k, (FuncId){n}, &types);
    for (uint32_t n = 1; k.places.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_at_function(&k, (FuncId){n}, &types);
    follow_halves(&k);
    for (uint32_t n = 1; k.set.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) note_loads(&k, f, (FuncId){n}, &types);
    map_free(&types);
    not_null_free(&k.known);
    map_free(&k.fresh);
    map_free(&k.releases);
    map_free(&k.spoiled);
    map_free(&k.places);
    map_free(&k.set);
    map_free(&k.unset);
    vec_free(&k.half);
}
