// What the history of a project holds, read at once.
#ifndef CHECK_HISTORY_H
#define CHECK_HISTORY_H

#include "base/diag.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct {
    bool fixed; // else new
    const char *rule, *path, *message;
    int64_t line;
} HistoryChange;

typedef struct {
    int64_t id, time; // seconds since 1970
    const char *title;
    int found, fresh, fixed, units, units_total, given_up;
    VEC(HistoryChange) changes;
} HistoryRun;

typedef struct {
    HistoryChange what;
    int64_t run, since; // of the run that found it first
} HistoryOpen;

typedef struct {
    VEC(HistoryRun) runs; // newest first
    VEC(HistoryOpen) open; // oldest first
} History;

// Texts are in the arena. No history is an empty one; false after a message.
bool history_read(const char *dir, uint32_t limit, Arena *a, History *h, Diag *d);
void history_free(History *h);
const char *history_time(Arena *a, int64_t seconds); // "2023-11-14 22:13:20"

#endif
