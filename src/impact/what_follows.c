// What follows a place: whether the program ends there.
//
// From a place on, the ways through the function are followed with what is known: a call's result
// (an interval), constants, comparisons and what phis choose on the edges taken (conditional
// constants, as in Wegman and Zadeck, TOPLAS 1991, from the middle of a function). They end in
// calls that do not come back, come to the place again, or return an interval, with which it goes
// on after every call of the function. What is not known takes all ways: errs towards going on.
#include "impact/impact_int.h"

#include "base/hash.h"
#include "impact/limits.h"

#include <string.h>

enum { NOWHERE = UINT32_MAX };
enum { SEEN = 1, ENDS, GOES_ON }; // 0: not known

// No interval: any value; or, of an address, one at some distance from null.
typedef struct {
    bool known, beside_null;
    int64_t low, high;
} Interval;

// A pointer that is null where it begins: in memory at an offset from a value or, not `in_memory`, the value.
typedef struct {
    bool known, in_memory;
    bool stored; // not before a store of the null that the start gave
    Ref base;
    int64_t offset;
} NullPlace;

typedef struct {
    Frequency *o;
    FuncId by;
    const Shape *s;
    uint32_t start, here;   // the instruction at or behind which it begins, and its block
    NullPlace null;
    bool at_entry;          // begins with the function; there is no start
    bool came_back;         // behind: a call that has returned
    Interval *values;          // by instruction
    Bits seen, met, queued; // by block: entered, looked at, waiting
    Map taken;              // edge -> 1
    Bits clean;             // by block: nothing that it reads has changed since it was looked at
    Bits narrow;            // by block: was taken to be come to by one of several edges
    Bits narrow_load;       // by block: a load gives what was stored before, as far as these ways go
    uint32_t at;            // block that is looked at
    U32s work;
    bool all;     // does not stop there
    bool again;   // comes to the start once more, or may do so
    bool spent;   // nobody knows, there were too many visits
    bool returns; // with `result`
    bool changed; // and with something else, maybe, in the place that was null
    Interval result;
} Follow;

static Interval between(int64_t low, int64_t high)
{
    return (Interval){.known = true, .low = low, .high = high};
}

static Interval number(int64_t v)
{
    return between(v, v);
}

static bool same(Interval a, Interval b)
{
    if (a.known != b.known || a.beside_null != b.beside_null) return false;
    return !a.known || (a.low == b.low && a.high == b.high);
}

// Nothing can be read or written there.
static bool is_nowhere(Interval v)
{
    return v.beside_null || (v.known && v.low == 0 && v.high == 0);
}

