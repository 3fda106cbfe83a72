// The run: functions bottom-up over the components of the call graph.
#include "doubt/frequency.h"
#include "eval/eval_int.h"
#include "facts/presets.h"
#include "link/specs.h"
#include "logic/solve.h"
#include "recall/recall.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BUDGET = 30000, STEPS_PER_INS = 40, RECURSION_ROUNDS = 2, SMALL_CYCLE = 32 };

const Program *eval_program(const Eval *e)
{
    return e->shared->program;
}
const SpecTable *eval_specs(const Eval *e)
{
    return e->shared->options.specs;
}
const FlowHints *eval_hints(const Eval *e)
{
    return e->shared->options.hints;
}
const Points *eval_points(const Eval *e)
{
    return e->shared->options.points;
}
const Beliefs *eval_beliefs(const Eval *e)
{
    return e->shared->options.beliefs;
}
const SpecFunc *eval_spec(const Eval *e, FuncId f)
{
    return e->shared->specs[f.id];
}
const SpecFunc *eval_elements(const Eval *e, FuncId f)
{
    return e->shared->elements[f.id];
}

static uint32_t rank_of(const Eval *e, FuncId f)
{
    return e->shared->rank[e->shared->program->funcs.at[f.id].scc.id];
}

bool eval_is_freed(const Eval *e, FuncId f, uint32_t ins)
{
    const FlowHints *h = e->shared->options.hints;
    return h && h->freed[f.id].words && bits_has(&h->freed[f.id], ins);
}

bool eval_has_started(const Eval *e, FuncId f)
{
    if (e->trace) trace_func(e, f);
    return rank_of(e, f) <= e->rank;
}

const Summary *eval_summary(Eval *e, FuncId f)
{
    Shared *s = e->shared;
    uint32_t rank = rank_of(e, f);
    if (e->trace) trace_func(e, f);
    if (rank > e->rank) return NULL;
    if (rank < e->rank && !atomic_load_explicit(&s->done[rank], memory_order_acquire))
        run_wait(e, rank);
    return s->summaries[f.id];
}

static bool is_main(const Program *program, FuncId f)
{
    const ProgFunc *p = &program->funcs.at[f.id];
    return !(p->flags & PROG_INTERNAL) && strcmp(name_text(program->names, p->name), "main") == 0;
}

bool eval_comes_back(const Eval *e, FuncId f)
{
    return !program_has_code(e->shared->program, f) || bits_has(&e->shared->comes_back, f.id);
}

bool eval_is_handed_on(const Eval *e, GlobalId g)
{
    return bits_has(&e->shared->marks.handed_on, g.id);
}

bool eval_is_sentinel(const Eval *e, int64_t number)
{
    bool answer = map_get(&e->shared->marks.sentinels, (uint64_t)number) != NULL;
    if (e->trace) trace_number(e, number, answer);
    return answer;
}

bool eval_default_is_idle(const Eval *e, FuncId f, uint32_t ins)
{
    return map_get(&e->shared->idle, map_pair(f.id, ins)) != NULL;
}

bool eval_is_main(const Eval *e, FuncId f)
{
    return is_main(e->shared->program, f);
}

// ---- Globals that nobody writes.

static void taken(const Program *p, uint32_t unit, const Unit *u, Ref r, Bits *written)
{
    if (!ref_is_const(r)) return;
    const Const *c = &u->consts.at[ref_index(r)];
    if (c->kind == CONST_GLOBAL)
        bits_add(written, program_global(p, unit, (UGlobalId){c->target}).id);
}

