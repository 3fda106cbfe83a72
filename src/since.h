// check --since REF: what a change brings. The program as it was at the revision is analysed beside
// the program as it is, and only findings count that the first does not have and that are in, or
// connected by calls with, functions that the change touches.
//
// The old program is the new one with the old text in the place of the changed files: jobs that read
// none of these keep their units, the others are compiled once more with a file system overlay. Both
// analyses recall what earlier runs found of unchanged functions, so the cost is that of the change.
#ifndef SINCE_H
#define SINCE_H

#include "run.h"

typedef struct Since Since;

// Needs the new units made and linked, and nothing analysed yet. Null after a message.
Since *since_begin(Run *r);
// Baseline of what the old program has already; for CheckOptions.since.
const char *since_baseline(const Since *s);
// For CheckOptions.concerns, with the Since as context.
bool since_concerns(void *since, const Finding *f);
void since_end(Since *s);

#endif
