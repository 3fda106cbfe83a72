// What the uses of functions say about them, over the whole program: who receives ownership that
// then disappears into memory (Heine and Lam, section 2.4), whose results are released, and what happens to
// pointers after they were handed to a function that nobody knows.
#include "own/own_int.h"

static Evidence *evidence_at(Own *o, FuncId f, uint32_t param)
{
    bool fresh;
    uint64_t *at = map_at(&o->evidence_of, map_pair(f.id, param), o->evidence.len, &fresh);
    if (fresh) vec_push(&o->evidence, ((Evidence){.func = f, .param = param}));
    return &o->evidence.at[*at];
}

const Evidence *own_evidence(const Own *o, FuncId f, uint32_t param)
{
    uint64_t *at = map_get(&o->evidence_of, map_pair(f.id, param));
    return at ? &o->evidence.at[*at] : NULL;
}

static Pos keep_place(Body *b, uint32_t ins)
{
    Pos p = place_of(b, ins);
    if (p.path) p.path = arena_strdup(b->own->arena, p.path);
    return p;
}

static void given(Body *b, FuncId f, uint32_t param, uint32_t ins)
{
    Evidence *e = evidence_at(b->own, f, param);
    if (!e->given++) e->where = keep_place(b, ins);
}

// Which argument of the call is this value?
static uint32_t argument_of(const Body *b, const CallInst *inst, uint32_t value)
{
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    for (uint32_t k = 0; k < inst->arg_count; k++)
        if (root_value(b, (Ref){*func_extra(b->unit, b->func, call->b + k)}) == value) return k;
    return NO_VALUE;
}

static void from_violation(Body *b, const Constraint *c)
{
    CallInst *inst = inst_of(b, c->place);
    if (c->kind == CON_STORE && !inst) {
        given(b, b->f, c->value < b->param_count ? c->value : NO_VALUE - 1, c->place);
    } else if (c->kind == CON_STORE && inst->callee.id) {
        uint32_t k = argument_of(b, inst, c->value);
        if (k != NO_VALUE) given(b, inst->callee, k, c->place);
    } else if (c->kind == CON_LOAD && inst && inst->callee.id) {
        given(b, inst->callee, NO_VALUE, c->place);
    }
}

// ---- functions with neither code nor spec ----

static bool is_unknown(const Body *b, const CallInst *inst)
{
    return inst->callee.id && !inst->spec && !program_has_code(b->own->program, inst->callee);
}

// By value: where it is last an operand, in the order of blocks.
static uint64_t *last_uses(const Body *b)
{
    uint64_t *last = arena_array_of(b->arena, uint64_t, b->value_count + 1);
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        uint32_t pos = b->cfg->position[b->block_of[i]];
        if (x->op == OP_BIND || pos == UINT32_MAX) continue;
        uint64_t at = map_pair(pos, i);
        Operands o = ins_operands(b->unit, b->func, x);
        for (uint32_t k = 0; k < o.count + o.more_count; k++) {
            Ref r = operand_at(&o, k);
            uint32_t v = direct_value(b, r);
            if (v != NO_VALUE && last[v] < at) last[v] = at;
        }
    }
    return last;
}

typedef struct {
    Body *b;
    uint32_t *split_of; // by variable: the constraint that split it off, + 1
    Map violated;       // components
    uint64_t *last;     // by value
} Verdicts;

static bool is_split(const Constraint *c)
{
    return c->prio == PRIO_FACT && c->count == 3 &&
           (c->kind == CON_MOVE || c->kind == CON_UNKNOWN || c->kind == CON_STORE);
}

// whole = moved + rest. Owned before and still owned behind: only lent. Owned before and gone: only
// the callee can have it. A pointer kept in a variable whose address is taken is a copy of what
// the variable owns, so one more split is looked through.
static bool verdict_of(const Verdicts *k, uint32_t moved, bool asked, SiteVerdict *out)
{
    System *s = &k->b->sys;
    if (!k->split_of[moved]) return false;
    const Constraint *c = &s->cons.at[k->split_of[moved] - 1];
    int whole = system_forced(s, c->vars[0]), part = system_forced(s, moved);
    bool violated = map_get(&k->violated, system_component(s, moved)) != NULL;
    // Where the callee's answer is looked at, it may have been taken on success; else a way on
    // which it is not released is a leak, and those on which it is are the rule.
    bool mixed = violated && (asked || part == 1);
    if (whole == 1 && part >= 0) {
        *out = mixed ? SITE_MIXED : part ? SITE_GONE : SITE_KEPT;
        return true;
    }
    if (violated) return false;
    uint32_t up = whole == 0 ? k->split_of[c->vars[0]] : 0;
    if (!up) return false;
    const Constraint *from = &s->cons.at[up - 1];
    *out = SITE_KEPT;
    return system_forced(s, from->vars[0]) == 1 && system_forced(s, from->vars[2]) == 1;
}

