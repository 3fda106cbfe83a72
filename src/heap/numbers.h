// The unknown values (T_RESULT) and the objects (T_HEAP) that one instruction makes are told apart by a
// number. This is the one place that gives numbers out: whoever makes another unknown adds a kind.
//
//      30       29..24   23..0
//      joined   kind     index      the index counts what there is several of: parameters, copies, terms
#ifndef HEAP_NUMBERS_H
#define HEAP_NUMBERS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    MADE_VALUE,        // index 0: the instruction's value; else what a parameter gives, see made_by_param
    MADE_DISTANCE,     // how far into its argument that points; index as for MADE_VALUE
    MADE_GIVES,        // whether a call gave back its argument and not null; index as for MADE_VALUE
    MADE_GIVES_INSIDE, // the same for a place in it
    MADE_BEFORE,       // a phi's value before the round at hand
    MADE_PIECES,       // read from several cells
    MADE_COPIED,       // the length of what a call copies; by copy
    MADE_MOVED,        // the length of what a call moves to another block
    MADE_FILLED,       // plain data that a call puts where a parameter points; by parameter
    MADE_LENGTH,       // how much of it; by parameter
    MADE_STRUCT,       // what a call puts into a struct with a resource inside; by parameter
    MADE_ENLARGED,     // the block that takes the place of a parameter's; by parameter
    MADE_FIRST,        // the first pointer in a list that a call gives
    MADE_STATE,        // what an object is that only its own functions know; by parameter
    MADE_KEY,          // of an element that is looked up in a container
    MADE_LENT,         // what stands for the part of a container that a call gave the address of
    MADE_ARGUMENT,     // where an argument is that a callable hands on by reference; by parameter
    MADE_REST,         // what va_start puts into its list: where the arguments after `...` are
    MADE_RECURSIVE,    // what a call returns that is deeper than was followed
    MADE_EARLIER,      // the caller's block, which an earlier call obtained
    MADE_BY_CALLEE,    // unknowns: what only the callee knew, by term of its summary; objects: see
                       // number_by_target
    MADE_KINDS
} Made;

enum { MADE_INDEX_BITS = 24, MADE_JOINED = 1 << 30 };
#define MADE_OPAQUE ((uint32_t)1 << 31)
_Static_assert(MADE_KINDS <= 64, "six bits hold a kind");

static inline uint32_t made(Made kind, uint32_t index)
{
    assert(index < 1u << MADE_INDEX_BITS);
    return (uint32_t)kind << MADE_INDEX_BITS | index;
}

// The callee's paths were joined and had different values there; or it may change by itself.
static inline uint32_t made_joined(uint32_t number)
{
    return number | MADE_JOINED;
}

static inline bool made_is_joined(uint32_t number)
{
    return number & MADE_JOINED;
}

// The state of an opaque object (a string), in callers too: what it points to is what the object lends.
static inline uint32_t made_opaque(uint32_t number)
{
    return number | MADE_OPAQUE;
}

static inline bool made_is_opaque(uint32_t number)
{
    return number & MADE_OPAQUE;
}

// For MADE_VALUE and what goes with it: the i-th element that a call gives by this parameter.
static inline uint32_t made_by_param(uint32_t param, uint32_t i)
{
    return 1 + (param << 16 | i);
}

#endif
