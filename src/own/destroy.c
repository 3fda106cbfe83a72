// Destructors that forget a field. What the program as a whole does with a field is looked at flow-insensitively:
// which values are put there, and where those go that are read from there. A field that is only ever
// given blocks made for it, and whose blocks go nowhere else, owns them, although nobody may release
// it: then a function that releases the struct and others of its fields leaks this one.
//
//     filled    a fresh block is stored         apart    released by a function that neither
//     other     anything else but null                   releases the struct nor fills it anew
//     shared    its address or its value may be kept, or handed to unknown code
//     lent      its value is given back by some function
//
// A function that releases several fields of a struct it was given and leaves the struct itself to its
// caller is one too, for fields that nobody in the program ever releases.
//
// Other functions may empty the field while the struct stays (`apart`). A destructor does not rely on them where it releases
// another field which they empty too, no caller calls both, and nothing that it calls reads the field.
//
// Nothing is claimed of structs that are copied as a whole, but for fields that are set anew in each copy. Structs of one name in different units
// are taken for one, but for members that only one of them has.
#include "own/own_int.h"

#include "base/hash.h"
#include "unit/types.h"

uint64_t home_hash(const char *home)
{
    return hash_bytes(home, strlen(home), 0);
}

bool is_null_ref(const Body *b, Ref r)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &b->unit->consts.at[ref_index(r)];
    return c->kind == CONST_NULL || (c->kind == CONST_INT && c->value == 0);
}

// By instruction: how many places what it gave goes to, that is where it is stored or merged, or given to
// somebody who may take or keep it. Counted for the whole function at once: asked call by call, a long
// function cost its square.
static uint32_t *count_places(Body *b)
{
    uint32_t *places = arena_array_of(b->arena, uint32_t, b->func->ins_count + 1);
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        const CallInst *inst = x->op == OP_CALL || x->op == OP_INVOKE ? inst_of(b, i) : NULL;
        bool place = x->op == OP_PHI || x->op == OP_SELECT || x->op == OP_RET || x->op == OP_PTRTOINT;
        Operands o = ins_operands(b->unit, b->func, x);
        for (uint32_t n = 0; n < o.count + o.more_count; n++) {
            Ref r = operand_at(&o, n);
            bool kept = inst && (n == 0 || n > inst->arg_count ||
                                 (inst->args[n - 1].how != PASS_BORROW &&
                                  inst->args[n - 1].how != PASS_MOVE));
            if (ref_is_ins(r) && (place || kept || (x->op == OP_STORE && n == 1)))
                places[ref_index(r)]++;
        }
    }
    return places;
}

typedef struct {
    Body *b;
    VEC(Here) here;
    uint32_t *places; // count_places, when it is first asked for
} Holds;

// What is stored: only fresh blocks and null, and at least one block.
typedef enum { STORED_NULL, STORED_FRESH, STORED_OTHER } Stored;

static Stored stored(Holds *k, Ref r, int depth)
{
    Body *b = k->b;
    if (is_null_ref(b, r)) return STORED_NULL;
    if (!ref_is_ins(r) || depth > 4) return STORED_OTHER;
    const Ins *i = func_ins(b->unit, b->func, ref_index(r));
    Stored all = STORED_NULL;
    if (i->op == OP_PHI) {
        for (uint32_t p = 0; p < i->c; p++) {
            Ref from = {func_extra(b->unit, b->func, i->b)[2 * p + 1]};
            Stored one = stored(k, from, depth + 1);
            if (one > all) all = one;
        }
        return all;
    }
    if (i->op != OP_CALL) return STORED_OTHER;
    CallInst *inst = inst_of(b, ref_index(r));
    if (!inst || inst->alias >= 0 || inst->result_weak) return STORED_OTHER;
    const SpecFunc *spec = inst->spec;
    const SpecFamily *f =
        spec ? spec_family(b->own->options.specs, spec->result.family) : NULL;
    if (f && f->arena) return STORED_OTHER;
    uint32_t own = inst->result.own;
    bool fresh = own == VAR_ONE || (own > VAR_ONE && system_forced(&b->sys, own) == 1);
    if (!fresh) return STORED_OTHER;
    if (!k->places) k->places = count_places(b);
    return k->places[ref_index(r)] == 1 ? STORED_FRESH : STORED_OTHER;
}

