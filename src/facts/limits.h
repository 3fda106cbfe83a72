// Tuning of what the whole program says.
#ifndef FACTS_LIMITS_H
#define FACTS_LIMITS_H

enum {
    // Different numbers that are followed into a global that a switch asks for. With more of them the
    // default counts as taken.
    NUMBERS_KEPT = 12,
    // Blocks that are gone back to find what a switch was asked with.
    BLOCKS_BACK = 8,
    // Steps from a value to what it is made of, calls included, to find that it is not null.
    LOOKS = 12,
    // Instructions that may be looked at for all of a function's stores: a start and a share for each of
    // its own. Beyond them a value counts as null.
    LOOKS_START = 20000,
    LOOKS_PER_INS = 20,
    // Functions that a half-built struct is followed through. Beyond them its field counts as null.
    HALF_SEEN = 2000,
    // Bases of an exception's type, one above the other; beyond them it counts as expected, and as caught
    // perhaps. And of one type beside each other; the others count as none.
    BASES_FOLLOWED = 8,
    BASES_MOST = 8,
    // Other types of the family that handlers name, before one that none names counts as unexpected.
    NAMED_OTHERS = 2,
    // Functions that release what an unknown one gives before it is believed to allocate; and so many
    // for each that says otherwise. Fewer find more and are wrong more often.
    RELEASING_CALLERS = 2,
    OTHERWISE_FOR_EACH = 3,
};

#endif
