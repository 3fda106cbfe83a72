// What a call does to its arguments: the callee's specification or its inferred interface, with
// fresh variables for this call (instantiation constraints of the seed, sections 2.2 and 4.2).
#include "own/own_int.h"

// ---- types of the specification language ----

typedef struct {
    Name name;
    Slot slot;
} Binding;

typedef struct {
    Body *b;
    uint32_t ins;
    VEC(Binding) env;
} Scheme;

static uint32_t node_for(Scheme *k, const SpecType *t);

static Slot slot_open(Body *b)
{
    return (Slot){system_var(&b->sys), node_new(b, NODE_VAR)};
}

static Slot slot_var(Scheme *k, Name name)
{
    vec_each (i, &k->env)
        if (k->env.at[i].name.id == name.id) return k->env.at[i].slot;
    Slot s = slot_open(k->b);
    vec_push(&k->env, ((Binding){name, s}));
    return s;
}

static Slot slot_for(Scheme *k, const SpecType *t)
{
    switch (t->kind) {
    case SPEC_T_VAR:
        return slot_var(k, t->name);
    case SPEC_T_REFERENCE:
        return slot_for(k, t->to);
    case SPEC_T_POINTER:
        return (Slot){t->hold == SPEC_H_OWN ? VAR_ONE : VAR_ZERO, node_for(k, t->to)};
    default:
        return (Slot){VAR_ZERO, node_for(k, t)};
    }
}

// What a pointer to `t` points to.
static uint32_t node_for(Scheme *k, const SpecType *t)
{
    if (t->kind != SPEC_T_CONTAINER && t->kind != SPEC_T_FUNCTION) return node_new(k->b, NODE_VAR);
    bool function = t->kind == SPEC_T_FUNCTION;
    Slot *slots = arena_array_of(k->b->arena, Slot, t->arg_count + 1);
    for (uint32_t i = 0; i < t->arg_count; i++) slots[i] = slot_for(k, t->args[i]);
    uint32_t n =
        node_with(k->b, function ? NODE_FUNC : NODE_CONTAINER, t->container.id, t->arg_count);
    for (uint32_t i = 0; i < t->arg_count; i++)
        k->b->slots.at[k->b->nodes.at[n].first_slot + i] = slots[i];
    return n;
}

static const SpecType *var_behind(const SpecType *t)
{
    if (t->kind == SPEC_T_REFERENCE) t = t->to;
    return t->kind == SPEC_T_VAR ? t : NULL;
}

// ---- specifications ----

// The container among the arguments whose elements have this type; 0 none.
static uint32_t holder_of(const Body *b, const CallInst *inst, Slot t)
{
    for (uint32_t i = 0; i < inst->arg_count; i++) {
        uint32_t n = inst->args[i].slot.node;
        if (!n) continue;
        const Node *node = &b->nodes.at[node_find(b, n)];
        if (node->kind != NODE_CONTAINER) continue;
        for (uint32_t j = 0; j < node->slot_count; j++)
            if (b->slots.at[node->first_slot + j].own == t.own) return n;
    }
    return 0;
}

