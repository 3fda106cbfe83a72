// Owning fields in the constraints (Heine and Lam, section 2.1: a member is either owning or non-owning at
// the boundaries of functions).
//
// After the first round field.c knows which fields own: ownership goes in somewhere and comes out
// somewhere. In the second round such a field of a struct that one pointer leads to is followed
// like a local variable, as a member:
//
//     the struct comes from the caller or from memory    rho = 1      priority field
//     the struct is fresh                                rho = 0      fact
//     load, store                                        as of a variable: rho = rho' + moved
//     the struct is released                             rho = 0      scope
//     the struct is handed to a function                 unchanged    memory
//     the function returns, the struct lives on          rho = 1      priority field
//
// So to forget the field when the struct goes contradicts "owns at the boundary", and so does to
// release what it points to and to leave it there; null may be taken for either.
//
// Only where one SSA pointer is all that leads to the struct here: it is not merged with others,
// stored, or turned into a number, and the field's address goes nowhere. Other stores into an
// owning field are transfers that nobody follows, other loads own nothing: which errs towards
// warnings at audit level.
#include "own/own_int.h"

#include "base/hash.h"

#include <stdio.h>

bool field_owning(const Own *o, uint32_t field)
{
    if (!o->believe || !field) return false;
    const FieldUse *f = &o->fields.at[field - 1];
    return *f->home && f->in && f->out;
}

static bool is_direct(const Body *b, Ref address, uint32_t *root)
{
    if (!ref_is_ins(address)) return false;
    const Ins *at = func_ins(b->unit, b->func, ref_index(address));
    if (at->op != OP_FIELD) return false;
    *root = direct_value(b, (Ref){at->a});
    return *root != NO_VALUE && root_value(b, (Ref){at->a}) == *root;
}

// A parameter, what a call gave, what was found in memory.
static bool may_lead(const Body *b, uint32_t root)
{
    if (root < b->param_count) return true;
    const Ins *i = func_ins(b->unit, b->func, root - b->param_count);
    return i->op == OP_LOAD || i->op == OP_CALL || i->op == OP_INVOKE;
}

// Given to a function without code that takes it and returns nothing.
bool is_struct_release(const Body *b, const CallInst *inst, uint32_t arg)
{
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    return inst->spec && inst->args[arg].how == PASS_MOVE && inst->args[arg].slot.own == VAR_ONE &&
           call->op != OP_ASM && mtype_class(call->type) == MT_VOID;
}

// ---- pointers that alone lead to their struct ----

static void not_alone(const Body *b, Bits *alone, Ref r)
{
    uint32_t v = direct_value(b, r);
    if (v != NO_VALUE) bits_drop(alone, v);
}

// The address of a field, used otherwise than to load or store: the struct behind it is lost sight
// of.
static void not_followed(const Body *b, Bits *alone, Ref r)
{
    uint32_t root;
    if (is_direct(b, r, &root)) bits_drop(alone, root);
}

static void find_alone(const Body *b, Bits *alone)
{
    for (uint32_t n = 0; n < b->func->ins_count; n++) {
        const Ins *i = func_ins(b->unit, b->func, n);
        Operands o = ins_operands(b->unit, b->func, i);
        bool call = i->op == OP_CALL || i->op == OP_INVOKE;
        bool access = i->op == OP_LOAD || i->op == OP_STORE;
        bool looks = i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_EQ || i->op == OP_NE ||
                     i->op == OP_BIND || i->op == OP_RET;
        for (uint32_t k = 0; k < o.count + o.more_count; k++) {
            Ref r = operand_at(&o, k);
            bool address = access && k == 0;
            if (!address && i->op != OP_BIND) not_followed(b, alone, r);
            if (!address && !looks && !call) not_alone(b, alone, r);
        }
    }
}

// ---- members ----

static uint32_t member_at(Body *b, uint32_t root, uint32_t field)
{
    for (uint32_t m = b->member_of[root]; m; m = b->members.at[m - 1].next)
        if (b->members.at[m - 1].field == field) return m;
    vec_push(&b->members, ((StructMember){.root = root, .field = field, .next = b->member_of[root]}));
    return b->member_of[root] = b->members.len;
}