static Interval hull(Interval a, Interval b)
{
    if ((a.beside_null || b.beside_null) && is_nowhere(a) && is_nowhere(b)) return (Interval){.beside_null = true};
    if (!a.known || !b.known) return (Interval){0};
    return between(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
}

static Interval less(Interval a, Interval b, bool or_same)
{
    if (or_same ? a.high <= b.low : a.high < b.low) return number(1);
    if (or_same ? a.low > b.high : a.low >= b.high) return number(0);
    return (Interval){0};
}

static Interval equal(Interval a, Interval b, bool negated)
{
    if (a.high < b.low || b.high < a.low) return number(negated);
    return a.low == a.high && same(a, b) ? number(!negated) : (Interval){0};
}

static Interval compared(Op op, Interval a, Interval b)
{
    bool positive = a.low >= 0 && b.low >= 0;
    switch (op) {
    case OP_EQ:
        return equal(a, b, false);
    case OP_NE:
        return equal(a, b, true);
    case OP_SLT:
        return less(a, b, false);
    case OP_SLE:
        return less(a, b, true);
    case OP_ULT:
        return positive ? less(a, b, false) : (Interval){0};
    case OP_ULE:
        return positive ? less(a, b, true) : (Interval){0};
    default:
        return (Interval){0};
    }
}

static Interval value_of(const Follow *b, Ref r)
{
    if (ref_is_ins(r)) return b->values[ref_index(r)];
    if (ref_is_param(r) && b->null.known && !b->null.in_memory && ref_same(r, b->null.base)) return number(0);
    if (!ref_is_const(r)) return (Interval){0};
    const Const *c = &b->s->unit->consts.at[ref_index(r)];
    if (c->kind == CONST_NULL) return number(0);
    bool truth = mtype_class((MType){(uint16_t)c->type}) == MT_INT &&
                 mtype_size((MType){(uint16_t)c->type}) == 1;
    return c->kind == CONST_INT ? number(truth ? c->value & 1 : c->value) : (Interval){0};
}

// The same address, worked out once or twice.
static bool same_place(const Shape *s, Ref x, Ref y)
{
    if (x.bits == y.bits) return true;
    if (!ref_is_ins(x) || !ref_is_ins(y)) return false;
    const Ins *a = func_ins(s->unit, s->func, ref_index(x)),
              *b = func_ins(s->unit, s->func, ref_index(y));
    return a->op == OP_FIELD && b->op == OP_FIELD && a->b == b->b &&
           same_place(s, (Ref){a->a}, (Ref){b->a});
}

// Another field of the same struct.
static bool is_beside(const Shape *s, Ref x, Ref y)
{
    if (!ref_is_ins(x) || !ref_is_ins(y)) return false;
    const Ins *a = func_ins(s->unit, s->func, ref_index(x)),
              *b = func_ins(s->unit, s->func, ref_index(y));
    return a->op == OP_FIELD && b->op == OP_FIELD && a->b != b->b &&
           same_place(s, (Ref){a->a}, (Ref){b->a});
}

// Whether the call is given the place itself.
static bool is_given(const Shape *s, const Ins *call, Ref place)
{
    for (uint32_t i = 0; i < call->c; i++)
        if (same_place(s, (Ref){*func_extra(s->unit, s->func, call->b + i)}, place)) return true;
    return false;
}

// The only block from which the ways that are followed come to this one; false where there are several.
// The start's own block is begun in its middle.
static bool comes_from(Follow *b, uint32_t *block)
{
    const Cfg *c = b->s->cfg;
    uint32_t found = 0, from = 0;
    if (*block == b->here) return false;
    for (uint32_t i = 0; i < c->pred[*block].count; i++) {
        uint32_t p = c->edges[c->pred[*block].first + i];
        if (!map_get(&b->taken, map_pair(p, *block))) continue;
        found += !found || p != from;
        from = p;
    }
    if (found == 1 && c->pred[*block].count > 1) bits_add(&b->narrow, *block);
    *block = from;
    return found == 1;
}

// What was stored just before into the place that is loaded from, where no call in between was
// given that place: in the same block, or in those from which alone it is come to.
static Ref stored_before(Follow *b, uint32_t load)
{
    const Shape *s = b->s;
    Ref place = {func_ins(s->unit, s->func, load)->a};
    uint32_t block = func_block_of(s->unit, s->func, load), end = load;
    for (uint32_t steps = 0; steps < CHAIN_DEEP; steps++) {
        for (uint32_t i = end; i-- > func_block(s->unit, s->func, block)->first;) {
            const Ins *in = func_ins(s->unit, s->func, i);
            if (in->op == OP_STORE && same_place(s, (Ref){in->a}, place)) return (Ref){in->b};
            if (in->op == OP_STORE && !is_beside(s, (Ref){in->a}, place)) return ref_none();
            if (op_form((Op)in->op) == FORM_CALL && is_given(s, in, place)) return ref_none();
            if (in->op == OP_COPY || in->op == OP_FILL) return ref_none();
        }
        if (!comes_from(b, &block)) break;
        const Block *k = func_block(s->unit, s->func, block);
        end = k->first + k->count;
    }
    return ref_none();
}

static bool is_null(const Follow *b, Ref r);

Ref split_place(const Shape *s, Ref r, int64_t *offset)
{
    for (*offset = 0; ref_is_ins(r);) {
        const Ins *in = func_ins(s->unit, s->func, ref_index(r));
        if (in->op != OP_FIELD) break;
        *offset += (int32_t)in->b;
        r = (Ref){in->a};
    }
    return r;
}

// The same value, or what one variable holds: where it is overwritten is not asked.
static bool same_base(const Shape *s, Ref x, Ref y)
{
    if (ref_same(x, y)) return true;
    if (!ref_is_ins(x) || !ref_is_ins(y)) return false;
    const Ins *a = func_ins(s->unit, s->func, ref_index(x)), *b = func_ins(s->unit, s->func, ref_index(y));
    return a->op == OP_LOAD && b->op == OP_LOAD && same_place(s, (Ref){a->a}, (Ref){b->a});
}

static bool is_given_base(const Follow *b, const Ins *call)
{
    int64_t offset;
    for (uint32_t k = 0; k < call->c; k++) {
        Ref r = {*func_extra(b->s->unit, b->s->func, call->b + k)};
        if (same_base(b->s, split_place(b->s, r, &offset), b->null.base)) return true;
    }
    return false;
}

static bool is_local(const Shape *s, Ref r)
{
    return ref_is_ins(r) && func_ins(s->unit, s->func, ref_index(r))->op == OP_ALLOCA;
}

// What came from elsewhere does not lead to a variable of this function; and two of these differ.
static bool is_apart(const Shape *s, Ref local, Ref r)
{
    if (!is_local(s, local)) return false;
    if (is_local(s, r)) return !ref_same(local, r);
    if (!ref_is_ins(r)) return true;
    Op op = (Op)func_ins(s->unit, s->func, ref_index(r))->op;
    return op == OP_CALL || op == OP_LOAD;
}

// Whether an instruction before leaves the place null (1), may change it (0), or neither (-1).
static int leaves_null(const Follow *b, const Ins *in)
{
    int64_t offset;
    if (in->op == OP_COPY || in->op == OP_FILL) return 0;
    if (in->op == OP_STORE) {
        Ref base = split_place(b->s, (Ref){in->a}, &offset);
        bool same = same_base(b->s, base, b->null.base);
        if (same && offset == b->null.offset) return is_null(b, (Ref){in->b});
        return same || is_apart(b->s, base, b->null.base) ? -1 : 0;
    }
    return op_form((Op)in->op) == FORM_CALL && is_given_base(b, in) ? 0 : -1;
}

// Whether the place that is null where it begins is so still before this instruction.
static bool is_null_still(Follow *b, uint32_t ins)
{
    const Shape *s = b->s;
    uint32_t block = func_block_of(s->unit, s->func, ins), end = ins;
    bits_add(&b->narrow_load, b->at);
    for (uint32_t steps = 0; steps < CHAIN_DEEP; steps++) {
        const Block *k = func_block(s->unit, s->func, block);
        for (uint32_t i = end; i-- > k->first;) {
            if (i == b->start) return !b->null.stored;
            int left = leaves_null(b, func_ins(s->unit, s->func, i));
            if (left >= 0) return left;
        }
        if (b->at_entry && !s->cfg->pred[block].count) return true;
        if (!comes_from(b, &block)) break;
        k = func_block(s->unit, s->func, block);
        end = k->first + k->count;
    }
    return false;
}

static bool is_null_place(Follow *b, uint32_t load)
{
    int64_t offset;
    Ref at = {func_ins(b->s->unit, b->s->func, load)->a};
    return b->null.known && b->null.in_memory && same_base(b->s, split_place(b->s, at, &offset), b->null.base) &&
           offset == b->null.offset && is_null_still(b, load);
}

static NullPlace in_param(uint32_t k, int64_t offset)
{
    return (NullPlace){.known = true, .in_memory = true, .base = ref_param(k), .offset = offset};
}

static bool ends_with_null(Frequency *o, FuncId f, NullPlace null);

// Whether a function of the program is given a null, or what holds one, and never comes back with that.
static bool is_faulty_inside(Follow *b, uint32_t call, FuncId callee)
{
    const Ins *in = func_ins(b->s->unit, b->s->func, call);
    for (uint32_t k = 0; k < in->c; k++) {
        Ref r = {*func_extra(b->s->unit, b->s->func, in->b + k)};
        Interval v = value_of(b, r);
        if (mtype_class(ref_type(b->s->unit, b->s->func, r)) != MT_PTR) continue;
        if (ref_is_ins(r) && v.known && v.low == 0 && v.high == 0 &&
            ends_with_null(b->o, callee, (NullPlace){.known = true, .base = ref_param(k)}))
            return true;
        int64_t offset;
        if (b->null.known && b->null.in_memory &&
            same_base(b->s, split_place(b->s, r, &offset), b->null.base) &&
            ends_with_null(b->o, callee, in_param(k, b->null.offset - offset)) &&
            is_null_still(b, call))
            return true;
    }
    return false;
}

// Whether a function is given null where it must not be.
static bool is_faulty_call(Follow *b, uint32_t call)
{
    const Program *p = b->o->facts->program;
    const Ins *in = func_ins(b->s->unit, b->s->func, call);
    FuncId callee = program_callee(p, p->funcs.at[b->by.id].unit, b->s->unit, (Ref){in->a});
    const SpecFunc *spec = callee.id ? facts_spec(b->o->facts, callee) : NULL;
    for (uint32_t i = 0; spec && i < spec->param_count && i < in->c; i++)
        if (spec->params[i].nonnull &&
            is_null(b, (Ref){*func_extra(b->s->unit, b->s->func, in->b + i)}))
            return true;
    return callee.id && program_has_code(p, callee) && is_faulty_inside(b, call, callee);
}

// Whether the instruction reads or writes through null: the program ends there. A copy is taken to be
// one of some bytes.
static bool is_fault(Follow *b, uint32_t ins)
{
    const Ins *in = func_ins(b->s->unit, b->s->func, ins);
    if (in->op == OP_CALL) return is_faulty_call(b, ins);
    if (in->op == OP_COPY) return is_null(b, (Ref){in->a}) || is_null(b, (Ref){in->b});
    if (in->op == OP_FILL) return is_null(b, (Ref){in->a});
    return (in->op == OP_LOAD || in->op == OP_STORE) && is_null(b, (Ref){in->a});
}

// A known null, or a place at an offset from it.
static bool is_null(const Follow *b, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *at = func_ins(b->s->unit, b->s->func, ref_index(r));
        if (at->op != OP_FIELD && at->op != OP_INDEX) break;
        r = (Ref){at->a};
    }
    return is_nowhere(value_of(b, r));
}

