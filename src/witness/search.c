// The free choices of a replay, and the search through them.
//
// Every value carries the choices that it depends on (Dependence). Where a run leaves the path, those
// that its condition depends on are to blame: the last of them that has another option gets it, and
// the function is run again. A comparison adds to a choice the number that would have changed its
// outcome: so the constants of the program are tried, and loops get small counts.
//
// What depends on a choice only because a branch in between was taken is known inside callees (all
// branches of a call count for its result and for what it stores), not in the function itself: its
// branches are the path's. Errs towards undecided.
#include "witness/replay_int.h"

uint64_t choice_bit(uint32_t index)
{
    return (uint64_t)1 << (index < 63 ? index : 63);
}

uint32_t choose(Replayed *r, const int64_t *options, uint32_t n, uint32_t bits, bool grows)
{
    uint32_t index = r->made++;
    bool losing = r->at + 1 == r->f->grounds->lost_by;
    if (r->obtained && (!r->passed || losing)) r->between |= choice_bit(index);
    if (r->at + 1 == r->f->grounds->made_by) r->making |= choice_bit(index);
    if (index < r->kept) return index;
    FreeChoice c = {.count = n, .bits = bits, .grows = grows};
    for (uint32_t i = 0; i < n; i++) c.options[i] = options[i];
    r->choices.len = index;
    vec_push(&r->choices, c);
    return index;
}

int64_t chosen(const Replayed *r, uint32_t index)
{
    const FreeChoice *c = &r->choices.at[index];
    return c->options[c->pick];
}

Dependence choice_origin(uint32_t index, bool number)
{
    return (Dependence){.on = choice_bit(index), .choice = number ? index + 1 : 0};
}

static void add_number(FreeChoice *c, int64_t option)
{
    if (c->count >= OPTIONS_MAX) return;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->options[i] == option) return;
    c->options[c->count++] = option;
}

static bool advance(Replayed *r, uint64_t among)
{
    for (uint32_t i = r->made; i-- > 0;) {
        FreeChoice *c = &r->choices.at[i];
        if (!(among & choice_bit(i)) || c->pick + 1 >= c->count) continue;
        c->pick++;
        r->choices.len = r->kept = i + 1;
        return true;
    }
    return false;
}

bool search_has(const Replayed *r, uint64_t among)
{
    for (uint32_t i = 0; i < r->made; i++) {
        const FreeChoice *c = &r->choices.at[i];
        if ((among & choice_bit(i)) && c->pick + 1 < c->count) return true;
    }
    return false;
}

void search_smaller(Replayed *r, uint64_t among)
{
    for (uint32_t i = 0; i < r->made && i < r->choices.len; i++)
        for (int64_t n = 0; n <= 1 && r->choices.at[i].number && (among & choice_bit(i)); n++)
            add_number(&r->choices.at[i], n);
}

bool search_next(Replayed *r)
{
    if (advance(r, r->blame)) return true;
    r->spent = r->strays++ >= STRAYS_MAX;
    return !r->spent && advance(r, UINT64_MAX);
}

bool search_again(Replayed *r)
{
    if (r->tolerant) return false;
    r->tolerant = true;
    r->spent = false;
    r->strays = r->kept = 0;
    vec_clear(&r->choices);
    return true;
}

void search_free(Replayed *r)
{
    vec_free(&r->choices);
    map_free(&r->origins);
    vec_free(&r->origin);
}

// ---- what values depend on

// The number that the side would have to be for the other outcome.
static void add_option(Replayed *r, Op op, bool left, Value side, Value other, bool outcome)
{
    if (!side.of.choice || side.of.choice > r->choices.len) return;
    FreeChoice *c = &r->choices.at[side.of.choice - 1];
    if (!c->grows) return;
    uint64_t n = other.lo;
    bool equal = op == OP_EQ || op == OP_NE;
    if (equal) {
        bool same = (op == OP_EQ) == outcome;
        if (same && side.of.mask)
            n = n ? 0 : side.of.mask;
        else if (same)
            n++;
    } else {
        // a < b: for the other outcome a = b, or b = a; a <= b: a = b + 1, or b = a - 1. Where it
        // does not hold: a = b - 1, b = a + 1; a = b, b = a.
        bool strict = op == OP_ULT || op == OP_SLT;
        if (outcome != strict) n = left == outcome ? n + 1 : n - 1;
    }
    int64_t option = (int64_t)(n - (uint64_t)side.of.add);
    if (c->bits < 64) option = (int64_t)wit_s(wit_word((uint64_t)option), c->bits);
    add_number(c, option);
}

