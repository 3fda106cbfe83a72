// Tuning of the decision procedures: what each number trades.
#ifndef LOGIC_LIMITS_H
#define LOGIC_LIMITS_H

enum {
    // How deep a composed term is looked into for its range. More decides more branches without a
    // question and costs at every look-up.
    RANGE_DEPTH = 8,
    // Facts in which two paths may differ and still be joined without loss. More joins more exactly.
    UNION_DIFFS = 12,
    // Nesting of a term; beyond it an unknown stands for the rest, which may be anything.
    MAX_DEPTH = 24,
    // Products, quotients and shifts of two unknowns of at most so many bits become circuits for Z3;
    // wider ones are unknowns: some impossible paths then count as possible.
    EASY_WIDTH = 16,
    // The local search: changes of one unknown before it gives up and Z3 is asked, and one of so many
    // made although it breaks more than it mends, to get out of a dead end.
    MOVES = 600,
    SIDEWAYS = 5,
    // Unknown addresses are first put so far apart, so that blocks do not overlap.
    SPACING = 4096,
    // Z3's own count of steps for one question, and the facts beyond which it is not asked: the path
    // then counts as possible.
    STEP_LIMIT = 1000000,
    MAX_FACTS = 400,
};

#endif