static Interval computed(Follow *b, uint32_t ins)
{
    const Ins *in = func_ins(b->s->unit, b->s->func, ins);
    Interval x = {0}, y;
    switch ((Op)in->op) {
    case OP_LOAD: {
        if (is_null_place(b, ins)) return number(0);
        Ref r = stored_before(b, ins);
        if (ref_is_none(r)) return x;
        bits_add(&b->narrow_load, b->at);
        return value_of(b, r);
    }
    case OP_FIELD:
    case OP_INDEX:
        return (Interval){.beside_null = is_null(b, (Ref){in->a})};
    case OP_SEXT:
        return value_of(b, (Ref){in->a});
    case OP_ZEXT:
        x = value_of(b, (Ref){in->a});
        return x.known && x.low >= 0 ? x : (Interval){0};
    case OP_SELECT:
        x = value_of(b, (Ref){in->a});
        if (x.known && x.low == x.high) return value_of(b, (Ref){x.low ? in->b : in->c});
        return hull(value_of(b, (Ref){in->b}), value_of(b, (Ref){in->c}));
    case OP_XOR: // `!x` of a condition
        x = value_of(b, (Ref){in->a});
        y = value_of(b, (Ref){in->b});
        if (mtype_size(in->type) != 1 || !x.known || x.low != x.high || !y.known || y.low != y.high)
            return (Interval){0};
        return number((x.low ^ y.low) & 1);
    default:
        if (op_form((Op)in->op) != FORM_AB) return x;
        x = value_of(b, (Ref){in->a});
        y = value_of(b, (Ref){in->b});
        return x.known && y.known ? compared((Op)in->op, x, y) : (Interval){0};
    }
}

