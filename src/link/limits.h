// Tuning of linking.
#ifndef LINK_LIMITS_H
#define LINK_LIMITS_H

enum {
    // Calls of calls that are followed to see whether a function of another program comes back; a
    // deeper one counts as one that does: errs towards paths that are looked at.
    CALLS_DEEP = 4,
    // Aliases of aliases; a longer chain is a cycle.
    MAX_HOPS = 64,
};

#endif