// A call that releases what it is given, whatever that is: its parameter has no type.
static bool is_release(const Body *b, const CallInst *inst, uint32_t arg)
{
    if (inst->args[arg].how != PASS_MOVE || inst->args[arg].slot.own != VAR_ONE) return false;
    if (is_struct_release(b, inst, arg)) return true;
    const Unit *u;
    const Func *decl = inst->callee.id ? program_decl(b->own->program, inst->callee, &u) : NULL;
    if (!decl || arg >= decl->param_count) return false;
    TypeId to = pointee(u, u->params.at[decl->first_param + arg].type);
    uint32_t kind = u->types.at[plain_type(u, to).id].kind;
    return !to.id || kind == TYPE_VOID || kind == TYPE_NONE;
}

static bool returns_const(const Body *b)
{
    const Unit *u = b->unit;
    const Type *t = &u->types.at[b->func->type.id];
    if (!t->elem_count) return false;
    TypeId to = pointee(u, u->elems.at[t->first_elem].type);
    return to.id && u->types.at[to.id].kind == TYPE_CONST;
}

static Here *here_of(Holds *k, uint32_t field)
{
    vec_each (i, &k->here)
        if (k->here.at[i].field == field) return &k->here.at[i];
    vec_push(&k->here, ((Here){.field = field}));
    return &vec_last(&k->here);
}

static void note_released(Holds *k, uint32_t field, Ref value, const CallInst *inst)
{
    Body *b = k->b;
    Here *h = here_of(k, field);
    h->released = true;
    h->by_others |= inst->callee.id != b->f.id;
    h->ins = inst->ins;
    Ref address = {func_ins(b->unit, b->func, ref_index(value))->a};
    const Ins *at = ref_is_ins(address) ? func_ins(b->unit, b->func, ref_index(address)) : NULL;
    uint32_t v = at && at->op == OP_FIELD ? direct_value(b, (Ref){at->a}) : NO_VALUE;
    h->param = v < b->param_count ? v + 1 : 0;
    h->in = at && at->op == OP_FIELD ? (Ref){at->a} : ref_none();
}

// Operand n of the instruction is only looked at, or at what it points to.
bool is_look(Body *b, uint32_t ins, uint32_t n)
{
    const Ins *i = func_ins(b->unit, b->func, ins);
    const CallInst *inst = i->op == OP_CALL || i->op == OP_INVOKE ? inst_of(b, ins) : NULL;
    if (inst) return n && n <= inst->arg_count && inst->args[n - 1].how == PASS_BORROW;
    return i->op == OP_BIND || i->op == OP_LOAD || i->op == OP_FIELD || i->op == OP_INDEX ||
           i->op == OP_EQ || i->op == OP_NE || (i->op == OP_STORE && n == 0);
}

// The value was read from the field and is operand n of the instruction.
static void note_use(Holds *k, uint32_t field, uint32_t ins, uint32_t n)
{
    Body *b = k->b;
    const Ins *i = func_ins(b->unit, b->func, ins);
    if (!is_look(b, ins, n)) here_of(k, field)->handled = true;
    FieldUse *f = &b->own->fields.at[field - 1];
    switch ((Op)i->op) {
    case OP_BIND:
    case OP_LOAD:
    case OP_FIELD:
    case OP_INDEX:
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_COPY:
    case OP_FILL:
    case OP_SUB:
        return;
    case OP_STORE:
        f->shared |= n != 0;
        return;
    case OP_RET:
        f->lent |= !returns_const(b);
        return;
    case OP_CALL:
    case OP_INVOKE: {
        const CallInst *inst = inst_of(b, ins);
        if (n == 0) return; // it is called
        uint32_t arg = n - 1;
        if (!inst || arg >= inst->arg_count) {
            f->shared = true;
            return;
        }
        const Pass *p = &inst->args[arg];
        if (inst->alias == -2 - (int32_t)arg) return; // it is made larger
        if (p->how == PASS_MOVE && p->slot.own == VAR_ONE)
            note_released(k, field, (Ref){*func_extra(b->unit, b->func, i->b + arg)}, inst);
        else if (p->how != PASS_BORROW)
            f->shared = true;
        return;
    }
    default:
        f->shared = true;
    }
}

