// Versions of ownership along the control flow.
//
// Each value has a current variable in each block where it is live, that is, where a later event
// may move what it owns. An event splits the variable (rho = rho' + moved); where paths meet the
// versions must be equal; on an edge behind which the value is not live it goes out of scope and
// must own nothing, unless it is null there: a null pointer owns nothing and may be taken for
// either. Blocks that cannot reach a return (the program ends, an exception leaves) ask for
// nothing.
//
// Needs body_events. Cost: the sum of the live ranges.
#include "own/own_int.h"

typedef struct {
    uint32_t *values; // ascending
    uint32_t *vars;   // 0: not known yet
    bool *joined;
    uint32_t count;
} LiveIn;

typedef struct {
    Body *b;
    LiveIn *live; // by block
    uint32_t *block_of;
    uint32_t *event_at; // by instruction: first event; one more at the end
    Bits wanted;        // values with an event
    Bits returns;       // blocks that reach a return
    Bits done;          // blocks
    uint32_t *now;      // by value: current variable
    U32s active;        // values with a version in the current block
    VEC(Slot) over;     // versions of one edge: own is the variable, node the value
} FlowWalk;

// ---- liveness ----

static uint32_t def_block(const FlowWalk *k, uint32_t value)
{
    const Body *b = k->b;
    if (is_member(b, value)) value = member_of(b, value)->root;
    if (value < b->param_count) return b->cfg->order[0];
    uint32_t ins = value - b->param_count;
    if (ins >= b->func->ins_count) ins -= b->func->ins_count;
    return k->block_of[ins];
}

typedef struct {
    uint32_t value, block;
} LiveUse;

typedef VEC(LiveUse) Uses;

static void phi_uses(const FlowWalk *k, Uses *uses)
{
    const Body *b = k->b;
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *ins = func_ins(b->unit, b->func, i);
        if (ins->op != OP_PHI || !b->born[value_ins(b, i)]) continue;
        const uint32_t *pairs = func_extra(b->unit, b->func, ins->b);
        for (uint32_t p = 0; p < ins->c; p++) {
            uint32_t v = root_value(b, (Ref){pairs[2 * p + 1]});
            if (v != NO_VALUE && b->cfg->position[pairs[2 * p]] != UINT32_MAX)
                vec_push(uses, ((LiveUse){v, pairs[2 * p]}));
        }
    }
}

static void find_live(FlowWalk *k)
{
    Body *b = k->b;
    Uses uses = {0}, found = {0};
    vec_each (i, &b->events)
        vec_push(&uses, ((LiveUse){b->events.at[i].value, k->block_of[b->events.at[i].ins]}));
    phi_uses(k, &uses);
    // By value, counting sort.
    uint32_t *first = arena_array_of(b->arena, uint32_t, b->value_count + 2);
    uint32_t *sorted = arena_array_of(b->arena, uint32_t, uses.len + 1);
    vec_each (i, &uses) first[uses.at[i].value + 2]++;
    for (uint32_t v = 1; v < b->value_count + 2; v++) first[v] += first[v - 1];
    vec_each (i, &uses) sorted[first[uses.at[i].value + 1]++] = uses.at[i].block;
    uint32_t *stamp = arena_array_of(b->arena, uint32_t, b->func->block_count + 1);
    U32s todo = {0};
    for (uint32_t v = 0; v < b->value_count && !b->given_up; v++) {
        if (first[v] == first[v + 1]) continue;
        bits_add(&k->wanted, v);
        uint32_t def = def_block(k, v);
        for (uint32_t i = first[v]; i < first[v + 1]; i++) vec_push(&todo, sorted[i]);
        while (todo.len) {
            uint32_t block = vec_pop(&todo);
            if (block == def || stamp[block] == v + 1) continue;
            stamp[block] = v + 1;
            vec_push(&found, ((LiveUse){v, block}));
            k->live[block].count++;
            if (++b->work > LIVE_BUDGET) b->given_up = true;
            EdgeRange pred = b->cfg->pred[block];
            for (uint32_t i = 0; i < pred.count; i++) {
                uint32_t p = b->cfg->edges[pred.first + i];
                if (b->cfg->position[p] != UINT32_MAX) vec_push(&todo, p);
            }
        }
    }
    // In one piece for all blocks: a list of its own for each would be mostly allocation.
    uint32_t *values = arena_array_of(b->arena, uint32_t, 2 * (size_t)found.len + 1);
    bool *joined = arena_array_of(b->arena, bool, found.len + 1);
    for (uint32_t n = 0, at = 0; n < b->func->block_count; n++) {
        LiveIn *l = &k->live[n];
        *l = (LiveIn){values + at, values + found.len + at, joined + at, l->count};
        at += l->count;
        l->count = 0;
    }
    vec_each (i, &found) {
        LiveIn *l = &k->live[found.at[i].block];
        l->values[l->count++] = found.at[i].value;
    }
    vec_free(&found);
    vec_free(&todo);
    vec_free(&uses);
}

