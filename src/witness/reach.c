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

static void visit_number(Reach *r, int64_t number)
{
    vec_each (i, &r->m->open)
        if (r->m->open.at[i].value == number) r->m->open.at[i].seen = true;
}

static void visit_bytes(Reach *r, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; bytes && r->m->open.len && i + 4 <= size; i += 4) {
        int32_t number;
        memcpy(&number, bytes + i, 4);
        visit_number(r, number);
    }
    for (uint64_t i = 0; bytes && i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        visit_word(r, word);
    }
}

static void visit_all(Reach *r, bool frames)
{
    Machine *m = r->m;
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP && b->state == BLOCK_LIVE) visit_bytes(r, b->bytes, b->size);
    }
    vec_each (i, &m->kept) visit_word(r, m->kept.at[i]);
    if (frames) {
        vec_each (i, &m->stack)
            if (m->stack.at[i].state == BLOCK_LIVE)
                visit_bytes(r, m->stack.at[i].bytes, m->stack.at[i].size);
        vec_each (i, &m->values) {
            visit_word(r, m->values.at[i].lo);
            visit_word(r, m->values.at[i].hi);
        }
        vec_each (i, &m->rest) visit_word(r, m->rest.at[i].value.lo);
    }
}

static void visit_rest(Reach *r)
{
    while (r->queue.len) {
        uint32_t i = vec_last(&r->queue);
        r->queue.len--;
        visit_bytes(r, r->m->blocks.at[i].bytes, r->m->blocks.at[i].size);
    }
}

uint8_t *wit_reached(Machine *m)
{
    Reach r = {.m = m, .seen = mem_alloc(m->blocks.len + 1)};
    visit_all(&r, false);
    visit_word(&r, m->result.lo);
    visit_word(&r, m->result.hi);
    visit_number(&r, (int64_t)(int32_t)m->result.lo);
    visit_rest(&r);
    vec_free(&r.queue);
    return r.seen;
}

bool wit_lost(Machine *m, uint32_t outer, bool *made)
{
    uint8_t *seen = wit_reached(m);
    bool lost = false;
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP || b->outer != outer) continue;
        *made = true;
        lost |= b->state == BLOCK_LIVE && !seen[i];
    }
    vec_each (i, &m->open) {
        const OpenValue *v = &m->open.at[i];
        if (v->outer != outer) continue;
        *made = true;
        lost |= v->open && !v->seen;
    }
    mem_free(seen);
    return lost;
}

void wit_leaks(Machine *m, WitnessRun *run, bool frames)
{
    Reach r = {.m = m, .seen = mem_alloc(m->blocks.len + 1)};
    visit_all(&r, frames);
    visit_rest(&r);
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