// ---- who reads what
//
// A change lets all blocks be looked at again, which comes to nothing for those that read nothing of
// what has changed: these are only counted.

static void has_changed(Follow *b, uint32_t ins)
{
    const Readers *k = b->s->readers;
    for (uint32_t i = k->first[ins]; i < k->first[ins + 1]; i++) bits_drop(&b->clean, k->blocks[i]);
    if (bits_has(&k->stored, ins)) bits_each (block, &k->load) bits_drop(&b->clean, block);
}

// To look at it again would change nothing. Where the ways come back to the start it is asked anew each time.
static bool is_idle(const Follow *b, uint32_t block)
{
    EdgeRange r = b->s->cfg->succ[block];
    if (!bits_has(&b->clean, block)) return false;
    for (uint32_t i = 0; i < r.count; i++)
        if (b->s->cfg->edges[r.first + i] == b->here) return false;
    return true;
}

// A value that differs from an earlier visit's is any value from then on, or any address beside null.
static bool put(Follow *b, uint32_t ins, Interval v, bool first)
{
    if (!first && !same(v, b->values[ins])) {
        v = hull(v, b->values[ins]);
        if (!v.beside_null) v = (Interval){0};
    }
    bool changed = !same(v, b->values[ins]);
    b->values[ins] = v;
    if (changed) has_changed(b, ins);
    return first || changed;
}

// Whoever uses a value that has changed is looked at again.
static void again_all(Follow *b)
{
    bits_each (i, &b->seen)
        if (bits_add(&b->queued, i)) vec_push(&b->work, i);
}

// Whether the loops around the place go over what lies in memory, in a function that never comes
// back: a child prepares its descriptors one by one before it runs another program. Main goes over
// its operands in such loops, of which there may be many.
static bool is_prepared(const Follow *b, uint32_t block)
{
    const Facts *facts = b->o->facts;
    if (program_is_main(facts->program, b->by) || facts_may_return(facts, b->by)) return false;
    for (uint32_t l = b->s->cfg->loop_of[block]; l; l = b->s->cfg->loops[l - 1].parent)
        if (!options_walks_memory(b->s, l)) return false;
    return true;
}

