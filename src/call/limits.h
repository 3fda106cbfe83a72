// Tuning of calls: what each number trades.
#ifndef CALL_LIMITS_H
#define CALL_LIMITS_H

enum {
    // Functions that a call through a pointer may reach before it is one of unknown code, and where
    // not all that it may reach are known.
    FEW_TARGETS = 8,
    FEW_OF_MANY = 3,

    // Error cases of one finding of a callee, and calls that one is handed up. More refute more and are
    // looked at by every caller. Steps for all of a function's calls: beyond them nothing is refuted.
    ERROR_WAYS = 3,
    ERROR_DEPTH = 8,
    ERROR_STEPS = 4000,
    ERROR_STEPS_PER_INS = 8,

    // Cells that a case writes, for which there is room on the stack.
    FEW_EFFECTS = 32,

    // Bytes of a struct that a library function fills, whose words are kept apart.
    STRUCT_FILLED = 512,
};

#endif
