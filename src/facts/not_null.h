// Values that are not null, by the code of the whole program alone. For set_fields.c and one_way.c.
//
// Requires: the program, specs, and which functions end it. Gives: for a value at an instruction,
// whether it is certainly not zero there. Promises: no answer costs more than is left; where
// nothing is left the answer is no, which errs towards a false alarm.
#ifndef FACTS_NOT_NULL_H
#define FACTS_NOT_NULL_H

#include "facts/facts.h"
#include "unit/cfg.h"

// One function, when some of its parameters are known not to be zero.
typedef struct {
    const Unit *u;
    const Func *f;
    uint32_t unit;
    const Cfg *cfg;
    Bits live;     // blocks that can be reached
    uint32_t mask; // by parameter: it is not zero
} View;

typedef struct {
    const Facts *facts;
    Map gives;     // (FuncId, mask) -> the function never returns null
    uint64_t left; // instructions that may still be looked at
} NotNull;

View view_of(NotNull *k, Arena *a, FuncId f, uint32_t mask);
// The instruction that makes the value, or null.
const Ins *view_ins(const View *v, Ref r);
bool view_is_zero(const View *v, Ref r);
// The value that a condition compares with zero, none for other conditions; *side: of the branch on
// which it is not zero.
Ref view_asked(const View *v, Ref cond, bool *side);
// False: that many are not left.
bool not_null_spend(NotNull *k, uint32_t instructions);
// The value is not zero when the instruction `at` is executed.
bool not_null(NotNull *k, const View *v, Ref r, uint32_t at);
void not_null_free(NotNull *k);

#endif
