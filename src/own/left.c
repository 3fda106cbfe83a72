// Fields that are given another value before anybody has looked at the old one: a setter that overwrites, a
// reset that forgets one field.
//
//     free(c->user);
//     c->user = strdup(user);
//     c->mail = strdup(mail);         // what was there is lost
//
// What the program as a whole does with the field is known by then (destroy.c): it is only ever given blocks
// made for it, nothing else gets hold of them, and somebody releases them. So whatever it holds is lost here.
// That it may hold something needs evidence, since to fill a struct for the first time looks the same:
//
//     sibling    another field of the same struct is released before, and set anew here too (or this
//                one is set to null): the struct has been in use
//     found      the struct was found in memory by its other fields, and some function releases the
//                field while the struct stays in use
//     born       each allocation of the struct fills the field at once
//     seen       what it holds was looked into on each way here, so there is something
//
// Nothing is claimed where a function that is called before may read the field, where the struct may have just
// been made, or where a caller has the field emptied first. All of these err towards missed leaks.
#include "own/own_int.h"

#include "base/hash.h"
#include "unit/types.h"

// ---- pointers ----

bool same_pointer(const Body *b, Ref x, Ref y, int depth)
{
    if (ref_same(x, y)) return true;
    if (!ref_is_ins(x) || !ref_is_ins(y) || depth > 4) return false;
    const Ins *i = func_ins(b->unit, b->func, ref_index(x));
    const Ins *k = func_ins(b->unit, b->func, ref_index(y));
    if (i->op != k->op || (i->op != OP_LOAD && i->op != OP_FIELD)) return false;
    if (i->op == OP_FIELD && i->b != k->b) return false;
    return same_pointer(b, (Ref){i->a}, (Ref){k->a}, depth + 1);
}

// A call that gives back what is somebody else's: an entry that it has looked for.
static bool is_lookup(const Body *b, uint32_t ins)
{
    uint32_t at = b->inst_of[ins];
    const CallInst *inst = at ? &b->insts.at[at - 1] : NULL;
    return inst && inst->callee.id && inst->result.own == VAR_ZERO && !inst->result_weak;
}

// Came from the caller or out of memory: not made here, and no variable.
bool is_given(const Body *b, Ref r, int depth)
{
    if (ref_is_param(r)) return true;
    if (!ref_is_ins(r) || depth > 4) return false;
    const Ins *i = func_ins(b->unit, b->func, ref_index(r));
    if (i->op == OP_LOAD) return true;
    if (i->op == OP_CALL) return is_lookup(b, ref_index(r));
    if (i->op != OP_PHI) return false;
    for (uint32_t p = 0; p < i->c; p++) {
        Ref from = {func_extra(b->unit, b->func, i->b)[2 * p + 1]};
        if (!is_null_ref(b, from) && !is_given(b, from, depth + 1)) return false;
    }
    return true;
}

// The first is always run before the second.
static bool comes_before(const Body *b, uint32_t first, uint32_t then)
{
    bool here = b->block_of[first] == b->block_of[then];
    return here ? first < then : cfg_dominates(b->cfg, b->block_of[first], b->block_of[then]);
}

Ref struct_behind_field(const Body *b, uint32_t ins)
{
    Ref address = {func_ins(b->unit, b->func, ins)->a};
    const Ins *at = ref_is_ins(address) ? func_ins(b->unit, b->func, ref_index(address)) : NULL;
    return at && at->op == OP_FIELD ? (Ref){at->a} : ref_none();
}

bool handed_to_unknown(Body *b, Ref in)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        if (inst->spec || (inst->callee.id && program_has_code(b->own->program, inst->callee)))
            continue;
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count; k++)
            if (same_pointer(b, (Ref){*func_extra(b->unit, b->func, call->b + k)}, in, 0))
                return true;
    }
    return false;
}

// ---- one function ----

// Taken out of a place that the function fills itself: perhaps it was made here.
static bool is_made_here(const Body *b, Ref in)
{
    const Ins *from = ref_is_ins(in) ? func_ins(b->unit, b->func, ref_index(in)) : NULL;
    for (uint32_t i = 0; from && from->op == OP_LOAD && i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        if (x->op == OP_STORE && mtype_class(x->type) == MT_PTR &&
            same_pointer(b, (Ref){x->a}, (Ref){from->a}, 0))
            return true;
    }
    return false;
}

