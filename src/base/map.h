// Hash map from a 64-bit key to a 64-bit value. Entries are kept densely in order of insertion,
// so that iteration is deterministic:
//
//     Map m = {0};
//     map_set(&m, key, value);
//     uint64_t *v = map_get(&m, key);          // null when absent
//     for (uint32_t i = 0; i < m.len; i++) use(m.entries[i].key, m.entries[i].value);
//     map_free(&m);
//
// Entries cannot be removed one by one (no stage needs it); map_clear empties the map.
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    uint64_t key, value;
} MapEntry;

typedef struct {
    MapEntry *entries;
    // Index + 1 into entries, 0 is free; above it half of the key's hash, so that a walk over
    // slots in use fetches no entry but the one that it finds.
    uint64_t *slots;
    uint32_t len, cap, slot_count;
} Map;

uint64_t *map_get(const Map *m, uint64_t key);
void map_set(Map *m, uint64_t key, uint64_t value);
// The value's place, made with `initial` when the key is new; *fresh says which. Valid until the
// next insertion.
uint64_t *map_at(Map *m, uint64_t key, uint64_t initial, bool *fresh);
void map_clear(Map *m);
void map_free(Map *m);

static inline uint64_t map_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

#endif