static Dependence joined(Dependence a, Dependence b)
{
    return (Dependence){.on = a.on | b.on};
}

static Dependence of_operation(Op op, Value a, Value b)
{
    Dependence o = joined(a.of, b.of);
    bool left = a.of.choice && !b.of.on, right = b.of.choice && !a.of.on;
    if (op == OP_ADD && (left || right)) {
        Dependence whole = left ? a.of : b.of;
        whole.add = (int64_t)((uint64_t)whole.add + (left ? b.lo : a.lo));
        return whole.mask ? o : whole;
    }
    if (op == OP_SUB && left) {
        Dependence whole = a.of;
        whole.add = (int64_t)((uint64_t)whole.add - b.lo);
        return whole.mask ? o : whole;
    }
    if (op == OP_AND && (left || right)) {
        Dependence whole = left ? a.of : b.of;
        whole.mask = left ? b.lo : a.lo;
        return whole.add ? o : whole;
    }
    return o;
}

void wit_carry(Machine *m, const Frame *f, const Ins *ins)
{
    Value *out = &m->values.at[f->values + f->f->param_count + f->at];
    Value a = {0}, b = {0};
    switch ((Op)ins->op) {
    case OP_ALLOCA:
    case OP_FIELD:
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_PTRTOINT:
    case OP_INTTOPTR:
        out->of = wit_ref(m, f, ins->a).of;
        if (ins->op == OP_FIELD || ins->op == OP_ALLOCA) out->of.choice = 0;
        break;
    case OP_PART:
        out->of.on = wit_ref(m, f, ins->a).of.on;
        break;
    case OP_INDEX:
    case OP_SETPART:
        out->of = joined(wit_ref(m, f, ins->a).of, wit_ref(m, f, ins->b).of);
        break;
    case OP_SELECT:
        out->of.on |= wit_ref(m, f, ins->a).of.on;
        break;
    case OP_OPAQUE:
        if (mtype_class(ins->type) == MT_VOID) break;
        out->of = (Dependence){0};
        for (uint32_t i = 0; i < ins->c; i++)
            out->of.on |= wit_ref(m, f, *func_extra(f->u, f->f, ins->b + i)).of.on;
        break;
    default:
        if (ins->op < OP_ADD || ins->op > OP_SLE) break;
        a = wit_ref(m, f, ins->a);
        b = wit_ref(m, f, ins->b);
        out->of = of_operation((Op)ins->op, a, b);
        if (ins->op < OP_EQ) break;
        add_option(m->replay, (Op)ins->op, true, a, b, out->lo & 1);
        add_option(m->replay, (Op)ins->op, false, b, a, out->lo & 1);
    }
}

// The cases of a switch are numbers to try.
void wit_carry_switch(Machine *m, Value on, Value other)
{
    add_option(m->replay, OP_EQ, true, on, other, on.lo == other.lo);
}

static void set_origin(Machine *m, uint64_t addr, Dependence o)
{
    Replayed *r = m->replay;
    if (m->frames.len > 1) o.on |= vec_last(&m->frames).on;
    uint64_t *at = r->origins.len ? map_get(&r->origins, addr) : NULL;
    if (at) {
        r->origin.at[*at] = o;
    } else if (o.on) {
        map_set(&r->origins, addr, r->origin.len);
        vec_push(&r->origin, o);
    }
}

void wit_set_origin(Machine *m, uint64_t addr, Dependence o)
{
    o.made = o.on;
    set_origin(m, addr, o);
}

Dependence wit_origin_at(const Machine *m, uint64_t addr)
{
    const Replayed *r = m->replay;
    uint64_t *at = r->origins.len ? map_get(&r->origins, addr) : NULL;
    return at ? r->origin.at[*at] : (Dependence){0};
}

// What a copy takes along.
void wit_copy_origins(Machine *m, uint64_t to, uint64_t from, uint64_t n)
{
    Replayed *r = m->replay;
    uint32_t count = r->origins.len;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = r->origins.entries[i].key;
        if (at < from || at - from >= n) continue;
        set_origin(m, to + (at - from), r->origin.at[r->origins.entries[i].value]);
    }
}

uint64_t wit_made_of(const Machine *m, uint32_t choice, uint64_t after)
{
    const Replayed *r = m->replay;
    uint64_t least = 0;
    for (uint32_t i = 0; choice && i < r->origins.len; i++) {
        uint64_t at = r->origins.entries[i].key;
        if (r->origin.at[r->origins.entries[i].value].choice != choice || at <= after) continue;
        if (!least || at < least) least = at;
    }
    return least;
}
