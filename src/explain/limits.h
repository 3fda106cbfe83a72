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
    // In the picture of the heap.
    MAX_OBJECTS = 12,
    MAX_VARIABLES = 12,
};

#endif
