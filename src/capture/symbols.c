// The symbols of what a build linked, as its linker wrote them: which names a program or shared library
// leaves to others. Version scripts, visibility, --dynamic-list, --exclude-libs and the rest have all
// been obeyed there, in whatever words the build asked for them. And of an object that is not analysed
// (assembler, another language): the names that it needs of the others.
//
// ELF of either class and byte order. Nothing of the file is trusted: every place is checked against
// its length, every table against a limit; what does not fit makes the file an unknown one.
#include "base/file.h"
#include "capture/capture_int.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTIONS_MAX = 1 << 20, TABLE_BYTES = 128 << 20, NAME_BYTES = 4096 };

typedef struct {
    int fd;
    uint64_t size;
    bool wide, swapped;
    uint32_t type;
    unsigned char *sections;
    uint32_t section_count, section_bytes;
} Elf;

typedef struct {
    uint32_t type, link;
    uint64_t offset, size, entry;
} ElfSection;

typedef struct {
    const char *name; // in the table's strings
    uint32_t bind, kind, visibility, section;
    uint64_t value;
} ElfSymbol;

typedef struct {
    unsigned char *bytes;
    char *strings; // zero-terminated
    uint32_t count, entry_bytes;
    uint64_t strings_len;
} Table;

static uint64_t number(const Elf *e, const unsigned char *at, uint32_t bytes)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < bytes; i++) n |= (uint64_t)at[e->swapped ? bytes - 1 - i : i] << 8 * i;
    return n;
}

// The bytes of the file, with a zero after them; null where it does not have them.
static void *read_part(const Elf *e, uint64_t at, uint64_t len)
{
    if (len > TABLE_BYTES || at > e->size || len > e->size - at) return NULL;
    char *bytes = mem_alloc(len + 1);
    if (file_read_at(e->fd, bytes, len, at)) {
        bytes[len] = 0;
        return bytes;
    }
    mem_free(bytes);
    return NULL;
}

static ElfSection section_at(const Elf *e, uint32_t i)
{
    const unsigned char *s = e->sections + (size_t)i * e->section_bytes;
    if (e->wide)
        return (ElfSection){(uint32_t)number(e, s + 4, 4), (uint32_t)number(e, s + 40, 4), number(e, s + 24, 8),
                         number(e, s + 32, 8), number(e, s + 56, 8)};
    return (ElfSection){(uint32_t)number(e, s + 4, 4), (uint32_t)number(e, s + 24, 4), number(e, s + 16, 4),
                     number(e, s + 20, 4), number(e, s + 36, 4)};
}

static bool read_sections(Elf *e, const unsigned char *head)
{
    uint64_t at = e->wide ? number(e, head + 40, 8) : number(e, head + 32, 4);
    const unsigned char *counts = head + (e->wide ? 58 : 46);
    uint64_t count = number(e, counts + 2, 2);
    e->section_bytes = (uint32_t)number(e, counts, 2);
    if (e->section_bytes != (e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)) || !at) return false;
    if (!count) {
        // More than the header can tell: the first section does.
        e->sections = read_part(e, at, e->section_bytes);
        if (!e->sections) return false;
        count = section_at(e, 0).size;
        mem_free(e->sections);
        e->sections = NULL;
    }
    if (!count || count > SECTIONS_MAX) return false;
    e->section_count = (uint32_t)count;
    e->sections = read_part(e, at, count * e->section_bytes);
    return e->sections != NULL;
}

