// Violations to findings (Heine and Lam, section 6.3): those of one connected component of a function are
// one finding that lists all places.
#include "own/own_int.h"

#include "finding/grounds.h"

#include <stdlib.h>

Pos place_of(const Body *b, uint32_t ins)
{
    const Unit *u = b->unit;
    uint32_t loc = ins < b->func->ins_count ? func_ins(u, b->func, ins)->loc : 0;
    if (!loc || !u->locs.at[loc].line) loc = b->func->loc.id;
    const Loc *l = &u->locs.at[loc];
    if (!l->file) return (Pos){0};
    return (Pos){name_text(u->names, u->files.at[l->file].path), l->line, l->col ? l->col : 1};
}

static uint32_t counted(const Body *b, uint32_t ins)
{
    return ins < b->func->ins_count ? ins + 1 : 0;
}

void report_grounds(const Body *b, Finding *f, uint32_t made, uint32_t lost)
{
    f->grounds->function = b->f.id;
    f->grounds->made_by = counted(b, made);
    f->grounds->lost_by = counted(b, lost);
}

static const char *field_name(const Body *b, uint32_t root, uint32_t field)
{
    const char *name = b->own->fields.at[field - 1].name, *of = value_name(b, root);
    return of ? arena_printf(b->arena, "%s->%s", of, name) : name;
}

const char *value_name(const Body *b, uint32_t value)
{
    if (value == NO_VALUE) return NULL;
    const Unit *u = b->unit;
    if (value < b->param_count) {
        Name n = u->params.at[b->func->first_param + value].name;
        return n.id ? name_text(u->names, n) : NULL;
    }
    if (is_member(b, value)) {
        const StructMember *m = member_of(b, value);
        return field_name(b, m->root, m->field);
    }
    uint32_t ins = value - b->param_count;
    if (ins >= b->func->ins_count) {
        const Ins *cell = func_ins(u, b->func, ins - b->func->ins_count);
        if (cell->op != OP_ALLOCA) return NULL;
        Name n = u->locals.at[b->func->first_local + cell->b - 1].name;
        return n.id ? name_text(u->names, n) : NULL;
    }
    for (uint32_t i = ins; i < b->func->ins_count; i++) {
        const Ins *at = func_ins(u, b->func, i);
        if (at->op == OP_BIND && ref_same((Ref){at->a}, ref_ins(ins)))
            return name_text(u->names, u->vars.at[b->func->first_var + at->b - 1].name);
    }
    return NULL;
}

static const char *callee_name(Body *b, uint32_t ins)
{
    CallInst *inst = inst_of(b, ins);
    if (!inst || !inst->callee.id) return NULL;
    return name_text(b->own->program->names, b->own->program->funcs.at[inst->callee.id].source);
}

// ---- what takes part ----

// Container classes by the variables of their slots.
typedef struct {
    Body *b;
    Map slot_of; // variable -> node + 1
} Slots;

static Slots slots_of(Body *b)
{
    Slots k = {.b = b};
    for (uint32_t n = 1; n < b->nodes.len; n++) {
        const Node *node = &b->nodes.at[n];
        if (node->kind != NODE_CONTAINER) continue;
        for (uint32_t i = 0; i < node->slot_count; i++)
            map_set(&k.slot_of, b->slots.at[node->first_slot + i].own, n + 1);
    }
    return k;
}

typedef enum { PART_NONE, PART_CLOSED, PART_OPEN } Part;

// Does a container's slot take part in the constraint, and is the container closed?
static Part container_part(const Slots *k, const Constraint *c)
{
    Part part = PART_NONE;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t *node = map_get(&k->slot_of, c->vars[i]);
        if (!node) continue;
        const Node *n = &k->b->nodes.at[node_find(k->b, (uint32_t)*node - 1)];
        if (n->kind != NODE_CONTAINER || (n->flags & (NODE_OPENED | NODE_PLACED))) return PART_OPEN;
        part = PART_CLOSED;
    }
    return part;
}