static void members_released(Body *b, const Bits *alone)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count; k++) {
            if (!is_struct_release(b, inst, k)) continue;
            Ref r = {*func_extra(b->unit, b->func, call->b + k)};
            uint32_t v = direct_value(b, r);
            const char *home = v == NO_VALUE || !bits_has(alone, v) ? NULL : struct_name(b, r);
            vec_each (f, &b->own->fields)
                if (home && field_owning(b->own, f + 1) &&
                    strcmp(b->own->fields.at[f].home, home) == 0)
                    member_at(b, v, f + 1);
        }
    }
}

static void *grown(Body *b, const void *old, size_t count, size_t more, size_t size)
{
    char *now = arena_alloc(b->arena, (count + more + 1) * size);
    memcpy(now, old, count * size);
    return now;
}

void body_members(Body *b)
{
    uint32_t plain = b->param_count + b->func->ins_count;
    b->member_of = arena_array_of(b->arena, uint32_t, plain + 1);
    b->member_ins = arena_array_of(b->arena, uint32_t, b->func->ins_count + 1);
    b->first_member = b->value_count;
    if (!b->own->believe) return;
    Bits alone = bits_new(b->arena, plain + 1);
    for (uint32_t v = 0; v < plain; v++)
        if (may_lead(b, v)) bits_add(&alone, v);
    find_alone(b, &alone);
    for (uint32_t n = 0; n < b->func->ins_count; n++) {
        const Ins *i = func_ins(b->unit, b->func, n);
        uint32_t root, field = b->field_ins[n];
        if (field_owning(b->own, field) && is_direct(b, (Ref){i->a}, &root) &&
            bits_has(&alone, root))
            b->member_ins[n] = member_at(b, root, field);
    }
    members_released(b, &alone);
    uint32_t count = b->value_count, more = b->members.len;
    b->node_of = grown(b, b->node_of, count, more, sizeof *b->node_of);
    b->look_of = grown(b, b->look_of, count, more, sizeof *b->look_of);
    b->born = grown(b, b->born, count, more, sizeof *b->born);
    b->value_count += more;
}

// What each member owns when its struct comes into sight.
void members_born(Body *b)
{
    vec_each (i, &b->members) {
        StructMember *m = &b->members.at[i];
        uint32_t value = b->first_member + i,
                 at = m->root < b->param_count ? 0 : m->root - b->param_count;
        bool fresh = m->root >= b->param_count && gives_raw_memory(b, at);
        m->boundary = !fresh;
        b->born[value] = system_var(&b->sys);
        system_is(&b->sys,
                  con_tag(fresh ? PRIO_FACT : PRIO_FIELD, fresh ? CON_LENT : CON_FIELD, at, value),
                  b->born[value], !fresh);
    }
}

// An argument of a call leads to a struct whose fields are followed.
void members_handed(Body *b, uint32_t ins, const CallInst *inst, uint32_t arg, Ref r)
{
    uint32_t v = direct_value(b, r);
    if (v == NO_VALUE || v >= b->param_count + b->func->ins_count) return;
    bool release = is_struct_release(b, inst, arg);
    if (!release && inst->spec && inst->args[arg].how == PASS_BORROW) return;
    for (uint32_t m = b->member_of[v]; m; m = b->members.at[m - 1].next)
        body_event(b, (OwnEvent){.ins = ins,
                                 .value = b->first_member + m - 1,
                                 .what = release ? EV_OWNER : EV_HANDED,
                                 .con = release ? CON_OWNER : CON_FORGET});
}

// Which fields go with their struct and which are forgotten, over the whole program.
void body_witnesses(Body *b)
{
    vec_each (i, &b->events) {
        const OwnEvent *e = &b->events.at[i];
        if (e->what != EV_OWNER) continue;
        const StructMember *m = &b->members.at[e->value - b->first_member];
        bool loaded = false, violated = false, boundary = false;
        vec_each (k, &b->events)
            loaded |= b->events.at[k].value == e->value && b->events.at[k].what == EV_MOVE;
        vec_each (k, &b->sys.violations) {
            const Constraint *c = &b->sys.cons.at[b->sys.violations.at[k].con];
            violated |= c->value == e->value;
            boundary |= c->value == e->value && c->kind == CON_FIELD;
        }
        FieldUse *f = &b->own->fields.at[m->field - 1];
        if (boundary)
            f->forgotten++;
        else if (loaded && !violated)
            f->with++;
    }
}