static bool elf_open(Elf *e, const char *path)
{
    *e = (Elf){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat st;
    unsigned char head[sizeof(Elf64_Ehdr)] = {0};
    if (e->fd < 0 || fstat(e->fd, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    e->size = (uint64_t)st.st_size;
    if (!file_read_at(e->fd, head, sizeof(Elf32_Ehdr), 0) || memcmp(head, ELFMAG, SELFMAG) != 0) return false;
    e->wide = head[EI_CLASS] == ELFCLASS64;
    e->swapped = head[EI_DATA] == ELFDATA2MSB;
    if ((!e->wide && head[EI_CLASS] != ELFCLASS32) || (!e->swapped && head[EI_DATA] != ELFDATA2LSB)) return false;
    if (e->wide && !file_read_at(e->fd, head, sizeof head, 0)) return false;
    e->type = (uint32_t)number(e, head + 16, 2);
    return read_sections(e, head);
}

static void elf_close(Elf *e)
{
    mem_free(e->sections);
    if (e->fd >= 0) close(e->fd);
}

static void table_free(Table *t)
{
    mem_free(t->bytes);
    mem_free(t->strings);
    *t = (Table){0};
}

// The first symbol table of a type; an empty one where there is none. False: it is damaged.
static bool read_table(const Elf *e, uint32_t type, Table *t)
{
    *t = (Table){.entry_bytes = e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)};
    for (uint32_t i = 0; i < e->section_count; i++) {
        ElfSection s = section_at(e, i);
        if (s.type != type) continue;
        if (s.entry != t->entry_bytes || s.link >= e->section_count) return false;
        ElfSection names = section_at(e, s.link);
        t->bytes = read_part(e, s.offset, s.size);
        t->strings = read_part(e, names.offset, names.size);
        t->strings_len = names.size;
        t->count = (uint32_t)(s.size / t->entry_bytes);
        if (t->bytes && t->strings) return true;
        table_free(t);
        return false;
    }
    return true;
}

// False: it has no name that a unit could have.
static bool symbol_at(const Elf *e, const Table *t, uint32_t i, ElfSymbol *out)
{
    const unsigned char *s = t->bytes + (size_t)i * t->entry_bytes;
    uint64_t name = number(e, s, 4);
    const unsigned char *rest = s + (e->wide ? 4 : 12); // info, other, section
    if (!name || name >= t->strings_len || !t->strings[name]) return false;
    *out = (ElfSymbol){t->strings + name,
                    rest[0] >> 4,
                    rest[0] & 15,
                    rest[1] & 3,
                    (uint32_t)number(e, rest + 2, 2),
                    e->wide ? number(e, s + 8, 8) : number(e, s + 4, 4)};
    return true;
}

static bool is_global(const ElfSymbol *s)
{
    return s->bind == STB_GLOBAL || s->bind == STB_WEAK || s->bind == STB_GNU_UNIQUE;
}

// Without the version that a linker puts behind it.
static void add_name(Arena *a, Words *names, const char *text)
{
    size_t n = strcspn(text, "@");
    if (!n || n > NAME_BYTES) return;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f) return;
    vec_push(names, arena_strndup(a, text, n));
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

CaptureNames names_sorted(Arena *a, Words *names)
{
    uint32_t kept = 0;
    if (names->len) qsort(names->at, names->len, sizeof *names->at, compare_names);
    vec_each (i, names)
        if (!kept || strcmp(names->at[kept - 1], names->at[i]) != 0) names->at[kept++] = names->at[i];
    names->len = kept;
    vec_keep(names, a);
    return (CaptureNames){names->at, kept};
}

// Also the other names of what is exported: a function may have been given its public name by the
// assembler alone (.symver), and the unit knows it by the other.
static void add_other_names(Arena *a, const Elf *e, const Map *places, Words *names)
{
    Table t;
    ElfSymbol s;
    if (!read_table(e, SHT_SYMTAB, &t)) return;
    for (uint32_t i = 0; i < t.count; i++)
        if (symbol_at(e, &t, i, &s) && s.kind != STT_SECTION && s.kind != STT_FILE && s.section != SHN_UNDEF &&
            s.section < SHN_LORESERVE && map_get(places, s.value))
            add_name(a, names, s.name);
    table_free(&t);
}

bool capture_exports(Arena *a, const char *path, CaptureNames *out)
{
    Elf e;
    Table t = {0};
    Words names = {0};
    Map places = {0};
    ElfSymbol s;
    bool ok = elf_open(&e, path) && (e.type == ET_EXEC || e.type == ET_DYN) && read_table(&e, SHT_DYNSYM, &t);
    for (uint32_t i = 0; ok && i < t.count; i++) {
        if (!symbol_at(&e, &t, i, &s) || !is_global(&s) || s.section == SHN_UNDEF) continue;
        if (s.visibility != STV_DEFAULT && s.visibility != STV_PROTECTED) continue;
        add_name(a, &names, s.name);
        if (s.section < SHN_LORESERVE) map_set(&places, s.value, 1);
    }
    if (ok) add_other_names(a, &e, &places, &names);
    table_free(&t);
    map_free(&places);
    elf_close(&e);
    *out = names_sorted(a, &names);
    return ok;
}

bool capture_needed(Arena *a, const char *path, CaptureNames *out)
{
    Elf e;
    Table t = {0};
    Words names = {0};
    ElfSymbol s;
    bool ok = elf_open(&e, path) && e.type == ET_REL && read_table(&e, SHT_SYMTAB, &t), later = false;
    for (uint32_t i = 0; ok && i < t.count; i++) {
        if (!symbol_at(&e, &t, i, &s) || !is_global(&s)) continue;
        if (s.section == SHN_UNDEF) add_name(a, &names, s.name);
        // Code that is only made when it is linked says elsewhere what it needs.
        later |= strcmp(s.name, "__gnu_lto_slim") == 0;
    }
    table_free(&t);
    elf_close(&e);
    *out = names_sorted(a, &names);
    return ok && !later;
}
