// Tuning of the value flow. A slice that meets a limit gives up: its verdict is `partly`, so that the
// evaluation looks at what a larger limit might have proved freed. All trade the time of this stage for
// that of the next; none can make a verdict wrong.
#ifndef FLOW_LIMITS_H
#define FLOW_LIMITS_H

enum {
    // Nodes that a forward slice reaches; callees entered below each other, functions entered in all.
    MAX_REACHED = 4000,
    MAX_DEPTH = 8,
    MAX_CONTEXTS = 300,
    // Callers that a returned value is followed to, and how far up.
    MAX_CALLERS = 16,
    MAX_UP = 3,
    // Steps of all slices of one function: about half a second.
    SLICE_STEPS = 1500000,
    // Functions of more nodes have no array in each of their contexts: memory for time.
    MOST_IN_ARRAY = 1 << 14,
    // Nodes of a slice's conditions, and steps on them: a step is a pair of nodes looked at, or an
    // edge of a graph on which conditions are passed on; some hundred are usual.
    MAX_NODES = 20000,
    MAX_STEPS = 500000,
    // Calculations that a number is followed through to see that it stands for nothing.
    NUMBER_STEPS = 4,
    // Ways of a condition that are printed, and letters of one that a reader can check at once: a
    // finding with a longer one is for the audit.
    WAYS_PRINTED = 8,
    MAX_CONDITION = 80,
};

#endif