void body_touches(Body *b)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count; k++) {
            if (!is_struct_release(b, inst, k)) continue;
            const char *home = struct_name(b, (Ref){*func_extra(b->unit, b->func, call->b + k)});
            if (home)
                vec_push(&b->own->touches,
                         ((FieldTouch){b->f, 0, hash_bytes(home, strlen(home), 0)}));
        }
    }
}

bool *own_touched(const Own *o)
{
    bool *touched = arena_array_of(o->arena, bool, o->program->funcs.len);
    Map homes = {0};
    vec_each (i, &o->fields) {
        const FieldUse *f = &o->fields.at[i];
        if (field_owning(o, i + 1)) map_set(&homes, hash_bytes(f->home, strlen(f->home), 0), 1);
    }
    vec_each (i, &o->touches) {
        const FieldTouch *t = &o->touches.at[i];
        if (t->field ? field_owning(o, t->field) : map_get(&homes, t->home) != NULL)
            touched[t->func.id] = true;
    }
    map_free(&homes);
    return touched;
}

// ---- telling ----

// Another pointer of the function leads to the same field of perhaps the same struct.
static bool is_seen_elsewhere(const Body *b, uint32_t member)
{
    uint32_t field = b->members.at[member].field;
    for (uint32_t n = 0; n < b->func->ins_count; n++)
        if (b->field_ins[n] == field && b->member_ins[n] != member + 1) return true;
    return false;
}

// A violation of "owns at the boundary of a function". True: it was reported, or is not to be.
bool report_member(Body *b, const Violation *v)
{
    Own *o = b->own;
    const Constraint *c = &b->sys.cons.at[v->con];
    if (c->kind != CON_FIELD || !is_member(b, c->value)) return false;
    const StructMember *m = member_of(b, c->value);
    const FieldUse *use = &o->fields.at[m->field - 1];
    const Constraint *owner = core_find(b, v, CON_OWNER), *over = core_find(b, v, CON_OVERWRITE);
    const Constraint *taken = core_find(b, v, CON_TAKE);
    bool plain = owner && v->exact && !core_find(b, v, CON_JOIN) && on_one_path(b, v) &&
                 !is_seen_elsewhere(b, c->value - b->first_member);
    if (!plain && !o->options.audit) return true;
    const Constraint *place = owner ? owner : over ? over : taken ? taken : c;
    Pos at = place_of(b, place->place);
    Finding *f = finding_new(o->into, owner || over ? RULE_LEAK : RULE_DOUBLE_FREE,
                             name_text(b->unit->names, b->func->source), (Pos){0}, at);
    finding_doubt(f, DOUBT_FIELD_OWNER, at, NULL);
    f->stages = STAGE_OWN;
    report_grounds(b, f, UINT32_MAX, place->place);
    f->loss = owner ? LOSS_OWNER : over ? LOSS_OVERWRITE : LOSS_UNSAID;
    finding_names(f, NULL, value_name(b, c->value));
    const char *text = field_text(o, m->field);
    finding_event(
        f, EVENT_NOTE, at,
        "the field '%s' owns what it points to: ownership goes in at %u place%s and comes "
        "out at %u",
        text, use->in, use->in == 1 ? "" : "s", use->out);
    if (owner)
        finding_event(f, EVENT_LOST, at, "it is not released with the struct");
    else if (over)
        finding_event(f, EVENT_OVERWRITE, at, "it is overwritten here and may hold something");
    else
        finding_event(f, EVENT_USE, at, "it is left here with what was released or is not its own");
    if (plain) vec_push(&o->field_claims, ((FieldClaim){f, m->field}));
    return true;
}

// Likely where other code releases the field with its struct: two witnesses at least, and three for
// each other place that forgets it. What is not likely stays for the sound mode.
void own_field_claims(Own *o)
{
    Map gone = {0};
    vec_each (i, &o->field_claims) {
        const FieldClaim *c = &o->field_claims.at[i];
        const FieldUse *f = &o->fields.at[c->field - 1];
        if (f->with >= 2 && f->with >= 3 * (f->forgotten - 1)) {
            char with[16];
            snprintf(with, sizeof with, "%u", f->with);
            doubt_withdraw(&c->finding->doubts, DOUBT_FIELD_OWNER);
            finding_doubt(c->finding, DOUBT_FIELD_RELEASED, c->finding->lost, with);
        } else if (!o->options.audit) {
            map_set(&gone, (uint64_t)(uintptr_t)c->finding, 1);
        }
    }
    own_drop(o, &gone);
    map_free(&gone);
}