static uint32_t live_index(const LiveIn *l, uint32_t value)
{
    uint32_t low = 0, high = l->count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (l->values[mid] < value)
            low = mid + 1;
        else
            high = mid;
    }
    return low < l->count && l->values[low] == value ? low : UINT32_MAX;
}

static void find_returns(FlowWalk *k)
{
    const Body *b = k->b;
    U32s todo = {0};
    for (uint32_t i = 0; i < b->cfg->order_count; i++) {
        uint32_t n = b->cfg->order[i];
        const Block *block = func_block(b->unit, b->func, n);
        if (func_ins(b->unit, b->func, block->first + block->count - 1)->op == OP_RET)
            vec_push(&todo, n);
    }
    while (todo.len) {
        uint32_t n = vec_pop(&todo);
        if (!bits_add(&k->returns, n)) continue;
        EdgeRange pred = b->cfg->pred[n];
        for (uint32_t i = 0; i < pred.count; i++) vec_push(&todo, b->cfg->edges[pred.first + i]);
    }
    vec_free(&todo);
}

// ---- versions ----

static void set(FlowWalk *k, uint32_t value, uint32_t var)
{
    if (!k->now[value]) vec_push(&k->active, value);
    k->now[value] = var;
}

static uint32_t terminator(const Body *b, uint32_t block)
{
    const Block *at = func_block(b->unit, b->func, block);
    return at->first + at->count - 1;
}

// Where a reader would say the value dies: the return that this edge leads to, or the first
// statement after the edge.
static uint32_t death_place(const Body *b, uint32_t block)
{
    uint32_t at = block;
    for (int hops = 0; hops < 8; hops++) {
        const Ins *t = func_ins(b->unit, b->func, terminator(b, at));
        if (t->op == OP_RET) return terminator(b, at);
        if (t->op != OP_JUMP) break;
        at = t->a;
    }
    const Block *first = func_block(b->unit, b->func, block);
    for (uint32_t i = 0; i < first->count; i++)
        if (func_ins(b->unit, b->func, first->first + i)->loc) return first->first + i;
    return first->first;
}

static void die_here(FlowWalk *k, uint8_t prio, uint32_t value, uint32_t var, uint32_t place,
                     uint32_t path)
{
    if (!is_member(k->b, value))
        system_is(&k->b->sys, (ConTag){prio, CON_SCOPE, place, value, path}, var, false);
    else if (member_of(k->b, value)->boundary)
        system_is(&k->b->sys, (ConTag){PRIO_FIELD, CON_FIELD, place, value, path}, var, true);
}

static uint32_t edge_path(const Body *b, uint32_t from, uint32_t to)
{
    if (b->cfg->pred[to].count == 1) return func_block(b->unit, b->func, to)->first;
    return b->cfg->succ[from].count == 1 ? terminator(b, from) : NO_PATH;
}

