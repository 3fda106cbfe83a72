#include "base/mem.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("stanch: internal error: ", stderr);
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    // Whatever a file was called must not act on a terminal.
    for (char *s = text; *s; s++)
        if (*s < 0x20 || *s == 0x7f) *s = '?';
    fputs(text, stderr);
    fputc('\n', stderr);
    va_end(ap);
    abort();
}

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "stanch: out of memory (asked for %zu bytes)\n", size);
    exit(2);
}

void mem_keep_freed(void)
{
    enum { MIB = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, 32 * MIB);
    mallopt(M_TRIM_THRESHOLD, 512 * MIB);
    mallopt(M_TOP_PAD, MIB);
}

// glibc keeps small blocks that were freed by thread, and only malloc takes them back from there:
// calloc and a realloc that moves do not.
enum { SMALL_BLOCK = 1024 };

void *mem_alloc(size_t size)
{
    void *p = size && size <= SMALL_BLOCK ? malloc(size) : calloc(1, size ? size : 1);
    if (!p) out_of_memory(size);
    return size <= SMALL_BLOCK ? memset(p, 0, size) : p;
}

#ifdef STANCH_HARD
// Always to another place, and what was there is spoilt: see base/vec.h.
static void *resized(void *p, size_t old_size, size_t new_size)
{
    void *q = malloc(new_size ? new_size : 1);
    if (!q || !p) return q;
    if (old_size) memcpy(q, p, old_size < new_size ? old_size : new_size);
    memset(p, 0xa5, old_size);
    free(p);
    return q;
}
#else
static void *resized(void *p, size_t old_size, size_t new_size)
{
    if (!p || !old_size) {
        free(p);
        return malloc(new_size ? new_size : 1);
    }
    if (old_size >= new_size || new_size > SMALL_BLOCK) return realloc(p, new_size ? new_size : 1);
    void *q = malloc(new_size);
    if (!q) return NULL;
    memcpy(q, p, old_size);
    free(p);
    return q;
}
#endif

void *mem_resize_raw(void *p, size_t old_size, size_t new_size)
{
    void *q = resized(p, old_size, new_size);
    if (!q) out_of_memory(new_size);
    return q;
}

void *mem_resize(void *p, size_t old_size, size_t new_size)
{
    void *q = mem_resize_raw(p, old_size, new_size);
    if (new_size > old_size) memset((char *)q + old_size, 0, new_size - old_size);
    return q;
}

void mem_free(void *p)
{
    free(p);
}

char *mem_strndup(const char *s, size_t n)
{
    char *p = mem_alloc(n + 1);
    memcpy(p, s, n);
    return p;
}

char *mem_strdup(const char *s)
{
    return mem_strndup(s, strlen(s));
}

char *mem_printf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = NULL;
    if (vasprintf(&s, fmt, ap) < 0) out_of_memory(strlen(fmt));
    va_end(ap);
    return s;
}

// Chunks double up to 1 MiB, so that an arena for a small function costs 4 KiB and one for a
// program costs few calls. A large request gets a chunk of its own behind the current one.
typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size; // usable bytes in data
    size_t used;
    _Alignas(16) char data[];
};

struct Arena {
    const char *name;
    Chunk *first;
    size_t bytes;
    size_t next_size;
};

enum { FIRST_CHUNK = 4096 - 64, LAST_CHUNK = 1 << 20 };

Arena *arena_new(const char *name)
{
    Arena *a = mem_alloc(sizeof *a);
    a->name = name;
    a->next_size = FIRST_CHUNK;
    return a;
}

static void chunks_free(Chunk *c)
{
    while (c) {
        Chunk *next = c->next;
        mem_free(c);
        c = next;
    }
}

void arena_free(Arena *a)
{
    if (!a) return;
    chunks_free(a->first);
    mem_free(a);
}

void arena_reset(Arena *a)
{
    if (!a->first) return;
    chunks_free(a->first->next);
    a->first->next = NULL;
    a->first->used = 0;
    a->bytes = 0;
}

static Chunk *chunk_new(size_t size)
{
    Chunk *c = malloc(sizeof *c + size);
    if (!c) out_of_memory(size);
    *c = (Chunk){.size = size};
    return c;
}

// Zeroed piece by piece as it is handed out: the bytes are about to be written anyway, while whole
// chunks would have left the processor's caches by then.
void *arena_alloc(Arena *a, size_t size)
{
    void *p = arena_raw(a, size);
    memset(p, 0, size);
    return p;
}

void *arena_raw(Arena *a, size_t size)
{
    if (size > SIZE_MAX / 2) out_of_memory(size);
    size = (size + 15) & ~(size_t)15;
    if (size == 0) size = 16;
    a->bytes += size;
    Chunk *c = a->first;
    if (!c || c->size - c->used < size) {
        if (c && size > a->next_size / 2) {
            Chunk *own = chunk_new(size);
            own->used = size;
            own->next = c->next;
            c->next = own;
            return own->data;
        }
        Chunk *fresh = chunk_new(size > a->next_size ? size : a->next_size);
        if (a->next_size < LAST_CHUNK) a->next_size *= 2;
        fresh->next = c;
        a->first = c = fresh;
    }
    void *p = c->data + c->used;
    c->used += size;
    return p;
}

void *arena_copy(Arena *a, const void *bytes, size_t n)
{
    void *p = arena_raw(a, n);
    if (n) memcpy(p, bytes, n);
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    if (n) memcpy(p, s, n);
    return p;
}

char *arena_strdup(Arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0) die("arena_vprintf: bad format '%s'", fmt);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    return p;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return p;
}

size_t arena_bytes(const Arena *a)
{
    return a->bytes;
}

const char *arena_name(const Arena *a)
{
    return a->name;
}
