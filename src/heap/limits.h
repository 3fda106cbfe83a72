// Tuning of the symbolic heap: what each number trades.
#ifndef HEAP_LIMITS_H
#define HEAP_LIMITS_H

enum {
    // How many dereferences of unknown memory are told apart (Sparrow's k). Beyond it all that is
    // reached is one: errs towards aliases.
    EXPLORE_DEPTH = 6,

    // Paths that are kept apart where they meet. More are exact for longer and cost in proportion.
    STATES_KEPT = 12,       // in a small function
    STATES_KEPT_LARGE = 8,  // in others while some object is on its way
    STATES_KEPT_PLAIN = 3,  // and while none is
    STATES_KEPT_LEAST = 2,  // when the function is over budget
    STATES_KEPT_SILENT = 1, // and no object is on its way
    // Beyond this, paths are joined that differ in what they hold: nothing is claimed of that.
    STATES_MAX = 24,
    STATES_MAX_SMALL = 40, // in a small function while its budget lasts
    STATES_EXACT = 12,     // of which so many go on alone when the others are joined
    STATES_COVERING = 8,   // in others: one for each object that is open
    NAMES_CHANGED = 8,     // objects of a path that get the names of another's (rename.c)
    STATES_LEAVING = 64,   // on their way out of the function, within so many blocks of its end
    BLOCKS_NEAR_END = 12,
    EXITS_KEPT = 24,
    // So many are compared each with each for a join without loss; of more, each with its neighbours.
    STATES_PAIRED = 96,
    NEIGHBOURS = 8,
    // Values that are joined for the price of one step, and entries that are only looked at.
    JOINED_PER_STEP = 4,
    LOOKED_PER_STEP = 128,
    LOOKS_OF_JOIN = 8, // that an entry in which joined states differ counts for
    // Objects of one path beyond which a test is asked only about those that it names, and those of
    // joined paths are looked through at once.
    MANY_OBJECTS = 64,
    // Events back in a path's story that are compared with another's.
    STORIES_LOOKED_AT = 64,
    // Cells of a state that a join looks up in the other one, in a function over budget.
    CELLS_FILLED = 100,

    // How far down two lists of choices are compared for what both paths have chosen, and the terms
    // that alternatives are recognised by when there are too many of them: a test of two values asks for
    // four, each value and its comparison.
    CHOICES_COMPARED = 12,
    NEWEST_TERMS = 8,

    // Bytes copied and zeroed cell by cell, and bytes of a struct value that is kept in pieces;
    // beyond these the contents are unknown.
    COPY_LIMIT = 512,
    ZERO_LIMIT = 256,
    AGGREGATE_LIMIT = 64,
    CONTENT_PARTS = 16, // of a block whose contents are known by parts

    // What a state may grow by, beside half of its size, before it is swept again.
    SWEPT_SLACK = 16,

    // Steps of a function with full effort, then with less: a start and a share for each
    // instruction. Beyond both, paths that meet are one.
    FULL_STEPS = 2500,
    FULL_PER_INS = 5,
    LESS_STEPS = 4000,
    LESS_PER_INS = 6,
    SILENT_STEPS = 500, // of a function in which nothing can be lost
    SILENT_PER_INS = 1,
    FIRST_ROUND_DEARER = 3, // the first round of a recursion counts so many times
    SHARE_INS = 1500,       // a giant gets no more than a function of so many instructions
    LEAST_BYTES = 64 << 20, // nor has one that fills so much memory
    MOST_BYTES = 160 << 20, // with so much it is given up

    // Parameters of which it is known what is certainly not done to them (a word has as many bits), and
    // passes over the function before nothing is said.
    CERTAIN_PARAMS = 32,
    CERTAIN_ROUNDS = 16,

    // Rows of a constant table that are compared with what a path knows of one of them.
    TABLE_ROWS = 64,

    // Bytes for the values that are alive at either end of its blocks with which it is given up too.
    MOST_LIVE_BYTES = 32 << 20,
};

#endif
