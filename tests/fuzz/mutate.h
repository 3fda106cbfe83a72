// Random changes to an input: the part of the fuzz harness that knows nothing of stanch.
//
// Comes in: a corpus of whole inputs and a seed. Goes out: one changed input for each seed, always
// the same for the same seed and corpus, so that a failure is named by two numbers.
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include "base/vec.h"

typedef struct {
    uint64_t state;
} Random;

uint64_t random_bits(Random *r);
uint32_t random_below(Random *r, uint32_t n); // n > 0

typedef struct {
    char *bytes;
    size_t len;
    const char *name;
} Seed;

typedef VEC(Seed) Corpus;

typedef enum {
    MUTATE_TEXT,   // lines and words: changed, moved, repeated, taken from another input
    MUTATE_BINARY, // bits, bytes, little-endian words
} MutateKind;

// The changed input replaces what `out` holds.
void mutate(Random *r, const Corpus *corpus, MutateKind kind, Chars *out);

#endif
