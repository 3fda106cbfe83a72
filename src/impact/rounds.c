// Loops that go a small, constant number of rounds: over a table of the program's.
//
// The loop is left by a test, passed in every round, of a counter that goes up from a constant by
// one against a constant, which callers may pass. Errs towards "often": any other loop has many
// rounds.
#include "impact/impact_int.h"

// Whether the value is at most FEW_ROUNDS: a constant, or a parameter for which all callers pass
// one.
static bool is_small(Frequency *o, FuncId f, const Shape *s, Ref r, uint32_t depth)
{
    if (ref_is_const(r)) {
        const Const *c = &s->unit->consts.at[ref_index(r)];
        return c->kind == CONST_INT && c->value >= 0 && c->value <= FEW_ROUNDS;
    }
    return ref_is_param(r) && depth && all_callers_pass(o, f, ref_index(r), is_small, depth - 1);
}

static Ref unconverted(const Shape *s, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *in = func_ins(s->unit, s->func, ref_index(r));
        if (in->op != OP_SEXT && in->op != OP_ZEXT && in->op != OP_TRUNC) break;
        r = (Ref){in->a};
    }
    return r;
}

static bool is_number(const Shape *s, Ref r, int64_t least)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &s->unit->consts.at[ref_index(r)];
    return c->kind == CONST_INT && c->value >= least;
}

// Whether the value is itself and one more.
static bool is_next(const Shape *s, Ref r, Ref phi)
{
    r = unconverted(s, r);
    const Ins *in = ref_is_ins(r) ? func_ins(s->unit, s->func, ref_index(r)) : NULL;
    return in && in->op == OP_ADD && ref_same(unconverted(s, (Ref){in->a}), phi) &&
           is_number(s, (Ref){in->b}, 1);
}

// A counter of the loop, that starts with a constant and goes up in every round.
static bool is_counter(const Shape *s, uint32_t loop, Ref r)
{
    r = unconverted(s, r);
    const Ins *phi = ref_is_ins(r) ? func_ins(s->unit, s->func, ref_index(r)) : NULL;
    if (!phi || phi->op != OP_PHI ||
        func_block_of(s->unit, s->func, ref_index(r)) != s->cfg->loops[loop - 1].header)
        return false;
    for (uint32_t n = 0; n < phi->c; n++) {
        const uint32_t *pair = func_extra(s->unit, s->func, phi->b + 2 * n);
        bool inside = options_in_loop(s->cfg, loop, pair[0]);
        if (inside ? !is_next(s, (Ref){pair[1]}, r) : !is_number(s, (Ref){pair[1]}, 0))
            return false;
    }
    return true;
}

static bool is_bounded(Frequency *o, FuncId f, const Shape *s, uint32_t loop)
{
    uint32_t header = s->cfg->loops[loop - 1].header;
    const Block *b = func_block(s->unit, s->func, header);
    const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
    if (end->op != OP_BRANCH || !ref_is_ins((Ref){end->a}) ||
        !options_in_loop(s->cfg, loop, end->b) || options_in_loop(s->cfg, loop, end->c))
        return false;
    const Ins *test = func_ins(s->unit, s->func, ref_index((Ref){end->a}));
    return (test->op == OP_SLT || test->op == OP_ULT || test->op == OP_SLE || test->op == OP_ULE) &&
           is_counter(s, loop, (Ref){test->a}) &&
           is_small(o, f, s, unconverted(s, (Ref){test->b}), CALLERS_OPEN_DEEP);
}

bool rounds_are_few_within(Frequency *o, FuncId f, const Shape *s, uint32_t block, uint32_t around)
{
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent)
        if (!options_in_loop(s->cfg, l, around) && !is_bounded(o, f, s, l)) return false;
    return true;
}

bool rounds_are_few(Frequency *o, FuncId f, const Shape *s, uint32_t block)
{
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent)
        if (!is_bounded(o, f, s, l)) return false;
    return true;
}
