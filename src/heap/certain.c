// What a function certainly does not do to its arguments, whatever its paths are: seen from its
// instructions alone, in a few passes, before it is walked. A pointer that is only read, written
// through, compared and passed on to functions that do no more than that is borrowed. Where paths
// were joined, left out or given up, this still holds, and it is what callers fall back on.
//
// Each value carries the parameters that it is an address in, and those whose memory it was read
// from. What is stored or returned counts as kept: errs towards kept, never the other way. What is stored
// in a local variable stays in sight while the variable's address goes only to functions that keep
// and release nothing that hangs on it (a cursor that a callee moves on), and so does what is read
// from a parameter's memory and stored there again.
#include "heap/heap.h"

#include "heap/limits.h"

typedef struct {
    uint32_t in, from; // by parameter: an address in its memory; read from there, at any depth
} Roots;

typedef struct {
    Work *w;
    Roots *of; // by instruction
    uint32_t *local; // by instruction: the OP_ALLOCA that it is an address in, + 1; 0 none
    Roots *held;     // by OP_ALLOCA: what was stored there
    bool *open;      // likewise: its address is out of sight
    uint32_t pointers; // by parameter: it is one
    uint32_t kept;    // likewise: it may be kept or released
    uint32_t taken;   // what hangs on it may be
    uint32_t changed; // or may have been replaced
    bool again;
} Certain;

static Roots roots_of(const Certain *c, Ref r)
{
    if (ref_is_param(r)) {
        uint32_t k = ref_index(r);
        return (Roots){k < CERTAIN_PARAMS ? (uint32_t)1 << k : 0, 0};
    }
    return ref_is_ins(r) ? c->of[ref_index(r)] : (Roots){0};
}

static uint32_t all_of(Roots r)
{
    return r.in | r.from;
}

static void add_roots(Certain *c, uint32_t ins, Roots more)
{
    Roots *mine = &c->of[ins];
    c->again |= (more.in & ~mine->in) || (more.from & ~mine->from);
    mine->in |= more.in;
    mine->from |= more.from;
}

static void add_lost(Certain *c, uint32_t kept, uint32_t taken, uint32_t changed)
{
    taken |= kept;
    changed |= taken;
    c->again |= (kept & ~c->kept) || (taken & ~c->taken) || (changed & ~c->changed);
    c->kept |= kept;
    c->taken |= taken;
    c->changed |= changed;
}

// Somebody may have kept or released the value, and what it leads to.
static void gone(Certain *c, Roots r)
{
    add_lost(c, r.in, all_of(r), 0);
}

static uint32_t local_of(const Certain *c, Ref r)
{
    return ref_is_ins(r) ? c->local[ref_index(r)] : 0;
}

// From here on nobody knows what becomes of what the local variable holds.
static void open_local(Certain *c, uint32_t local)
{
    if (!local) return;
    c->again |= !c->open[local - 1];
    c->open[local - 1] = true;
    gone(c, c->held[local - 1]);
}

static void add_local(Certain *c, uint32_t ins, uint32_t local)
{
    if (!local || c->local[ins] == local) return;
    if (c->local[ins]) { // one of two
        open_local(c, local);
        open_local(c, c->local[ins]);
        return;
    }
    c->local[ins] = local;
    c->again = true;
}

static void hold(Certain *c, uint32_t local, Roots r)
{
    Roots *h = &c->held[local - 1];
    c->again |= (r.in & ~h->in) || (r.from & ~h->from);
    h->in |= r.in;
    h->from |= r.from;
    if (c->open[local - 1]) gone(c, r);
}

// Large enough to be an address.
static bool may_be_address(const Certain *c, MType type)
{
    MClass class = mtype_class(type);
    return class == MT_PTR || class == MT_AGG || class == MT_VEC ||
           (class == MT_INT && mtype_bytes(type) >= c->w->unit->pointer_bytes);
}

typedef struct {
    bool borrows, spares, leaves, may_return;
} Fate;

static Fate fate_by_spec(const SpecFunc *s, uint32_t number)
{
    if (number >= s->param_count && !s->variadic) return (Fate){0};
    bool rest = number >= s->param_count;
    const SpecParam *p = rest ? &s->rest : &s->params[number];
    if (p->mode != SPEC_REF || p->place != SPEC_ITSELF || p->called ||
        (!rest && p->to != SPEC_NONE))
        return (Fate){0};
    bool leaves = p->effect <= SPEC_WRITES;
    return (Fate){p->effect <= SPEC_CHANGES, leaves, leaves, true};
}

