// Where a function's values are used, and which are alive at the head of a block. Requires the
// control-flow graph and what of it is kept.
#include "heap/heap.h"
#include "heap/limits.h"

typedef void (*RefVisit)(Work *w, Ref r, uint32_t ins, uint32_t *counts);

static void each_use(Work *w, RefVisit visit, uint32_t *counts)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (in->op == OP_BIND) continue; // debug information keeps nothing alive
        if (!bits_has(&w->kept, i)) continue;
        Operands o = ins_operands(w->unit, w->func, in);
        for (uint32_t n = 0; n < o.count; n++) visit(w, o.refs[n], i, counts);
        for (uint32_t n = 0; n < o.more_count; n++)
            visit(w, (Ref){o.more[n * o.more_step]}, i, counts);
    }
}

static void count_use(Work *w, Ref r, uint32_t ins, uint32_t *counts)
{
    (void)w, (void)ins;
    if (ref_is_ins(r)) counts[ref_index(r)]++;
}

static void place_use(Work *w, Ref r, uint32_t ins, uint32_t *filled)
{
    if (!ref_is_ins(r)) return;
    uint32_t v = ref_index(r);
    w->use_ins[w->uses[v].first + filled[v]++] = ins;
}

static void find_uses(Work *w)
{
    uint32_t n = w->func->ins_count;
    uint32_t *counts = arena_array_of(w->arena, uint32_t, n);
    w->uses = arena_array_of(w->arena, UseRange, n);
    each_use(w, count_use, counts);
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        w->uses[i] = (UseRange){total, counts[i]};
        total += counts[i];
        counts[i] = 0;
    }
    w->use_ins = arena_array_of(w->arena, uint32_t, total);
    each_use(w, place_use, counts);
}

// What a block reads that others have made, or that phis after it take: for each block the values
// from first[block] up to first[block + 1].
typedef struct {
    uint32_t *first, *values;
} LiveIn;

typedef struct {
    uint32_t block, value;
} Want;

typedef VEC(Want) Wants;

static LiveIn by_block(Arena *a, const Wants *wants, uint32_t blocks)
{
    LiveIn r = {arena_array_of(a, uint32_t, blocks + 2), arena_array_of(a, uint32_t, wants->len)};
    vec_each (i, wants) r.first[wants->at[i].block + 2]++;
    for (uint32_t b = 1; b < blocks + 2; b++) r.first[b] += r.first[b - 1];
    vec_each (i, wants) r.values[r.first[wants->at[i].block + 1]++] = wants->at[i].value;
    return r;
}

static void add_wanted(Bits *to, const LiveIn *wanted, uint32_t block)
{
    for (uint32_t i = wanted->first[block]; i < wanted->first[block + 1]; i++)
        bits_add(to, wanted->values[i]);
}

// Numbers the values that are used outside of their blocks, in the order of instructions: those of
// a block follow each other, from first_of[block] up to first_of[block + 1].
static void number_values(Work *w, const uint32_t *block_of, uint32_t *first_of, Wants *uses)
{
    const Func *f = w->func;
    w->global_value = arena_array_of(w->arena, uint32_t, f->ins_count);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *k = func_block(w->unit, f, b);
        first_of[b] = w->global_value_count;
        for (uint32_t i = k->first; i < k->first + k->count; i++) {
            bool elsewhere = false;
            for (uint32_t n = 0; n < w->uses[i].count; n++) {
                uint32_t at = w->use_ins[w->uses[i].first + n];
                bool phi = func_ins(w->unit, f, at)->op == OP_PHI;
                elsewhere |= phi || block_of[at] != b;
                if (!phi && block_of[at] != b)
                    vec_push(uses, ((Want){block_of[at], w->global_value_count}));
            }
            if (elsewhere) w->global_value[i] = ++w->global_value_count;
        }
    }
    first_of[f->block_count] = w->global_value_count;
}

static void phi_uses(const Work *w, Wants *uses)
{
    const Func *f = w->func;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(w->unit, f, i);
        if (in->op != OP_PHI || !bits_has(&w->kept, i)) continue;
        for (uint32_t m = 0; m < in->c; m++) {
            const uint32_t *pair = func_extra(w->unit, f, in->b + 2 * m);
            if (ref_is_ins((Ref){pair[1]}))
                vec_push(uses, ((Want){pair[0], w->global_value[ref_index((Ref){pair[1]})] - 1}));
        }
    }
}

// live_in = used there + (live_out - made there), live_out = what phis after it take + live_in of the
// successors; post order converges in a few rounds.
static void find_liveness(Work *w)
{
    const Func *f = w->func;
    uint32_t n = f->ins_count, blocks = f->block_count;
    Arena *scratch = arena_new("liveness");
    uint32_t *block_of = arena_array_of(scratch, uint32_t, n);
    uint32_t *first_of = arena_array_of(scratch, uint32_t, blocks + 1);
    w->phi_loop = arena_array_of(w->arena, uint32_t, n);
    for (uint32_t b = 0; b < blocks; b++) {
        const Block *k = func_block(w->unit, f, b);
        uint32_t loop = w->cfg->loop_of[b];
        bool header = loop && w->cfg->loops[loop - 1].header == b;
        for (uint32_t i = k->first; i < k->first + k->count; i++) {
            block_of[i] = b;
            if (header && func_ins(w->unit, f, i)->op == OP_PHI) w->phi_loop[i] = loop;
        }
    }
    Wants wants = {0};
    number_values(w, block_of, first_of, &wants);
    LiveIn used = by_block(scratch, &wants, blocks);
    vec_clear(&wants);
    phi_uses(w, &wants);
    LiveIn taken = by_block(scratch, &wants, blocks);
    vec_free(&wants);
    uint32_t g = w->global_value_count, words = bits_words(g);
    w->filled = w->gave_up = (uint64_t)blocks * words * sizeof(uint64_t) > MOST_LIVE_BYTES;
    w->live_in = arena_array_of(w->arena, Bits, blocks);
    w->live_out = arena_array_of(w->arena, Bits, blocks);
    for (uint32_t b = 0; b < blocks && !w->gave_up; b++) {
        w->live_in[b] = bits_new(w->arena, g);
        w->live_out[b] = bits_new(w->arena, g);
        add_wanted(&w->live_in[b], &used, b);
        add_wanted(&w->live_out[b], &taken, b);
    }
    for (bool changed = true; changed && !w->gave_up;) {
        changed = false;
        looked_at(w, (uint64_t)w->cfg->order_count * words);
        for (uint32_t o = w->cfg->order_count; o-- > 0;) {
            uint32_t b = w->cfg->order[o];
            Bits *in = &w->live_in[b], *out = &w->live_out[b];
            EdgeRange r = w->cfg->succ[b];
            for (uint32_t i = 0; i < r.count; i++)
                changed |= bits_union(out, &w->live_in[w->cfg->edges[r.first + i]]);
            // What is made here is not wanted of others; its bits follow each other.
            uint32_t from = first_of[b], to = first_of[b + 1];
            for (uint32_t i = 0; i < words; i++) {
                uint64_t made = 0;
                if (from < (i + 1) * 64 && to > i * 64) {
                    uint32_t low = from > i * 64 ? from - i * 64 : 0, high = to - i * 64;
                    made = ~(uint64_t)0 << low;
                    if (high < 64) made &= ((uint64_t)1 << high) - 1;
                }
                in->words[i] |= out->words[i] & ~made;
            }
        }
    }
    arena_free(scratch);
}

void live_find(Work *w)
{
    find_uses(w);
    find_liveness(w);
}
