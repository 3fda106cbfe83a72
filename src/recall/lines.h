// Where a line stands among those that have code, so that a place in a function survives lines and statements that are put
// in before it.
//
// A place is so many lines with a call behind the first line of its function, from there so many lines with a branch, and
// from there so many lines with code. A comment moves nothing; a statement without a call moves nothing behind the next
// call, or the next branch. What a summary tells of places is mostly calls (which allocated a block, which released one)
// and branches.
#ifndef RECALL_LINES_H
#define RECALL_LINES_H

#include "base/mem.h"

#include <stdint.h>

// Lines of one file as a set of bits, with the number of members before each word.
typedef struct {
    uint64_t *words;
    uint32_t *before;
    uint32_t count; // of words
} LineSet;

typedef struct {
    LineSet code, calls, branches;
    uint32_t last; // the highest line with code
} Lines;

// Once `last` is known; then lines are added, then the sets are closed.
void lines_begin(Lines *l, Arena *a);
void lines_add(LineSet *s, uint32_t line);
void lines_close(Lines *l);

typedef struct {
    uint32_t calls;    // lines with a call behind the first; LINES_RAW: `line` counts lines from the first
    uint32_t branches; // lines with a branch behind that
    int32_t line;      // lines with code behind that
} LinePlace;
enum { LINES_RAW = INT32_MAX };

LinePlace lines_place(const Lines *l, uint32_t first, uint32_t line);
// 0: there is no such line any more.
uint32_t lines_find(const Lines *l, uint32_t first, LinePlace place);

#endif
