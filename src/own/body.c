// One function: the structure of what its pointers point to, then the events at which ownership
// may move.
//
// A pointer into an object (a field's address, an element's) stands for the object: to store it
// or to free it is to store or free the object, which is how intrusive lists hand memory on.
//
// A local variable whose address is taken only to be loaded, stored or handed to a call is a cell:
// its content is followed like a value.
#include "own/own_int.h"

// ---- operands ----

uint32_t direct_value(const Body *b, Ref r)
{
    if (ref_is_param(r)) return ref_index(r);
    if (ref_is_ins(r)) return value_ins(b, ref_index(r));
    return NO_VALUE;
}

uint32_t root_value(const Body *b, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *i = func_ins(b->unit, b->func, ref_index(r));
        if (i->op == OP_ALLOCA) return NO_VALUE;
        if (i->op != OP_FIELD && i->op != OP_INDEX) break;
        r = (Ref){i->a};
    }
    if (mtype_class(ref_type(b->unit, b->func, r)) != MT_PTR) return NO_VALUE;
    return direct_value(b, r);
}

bool is_cell(const Body *b, Ref r, uint32_t *cell)
{
    if (!ref_is_ins(r) || !bits_has(&b->cells, ref_index(r))) return false;
    *cell = value_cell(b, ref_index(r));
    return true;
}

static uint32_t node_of_value(Body *b, uint32_t value)
{
    if (!b->node_of[value]) b->node_of[value] = node_new(b, NODE_VAR);
    return b->node_of[value];
}

uint32_t node_of_ref(Body *b, Ref r)
{
    if (!ref_is_const(r)) {
        uint32_t v = direct_value(b, r);
        return v == NO_VALUE ? node_new(b, NODE_VAR) : node_of_value(b, v);
    }
    const Const *c = &b->unit->consts.at[ref_index(r)];
    if (c->kind == CONST_FUNC)
        return func_node(b, program_func(b->own->program, b->unit_index, (UFuncId){c->target}),
                         b->at_ins);
    uint32_t n = node_new(b, NODE_VAR);
    if (c->kind == CONST_GLOBAL) node_flag(b, n, NODE_OPENED);
    return n;
}

// ---- cells ----

static void note_used(Body *b, const Operands *o)
{
    for (uint32_t k = 0; k < o->count + o->more_count; k++) {
        Ref r = operand_at(o, k);
        if (ref_is_ins(r)) bits_add(&b->used, ref_index(r));
    }
}

// Also finds what is used at all.
static void find_cells(Body *b)
{
    const Func *f = b->func;
    b->cells = bits_new(b->arena, f->ins_count + 1);
    b->used = bits_new(b->arena, f->ins_count + 1);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *ins = func_ins(b->unit, f, i);
        if (ins->op != OP_ALLOCA || !ins->b) continue;
        const Local *l = &b->unit->locals.at[f->first_local + ins->b - 1];
        if (l->size == b->unit->pointer_bytes) bits_add(&b->cells, i);
    }
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *ins = func_ins(b->unit, f, i);
        bool call = ins->op == OP_CALL || ins->op == OP_INVOKE;
        bool access = ins->op == OP_LOAD || ins->op == OP_STORE;
        bool fits = access && mtype_class(ins->type) == MT_PTR && !(ins->flags & INS_VOLATILE);
        if (ins->op == OP_LIFE_START || ins->op == OP_LIFE_END) continue;
        Operands o = ins_operands(b->unit, f, ins);
        note_used(b, &o);
        for (uint32_t k = 0; k < o.count; k++)
            if (ref_is_ins(o.refs[k]) && !(fits && k == 0))
                bits_drop(&b->cells, ref_index(o.refs[k]));
        for (uint32_t k = 0; k < o.more_count && !call; k++) {
            Ref r = {o.more[k * o.more_step]};
            if (ref_is_ins(r)) bits_drop(&b->cells, ref_index(r));
        }
    }
    for (uint32_t i = 0; i < f->ins_count; i++)
        if (bits_has(&b->cells, i)) b->node_of[value_cell(b, i)] = node_new(b, NODE_VAR);
}

// ---- structure ----

static bool is_pointer(const Ins *i)
{
    return mtype_class(i->type) == MT_PTR;
}