static Interval chosen(const Follow *b, const Ins *phi, uint32_t from)
{
    Interval v = {0};
    for (uint32_t n = 0; n < phi->c; n++) {
        const uint32_t *pair = func_extra(b->s->unit, b->s->func, phi->b + 2 * n);
        if (pair[0] == from) v = value_of(b, (Ref){pair[1]});
    }
    return v;
}

// Whether the way back to the start ends before it, in the start's own block. What is known there now
// holds for this look alone.
static bool ends_before_start(Follow *b, uint32_t from, const Block *k)
{
    const Shape *s = b->s;
    uint32_t count = b->start - k->first;
    Interval *kept = mem_alloc((count + 1) * sizeof *kept);
    memcpy(kept, b->values + k->first, count * sizeof *kept);
    bool ends = false;
    for (uint32_t i = k->first; i < b->start; i++)
        if (func_ins(s->unit, s->func, i)->op == OP_PHI)
            b->values[i] = chosen(b, func_ins(s->unit, s->func, i), from);
    for (uint32_t i = k->first; i < b->start && !ends; i++) {
        if (func_ins(s->unit, s->func, i)->op != OP_PHI) b->values[i] = computed(b, i);
        ends = is_fault(b, i);
    }
    memcpy(b->values + k->first, kept, count * sizeof *kept);
    mem_free(kept);
    return ends;
}

static void enter(Follow *b, uint32_t from, uint32_t to)
{
    const Shape *s = b->s;
    const Block *k = func_block(s->unit, s->func, to);
    if (b->start >= k->first && b->start < k->first + k->count) {
        b->again |= !is_prepared(b, to) && !ends_before_start(b, from, k);
        return;
    }
    bool first = bits_add(&b->seen, to), changed = first;
    for (uint32_t i = k->first; i < k->first + k->count; i++) {
        const Ins *phi = func_ins(s->unit, s->func, i);
        if (phi->op != OP_PHI) break;
        changed |= put(b, i, chosen(b, phi, from), first);
    }
    // What was stored before is not known any more when there is one way more to come here.
    bool fresh;
    map_at(&b->taken, map_pair(from, to), 1, &fresh);
    bool wider = fresh && bits_has(&b->narrow, to);
    if (wider) bits_each (block, &b->narrow_load) bits_drop(&b->clean, block);
    changed |= wider;
    if (changed && bits_add(&b->queued, to)) vec_push(&b->work, to);
    if (changed && !first) again_all(b);
}

static bool goes_on(const Follow *b)
{
    return b->all || !b->again;
}

// Whether a switch comes to the block only for numbers that lie outside of what is known.
static bool is_other_case(const Follow *b, const Ins *end, Interval v, uint32_t to)
{
    if (*func_extra(b->s->unit, b->s->func, end->b + 2 * end->c) == to) return false;
    for (uint32_t i = 0; i < end->c; i++) {
        const uint32_t *pair = func_extra(b->s->unit, b->s->func, end->b + 2 * i);
        Interval c = value_of(b, (Ref){pair[0]});
        if (pair[1] == to && !(c.known && (c.high < v.low || v.high < c.low))) return false;
    }
    return true;
}

// Where the block goes, as far as what is known decides it.
static void leave(Follow *b, uint32_t block)
{
    const Shape *s = b->s;
    const Block *k = func_block(s->unit, s->func, block);
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    if (end->op == OP_INVOKE && k->first + k->count - 1 == b->start && b->came_back) {
        enter(b, block, *func_extra(s->unit, s->func, end->b + end->c));
        return;
    }
    bool chooses = end->op == OP_BRANCH || end->op == OP_SWITCH;
    Interval v = chooses ? value_of(b, (Ref){end->a}) : (Interval){0};
    if (v.known && v.low == v.high && end->op == OP_BRANCH) {
        enter(b, block, v.low ? end->b : end->c);
        return;
    }
    if (v.known && v.low == v.high) {
        uint32_t to = *func_extra(s->unit, s->func, end->b + 2 * end->c);
        for (uint32_t i = 0; i < end->c; i++) {
            const uint32_t *pair = func_extra(s->unit, s->func, end->b + 2 * i);
            if (same(value_of(b, (Ref){pair[0]}), v)) to = pair[1];
        }
        enter(b, block, to);
        return;
    }
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count && goes_on(b); i++)
        if (!(end->op == OP_SWITCH && v.known && is_other_case(b, end, v, s->cfg->edges[r.first + i])))
            enter(b, block, s->cfg->edges[r.first + i]);
}

