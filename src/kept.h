// What later commands want of the last run's findings: those that were witnessed, with their records,
// and how the units were compiled. Kept beside the cache, sealed like all in it (cache/secret.c): it
// is believed only if this user's stanch wrote it, since `confirm` compiles and runs by it.
#ifndef KEPT_H
#define KEPT_H

#include "run.h"

typedef struct {
    const char *fingerprint, *why; // found, but not witnessed
} Unwitnessed;

typedef struct {
    Findings *findings; // witnessed, with their fingerprints
    VEC(Unwitnessed) others;
    VEC(const char *) sources; // that may be quoted
    VEC(CaptureJob) jobs;
} Kept;

void kept_save_jobs(Run *r);
void kept_save_findings(Run *r);
// False after a message.
bool kept_load(Run *r, Kept *k);
void kept_free(Kept *k);

// What came of `confirm`, for the reports of later runs.
void kept_confirm(Run *r, const Finding *f, Confirmed verdict, const char *why);
void kept_confirmed(Run *r, Findings *fs);

#endif
