// The oracle's own memory: blocks are never given back, so that every use of one that was freed is
// seen; allocations fail as the run says; what no root reaches at the end of a run is a leak. A run
// is one call of one function with one choice of arguments and failures.
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 128, HEAP = 1 << 14, DEPTH = 8, FAILING = 31, FACTS = 512, PATIENCE = 2000 };

typedef struct {
    char *at;
    size_t size;
    int freed, outside; // outside: the harness made it, the caller owns it
    int depth, lines[DEPTH]; // the allocation's line, then those of the calls around it
} Block;

static Block blocks[BLOCKS];
static int block_count, call_depth, calls[DEPTH], allocations, tainted, steps;
static unsigned failing; // bit k: the k-th allocation fails
static _Alignas(16) char heap[HEAP];
static size_t heap_used;
static jmp_buf fault;

static Block *find(const void *p)
{
    for (int i = 0; i < block_count; i++)
        if ((const char *)p >= blocks[i].at && (const char *)p < blocks[i].at + blocks[i].size)
            return &blocks[i];
    return NULL;
}

// What was found, each once: a word, a line and the lines of the calls around it.
static char facts[FACTS][64];
static int fact_count;

static void fact(const char *word, int depth, const int *lines)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s", word);
    for (int i = 0; i < depth && n < 56; i++)
        n += snprintf(text + n, sizeof text - n, " %d", lines[i]);
    for (int i = 0; i < fact_count; i++)
        if (strcmp(facts[i], text) == 0) return;
    if (fact_count < FACTS) strcpy(facts[fact_count++], text);
}

static int stack_of(int line, int *lines)
{
    int n = 0;
    lines[n++] = line;
    for (int i = call_depth; i-- > 0 && n < DEPTH;) lines[n++] = calls[i];
    return n;
}

// Behind a first misuse nothing is promised; what comes then may be told or not.
static void misuse(const char *word, int line)
{
    char text[32];
    int lines[DEPTH], n = stack_of(line, lines);
    snprintf(text, sizeof text, "%s%s", tainted ? "perhaps-" : "", word);
    fact(text, n, lines);
    tainted = 1;
}

static void *obtain(size_t size, int line, int zero, int outside)
{
    int k = allocations++;
    if (!outside && k < FAILING && (failing >> k & 1)) return NULL;
    if (block_count == BLOCKS || heap_used + size + 16 > HEAP) longjmp(fault, 1);
    Block *b = &blocks[block_count++];
    *b = (Block){.at = heap + heap_used, .size = size, .outside = outside};
    b->depth = stack_of(line, b->lines);
    heap_used += (size + 31) & ~(size_t)15;
    memset(b->at, zero ? 0 : 0xee, size);
    return b->at;
}

static void give_back(void *p, int line)
{
    if (!p) return;
    Block *b = find(p);
    if (!b || b->at != (char *)p) longjmp(fault, 1);
    if (b->freed) misuse("double-free", line);
    if (tainted && !b->outside) fact("may", b->depth, b->lines);
    b->freed = 1;
}

static void *used(const void *p, int line)
{
    Block *b = find(p);
    if (!b || ++steps > PATIENCE) longjmp(fault, 1);
    if (b->freed) misuse("use-after-free", line);
    return (void *)p;
}

static void enter(int line)
{
    if (call_depth == DEPTH || ++steps > PATIENCE) longjmp(fault, 1);
    calls[call_depth++] = line;
}

static char marked[BLOCKS];

static void mark(const void *p)
{
    Block *b = p ? find(p) : NULL;
    if (!b || b->freed || marked[b - blocks]) return;
    marked[b - blocks] = 1;
    for (size_t i = 0; i + sizeof(void *) <= b->size; i += sizeof(void *)) {
        void *inner;
        memcpy(&inner, b->at + i, sizeof inner);
        mark(inner);
    }
}

// Which allocations fail, in ascending order: any of the first four, three of the first nine, two
// of the first sixteen, one of all that are counted.
static unsigned masks[512];
static int mask_count;

static void list_masks(void)
{
    for (unsigned m = 0; m < 1u << 16; m++) {
        int count = __builtin_popcount(m);
        if (m < 1u << 4 || count <= 2 || (count == 3 && m < 1u << 9)) masks[mask_count++] = m;
    }
    for (int k = 16; k < FAILING; k++) masks[mask_count++] = 1u << k;
}

static void begin(unsigned fails)
{
    block_count = call_depth = allocations = tainted = steps = 0;
    heap_used = 0;
    failing = fails;
}

// Behind the run; `roots` are what the caller has.
static void conclude(void *const *roots, int count, int faulted)
{
    char leaked[BLOCKS], hangs[BLOCKS] = {0};
    memset(marked, 0, sizeof marked);
    for (int i = 0; i < count; i++) mark(roots[i]);
    for (int i = 0; i < block_count; i++)
        if (blocks[i].outside) mark(blocks[i].at);
    for (int i = 0; i < block_count; i++)
        leaked[i] = !blocks[i].outside && !blocks[i].freed && (faulted || !marked[i]);
    // What hangs on another leaked block may be told with it.
    for (int i = 0; i < block_count; i++) {
        if (!leaked[i]) continue;
        memset(marked, 0, sizeof marked);
        mark(blocks[i].at);
        for (int k = 0; k < block_count; k++) hangs[k] |= k != i && marked[k];
    }
    for (int i = 0; i < block_count; i++)
        if (leaked[i])
            fact(faulted || tainted || hangs[i] ? "may" : "must", blocks[i].depth, blocks[i].lines);
}

#define malloc(n) obtain(n, __LINE__, 0, 0)
#define calloc(m, n) obtain((m) * (n), __LINE__, 1, 0)
#define free(p) give_back(p, __LINE__)
#define AT(p) ((__typeof__(p))used(p, __LINE__))
#define CALL(e)                                                                                    \
    ({                                                                                             \
        enter(__LINE__);                                                                           \
        __auto_type result_ = (e);                                                                 \
        call_depth--;                                                                              \
        result_;                                                                                   \
    })
#define RUN(e)                                                                                     \
    do {                                                                                           \
        enter(__LINE__);                                                                           \
        e;                                                                                         \
        call_depth--;                                                                              \
    } while (0)
