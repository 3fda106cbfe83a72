// A pointer and its length in one struct: where the length is not 0, the pointer is not null.
//
// Two fields of a struct are such a pair when some function hands both to one copy or library function as memory and
// its length, or gives one the block and the other the size that it asked for. It is not so, and nothing is said,
// where some function stores null to the pointer and does not care about the length, or stores a length beside it;
// where a variable begins with a length and no pointer; where a call passes null and a length that become the pair;
// where a number belongs to two pointers. A load of one of them then knows the other, in what callers
// pass and what calls give.
//
// Errs towards a missed leak where the pointer gets a null that is no constant (want of memory, a search), where
// unseen code makes such structs, and where a length is set before its block is there.
#include "facts/facts_int.h"
#include "facts/places.h"

#include "base/hash.h"
#include "link/specs.h"
#include "unit/types.h"

typedef struct {
    uint64_t of;              // struct
    uint32_t pointer, number; // offsets
    uint32_t bytes;           // of the number
    bool broken;
} Couple;

// Parameters of a function that become the pair.
typedef struct {
    FuncId func;
    uint32_t pointer, number;
    uint32_t couple;
} Maker;

typedef struct {
    uint32_t ins;
    Place place;
} At;

typedef VEC(At) Ats;

typedef struct {
    Facts *facts;
    Places places;
    VEC(Couple) couples;
    Map by_pointer, by_number; // key of the field -> index in couples and 1
    VEC(Maker) makers;
    Map makers_of; // FuncId -> index of its first maker and 1
    Ats stores;    // of one function, to fields of couples
} Lengths;

static uint64_t end_key(uint64_t of, uint32_t offset)
{
    return hash_mix(of, offset + 1);
}

static Ref plain(const Unit *u, const Func *f, Ref r)
{
    for (const Ins *i; ref_is_ins(r); r = (Ref){i->a}) {
        i = func_ins(u, f, ref_index(r));
        if (i->op != OP_ZEXT && i->op != OP_SEXT && i->op != OP_TRUNC) break;
    }
    return r;
}

static bool is_null(const Unit *u, Ref r)
{
    return ref_is_const(r) && u->consts.at[ref_index(r)].kind == CONST_NULL;
}

static bool is_number(const Unit *u, Ref r, bool *zero)
{
    if (!ref_is_const(r) || u->consts.at[ref_index(r)].kind != CONST_INT) return false;
    *zero = u->consts.at[ref_index(r)].value == 0;
    return true;
}

static bool loaded(Lengths *k, Ref r, Place *place)
{
    const Ins *i = ref_is_ins(r) ? func_ins(k->places.u, k->places.f, ref_index(r)) : NULL;
    return i && i->op == OP_LOAD && place_at(&k->places, (Ref){i->a}, place) && place->of;
}

static void note_couple(Lengths *k, const Place *pointer, const Place *number)
{
    if (pointer->element || number->element || number->bytes < 4) return;
    bool fresh;
    uint64_t *at = map_at(&k->by_number, end_key(number->of, number->offset), k->couples.len + 1, &fresh);
    if (!fresh) {
        Couple *c = &k->couples.at[*at - 1];
        if (c->pointer != pointer->offset) c->broken = true;
        return;
    }
    map_at(&k->by_pointer, end_key(pointer->of, pointer->offset), k->couples.len + 1, &fresh);
    vec_push(&k->couples, ((Couple){pointer->of, pointer->offset, number->offset, number->bytes, false}));
}

// Memory and its length as two values of a function.
static void look_at_use(Lengths *k, Ref pointer, Ref length)
{
    Place a, b;
    length = plain(k->places.u, k->places.f, length);
    if (loaded(k, length, &b) && loaded(k, pointer, &a) && places_beside(&k->places, &a, &b)) note_couple(k, &a, &b);
}

// The block of one store and its size in another.
static void look_at_block(Lengths *k, const Ins *store, const SpecFunc *spec, const Ins *call, const Ats *numbers)
{
    const Unit *u = k->places.u;
    Place a;
    if (spec->result.gives != SPEC_OWN || spec->size[0] == SPEC_NONE || (uint32_t)spec->size[0] >= call->c) return;
    Ref size = plain(u, k->places.f, (Ref){*func_extra(u, k->places.f, call->b + (uint32_t)spec->size[0])});
    if (ref_is_const(size) || !place_at(&k->places, (Ref){store->a}, &a) || !a.of) return;
    vec_each (n, numbers) {
        const Ins *other = func_ins(u, k->places.f, numbers->at[n].ins);
        if (ref_same(plain(u, k->places.f, (Ref){other->b}), size) && places_beside(&k->places, &a, &numbers->at[n].place))
            note_couple(k, &a, &numbers->at[n].place);
    }
}

static const SpecFunc *spec_of_call(const Lengths *k, const Ins *in)
{
    const Program *p = k->facts->program;
    FuncId callee = program_callee(p, k->places.unit, k->places.u, (Ref){in->a});
    const SpecFunc *spec = callee.id ? facts_spec(k->facts, callee) : NULL;
    return spec && (!program_has_code(p, callee) || spec_beats_code(spec)) ? spec : NULL;
}

