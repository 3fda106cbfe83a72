// Tuning of the walk over a function: what each number trades.
#ifndef WALK_LIMITS_H
#define WALK_LIMITS_H

enum {
    // Steps before a function is given up, where the user says nothing: a start and a share for each
    // instruction, so that the cost of a program stays linear in its size.
    DEFAULT_BUDGET = 30000,
    STEPS_PER_INS = 40,

    // Loops around a block beyond which walking over the nest counts as steps: gotos nest them as
    // deep as a function is long.
    USUAL_NEST = 8,

    // Rounds of a loop that are walked before it is generalised. Leaks that only a later round shows
    // are missed.
    ROUNDS_OPEN = 3,
    ROUNDS_OPEN_SMALL = 4, // in a small function
    ROUNDS_SPLIT = 8,      // where the calls in it go several ways
    ROUNDS_DECIDED = 64,   // while its exit tests are decided
    ROUNDS_LEAST = 1,      // in a function over budget

    // Of a switch: values that lead to one block and are told apart, ranges of them, and instructions
    // looked at for the numbers that a value can be.
    VALUES_APART = 6,
    RANGES_APART = 16,
    NUMBERS_LOOKED_AT = 32,

    // Cells that a case of a summary tells one by one, and its conditions.
    MAX_EFFECTS = 64,
    MAX_GUARDS = 24,

    // Conditions of an error case.
    MAX_ERROR_GUARDS = 16,
};

#endif