static void find_constants(Shared *s)
{
    const Program *p = s->program;
    Arena *scratch = arena_new("constants");
    Bits written = bits_new(scratch, p->globals.len);
    bool whole = false;
    for (uint32_t f = 1; f < p->funcs.len; f++)
        whole |= (p->funcs.at[f].flags & PROG_DEFINED) && is_main(p, (FuncId){f});
    for (uint32_t k = 0; k < p->unit_count; k++) {
        const Unit *u = p->units[k];
        vec_each (i, &u->inits) taken(p, k, u, (Ref){u->inits.at[i].value}, &written);
        vec_each (f, &u->funcs) {
            const Func *fn = &u->funcs.at[f];
            for (uint32_t i = 0; i < fn->ins_count; i++) {
                const Ins *in = func_ins(u, fn, i);
                if (in->op == OP_LOAD || in->op == OP_BIND) continue;
                Operands o = ins_operands(u, fn, in);
                for (uint32_t n = 0; n < o.count; n++) taken(p, k, u, o.refs[n], &written);
                for (uint32_t n = 0; n < o.more_count; n++)
                    taken(p, k, u, (Ref){o.more[n * o.more_step]}, &written);
            }
        }
    }
    s->bytes = arena_array_of(s->arena, Const, UINT8_MAX + 1);
    for (int i = 0; i <= UINT8_MAX; i++)
        s->bytes[i] = (Const){.kind = CONST_INT, .type = mtype(MT_INT, 8).bits, .value = (int8_t)i};
    s->constant_globals = bits_new(s->arena, p->globals.len);
    Bits named_here = bits_new(scratch, p->globals.len);
    for (uint32_t g = 1; g < p->globals.len; g++) {
        const ProgGlobal *pg = &p->globals.at[g];
        if (!(pg->flags & PROG_DEFINED) || (pg->flags & PROG_WEAK)) continue;
        const Global *u = &p->units[pg->unit]->globals.at[pg->global.id];
        bool constant = (u->flags & GLOBAL_CONST) != 0;
        // Declared without a value and never set: by code that is not here.
        bool ours = (whole && u->linkage != LINK_COMMON) || (pg->flags & PROG_INTERNAL);
        if (constant || (ours && !bits_has(&written, g))) bits_add(&s->constant_globals, g);
        if (ours) bits_add(&named_here, g);
    }
    written_find(&s->written, s->arena, p, s->options.points, &named_here);
    switches_find(&s->idle, p, &s->written, &named_here);
    arena_free(scratch);
}

static GlobalInit global_init(const Shared *s, GlobalId g, int64_t offset, uint32_t bytes,
                              const Unit **u, uint32_t *unit_index, const Const **c)
{
    const Program *p = s->program;
    if (!bits_has(&s->constant_globals, g.id) && !written_never(&s->written, p, g, offset, bytes))
        return GLOBAL_INIT_UNKNOWN;
    const ProgGlobal *pg = &p->globals.at[g.id];
    const Unit *unit = p->units[pg->unit];
    const Global *d = &unit->globals.at[pg->global.id];
    if (!(d->flags & GLOBAL_DEFINED)) return GLOBAL_INIT_UNKNOWN;
    if (d->text.id) {
        const char *text = name_text(unit->names, d->text);
        size_t length = strlen(text);
        bool inside = offset >= 0 && (uint64_t)offset < length;
        if (d->size == length + 1 && bytes == 1 && inside) {
            *u = unit;
            *unit_index = pg->unit;
            *c = &s->bytes[(uint8_t)text[offset]];
            return GLOBAL_INIT_CONST;
        }
        if (d->size == length + 1)
            return bytes == 1 && offset == (int64_t)length ? GLOBAL_INIT_ZERO : GLOBAL_INIT_UNKNOWN;
    }
    for (uint32_t i = 0; i < d->init_count; i++) {
        const Init *init = &unit->inits.at[d->first_init + i];
        uint64_t size = mtype_bytes((MType){(uint16_t)init->type});
        if ((int64_t)init->offset == offset && size == bytes) {
            *u = unit;
            *unit_index = pg->unit;
            *c = &unit->consts.at[ref_index((Ref){init->value})];
            return GLOBAL_INIT_CONST;
        }
        if ((int64_t)init->offset < offset + bytes && offset < (int64_t)(init->offset + size))
            return GLOBAL_INIT_UNKNOWN;
    }
    bool rest_zero = (d->flags & GLOBAL_ZERO) && !(d->flags & GLOBAL_INIT_PARTIAL);
    return rest_zero && offset >= 0 ? GLOBAL_INIT_ZERO : GLOBAL_INIT_UNKNOWN;
}