// Which fields are a pointer and its length.
static void look_for_couples(Lengths *k, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(k->facts->program, id, &u);
    bool entered = false;
    k->stores.len = 0;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        bool copy = in->op == OP_COPY && ref_is_ins((Ref){in->c});
        bool store = in->op == OP_STORE && ref_is_ins((Ref){in->b}) && mtype_class(in->type) == MT_PTR &&
                     func_ins(u, f, ref_index((Ref){in->b}))->op == OP_CALL;
        bool call = in->op == OP_CALL || in->op == OP_INVOKE;
        if (!copy && !store && !call) continue;
        if (!entered) {
            places_enter(&k->places, id);
            for (uint32_t n = 0; n < f->ins_count; n++) {
                const Ins *s = func_ins(u, f, n);
                Place place;
                if (s->op == OP_STORE && mtype_class(s->type) == MT_INT && !ref_is_const((Ref){s->b}) &&
                    place_at(&k->places, (Ref){s->a}, &place) && place.of)
                    vec_push(&k->stores, ((At){n, place}));
            }
        }
        entered = true;
        if (copy) {
            look_at_use(k, (Ref){in->a}, (Ref){in->c});
            look_at_use(k, (Ref){in->b}, (Ref){in->c});
        } else if (store) {
            const Ins *made = func_ins(u, f, ref_index((Ref){in->b}));
            const SpecFunc *spec = k->stores.len ? spec_of_call(k, made) : NULL;
            if (spec) look_at_block(k, in, spec, made, &k->stores);
        } else {
            const SpecFunc *spec = spec_of_call(k, in);
            for (uint32_t n = 0; spec && n < in->c && n < spec->param_count; n++) {
                const SpecParam *q = &spec->params[n];
                if (q->length[0] != SPEC_NONE && q->length[1] == SPEC_NONE && (uint32_t)q->length[0] < in->c)
                    look_at_use(k, (Ref){*func_extra(u, f, in->b + n)},
                                (Ref){*func_extra(u, f, in->b + (uint32_t)q->length[0])});
            }
        }
    }
}

static Couple *couple_at(const Lengths *k, const Map *by, const Place *place, uint32_t *index)
{
    const uint64_t *at = place->of && !place->element ? map_get(by, end_key(place->of, place->offset)) : NULL;
    if (!at) return NULL;
    *index = (uint32_t)*at - 1;
    return &k->couples.at[*index];
}

// What one function stores to the two fields.
static void look_at_stores(Lengths *k, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(k->facts->program, id, &u);
    bool entered = false, fresh;
    uint32_t c;
    Place place;
    k->stores.len = 0;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_STORE) continue;
        if (!entered) places_enter(&k->places, id);
        entered = true;
        if (place_at(&k->places, (Ref){in->a}, &place) &&
            (couple_at(k, &k->by_pointer, &place, &c) || couple_at(k, &k->by_number, &place, &c)))
            vec_push(&k->stores, ((At){i, place}));
    }
    vec_each (i, &k->stores) {
        const At *a = &k->stores.at[i];
        Couple *couple = couple_at(k, &k->by_pointer, &a->place, &c);
        Ref value = {func_ins(u, f, a->ins)->b};
        if (!couple || couple->broken || (!is_null(u, value) && !ref_is_param(value))) continue;
        bool minds = false, zero;
        vec_each (n, &k->stores) {
            const At *b = &k->stores.at[n];
            if (b->place.offset != couple->number || !places_beside(&k->places, &a->place, &b->place)) continue;
            Ref number = plain(u, f, (Ref){func_ins(u, f, b->ins)->b});
            minds |= !is_number(u, number, &zero) || zero;
            if (ref_is_param(value) && ref_is_param(number)) {
                map_at(&k->makers_of, id.id, k->makers.len + 1, &fresh);
                vec_push(&k->makers, ((Maker){id, ref_index(value), ref_index(number), c}));
            }
        }
        if (ref_is_param(value)) continue;
        // A variable of this function has no length before it gets one.
        const Ins *base = ref_is_ins(a->place.base) ? func_ins(u, f, ref_index(a->place.base)) : NULL;
        if (base && base->op == OP_ALLOCA) continue;
        for (uint32_t n = 0; n < f->ins_count && !minds; n++) {
            const Ins *in = func_ins(u, f, n);
            minds = in->op == OP_LOAD && place_at(&k->places, (Ref){in->a}, &place) &&
                    place.offset == couple->number && places_beside(&k->places, &a->place, &place);
        }
        if (!minds) couple->broken = true;
    }
}

static bool is_part_pair(const Unit *u, const Func *f, uint32_t n)
{
    if (n + 1 >= f->param_count) return false;
    const Param *a = &u->params.at[f->first_param + n], *b = a + 1;
    return a->type.id && a->type.id == b->type.id && a->name.id == b->name.id && a->mtype.bits != b->mtype.bits &&
           u->types.at[plain_type(u, a->type).id].kind == TYPE_STRUCT;
}