static int by_position(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static bool postdominates(const Cfg *c, uint32_t later, uint32_t earlier)
{
    for (uint32_t at = earlier; at != BLOCK_NONE; at = c->ipdom[at])
        if (at == later) return true;
    return false;
}

// All places of the conflict lie on one path: of two that follow each other, the later is only
// reached through the earlier, or the earlier always goes on to the later. So correlated branches,
// which this analysis cannot see, cannot be behind it.
bool on_one_path(const Body *b, const Violation *v)
{
    U32s at = {0};
    cfg_complete(b->cfg, b->arena);
    const Cfg *cfg = b->cfg;
    uint32_t path = b->sys.cons.at[v->con].path;
    vec_push(&at, path == NO_PATH ? UINT32_MAX : cfg->position[b->block_of[path]]);
    for (uint32_t i = 0; i < v->core_count; i++) {
        const Constraint *c = &b->sys.cons.at[b->sys.cores.at[v->first_core + i]];
        if (c->kind == CON_JOIN) continue;
        vec_push(&at, c->path == NO_PATH ? UINT32_MAX : cfg->position[b->block_of[c->path]]);
    }
    qsort(at.at, at.len, sizeof *at.at, by_position);
    bool one = vec_last(&at) != UINT32_MAX;
    for (uint32_t i = 0; i + 1 < at.len && one; i++) {
        uint32_t early = cfg->order[at.at[i]], late = cfg->order[at.at[i + 1]];
        one = cfg_dominates(cfg, early, late) || postdominates(cfg, late, early);
    }
    vec_free(&at);
    return one;
}

static bool is_sure(const Slots *k, const Violation *v)
{
    const Body *b = k->b;
    const Constraint *c = &b->sys.cons.at[v->con];
    if (!v->exact || c->prio > PRIO_SCOPE || c->kind == CON_JOIN) return false;
    bool container = false;
    Part part = container_part(k, c);
    if (part == PART_OPEN) return false;
    container |= part == PART_CLOSED;
    for (uint32_t i = 0; i < v->core_count; i++) {
        part = container_part(k, &b->sys.cons.at[b->sys.cores.at[v->first_core + i]]);
        if (part == PART_OPEN) return false;
        container |= part == PART_CLOSED;
    }
    return container && on_one_path(b, v);
}

// The last pointer goes on a way that no correlated branch can rule out.
static bool is_plain_loss(const Body *b, const Violation *v)
{
    const Constraint *c = &b->sys.cons.at[v->con];
    return v->exact && (c->kind == CON_SCOPE || c->kind == CON_OVERWRITE) &&
           c->prio <= PRIO_SCOPE && on_one_path(b, v);
}

const Constraint *core_find(const Body *b, const Violation *v, ConstraintKind kind)
{
    for (uint32_t i = 0; i < v->core_count; i++) {
        const Constraint *c = &b->sys.cons.at[b->sys.cores.at[v->first_core + i]];
        if (c->kind == kind) return c;
    }
    return NULL;
}

// Where the memory came from: an allocation or a call that returns it, in the conflict, else in the
// component.
static const Constraint *origin(Body *b, const Violation *v)
{
    const Constraint *c = core_find(b, v, CON_ALLOC);
    if (c) return c;
    uint32_t part = system_component(&b->sys, b->sys.cons.at[v->con].vars[0]);
    vec_each (i, &b->sys.cons) {
        c = &b->sys.cons.at[i];
        if (c->kind == CON_ALLOC && c->count && system_component(&b->sys, c->vars[0]) == part)
            return c;
    }
    const Constraint *call = core_find(b, v, CON_CALL);
    return call && inst_of(b, call->place) ? call : NULL;
}

// ---- telling ----

#define ELEMENTS_SENTENCE "the elements of the container are not freed here"

static const char *named(Body *b, uint32_t value)
{
    const char *name = value_name(b, value);
    return name ? arena_printf(b->arena, "'%s'", name) : "the pointer";
}

// A loss at the end of one branch is reported there, not at the return where all branches meet.
Pos told_at(const Body *b, const Constraint *c)
{
    if (c->kind == CON_SCOPE && c->path != NO_PATH && c->path != c->place) {
        const Block *block = func_block(b->unit, b->func, b->block_of[c->path]);
        for (uint32_t i = 0; i < block->count; i++)
            if (func_ins(b->unit, b->func, block->first + i)->loc)
                return place_of(b, block->first + i);
    }
    return place_of(b, c->place);
}

// What is wrong where a constraint is violated.
const char *con_sentence(Body *b, const Constraint *c)
{
    Arena *a = b->arena;
    const char *who = named(b, c->value), *callee = callee_name(b, c->place);
    switch ((ConstraintKind)c->kind) {
    case CON_SCOPE:
        return arena_printf(a, "%s goes out of scope and still owns it", who);
    case CON_OVERWRITE:
        return arena_printf(a, "%s is overwritten and still owns it", who);
    case CON_JOIN:
        return arena_printf(a, "%s owns it on one way to here and not on another", who);
    case CON_STORE:
        if (callee)
            return arena_printf(a, "%s is handed to '%s', which keeps it in memory", who, callee);
        if (con_field(b, c))
            return arena_printf(a, "%s is stored in the field '%s' here", who,
                                field_text(b->own, con_field(b, c)));
        return arena_printf(a, "%s is stored in memory here", who);
    case CON_UNKNOWN:
        if (callee)
            return arena_printf(a, "%s is handed to '%s', of which nothing is known", who, callee);
        return arena_printf(a, "%s is handed to a function pointer, of which nothing is known",
                            who);
    case CON_FORGET:
        if (callee) return arena_printf(a, "'%s' may change who owns what %s holds", callee, who);
        return arena_printf(a, "this may change who owns what %s holds", who);
    case CON_BEHIND:
        return arena_printf(a, "'%s' leaves it to memory or to unknown code, or to nobody",
                            callee ? callee : "it");
    case CON_LOAD:
    case CON_LENT:
        return arena_printf(a, "%s does not own what it points to", who);
    case CON_OWNER:
        return arena_printf(a, "the struct is released here and %s still owns it", who);
    case CON_FIELD:
        return arena_printf(a, "%s is taken to own what it points to", who);
    case CON_BELIEVED:
        return arena_printf(a, "%s is handed to '%s' here and still owned afterwards", who,
                            callee ? callee : "");
    case CON_WHERE:
        return ELEMENTS_SENTENCE;
    default:
        if (callee) return arena_printf(a, "'%s' takes what %s no longer owns", callee, who);
        return arena_printf(a, "%s no longer owns it here", who);
    }
}

static EventKind event_of(Body *b, const Constraint *c)
{
    switch ((ConstraintKind)c->kind) {
    case CON_SCOPE:
    case CON_OWNER:
        return EVENT_LOST;
    case CON_OVERWRITE:
        return EVENT_OVERWRITE;
    case CON_STORE:
        return callee_name(b, c->place) ? EVENT_CALL : EVENT_STORE;
    case CON_UNKNOWN:
    case CON_FORGET:
    case CON_BEHIND:
        return EVENT_CALL;
    case CON_JOIN:
    case CON_LOAD:
    case CON_LENT:
    case CON_FIELD:
    case CON_BELIEVED:
    case CON_WHERE:
        return EVENT_NOTE;
    default:
        return EVENT_USE;
    }
}

static void tell(Body *b, Finding *f, const Constraint *c)
{
    finding_event(f, event_of(b, c), told_at(b, c), "%s", con_sentence(b, c));
}

static bool is_loss(const Constraint *c)
{
    return c->kind == CON_SCOPE || c->kind == CON_OVERWRITE || c->kind == CON_WHERE ||
           c->kind == CON_STORE || c->kind == CON_UNKNOWN || c->kind == CON_FORGET ||
           c->kind == CON_BEHIND || c->kind == CON_JOIN || c->kind == CON_OWNER;
}

// The call in this component that is taken to borrow only because other call sites say so.
static const CallInst *believed_in(Body *b, uint32_t part, uint32_t *param)
{
    if (!b->own->believe) return NULL;
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count; k++) {
            uint32_t v = inst->args[k].believed
                             ? root_value(b, (Ref){*func_extra(b->unit, b->func, call->b + k)})
                             : NO_VALUE;
            if (v == NO_VALUE || !b->born[v] || system_component(&b->sys, b->born[v]) != part)
                continue;
            *param = k;
            return inst;
        }
    }
    return NULL;
}