static void look_at(Follow *b, uint32_t block, uint32_t from, bool first)
{
    const Shape *s = b->s;
    const Block *k = func_block(s->unit, s->func, block);
    bool changed = false;
    bits_add(&b->clean, block);
    b->at = block;
    for (uint32_t i = from; i < k->first + k->count; i++)
        if (func_ins(s->unit, s->func, i)->op != OP_PHI)
            changed |= put(b, i, computed(b, i), first);
    if (changed && !first) again_all(b);
    for (uint32_t i = from; i < k->first + k->count; i++)
        if (is_fault(b, i)) return;
    bool returns = false;
    if (!frequency_rest_open(b->o, b->by, s, k, from, &returns)) {
        b->again |= returns; // nobody says where a jump goes on
        return;
    }
    if (!returns) {
        leave(b, block);
        return;
    }
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    b->again |= end->op != OP_RET;
    Interval v = value_of(b, (Ref){end->a});
    b->changed |= b->null.known && b->null.in_memory && !is_null_still(b, k->first + k->count - 1);
    b->result = b->returns ? hull(b->result, v) : v;
    b->returns = true;
}

// Follows all ways from the instruction at `from`, where the one before, or itself, is the start.
static void follow(Follow *b, uint32_t from)
{
    const Shape *s = b->s;
    uint32_t steps = VISITS * s->func->block_count;
    look_at(b, b->here, from, true);
    while (b->work.len && goes_on(b)) {
        uint32_t block = vec_pop(&b->work);
        if (!steps--) {
            b->again = b->spent = true;
            break;
        }
        bits_drop(&b->queued, block);
        if (is_idle(b, block)) continue;
        look_at(b, block, func_block(s->unit, s->func, block)->first, bits_add(&b->met, block));
    }
}

// Where the null that the call leaves is, in terms of its function.
static NullPlace handed_up(const Shape *s, uint32_t call, NullPlace left)
{
    const Ins *in = func_ins(s->unit, s->func, call);
    NullPlace null = {0};
    if (!left.known || !ref_is_param(left.base) || ref_index(left.base) >= in->c) return null;
    null.known = null.in_memory = true;
    null.base = split_place(s, (Ref){*func_extra(s->unit, s->func, in->b + ref_index(left.base))}, &null.offset);
    null.offset += left.offset;
    return null;
}

// What the ways from one place with one value come to. The same calls are come to from many findings.
typedef struct {
    FuncId by;
    uint32_t start;
    bool came_back, again, returns;
    Interval v, result;
    NullPlace left; // is null where it returns
    uint32_t next;  // + 1, of the same key
} Followed;

struct Follows {
    VEC(Followed) all;
    Map first; // hash of what was asked -> place in `all` + 1
    Map with_null; // hash of a function and what is null as it begins -> never comes back
    Map ends;      // hash of a function and what it comes back with -> ENDS, GOES_ON
};

void follows_free(Follows *k)
{
    if (!k) return;
    vec_free(&k->all);
    map_free(&k->first);
    map_free(&k->with_null);
    map_free(&k->ends);
}

static uint64_t followed_key(FuncId f, uint32_t start, bool came_back, Interval v)
{
    uint64_t h = hash_mix(map_pair(f.id, start), came_back + 2 * v.known + 4 * v.beside_null);
    return v.known ? hash_mix(h, hash_mix((uint64_t)v.low, (uint64_t)v.high)) : h;
}

// What begins at or behind an instruction whose result is known; NOWHERE: with the function.
static Follow begin_at(Frequency *o, FuncId f, uint32_t start, Interval v, Arena *scratch)
{
    Shape *s = frequency_shape(o, f);
    if (!s->readers) s->readers = readers_of(o->arena, s);
    Follow b = {.o = o, .by = f, .s = s, .start = start, .at_entry = start == NOWHERE};
    b.here = b.at_entry ? 0 : func_block_of(b.s->unit, b.s->func, start);
    b.values = arena_array_of(scratch, Interval, b.s->func->ins_count + 1);
    b.seen = bits_new(scratch, b.s->func->block_count);
    b.met = bits_new(scratch, b.s->func->block_count);
    b.queued = bits_new(scratch, b.s->func->block_count);
    b.narrow = bits_new(scratch, b.s->func->block_count);
    b.clean = bits_new(scratch, b.s->func->block_count);
    b.narrow_load = bits_new(scratch, b.s->func->block_count);
    if (!b.at_entry) b.values[start] = v;
    return b;
}

