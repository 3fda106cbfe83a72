// The state of one run, shared by the files that drive the stages and by show/show.c.
#ifndef RUN_H
#define RUN_H

#include "cache/cache.h"
#include "capture/capture.h"
#include "eval/eval.h"
#include "flow/flow.h"
#include "link/program.h"
#include "spec/spec.h"
#include "stage.h"
#include "units.h"

typedef struct {
    const char *name;
    double cpu, wall; // seconds
    long peak;        // MiB of this process at the end of the stage
} StageTime;

typedef struct {
    const Options *o;
    Diag *d;
    Arena *arena;
    Cache *cache;
    const char *cache_path; // null: --no-cache
    Capture capture;
    MadeUnits made;
    VEC(Unit *) units; // all that could be had, in order
    VEC(Unit *) owned; // those of them that are not in `made`
    VEC(const char *) owned_paths;
    VEC(Hash128) owned_content;
    VEC(const char *) sources; // by unit
    uint32_t total;            // units asked for
    Words files;               // read by the compiler
    LinkInfo links;
    VEC(LinkStep) last_steps; // from the record of the last run
    VEC(const char *) last_needed;
    Programs programs;
    Map few; // what plug-ins hand over and is called a few times, see impact/impact.h
    Names *spec_names;
    SpecTable *specs;
    bool models_missing; // some or all of them: the run is incomplete
    bool user_specs;     // set by keep_key: there are some
    Findings *findings;
    uint32_t recalled; // functions that were not evaluated, since nothing changed for them
    VEC(StageTime) stages;
    VEC(StageTime) parts;             // of the stage "analyse", over all programs
    uint32_t verdicts[FLOW_VERDICTS]; // of the value flow
    EvalWork work;
    WitnessCounts witness;                    // of the evaluation
    double cpu, wall, started;
    CacheCounts cache_counts;
} Run;

// linking.c: units and steps to programs.
void run_link(Run *r);

// stage.c
void run_begin(Run *r, const Options *o, Diag *d);
void run_end(Run *r);
void run_read_specs(Run *r);
void run_analyse(Run *r); // programs to raw findings

// missing.c: says which functions a program was linked without, though some unit defines them.
void missing_say(Run *r);

// show.c
bool show_print(Run *r, Out *out, const char *what, const char *selector);
// Nothing was printed: says what `what` prints, and what there is at the place that was selected.
void show_nothing(Run *r, const char *what, const char *selector);

// last.c: the units of a run, remembered beside the cache by their keys there. How they were compiled is
// kept apart, for `confirm` alone (kept.h).
void last_save(Run *r);
bool last_load(Run *r);

// results.c: findings of an analysis of the same things. False: there is no key, as some unit is
// not in the cache.
bool keep_key(Run *r, Hash128 *key);
void keep_write(Run *r, Hash128 key);
// False: not there, or damaged.
bool keep_read(Run *r, Hash128 key);
// With what the keys of all results of the evaluation begin. False: nothing is kept after the run.
bool keep_results_key(Run *r, Hash128 *key);

#endif
