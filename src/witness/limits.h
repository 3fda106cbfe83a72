// Tuning of replays: what a finding may cost, and how large the world is that is made up for it.
#ifndef WITNESS_LIMITS_H
#define WITNESS_LIMITS_H

enum {
    // Runs and instructions for one sure finding; the path's rounds of loops are kept in the first half.
    // More decide a few findings more and cost as much for each that stays undecided.
    RUNS = 60,
    ALL_STEPS = 200000,
    // The same for a likely finding, which a replay can only refute, and for a sure one of a function whose
    // findings have spent FUNC_STEPS: nearly all that can be witnessed are within the first few runs.
    SHORT_RUNS = 12,
    SHORT_STEPS = 10000,
    FUNC_STEPS = 1000000,
    // Instructions of one run, and its memory. Code behind long loops is not reached.
    STEPS = 20000,
    BYTES = 8 << 20,
    // Changes of choices on which nothing was seen to depend, before a finding is undecided.
    STRAYS_MAX = 20,
    // Numbers that one choice can be. Comparisons add some; what comes after is not tried.
    OPTIONS_MAX = 12,

    // Memory from outside: the first size of a block, how far it can grow on either side, and how
    // many there are; pointers beyond those are null.
    INPUT_BYTES = 4096,
    INPUT_ROOM = 1 << 17,
    INPUT_BLOCKS = 64,
    // The distance of a model's free numbers; a number made smaller by it makes loops shorter.
    SPACED = 1 << 20,
    // Numbers of the model so close lead into one block.
    NEAR = 4096,
    // The first number of a resource: like no other number of a program.
    RESOURCE = 1000003,
    // Numbers from here on that look like a resource's are one.
    UNLIKELY = 1000000,

    // Values of the caller's memory that a misuse may need and be sure: judged ones that are true read 10 at
    // most, false ones 12 to 23. More calls more of them sure.
    ASSUMED_VALUES = 12,
    ASSUMED_DEPTH = 1, // calls to where it is released

    // A block that a replay obtains has at most so many bytes: a run that needs more ends there.
    FRESH_MAX = 1 << 16,
    // Bytes of a handle whose size only its library knows.
    HANDLE_BYTES = 4096,
    // Words of memory that unseen code may keep when it is given a pointer to it.
    KEPT_WORDS = 512,
    // Bytes of a local that unseen code may have changed when it is given a pointer to it; a larger
    // one is taken for a buffer, whose content decides little.
    CHANGED_BYTES = 256,
    // Bytes of a text whose origins a copy takes along.
    CARRIED_BYTES = 4096,
    // Arguments of one call, and parameters of the function that a replay begins with.
    ARGS_MAX = 256,
    PARAMS_MAX = 64,

    // What is told of a run, in the function and below it; the rest is counted.
    DECISIONS_MAX = 1000,
    DEEP_DECISIONS_MAX = 200,
    CALLS_MAX = 3000,
    CELLS_MAX = 4000,

    // Active functions, and computations that wait for one (sorting with a callback).
    DEPTH_MAX = 4000,
    NESTED_MAX = 40,
    // Bytes between two blocks: an access just outside is seen as that.
    REDZONE = 32,
};

#endif
