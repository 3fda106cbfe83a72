#include "base/map.h"

#include "base/hash.h"

#include <string.h>

#ifdef STANCH_HARD
enum { FEW = 1, FIRST_SLOTS = 2 };
#else
enum { FEW = 8, FIRST_SLOTS = 32 };
#endif

#define HASH_HALF 0xffffffff00000000u

static inline MapEntry *entry_at(const Map *m, uint32_t slot)
{
    return &m->entries[(uint32_t)m->slots[slot] - 1];
}

static inline uint32_t slot_of(const Map *m, uint64_t key, uint64_t hash)
{
    uint32_t mask = m->slot_count - 1;
    uint32_t s = (uint32_t)hash & mask;
    while (m->slots[s] && ((m->slots[s] ^ hash) & HASH_HALF || entry_at(m, s)->key != key))
        s = (s + 1) & mask;
    return s;
}

// Most maps hold a handful of keys for a moment: up to FEW of them there are no slots.
static MapEntry *find_few(const Map *m, uint64_t key)
{
    for (uint32_t i = 0; i < m->len; i++)
        if (m->entries[i].key == key) return &m->entries[i];
    return NULL;
}

uint64_t *map_get(const Map *m, uint64_t key)
{
    if (m->len == 0) return NULL;
    if (!m->slot_count) {
        MapEntry *e = find_few(m, key);
        return e ? &e->value : NULL;
    }
    uint32_t s = slot_of(m, key, hash_mix(key, 0));
    return m->slots[s] ? &entry_at(m, s)->value : NULL;
}

static void rehash(Map *m, uint32_t slot_count)
{
    mem_free(m->slots);
    m->slots = mem_alloc(slot_count * sizeof *m->slots);
    m->slot_count = slot_count;
    for (uint32_t i = 0; i < m->len; i++) { // keys that differ: the first free slot
        uint64_t hash = hash_mix(m->entries[i].key, 0);
        uint32_t s = (uint32_t)hash & (slot_count - 1);
        while (m->slots[s]) s = (s + 1) & (slot_count - 1);
        m->slots[s] = (hash & HASH_HALF) | (i + 1);
    }
}

static MapEntry *append(Map *m, uint64_t key, uint64_t value)
{
    if (m->len == m->cap) {
#ifdef STANCH_HARD
        uint32_t cap = m->len + 1 + m->len / 64; // moves at every insertion while it is small
#else
        uint32_t cap = m->cap ? m->cap * 2 : FEW;
#endif
        m->entries =
            mem_resize_raw(m->entries, m->cap * sizeof *m->entries, cap * sizeof *m->entries);
        m->cap = cap;
    }
    m->entries[m->len] = (MapEntry){key, value};
    return &m->entries[m->len++];
}

uint64_t *map_at(Map *m, uint64_t key, uint64_t initial, bool *fresh)
{
    if (!m->slot_count) {
        MapEntry *known = find_few(m, key);
        if (fresh) *fresh = !known;
        if (known) return &known->value;
        if (m->len < FEW) return &append(m, key, initial)->value;
        rehash(m, FIRST_SLOTS);
    }
    // At most three quarters full, so that probing stays short.
    if ((uint64_t)(m->len + 1) * 4 > (uint64_t)m->slot_count * 3) rehash(m, m->slot_count * 2);
    uint64_t hash = hash_mix(key, 0);
    uint32_t s = slot_of(m, key, hash);
    bool is_new = m->slots[s] == 0;
    if (fresh) *fresh = is_new;
    if (!is_new) return &entry_at(m, s)->value;
    m->slots[s] = (hash & HASH_HALF) | (m->len + 1);
    return &append(m, key, initial)->value;
}

void map_set(Map *m, uint64_t key, uint64_t value)
{
    *map_at(m, key, value, NULL) = value;
}

void map_clear(Map *m)
{
    if (m->slots) memset(m->slots, 0, m->slot_count * sizeof *m->slots);
    m->len = 0;
}

void map_free(Map *m)
{
    mem_free(m->entries);
    mem_free(m->slots);
    *m = (Map){0};
}
