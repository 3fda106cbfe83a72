// What the drivers of this directory share: units read and linked as one program, the models, and
// the processor's clock.
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include "base/file.h"
#include "link/program.h"
#include "spec/spec.h"

#include <time.h>

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline SpecTable *read_models(const char *directory)
{
    Diag d = {.quiet = true};
    SpecTable *specs = spec_new(names_new());
    spec_add_dir(specs, directory, SPEC_FROM_MODEL, &d);
    return specs;
}

// A unit that cannot be read ends the run: its part would be missing in every figure.
static inline Program *read_program(Arena *a, char **paths, int count)
{
    VEC(const Unit *) units = {0};
    for (int i = 0; i < count; i++) {
        size_t n = 0;
        const char *why = "cannot be read";
        char *bytes = file_read(paths[i], (size_t)1 << 30, &n);
        Unit *u = bytes ? unit_read(bytes, n, &why) : NULL;
        mem_free(bytes);
        if (!u) die("%s: %s", paths[i], why);
        vec_push(&units, u);
    }
    return program_build(a, "", units.at, units.len);
}

#endif
