// Sparse sets against compressed bitmaps (CRoaring) on the points-to sets of a real program:
// building, union with the difference kept, iterating, memory. Built and run by bench/sets; not
// part of stanch.
#include "base/sbits.h"
#include "points/points.h"

#include "program.h"

#include <roaring/roaring.h>
#include <stdio.h>

enum { PAIRS = 400000 };

static uint32_t next_random(uint32_t *s)
{
    return *s = *s * 1664525u + 1013904223u, *s >> 8;
}

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: sets MODELS UNIT...\n"), 2;
    SpecTable *specs = read_models(argv[1]);
    Arena *a = arena_new("bench");
    Program *p = read_program(a, argv + 2, argc - 2);
    Points *points = points_solve(p, specs);
    // All sets that are not empty, of values and of cells.
    VEC(const SBits *) sets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        for (uint32_t k = 0; body && k < body->ins_count; k++) {
            const SBits *s = points_set(points, (FuncId){f}, ref_ins(k));
            if (s && !sbits_is_empty(s)) vec_push(&sets, s);
        }
    }
    uint64_t members = 0, ours = 0, theirs = 0;
    vec_each (i, &sets) members += sbits_size(sets.at[i]);
    printf("%u sets, %.1f members on average\n", sets.len, (double)members / sets.len);

    SBits *x = mem_alloc(sets.len * sizeof *x);
    roaring_bitmap_t **y = mem_alloc(sets.len * sizeof *y);
    double t0 = now();
    uint32_t m;
    vec_each (i, &sets)
        for (SIter it = sbits_iter(sets.at[i]); sbits_step(&it, &m);) sbits_add(&x[i], m);
    double t1 = now();
    vec_each (i, &sets) {
        y[i] = roaring_bitmap_create();
        for (SIter it = sbits_iter(sets.at[i]); sbits_step(&it, &m);) roaring_bitmap_add(y[i], m);
    }
    double t2 = now();
    vec_each (i, &sets) {
        ours += sizeof(SBits) + x[i].cap * sizeof(SBlock);
        theirs += sizeof(roaring_bitmap_t) + roaring_bitmap_size_in_bytes(y[i]) + 64;
    }
    printf("build    sparse %8.1f ns  roaring %8.1f ns for each set\n", (t1 - t0) * 1e9 / sets.len,
           (t2 - t1) * 1e9 / sets.len);
    printf("memory   sparse %8.1f B   roaring %8.1f B for each set\n", (double)ours / sets.len,
           (double)theirs / sets.len);
    uint32_t seed = 1;
    uint64_t grew = 0, grew2 = 0;
    t0 = now();
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t from = next_random(&seed) % sets.len, to = next_random(&seed) % sets.len;
        SBits into = sbits_copy(&x[to]), fresh = {0};
        grew += sbits_union_fresh(&into, &x[from], &fresh);
        sbits_clear(&into);
        sbits_clear(&fresh);
    }
    t1 = now();
    seed = 1;
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t from = next_random(&seed) % sets.len, to = next_random(&seed) % sets.len;
        roaring_bitmap_t *into = roaring_bitmap_copy(y[to]);
        roaring_bitmap_t *fresh = roaring_bitmap_andnot(y[from], into);
        grew2 += !roaring_bitmap_is_empty(fresh);
        roaring_bitmap_or_inplace(into, fresh);
        roaring_bitmap_free(into);
        roaring_bitmap_free(fresh);
    }
    t2 = now();
    if (grew != grew2) return fprintf(stderr, "the two disagree\n"), 1;
    printf("union    sparse %8.1f ns  roaring %8.1f ns\n", (t1 - t0) * 1e9 / PAIRS,
           (t2 - t1) * 1e9 / PAIRS);
    uint64_t sum = 0, sum2 = 0;
    t0 = now();
    vec_each (i, &sets)
        for (SIter it = sbits_iter(&x[i]); sbits_step(&it, &m);) sum += m;
    t1 = now();
    vec_each (i, &sets) {
        roaring_uint32_iterator_t it;
        for (roaring_init_iterator(y[i], &it); it.has_value; roaring_advance_uint32_iterator(&it))
            sum2 += it.current_value;
    }
    t2 = now();
    if (sum != sum2) return fprintf(stderr, "the two disagree\n"), 1;
    printf("iterate  sparse %8.1f ns  roaring %8.1f ns for each set\n", (t1 - t0) * 1e9 / sets.len,
           (t2 - t1) * 1e9 / sets.len);
    return 0;
}
