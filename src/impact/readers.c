// Which blocks of a function read what an instruction gives.
//
// Whoever follows what is known through a function (what_follows.c) looks at those again where it changes.
#include "impact/impact_int.h"

typedef struct {
    uint32_t ins, block;
} Reading;
typedef VEC(Reading) Readings;

// The base of an address is asked for null.
static void add_reading(const Shape *s, Readings *all, Ref r, uint32_t block)
{
    bool address = true;
    for (bool direct = true; address && ref_is_ins(r); direct = false) {
        const Ins *in = func_ins(s->unit, s->func, ref_index(r));
        address = in->op == OP_FIELD || in->op == OP_INDEX;
        if (direct || !address) vec_push(all, ((Reading){ref_index(r), block}));
        r = (Ref){in->a};
    }
}

Readers *readers_of(Arena *a, const Shape *s)
{
    Readers *k = arena_array_of(a, Readers, 1);
    Readings all = {0};
    uint32_t n = s->func->ins_count;
    k->stored = bits_new(a, n);
    k->load = bits_new(a, s->func->block_count);
    for (uint32_t b = 0; b < s->func->block_count; b++) {
        const Block *block = func_block(s->unit, s->func, b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const Ins *in = func_ins(s->unit, s->func, i);
            if (in->op == OP_LOAD) bits_add(&k->load, b);
            if (in->op == OP_STORE && ref_is_ins((Ref){in->b})) bits_add(&k->stored, ref_index((Ref){in->b}));
            Operands o = ins_operands(s->unit, s->func, in);
            for (uint32_t x = 0; x < o.count + o.more_count; x++) add_reading(s, &all, operand_at(&o, x), b);
            for (uint32_t x = 0; in->op == OP_PHI && x < in->c; x++) {
                const uint32_t *pair = func_extra(s->unit, s->func, in->b + 2 * x);
                add_reading(s, &all, (Ref){pair[1]}, pair[0]);
            }
        }
    }
    k->first = arena_array_of(a, uint32_t, (size_t)n + 2);
    k->blocks = arena_array_of(a, uint32_t, all.len + 1);
    vec_each (i, &all) k->first[all.at[i].ins + 2]++;
    for (uint32_t i = 1; i < n + 2; i++) k->first[i] += k->first[i - 1];
    vec_each (i, &all) k->blocks[k->first[all.at[i].ins + 1]++] = all.at[i].block;
    vec_free(&all);
    return k;
}
