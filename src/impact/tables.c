// Arrays of functions that a loop goes through: the tests of a test program, the commands that start
// or end a program.
//
// An array in static or stack memory has as many elements as somebody wrote down; a list, or an array
// on the heap, as many as the input asks for. So the pointer that is called must be loaded by an
// address that is worked out from a variable's, with no other load on the way. Errs towards "often".
#include "impact/impact_int.h"

// Whether the address is one in a variable; what a phi adds to itself stays there.
static bool is_in_variable(const Shape *s, Ref r, uint32_t phi, uint32_t depth)
{
    if (ref_is_const(r)) return s->unit->consts.at[ref_index(r)].kind == CONST_GLOBAL;
    if (!ref_is_ins(r) || !depth) return false;
    if (ref_index(r) == phi) return true;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op == OP_ALLOCA) return true;
    if (in->op == OP_FIELD || in->op == OP_INDEX)
        return is_in_variable(s, (Ref){in->a}, phi, depth - 1);
    if (in->op != OP_PHI || phi != UINT32_MAX) return false;
    for (uint32_t i = 0; i < in->c; i++) {
        Ref from = {func_extra(s->unit, s->func, in->b + 2 * i)[1]};
        if (!is_in_variable(s, from, ref_index(r), depth - 1)) return false;
    }
    return true;
}

bool table_is_walked(const Shape *s, uint32_t ins)
{
    const Ins *call = func_ins(s->unit, s->func, ins);
    uint32_t loop = s->cfg->loop_of[func_block_of(s->unit, s->func, ins)];
    Ref callee = {call->a};
    if (!loop || s->cfg->loops[loop - 1].parent || !ref_is_ins(callee)) return false;
    const Ins *load = func_ins(s->unit, s->func, ref_index(callee));
    return load->op == OP_LOAD && options_walks_memory(s, loop) &&
           is_in_variable(s, (Ref){load->a}, UINT32_MAX, CHAIN_DEEP);
}