// Whether control may come from one block to the other within a round of the loops around them.
static bool leads_to(Body *b, uint32_t from, uint32_t to)
{
    cfg_complete(b->cfg, b->arena);
    const Cfg *c = b->cfg;
    if (c->position[from] == UINT32_MAX || c->position[from] > c->position[to]) return false;
    U32s queue = {0};
    Bits seen = bits_new(b->arena, c->block_count);
    bool found = from == to;
    bits_add(&seen, from);
    vec_push(&queue, from);
    for (uint32_t at = 0; at < queue.len && !found; at++) {
        EdgeRange out = c->succ[queue.at[at]];
        for (uint32_t i = 0; i < out.count && !found; i++) {
            uint32_t next = c->edges[out.first + i];
            found = next == to;
            if (cfg_is_back_edge(c, queue.at[at], next) || !bits_add(&seen, next)) continue;
            vec_push(&queue, next);
        }
    }
    vec_free(&queue);
    return found;
}

// Whether the function stores anything but null into the field on a way to the instruction.
bool is_filled_before(Body *b, uint32_t field, uint32_t ins)
{
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        if (x->op != OP_STORE || field_of(b, i) != field || is_null_ref(b, (Ref){x->b})) continue;
        uint32_t from = b->block_of[i], to = b->block_of[ins];
        if (from == to ? i < ins : leads_to(b, from, to)) return true;
    }
    return false;
}

// The struct is another one in each round of the innermost loop around the instruction.
static bool changes_by_round(const Body *b, Ref in, uint32_t ins)
{
    uint32_t loop = b->cfg->loop_of[b->block_of[ins]];
    return loop && ref_is_ins(in) && cfg_loop_has(b->cfg, loop, b->block_of[ref_index(in)]);
}

// A comparison that decides nothing: whatever comes of it, the same is done.
static bool is_idle_test(const Body *b, uint32_t ins)
{
    const Cfg *c = b->cfg;
    uint32_t n = b->block_of[ins];
    const Block *here = func_block(b->unit, b->func, n);
    const Ins *last = func_ins(b->unit, b->func, here->first + here->count - 1);
    if (last->op != OP_BRANCH || !ref_same((Ref){last->a}, ref_ins(ins))) return false;
    for (uint32_t i = ins + 1; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        Operands o = ins_operands(b->unit, b->func, x);
        for (uint32_t k = 0; x != last && k < o.count + o.more_count; k++)
            if (ref_same(operand_at(&o, k), ref_ins(ins))) return false;
    }
    uint32_t to[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t next = i < c->succ[n].count ? c->edges[c->succ[n].first + i] : n;
        const Block *empty = func_block(b->unit, b->func, next);
        bool passes = empty->count == 1 && c->succ[next].count == 1;
        to[i] = passes && c->pred[next].count == 1 ? c->edges[c->succ[next].first] : next;
    }
    const Block *both = func_block(b->unit, b->func, to[0]);
    return to[0] == to[1] && func_ins(b->unit, b->func, both->first)->op != OP_PHI;
}

// What was read there is only looked at, and not asked for null.
static bool is_borrowed(Body *b, uint32_t load)
{
    for (uint32_t i = load + 1; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        Operands o = ins_operands(b->unit, b->func, x);
        for (uint32_t n = 0; n < o.count + o.more_count; n++)
            if (ref_same(operand_at(&o, n), ref_ins(load)) &&
                (!is_look(b, i, n) || ((x->op == OP_EQ || x->op == OP_NE) && !is_idle_test(b, i))))
                return false;
    }
    return true;
}

// The instruction reads through the value, or passes it to a function that does.
static bool looks_into(Body *b, uint32_t ins, uint32_t value)
{
    const Ins *x = func_ins(b->unit, b->func, ins);
    if (x->op == OP_LOAD) return ref_same((Ref){x->a}, ref_ins(value));
    const CallInst *inst = x->op == OP_CALL ? inst_of(b, ins) : NULL;
    for (uint32_t n = 0; inst && inst->spec && n < inst->arg_count && n < inst->spec->param_count; n++)
        if (inst->spec->params[n].nonnull &&
            ref_same((Ref){*func_extra(b->unit, b->func, x->b + n)}, ref_ins(value)))
            return true;
    return false;
}

// On each way to the instruction somebody has looked into what the field holds.
static bool is_seen(Body *b, Ref in, uint32_t field, uint32_t ins)
{
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        if (func_ins(b->unit, b->func, i)->op != OP_LOAD || field_of(b, i) != field || !comes_before(b, i, ins) ||
            !same_pointer(b, struct_behind_field(b, i), in, 0) || !is_borrowed(b, i))
            continue;
        for (uint32_t k = i + 1; k < b->func->ins_count; k++)
            if (looks_into(b, k, i) && comes_before(b, k, ins)) return true;
    }
    return false;
}

// Nothing in the function asks what the field holds, or sets it, before.
static bool is_first(Body *b, Ref in, uint32_t field, uint32_t ins)
{
    bool changes = changes_by_round(b, in, ins);
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        if (i == ins || field_of(b, i) != field || comes_before(b, ins, i)) continue;
        if (func_ins(b->unit, b->func, i)->op == OP_LOAD && is_borrowed(b, i)) continue;
        uint32_t from = b->block_of[i], to = b->block_of[ins];
        if (!changes && b->cfg->loop_of[from] && b->cfg->loop_of[to]) return false;
        if (from == to || leads_to(b, from, to)) return false;
    }
    return true;
}

