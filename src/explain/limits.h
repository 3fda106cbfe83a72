// Tuning of what is told of a path: more is more to read.
#ifndef EXPLAIN_LIMITS_H
#define EXPLAIN_LIMITS_H

enum {
    MAX_WHEN = 3, // conditions in the headline
    // Paths to one place of which a finding is made: those that come later are merged with these
    // anyway. Each costs a question to the solver.
    PATHS_REPORTED = 4,
    LIKELY_PATHS_REPORTED = 1, // where it is not sure
    // Lines by which the test of a condition's last operand may follow the branch's own place.
    TEST_LINES = 8,
    // Blocks between a branch and where its sides meet that are looked at before it is said to decide
    // nothing; blocks and branches of a path gone back through for the one that governs a call.
    REGION_BLOCKS = 64,
    CHAIN_BLOCKS = 256,
    GOVERNORS_LOOKED = 24,
    OTHERS_NOTED = 24, // blocks that are there beside the lost one
    MAX_ORIGIN = 8, // calls between an allocation, a release or a use and the caller that are remembered
    LEADS_DEEP = 3, // merges and fields gone back through to see that a value is not the object
    DISPOSALS = 12, // arguments and fields of a function of which it is asked why a path left them alone
    ARGUMENTS_TOLD = 3, LITERAL_BYTES = 32, // of a call whose result is asked
    USE_CHAIN = 8,  // fields and elements between a pointer and what is read through it
    // Choices of a path that are weighed against those of other paths, a bit of a mask each: the newest.
    CHOICES_WEIGHED = 64,
    EVENTS_WEIGHED = 4, // of these, calls that fail
    // Steps of other paths that are gone back through for the findings of one function; then all is told.
    WEIGHING_STEPS = 4000000,
    // In the picture of the heap.
    MAX_OBJECTS = 12,
    MAX_VARIABLES = 12,
};

#endif