static uint32_t split(FlowWalk *k, const OwnEvent *e, uint32_t var)
{
    System *s = &k->b->sys;
    if (e->own == VAR_ZERO) return var;
    uint32_t rest = system_var(s);
    system_split(s, con_tag(PRIO_FACT, e->con, e->ins, e->value), var, e->own, rest);
    if (e->taken) system_is(s, con_tag(PRIO_BELIEF, CON_BELIEVED, e->ins, e->value), rest, false);
    if (e->weak) system_is(s, con_tag(PRIO_MEMORY, e->con, e->ins, e->value), e->own, false);
    return rest;
}

static void note(FlowWalk *k, uint32_t value, uint32_t ins)
{
    if (k->b->own->keep_versions) vec_push(&k->b->versions, ((VarAt){value, ins, k->now[value]}));
}

static void apply(FlowWalk *k, const OwnEvent *e)
{
    System *s = &k->b->sys;
    uint32_t var = k->now[e->value];
    if (!var && e->what != EV_CONTENT_IN && e->what != EV_FORGET)
        return; // a value that no block defines on this path
    switch ((EventDo)e->what) {
    case EV_USE:
        break;
    case EV_MOVE:
        set(k, e->value, split(k, e, var));
        break;
    case EV_CONTENT_IN:
        if (var && e->over)
            system_is(s, con_tag(PRIO_SCOPE, CON_OVERWRITE, e->ins, e->value), var, false);
        if (e->own == VAR_ZERO && is_member(k->b, e->value))
            k->now[e->value] = 0; // null: may be taken for either on each way on
        else
            set(k, e->value, e->own > VAR_ONE ? e->own : system_var(s));
        break;
    case EV_FORGET:
        if (var) system_is(s, con_tag(PRIO_MEMORY, CON_FORGET, e->ins, e->value), var, false);
        set(k, e->value, system_var(s));
        break;
    case EV_HANDED: {
        uint32_t after = system_var(s);
        system_equal(s, con_tag(PRIO_MEMORY, CON_FORGET, e->ins, e->value), var, after);
        set(k, e->value, after);
        break;
    }
    case EV_OWNER:
        system_is(s, con_tag(PRIO_SCOPE, CON_OWNER, e->ins, e->value), var, false);
        k->now[e->value] = 0; // nobody asks any more
        if (k->b->own->keep_versions)
            vec_push(&k->b->versions, ((VarAt){e->value, e->ins, VAR_ZERO}));
        return;
    }
    if (k->now[e->value]) note(k, e->value, e->ins);
}

// The value that is null on the edge to `to`, and up to two more that are so with it.
static uint32_t null_on_edge(const FlowWalk *k, uint32_t from, uint32_t to, uint32_t values[3])
{
    Body *b = k->b;
    const Ins *t = func_ins(b->unit, b->func, terminator(b, from));
    if (t->op != OP_BRANCH || t->b == t->c || !ref_is_ins((Ref){t->a})) return 0;
    const Ins *test = func_ins(b->unit, b->func, ref_index((Ref){t->a}));
    if (test->op != OP_EQ && test->op != OP_NE) return 0;
    Ref x = {test->a}, y = {test->b};
    if (ref_is_const(x)) {
        Ref swap = x;
        x = y, y = swap;
    }
    if (!ref_is_const(y) || b->unit->consts.at[ref_index(y)].kind != CONST_NULL) return 0;
    if ((test->op == OP_EQ ? t->b : t->c) != to) return 0;
    uint32_t count = 0, v = direct_value(b, x), cell;
    if (v == NO_VALUE) return 0;
    values[count++] = v;
    if (ref_is_ins(x)) {
        const Ins *i = func_ins(b->unit, b->func, ref_index(x));
        if (i->op == OP_LOAD && is_cell(b, (Ref){i->a}, &cell)) values[count++] = cell;
        if (i->op == OP_LOAD && b->member_ins[ref_index(x)])
            values[count++] = b->first_member + b->member_ins[ref_index(x)] - 1;
        CallInst *inst = inst_of(b, ref_index(x));
        // The allocator failed: what it was to exchange is still there, and owned as before.
        if (inst && inst->old) values[count++] = inst->old - 1;
    }
    return count;
}

static uint32_t edge_version(const FlowWalk *k, uint32_t value)
{
    vec_each (i, &k->over)
        if (k->over.at[i].node == value) return k->over.at[i].own;
    return k->now[value];
}