// A field of the same struct that was released, not after it was set.
static uint32_t released_before(Body *b, Ref in, const Here *here, uint32_t count, bool cleared)
{
    for (uint32_t k = 0; k < count; k++) {
        const Here *h = &here[k];
        if (!h->released || !h->by_others || ref_is_none(h->in) ||
            !same_pointer(b, h->in, in, 0) || !(cleared || h->filled || h->cleared))
            continue;
        bool set_before = false;
        for (uint32_t i = 0; i < b->func->ins_count; i++)
            set_before |= func_ins(b->unit, b->func, i)->op == OP_STORE &&
                          field_of(b, i) == h->field && !comes_before(b, h->ins, i);
        if (!set_before) return h->field;
    }
    return 0;
}

// The struct came out of memory, and another field of it was read on the way here.
static bool is_found(Body *b, Ref in, uint32_t field, uint32_t ins)
{
    if (ref_is_param(in)) return false;
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        if (func_ins(b->unit, b->func, i)->op != OP_LOAD || !comes_before(b, i, ins)) continue;
        Ref of = struct_behind_field(b, i);
        if (!ref_is_none(of) && same_pointer(b, of, in, 0) && field_of(b, i) != field) return true;
    }
    return false;
}

static void note_overwrite(Body *b, uint32_t ins, uint32_t field, const Here *here, uint32_t count)
{
    Own *o = b->own;
    Ref in = struct_behind_field(b, ins);
    if (ref_is_none(in) || !is_given(b, in, 0) || is_made_here(b, in) ||
        handed_to_unknown(b, in) || !is_first(b, in, field, ins))
        return;
    TypeId type = struct_type(b, in);
    if (b->unit->types.at[type.id].kind != TYPE_STRUCT) return;
    bool cleared = is_null_ref(b, (Ref){func_ins(b->unit, b->func, ins)->b});
    const char *name = value_name(b, direct_value(b, in));
    vec_push(&o->overwrites,
             ((Overwrite){.func = b->f,
                          .field = field,
                          .sibling = released_before(b, in, here, count, cleared),
                          .found = is_found(b, in, field, ins),
                          .seen = is_seen(b, in, field, ins),
                          .cleared = cleared,
                          .at = place_of(b, ins),
                          .function = name_text(b->unit->names, b->func->source),
                          .variable = name ? arena_strdup(o->arena, name) : NULL}));
    Overwrite *w = &vec_last(&o->overwrites);
    if (w->at.path) w->at.path = arena_strdup(o->arena, w->at.path);
    w->function = arena_strdup(o->arena, w->function);
}

// Structs that are allocated here, and the fields that are filled at once.
static void note_born(Body *b)
{
    Own *o = b->own;
    vec_each (k, &b->insts) {
        uint32_t call = b->insts.at[k].ins;
        const char *home = gives_raw_memory(b, call) ? struct_name(b, ref_ins(call)) : NULL;
        if (!home) continue;
        bool fresh;
        ++*map_at(&o->made, home_hash(home), 0, &fresh);
        U32s seen = {0};
        for (uint32_t i = 0; i < b->func->ins_count; i++) {
            const Ins *x = func_ins(b->unit, b->func, i);
            if (x->op != OP_STORE || mtype_class(x->type) != MT_PTR ||
                !ref_same(struct_behind_field(b, i), ref_ins(call)) ||
                is_null_ref(b, (Ref){x->b}))
                continue;
            uint32_t field = field_of(b, i);
            bool known = !field;
            vec_each (s, &seen) known |= seen.at[s] == field;
            if (!known) vec_push(&seen, field);
        }
        vec_each (s, &seen) o->fields.at[seen.at[s] - 1].born++;
        vec_free(&seen);
    }
}

// After body_holds: `here` is what the function does with its fields.
void body_leaves(Body *b, const Here *here, uint32_t here_count)
{
    Own *o = b->own;
    ProgRange *reads = &o->reads_of[b->f.id];
    reads->first = o->reads.len;
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        if (x->op != OP_LOAD || mtype_class(x->type) != MT_PTR) continue;
        if (field_of(b, i)) vec_push(&o->reads, ((FieldIn){b->f, field_of(b, i)}));
    }
    reads->count = o->reads.len - reads->first;
    note_born(b);
    if (!o->program->unit_fresh[b->unit_index] || (b->func->flags & FUNC_CXX)) return;
    for (uint32_t k = 0; k < here_count; k++) {
        const Here *h = &here[k];
        if (h->released || !(h->filled || h->cleared)) continue;
        cfg_complete(b->cfg, b->arena); // which loop, what comes before
        for (uint32_t i = 0; i < b->func->ins_count; i++)
            if (func_ins(b->unit, b->func, i)->op == OP_STORE && field_of(b, i) == h->field)
                note_overwrite(b, i, h->field, here, here_count);
    }
}

