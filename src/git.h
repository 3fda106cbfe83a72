// What has changed since a revision, asked of git. The repository is not trusted: no hook, external
// diff, text conversion or file system monitor of its configuration is run.
#ifndef GIT_H
#define GIT_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>

// Lines of the file as it is now. A deletion is the two lines around it.
typedef struct {
    uint32_t first, last;
} LineRange;

typedef struct {
    const char *path; // absolute
    bool before, now; // exists in the revision; in the working tree
    VEC(LineRange) lines;
} GitChange;

typedef struct {
    const char *top;    // of the working tree, absolute
    const char *commit; // full name: the revision, or where the branch began if it has moved on since
    VEC(GitChange) changes;
} GitDiff;

// The working tree that holds `dir` against a revision, files that git does not know yet among
// them. False after a message: no repository, no such revision, no git.
bool git_diff(Arena *a, Diag *d, const char *dir, const char *revision, GitDiff *out);

// The bytes of a file in the revision; null when it cannot be had. Free with mem_free.
char *git_show(Arena *a, const GitDiff *g, const char *path, size_t *len);

#endif
