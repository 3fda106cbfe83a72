// The quick decision procedure: what is known of terms on one path.
//
// Facts are a persistent map from terms to interned ranges (signed and unsigned bounds, and a few
// values it is not). A condition is a one-bit term, so that a branch taken is the fact that its
// condition is 1 and the same condition met again is decided by look-up; comparisons with
// constants also narrow their operands. Decides most branches of real programs; where it cannot,
// the answer is "unknown", never a guess, and Z3 (logic/solve.h) confirms what is reported.
#ifndef LOGIC_COND_H
#define LOGIC_COND_H

#include "base/pmap.h"
#include "logic/term.h"

typedef struct {
    int64_t smin, smax;
    uint64_t umin, umax;
    int64_t not [3]; // values excluded, ascending
    uint32_t not_count;
    uint32_t pad; // 0: ranges are told apart by all their bytes
} Range;

typedef struct {
    Arena *arena; // of the facts
    Terms *terms;
    VEC(const Range *) ranges; // interned, in the arena, so that none ever moves; 0 is unused
    Map index;                 // hash -> first range with it
} Conds;

void conds_init(Conds *c, Arena *arena, Terms *terms);
void conds_free(Conds *c);

typedef enum { COND_FALSE, COND_TRUE, COND_UNKNOWN } Truth;

Range cond_range(const Conds *c, PMap facts, Term x);
Truth cond_decide(const Conds *c, PMap facts, Term cond);
// False when the assumption contradicts what is known; *facts is then unspecified.
bool cond_assume(Conds *c, PMap *facts, Term cond, bool truth);
// Narrows a term to a range of another function's facts.
bool cond_restrict(Conds *c, PMap *facts, Term x, const Range *to);
const Range *cond_fact(const Conds *c, uint64_t fact);
// What holds in both: ranges are widened to cover both sides, what one side does not know is
// dropped. Errs towards "unknown".
PMap cond_hull(Conds *c, PMap a, PMap b);
// Like cond_hull, but only where nothing is lost by it: a state in which the result holds is one
// in which a or b holds. False otherwise; *result is then unspecified.
bool cond_union(Conds *c, PMap a, PMap b, PMap *result);
// A range that covers both.
Range cond_range_hull(Range x, Range y);
// A range of another table of terms as a fact of this one.
uint64_t cond_intern(Conds *c, const Range *r);
bool range_same(const Range *x, const Range *y);
// For ranges that were read: whether a term of this width can have it.
bool range_fits(const Range *r, uint32_t width);
bool range_single(const Range *r, uint32_t width, int64_t *value);
bool range_has(const Range *r, uint32_t width, uint64_t value);

#endif
