// Shared by the files of this module only.
#ifndef CHECK_CHECK_INT_H
#define CHECK_CHECK_INT_H

#include "check/check.h"

// Orders for sorting; 0 means nothing tells them apart. Null strings come first.
int text_compare(const char *a, const char *b);
int pos_compare(Pos a, Pos b);
// Every field that the stages fill: a total order up to findings that are equal.
int finding_compare(const Finding *a, const Finding *b);

// Where the finding is shown: the loss, or the allocation when the loss has no position.
Pos finding_place(const Finding *f);

// Whether the run looked at the function, so that a finding there that did not come back is
// fixed. `path` is relative to root or absolute. Errs towards "not looked at": a finding is then
// kept as open rather than called fixed.
bool findings_looked_at(const Findings *fs, const char *root, const char *path,
                        const char *function);

#endif
