// confirm: makes a finding happen for real.
//
// Comes in: a finding with the record of its witness, and how the files were compiled. Goes out: a
// folder with a program (repro.c, repro.h, Makefile) that calls the project's own function with the
// witness's inputs, and a verdict: what AddressSanitizer and LeakSanitizer said when it ran.
//
// It runs the project's code, so it is done on request only: with limits on time, memory and files,
// in bubblewrap where that works, else held by Landlock and seccomp. All names that come from the
// project are untrusted: nothing goes through a shell, comments and strings are escaped, symbols
// with odd characters are refused, and the tools write to a directory of their own, never below
// .stanch.
#ifndef CONFIRM_CONFIRM_H
#define CONFIRM_CONFIRM_H

#include "capture/capture.h"
#include "finding/finding.h"

typedef struct {
    const char *clang, *objcopy, *symbolizer; // absolute; symbolizer may be null
    const char *bwrap;                        // null: there is none, or it does not work here
    const char *root;                         // the project
    const CaptureJob *jobs;                   // of the last run
    uint32_t job_count;
} ConfirmTools;

// False after a message: something that is needed is missing.
bool confirm_tools(Arena *a, ConfirmTools *t, Diag *d);

typedef struct {
    Confirmed verdict;
    const char *why; // one line; "" when there is nothing to say
    // The folder's files; null where it came to none.
    const char *program, *makefile, *output;
} Confirmation;

Confirmation confirm_finding(Arena *a, const ConfirmTools *t, const Finding *f);
// The file that every program includes.
const char *confirm_header(void);

#endif