// The field whose address the instruction works out, used for something else than to read or write
// there.
static void note_address(Holds *k, uint32_t address, uint32_t ins, uint32_t n)
{
    Body *b = k->b;
    const Ins *i = func_ins(b->unit, b->func, ins);
    if (i->op == OP_BIND || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_LOAD ||
        (i->op == OP_STORE && n == 0))
        return;
    uint32_t field = field_at(b, ref_ins(address));
    if (field) b->own->fields.at[field - 1].shared = true;
}

static void note_operands(Holds *k, uint32_t ins)
{
    Body *b = k->b;
    Operands o = ins_operands(b->unit, b->func, func_ins(b->unit, b->func, ins));
    for (uint32_t n = 0; n < o.count + o.more_count; n++) {
        Ref r = operand_at(&o, n);
        if (!ref_is_ins(r)) continue;
        const Ins *from = func_ins(b->unit, b->func, ref_index(r));
        if (from->op == OP_FIELD) note_address(k, ref_index(r), ins, n);
        if (from->op != OP_LOAD || mtype_class(from->type) != MT_PTR) continue;
        uint32_t field = field_of(b, ref_index(r));
        if (field) note_use(k, field, ins, n);
    }
}

static bool has_field(const uint32_t *fields, uint32_t count, uint32_t field)
{
    for (uint32_t i = 0; i < count; i++)
        if (fields[i] == field) return true;
    return false;
}

// A struct that is copied as a whole has its blocks in two places.
static void note_copy(Body *b, Ref r)
{
    const char *home = struct_name(b, r);
    bool fresh;
    if (home) ++*map_at(&b->own->copied, home_hash(home), 0, &fresh);
}

// But for the fields that are given another value in the copy at once.
static void note_copied(Body *b, uint32_t ins)
{
    const Ins *copy = func_ins(b->unit, b->func, ins);
    Ref to = {copy->a};
    const char *home = struct_name(b, to), *from = struct_name(b, (Ref){copy->b});
    note_copy(b, to);
    if (from && !(home && strcmp(home, from) == 0)) note_copy(b, (Ref){copy->b});
    U32s seen = {0};
    for (uint32_t i = ins + 1; home && i < b->func->ins_count && b->block_of[i] == b->block_of[ins]; i++) {
        Ref in = func_ins(b->unit, b->func, i)->op == OP_STORE ? struct_behind_field(b, i) : ref_none();
        uint32_t field = !ref_is_none(in) && same_pointer(b, in, to, 0) ? field_of(b, i) : 0;
        if (field && !has_field(seen.at, seen.len, field)) vec_push(&seen, field);
    }
    vec_each (i, &seen) b->own->fields.at[seen.at[i] - 1].anew++;
    vec_free(&seen);
}

bool is_copied(const Own *o, const FieldUse *f)
{
    const uint64_t *copies = map_get(&o->copied, home_hash(f->home));
    return copies && *copies > f->anew;
}

// The members of the struct that the address points to, as this unit knows it.
static void list_members(Body *b, Ref r, Destroyed *d)
{
    const Unit *u = b->unit;
    const Type *t = &u->types.at[struct_type(b, r).id];
    d->members = arena_array_of(b->own->arena, const char *, t->elem_count + 1);
    for (uint32_t i = 0; i < t->elem_count; i++)
        d->members[d->member_count++] =
            arena_strdup(b->own->arena, name_text(u->names, u->elems.at[t->first_elem + i].name));
}

// Some other call is given what leads to the same struct, read from its place once more.
static bool is_handed_alike(const Body *b, Ref r, uint32_t but)
{
    vec_each (k, &b->insts) {
        const CallInst *inst = &b->insts.at[k];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t n = 0; n < inst->arg_count && inst->ins != but; n++)
            if (same_pointer(b, (Ref){*func_extra(b->unit, b->func, call->b + n)}, r, 0)) return true;
    }
    return false;
}

