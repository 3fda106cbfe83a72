// What is still allocated and reached from nowhere when a run ends, as LeakSanitizer has it: every
// aligned word of a live global, of the library's storage and, where functions are still active, of
// their locals and registers is taken for a pointer if it leads into a block.
#include "witness/witness_int.h"

typedef struct {
    Machine *m;
    uint8_t *seen; // by block of the heap
    U32s queue;
} Reach;

static void visit_word(Reach *r, uint64_t word)
{
    if (word < HEAP_BASE || word >= STACK_BASE) return;
    MemBlock *b = wit_block_near(r->m, word);
    if (!b || (word - b->base >= b->size && word != b->base)) return;
    if (b->state != BLOCK_LIVE) return;
    uint32_t i = (uint32_t)(b - r->m->blocks.at);
    if (r->seen[i]) return;
    r->seen[i] = 1;
    vec_push(&r->queue, i);
}

static void visit_bytes(Reach *r, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; bytes && i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        visit_word(r, word);
    }
}

void wit_leaks(Machine *m, WitnessRun *run, bool frames)
{
    Reach r = {.m = m, .seen = mem_alloc(m->blocks.len + 1)};
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP && b->state == BLOCK_LIVE) visit_bytes(&r, b->bytes, b->size);
    }
    if (frames) {
        vec_each (i, &m->stack)
            if (m->stack.at[i].state == BLOCK_LIVE)
                visit_bytes(&r, m->stack.at[i].bytes, m->stack.at[i].size);
        vec_each (i, &m->values) {
            visit_word(&r, m->values.at[i].lo);
            visit_word(&r, m->values.at[i].hi);
        }
        vec_each (i, &m->rest) visit_word(&r, m->rest.at[i].value.lo);
    }
    while (r.queue.len) {
        uint32_t i = vec_last(&r.queue);
        r.queue.len--;
        visit_bytes(&r, m->blocks.at[i].bytes, m->blocks.at[i].size);
    }
    VEC(WitnessLeak) leaks = {0};
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP || b->state != BLOCK_LIVE || r.seen[i]) continue;
        vec_push(&leaks, ((WitnessLeak){b->at, b->size, b->number, b->family}));
    }
    run->leaks = arena_copy(m->a, leaks.at, leaks.len * sizeof *leaks.at);
    run->leak_count = leaks.len;
    vec_free(&leaks);
    vec_free(&r.queue);
    mem_free(r.seen);
}