GlobalInit eval_global_init(const Eval *e, GlobalId g, int64_t offset, uint32_t bytes,
                            const Unit **u, uint32_t *unit_index, const Const **c)
{
    GlobalInit init = global_init(e->shared, g, offset, bytes, u, unit_index, c);
    if (e->trace) {
        bool found = init == GLOBAL_INIT_CONST;
        trace_global(e, g, offset, bytes, found ? recall_const(e, *unit_index, *c) : init);
    }
    return init;
}

// ---- Preparing one function: uses, liveness.

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

void work_init(Work *w, Eval *e, FuncId f, Findings *into)
{
    *w = (Work){.eval = e, .id = f, .findings = into};
    const Program *p = e->shared->program;
    w->func = program_body(p, f, &w->unit);
    w->unit_index = p->funcs.at[f.id].unit;
    w->arena = arena_new("function");
    w->disposed = bits_new(w->arena, w->func->ins_count);
    w->solver = e->solver;
    // In proportion to the function, so that the cost stays linear.
    uint64_t budget = e->shared->options.step_budget;
    w->budget = budget ? budget : DEFAULT_BUDGET + (uint64_t)STEPS_PER_INS * w->func->ins_count;
    terms_init(&w->terms, w->unit->pointer_bytes * 8);
    conds_init(&w->conds, w->arena, &w->terms);
    w->cfg = cfg_build(w->arena, w->unit, w->func);
    focus(w, e->shared->options.hints);
    find_uses(w);
    find_liveness(w);
}

void work_free(Work *w)
{
    vec_free(&w->infos);
    vec_free(&w->guessed);
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

bool eval_reaches(const Eval *e, FuncId f, uint32_t block)
{
    const Summary *sum = e->shared->summaries[f.id];
    if (!sum || !sum->known || sum->incomplete || block >= sum->reached.count) return true;
    return bits_has(&sum->reached, block);
}

// Of the last round what the function is, of all of them what was done.
static void note_work(EvalWork *o, const Work *w)
{
    o->functions = 1;
    o->silent = w->silent;
    o->instructions = w->func->ins_count;
    o->kept = bits_size(&w->kept);
    o->branches = o->governing = 0;
    for (uint32_t b = 0; b < w->cfg->block_count; b++) {
        o->branches += w->cfg->succ[b].count > 1;
        o->governing += w->cfg->succ[b].count > 1 && w->way_on[b] == BLOCK_NONE;
    }
    const FlowHints *hints = eval_hints(w->eval);
    const Bits *idle = hints ? &hints->idle[w->id.id] : NULL;
    o->idle = idle && idle->words ? bits_size(idle) : 0;
    o->steps += w->steps;
    o->forks += w->forks;
    o->passed_over += w->passed_over;
}

static void begin(Work *w, State *entry)
{
    Terms *t = &w->terms;
    Preset presets[MAX_PRESETS];
    uint32_t count = presets_of(eval_program(w->eval), w->id, presets);
    for (uint32_t i = 0; i < count; i++) {
        const Preset *x = &presets[i];
        Term home = term_leaf(t, T_GLOBAL, t->pointer_bits, x->global.id, 0, 0, 0);
        Term before = term_leaf(t, T_INPUT, x->bits, home.id, 0, 0, 0);
        cond_assume(&w->conds, &entry->facts, term_eq(t, before, term_int(t, x->bits, x->value)),
                    true);
    }
}

static void evaluate(Eval *e, FuncId f, bool last, bool recursive, bool silent)
{
    Shared *s = e->shared;
    Work w;
    Findings *into = findings_new();
    work_init(&w, e, f, into);
    w.mute = !last;
    w.recursive = recursive;
    w.silent = silent;
    State entry = {0};
    begin(&w, &entry);
    walk(&w, &entry);
    lost_settle(&w);
    const Summary *sum = summarize(&w, e->arena);
    summary_free((Summary *)s->summaries[f.id]);
    s->summaries[f.id] = sum;
    if (w.gave_up) {
        char *why = mem_printf("%llu steps were not enough", (unsigned long long)steps_allowed(&w));
        findings_given_up(into, name_text(w.unit->names, w.func->source),
                          pos_of(&w, w.func->loc.id), why);
        mem_free(why);
    }
    note_work(&s->work[f.id], &w);
    work_free(&w);
    findings_free(s->found[f.id]);
    s->found[f.id] = into;
}

Bits eval_given_up(const Eval *e, Arena *a)
{
    const Shared *s = e->shared;
    Bits b = bits_new(a, s->program->funcs.len);
    for (uint32_t f = 1; f < s->program->funcs.len; f++)
        if (s->summaries[f] && !s->summaries[f]->known) bits_add(&b, f);
    return b;
}

bool eval_matters(const Shared *s, FuncId f)
{
    const FlowHints *hints = s->options.hints;
    return !hints || bits_has(&hints->matters, f.id);
}

static bool calls_itself(const Program *p, FuncId f)
{
    ProgRange r = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++)
        if (p->calls.at[r.first + i].callee.id == f.id) return true;
    return false;
}

