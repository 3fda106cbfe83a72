// Tuning of what the whole program says.
#ifndef FACTS_LIMITS_H
#define FACTS_LIMITS_H

enum {
    // Different numbers that are followed into a global that a switch asks for. With more of them the
    // default counts as taken.
    NUMBERS_KEPT = 12,
    // Blocks that are gone back to find what a switch was asked with.
    BLOCKS_BACK = 8,
};

#endif