static void look_at_passed(const Ins *in, const Unit *u, const Func *f, uint32_t pointer, uint32_t number, Couple *couple)
{
    bool zero;
    if (pointer < in->c && number < in->c && is_null(u, (Ref){*func_extra(u, f, in->b + pointer)}) &&
        is_number(u, (Ref){*func_extra(u, f, in->b + number)}, &zero) && !zero)
        couple->broken = true;
}

// Calls that pass null and a length for a struct, or to a function that puts both into one.
static void look_at_calls(Lengths *k, FuncId id)
{
    const Program *p = k->facts->program;
    const Unit *u, *of;
    const Func *f = program_body(p, id, &u);
    ProgRange calls = p->funcs.at[id.id].calls;
    for (uint32_t n = 0; n < calls.count; n++) {
        const CallSite *site = &p->calls.at[calls.first + n];
        const Ins *in = func_ins(u, f, site->ins);
        bool null = false;
        for (uint32_t i = 0; i < in->c && !null; i++) null = is_null(u, (Ref){*func_extra(u, f, in->b + i)});
        if (!null || !site->callee.id) continue;
        const uint64_t *first = map_get(&k->makers_of, site->callee.id);
        for (uint32_t i = first ? (uint32_t)*first - 1 : k->makers.len;
             i < k->makers.len && k->makers.at[i].func.id == site->callee.id; i++)
            look_at_passed(in, u, f, k->makers.at[i].pointer, k->makers.at[i].number,
                           &k->couples.at[k->makers.at[i].couple]);
        const Func *decl = program_decl(p, site->callee, &of);
        for (uint32_t i = 0; decl && i + 1 < decl->param_count; i++) {
            if (!is_part_pair(of, decl, i)) continue;
            uint32_t unit = 0;
            while (unit < p->unit_count && p->units[unit] != of) unit++;
            uint64_t shape = unit < p->unit_count ? place_shape(&k->places, unit, of->params.at[decl->first_param + i].type) : 0;
            bool first_is = mtype_class(of->params.at[decl->first_param + i].mtype) == MT_PTR;
            vec_each (c, &k->couples)
                if (k->couples.at[c].of == shape) look_at_passed(in, u, f, i + !first_is, i + first_is, &k->couples.at[c]);
        }
    }
}

// Variables that begin with a length and no pointer.
static void look_at_globals(Lengths *k)
{
    const Program *p = k->facts->program;
    Place place;
    uint32_t c;
    for (uint32_t n = 0; n < p->unit_count; n++) {
        const Unit *u = p->units[n];
        vec_each (g, &u->globals) {
            const Global *d = &u->globals.at[g];
            for (uint32_t i = 0; i < d->init_count; i++) {
                const Init *init = &u->inits.at[d->first_init + i];
                bool zero;
                if (!is_number(u, (Ref){init->value}, &zero) || zero ||
                    !place_in(&k->places, n, d->type, init->offset, &place))
                    continue;
                Couple *couple = couple_at(k, &k->by_number, &place, &c);
                if (!couple || couple->broken) continue;
                uint64_t at = init->offset - couple->number + couple->pointer;
                bool has = false;
                for (uint32_t m = 0; m < d->init_count && !has; m++) {
                    const Init *other = &u->inits.at[d->first_init + m];
                    has = other->offset == at && !is_null(u, (Ref){other->value});
                }
                couple->broken = !has;
            }
        }
    }
}

static void note_loads(Lengths *k, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(k->facts->program, id, &u);
    bool entered = false;
    Place place;
    uint32_t c;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        MClass class = mtype_class(in->type);
        if (in->op != OP_LOAD || (class != MT_PTR && class != MT_INT)) continue;
        if (!entered) places_enter(&k->places, id);
        entered = true;
        if (!place_at(&k->places, (Ref){in->a}, &place)) continue;
        const Couple *couple = couple_at(k, class == MT_PTR ? &k->by_pointer : &k->by_number, &place, &c);
        if (!couple || couple->broken || (class == MT_INT && mtype_bytes(in->type) != couple->bytes)) continue;
        int32_t between = (int32_t)couple->number - (int32_t)couple->pointer;
        facts_note_length(k->facts, id, i,
                          (LengthBeside){.other = class == MT_PTR ? between : -between,
                                         .bits = (uint8_t)(class == MT_PTR ? couple->bytes * 8 : u->pointer_bytes * 8)});
    }
}

void lengths_find(Facts *facts)
{
    const Program *p = facts->program;
    Lengths k = {.facts = facts, .places = {.p = p}};
    for (uint32_t n = 1; n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_for_couples(&k, (FuncId){n});
    for (uint32_t n = 1; k.couples.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_at_stores(&k, (FuncId){n});
    for (uint32_t n = 1; k.couples.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) look_at_calls(&k, (FuncId){n});
    if (k.couples.len) look_at_globals(&k);
    for (uint32_t n = 1; k.couples.len && n < p->funcs.len; n++)
        if (program_has_code(p, (FuncId){n})) note_loads(&k, (FuncId){n});
    places_free(&k.places);
    map_free(&k.by_pointer);
    map_free(&k.by_number);
    map_free(&k.makers_of);
    vec_free(&k.couples);
    vec_free(&k.makers);
    vec_free(&k.stores);
}