static Pass pass_spec(Scheme *k, const SpecParam *p)
{
    Body *b = k->b;
    Pass pass = {.how = PASS_BORROW};
    const SpecType *t = p->type;
    if (t->kind == SPEC_T_POINTER || t->kind == SPEC_T_REFERENCE)
        pass.slot.node = node_for(k, t->to);
    if (t->kind == SPEC_T_FUNCTION) pass.slot.node = node_for(k, t);
    pass.slot.own = VAR_ZERO;
    bool maybe = p->when.op != SPEC_ALWAYS;
    if (p->place == SPEC_OUT) {
        pass.how = PASS_OUT;
        bool owns = p->value.gives == SPEC_OWN;
        bool sure = owns && !maybe && !p->or_null && p->value.when.op == SPEC_ALWAYS;
        pass.slot.own = sure ? VAR_ONE : owns ? system_var(&b->sys) : VAR_ZERO;
        return pass;
    }
    if (p->place != SPEC_ITSELF) {
        pass.how = PASS_FORGET;
        return pass;
    }
    switch (p->mode) {
    case SPEC_REF:
        break;
    case SPEC_TAKE:
    case SPEC_HOLD:
        pass.how = PASS_MOVE;
        pass.slot.own = maybe ? system_var(&b->sys) : VAR_ONE;
        break;
    case SPEC_KEEP:
        pass.how = PASS_UNKNOWN;
        pass.slot.own = system_var(&b->sys);
        break;
    case SPEC_REF_INC:
    case SPEC_REF_DEC:
        pass.how = PASS_COUNTED;
        break;
    case SPEC_BY_TYPE: {
        const SpecType *var = var_behind(t);
        if (!var) break;
        pass.slot = slot_var(k, var->name);
        pass.how = t->kind == SPEC_T_REFERENCE ? PASS_CONTENT : PASS_MOVE;
        break;
    }
    }
    return pass;
}

static FuncId called(const Body *b, Ref callee)
{
    return program_callee(b->own->program, b->unit_index, b->unit, callee);
}

// Whether a condition on a number that the call is given holds; -1: not known.
static int holds(const Body *b, const CallInst *inst, SpecCond c)
{
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    if ((call->op != OP_CALL && call->op != OP_INVOKE) || c.subject < 0 ||
        (uint32_t)c.subject >= call->c || called(b, (Ref){call->a}).id != inst->callee.id)
        return -1;
    Ref r = {*func_extra(b->unit, b->func, call->b + (uint32_t)c.subject)};
    if (!ref_is_const(r)) return -1;
    const Const *x = &b->unit->consts.at[ref_index(r)];
    if (x->kind != CONST_INT && x->kind != CONST_NULL) return -1;
    int64_t v = x->kind == CONST_NULL ? 0 : (int64_t)x->value;
    switch (c.op) {
    case SPEC_EQ:
        return v == c.value;
    case SPEC_NE:
        return v != c.value;
    case SPEC_MASK:
        return (v & c.value) != 0;
    default:
        return -1;
    }
}

// What the result owns. "Null when the argument is null" is as good as "or null": null may be taken
// for either.
static uint32_t result_own(Body *b, const CallInst *inst)
{
    const SpecFunc *s = inst->spec;
    if (s->result.when.op != SPEC_ALWAYS) return system_var(&b->sys);
    for (uint32_t i = 0; i < s->case_count; i++) {
        SpecCond c = s->cases[i].when;
        int now = holds(b, inst, c);
        bool null = s->cases[i].gives == SPEC_NULL;
        bool of_null = null && c.op == SPEC_EQ && !c.value && c.subject >= 0 &&
                       c.subject < s->param_count &&
                       s->params[c.subject].type->kind == SPEC_T_POINTER;
        if (now == 1 && null) return VAR_ZERO;
        if (now != 0 && !of_null) return system_var(&b->sys);
    }
    return VAR_ONE;
}

static void result_spec(Scheme *k, CallInst *inst)
{
    Body *b = k->b;
    const SpecFunc *s = inst->spec;
    const SpecType *t = s->result_type;
    inst->result = (Slot){VAR_ZERO, 0};
    if (!t) return;
    if (t->kind == SPEC_T_POINTER) inst->result.node = node_for(k, t->to);
    if (t->kind == SPEC_T_VAR) {
        inst->result = slot_var(k, t->name);
        node_flag(b, holder_of(b, inst, inst->result), NODE_DRAINED);
        return;
    }
    if (s->realloc) {
        inst->result.own = VAR_ONE;
        for (uint32_t i = 0; i < inst->arg_count && i < s->param_count; i++)
            if (s->params[i].mode == SPEC_TAKE) inst->alias = -2 - (int32_t)i;
        return;
    }
    switch (s->result.gives) {
    case SPEC_OWN: {
        const SpecFamily *family = spec_family(b->own->options.specs, s->result.family);
        // What lives in an arena goes with it.
        if (s->result.in != SPEC_NONE ||
            (family && (family->arena || family->repr != SPEC_POINTER)))
            break;
        inst->result.own = result_own(b, inst);
        break;
    }
    case SPEC_ALIAS:
    case SPEC_INSIDE:
        if (s->result.deref || s->result.param < 0) break;
        inst->alias = s->result.param;
        inst->result.own = system_var(&b->sys);
        break;
    case SPEC_REF_OF:
        // A look at an element: whoever moves it behind the container's back drains it (body.c).
        if (s->result.param >= 0 && (uint32_t)s->result.param < inst->arg_count)
            inst->shows = inst->args[s->result.param].slot.node;
        break;
    default:
        break;
    }
}

