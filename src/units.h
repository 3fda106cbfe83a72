// Compile jobs to units: from the cache where nothing has changed, else by a child process for
// each unit that runs clang and lowers its bitcode. A child that fails, crashes or runs too long
// costs its file only. Units come in job order, whatever the order in which children end.
//
// Lowering is a module of its own, loaded when the first unit has to be made: loading LLVM costs
// some 25 ms of processor time, which a run without changes, and every compiler call of an
// observed build, would pay for nothing. The children inherit it loaded.
#ifndef UNITS_H
#define UNITS_H

#include "cache/cache.h"
#include "capture/capture.h"
#include "stage.h"
#include "unit/unit.h"

typedef struct {
    const char *source; // absolute
    Unit *unit;         // null: failed
    const char *reason; // why it failed, one line
    Hash128 object;     // its place in the cache
    bool cached;        // `object` is valid
    const char **files; // --since: what it was made from, the source first
    uint32_t file_count;
    uint32_t number;    // for the caller: its place among the units that could be had
} MadeUnit;

typedef VEC(MadeUnit) MadeUnits;

// False when nothing can be made at all: no clang, no module, interrupted; the message is given.
// *files gets the paths of all files that were read, the sources first, without repetition.
bool units_make(const Options *o, Diag *d, Arena *a, Cache *cache, const Capture *capture,
                MadeUnits *made, Words *files);

// One unit file, text (.u) or binary, and the hash of its bytes. Null after a message.
Unit *unit_load(const char *path, Hash128 *content, Diag *d);

// A program that results depend on, as part of a key.
void key_of_tool(CacheKey *k, const char *path, bool by_content);

void units_free(MadeUnits *made);

// Adds the paths of the units below a directory; links are not followed. None is an error, which is said.
void units_below(Arena *a, Diag *d, const char *directory, Words *out);

#endif