static Fate fate_at_call(Certain *c, const Ins *call, uint32_t number)
{
    Work *w = c->w;
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){call->a});
    if (!f.id || number >= CERTAIN_PARAMS) return (Fate){0};
    uint32_t bit = (uint32_t)1 << number;
    const SpecFunc *spec = facts_spec(w->facts, f);
    bool code = program_has_code(p, f);
    if (spec && (!code || spec_beats_code(spec))) return fate_by_spec(spec, number);
    if (facts_member(w->facts, f)) return (Fate){0};
    if (code && f.id == w->id.id)
        return (Fate){!(c->kept & bit), !(c->taken & bit), !(c->changed & bit), false};
    if (code) {
        const Summary *sum = callee_summary(w->callees, f);
        if (!sum || number >= sum->param_count) return (Fate){0};
        return (Fate){sum->borrows & bit, sum->spares & bit, sum->leaves & bit, false};
    }
    const Unit *u;
    const Func *decl = program_decl(p, f, &u);
    if (!decl || number >= decl->param_count) return (Fate){0};
    bool reads = (decl->flags & (FUNC_READNONE | FUNC_READONLY)) ||
                 (u->params.at[decl->first_param + number].flags & PARAM_CONST_POINTEE);
    return (Fate){reads, reads, reads, true};
}

static void pass_arguments(Certain *c, uint32_t ins)
{
    const Work *w = c->w;
    const Ins *i = func_ins(w->unit, w->func, ins);
    for (uint32_t k = 0; k < i->c; k++) {
        Ref arg = {*func_extra(w->unit, w->func, i->b + k)};
        Roots r = roots_of(c, arg);
        uint32_t local = local_of(c, arg);
        if (!all_of(r) && !local) continue;
        Fate fate = i->op == OP_ASM ? (Fate){0} : fate_at_call(c, i, k);
        if (!fate.borrows) gone(c, r);
        if (!fate.spares) add_lost(c, 0, all_of(r), 0);
        if (!fate.leaves) add_lost(c, 0, 0, all_of(r));
        bool back = fate.may_return && mtype_class(i->type) == MT_PTR;
        if (back) add_roots(c, ins, r);
        if (!fate.borrows || !fate.spares || back) open_local(c, local);
    }
}

// What was read from the memory of a parameter and goes back there hangs on it as before.
static bool goes_back(Roots address, Roots value)
{
    return !value.in && value.from && address.in && !(value.from & ~address.in) &&
           !(address.in & (address.in - 1)) && !address.from;
}

static void store(Certain *c, const Ins *i)
{
    Roots address = roots_of(c, (Ref){i->a}), value = roots_of(c, (Ref){i->b});
    uint32_t to = local_of(c, (Ref){i->a});
    open_local(c, local_of(c, (Ref){i->b}));
    if (to && !all_of(address))
        hold(c, to, value);
    else if (!goes_back(address, value))
        gone(c, value);
    if (may_be_address(c, i->type)) add_lost(c, 0, 0, all_of(address));
}