static void tell_taking(Body *b, Finding *f, const Constraint *con)
{
    const CallInst *inst = inst_of(b, con->place);
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    for (uint32_t k = 0; k < inst->arg_count; k++) {
        if (!inst->args[k].takes ||
            root_value(b, (Ref){*func_extra(b->unit, b->func, call->b + k)}) != con->value)
            continue;
        BeliefCounts c = belief_counts(&b->own->beliefs, inst->callee, k, b->f);
        uint32_t gone = c.count[SITE_GONE];
        finding_event(f, EVENT_NOTE, place_of(b, inst->ins), BELIEF_TAKEN_SENTENCE,
                      callee_name(b, inst->ins), gone,
                      gone + c.count[SITE_KEPT] + c.count[SITE_MIXED]);
        return;
    }
}

static void tell_belief(Body *b, Finding *f, const CallInst *inst, uint32_t param)
{
    BeliefCounts c = belief_counts(&b->own->beliefs, inst->callee, param, b->f);
    finding_event(f, EVENT_NOTE, place_of(b, inst->ins), BELIEF_SENTENCE, callee_name(b, inst->ins),
                  c.count[SITE_KEPT], c.count[SITE_KEPT] + belief_against(c));
}

static const SpecFamily *family_of(Body *b, const Constraint *alloc)
{
    CallInst *inst = alloc ? inst_of(b, alloc->place) : NULL;
    if (!inst || !inst->spec || inst->spec->result.gives != SPEC_OWN) return NULL;
    return spec_family(b->own->options.specs, inst->spec->result.family);
}

