// Sets of tracked cells, each content once. A program accesses the same memory at thousands of
// places: what a pointer's set has of it, what all of a callee writes. Each such set is made when
// it is first asked for and has a number, so that later questions (which regions does a function
// have for it, does it meet another one) are asked of numbers, whatever its size. Without this the
// memory SSA of all functions together grew with the square of the program.
#include "base/hash.h"
#include "flow/flow_int.h"

#include <stdlib.h>

void sets_init(Flow *f)
{
    vec_push(&f->sets, arena_new_of(f->arena, CellSet)); // number 0: nothing
}

void sets_free(Flow *f)
{
    vec_each (i, &f->sets) sbits_clear(&f->sets.at[i]->set);
    vec_free(&f->sets);
    vec_free(&f->cells);
    vec_free(&f->held);
    map_free(&f->set_of_content);
    map_free(&f->set_of_points);
    map_free(&f->set_of_parts);
    map_free(&f->meets);
}

CellSet *set_of(Flow *f, SBits *take)
{
    if (sbits_is_empty(take)) {
        sbits_clear(take);
        return f->sets.at[0];
    }
    f->counts.sets += take->len;
    for (uint64_t h = sbits_hash(take);; h++) {
        bool fresh;
        uint64_t *at = map_at(&f->set_of_content, h, f->sets.len, &fresh);
        if (fresh) break;
        CellSet *known = f->sets.at[*at];
        if (!sbits_same(&known->set, take)) continue; // another set of the same hash
        sbits_clear(take);
        return known;
    }
    CellSet *made = arena_new_of(f->arena, CellSet);
    made->set = *take;
    made->number = f->sets.len;
    vec_push(&f->sets, made);
    return made;
}

CellSet *set_tracked(Flow *f, const SBits *points, bool objects)
{
    if (!points) return f->sets.at[0];
    // Sets of the points-to solution stay where they are.
    bool fresh;
    uint64_t key = (uint64_t)(uintptr_t)points << 1 | objects;
    uint64_t *at = map_at(&f->set_of_points, key, 0, &fresh);
    if (!fresh) return f->sets.at[*at];
    SBits found = {0};
    uint32_t cell;
    f->counts.sets += points->len;
    for (SIter i = sbits_iter(points); sbits_step(&i, &cell);) {
        if (!objects && bits_has(&f->tracked, cell)) sbits_add(&found, f->number_of[cell]);
        if (!objects) continue;
        uint32_t o = points_cell_object(f->points, cell).id;
        for (uint32_t k = f->held_from[o]; k < f->held_from[o + 1]; k++)
            sbits_add(&found, f->held.at[k]);
    }
    CellSet *made = set_of(f, &found);
    *at = made->number;
    return made;
}

SBits set_merge(Flow *f, CellSet *const *parts, uint32_t count)
{
    f->counts.sets += parts[0]->set.len;
    if (count == 1) return sbits_copy(&parts[0]->set);
    SBits all = set_merge(f, parts, count / 2);
    SBits rest = set_merge(f, parts + count / 2, count - count / 2);
    sbits_union(&all, &rest);
    sbits_clear(&rest);
    return all;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = (*(CellSet *const *)x)->number, b = (*(CellSet *const *)y)->number;
    return a < b ? -1 : a > b;
}

CellSet *set_union(Flow *f, CellSets *parts)
{
    uint32_t n = 0;
    if (parts->len > 1) qsort(parts->at, parts->len, sizeof *parts->at, by_number);
    vec_each (i, parts)
        if (parts->at[i]->number && (!n || parts->at[n - 1] != parts->at[i]))
            parts->at[n++] = parts->at[i];
    parts->len = n;
    if (n < 2) return n ? parts->at[0] : f->sets.at[0];
    uint64_t key = n;
    for (uint32_t i = 0; i < n; i++) key = hash_mix(key, parts->at[i]->number);
    bool fresh;
    uint64_t *at = map_at(&f->set_of_parts, key, 0, &fresh);
    if (!fresh) return f->sets.at[*at];
    SBits all = set_merge(f, parts->at, n);
    CellSet *made = set_of(f, &all);
    *at = made->number;
    return made;
}

bool set_meet(Flow *f, const CellSet *a, const CellSet *b)
{
    if (a == b) return a->number != 0;
    if (a->set.len <= 1 || b->set.len <= 1) return sbits_meet(&a->set, &b->set);
    bool fresh;
    uint64_t key =
        a->number < b->number ? map_pair(a->number, b->number) : map_pair(b->number, a->number);
    uint64_t *at = map_at(&f->meets, key, 0, &fresh);
    if (fresh) f->counts.sets += a->set.len < b->set.len ? a->set.len : b->set.len;
    if (fresh) *at = sbits_meet(&a->set, &b->set);
    return *at;
}