// The struct that value v, which r refers to, points to is released at the instruction, or emptied.
static void add_destroyed(Holds *k, Ref r, uint32_t v, uint32_t ins, bool emptied)
{
    Body *b = k->b;
    Own *o = b->own;
    const char *home = struct_name(b, r), *name = value_name(b, v);
    if (!home || (b->func->flags & FUNC_CXX)) return;
    Destroyed d = {.func = b->f,
                   .home = home_hash(home),
                   .at = place_of(b, ins),
                   .function = name_text(b->unit->names, b->func->source),
                   .variable = name ? arena_strdup(o->arena, name) : NULL,
                   .fresh = o->program->unit_fresh[b->unit_index],
                   .in = r,
                   .handed_on = is_handed_on(b, v, ins) || is_handed_alike(b, r, ins),
                   .unknown = handed_to_unknown(b, r),
                   .emptied = emptied};
    if (d.at.path) d.at.path = arena_strdup(o->arena, d.at.path);
    d.function = arena_strdup(o->arena, d.function);
    list_members(b, r, &d);
    vec_push(&o->destroyed, d);
}

static void note_destroyed(Holds *k, const CallInst *inst, uint32_t arg)
{
    Body *b = k->b;
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    Ref r = {*func_extra(b->unit, b->func, call->b + arg)};
    uint32_t v = direct_value(b, r);
    if (v != NO_VALUE && v == root_value(b, r) && is_given(b, r, 0))
        add_destroyed(k, r, v, inst->ins, false);
}

// Parameters that several fields are released of, and the struct is not: from there on there is nothing in
// it. Not where the function fills one of its fields, which is to set them anew.
static void note_emptied(Holds *k, uint32_t first)
{
    Body *b = k->b;
    for (uint32_t v = 0; v < b->param_count; v++) {
        uint32_t count = 0, last = 0;
        bool filled = false; // or released itself
        vec_each (i, &k->here) {
            const Here *h = &k->here.at[i];
            if (h->param == v + 1 && h->released && h->by_others) {
                count++;
                if (h->ins > last) last = h->ins;
            }
            filled |= h->filled;
        }
        for (uint32_t d = first; d < b->own->destroyed.len; d++)
            filled |= ref_same(b->own->destroyed.at[d].in, ref_param(v));
        if (count < 2 || filled) continue;
        add_destroyed(k, ref_param(v), v, last, true);
    }
}

// The field was released of the struct, as far as is known, and not of another one of its kind that leads to it.
static bool is_part_of(const Body *b, const Here *h, const Destroyed *d)
{
    if (!h->by_others || home_hash(b->own->fields.at[h->field - 1].home) != d->home) return false;
    const Ins *from = ref_is_ins(d->in) ? func_ins(b->unit, b->func, ref_index(d->in)) : NULL;
    const Ins *at = from && from->op == OP_LOAD && ref_is_ins((Ref){from->a}) ? func_ins(b->unit, b->func, ref_index((Ref){from->a})) : NULL;
    return !at || at->op != OP_FIELD || ref_is_none(h->in) || !same_pointer(b, h->in, (Ref){at->a}, 0);
}

void body_holds(Body *b)
{
    Own *o = b->own;
    Holds k = {.b = b};
    uint32_t first = o->destroyed.len;
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        note_operands(&k, i);
        if (x->op == OP_STORE && mtype_class(x->type) == MT_PTR) {
            uint32_t field = field_of(b, i);
            Stored s = field ? stored(&k, (Ref){x->b}, 0) : STORED_NULL;
            if (field && s == STORED_FRESH) here_of(&k, field)->filled = true;
            if (field && s == STORED_NULL) here_of(&k, field)->cleared = true;
            if (field && s == STORED_FRESH) o->fields.at[field - 1].filled++;
            if (field && s == STORED_OTHER) o->fields.at[field - 1].other++;
        }
        if (x->op == OP_COPY) note_copied(b, i);
        const CallInst *inst = x->op == OP_CALL || x->op == OP_INVOKE ? inst_of(b, i) : NULL;
        for (uint32_t n = 0; inst && n < inst->arg_count; n++) {
            if (inst->spec && inst->spec->copy_count)
                note_copy(b, (Ref){*func_extra(b->unit, b->func, x->b + n)});
            if (is_release(b, inst, n)) note_destroyed(&k, inst, n);
        }
    }
    note_emptied(&k, first);
    // With the struct, or before the field is set anew.
    vec_each (i, &k.here) {
        const Here *h = &k.here.at[i];
        // Filled before it is released: only for as long as the function runs. This may bring new fields.
        bool brief = h->released && h->filled && is_filled_before(b, h->field, h->ins);
        FieldUse *f = &o->fields.at[h->field - 1];
        bool with = false;
        for (uint32_t d = first; d < o->destroyed.len; d++)
            with |= !o->destroyed.at[d].emptied && o->destroyed.at[d].home == home_hash(f->home);
        if (h->released) f->released++;
        if (h->released && !with && h->filled && !brief) f->renewed++;
        if (!h->released || with || (h->filled && !brief)) continue;
        f->apart++;
        f->loose += !h->cleared;
        vec_push(&o->apart, ((FieldIn){b->f, h->field}));
    }
    body_leaves(b, k.here.at, k.here.len);
    for (uint32_t d = first; d < o->destroyed.len; d++) {
        Destroyed *x = &o->destroyed.at[d];
        x->handled = arena_array_of(o->arena, uint32_t, k.here.len + 1);
        vec_each (i, &k.here)
            if (k.here.at[i].handled) x->handled[x->handled_count++] = k.here.at[i].field;
        x->siblings = arena_array_of(o->arena, uint32_t, k.here.len + 1);
        vec_each (i, &k.here)
            if (is_part_of(b, &k.here.at[i], x)) x->siblings[x->others++] = k.here.at[i].field;
    }
    vec_free(&k.here);
}