static void end_of(Follow *b)
{
    vec_free(&b->work);
    map_free(&b->taken);
}

bool blocks_after(Frequency *o, FuncId f, uint32_t call, int64_t low, int64_t high, Bits *into)
{
    Arena *scratch = arena_new("what follows");
    Follow b = begin_at(o, f, call, between(low, high), scratch);
    b.came_back = b.all = true;
    follow(&b, call + 1);
    bits_each (i, &b.seen) bits_add(into, i);
    end_of(&b);
    arena_free(scratch);
    return !b.spent;
}

// Where the null that a call gave is stored: the last such place.
static NullPlace stored_null(const Shape *s, uint32_t call)
{
    NullPlace null = {0};
    for (uint32_t i = 0; i < s->func->ins_count; i++) {
        const Ins *in = func_ins(s->unit, s->func, i);
        if (in->op != OP_STORE || !ref_same((Ref){in->b}, ref_ins(call))) continue;
        null = (NullPlace){.known = true, .in_memory = true, .stored = true};
        null.base = split_place(s, (Ref){in->a}, &null.offset);
    }
    return null;
}

static Followed follow_with(Frequency *o, FuncId f, uint32_t start, uint32_t from, Interval v, NullPlace null)
{
    Arena *scratch = arena_new("what follows");
    Follow b = begin_at(o, f, start, v, scratch);
    b.null = null;
    b.came_back = start != NOWHERE && from > start;
    follow(&b, from);
    end_of(&b);
    arena_free(scratch);
    return (Followed){f, start, b.came_back, b.again, b.returns, v, b.result, b.changed ? (NullPlace){0} : null, 0};
}

static Followed follow_ways(Frequency *o, FuncId f, uint32_t start, uint32_t from, Interval v)
{
    bool failed = from > start && v.known && v.low == 0 && v.high == 0;
    return follow_with(o, f, start, from, v, failed ? stored_null(frequency_shape(o, f), start) : (NullPlace){0});
}

static bool ends_with_null(Frequency *o, FuncId f, NullPlace null)
{
    if (!o->follows) o->follows = arena_array_of(o->arena, Follows, 1);
    uint64_t key = hash_mix(map_pair(f.id, null.base.bits), 2 * (uint64_t)null.offset + null.in_memory);
    bool fresh;
    uint64_t *known = map_at(&o->follows->with_null, key, 0, &fresh); // a question that leads back to itself: no
    if (!fresh) return *known;
    Followed k = follow_with(o, f, NOWHERE, 0, (Interval){0}, null);
    map_set(&o->follows->with_null, key, !k.again && !k.returns);
    return !k.again && !k.returns;
}

static Followed followed(Frequency *o, FuncId f, uint32_t start, uint32_t from, Interval v)
{
    if (!o->follows) o->follows = arena_array_of(o->arena, Follows, 1);
    Follows *all = o->follows;
    bool came_back = from > start;
    uint64_t key = followed_key(f, start, came_back, v);
    const uint64_t *known = map_get(&all->first, key);
    uint32_t first = known ? (uint32_t)*known : 0;
    for (uint32_t i = first; i; i = all->all.at[i - 1].next) {
        const Followed *k = &all->all.at[i - 1];
        if (k->by.id == f.id && k->start == start && k->came_back == came_back && same(k->v, v)) return *k;
    }
    Followed k = follow_ways(o, f, start, from, v);
    k.next = first;
    vec_push(&all->all, k);
    map_set(&all->first, key, all->all.len);
    return k;
}

// ---- from one caller to the next
//
// What a function comes back with goes on in each of its callers, and in theirs. The program ends when all these
// ways do: none leads back to where it began, and none leaves a function whose callers are not known. That a
// function is come to with the same result once more adds no way: each step leaves a frame of the stack, so that
// it also ends where functions call each other; but some way has to end for another reason, as functions that only
// call each other are called by somebody who is not seen.

typedef struct {
    FuncId f;
    Interval result;
    NullPlace left;
    uint64_t key;
    uint32_t from; // + 1: whose callers these are
} ComesBack;

typedef struct {
    Frequency *o;
    VEC(ComesBack) all;
    uint32_t budget; // of calls
    bool end;        // some way has come to one
} Ways;

static uint64_t comes_back_key(const ComesBack *r)
{
    uint64_t h = followed_key(r->f, NOWHERE, false, r->result);
    if (!r->left.known) return h;
    return hash_mix(hash_mix(h, map_pair(r->left.base.bits, r->left.in_memory)), (uint64_t)r->left.offset);
}

