// Shared by the files of this module.
#ifndef CONFIRM_CONFIRM_INT_H
#define CONFIRM_CONFIRM_INT_H

#include "confirm/confirm.h"

typedef VEC(const char *) Strings;

// What is compiled and linked.
typedef struct {
    Arena *arena;
    const Witness *w;
    VEC(const CaptureJob *) units; // the first has the function
    Strings globalized;            // symbols that may be static
    Strings wrapped;               // symbols whose calls go to the script
    const char *why;               // not null: it cannot be done
} Repro;

// write.c
void repro_plan(Repro *r, const ConfirmTools *t);
const char *repro_program(Repro *r, const Finding *f, const ConfirmTools *t);
const char *repro_makefile(const Repro *r, const ConfirmTools *t);
// The commands; files are in the current directory. Null-terminated.
const char **repro_compile(const Repro *r, const ConfirmTools *t, uint32_t unit, const char *object);
const char **repro_globalize(const Repro *r, const ConfirmTools *t, const char *object);
const char **repro_compile_program(const Repro *r, const ConfirmTools *t, const char *dir);
const char **repro_link(const Repro *r, const ConfirmTools *t, const char *dir);

// run.c
typedef struct {
    bool started, timed_out;
    int status; // as wait tells it
    const char *text; // what it printed
} Ran;
Ran run_tool(Arena *a, const char *dir, const char *const *argv, int rules);
Ran run_plain(Arena *a, const char *dir, const char *const *argv); // held by nothing
Ran run_program(Arena *a, const ConfirmTools *t, const char *dir);

// judge.c
void judge(Arena *a, const Finding *f, const Ran *ran, Confirmation *out);

#endif
