// Tuning of the schedule.
#ifndef EVAL_LIMITS_H
#define EVAL_LIMITS_H

enum {
    // Rounds over a cycle of calls: the first gives the second something to start from.
    RECURSION_ROUNDS = 2,
    // Functions of a cycle for which a way out is looked for again and again; of more it would cost
    // too much, so that each is tried so many times only, and code after some calls may not be
    // looked at.
    SMALL_CYCLE = 32,
    WAYS_TRIED = 3,
    // Functions of a cycle that is evaluated callees first, so that a round takes what a function does through all of it. In
    // larger ones more is known that way, but it takes twice the steps (vim's 3,600).
    ORDERED_CYCLE = 256,
    // Targets of a call through a pointer that are asked whether they obtain or release anything.
    TARGETS_ASKED = 16,
    // Calls in a chain that are told of a finding.
    CHAIN_MAX = 16,
    // Milliseconds after which a component that another machine evaluates is asked for again, and how
    // often that doubles. Less asks the store more often, more leaves threads without work.
    PUT_OFF_MS = 4,
    PUT_OFF_DOUBLED = 5,
    // Of a thread: terms are walked by recursion, bounded by their depth.
    STACK_BYTES = 64 << 20,
};

#endif
