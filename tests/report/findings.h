// Findings built by hand over the small sources of tests/report/src, for the tests of reports and
// of what comes before them.
#ifndef TESTS_REPORT_FINDINGS_H
#define TESTS_REPORT_FINDINGS_H

#include "base/file.h"
#include "check/check.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

static inline Pos at(const char *path, uint32_t line, uint32_t col)
{
    return (Pos){path, line, col};
}

// A finding at a level: with a doubt that caps it there.
static inline Finding *finding_at(Findings *fs, Rule rule, Level level, const char *function,
                                  Pos alloc, Pos lost)
{
    Finding *f = finding_new(fs, rule, function, alloc, lost);
    if (level == LEVEL_LIKELY) finding_doubt(f, DOUBT_MERGED_TEST, lost, NULL);
    if (level == LEVEL_AUDIT) finding_doubt(f, DOUBT_OWNERSHIP, lost, NULL);
    return f;
}

// A leak with the usual path: allocation at alloc_line, branch and loss at lost_line.
static inline Finding *some_leak(Findings *fs, const char *path, const char *function,
                                 uint32_t alloc_line, uint32_t lost_line)
{
    Finding *f = finding_at(fs, RULE_LEAK, LEVEL_SURE, function, at(path, alloc_line, 5),
                             at(path, lost_line, 5));
    f->stages = STAGE_EVAL;
    finding_names(f, "strdup", "s");
    finding_event(f, EVENT_ALLOC, f->alloc, "memory is obtained from 'strdup'");
    finding_event(f, EVENT_LOST, f->lost, "the last pointer 's' goes out of scope");
    return f;
}

// One finding of nearly every kind over name.c at `path`.
static inline void fill_findings(Findings *fs, const char *path)
{
    Finding *f =
        finding_at(fs, RULE_LEAK, LEVEL_SURE, "copy_name", at(path, 7, 15), at(path, 10, 20));
    f->stages = STAGE_EVAL | STAGE_FLOW;
    f->error_exit = true;
    f->loss = LOSS_SCOPE;
    finding_names(f, "strdup", "s");
    finding_when_expr(f, "c < 0");
    finding_event(f, EVENT_ALLOC, at(path, 7, 15), "memory is obtained from 'strdup'");
    finding_event(f, EVENT_STORE, at(path, 7, 11), "'s' holds it");
    finding_branch(f, at(path, 8, 9), "!s", false);
    finding_branch(f, at(path, 9, 6), "c < 0", true);
    finding_event(f, EVENT_SIBLING_FREE, at(path, 13, 5), "freed on the other path");
    finding_event(f, EVENT_LOST, at(path, 10, 20), "the last pointer 's' goes out of scope");
    uint32_t s = finding_node(f, HEAP_VARIABLE, "s", NULL);
    uint32_t o = finding_node(f, HEAP_OBJECT, "char[]", "strdup, line 7");
    f->nodes.at[o].lost = true;
    finding_edge(f, s, o, NULL)->cut = true;

    f = finding_at(fs, RULE_DOUBLE_FREE, LEVEL_SURE, "twice", at(NULL, 0, 0), at(path, 21, 5));
    f->stages = STAGE_EVAL;
    f->freed = at(path, 19, 5);
    f->main_path = true;
    finding_names(f, NULL, "p");
    finding_event(f, EVENT_FREE, at(path, 19, 5), "'p' is freed here");
    finding_event(f, EVENT_USE, at(path, 21, 5), "and freed again here");

    f = finding_at(fs, RULE_USE_AFTER_FREE, LEVEL_LIKELY, "twice", at(NULL, 0, 0),
                    at(path, 20, 9));
    f->stages = STAGE_EVAL;
    f->freed = at(path, 19, 5);
    finding_names(f, NULL, "p");
    finding_event(f, EVENT_FREE, at(path, 19, 5), "'p' is freed here");
    finding_event(f, EVENT_USE, at(path, 20, 9), "and read here");

    f = finding_at(fs, RULE_RESOURCE_LEAK, LEVEL_LIKELY, "lines", at(path, 26, 15),
                    at(path, 28, 16));
    f->stages = STAGE_EVAL;
    f->cwe = 775;
    f->resource = "file";
    f->error_exit = true;
    finding_names(f, "fopen", "f");
    finding_when(f, "malloc() fails");
    finding_event(f, EVENT_ALLOC, at(path, 26, 15), "a file is opened by 'fopen'");
    finding_branch(f, at(path, 28, 9), "!line", true);
    finding_event(f, EVENT_LOST, at(path, 28, 16), "the last handle 'f' goes out of scope");
    finding_settle_spec(f, "int fgets(ref char *s, int n, ref FILE *f);");

    f = finding_at(fs, RULE_INVALID_FREE, LEVEL_SURE, "lines", at(path, 27, 18), at(path, 30, 5));
    f->stages = STAGE_EVAL;
    f->cwe = 761;
    finding_names(f, "malloc", "line + 1");
    finding_event(f, EVENT_USE, at(path, 30, 5), "'line + 1' is 1 byte into the block");

    f = finding_at(fs, RULE_LEAK_AT_EXIT, LEVEL_SURE, "main", at(path, 27, 18), at(path, 33, 1));
    f->stages = STAGE_FLOW;
    finding_names(f, "malloc", "line");

    f = finding_at(fs, RULE_MISMATCHED_FREE, LEVEL_AUDIT, "lines", at(path, 27, 18),
                    at(path, 31, 5));
    f->stages = STAGE_OWN;
    f->releaser = "fclose";
    finding_names(f, "malloc", "line");

    fs->run.units_total = 3;
    fs->run.units_analysed = 2;
    fs->run.functions = 3;
    fs->run.step_budget = 100000;
    fs->run.seconds = 1.26;
    findings_source(fs, path);
    findings_given_up(fs, "lines", at(path, 24, 5), "step budget of 100000 spent");
}

#endif