// Whether no way out of the function was found so far, though there may be one.
static bool is_stuck(Eval *e, FuncId f)
{
    const Summary *sum = e->shared->summaries[f.id];
    return sum && sum->known && !sum->case_count && eval_comes_back(e, f);
}

// A cycle of calls whose functions stand callers first: one round takes the way out one function
// further. Those that have none yet are evaluated again as long as that helps. Of large cycles this
// would cost too much: errs towards code behind such calls that is not looked at.
static void find_ways_out(Eval *e, ProgRange r, bool silent)
{
    const Program *p = e->shared->program;
    for (bool found = r.count <= SMALL_CYCLE; found;) {
        found = false;
        for (uint32_t i = r.count; i-- > 0;) {
            FuncId f = p->order.at[r.first + i];
            if (!is_stuck(e, f)) continue;
            evaluate(e, f, false, true, silent);
            found |= !is_stuck(e, f);
        }
    }
}

void eval_component(Eval *e, uint32_t scc)
{
    const Program *p = e->shared->program;
    ProgRange r = p->sccs.at[scc];
    if (e->shared->recall && recall_component(e, scc)) return;
    Trace trace = {0};
    if (e->shared->recall) e->trace = &trace;
    bool recursive = r.count > 1 || calls_itself(p, p->order.at[r.first]);
    bool silent = !e->shared->options.in_full && eval_matters(e->shared, p->order.at[r.first]) &&
                  silent_component(e, scc);
    uint32_t rounds = recursive ? RECURSION_ROUNDS : 1;
    for (uint32_t round = 1; round <= rounds; round++) {
        if (round > 1) find_ways_out(e, r, silent);
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId f = p->order.at[r.first + i];
            // What was given up once would be given up again.
            const Summary *before = e->shared->summaries[f.id];
            if (!eval_matters(e->shared, f)) continue;
            if (program_has_code(p, f) && !(before && !before->known))
                evaluate(e, f, round == rounds, recursive, silent);
        }
    }
    if (e->shared->recall) recall_note(e, scc);
    trace_free(&trace);
}

Eval *eval_new(const Program *p, const EvalOptions *o)
{
    Eval *e = mem_alloc(sizeof *e);
    Shared *s = e->shared = mem_alloc(sizeof *s);
    s->program = p;
    s->options = *o;
    s->arena = e->arena = arena_new("evaluation");
    e->rank = UINT32_MAX;
    e->solver = solver_new();
    s->summaries = arena_array_of(s->arena, const Summary *, p->funcs.len);
    s->specs = arena_array_of(s->arena, const SpecFunc *, p->funcs.len);
    s->found = arena_array_of(s->arena, Findings *, p->funcs.len);
    s->work = arena_array_of(s->arena, EvalWork, p->funcs.len);
    s->elements = arena_array_of(s->arena, const SpecFunc *, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        s->specs[f] = program_spec(p, o->specs, (FuncId){f});
        s->elements[f] = spec_find_elements(o->specs, name_text(p->names, p->funcs.at[f].name));
    }
    find_constants(s);
    marks_find(&s->marks, s->arena, p);
    s->comes_back = may_return_find(s->arena, e);
    run_order(s);
    if (o->keep) s->recall = recall_new(s, o->memory, o->memory_len, o->pool);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    return e;
}