// ---- the program ----

static bool reads_field(const Own *o, FuncId f, uint32_t field)
{
    ProgRange r = o->reads_of[f.id];
    for (uint32_t i = 0; i < r.count; i++)
        if (o->reads.at[r.first + i].field == field) return true;
    return false;
}

bool may_read_below(const Own *o, FuncId f, uint32_t field)
{
    const Program *p = o->program;
    VEC(FuncId) queue = {0};
    Map seen = {0};
    bool reads = false;
    map_set(&seen, f.id, 1);
    vec_push(&queue, f);
    for (uint32_t at = 0; at < queue.len && !reads; at++) {
        ProgRange calls = p->funcs.at[queue.at[at].id].calls;
        for (uint32_t i = 0; i < calls.count; i++) {
            FuncId callee = p->calls.at[calls.first + i].callee;
            if (!callee.id || map_get(&seen, callee.id) || !program_has_code(p, callee)) continue;
            map_set(&seen, callee.id, 1);
            vec_push(&queue, callee);
            reads |= reads_field(o, callee, field);
        }
        reads |= queue.len > CALLEES_FOLLOWED;
    }
    vec_free(&queue);
    map_free(&seen);
    return reads;
}

// Whether a caller of `f` also calls the other.
bool called_beside(const Own *o, FuncId f, FuncId other)
{
    const Program *p = o->program;
    ProgRange mine = p->funcs.at[f.id].callers, theirs = p->funcs.at[other.id].callers;
    for (uint32_t i = 0; i < mine.count; i++)
        for (uint32_t k = 0; k < theirs.count; k++)
            if (p->callers.at[mine.first + i].id == p->callers.at[theirs.first + k].id) return true;
    return false;
}

// Somebody may have emptied the field before.
static bool is_emptied_first(const Own *o, const Overwrite *w)
{
    vec_each (i, &o->apart)
        if (o->apart.at[i].field == w->field && called_beside(o, w->func, o->apart.at[i].func))
            return true;
    return false;
}

// Some function releases the field while the struct goes on, so that it is filled more than once: it sets it
// anew itself, or it is called at several places. One that only the end of the struct calls says nothing.
static bool is_filled_again(const Own *o, uint32_t field)
{
    bool again = o->fields.at[field - 1].renewed > 0;
    vec_each (i, &o->apart)
        again |= o->apart.at[i].field == field &&
                 o->program->funcs.at[o->apart.at[i].func.id].callers.count > 1;
    return again;
}

static const char *why_in_use(const Own *o, const Overwrite *w)
{
    const FieldUse *f = &o->fields.at[w->field - 1];
    const uint64_t *made = map_get(&o->made, home_hash(f->home));
    bool born = made && f->born == *made;
    if (w->sibling)
        return arena_printf(o->arena, "'%s' of the same struct is released here",
                            o->fields.at[w->sibling - 1].name);
    if (born) return "each allocation of the struct fills it at once";
    if (w->seen) return "what it holds is looked into before";
    if (w->found && is_filled_again(o, w->field))
        return "elsewhere it is released while the struct stays in use";
    return NULL;
}

void own_overwrites(Own *o)
{
    vec_each (i, &o->overwrites) {
        const Overwrite *w = &o->overwrites.at[i];
        const FieldUse *use = &o->fields.at[w->field - 1];
        if (!*use->home || !use->filled || use->other || is_shared(use) || use->loose ||
            !use->released || is_copied(o, use))
            continue;
        const char *why = why_in_use(o, w);
        if (!why || is_emptied_first(o, w) || may_read_below(o, w->func, w->field)) continue;
        Finding *f = finding_new(o->into, RULE_LEAK, w->function, (Pos){0}, w->at);
        f->stages = STAGE_OWN;
        f->loss = LOSS_OVERWRITE;
        finding_doubt(f, DOUBT_FIELD_FILLED, w->at, NULL);
        finding_names(f, NULL,
                      w->variable ? arena_printf(o->arena, "%s->%s", w->variable, use->name)
                                  : use->name);
        finding_event(f, EVENT_NOTE, w->at,
                      "the field '%s' is given fresh memory at %u place%s and released in %u "
                      "function%s, and %s",
                      field_text(o, w->field), use->filled, use->filled == 1 ? "" : "s",
                      use->released, use->released == 1 ? "" : "s", why);
        finding_event(f, EVENT_OVERWRITE, w->at, "it is overwritten here and may hold something");
    }
}