static void from_spec(Body *b, CallInst *inst, uint32_t shift)
{
    Scheme k = {.b = b, .ins = inst->ins};
    const SpecFunc *s = inst->spec;
    for (uint32_t i = 0; i < inst->arg_count; i++) {
        if (i < shift) {
            inst->args[i] = (Pass){.how = PASS_FORGET};
            continue;
        }
        const SpecParam *p = i - shift < s->param_count ? &s->params[i - shift] : &s->rest;
        if (i - shift >= s->param_count && !p->type)
            inst->args[i] = (Pass){.how = PASS_BORROW};
        else
            inst->args[i] = pass_spec(&k, p);
    }
    for (uint32_t i = 0; i < s->param_count; i++) {
        const SpecType *var = var_behind(s->params[i].type);
        if (var && s->params[i].mode == SPEC_REF)
            node_flag(b, holder_of(b, inst, slot_var(&k, var->name)), NODE_PICKED);
    }
    result_spec(&k, inst);
    for (uint32_t i = 0; i < s->where_count; i++) {
        Slot t = slot_var(&k, s->wheres[i].var);
        // Its priority waits for the structure: a container that was drained may be freed
        // shallowly (body_events).
        system_is(&b->sys, con_tag(PRIO_COUNT, CON_WHERE, inst->ins, holder_of(b, inst, t)), t.own,
                  s->wheres[i].own);
    }
    vec_free(&k.env);
}

// ---- inferred interfaces ----

static void from_interface(Body *b, CallInst *inst, const Interface *face)
{
    uint32_t *vars = arena_array_of(b->arena, uint32_t, face->var_count + 1);
    for (uint32_t v = 2; v < face->var_count; v++) vars[v] = system_var(&b->sys);
    vars[VAR_ONE] = VAR_ONE;
    uint32_t *nodes = arena_array_of(b->arena, uint32_t, face->node_count + 1);
    for (uint32_t n = 1; n < face->node_count; n++) {
        const Node *from = &face->nodes[n];
        nodes[n] = node_with(b, (NodeKind)from->kind, from->id, from->slot_count);
        b->nodes.at[nodes[n]].flags = from->flags;
    }
    for (uint32_t n = 1; n < face->node_count; n++)
        for (uint32_t i = 0; i < face->nodes[n].slot_count; i++) {
            Slot s = face->slots[face->nodes[n].first_slot + i];
            b->slots.at[b->nodes.at[nodes[n]].first_slot + i] =
                (Slot){vars[s.own], s.node ? nodes[s.node] : node_new(b, NODE_VAR)};
        }
    for (uint32_t i = 0; i < inst->arg_count; i++) {
        Pass *pass = &inst->args[i];
        *pass = (Pass){.how = PASS_UNKNOWN}; // after ...
        if (i >= face->param_count) {
            pass->slot.own = system_var(&b->sys);
            continue;
        }
        Slot s = face->params[i];
        pass->slot = (Slot){vars[s.own], s.node ? nodes[s.node] : 0};
        // Taken on some ways only, which the callee is told for: here it may be either.
        if (face->torn[i] && s.own != VAR_ZERO) pass->slot.own = system_var(&b->sys);
        pass->how = pass->slot.own == VAR_ZERO     ? PASS_BORROW
                    : face->weak[i] == WEAK_STORED ? PASS_WEAK
                    : face->weak[i]                ? PASS_UNKNOWN
                                                   : PASS_MOVE;
    }
    inst->result = (Slot){vars[face->result.own], face->result.node ? nodes[face->result.node] : 0};
    inst->result_weak = face->weak_result;
    for (uint32_t i = 0; i < face->relation_count + face->behind_count; i++) {
        bool fact = i < face->relation_count;
        const Relation *r = fact ? &face->relations[i] : &face->behind[i - face->relation_count];
        uint32_t mapped[CON_VARS];
        for (uint32_t k = 0; k < r->count; k++) mapped[k] = vars[r->vars[k]];
        ConTag tag = fact ? con_tag(PRIO_FACT, CON_CALL, inst->ins, NO_VALUE)
                          : con_tag(PRIO_MEMORY, CON_BEHIND, inst->ins, NO_VALUE);
        system_add(&b->sys, tag, r->rows, r->count, mapped);
    }
}