// Memory behind the pointer is touched by this function itself.
static void open_base(Body *b, Ref address)
{
    uint32_t v = root_value(b, address);
    if (v != NO_VALUE) node_flag(b, node_of_value(b, v), NODE_OPENED);
    // A container that is a local object.
    while (ref_is_ins(address)) {
        const Ins *i = func_ins(b->unit, b->func, ref_index(address));
        if (i->op == OP_ALLOCA) node_flag(b, node_of_ref(b, address), NODE_OPENED);
        if (i->op != OP_FIELD && i->op != OP_INDEX) break;
        address = (Ref){i->a};
    }
}

static void watch(Body *b, Ref r, bool harmless)
{
    uint32_t v = root_value(b, r);
    if (v == NO_VALUE || !b->look_of[v] || harmless) return;
    node_flag(b, b->look_of[v], NODE_DRAINED);
}

// An element that a container shows is read, compared and lent; whatever else is done with the
// pointer may free it or hand it on, and then the container may be freed shallowly.
static void watch_looks(Body *b, uint32_t n)
{
    const Ins *i = func_ins(b->unit, b->func, n);
    bool call = i->op == OP_CALL || i->op == OP_INVOKE;
    if (i->op == OP_LOAD && is_pointer(i)) {
        uint32_t v = root_value(b, (Ref){i->a});
        if (v != NO_VALUE) b->look_of[value_ins(b, n)] = b->look_of[v];
    }
    bool reads = i->op == OP_LOAD || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_EQ ||
                 i->op == OP_NE || i->op == OP_BIND || (i->op == OP_STORE && !is_pointer(i));
    Operands o = ins_operands(b->unit, b->func, i);
    for (uint32_t k = 0; k < o.count; k++) watch(b, o.refs[k], reads);
    CallInst *inst = call ? inst_of(b, n) : NULL;
    for (uint32_t k = 0; k < o.more_count; k++)
        watch(b, (Ref){o.more[k * o.more_step]},
              inst && k < inst->arg_count && inst->args[k].how == PASS_BORROW);
}

static void structure_ins(Body *b, uint32_t n)
{
    const Ins *i = func_ins(b->unit, b->func, n);
    uint32_t cell, at;
    b->at_ins = n;
    switch ((Op)i->op) {
    case OP_LOAD:
        if (is_cell(b, (Ref){i->a}, &cell)) {
            node_unify(b, node_of_ref(b, ref_ins(n)), b->node_of[cell], n);
            break;
        }
        open_base(b, (Ref){i->a});
        if (!is_pointer(i)) break;
        if ((at = place_node(b, n)))
            node_unify(b, node_of_ref(b, ref_ins(n)), at, n);
        else
            node_flag(b, node_of_ref(b, ref_ins(n)), NODE_OPENED);
        break;
    case OP_STORE:
        if (!is_pointer(i)) {
            open_base(b, (Ref){i->a});
        } else if (is_cell(b, (Ref){i->a}, &cell)) {
            node_unify(b, b->node_of[cell], node_of_ref(b, (Ref){i->b}), n);
        } else {
            open_base(b, (Ref){i->a});
            if ((at = place_node(b, n)))
                node_unify(b, at, node_of_ref(b, (Ref){i->b}), n);
            else
                open_base(b, (Ref){i->b});
        }
        break;
    case OP_COPY:
        open_base(b, (Ref){i->a});
        open_base(b, (Ref){i->b});
        break;
    case OP_FILL:
    case OP_FIELD:
    case OP_INDEX:
    case OP_PTRTOINT:
        open_base(b, (Ref){i->a});
        break;
    case OP_PHI:
        if (!is_pointer(i)) break;
        for (uint32_t k = 0; k < i->c; k++)
            node_unify(b, node_of_ref(b, ref_ins(n)),
                       node_of_ref(b, (Ref){func_extra(b->unit, b->func, i->b)[2 * k + 1]}), n);
        break;
    case OP_SELECT:
        if (!is_pointer(i)) break;
        node_unify(b, node_of_ref(b, ref_ins(n)), node_of_ref(b, (Ref){i->b}), n);
        node_unify(b, node_of_ref(b, ref_ins(n)), node_of_ref(b, (Ref){i->c}), n);
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
        call_inst(b, n);
        break;
    case OP_RET:
        if (ref_is_none((Ref){i->a}) ||
            mtype_class(ref_type(b->unit, b->func, (Ref){i->a})) != MT_PTR)
            break;
        if (!b->result_node) b->result_node = node_new(b, NODE_VAR);
        node_unify(b, b->result_node, node_of_ref(b, (Ref){i->a}), n);
        break;
    default:
        break;
    }
}