static void edge_set(FlowWalk *k, uint32_t value, uint32_t var)
{
    vec_each (i, &k->over)
        if (k->over.at[i].node == value) {
            k->over.at[i].own = var;
            return;
        }
    vec_push(&k->over, ((Slot){var, value}));
}

static void arrive(FlowWalk *k, uint32_t block, uint32_t index, uint32_t var)
{
    System *s = &k->b->sys;
    LiveIn *l = &k->live[block];
    ConTag tag = con_tag(PRIO_JOIN, CON_JOIN, func_block(k->b->unit, k->b->func, block)->first,
                         l->values[index]);
    uint32_t *in = &l->vars[index];
    if (!*in || *in == var) {
        *in = var;
        return;
    }
    if (!l->joined[index] && !bits_has(&k->done, block)) {
        uint32_t both = system_var(s);
        system_equal(s, tag, both, *in);
        *in = both;
        l->joined[index] = true;
    }
    system_equal(s, tag, *in, var);
}

static void edge(FlowWalk *k, uint32_t from, uint32_t to)
{
    Body *b = k->b;
    vec_clear(&k->over);
    const Block *target = func_block(b->unit, b->func, to);
    for (uint32_t i = 0; i < target->count; i++) {
        const Ins *phi = func_ins(b->unit, b->func, target->first + i);
        if (phi->op != OP_PHI) break;
        uint32_t own = b->born[value_ins(b, target->first + i)];
        if (!own) continue;
        Ref taken = cfg_phi_value(b->cfg, b->unit, b->func, target->first + i, from);
        uint32_t v = root_value(b, taken), var = v == NO_VALUE ? 0 : edge_version(k, v);
        if (!var) continue;
        OwnEvent e = {.ins = terminator(b, from), .value = v, .own = own, .con = CON_MOVE};
        edge_set(k, v, split(k, &e, var));
    }
    uint32_t nulls[3], null_count = null_on_edge(k, from, to, nulls);
    uint32_t place = death_place(b, to), path = edge_path(b, from, to);
    vec_each (i, &k->active) {
        uint32_t v = k->active.at[i], var = edge_version(k, v);
        bool null = false;
        for (uint32_t n = 0; n < null_count; n++) null |= nulls[n] == v;
        if (null || !var) continue;
        uint32_t index = live_index(&k->live[to], v);
        if (index != UINT32_MAX)
            arrive(k, to, index, var);
        else if (bits_has(&k->returns, to)) {
            // Where an allocation failed a routine gives up and what it was given stays the
            // caller's: "taken on success" cannot be said in 0 and 1. Errs towards missed leaks
            // of callers that forget it then; evaluation sees those.
            uint8_t prio = null_count && v < b->param_count ? PRIO_MEMORY : PRIO_SCOPE;
            die_here(k, prio, v, var, place, path);
        }
    }
}

static bool is_header(const Body *b, uint32_t block)
{
    EdgeRange pred = b->cfg->pred[block];
    for (uint32_t i = 0; i < pred.count; i++) {
        uint32_t p = b->cfg->edges[pred.first + i];
        if (b->cfg->position[p] != UINT32_MAX && b->cfg->position[p] >= b->cfg->position[block])
            return true;
    }
    return false;
}

static void enter(FlowWalk *k, uint32_t block)
{
    Body *b = k->b;
    LiveIn *l = &k->live[block];
    bool header = is_header(b, block);
    vec_each (i, &k->active) k->now[k->active.at[i]] = 0;
    vec_clear(&k->active);
    for (uint32_t i = 0; i < l->count; i++) {
        if (!l->vars[i] && !header && is_member(b, l->values[i]))
            continue; // null on all ways
        if (!l->vars[i]) {
            l->vars[i] = system_var(&b->sys);
        } else if (header && !l->joined[i]) {
            uint32_t both = system_var(&b->sys), before = l->vars[i];
            l->vars[i] = both;
            system_equal(&b->sys,
                         con_tag(PRIO_JOIN, CON_JOIN, func_block(b->unit, b->func, block)->first,
                                 l->values[i]),
                         both, before);
        }
        set(k, l->values[i], l->vars[i]);
    }
    bits_add(&k->done, block);
}

