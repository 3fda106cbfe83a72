// Before a function is walked: where its values are used, and which are alive at the head of a
// block.
#include "walk/walk_int.h"


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

static void find_liveness(Work *w)
{
    const Func *f = w->func;
    uint32_t n = f->ins_count, blocks = f->block_count;
    uint32_t *block_of = arena_array_of(w->arena, uint32_t, n);
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
    w->global_value = arena_array_of(w->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < w->uses[i].count; k++) {
            uint32_t at = w->use_ins[w->uses[i].first + k];
            if (block_of[at] != block_of[i] || func_ins(w->unit, f, at)->op == OP_PHI) {
                w->global_value[i] = ++w->global_value_count;
                break;
            }
        }
    uint32_t g = w->global_value_count;
    w->live_in = arena_array_of(w->arena, Bits, blocks);
    Bits *use = arena_array_of(w->arena, Bits, blocks),
         *def = arena_array_of(w->arena, Bits, blocks);
    w->phi_out = arena_array_of(w->arena, Bits, blocks);
    for (uint32_t b = 0; b < blocks; b++) {
        w->live_in[b] = bits_new(w->arena, g);
        use[b] = bits_new(w->arena, g);
        def[b] = bits_new(w->arena, g);
        w->phi_out[b] = bits_new(w->arena, g);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!w->global_value[i]) continue;
        uint32_t v = w->global_value[i] - 1;
        bits_add(&def[block_of[i]], v);
        for (uint32_t k = 0; k < w->uses[i].count; k++) {
            uint32_t at = w->use_ins[w->uses[i].first + k];
            const Ins *in = func_ins(w->unit, f, at);
            if (in->op != OP_PHI) {
                if (block_of[at] != block_of[i]) bits_add(&use[block_of[at]], v);
                continue;
            }
            for (uint32_t m = 0; m < in->c; m++) {
                const uint32_t *pair = func_extra(w->unit, f, in->b + 2 * m);
                if (ref_is_ins((Ref){pair[1]}) && ref_index((Ref){pair[1]}) == i)
                    bits_add(&w->phi_out[pair[0]], v);
            }
        }
    }
    // live_in = use + (live_out - def), live_out = phi_out + live_in of the successors; post order
    // converges in a few rounds.
    Arena *scratch = arena_new("liveness");
    Bits out = bits_new(scratch, g);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t o = w->cfg->order_count; o-- > 0;) {
            uint32_t b = w->cfg->order[o];
            bits_clear(&out);
            bits_union(&out, &w->phi_out[b]);
            EdgeRange r = w->cfg->succ[b];
            for (uint32_t i = 0; i < r.count; i++)
                bits_union(&out, &w->live_in[w->cfg->edges[r.first + i]]);
            for (uint32_t i = 0; i < bits_words(g); i++)
                out.words[i] = (out.words[i] & ~def[b].words[i]) | use[b].words[i];
            changed |= bits_union(&w->live_in[b], &out);
        }
    }
    arena_free(scratch);
}

void work_init(Work *w, Callees *callees, const WorkOptions *o, FuncId f, Findings *into)
{
    *w = (Work){.callees = callees,
                .facts = callees->facts,
                .trace = callees->trace,
                .id = f,
                .findings = into,
                .solver = o->solver,
                .mute = o->mute,
                .recursive = o->recursive,
                .silent = o->silent};
    const Program *p = w->facts->program;
    w->func = program_body(p, f, &w->unit);
    w->unit_index = p->funcs.at[f.id].unit;
    w->arena = arena_new("function");
    w->disposed = bits_new(w->arena, w->func->ins_count);
    // In proportion to the function, so that the cost stays linear.
    w->budget = o->step_budget ? o->step_budget
                               : DEFAULT_BUDGET + (uint64_t)STEPS_PER_INS * w->func->ins_count;
    terms_init(&w->terms, w->unit->pointer_bytes * 8);
    conds_init(&w->conds, w->arena, &w->terms);
    w->cfg = cfg_build(w->arena, w->unit, w->func);
    focus(w, w->facts->hints);
    find_uses(w);
    find_liveness(w);
}

void work_free(Work *w)
{
    vec_free(&w->infos);
    vec_free(&w->guessed);
    vec_free(&w->open);
    vec_free(&w->error_calls);
    vec_free(&w->error_call_before);
    map_free(&w->error_call_of);
    map_free(&w->error_sites);
    vec_free(&w->exits);
    vec_free(&w->memo);
    vec_each (i, &w->reaches) {
        vec_free(&w->reaches.at[i].reached);
        mem_free(w->reaches.at[i].words);
    }
    vec_free(&w->reaches);
    vec_free(&w->named);
    vec_free(&w->symbolic);
    map_free(&w->info_of);
    map_free(&w->name_of);
    map_free(&w->answers);
    map_free(&w->reported);
    map_free(&w->asked);
    conds_free(&w->conds);
    terms_free(&w->terms);
    arena_free(w->arena);
}