// Null: memory.
static const char *noun_of(Body *b, const SpecFamily *family)
{
    if (!family || !family->resource) return NULL;
    return name_text(spec_names(b->own->options.specs), family->noun);
}

static Rule rule_of(Body *b, const Violation *v, const Constraint *alloc)
{
    const Constraint *c = &b->sys.cons.at[v->con];
    const SpecFamily *family = family_of(b, alloc);
    // Elements must be owned and must not be: freed shallowly.
    bool shallow = (c->kind == CON_ELEM || c->kind == CON_CALL) && core_find(b, v, CON_WHERE);
    if (!is_loss(c) && !shallow) return RULE_DOUBLE_FREE;
    return rule_of_loss(noun_of(b, family));
}

static bool ends_with_main(const Body *b, const Constraint *c)
{
    bool leaves = func_ins(b->unit, b->func, c->place)->op == OP_RET;
    return leaves && program_is_main(b->own->program, b->f);
}

// What the evaluation can contradict: the places that the conflict needs.
static void claim(Body *b, Finding *f, const Violation *v)
{
    for (uint32_t i = 0; i <= v->core_count; i++) {
        uint32_t con = i ? b->sys.cores.at[v->first_core + i - 1] : v->con;
        const Constraint *c = &b->sys.cons.at[con];
        if (c->path != NO_PATH && c->kind != CON_JOIN)
            vec_push(&b->own->claims, ((Claim){f, b->f, b->block_of[c->path]}));
    }
}

// The last routine that the container of a value went to: what it does with the elements, or the
// function that it is given, is what leaves the value to nobody.
static const Constraint *last_holder(const Body *b, const Violation *v)
{
    const Constraint *last = NULL;
    for (uint32_t i = 0; i < v->core_count; i++) {
        const Constraint *c = &b->sys.cons.at[b->sys.cores.at[v->first_core + i]];
        if (c->kind == CON_ELEM && (!last || c->place > last->place)) last = c;
    }
    return last;
}

// Whether a routine of a container takes part that the user has described. What a library's container
// does with its elements is up to functions that it was given when it was made.
static bool is_of_user(const Body *b)
{
    vec_each (i, &b->insts)
        if (b->insts.at[i].spec && spec_beats_code(b->insts.at[i].spec)) return true;
    return false;
}

