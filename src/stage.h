// The pipeline: from what the command line names to a report.
//
// main.c fills Options and calls one of the functions here; each returns the exit status:
// 0 nothing found, 1 findings, 2 usage or unusable input, 3 incomplete and nothing found, 4 the
// observed build failed, whatever was found.
#ifndef STAGE_H
#define STAGE_H

#include "base/diag.h"
#include "base/vec.h"
#include "check/check.h"
#include "report/report.h"

#include <stdbool.h>

enum {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1,
    EXIT_UNUSABLE = 2,
    EXIT_INCOMPLETE = 3,
    EXIT_BUILD_FAILED = 4
};

typedef VEC(const char *) Words;

typedef enum {
    INPUT_LAST,     // nothing named: the units of the last run
    INPUT_FILES,    // source files (show also takes units)
    INPUT_DATABASE, // compile_commands.json or the directory that holds it
    INPUT_BUILD,    // a build command
    INPUT_UNITS,    // unit files
    INPUT_COMMAND,  // one compiler command
} InputKind;

// What the evaluation leaves out: what the value flow and the projection allow, and effort where
// nothing is obtained (eval/silent.c); the latter alone; nothing.
typedef enum { PRUNE_ALL, PRUNE_EFFORT, PRUNE_NOTHING } Prune;

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct {
    InputKind input;
    Words files; // sources or units
    Words flags; // for clang, after "--"
    const char *database;
    Words only;        // with a database: the files of which to tell
    const char *since; // a git revision: tell what the change since then brings; or null
    char **build; // null-terminated
    Format format;
    const char *output; // null: standard output
    uint32_t jobs;
    CheckOptions check;
    Words specs;
    const char *write_baseline;
    const char *category; // of the SARIF log, or null
    ColorMode color;
    bool quiet, verbose, no_cache, no_project_specs, no_record, stats, dot, indirect;
    Prune prune;
    const char *out_dir;   // confirm: where the program goes; null: .stanch/repro
    const char *cache_dir; // null: .stanch/cache
    const char *store;     // shared by machines; null: none
    const char *root;      // the working directory
    const char *title;     // the command line, for the history
    const char *models;    // directory; null when not found
    const char *plugin;    // the lowering module; null when not found
    const char *self;      // this executable
} Options;

// check, run, link.
int stage_check(const Options *o, Diag *d);
// unit FILE -o UNIT.
int stage_unit(const Options *o, Diag *d);
// unit -- COMPILER ARGUMENTS: OBJECT.unit beside each object that the command would write.
int stage_unit_command(const Options *o, Diag *d);
// show WHAT [SELECTOR]. `what` is one of stage_show_word.
int stage_show(const Options *o, Diag *d, const char *what, const char *selector);
// show witness ID, of the last run; stage_show calls it.
int stage_witness(const Options *o, Diag *d, const char *id);
// confirm [ID...].
int stage_confirm(const Options *o, Diag *d, const char *const *ids, uint32_t count);
// "units", "ir", ...; null after the last.
const char *stage_show_word(uint32_t i);
// Whether it can be drawn (--dot).
bool stage_show_draws(const char *what);

#endif
