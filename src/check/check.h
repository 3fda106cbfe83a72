// From raw findings to a report: one finding for one defect.
//
// Requires: all raw findings of a run, and the sources. Gives, after check_run: one finding for one
// defect, ranked, with a fingerprint that survives edits elsewhere, suppressed and known ones set
// apart, and the path cut to the events worth showing. Promises: the order and every byte depend
// only on the findings and the sources, never on the order in which threads delivered them.
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "base/diag.h"
#include "base/out.h"
#include "finding/finding.h"

typedef struct {
    Level level;         // findings beyond it are left out
    Impact impact;       // those of less impact are counted, not shown
    Without without;     // doubts and assumptions that are switched off
    uint32_t rules_off;  // bit for each Rule that is left out
    bool each;           // those of one cause are not told as one
    uint32_t max_events; // shown for each finding; 0: 10
    const char *root;    // the working directory: globs and messages are relative to it
    VEC(const char *) suppress_files;
    const char *baseline; // file to compare with, or null
    const char *since;    // a second one, of an earlier revision: what is gone there is not told
    // Null, or which findings are asked for.
    bool (*concerns)(void *context, const Finding *f);
    void *context;
} CheckOptions;

// "+leak-at-exit,-double-free" into rules_off; a bare list "leak,double-free" means only these.
// False after a message.
bool check_rules(const char *text, uint32_t *rules_off, Diag *d);

// Merge, fingerprint, suppress, filter, compare with the baseline, rank, quote, join, group by cause, fold: in
// that order. Warnings about suppressions go to d. False, after a message, when a file named in the options
// cannot be used.
bool check_run(Findings *fs, const CheckOptions *o, Sources *sources, Diag *d);

// Before it: findings that so many of a function's calls would cause that they must be wrong go to
// the audit. `calls` says how many calls of it there are; 0: what it gives is known from a spec.
typedef uint32_t CallCount(void *context, const char *function);
void check_doubt(Findings *fs, CallCount *calls, void *context);

// Its parts, each needing those before it.
void check_merge(Findings *fs);
void check_fingerprint(Findings *fs, Sources *sources);
bool check_suppress(Findings *fs, const CheckOptions *o, Sources *sources, Diag *d);
void check_filter(Findings *fs, const CheckOptions *o);
bool check_baseline(Findings *fs, const CheckOptions *o, Diag *d);
void check_rank(Findings *fs);
void check_quote(Findings *fs, Sources *sources);
void check_join(Findings *fs);
void check_cause(Findings *fs, bool each, Sources *sources);
void check_fold(Findings *fs, uint32_t max_events);

// Writes all findings that are not suppressed as a baseline, beside and then renamed. 0 or errno.
int baseline_write(const Findings *fs, const char *root, const char *path);

// The history of a project, <dir>/history.db; dir is made when missing. `now` is seconds since
// 1970 and `title` what the run was ("check src/a.c"). False after a message.
bool history_record(const Findings *fs, const char *dir, const char *root, const char *title,
                    int64_t now, Diag *d);
// What came of making a finding happen. Reports take it from a record that is sealed (kept.h): a
// repository can bring a history of its own.
bool history_confirm(const char *dir, const char *fingerprint, Confirmed verdict, const char *why,
                     int64_t now, Diag *d);
// `stanch history`: the runs, newest first, with what was new and what was fixed in each. A limit of 0: all.
bool history_print(Out *o, const char *dir, uint32_t limit, Diag *d);
// The same as a page: findings over time, the runs, and what is open since when.
bool history_page(Out *o, const char *dir, const char *project, uint32_t limit, Diag *d);

#endif
