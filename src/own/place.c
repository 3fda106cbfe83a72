// Containers that a global or a field of a struct leads to: one instance, or one for each struct,
// whose elements are all owned or all not, whichever function puts them in, takes them out or frees
// the container (Heine and Lam, section 3: the choice remains the same throughout the life of an instance;
// section 2.1: a member is owning or not at the boundaries of functions).
//
// Each function alone says of the elements' ownership that it must be 1, must be 0, or nothing. Two
// functions that say different things are a violation. Nothing is claimed of a place whose
// container some function opens or hands to unknown code, or whose elements some function takes
// out: then it may be empty when it is freed.
#include "own/own_int.h"

#include "finding/grounds.h"

enum { FIELD_KEY = 1u << 31 };

static uint64_t key_of(Body *b, uint32_t ins)
{
    Ref at = {func_ins(b->unit, b->func, ins)->a};
    if (ref_is_const(at)) {
        const Const *c = &b->unit->consts.at[ref_index(at)];
        if (c->kind != CONST_GLOBAL || c->value) return 0;
        return program_global(b->own->program, b->unit_index, (UGlobalId){c->target}).id;
    }
    uint32_t field = field_of(b, ins);
    b->field_ins[ins] = field;
    if (field && !b->own->believe) vec_push(&b->own->touches, ((FieldTouch){b->f, field, 0}));
    return field ? FIELD_KEY | field : 0;
}

uint32_t place_node(Body *b, uint32_t ins)
{
    uint64_t key = key_of(b, ins);
    if (!key) return 0;
    bool fresh;
    uint64_t *at = map_at(&b->places, key, 0, &fresh);
    if (fresh) *at = node_new(b, NODE_VAR);
    node_flag(b, (uint32_t)*at, NODE_PLACED);
    return (uint32_t)*at;
}

static PlaceUse *place_at(Own *o, uint64_t key)
{
    bool fresh;
    uint64_t *at = map_at(&o->place_of, key, o->places.len, &fresh);
    if (fresh) vec_push(&o->places, ((PlaceUse){.key = key}));
    return &o->places.at[*at];
}

static bool is_violated(Body *b, uint32_t var)
{
    uint32_t part = system_component(&b->sys, var);
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->count && system_component(&b->sys, c->vars[0]) == part) return true;
    }
    return false;
}

// The constraint that began the chain: an allocation, a release, or "not freed here".
static const Constraint *cause_of(const Body *b, uint32_t var)
{
    const Constraint *found = NULL;
    U32s todo = {0};
    vec_push(&todo, var);
    for (uint32_t i = 0; i < todo.len && i < REASONS_FOLLOWED; i++) {
        uint32_t reason = b->sys.reason[todo.at[i]];
        if (!reason) continue;
        const Constraint *c = &b->sys.cons.at[reason - 1];
        if (c->kind == CON_WHERE || c->kind == CON_ALLOC || c->kind == CON_TAKE) {
            if (!found || c->kind == CON_WHERE) found = c;
        }
        for (uint32_t k = 0; k < c->count; k++) {
            bool seen = false;
            vec_each (j, &todo) seen |= todo.at[j] == c->vars[k];
            if (!seen) vec_push(&todo, c->vars[k]);
        }
    }
    vec_free(&todo);
    return found;
}

static void say(Body *b, PlaceUse *p, uint32_t slot, bool one, const Constraint *c)
{
    PlaceSays *says = &p->says[slot][one];
    if (says->count++ || !c) return;
    Pos at = place_of(b, c->place);
    if (at.path) at.path = arena_strdup(b->own->arena, at.path);
    says->at = at;
    says->func = b->f.id;
    says->ins = c->place;
    says->function = arena_strdup(b->own->arena, name_text(b->unit->names, b->func->source));
    says->shallow = c->kind == CON_WHERE;
    says->taken = c->kind == CON_TAKE;
    says->fresh = b->own->program->unit_fresh[b->unit_index];
}

// Before the rules about memory.
void body_places(Body *b)
{
    for (uint32_t i = 0; i < b->places.len; i++) {
        const Node *n = &b->nodes.at[node_find(b, (uint32_t)b->places.entries[i].value)];
        if (n->kind == NODE_VAR && !(n->flags & NODE_OPENED)) continue;
        PlaceUse *p = place_at(b->own, b->places.entries[i].key);
        if (n->kind != NODE_CONTAINER || (p->container && p->container != n->id))
            p->flags |= NODE_OPENED;
        p->flags |= n->flags;
        p->container = n->id;
        for (uint32_t k = 0; k < n->slot_count && k < PLACE_SLOTS; k++) {
            uint32_t var = b->slots.at[n->first_slot + k].own;
            int forced = var <= VAR_ONE ? -1 : system_forced(&b->sys, var);
            if (forced >= 0 && !is_violated(b, var)) say(b, p, k, forced, cause_of(b, var));
        }
    }
}

static const char *place_text(const Own *o, uint64_t key)
{
    if (key & FIELD_KEY) return field_text(o, (uint32_t)key & ~FIELD_KEY);
    return name_text(o->program->names, o->program->globals.at[key].source);
}

static void report_place(Own *o, const PlaceUse *p, uint32_t slot)
{
    const PlaceSays *owned = &p->says[slot][1], *lent = &p->says[slot][0];
    if (!owned->fresh && !lent->fresh) return;
    // A field is another instance in every struct; what one global leads to is one.
    bool global = !(p->key & FIELD_KEY);
    // What is put in and then freed by the same function may have been taken out in between.
    if (!lent->shallow && !o->options.audit) return;
    Finding *f = finding_new(o->into, lent->shallow ? RULE_LEAK : RULE_DOUBLE_FREE, lent->function,
                             owned->at, lent->at);
    if (!lent->shallow) finding_doubt(f, DOUBT_OWNERSHIP, lent->at, NULL);
    if (!global) finding_doubt(f, DOUBT_FIELD_INSTANCE, lent->at, NULL);
    f->stages = STAGE_OWN;
    f->grounds->function = lent->func;
    f->grounds->lost_by = lent->ins + 1;
    f->loss = lent->shallow ? LOSS_OWNER : LOSS_UNSAID;
    const char *text = place_text(o, p->key);
    finding_names(f, NULL, text);
    finding_event(f, owned->taken ? EVENT_FREE : EVENT_ALLOC, owned->at,
                  owned->taken
                      ? "the elements of '%s' are its own: '%s' has them freed"
                      : "the elements of '%s' are its own: '%s' puts in what nobody else has",
                  text, owned->function);
    if (lent->shallow)
        finding_event(f, EVENT_LOST, lent->at, "the elements of '%s' are not freed here", text);
    else
        finding_event(f, EVENT_NOTE, lent->at, "here '%s' takes them for borrowed", lent->function);
}

void own_places(Own *o)
{
    vec_each (i, &o->places) {
        const PlaceUse *p = &o->places.at[i];
        if (p->flags & (NODE_OPENED | NODE_DRAINED | NODE_PICKED)) continue;
        for (uint32_t k = 0; k < PLACE_SLOTS; k++)
            if (p->says[k][0].function && p->says[k][1].function) report_place(o, p, k);
    }
}
