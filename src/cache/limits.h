// Tuning of the cache and of the store that machines share: what each number trades.
#ifndef CACHE_LIMITS_H
#define CACHE_LIMITS_H

enum {
    // Units of one source that are remembered, for different headers or macros that it saw: a
    // branch that is switched back to costs no compile.
    MAX_VARIANTS = 4,

    // Bytes that wait in memory before a pack is written: what a killed run loses.
    PACK_BYTES = 16 << 20,
    // Bytes that packs in memory may have together; what does not fit is evaluated again.
    MEMORY_BYTES = 512 << 20,
    // Packs that are looked into: each costs a descriptor and a search. More are joined.
    MOST_PACKS = 48,
    // One result, that of a large cycle of calls: more is evaluated again.
    MOST_RECORD = 256 << 20,
    // Bytes that are written at once.
    COPY_BYTES = 1 << 20,

    // Milliseconds. A server in the same network answers within one; more is worth less than it costs.
    CONNECT_MS = 1000,
    ANSWER_MS = 3000,
    // The first pause after a failure; each further one doubles it.
    PAUSE_MS = 250,
    MOST_PAUSE_MS = 15000,
    // Bytes of one value.
    MOST_VALUE = 64 << 20,
    // Answers to values that nobody has read yet: more would fill the server's buffers.
    MOST_UNREAD = 64,
    // Seconds that a value is kept when nobody says otherwise.
    KEEP_SECONDS = 14 * 24 * 3600,
};

#endif