// False: it is known that the program goes on.
static bool add_way(Ways *w, const Followed *k, uint32_t from)
{
    if (k->again) return false;
    if (!k->returns || frequency_runs(w->o, k->by)) return w->end = true;
    ComesBack r = {.f = k->by, .result = k->result, .left = k->left, .from = from};
    r.key = comes_back_key(&r);
    const uint64_t *known = map_get(&w->o->follows->ends, r.key);
    w->end |= known && *known == ENDS;
    if (known && *known) return *known != GOES_ON;
    map_set(&w->o->follows->ends, r.key, SEEN);
    vec_push(&w->all, r);
    return true;
}

// After a call that has given this value and has left this null.
static Followed after_call(Frequency *o, CallOf c, Interval v, NullPlace left)
{
    NullPlace null = handed_up(frequency_shape(o, c.by), c.ins, left);
    return null.known ? follow_with(o, c.by, c.ins, c.ins + 1, v, null)
                      : followed(o, c.by, c.ins, c.ins + 1, v);
}

static bool callers_end(Ways *w, uint32_t at)
{
    ComesBack r = w->all.at[at];
    CallsOf calls = {0};
    bool ends = callers_of(w->o, r.f, &calls) && calls.len && calls.len <= w->budget;
    if (ends) w->budget -= calls.len;
    for (uint32_t i = 0; i < calls.len && ends; i++) {
        Followed k = after_call(w->o, calls.at[i], r.result, r.left);
        ends = add_way(w, &k, at + 1);
    }
    vec_free(&calls);
    return ends;
}

// Whether the program ends on all ways from here. Of those that were looked at in vain nothing is known
// but where the last of them came from.
static bool comes_to_end(Frequency *o, const Followed *k)
{
    Ways w = {.o = o, .budget = MOST_CALLS};
    if (!o->follows) o->follows = arena_array_of(o->arena, Follows, 1);
    bool ends = add_way(&w, k, 0);
    uint32_t at = 0;
    while (ends && at < w.all.len) ends = callers_end(&w, at++);
    if (ends && !w.end) ends = false, at = 0;
    vec_each (i, &w.all) map_set(&o->follows->ends, w.all.at[i].key, ends ? ENDS : 0);
    for (; !ends && at; at = w.all.at[at - 1].from) map_set(&o->follows->ends, w.all.at[at - 1].key, GOES_ON);
    vec_free(&w.all);
    return ends;
}

bool program_ends_after_null(Frequency *o, FuncId f, uint32_t call)
{
    Followed k = followed(o, f, call, call + 1, number(0));
    return comes_to_end(o, &k);
}

bool program_ends_after(Frequency *o, FuncId f, uint32_t ins)
{
    Followed k = followed(o, f, ins, ins, (Interval){0});
    return comes_to_end(o, &k);
}

// What comes of a null that a function leaves behind: it never comes back, or with this result.
static Followed after_null_left(Frequency *o, FuncId f, const NullLeft *left, uint32_t depth)
{
    Followed k = {.by = f};
    NullPlace null = in_param(left->param, left->offset);
    if (!left->inside) return follow_ways(o, f, left->ins, left->ins + 1, number(0));
    k.again = !depth;
    if (depth) k = after_null_left(o, left->callee, left->inside, depth - 1);
    if (k.again || !k.returns) return k;
    if (!k.left.known) null = (NullPlace){0};
    return follow_with(o, f, left->ins, left->ins + 1, k.result, null);
}

bool program_ends_after_null_left(Frequency *o, FuncId f, uint32_t call)
{
    const Program *p = o->facts->program;
    Shape *s = frequency_shape(o, f);
    const Ins *in = func_ins(s->unit, s->func, call);
    FuncId callee = in->op == OP_CALL ? program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a}) : (FuncId){0};
    if (!callee.id || !program_has_code(p, callee)) return false;
    const NullLeft *left = nulls_left(o, callee);
    bool ends = left != NULL;
    for (; left && ends; left = left->next) {
        Followed k = after_null_left(o, callee, left, NULLS_LEFT_DEEP);
        ends = !k.again;
        if (!ends || !k.returns) continue;
        k = after_call(o, (CallOf){f, call}, k.result, k.left);
        ends = comes_to_end(o, &k);
    }
    return ends;
}

bool program_ends_after_return(Frequency *o, FuncId f, int64_t low, int64_t high)
{
    Followed k = {.by = f, .returns = true, .result = between(low, high)};
    return program_is_main(o->facts->program, f) || comes_to_end(o, &k);
}