static void look_at(Certain *c, uint32_t ins)
{
    const Work *w = c->w;
    const Ins *i = func_ins(w->unit, w->func, ins);
    switch ((Op)i->op) {
    case OP_LOAD:
        if (may_be_address(c, i->type))
            add_roots(c, ins, (Roots){0, all_of(roots_of(c, (Ref){i->a}))});
        if (local_of(c, (Ref){i->a}))
            add_roots(c, ins, c->held[local_of(c, (Ref){i->a}) - 1]);
        return;
    case OP_ALLOCA:
        add_local(c, ins, ins + 1);
        return;
    case OP_STORE:
        store(c, i);
        return;
    case OP_COPY:
        add_lost(c, 0, all_of(roots_of(c, (Ref){i->b})), all_of(roots_of(c, (Ref){i->a})));
        open_local(c, local_of(c, (Ref){i->a}));
        open_local(c, local_of(c, (Ref){i->b}));
        return;
    case OP_FILL:
        add_lost(c, 0, 0, all_of(roots_of(c, (Ref){i->a})));
        return;
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
        pass_arguments(c, ins);
        return;
    case OP_BIND:
    case OP_LIFE_START:
    case OP_LIFE_END:
    case OP_BRANCH:
    case OP_SWITCH:
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
        return;
    default:
        break;
    }
    Operands o = ins_operands(w->unit, w->func, i);
    Roots all = {0};
    for (uint32_t k = 0; k < o.count + o.more_count; k++) {
        Roots r = roots_of(c, operand_at(&o, k));
        all.in |= r.in;
        all.from |= r.from;
    }
    // What only makes another value of them.
    bool value = (i->op >= OP_ADD && i->op <= OP_SETPART) || i->op == OP_FIELD || i->op == OP_INDEX;
    // A distance, or a byte of it. A number that came in, or was read, may be that of a resource yet.
    if (value && !may_be_address(c, i->type)) all.in &= ~c->pointers;
    if (value)
        add_roots(c, ins, all);
    else if (all_of(all))
        gone(c, all);
    for (uint32_t k = 0; k < o.count + o.more_count; k++) {
        uint32_t local = local_of(c, operand_at(&o, k));
        if (value)
            add_local(c, ins, local);
        else
            open_local(c, local);
    }
}

void certain_find(Work *w)
{
    uint32_t n = w->func->param_count < CERTAIN_PARAMS ? w->func->param_count : CERTAIN_PARAMS;
    uint32_t every = n == 32 ? UINT32_MAX : ((uint32_t)1 << n) - 1;
    if (!n) return;
    uint32_t count = w->func->ins_count;
    Certain c = {.w = w,
                 .of = arena_array_of(w->arena, Roots, count),
                 .local = arena_array_of(w->arena, uint32_t, count),
                 .held = arena_array_of(w->arena, Roots, count),
                 .open = arena_array_of(w->arena, bool, count),
                 .again = true};
    for (uint32_t k = 0; k < n; k++)
        if (mtype_class(w->unit->params.at[w->func->first_param + k].mtype) == MT_PTR)
            c.pointers |= (uint32_t)1 << k;
    for (uint32_t round = 0; c.again && (c.kept & every) != every; round++) {
        if (round == CERTAIN_ROUNDS) return;
        c.again = false;
        for (uint32_t i = 0; i < w->func->ins_count; i++) look_at(&c, i);
    }
    w->borrows = every & ~c.kept;
    w->spares = every & ~c.taken;
    w->leaves = every & ~c.changed;
}

// Of numbers nothing is certain: one that is read may be that of a resource, and go anywhere.
bool certainly_borrowed(const Work *w, Term x)
{
    const TermNode *n = term_node(&w->terms, x);
    if (n->width != w->terms.pointer_bits) return false;
    if (n->kind == T_PARAM) return n->a < CERTAIN_PARAMS && (w->borrows >> n->a & 1);
    return certainly_left(w, x);
}

bool certainly_left(const Work *w, Term x)
{
    const TermNode *n = term_node(&w->terms, x);
    if (n->width != w->terms.pointer_bits) return false;
    while (n->kind == T_INPUT) n = term_node(&w->terms, (Term){n->a});
    return n->kind == T_PARAM && n->a < CERTAIN_PARAMS && (w->leaves >> n->a & 1);
}

bool certainly_spared(Work *w, State *s, uint32_t ins, const Summary *sum, uint32_t number, Term x)
{
    if (number >= CERTAIN_PARAMS || !(sum->borrows >> number & 1) || !x.id ||
        term_width(&w->terms, x) != w->terms.pointer_bits ||
        !(term_node(&w->terms, x)->flags & TERM_HAS_BASE))
        return false;
    if (!(sum->leaves >> number & 1)) {
        escape_contents(w, s, x, ins, true);
        return true;
    }
    Reach r = {0};
    reach_term(w, s, x, &r);
    for (uint32_t i = 0; i < r.reached.len; i++) {
        Term base = {r.reached.at[i]};
        if (term_width(&w->terms, base) != w->terms.pointer_bits)
            escape_term(w, s, base, ins);
        else if (term_kind(&w->terms, base) != T_FUNC)
            mem_scribble(w, s, base, 0, ins);
    }
    reach_free(&r);
    return true;
}