// ---- neither ----

static void from_nothing(Body *b, CallInst *inst)
{
    const Unit *u = NULL;
    const Func *decl = inst->callee.id ? program_decl(b->own->program, inst->callee, &u) : NULL;
    if (inst->callee.id && inst->arg_count) again_asked(b, inst->callee, inst->arg_count);
    bool pure = decl && (decl->flags & (FUNC_READNONE | FUNC_READONLY));
    for (uint32_t i = 0; i < inst->arg_count; i++) {
        bool lent = pure || (decl && i < decl->param_count &&
                             (u->params.at[decl->first_param + i].flags & PARAM_CONST_POINTEE));
        bool believed = !lent && b->own->believe && inst->callee.id &&
                        belief_borrows(belief_counts(&b->own->beliefs, inst->callee, i, b->f));
        inst->args[i] =
            (Pass){.how = lent || believed ? PASS_BORROW : PASS_UNKNOWN, .believed = believed};
        // Whoever looks at the answer may keep it when the callee fails.
        inst->args[i].takes =
            !lent && !believed && b->own->believe && inst->callee.id &&
            belief_takes_for(&b->own->beliefs, b->own->program, inst->callee, i, b->f) &&
            !bits_has(&b->used, inst->ins);
        if (!lent && !believed) inst->args[i].slot.own = system_var(&b->sys);
    }
    inst->result = (Slot){system_var(&b->sys), 0};
    inst->result_weak = true;
}

// A call through a pointer whose function type is known as far as its uses say.
static void from_pointer(Body *b, CallInst *inst, Ref callee)
{
    uint32_t n = node_of_ref(b, callee);
    uint32_t type = node_with(b, NODE_FUNC, 0, inst->arg_count);
    for (uint32_t i = 0; i < inst->arg_count; i++) {
        Slot s = slot_open(b);
        b->slots.at[b->nodes.at[type].first_slot + i] = s;
        inst->args[i] = (Pass){.slot = s, .how = PASS_MOVE};
    }
    node_unify(b, n, type, inst->ins);
    inst->result = (Slot){system_var(&b->sys), 0};
    inst->result_weak = true;
}

// ---- the call ----

const SpecFunc *own_spec(const Own *o, FuncId f)
{
    const SpecFunc *s = f.id ? o->specs[f.id] : NULL;
    return s && s->generic && o->options.discover && s->origin == SPEC_FROM_USER ? NULL : s;
}