// The fields of a struct that comes into sight.
static void members_appear(FlowWalk *k, uint32_t root, uint32_t ins)
{
    Body *b = k->b;
    for (uint32_t m = b->member_of[root]; m; m = b->members.at[m - 1].next) {
        uint32_t value = b->first_member + m - 1;
        if (!bits_has(&k->wanted, value)) continue;
        set(k, value, b->born[value]);
        note(k, value, ins);
    }
}

static void walk(FlowWalk *k, uint32_t block)
{
    Body *b = k->b;
    enter(k, block);
    if (block == b->cfg->order[0])
        for (uint32_t i = 0; i < b->param_count; i++)
            if (b->born[i] && bits_has(&k->wanted, i)) {
                set(k, i, b->born[i]);
                note(k, i, NO_VALUE);
            }
    if (block == b->cfg->order[0])
        for (uint32_t i = 0; i < b->param_count; i++) members_appear(k, i, NO_VALUE);
    const Block *at = func_block(b->unit, b->func, block);
    for (uint32_t i = at->first; i < at->first + at->count; i++) {
        for (uint32_t e = k->event_at[i]; e < k->event_at[i + 1]; e++) apply(k, &b->events.at[e]);
        const Ins *ins = func_ins(b->unit, b->func, i);
        uint32_t v = value_ins(b, i);
        uint32_t cell;
        // What comes from memory and is not moved on needs no version: it owns nothing.
        bool fresh = ins->op == OP_CALL || ins->op == OP_INVOKE || ins->op == OP_PHI ||
                     ins->op == OP_SELECT ||
                     (ins->op == OP_LOAD && (b->member_ins[i] || is_cell(b, (Ref){ins->a}, &cell)));
        if (b->born[v] && (fresh || bits_has(&k->wanted, v))) {
            set(k, v, b->born[v]);
            note(k, v, i);
        }
        if (b->member_of[v]) members_appear(k, v, i);
    }
    uint32_t last = at->first + at->count - 1;
    const Ins *t = func_ins(b->unit, b->func, last);
    if (t->op == OP_RET)
        vec_each (i, &k->active)
            if (k->now[k->active.at[i]])
                die_here(k, PRIO_SCOPE, k->active.at[i], k->now[k->active.at[i]], last, 0);
    EdgeRange succ = b->cfg->succ[block];
    for (uint32_t i = 0; i < succ.count; i++) edge(k, block, b->cfg->edges[succ.first + i]);
}

void body_flow(Body *b)
{
    uint32_t blocks = b->func->block_count, ins = b->func->ins_count;
    FlowWalk k = {.b = b};
    k.live = arena_array_of(b->arena, LiveIn, blocks);
    k.block_of = arena_array_of(b->arena, uint32_t, ins + 1);
    k.event_at = arena_array_of(b->arena, uint32_t, ins + 2);
    k.now = arena_array_of(b->arena, uint32_t, b->value_count + 1);
    k.wanted = bits_new(b->arena, b->value_count + 1);
    k.returns = bits_new(b->arena, blocks + 1);
    k.done = bits_new(b->arena, blocks + 1);
    for (uint32_t n = 0; n < blocks; n++) {
        const Block *block = func_block(b->unit, b->func, n);
        for (uint32_t i = 0; i < block->count; i++) k.block_of[block->first + i] = n;
    }
    b->block_of = k.block_of;
    vec_each (i, &b->events) k.event_at[b->events.at[i].ins + 1]++;
    for (uint32_t i = 1; i <= ins + 1; i++) k.event_at[i] += k.event_at[i - 1];
    find_live(&k);
    find_returns(&k);
    for (uint32_t i = 0; i < b->cfg->order_count && !b->given_up; i++) walk(&k, b->cfg->order[i]);
    b->wanted = k.wanted;
    vec_free(&k.active);
    vec_free(&k.over);
}
