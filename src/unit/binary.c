// The binary form: what the cache keeps and build farms hand on.
//
//     header     magic, version, number of sections, length of all, checksum, the unit's own words
//     directory  for each section: where it begins, size of an element, how many
//     sections   lengths of the names, texts of the names, then the tables, each at a multiple of 8
//
// All words are little-endian. Reading is one copy for each table: a cached unit must load in a
// few milliseconds. The checksum (xxHash) finds damage; unit_check finds what a hostile writer
// with a right checksum would try. Sections lie one after the other without gaps, so that a
// file can ask for no more memory than about its own length.
#include "base/hash.h"
#include "unit/unit_int.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "units are little-endian");

static const char magic[8] = "stanchU\n";

enum {
    VERSION = 2, // count up whenever a table's layout or the meaning of a word changes
    SECTION_NAME_LENS = 0,
    SECTION_NAME_TEXTS,
    SECTION_TABLES,
#define T(table) +1
    SECTION_COUNT = SECTION_TABLES UNIT_TABLES(T)
#undef T
};

typedef struct {
    char magic[8];
    uint32_t version, section_count;
    uint64_t length;
    uint64_t checksum; // of all that follows this word
    uint32_t pointer_bytes, flags;
    uint32_t source, language, target, producer; // Names
} Header;

enum { CHECKED_FROM = offsetof(Header, pointer_bytes) };

typedef struct {
    uint64_t offset;
    uint32_t size, count;
} Section;

_Static_assert(sizeof(Header) == 56 && sizeof(Section) == 16, "a hole in the header");

static uint64_t aligned(uint64_t n)
{
    return (n + 7) & ~(uint64_t)7;
}

static void section(Section *s, uint64_t *end, size_t size, uint64_t count)
{
    if (count > UINT32_MAX) die("unit_write: a section of %llu", (unsigned long long)count);
    *s = (Section){*end, (uint32_t)size, (uint32_t)count};
    *end = aligned(*end + size * count);
}

void unit_write(Out *o, const Unit *u)
{
    Section s[SECTION_COUNT];
    uint64_t end = sizeof(Header) + sizeof s;
    uint32_t names = names_count(u->names);
    uint64_t texts = 0;
    for (uint32_t i = 0; i < names; i++) texts += name_len(u->names, (Name){i}) + 1;
    section(&s[SECTION_NAME_LENS], &end, sizeof(uint32_t), names);
    section(&s[SECTION_NAME_TEXTS], &end, 1, texts);
    int k = SECTION_TABLES;
#define T(table) section(&s[k++], &end, sizeof *u->table.at, u->table.len);
    UNIT_TABLES(T)
#undef T
    char *bytes = mem_alloc(end);
    memcpy(bytes + sizeof(Header), s, sizeof s);
    uint32_t *lens = (uint32_t *)(bytes + s[SECTION_NAME_LENS].offset);
    char *text = bytes + s[SECTION_NAME_TEXTS].offset;
    for (uint32_t i = 0; i < names; i++) {
        size_t len = name_len(u->names, (Name){i});
        lens[i] = (uint32_t)len;
        memcpy(text, name_text(u->names, (Name){i}), len + 1);
        text += len + 1;
    }
    k = SECTION_TABLES;
#define T(table)                                                                                   \
    if (u->table.len)                                                                              \
        memcpy(bytes + s[k].offset, u->table.at, (size_t)u->table.len * sizeof *u->table.at);      \
    k++;
    UNIT_TABLES(T)
#undef T
    Header h = {.version = VERSION,
                .section_count = SECTION_COUNT,
                .length = end,
                .pointer_bytes = u->pointer_bytes,
                .flags = u->flags,
                .source = u->source.id,
                .language = u->language.id,
                .target = u->target.id,
                .producer = u->producer.id};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(bytes, &h, sizeof h);
    h.checksum = hash_bytes(bytes + CHECKED_FROM, end - CHECKED_FROM, 0);
    memcpy(bytes, &h, sizeof h);
    out_bytes(o, bytes, end);
    mem_free(bytes);
}

// The sections must lie exactly where unit_write puts them.
static bool sections_fit(const Section *s, uint64_t length)
{
    static const uint32_t sizes[SECTION_COUNT] = {sizeof(uint32_t), 1,
#define T(table) sizeof *((Unit *)0)->table.at,
                                                  UNIT_TABLES(T)
#undef T
    };
    uint64_t end = sizeof(Header) + SECTION_COUNT * sizeof(Section);
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (s[i].offset != end || s[i].size != sizes[i]) return false;
        if (i != SECTION_NAME_TEXTS && s[i].count > UINT32_MAX / 2) return false;
        end = aligned(end + (uint64_t)s[i].size * s[i].count); // below 2^40 each: no overflow
        if (end > length) return false;
    }
    return end == length;
}

Unit *unit_read(const void *from, size_t len, const char **why)
{
    const char *bytes = from;
    Header h;
    Section s[SECTION_COUNT];
    *why = "not a unit file";
    if (len < sizeof h.magic || memcmp(bytes, magic, sizeof magic) != 0) return NULL;
    *why = "truncated";
    if (len < sizeof h + sizeof s) return NULL;
    memcpy(&h, bytes, sizeof h);
    *why = "made by another version of stanch";
    if (h.version != VERSION || h.section_count != SECTION_COUNT) return NULL;
    *why = h.length > len ? "truncated" : "longer than it says";
    if (h.length != len) return NULL;
    *why = "damaged (the checksum differs)";
    if (h.checksum != hash_bytes(bytes + CHECKED_FROM, len - CHECKED_FROM, 0)) return NULL;
    *why = "sections out of place";
    memcpy(s, bytes + sizeof h, sizeof s);
    if (!sections_fit(s, len)) return NULL;

    // The caller's bytes may lie anywhere in memory, the lengths of names are read as words.
    uint32_t *lens = mem_alloc((size_t)s[SECTION_NAME_LENS].count * sizeof *lens + 1);
    memcpy(lens, bytes + s[SECTION_NAME_LENS].offset,
           (size_t)s[SECTION_NAME_LENS].count * sizeof *lens);
    Names *names = names_load(lens, s[SECTION_NAME_LENS].count,
                              bytes + s[SECTION_NAME_TEXTS].offset, s[SECTION_NAME_TEXTS].count);
    mem_free(lens);
    *why = "names out of place";
    if (!names) return NULL;

    Unit *u = mem_alloc(sizeof *u);
    u->names = names;
    u->pointer_bytes = h.pointer_bytes;
    u->flags = h.flags;
    u->source.id = h.source;
    u->language.id = h.language;
    u->target.id = h.target;
    u->producer.id = h.producer;
    int k = SECTION_TABLES;
#define T(table)                                                                                   \
    vec_append(&u->table, (const void *)(bytes + s[k].offset), s[k].count);                        \
    k++;
    UNIT_TABLES(T)
#undef T
    Arena *a = arena_new("unit check");
    const char *wrong = unit_check(u, a);
    arena_free(a);
    if (wrong) {
        *why = "not valid: its tables contradict each other";
        unit_free(u);
        return NULL;
    }
    *why = NULL;
    return u;
}