// Others may have the block too, and not just borrow it. Where several functions release it by way of the field
// they do not own it; nor does who gets it from a function that only looks it up, where somebody releases it that way.
bool is_shared(const FieldUse *f)
{
    return (f->shared && f->released < 2) || (f->lent && !f->released);
}

// Some functions empty the field, and the struct stays. A destructor that releases another field that such a function
// empties as well does not rely on it, unless a caller calls both.
static bool relies_on_others(const Own *o, const Destroyed *d, uint32_t field)
{
    if (o->fields.at[field - 1].loose) return true;
    vec_each (i, &o->apart) {
        FuncId by = o->apart.at[i].func;
        if (o->apart.at[i].field != field) continue;
        bool both = false;
        vec_each (k, &o->apart)
            both |= o->apart.at[k].func.id == by.id &&
                    has_field(d->siblings, d->others, o->apart.at[k].field);
        if (!both || called_beside(o, d->func, by)) return true;
    }
    return false;
}

static bool is_forgotten(const Own *o, const Destroyed *d, uint32_t field)
{
    const FieldUse *f = &o->fields.at[field - 1];
    if (!*f->home || home_hash(f->home) != d->home || !f->filled || f->other || is_shared(f) ||
        is_copied(o, f) || (f->released && d->emptied))
        return false;
    bool member = false;
    for (uint32_t i = 0; i < d->member_count; i++) member |= strcmp(d->members[i], f->name) == 0;
    if (!member || has_field(d->handled, d->handled_count, field)) return false;
    if (f->released && d->handed_on && (d->unknown || may_read_below(o, d->func, field))) return false;
    return !relies_on_others(o, d, field);
}

static bool is_released(const Own *o, uint64_t home)
{
    vec_each (i, &o->destroyed)
        if (o->destroyed.at[i].home == home && !o->destroyed.at[i].emptied && o->destroyed.at[i].others) return true;
    return false;
}

void own_destroyers(Own *o)
{
    vec_each (i, &o->destroyed) {
        const Destroyed *d = &o->destroyed.at[i];
        // Where the struct itself is released is the better place to tell.
        if (d->emptied && is_released(o, d->home)) continue;
        if (!d->fresh || !d->others) continue;
        vec_each (k, &o->fields) {
            if (!is_forgotten(o, d, k + 1)) continue;
            const FieldUse *use = &o->fields.at[k];
            Finding *f = finding_new(o->into, RULE_LEAK, d->function, (Pos){0}, d->at);
            f->stages = STAGE_OWN;
            f->loss = LOSS_OWNER;
            finding_doubt(f, DOUBT_FIELD_FILLED, d->at, NULL);
            finding_names(f, NULL,
                          d->variable ? arena_printf(o->arena, "%s->%s", d->variable, use->name)
                                      : use->name);
            finding_event(f, EVENT_NOTE, d->at,
                          "the field '%s' is given fresh memory at %u place%s, and it is not "
                          "released with %s",
                          field_text(o, k + 1), use->filled, use->filled == 1 ? "" : "s",
                          d->emptied ? "the others, nor anywhere else" : "the struct, as others are");
            finding_event(f, EVENT_LOST, d->at,
                          d->emptied ? "other fields of the struct are released here"
                                     : "the struct is released here");
        }
    }
}
