// Tuning of ownership inference. What meets a limit says nothing: errs towards missed findings, and a
// function that is too large is given up aloud.
#ifndef OWN_LIMITS_H
#define OWN_LIMITS_H

enum {
    // Sum of the live ranges of a function's pointers, in instructions: beyond it the function is
    // given up. Time and memory are proportional to it.
    LIVE_BUDGET = 400000,
    // Variables whose reasons are followed for a place: more are of no use to a reader.
    REASONS_FOLLOWED = 50,
    // Containers of containers.
    TYPE_DEPTH = 12,
    // Interfaces that are worked out below each other before their turn comes: stack for precision.
    OUT_OF_TURN = 40,
    // Functions that one parameter is handed to, of which the names are kept.
    HANDED_TO = 3,
    // Functions below one that are asked whether they read a field: beyond it they may.
    CALLEES_FOLLOWED = 300,
    // A struct that is used this often for each element that goes in is no container: drafts of
    // specifications alone depend on it.
    USES_PER_PUT = 20,
};

#endif