void body_structure(Body *b)
{
    b->node_of = arena_array_of(b->arena, uint32_t, b->value_count);
    b->look_of = arena_array_of(b->arena, uint32_t, b->value_count);
    b->born = arena_array_of(b->arena, uint32_t, b->value_count);
    b->inst_of = arena_array_of(b->arena, uint32_t, b->func->ins_count + 1);
    b->field_ins = arena_array_of(b->arena, uint32_t, b->func->ins_count + 1);
    node_new(b, NODE_VAR);
    find_cells(b);
    for (uint32_t k = 0; k < b->cfg->order_count; k++) {
        const Block *block = func_block(b->unit, b->func, b->cfg->order[k]);
        for (uint32_t i = 0; i < block->count; i++) structure_ins(b, block->first + i);
    }
    for (uint32_t k = 0; k < b->cfg->order_count; k++) {
        const Block *block = func_block(b->unit, b->func, b->cfg->order[k]);
        for (uint32_t i = 0; i < block->count; i++) watch_looks(b, block->first + i);
    }
    vec_each (i, &b->sys.cons) {
        Constraint *c = &b->sys.cons.at[i];
        if (c->prio != PRIO_COUNT) continue;
        uint8_t flags = c->value ? b->nodes.at[node_find(b, c->value)].flags : 0;
        c->prio = flags & NODE_DRAINED ? PRIO_MEMORY : PRIO_FACT;
        c->value = NO_VALUE;
    }
}

// ---- events ----

void body_event(Body *b, OwnEvent e)
{
    if (e.value == NO_VALUE) return;
    vec_push(&b->events, e);
}

static void born(Body *b, uint32_t value, uint32_t var)
{
    b->born[value] = var;
}

static uint32_t fact(Body *b, uint32_t ins, uint32_t value, bool one, uint8_t prio, ConstraintKind kind)
{
    uint32_t v = system_var(&b->sys);
    system_is(&b->sys, con_tag(prio, (uint8_t)kind, ins, value), v, one);
    return v;
}

static void moved(Body *b, uint32_t ins, Ref r, uint32_t own, ConstraintKind con, bool weak)
{
    body_event(b, (OwnEvent){.ins = ins,
                             .value = root_value(b, r),
                             .own = own,
                             .what = EV_MOVE,
                             .con = (uint8_t)con,
                             .weak = weak});
}

static void events_argument(Body *b, uint32_t n, const Pass *p, Ref r)
{
    uint32_t cell;
    if (is_cell(b, r, &cell)) {
        OwnEvent e = {.ins = n, .value = cell, .own = p->slot.own, .con = CON_MOVE};
        if (p->how == PASS_BORROW) return;
        if (p->how == PASS_CONTENT) {
            e.what = EV_MOVE;
        } else if (p->how == PASS_OUT) {
            e.what = EV_CONTENT_IN;
            e.con = CON_ALLOC;
            e.over = true;
            if (e.own == VAR_ONE) e.own = fact(b, n, cell, true, PRIO_FACT, CON_ALLOC);
        } else {
            e.what = EV_FORGET;
        }
        body_event(b, e);
        return;
    }
    switch ((PassHow)p->how) {
    case PASS_MOVE:
        moved(b, n, r, p->slot.own, p->slot.own == VAR_ONE ? CON_TAKE : CON_MOVE, false);
        break;
    case PASS_WEAK:
        moved(b, n, r, p->slot.own, CON_STORE, true);
        break;
    case PASS_UNKNOWN:
        moved(b, n, r, p->slot.own, CON_UNKNOWN, true);
        if (p->takes && root_value(b, r) != NO_VALUE) vec_last(&b->events).taken = true;
        break;
    case PASS_BORROW:
        body_event(b, (OwnEvent){.ins = n, .value = root_value(b, r), .what = EV_USE});
        break;
    case PASS_COUNTED:
        body_event(b, (OwnEvent){.ins = n, .value = root_value(b, r), .what = EV_FORGET});
        break;
    default:
        break;
    }
}