void eval_free(Eval *e)
{
    if (!e) return;
    Shared *s = e->shared;
    for (uint32_t f = 1; f < s->program->funcs.len; f++) {
        summary_free((Summary *)s->summaries[f]);
        if (s->found[f]) findings_free(s->found[f]);
    }
    recall_free(s->recall);
    solver_free(e->solver);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    vec_each (i, &s->arenas) arena_free(s->arenas.at[i]);
    vec_free(&s->arenas);
    map_free(&s->marks.sentinels);
    written_free(&s->written);
    map_free(&s->idle);
    arena_free(s->arena);
    mem_free(s);
    mem_free(e);
}

// Why what is certain is not sure.
static bool note_rare(Finding *x, bool few, const char *why)
{
    if (!few) return false;
    x->level = LEVEL_LIKELY;
    x->rare = true;
    finding_event(x, EVENT_NOTE, x->lost, "%s", why);
    return true;
}

static void settle_levels(Frequency *o, FuncId f, Findings *found)
{
    static const char needed[] = "no call gives the parameters that this path needs";
    static const char idle[] = "nothing that the program runs calls this function";
    static const char option[] = "only an option of the command line leads here";
    static const char few[] = "a process comes here only a few times";
    static const char end[] = "after this the program ends, or goes on with what it does once";
    vec_each (i, &found->all) {
        Finding *x = found->all.at[i];
        bool leak = x->rule == RULE_LEAK || x->rule == RULE_RESOURCE_LEAK;
        // A call that loses what it brought the last time has overwritten it.
        bool over = x->loss == LOSS_OVERWRITE ||
                    (x->loss == LOSS_OWNER && x->made_by && x->made_by == x->lost_by);
        if (leak && callers_never_null(o, f, x->null_params)) x->level = LEVEL_AUDIT;
        if (x->level != LEVEL_AUDIT && !callers_give(o, f, x)) {
            note_rare(x, x->level == LEVEL_SURE, needed);
            x->level = LEVEL_AUDIT;
        }
        if (!leak || x->level != LEVEL_SURE) continue;
        uint32_t call = x->failed_call, lost = x->lost_by;
        if (note_rare(x, !frequency_reached(o, f), idle)) continue;
        if (note_rare(x,
                      x->made_by && frequency_at(o, f, x->made_by - 1, over) &&
                          frequency_at(o, f, lost - 1, over),
                      few))
            continue;
        if (note_rare(x, x->made_by && options_letter_leads_to(o, f, x->made_by - 1), option))
            continue;
        if (note_rare(x, call && program_ends_after_null(o, f, call - 1), end)) continue;
        if (note_rare(x,
                      x->returns && program_ends_after_return(o, f, x->returned[0], x->returned[1]),
                      end))
            continue;
        note_rare(x, lost && program_ends_after(o, f, lost - 1), end);
    }
}

// Of what an earlier program has told: what is sure here. An archive alone does not run.
static void say_again(Findings *into, const Findings *found)
{
    vec_each (i, &found->all) {
        const Finding *x = found->all.at[i];
        if (x->level == LEVEL_SURE) finding_copy(into, x)->again = true;
    }
}

void eval_run(Eval *e, Findings *into)
{
    Shared *s = e->shared;
    const Program *p = s->program;
    run_all(s);
    Frequency *once = frequency_new(e);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!s->found[f]) continue;
        into->run.functions++;
        settle_levels(once, (FuncId){f}, s->found[f]);
        if (!p->unit_fresh || p->unit_fresh[p->funcs.at[f].unit])
            findings_append(into, s->found[f]);
        else if (p->linked)
            say_again(into, s->found[f]);
    }
    frequency_free(once);
}

static void work_add(EvalWork *all, const EvalWork *one)
{
    all->functions += one->functions;
    all->silent += one->silent;
    all->steps += one->steps;
    all->instructions += one->instructions;
    all->kept += one->kept;
    all->branches += one->branches;
    all->governing += one->governing;
    all->forks += one->forks;
    all->passed_over += one->passed_over;
    all->idle += one->idle;
}

void eval_work(const Eval *e, EvalWork *into)
{
    const Shared *s = e->shared;
    for (uint32_t f = 1; f < s->program->funcs.len; f++) work_add(into, &s->work[f]);
}

void eval_memory(const Eval *e, Chars *out, uint32_t *recalled)
{
    const Recall *m = e->shared->recall;
    if (!m) return;
    if (out) recall_write(m, out);
    *recalled = recall_count(m);
}