static void describe(Body *b, CallInst *inst, Ref callee)
{
    Own *o = b->own;
    inst->alias = -1;
    FuncId f = inst->callee;
    inst->spec = own_spec(o, f);
    bool code = f.id && program_has_code(o->program, f);
    if (inst->spec && (!code || spec_beats_code(inst->spec) || inst->spec->generic)) {
        const Unit *u;
        const Func *decl = program_decl(o->program, f, &u);
        bool sret = decl->param_count && (u->params.at[decl->first_param].flags & PARAM_SRET);
        from_spec(b, inst, sret ? 1 : 0);
        return;
    }
    inst->spec = NULL;
    const Interface *face = code ? own_interface(o, f) : NULL;
    if (code) again_asked(b, f, 0);
    if (face)
        from_interface(b, inst, face);
    else if (f.id && !code)
        from_nothing(b, inst);
    else if (f.id) { // recursion that has no interface yet: anything
        for (uint32_t i = 0; i < inst->arg_count; i++)
            inst->args[i] = (Pass){.slot = slot_open(b), .how = PASS_MOVE};
        inst->result = slot_open(b);
    } else if (!ref_is_none(callee) && direct_value(b, callee) < b->param_count)
        from_pointer(b, inst, callee);
    else
        from_nothing(b, inst);
}

void call_inst(Body *b, uint32_t ins)
{
    const Ins *i = func_ins(b->unit, b->func, ins);
    CallInst inst = {.ins = ins, .arg_count = i->c};
    inst.args = arena_array_of(b->arena, Pass, i->c + 1);
    inst.callee = i->op == OP_ASM ? (FuncId){0} : called(b, (Ref){i->a});
    describe(b, &inst, (Ref){i->a});
    const uint32_t *args = func_extra(b->unit, b->func, i->b);
    for (uint32_t k = 0; k < i->c; k++) {
        Ref r = {args[k]};
        Pass *pass = &inst.args[k];
        uint32_t cell;
        if (is_cell(b, r, &cell)) {
            if (pass->how == PASS_CONTENT) {
                node_unify(b, b->node_of[cell], pass->slot.node, ins);
                continue;
            }
            if (pass->how == PASS_MOVE || pass->how == PASS_UNKNOWN || pass->how == PASS_WEAK)
                pass->how = PASS_FORGET;
            if (pass->how == PASS_BORROW && !inst.spec) pass->how = PASS_FORGET;
            continue;
        }
        uint32_t n = node_of_ref(b, r);
        if (pass->how == PASS_UNKNOWN || pass->how == PASS_FORGET || pass->how == PASS_WEAK)
            node_flag(b, n, NODE_OPENED);
        if (pass->slot.node) node_unify(b, n, pass->slot.node, ins);
    }
    bool pointer = i->op != OP_ASM && mtype_class(i->type) == MT_PTR;
    if (pointer) b->look_of[value_ins(b, ins)] = inst.shows;
    if (pointer && inst.result.node)
        node_unify(b, node_of_ref(b, ref_ins(ins)), inst.result.node, ins);
    if (pointer && inst.result_weak) node_flag(b, node_of_ref(b, ref_ins(ins)), NODE_OPENED);
    vec_push(&b->insts, inst);
    b->inst_of[ins] = b->insts.len;
}

CallInst *inst_of(Body *b, uint32_t ins)
{
    return b->inst_of[ins] ? &b->insts.at[b->inst_of[ins] - 1] : NULL;
}

// The address of a function: its parameters' types with their constraints (section 6.2, line 6).
uint32_t func_node(Body *b, FuncId f, uint32_t ins)
{
    const Unit *u;
    const Func *decl = program_decl(b->own->program, f, &u);
    CallInst inst = {.ins = ins, .callee = f, .arg_count = decl->param_count};
    const SpecFunc *s = own_spec(b->own, f);
    if (s && s->param_count > inst.arg_count) inst.arg_count = s->param_count;
    inst.args = arena_array_of(b->arena, Pass, inst.arg_count + 1);
    describe(b, &inst, ref_none());
    uint32_t n = node_with(b, NODE_FUNC, 0, inst.arg_count);
    for (uint32_t i = 0; i < inst.arg_count; i++) {
        const Pass *p = &inst.args[i];
        Slot slot = {p->slot.own, p->slot.node ? p->slot.node : node_new(b, NODE_VAR)};
        if (p->how == PASS_COUNTED) slot.own = system_var(&b->sys);
        b->slots.at[b->nodes.at[n].first_slot + i] = slot;
    }
    return n;
}