static void events_call(Body *b, uint32_t n, const Ins *i)
{
    CallInst *inst = inst_of(b, n);
    const uint32_t *args = func_extra(b->unit, b->func, i->b);
    for (uint32_t k = 0; k < inst->arg_count; k++) {
        members_handed(b, n, inst, k, (Ref){args[k]});
        events_argument(b, n, &inst->args[k], (Ref){args[k]});
    }
    if (i->op == OP_ASM || !is_pointer(i)) return;
    uint32_t v = value_ins(b, n);
    if (inst->alias >= 0 && (uint32_t)inst->alias < inst->arg_count)
        moved(b, n, (Ref){args[inst->alias]}, inst->result.own, CON_MOVE, false);
    if (inst->alias <= -2 && (uint32_t)(-2 - inst->alias) < inst->arg_count) {
        uint32_t old = root_value(b, (Ref){args[-2 - inst->alias]});
        inst->old = old == NO_VALUE ? 0 : old + 1;
    }
    uint32_t own = inst->result.own;
    if (own == VAR_ZERO) {
        own = fact(b, n, v, false, PRIO_BORROW, CON_LENT);
    } else if (own == VAR_ONE) {
        own = fact(b, n, v, true, PRIO_FACT, CON_ALLOC);
    } else if (inst->result_weak) {
        system_is(&b->sys, con_tag(PRIO_MEMORY, CON_LOAD, n, v), own, false);
    }
    born(b, v, own);
}

static bool is_null(const Body *b, Ref r)
{
    return ref_is_const(r) && b->unit->consts.at[ref_index(r)].kind == CONST_NULL;
}

// The variable or field, followed like a value, that a load or store goes to.
static bool holder(const Body *b, uint32_t n, uint32_t *value)
{
    if (is_cell(b, (Ref){func_ins(b->unit, b->func, n)->a}, value)) return true;
    if (!b->member_ins[n]) return false;
    *value = b->first_member + b->member_ins[n] - 1;
    return true;
}

static void events_ins(Body *b, uint32_t n)
{
    const Ins *i = func_ins(b->unit, b->func, n);
    uint32_t v = value_ins(b, n), cell;
    switch ((Op)i->op) {
    case OP_LOAD:
        if (!is_pointer(i)) break;
        if (holder(b, n, &cell)) {
            born(b, v, system_var(&b->sys));
            body_event(
                b,
                (OwnEvent){
                    .ins = n, .value = cell, .own = b->born[v], .what = EV_MOVE, .con = CON_MOVE});
        } else {
            born(b, v, fact(b, n, v, false, PRIO_MEMORY, CON_LOAD));
        }
        break;
    case OP_STORE: {
        if (!is_pointer(i)) break;
        uint32_t x = system_var(&b->sys);
        bool followed = holder(b, n, &cell), local = followed && !is_member(b, cell);
        moved(b, n, (Ref){i->b}, x, local ? CON_MOVE : CON_STORE,
              !followed && !field_owning(b->own, b->field_ins[n]));
        if (followed)
            body_event(b, (OwnEvent){.ins = n,
                                     .value = cell,
                                     .own = is_null(b, (Ref){i->b}) ? VAR_ZERO : x,
                                     .what = EV_CONTENT_IN,
                                     .con = CON_MOVE,
                                     .over = true});
        break;
    }
    case OP_SELECT: {
        if (!is_pointer(i)) break;
        // Either gives what it owns; what is not chosen owns on. Path-insensitive: both may give.
        uint32_t x = system_var(&b->sys);
        born(b, v, x);
        moved(b, n, (Ref){i->b}, x, CON_MOVE, false);
        moved(b, n, (Ref){i->c}, x, CON_MOVE, false);
        break;
    }
    case OP_PHI:
        if (is_pointer(i)) born(b, v, system_var(&b->sys));
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
        events_call(b, n, i);
        break;
    case OP_RET: {
        if (ref_is_none((Ref){i->a}) ||
            mtype_class(ref_type(b->unit, b->func, (Ref){i->a})) != MT_PTR)
            break;
        if (!b->result) b->result = system_var(&b->sys);
        moved(b, n, (Ref){i->a}, b->result, CON_MOVE, false);
        break;
    }
    case OP_INTTOPTR:
    case OP_PART:
    case OP_OPAQUE:
    case OP_VA_ARG:
    case OP_LANDING:
        if (is_pointer(i)) born(b, v, fact(b, n, v, false, PRIO_MEMORY, CON_LOAD));
        break;
    default:
        break;
    }
}

void body_events(Body *b)
{
    for (uint32_t i = 0; i < b->param_count; i++)
        if (mtype_class(b->unit->params.at[b->func->first_param + i].mtype) == MT_PTR)
            b->born[i] = system_var(&b->sys);
    members_born(b);
    for (uint32_t k = 0; k < b->func->block_count; k++) {
        if (b->cfg->position[k] == UINT32_MAX) continue;
        const Block *block = func_block(b->unit, b->func, k);
        for (uint32_t i = 0; i < block->count; i++) events_ins(b, block->first + i);
    }
}
