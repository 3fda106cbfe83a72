// What the uses of functions say about them, over the whole program: who receives ownership that
// then disappears into memory (seed, section 2.4), whose results are released, and what happens to
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

static FieldUse *field_at(Body *b, Ref address)
{
    if (!ref_is_ins(address)) return NULL;
    const Ins *i = func_ins(b->unit, b->func, ref_index(address));
    if (i->op != OP_FIELD || !i->c) return NULL;
    Own *o = b->own;
    const char *name = name_text(b->unit->names, (Name){i->c});
    vec_each (k, &o->fields)
        if (strcmp(o->fields.at[k].name, name) == 0) return &o->fields.at[k];
    vec_push(&o->fields, ((FieldUse){.name = arena_strdup(o->arena, name)}));
    return &vec_last(&o->fields);
}

static void field_use(Body *b, const Con *c)
{
    const Ins *i = func_ins(b->unit, b->func, c->place);
    FieldUse *f = i->op == OP_STORE || i->op == OP_LOAD ? field_at(b, (Ref){i->a}) : NULL;
    if (!f) return;
    if (c->kind == CON_STORE && i->op == OP_STORE)
        f->in++;
    else if (c->kind == CON_LOAD && i->op == OP_LOAD)
        f->out++;
}

static void from_violation(Body *b, const Con *c)
{
    CallInst *inst = inst_of(b, c->place);
    field_use(b, c);
    if (c->kind == CON_STORE && !inst) {
        given(b, b->f, c->value < b->param_count ? c->value : NO_VALUE - 1, c->place);
    } else if (c->kind == CON_STORE && inst->callee.id) {
        uint32_t k = argument_of(b, inst, c->value);
        if (k != NO_VALUE) given(b, inst->callee, k, c->place);
    } else if (c->kind == CON_LOAD && inst && inst->callee.id) {
        given(b, inst->callee, NO_VALUE, c->place);
    }
}

// Is the value an operand of anything behind the call? Blocks later in the order count as behind.
static bool used_after(const Body *b, Ref value, uint32_t ins)
{
    uint32_t at = b->cfg->position[b->block_of[ins]];
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        uint32_t pos = b->cfg->position[b->block_of[i]];
        if (x->op == OP_BIND || pos == UINT32_MAX) continue;
        if (pos < at || (pos == at && i <= ins)) continue;
        Operands o = ins_operands(b->unit, b->func, x);
        for (uint32_t k = 0; k < o.count; k++)
            if (ref_same(o.refs[k], value)) return true;
        for (uint32_t k = 0; k < o.more_count; k++)
            if (o.more[k * o.more_step] == value.bits) return true;
    }
    return false;
}

static bool is_fresh(const Body *b, uint32_t value)
{
    return b->born[value] && system_forced(&b->sys, b->born[value]) == 1;
}

static void from_unknown(Body *b, const CallInst *inst)
{
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    for (uint32_t k = 0; k < inst->arg_count; k++) {
        Ref r = {*func_extra(b->unit, b->func, call->b + k)};
        uint32_t v = direct_value(b, r);
        if (inst->args[k].how != PASS_UNKNOWN || v == NO_VALUE || v != root_value(b, r)) continue;
        if (used_after(b, r, inst->ins))
            evidence_at(b->own, inst->callee, k)->touched++;
        else if (is_fresh(b, v))
            evidence_at(b->own, inst->callee, k)->untouched++;
    }
}

void body_evidence(Body *b)
{
    vec_each (i, &b->sys.violations) {
        const Con *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->prio == PRIO_MEMORY) from_violation(b, c);
    }
    const Program *p = b->own->program;
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        if (inst->callee.id && !inst->spec && !program_has_code(p, inst->callee))
            from_unknown(b, inst);
    }
}
