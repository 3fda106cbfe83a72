#include "base/map.h"

#include "base/hash.h"

#include <string.h>

#ifdef STANCH_HARD
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 16 };
#endif

static uint32_t slot_of(const Map *m, uint64_t key)
{
    uint32_t mask = m->slot_count - 1;
    uint32_t s = (uint32_t)hash_mix(key, 0) & mask;
    while (m->slots[s] && m->entries[m->slots[s] - 1].key != key) s = (s + 1) & mask;
    return s;
}

uint64_t *map_get(const Map *m, uint64_t key)
{
    if (m->len == 0) return NULL;
    uint32_t s = slot_of(m, key);
    return m->slots[s] ? &m->entries[m->slots[s] - 1].value : NULL;
}

static void rehash(Map *m, uint32_t slot_count)
{
    mem_free(m->slots);
    m->slots = mem_alloc(slot_count * sizeof *m->slots);
    m->slot_count = slot_count;
    for (uint32_t i = 0; i < m->len; i++) m->slots[slot_of(m, m->entries[i].key)] = i + 1;
}

uint64_t *map_at(Map *m, uint64_t key, uint64_t initial, bool *fresh)
{
    // At most three quarters full, so that probing stays short.
    if (m->slot_count == 0) rehash(m, FIRST_SLOTS);
    if ((uint64_t)(m->len + 1) * 4 > (uint64_t)m->slot_count * 3) rehash(m, m->slot_count * 2);
    uint32_t s = slot_of(m, key);
    bool is_new = m->slots[s] == 0;
    if (is_new) {
        if (m->len == m->cap) {
            uint32_t cap = m->cap ? m->cap * 2 : 8;
            m->entries =
                mem_resize(m->entries, m->cap * sizeof *m->entries, cap * sizeof *m->entries);
            m->cap = cap;
        }
        m->entries[m->len] = (MapEntry){key, initial};
        m->slots[s] = ++m->len;
    }
    if (fresh) *fresh = is_new;
    return &m->entries[m->slots[s] - 1].value;
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