static void report_group(const Slots *k, const Violation *const *group, uint32_t count)
{
    Body *b = k->b;
    const Violation *v = group[0];
    if (report_member(b, v)) return;
    // What is found after a violation that may be a matter of paths is not sure either.
    bool sure = true, certain = false;
    for (uint32_t i = 0; i < count; i++) {
        if (b->sys.cons.at[group[i]->con].prio > PRIO_SCOPE) continue;
        if (!group[i]->exact || !on_one_path(b, group[i])) sure = false;
        if (!certain && is_sure(k, group[i])) v = group[i], certain = true;
    }
    sure &= certain;
    uint32_t param = 0;
    const CallInst *believed =
        believed_in(b, system_component(&b->sys, b->sys.cons.at[v->con].vars[0]), &param);
    const Constraint *c = &b->sys.cons.at[v->con], *alloc = origin(b, v);
    const Constraint *taken = core_find(b, v, CON_TAKE);
    bool taking = c->kind == CON_BELIEVED;
    // What the call sites say of an unknown function is enough for a loss that is plain besides.
    bool one_path = on_one_path(b, v);
    bool borrowed = believed && is_plain_loss(b, v), given = taking && v->exact && taken && one_path;
    bool vague = !given && (believed ? !borrowed : !sure);
    bool plain = vague && v->exact && c->prio <= PRIO_SCOPE && c->kind != CON_JOIN && !believed &&
                 one_path;
    if (vague && !plain && !b->own->options.audit) return;
    // A value that no variable holds any longer dies with the container.
    const Constraint *where = core_find(b, v, CON_WHERE);
    if (!where && c->kind == CON_SCOPE && !value_name(b, c->value)) where = last_holder(b, v);
    bool owner = where && (c->kind == CON_ELEM || c->kind == CON_CALL ||
                           (c->kind == CON_SCOPE && !value_name(b, c->value)));
    Pos from = alloc ? place_of(b, alloc->place) : (Pos){0};
    uint32_t lost_by = owner ? where->place : taking && taken ? taken->place : c->place;
    Pos lost = place_of(b, lost_by);
    Finding *f = finding_new(b->own->into, rule_of(b, v, alloc),
                             name_text(b->unit->names, b->func->source), from, lost);
    f->stages = STAGE_OWN;
    report_grounds(b, f, alloc ? alloc->place : UINT32_MAX, lost_by);
    if (given) finding_doubt(f, DOUBT_TAKEN, lost, NULL);
    if (borrowed && !given) finding_doubt(f, DOUBT_BELIEVED, lost, NULL);
    if (vague) finding_doubt(f, DOUBT_OWNERSHIP, lost, NULL);
    if (sure && !is_of_user(b)) finding_doubt(f, DOUBT_LIBRARY_CONTAINER, lost, NULL);
    if (sure && !given && !believed) claim(b, f, v);
    if (plain) vec_push(&b->own->plain, ((PlainClaim){f, b->f}));
    if (!owner && is_loss(c) && ends_with_main(b, c)) {
        f->loss = LOSS_AT_END;
        finding_doubt(f, DOUBT_MAIN_RETURNS, lost, NULL);
    }
    finding_names(f, alloc ? callee_name(b, alloc->place) : NULL, value_name(b, c->value));
    const SpecFamily *family = family_of(b, alloc);
    if (rule_piles_up(f->rule) && noun_of(b, family) && family->noun.id)
        f->resource = noun_of(b, family);
    if (c->kind == CON_OVERWRITE) f->loss = LOSS_OVERWRITE;
    if (c->kind == CON_SCOPE && f->loss != LOSS_AT_END) f->loss = LOSS_SCOPE;
    if (owner || c->kind == CON_OWNER) f->loss = LOSS_OWNER;
    if (alloc && callee_name(b, alloc->place))
        finding_event(f, EVENT_ALLOC, from, "memory allocated by %s",
                      callee_name(b, alloc->place));
    if (f->rule == RULE_DOUBLE_FREE && taken && !taking) {
        f->freed = place_of(b, taken->place);
        finding_event(f, EVENT_FREE, f->freed, "its ownership is given up here");
    }
    if (where) finding_event(f, EVENT_NOTE, place_of(b, where->place), ELEMENTS_SENTENCE);
    for (uint32_t i = 0; i < count; i++)
        if (!owner || group[i] != v) tell(b, f, &b->sys.cons.at[group[i]->con]);
    if (taking && taken) {
        f->freed = place_of(b, c->place);
        finding_event(f, EVENT_FREE, lost, "its ownership is given up here");
        tell_taking(b, f, c);
    }
    if (believed) tell_belief(b, f, believed, param);
}

void body_report(Body *b)
{
    System *s = &b->sys;
    if (!s->violations.len) return;
    Slots k = slots_of(b);
    Map group_of = {0};
    VEC(const Violation *) group = {0};
    vec_each (i, &s->violations) {
        const Constraint *c = &s->cons.at[s->violations.at[i].con];
        if (c->count) map_set(&group_of, system_component(s, c->vars[0]), 1);
    }
    for (uint32_t g = 0; g < group_of.len; g++) {
        vec_clear(&group);
        vec_each (i, &s->violations) {
            const Constraint *c = &s->cons.at[s->violations.at[i].con];
            if (c->count && system_component(s, c->vars[0]) == group_of.entries[g].key)
                vec_push(&group, &s->violations.at[i]);
        }
        report_group(&k, group.at, group.len);
    }
    vec_free(&group);
    map_free(&group_of);
    map_free(&k.slot_of);
}

// The struct goes and one of its fields still owns something, as far as other code says.
void report_release(Body *b, uint32_t ins, uint32_t value, uint32_t field)
{
    const FieldUse *use = &b->own->fields.at[field - 1];
    Pos at = place_of(b, ins);
    Finding *f = finding_new(b->own->into, RULE_LEAK, name_text(b->unit->names, b->func->source),
                             (Pos){0}, at);
    finding_doubt(f, DOUBT_FIELD_OWNER, at, NULL);
    f->stages = STAGE_OWN;
    report_grounds(b, f, UINT32_MAX, ins);
    f->loss = LOSS_OWNER;
    const char *text = field_text(b->own, field);
    finding_names(f, NULL, field_name(b, value, field));
    finding_event(
        f, EVENT_NOTE, at,
        "the field '%s' owns what it points to (ownership goes in at %u place%s, comes out "
        "at %u) and is not released with the struct",
        text, use->in, use->in == 1 ? "" : "s", use->out);
}
