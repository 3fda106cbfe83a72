// Tuning of what is lost: what each number trades.
#ifndef LOST_LIMITS_H
#define LOST_LIMITS_H

enum {
    // Error cases of a summary that come from callees, and of the function itself. More refute more and
    // are looked at by every caller.
    MAX_ERRORS = 24,
    MAX_OWN_ERRORS = 40,

    STORIES_BACK = 200,   // events of a path, where an earlier round's test is looked for
    LENT_KEPT = 16,       // addresses in containers that a path follows
    FIELDS_DEEP = 4,      // structs in structs, where a field is looked for by its type
    GUESSES_REPORTED = 3, // a path with more guesses is one of very many: held back until all are known
};

#endif
