// Doubts: why a finding is to be trusted less (truth), or matters less (impact).
//
// Comes in: reasons, by id, from whoever meets them, with the place and an argument. They ride on
// states, summary cases and findings as small sets. Goes out: the level of a finding, computed from
// its set by doubt_truth, and its impact, by doubt_impact; nobody else decides about either.
// Promised: both depend on the set alone. Each reason is a row of doubts.def.
//
// What is assumed to be impossible while paths are walked, so that no finding ever comes of it, is
// a row of assumptions.def. Rows of both tables are switched off one by one by --without.
#ifndef DOUBT_DOUBT_H
#define DOUBT_DOUBT_H

#include "base/mem.h"
#include "base/pos.h"

// How far a finding is to be trusted.
typedef enum { LEVEL_SURE, LEVEL_LIKELY, LEVEL_AUDIT, LEVEL_COUNT } Level;

const char *level_word(Level l); // "sure"
bool level_find(const char *word, Level *level);

// How often a running process can have it.
typedef enum {
    IMPACT_RECURS,       // again and again
    IMPACT_MEMORY_SHORT, // again and again, but only when an allocation fails
    IMPACT_ONCE,         // a few times: start-up, options, the way to the end
    IMPACT_AT_EXIT,      // when it ends
    IMPACT_COUNT
} Impact;

const char *impact_word(Impact i); // "memory-short"
bool impact_find(const char *word, Impact *impact);

typedef enum {
#define TRUTH(id, word, cap, join, sentence, test) DOUBT_##id,
#define IMPACT(id, word, cap, join, sentence, test)
#include "doubt/doubts.def"
#undef TRUTH
#undef IMPACT
    DOUBT_TRUTH_COUNT,
    DOUBT_BEFORE_IMPACT = DOUBT_TRUTH_COUNT - 1,
#define TRUTH(id, word, cap, join, sentence, test)
#define IMPACT(id, word, cap, join, sentence, test) DOUBT_##id,
#include "doubt/doubts.def"
#undef TRUTH
#undef IMPACT
    DOUBT_COUNT
} DoubtId;

typedef enum {
#define ASSUMPTION(id, word, sentence, test) ASSUME_##id,
#include "doubt/assumptions.def"
#undef ASSUMPTION
    ASSUME_COUNT
} AssumptionId;

// A set of rows of both axes: the bit of a row is its id.
enum { DOUBT_WORDS = 2 };
typedef struct {
    uint64_t words[DOUBT_WORDS];
} DoubtRows;

bool doubt_rows_same(DoubtRows a, DoubtRows b);

// Rows that are switched off.
typedef struct {
    DoubtRows doubts;
    uint64_t assumptions;
} Without;

// Words of either table, separated by commas; false when there is no such row, which *bad begins.
bool without_add(Without *w, const char *words, const char **bad);
bool without_doubt(const Without *w, DoubtId id);
static inline bool without_assumption(const Without *w, AssumptionId id)
{
    return w->assumptions >> id & 1;
}

typedef enum { AXIS_TRUTH, AXIS_IMPACT } Axis;

typedef struct {
    const char *word; // "merged-test"
    Axis axis;
    uint32_t cap; // a Level or an Impact
    const char *sentence;
} DoubtInfo;

const DoubtInfo *doubt_info(DoubtId id);
bool doubt_find(const char *word, size_t len, DoubtId *id);
const char *assumption_word(AssumptionId id);
const char *assumption_sentence(AssumptionId id);

typedef struct DoubtNote DoubtNote;
struct DoubtNote {
    const DoubtNote *prev;
    DoubtId id;
    Pos place;
    const char *argument; // or null
    const char *callee;   // it is this callee's, which is called at `place`; or null
};

typedef struct {
    DoubtRows rows;         // those that are there
    const DoubtNote *notes; // newest first; also of rows that were withdrawn
} Doubts;

// The strings are not copied. A row that is there already keeps its first place.
void doubt_add(Arena *a, Doubts *d, DoubtId id, Pos place, const char *argument);
// The same, with all that is known of it; `prev` is set here.
void doubt_note(Arena *a, Doubts *d, const DoubtNote *like);
void doubt_withdraw(Doubts *d, DoubtId id);
bool doubt_has(const Doubts *d, DoubtId id);

// What holds of a path after it was merged with another.
void doubt_join(Arena *a, Doubts *into, const Doubts *other);
// Two ways to one and the same state: one that is free of doubt vouches for both.
void doubt_vouch(Doubts *into, const Doubts *other);
// What another program that has the same code says of the same defect: the impact is the greater,
// and what its callers pass is passed.
void doubt_elsewhere(Doubts *into, const Doubts *other);
// What a callee met on its way is met by the caller. Of a case only the rows are known.
void doubt_of_callee(Arena *a, Doubts *into, const Doubts *callee, Pos call, const char *name);
// The rows that make a path less than plain when it is compared with others: of truth, ANY.
bool doubt_blurs(const Doubts *d);
void doubt_drop_blur(Doubts *d);

Level doubt_truth(const Doubts *d);
Impact doubt_impact(const Doubts *d);
// The one that decides about the axis, of several the first that was met; null: none does.
const DoubtNote *doubt_strongest(const Doubts *d, Axis axis);
// Calls `visit` for each, oldest first.
void doubt_each(const Doubts *d, void (*visit)(void *context, const DoubtNote *n), void *context);
// The sentence, with its argument.
const char *doubt_text(Arena *a, const DoubtNote *n);

#endif
