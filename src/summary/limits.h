// Tuning of summaries: what each number trades.
#ifndef SUMMARY_LIMITS_H
#define SUMMARY_LIMITS_H

enum {
    // Cases that callers get of a function, and of a small one of at most so many instructions. More
    // cases keep "it returned 1" tied to "it has allocated", and each is a path in every caller.
    CASES_KEPT = 5,
    CASES_KEPT_SMALL = 8,
    SMALL_FUNCTION = 150,
    // Beyond this even unlike cases are dropped, and the summary is incomplete.
    CASES_MAX = 8,
    // More alternatives of a joined case, or more guards in all of them, are kept as "unknown": the
    // case is then possible wherever its guards are. More of them rule out more paths and cost time
    // at every call.
    MAX_WAYS = 12,
    MAX_GUARDS_OF_WAYS = 96,
};

#endif
