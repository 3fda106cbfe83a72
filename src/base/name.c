#include "base/name.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
    const char *text;
    uint32_t len;
    uint32_t hash;
} NameEntry;

struct Names {
    Arena *arena;
    VEC(NameEntry) entries;
    uint32_t *slots; // name id + 1; 0 is free; null after names_load until first needed
    uint32_t slot_count;
};

#ifdef STANCH_HARD
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 256 };
#endif

static uint32_t slot_of(const Names *n, const char *text, size_t len, uint32_t hash)
{
    uint32_t mask = n->slot_count - 1;
    uint32_t s = hash & mask;
    for (; n->slots[s]; s = (s + 1) & mask) {
        const NameEntry *e = &n->entries.at[n->slots[s] - 1];
        if (e->hash == hash && e->len == len && memcmp(e->text, text, len) == 0) break;
    }
    return s;
}

static void rehash(Names *n, uint32_t slot_count)
{
    mem_free(n->slots);
    n->slots = mem_alloc(slot_count * sizeof *n->slots);
    n->slot_count = slot_count;
    vec_each (i, &n->entries) {
        const NameEntry *e = &n->entries.at[i];
        n->slots[slot_of(n, e->text, e->len, e->hash)] = i + 1;
    }
}

// The index of a loaded table. Building it does not change what the table says, so a const table
// may do so.
static void need_index(const Names *n)
{
    if (n->slots) return;
    Names *own = (Names *)n;
    uint32_t slot_count = FIRST_SLOTS;
    while ((uint64_t)n->entries.len * 4 > (uint64_t)slot_count * 3) slot_count *= 2;
    vec_each (i, &own->entries) {
        NameEntry *e = &own->entries.at[i];
        e->hash = (uint32_t)hash_bytes(e->text, e->len, 0);
    }
    rehash(own, slot_count);
}

Names *names_load(const uint32_t *lens, uint32_t count, const char *bytes, size_t n)
{
    if (count == 0 || count > UINT32_MAX / 2 || lens[0] != 0) return NULL;
    size_t left = n;
    for (uint32_t i = 0; i < count; i++) {
        if (lens[i] > UINT32_MAX / 2 || left <= lens[i]) return NULL;
        if (bytes[n - left + lens[i]] != 0) return NULL;
        left -= (size_t)lens[i] + 1;
    }
    if (left) return NULL;
    Names *names = mem_alloc(sizeof *names);
    names->arena = arena_new("names");
    const char *text = arena_copy(names->arena, bytes, n);
    vec_reserve(&names->entries, count);
    for (uint32_t i = 0; i < count; i++) {
        names->entries.at[i] = (NameEntry){text, lens[i], 0};
        text += (size_t)lens[i] + 1;
    }
    names->entries.len = count;
    return names;
}

Names *names_new(void)
{
    Names *n = mem_alloc(sizeof *n);
    n->arena = arena_new("names");
    rehash(n, FIRST_SLOTS);
    name_of_n(n, "", 0);
    return n;
}

void names_free(Names *n)
{
    if (!n) return;
    arena_free(n->arena);
    vec_free(&n->entries);
    mem_free(n->slots);
    mem_free(n);
}

Name name_of_n(Names *n, const char *text, size_t len)
{
    if (len > UINT32_MAX / 2) die("name of %zu bytes", len);
    need_index(n);
    uint32_t hash = (uint32_t)hash_bytes(text, len, 0);
    uint32_t s = slot_of(n, text, len, hash);
    if (n->slots[s] == 0) {
        NameEntry e = {arena_strndup(n->arena, text, len), (uint32_t)len, hash};
        vec_push(&n->entries, e);
        if ((uint64_t)n->entries.len * 4 > (uint64_t)n->slot_count * 3) {
            rehash(n, n->slot_count * 2);
            return (Name){n->entries.len - 1};
        }
        n->slots[s] = n->entries.len;
    }
    return (Name){n->slots[s] - 1};
}

Name name_of(Names *n, const char *text)
{
    return name_of_n(n, text, strlen(text));
}

Name name_printf(Names *n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(n->arena, fmt, ap);
    va_end(ap);
    return name_of(n, text);
}

Name name_find(const Names *n, const char *text)
{
    size_t len = strlen(text);
    need_index(n);
    uint32_t s = slot_of(n, text, len, (uint32_t)hash_bytes(text, len, 0));
    return (Name){n->slots[s] ? n->slots[s] - 1 : 0};
}

const char *name_text(const Names *n, Name name)
{
    if (name.id >= n->entries.len) die("name %u of %u", name.id, n->entries.len);
    return n->entries.at[name.id].text;
}

size_t name_len(const Names *n, Name name)
{
    return n->entries.at[name.id].len;
}

uint32_t names_count(const Names *n)
{
    return n->entries.len;
}
