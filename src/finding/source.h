// The text of source files, read once and cut into lines: for source lines in reports, for
// suppression comments and for fingerprints.
#ifndef FINDING_SOURCE_H
#define FINDING_SOURCE_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    const char *path; // absolute
    const char *text; // "" when it could not be read
    size_t len;
    uint32_t lines;
    const uint32_t *starts; // offset of each line; starts[lines] is len
    int error;              // errno of reading it
    bool hidden;            // not to be shown: the compiler did not read this file
    int64_t changed_at;     // nanoseconds since 1970
} Source;

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *s);
// From now on only files that were allowed may be shown, since the positions in a program are
// made of #line directives as well, which name whatever they like. Others below `root`, reached
// without a link, are still read, for suppressions and fingerprints: grammars are such files.
void sources_restrict(Sources *s, const char *root);
void sources_allow(Sources *s, const char *path);
// The same for a file that is only shown if it is below `root`, reached without a link.
void sources_allow_below(Sources *s, const char *path);
// Never null: a file that cannot be read has an error, no text and no lines.
const Source *source_of(Sources *s, const char *path);
// The text of a file as another file has it: an earlier version. Before the first source_of.
void source_give(Sources *s, const char *path, const char *from);
// The line without its end; null when there is no such line. Lines count from 1.
const char *source_line(const Source *s, uint32_t line, size_t *len);
// Whether what was compiled is no longer what is there: the file vanished, is younger than the
// compile, or lacks the line. compiled_at 0 means unknown. Null, or the words for a note.
const char *source_doubt(const Source *s, uint32_t line, int64_t compiled_at);

#endif
