// What is still allocated and reached from nowhere when a run ends, as LeakSanitizer has it: every
// aligned word of a live global, of the library's storage and, where functions are still active, of
// their locals and registers is taken for a pointer if it leads into a block.
#include "unit/cfg.h"
#include "witness/witness_int.h"

typedef struct {
    Machine *m;
    uint8_t *seen; // by block of the heap
    U32s queue;
    bool frames; // locals count
} RunReach;

static void visit_word(RunReach *r, uint64_t word)
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

// A number is a resource's when it was made of it, or looks like it; in a replay numbers of
// resources look like no others, but for those that a path asks for.
static void visit_number(RunReach *r, int64_t number, Dependence of)
{
    vec_each (i, &r->m->open) {
        OpenValue *v = &r->m->open.at[i];
        if ((of.choice && of.choice == v->choice) || (v->value == number && number >= UNLIKELY))
            v->seen = true;
    }
}

static void visit_block(RunReach *r, const MemBlock *b)
{
    const uint8_t *bytes = b->bytes;
    uint64_t size = b->size;
    for (uint64_t i = 0; bytes && r->m->open.len && i + 4 <= size; i += 4) {
        int32_t number;
        memcpy(&number, bytes + i, 4);
        visit_number(r, number, (Dependence){0});
    }
    for (uint64_t i = 0; bytes && i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        visit_word(r, word);
    }
}

// Numbers in memory of which more is known than how they look.
static void visit_origins(RunReach *r)
{
    const Machine *m = r->m;
    if (!m->replay || !m->open.len) return;
    for (uint32_t i = 0; i < m->open.len; i++) {
        uint64_t at = 0;
        while (!m->open.at[i].seen && (at = wit_made_of(m, m->open.at[i].choice, at))) {
            const MemBlock *b = wit_block_at(r->m, at);
            bool heap = b && b->kind == BLOCK_HEAP;
            bool local = b && b->kind == BLOCK_LOCAL;
            if (b && b->state == BLOCK_LIVE && (!local || r->frames) &&
                (!heap || r->seen[b - m->blocks.at]))
                r->m->open.at[i].seen = true;
        }
    }
}

static void visit_value(RunReach *r, Value v)
{
    visit_word(r, v.lo);
    visit_word(r, v.hi);
    visit_number(r, (int32_t)v.lo, v.of);
}

static void visit_all(RunReach *r)
{
    Machine *m = r->m;
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP && b->state == BLOCK_LIVE) visit_block(r, b);
    }
    vec_each (i, &m->kept) visit_word(r, m->kept.at[i]);
}

static void visit_stack(RunReach *r)
{
    vec_each (i, &r->m->stack)
        if (r->m->stack.at[i].state == BLOCK_LIVE) visit_block(r, &r->m->stack.at[i]);
    vec_each (i, &r->m->rest) visit_value(r, r->m->rest.at[i].value);
}

static void visit_rest(RunReach *r)
{
    while (r->queue.len) {
        uint32_t i = vec_last(&r->queue);
        r->queue.len--;
        visit_block(r, &r->m->blocks.at[i]);
    }
}

// ---- what active functions can still use

typedef struct {
    const Frame *f;
    Bits *in; // by block
} Live;

static void use(const Live *l, Bits *live, uint32_t ref)
{
    Ref r = {ref};
    if (ref_is_param(r)) bits_add(live, ref_index(r));
    if (ref_is_ins(r)) bits_add(live, l->f->f->param_count + ref_index(r));
}

// From after the instruction to before it.
static void before(const Live *l, Bits *live, uint32_t i)
{
    const Frame *f = l->f;
    const Ins *ins = func_ins(f->u, f->f, i);
    bits_drop(live, f->f->param_count + i);
    if (ins->op == OP_PHI) return;
    Operands o = ins_operands(f->u, f->f, ins);
    for (uint32_t k = 0; k < o.count; k++) use(l, live, o.refs[k].bits);
    for (uint32_t k = 0; k < o.more_count; k++) use(l, live, o.more[k * o.more_step]);
}

static void at_end(const Live *l, const Cfg *cfg, Bits *live, uint32_t block)
{
    const Frame *f = l->f;
    for (uint32_t s = 0; s < cfg->succ[block].count; s++) {
        uint32_t to = cfg->edges[cfg->succ[block].first + s];
        const Block *b = func_block(f->u, f->f, to);
        bits_union(live, &l->in[to]);
        for (uint32_t i = 0; i < b->count; i++) {
            const Ins *phi = func_ins(f->u, f->f, b->first + i);
            if (phi->op != OP_PHI) break;
            const uint32_t *x = func_extra(f->u, f->f, phi->b);
            for (uint32_t k = 0; k < phi->c; k++)
                if (x[2 * k] == block) use(l, live, x[2 * k + 1]);
        }
    }
}

// The values that the frame reads from its instruction on; of a call under way those behind it.
static void visit_live(RunReach *r, const Frame *f, bool called)
{
    Machine *m = r->m;
    uint32_t n = f->f->param_count + f->f->ins_count;
    Cfg *cfg = cfg_build(m->a, f->u, f->f);
    Live l = {.f = f, .in = arena_array_of(m->a, Bits, cfg->block_count + 1)};
    for (uint32_t b = 0; b <= cfg->block_count; b++) l.in[b] = bits_new(m->a, n);
    Bits live = bits_new(m->a, n);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = cfg->order_count; i-- > 0;) {
            uint32_t block = cfg->order[i];
            const Block *b = func_block(f->u, f->f, block);
            bits_clear(&live);
            at_end(&l, cfg, &live, block);
            for (uint32_t k = b->first + b->count; k-- > b->first;) before(&l, &live, k);
            grew |= bits_union(&l.in[block], &live);
        }
    }
    const Block *b = func_block(f->u, f->f, f->block);
    bits_clear(&live);
    at_end(&l, cfg, &live, f->block);
    for (uint32_t k = b->first + b->count; k-- > f->at + called;) before(&l, &live, k);
    bits_each (i, &live) visit_value(r, m->values.at[f->values + i]);
}

uint8_t *wit_reached(Machine *m, bool frames)
{
    RunReach r = {.m = m, .seen = mem_alloc(m->blocks.len + 1), .frames = frames};
    vec_each (i, &m->open) m->open.at[i].seen = false;
    visit_all(&r);
    if (frames) {
        visit_stack(&r);
        vec_each (i, &m->frames) visit_live(&r, &m->frames.at[i], i + 1 < m->frames.len);
    } else {
        visit_value(&r, m->result);
    }
    visit_rest(&r);
    visit_origins(&r);
    vec_free(&r.queue);
    return r.seen;
}

bool wit_lost(Machine *m, uint32_t outer, bool frames, bool held, bool *made)
{
    uint8_t *seen = wit_reached(m, frames);
    bool lost = false;
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        if (b->kind != BLOCK_HEAP || b->outer != outer) continue;
        *made = true;
        lost |= b->state == BLOCK_LIVE && (held || !seen[i]);
    }
    vec_each (i, &m->open) {
        const OpenValue *v = &m->open.at[i];
        if (v->outer != outer) continue;
        *made = true;
        lost |= v->open && (held || !v->seen);
    }
    mem_free(seen);
    return lost;
}

void wit_leaks(Machine *m, WitnessRun *run, bool frames)
{
    RunReach r = {.m = m, .seen = mem_alloc(m->blocks.len + 1), .frames = frames};
    visit_all(&r);
    if (frames) {
        visit_stack(&r);
        vec_each (i, &m->values) visit_value(&r, m->values.at[i]);
    }
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