static void prepare(Verdicts *k)
{
    Body *b = k->b;
    k->split_of = arena_array_of(b->arena, uint32_t, b->sys.var_count + 1);
    vec_each (i, &b->sys.cons)
        if (is_split(&b->sys.cons.at[i])) k->split_of[b->sys.cons.at[i].vars[1]] = i + 1;
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->count) map_set(&k->violated, system_component(&b->sys, c->vars[0]), 1);
    }
    k->last = last_uses(b);
}

// A parameter that is only handed to unknown functions, to one of them on each way: what callers
// say of it they say of those.
void body_handed(Body *b, Interface *into)
{
    into->handed = arena_array_of(b->own->arena, Handed, b->param_count + 1);
    for (uint32_t v = 0; v < b->param_count; v++) {
        uint32_t at[HANDED_TO];
        Handed h = {0};
        bool clear = into->weak[v] == WEAK_UNKNOWN;
        vec_each (i, &b->events) {
            const OwnEvent *e = &b->events.at[i];
            if (!clear) break;
            if (e->value != v || e->con != CON_UNKNOWN) continue;
            const CallInst *inst = inst_of(b, e->ins);
            uint32_t k = inst && is_unknown(b, inst) ? argument_of(b, inst, v) : NO_VALUE;
            clear = k != NO_VALUE && h.count < HANDED_TO;
            uint32_t block = b->block_of[e->ins];
            if (h.count) cfg_complete(b->cfg, b->arena);
            for (uint32_t n = 0; n < h.count && clear; n++)
                clear =
                    !cfg_dominates(b->cfg, at[n], block) && !cfg_dominates(b->cfg, block, at[n]);
            if (!clear) break;
            at[h.count] = block;
            h.to[h.count] = inst->callee;
            h.param[h.count++] = k;
        }
        if (clear) into->handed[v] = h;
    }
}

// Of functions with code that hand what they are given to unknown ones.
static void verdicts_behind(const Verdicts *k, const CallInst *inst)
{
    Body *b = k->b;
    const Interface *face = inst->callee.id ? b->own->interfaces[inst->callee.id] : NULL;
    if (!face || !face->handed || inst->spec) return;
    for (uint32_t n = 0; n < inst->arg_count && n < face->param_count; n++) {
        const Handed *h = &face->handed[n];
        SiteVerdict verdict;
        if (!h->count || inst->args[n].how != PASS_UNKNOWN ||
            !verdict_of(k, inst->args[n].slot.own, false, &verdict) || verdict != SITE_GONE)
            continue;
        for (uint32_t i = 0; i < h->count; i++)
            belief_add(&b->own->beliefs, h->to[i], h->param[i], b->f, verdict);
    }
}

void body_verdicts(Body *b)
{
    Verdicts k = {.b = b};
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        bool code = inst->callee.id && program_has_code(b->own->program, inst->callee);
        if (!code && !is_unknown(b, inst)) continue;
        if (!k.split_of) prepare(&k);
        if (code) {
            verdicts_behind(&k, inst);
            continue;
        }
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        bool asked = k.last[value_ins(b, inst->ins)] != 0;
        uint64_t at = map_pair(b->cfg->position[b->block_of[inst->ins]], inst->ins);
        for (uint32_t n = 0; n < inst->arg_count; n++) {
            Ref r = {*func_extra(b->unit, b->func, call->b + n)};
            uint32_t v = direct_value(b, r);
            if (ref_is_const(r) && b->unit->consts.at[ref_index(r)].kind == CONST_FUNC)
                map_set(&b->own->calls_back, inst->callee.id, 1);
            if (inst->args[n].how != PASS_UNKNOWN || v == NO_VALUE || v != root_value(b, r))
                continue;
            SiteVerdict verdict = SITE_USED;
            if (verdict_of(&k, inst->args[n].slot.own, asked, &verdict) || k.last[v] > at)
                belief_add(&b->own->beliefs, inst->callee, n, b->f, verdict);
        }
    }
    map_free(&k.violated);
}

void body_evidence(Body *b)
{
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->prio == PRIO_MEMORY) from_violation(b, c);
    }
}
