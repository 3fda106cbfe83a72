// The record of a run that showed a finding: with what the function was called, what it decided, what
// it called, and what was left at the end. Enough to tell it and to make the same happen outside.
//
// Comes in: from src/witness, for a finding that was witnessed. Goes out: part of the finding, kept
// with it, the same for the same run. Everything is in the arena of the finding's list.
#ifndef FINDING_WITNESS_H
#define FINDING_WITNESS_H

#include "base/mem.h"
#include "base/pos.h"

// What a register or a few bytes of memory hold.
typedef enum {
    WORD_NUMBER,   // value, sign-extended; a null pointer too
    WORD_BLOCK,    // value bytes into blocks[block - 1]
    WORD_GLOBAL,   // value bytes into the global `name`
    WORD_FUNCTION, // the function `name`
    WORD_LOCAL,    // somewhere in a local variable
    WORD_UNKNOWN,  // wider than a number of ours
    WORD_KIND_COUNT
} WordKind;

typedef struct {
    WordKind kind;
    uint32_t bits;
    uint32_t block;
    int64_t value;
    const char *name; // the linker's symbol
} WitnessWord;

// How an argument is passed.
typedef enum { PASS_INTEGER, PASS_FLOAT, PASS_COPY, PASS_OTHER, PASS_COUNT } WitnessPass;

// A parameter, or some bytes of a block.
typedef struct {
    const char *name; // in the program's terms: "n", "s->next"; or null
    const char *type; // or null
    uint64_t offset;  // in the block
    bool is_signed;
    WitnessPass pass;       // of a parameter
    uint64_t copied; // PASS_COPY: bytes
    WitnessWord word;
} WitnessCell;

typedef enum {
    MEMORY_INPUT,   // there before the function was called
    MEMORY_GLOBAL,  // the cells that differ from its initialiser, or that nobody here defines
    MEMORY_HEAP,    // obtained in the run
    MEMORY_LIBRARY, // storage of a library function
    MEMORY_HANDLE,  // a number that stands for a resource, in `size`: a descriptor
    MEMORY_KIND_COUNT
} MemoryKind;

typedef struct {
    MemoryKind kind;
    uint32_t before;    // INPUT: bytes that lie below the pointer to it; offsets there are negative
    const char *name;   // INPUT: what leads to it; GLOBAL: its name; others: the function
    const char *symbol; // GLOBAL
    const char *type;   // or null
    const char *source; // GLOBAL: the file that defines it, or null
    uint64_t size;
    uint32_t first, count; // cells, in the order in which they were read
    Pos made, freed;       // HEAP, HANDLE
    bool is_freed, is_lost;
    bool resource; // HEAP: no memory
} WitnessBlock;

typedef enum { WITNESS_STEP_BRANCH, WITNESS_STEP_SWITCH, WITNESS_STEP_CALL, WITNESS_STEP_COUNT } WitnessStepKind;

typedef enum {
    CALL_CODE,     // of the program: its steps follow
    CALL_COMPUTED, // a library function that was computed
    CALL_SPEC,     // what its specification says
    CALL_UNKNOWN,  // nobody has seen it
    CALL_HOW_COUNT
} CallHow;

typedef struct {
    WitnessStepKind kind;
    uint32_t depth;       // 0 in the function that the run begins with
    Pos pos;
    bool taken;           // BRANCH
    WitnessWord word;     // SWITCH: on what; CALL: the result
    // Of a call:
    CallHow how;
    const char *function; // as in the source; or null
    const char *symbol;   // or null: through an unknown pointer
    const char *source;   // CODE: the file that has it
    uint32_t nth;         // which call of this function it is, from 1
    uint32_t through;     // or of an unknown pointer, which leads to this block; 0: it does not
    bool fails, returns;  // returns: with a value
    bool floats;          // returns a float
    bool fills_result;    // the caller passes the place of a struct that is returned
    bool obtains;         // SPEC: memory, by its result
    uint32_t same_as;     // the result is this argument, from 1; 0: it is none of them
    uint32_t takes, keeps; // arguments that are released, that it holds on to: a bit for each
    bool handles;          // what it takes is no memory
    uint32_t first, count; // arguments, in words
} WitnessStep;

// What a library or unknown function wrote, as far as the run read it.
enum { EFFECT_RESULT = UINT32_MAX, EFFECT_ELSEWHERE = UINT32_MAX - 1 };
typedef struct {
    uint32_t step;   // the call, from 0
    uint32_t arg;    // behind which argument; EFFECT_RESULT: behind the result
    uint64_t offset; // from there
    WitnessWord word;
} WitnessEffect;

typedef struct Witness {
    const char *function, *symbol, *source; // the run begins there
    Pos at;
    Pos end; // a misuse: where
    WitnessCell *args;
    WitnessCell *cells;
    WitnessBlock *blocks;
    WitnessStep *steps;
    WitnessWord *words;
    WitnessEffect *effects;
    uint32_t arg_count, cell_count, block_count, step_count, word_count, effect_count;
    WitnessWord result;
    bool has_result;
    WitnessPass result_pass;
    uint32_t result_copied; // bytes that it is returned in by memory; 0: by value
    bool is_cxx;
    bool cut;          // more was called or read than is kept here
    uint32_t left_out; // decisions that are not kept
} Witness;

Witness *witness_copy(Arena *a, const Witness *w);

// One sentence's worth: "n = 2, fopen() failing the second time"; "" when nothing is special.
const char *witness_words(Arena *a, const Witness *w);
// A word as people read it: "2", "NULL", "&table + 8", "block 3".
const char *witness_word_text(Arena *a, const Witness *w, const WitnessWord *x);
// A call with its values: "fopen(block 1, &mode) = 0, it fails (second call)".
const char *witness_call_text(Arena *a, const Witness *w, const WitnessStep *s);
// "first", "second", "12th".
const char *witness_ordinal(Arena *a, uint32_t n);

#endif
