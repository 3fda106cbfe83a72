// Tuning of how often a place is met: all err towards "often", and so towards showing a finding.
#ifndef IMPACT_LIMITS_H
#define IMPACT_LIMITS_H

enum {
    // Calls of callers, and of theirs, that may be looked at when it is followed whether the program ends; the
    // visits to one block before values count as unknown; callees that leave a null behind.
    MOST_CALLS = 2000,
    VISITS = 64,
    NULLS_LEFT_DEEP = 6,
    // Callers of callers that may have opened the file which a loop reads.
    CALLERS_OPEN_DEEP = 4,
    // Steps from a pointer that is called, or from a test, back to where it comes from.
    CHAIN_DEEP = 8,
    // Structs of structs in which code that we do not see looks for functions to call.
    GIVEN_DEEP = 3,
    // Structs within structs that are asked for functions.
    NESTED_DEEP = 4,
    // Members of structs through which a function is handed on by assignments, and choices between values there.
    ASSIGNED_DEEP = 4,
    // Functions and values through which the result of a fork is handed on.
    FORKS_DEEP = 4,
    // Rounds of a loop over a table that a program goes through once, at its start say.
    FEW_ROUNDS = 100,
    // Parameters of a function that are followed.
    MAX_WORDS = 32,
};

#endif
