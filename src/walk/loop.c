// Loops: rounds are walked one by one while the exit tests are decided (constant bounds), else
// ROUNDS_OPEN times; then the state is generalised. What a round adds to a counter becomes start + step * k
// (the closed form of its recurrence, symbolic heap algebra, section 3), one that doubles start << k; what else
// it changes becomes unknown, and objects made inside stand for a family, of which nothing is
// claimed: losses that depend on the bound alone are never reported, while those that a first,
// second or third round shows are.
#include "walk/walk_int.h"

static uint32_t iteration_of(const State *s)
{
    return s->loops ? (uint32_t)(pmap_print(s->loops) >> 16) | 1 : 0;
}

// ---- Values that are dead at a block's head are dropped, so that states can be compared.

typedef struct {
    Work *w;
    State *s;
    uint32_t block;
} Clean;

static bool drop_dead(void *context, uint64_t key, uint64_t value)
{
    Clean *c = context;
    (void)value;
    uint32_t g = c->w->global_value[key], loop = c->w->phi_loop[key];
    // A header's phi is kept throughout the loop: the next round is compared with it.
    if (loop && cfg_loop_has(c->w->cfg, loop, c->block)) return true;
    if (!g || !bits_has(&c->w->live_in[c->block], g - 1))
        c->s->env = pmap_drop(c->w->arena, c->s->env, key);
    return true;
}

static void clean(Work *w, State *s, uint32_t block)
{
    Clean c = {w, s, block};
    PMap env = s->env;
    looked_at(w, pmap_size(env));
    pmap_each(env, drop_dead, &c);
}

// Whether the counter at this phi is compared with a number that it moves away from: such a test
// only ever fails once the counter has wrapped, and somebody wrote it to fail.
static bool tests_for_wrap(const Work *w, uint32_t phi, int64_t start, int64_t step)
{
    UseRange u = w->uses[phi];
    for (uint32_t i = 0; i < u.count; i++) {
        const Ins *in = func_ins(w->unit, w->func, w->use_ins[u.first + i]);
        if (in->op != OP_SLT && in->op != OP_SLE) continue;
        Ref other = ref_is_ins((Ref){in->a}) ? (Ref){in->b} : (Ref){in->a};
        if (!ref_is_const(other) || w->unit->consts.at[ref_index(other)].kind != CONST_INT)
            continue;
        int64_t bound = w->unit->consts.at[ref_index(other)].value;
        if (step > 0 ? bound <= start - step : bound >= start - step) return true;
    }
    return false;
}

// Shifted by the amount from what stood there before, in both of the last rounds.
static bool is_shifted(Terms *t, TermKind shift, uint32_t amount, Term older, Term old, Term now)
{
    uint32_t width = term_width(t, now);
    Term by = term_int(t, width, amount), factor = term_int(t, width, (int64_t)1 << amount);
    TermKind product = shift == T_SHL ? T_MUL : T_UDIV;
    Term pairs[2][2] = {{old, now}, {older, old}};
    for (int i = 0; i < 2; i++) {
        Term from = pairs[i][0], to = pairs[i][1];
        if (!from.id || term_width(t, from) != width || term_is_zero(t, to)) return false;
        if (!term_same(term_binary(t, shift, from, by), to) &&
            !term_same(term_binary(t, product, from, factor), to))
            return false;
    }
    return true;
}

// A counter that doubles or halves (symbolic pointer analysis, section 3: geometric recurrences): start shifted by
// as many bits as there are rounds, which wraps as the program does. Other factors have no form
// without powers; none: it is no such counter.
static Term geometric(Work *w, Term older, Term old, Term now, Term k)
{
    enum { MOST = 4 };
    Terms *t = &w->terms;
    uint32_t width = term_width(t, now);
    if (width <= 8 || (term_node(t, now)->flags & TERM_HAS_BASE)) return (Term){0};
    Term count = width == t->pointer_bits ? k : term_convert(t, T_TRUNC, k, width);
    for (uint32_t amount = 1; amount <= MOST; amount++)
        for (int left = 1; left >= 0; left--) {
            TermKind shift = left ? T_SHL : T_LSHR;
            if (!is_shifted(t, shift, amount, older, old, now)) continue;
            Term by = term_binary(t, T_MUL, count, term_int(t, width, amount));
            return term_binary(t, shift, now, by);
        }
    return (Term){0};
}

// `older`, `old` and `now` are the values of the last three arrivals; older may be none.
static Term generalise_value(Work *w, State *s, Term older, Term old, Term now, Term k,
                             uint32_t block, uint32_t key, int64_t sub)
{
    Terms *t = &w->terms;
    if (term_same(old, now)) return now;
    uint32_t width = term_width(t, now);
    Term unknown = term_leaf(t, T_MERGE, width, block, key, s->iter, sub);
    if (width == 0 || term_width(t, old) != width) return unknown;
    int64_t step, before;
    bool steady = !older.id || term_width(t, older) != width ||
                  (term_is_int(t, term_sub(t, old, older), &before) &&
                   term_is_int(t, term_sub(t, now, old), &step) && before == step);
    Term power = steady ? (Term){0} : geometric(w, older, old, now, k);
    if (power.id) return power;
    if (steady && width <= 64 && width > 1 && term_is_int(t, term_sub(t, now, old), &step)) {
        Term count = width == t->pointer_bits ? k : term_convert(t, T_TRUNC, k, width);
        // The counter does not wrap on its way: it is one that a loop test compares.
        Term r = width == t->pointer_bits && (term_node(t, now)->flags & TERM_HAS_BASE)
                     ? term_index(t, now, count, step)
                     : term_binary(t, T_ADD, now,
                                   term_binary(t, T_MUL, count, term_int(t, width, step)));
        int64_t start;
        if (sub == -1 && term_is_int(t, now, &start) && tests_for_wrap(w, key, start, step)) {
            state_doubt(w, s, DOUBT_COUNTER_WRAPS, func_block(w->unit, w->func, block)->first);
            return unknown;
        }
        if (step > 0 && term_is_int(t, now, &start))
            cond_assume(&w->conds, &s->facts, term_slt(t, r, term_int(t, width, start)), false);
        if (step < 0 && term_is_int(t, now, &start))
            cond_assume(&w->conds, &s->facts, term_slt(t, term_int(t, width, start), r), false);
        return r;
    }
    return unknown;
}

static void family_base(void *context, Term base)
{
    Clean *c = context;
    if (term_kind(&c->w->terms, base) != T_HEAP) return;
    ObjState o = obj_get(c->s, base);
    if (o.status != OBJ_ALLOCATED) return;
    o.flags |= OBJF_FAMILY;
    obj_set(c->w, c->s, base, o);
}

typedef struct {
    Work *w;
    State *s;
    uint32_t block;
    Term k;
    const LoopRecord *record;
} LoopRound;

static void into_family(Work *w, State *s, Term x)
{
    Clean c = {w, s, 0};
    if (term_node(&w->terms, x)->flags & TERM_HAS_HEAP)
        term_each_base(&w->terms, x, family_base, &c);
}

// A pointer that goes through a block by equal steps is in that block whatever the round.
static bool is_same_block(const Terms *t, Term x, Term y)
{
    Address a = term_address(t, x), b = term_address(t, y);
    return a.base.id && a.base.id == b.base.id;
}

static bool generalise_cell(void *context, uint64_t key, uint64_t old, uint64_t now, int has)
{
    LoopRound *g = context;
    Work *w = g->w;
    if (has == 1) return true; // gone in this round: stays gone
    Term x = cell_term(now), y = has == 3 ? cell_term(old) : (Term){0};
    if (has == 2 && term_kind(&w->terms, term_address(&w->terms, cell_base(key)).base) == T_HEAP) {
        // A cell of an object made in this round.
        into_family(w, g->s, x);
        return true;
    }
    uint64_t older = 0;
    pmap_get(g->record->older_mem, key, &older);
    uint32_t at = func_block(w->unit, w->func, g->block)->first;
    bool picked;
    if (is_rest(&w->terms, x, &picked) && !picked) {
        // A list goes on among the arguments.
        Term where = term_leaf(&w->terms, T_MERGE, w->terms.pointer_bits, g->block,
                               (uint32_t)(key >> 32), g->s->iter, (int64_t)(uint32_t)key);
        Term area = term_index(&w->terms, term_address(&w->terms, x).base, where, 1);
        g->s->mem = pmap_set(w->arena, g->s->mem, key, cell_value(cell_size(now), area));
        return true;
    }
    Term r = has == 3 ? generalise_value(w, g->s, cell_term(older), y, x, g->k, g->block,
                                         (uint32_t)(key >> 32), (int64_t)(uint32_t)key)
                      : term_leaf(&w->terms, T_MERGE, term_width(&w->terms, x), g->block,
                                  (uint32_t)(key >> 32), g->s->iter, (int64_t)(uint32_t)key);
    if (!term_same(r, x) && !is_same_block(&w->terms, r, x)) {
        into_family(w, g->s, x);
        escape_term(w, g->s, x, at);
        if (y.id) into_family(w, g->s, y);
    }
    if (!term_same(r, x) && is_raised(w, g->s, cell_base(key), cell_offset(key), x)) stays_raised(w, g->s, r);
    g->s->mem = pmap_set(w->arena, g->s->mem, key, cell_value(cell_size(now), r));
    return true;
}

static bool family_of_loop(void *context, uint64_t key, uint64_t first, uint64_t now, int has)
{
    LoopRound *g = context;
    (void)first, (void)now;
    if (has == 2) into_family(g->w, g->s, (Term){(uint32_t)key});
    return true;
}

// The rounds released blocks of the caller, one a round: those that hang on them were released by
// rounds that were not walked, and what a caller knows of them is nothing.
static bool loosen_freed(void *context, uint64_t key, uint64_t first, uint64_t now, int has)
{
    LoopRound *g = context;
    TermKind kind = term_kind(&g->w->terms, (Term){(uint32_t)key});
    bool freed = (has & 2) && (now & 0xff) == OBJ_FREED && !(has == 3 && (first & 0xff) == OBJ_FREED);
    if (freed && (kind == T_PARAM || kind == T_INPUT))
        g->s->loose = pmap_set(g->w->arena, g->s->loose, key, 1);
    return true;
}

// Whether the call releases nothing and hands nothing to unknown code.
static bool only_builds(const Work *w, const Ins *call)
{
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){call->a});
    if (!f.id) return false;
    const SpecFunc *spec = facts_spec(w->facts, f);
    if (spec && (!program_has_code(p, f) || spec_beats_code(spec))) {
        for (uint32_t i = 0; i < spec->param_count; i++)
            if (spec->params[i].mode != SPEC_REF || spec->params[i].effect > SPEC_FILLS ||
                spec->params[i].called)
                return false;
        return true;
    }
    const Summary *sum = program_has_code(p, f) ? callee_summary(w->callees, f) : NULL;
    if (!sum || !sum->known || sum->incomplete) return false;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *k = &sum->cases[i];
        if (k->free_count || k->escape_count || k->havoc_count || k->loose_count) return false;
    }
    return true;
}

static bool loop_builds(const Work *w, uint32_t header)
{
    const Cfg *c = w->cfg;
    const Loop *l = &c->loops[c->loop_of[header] - 1];
    for (uint32_t k = 0; k < l->blocks.count; k++) {
        const Block *b = func_block(w->unit, w->func, c->loop_blocks[l->blocks.first + k]);
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            const Ins *in = func_ins(w->unit, w->func, i);
            if (in->op == OP_ASM || in->op == OP_OPAQUE) return false;
            if ((in->op == OP_CALL || in->op == OP_INVOKE) && !only_builds(w, in)) return false;
        }
    }
    return true;
}

static bool first_of_loop(void *context, uint64_t key, uint64_t first, uint64_t second, int has)
{
    LoopRound *g = context;
    (void)first, (void)second;
    Term h = {(uint32_t)key};
    ObjState o = obj_get(g->s, h);
    if (has != 2 || term_kind(&g->w->terms, h) != T_HEAP || o.status != OBJ_ALLOCATED) return true;
    o.flags |= OBJF_FIRST;
    obj_set(g->w, g->s, h, o);
    return true;
}

typedef struct {
    uint32_t ins;
    Term x;
} PhiValue;

// What only hung on a value that the loop has made unknown (`while (...) { n->next = list; list = n; }`, and
// what `list` was before it) hangs on the unknown one now. That it is lost a round shows that was walked.
static void keep_hanging(Work *w, State *s, uint32_t block, Reach *hung)
{
    Reach now = {0};
    Clean c = {w, s, 0};
    State t = *s;
    t.vars = NULL; // the variables hold the unknown value from here on
    reach_now(w, &t, block, func_block(w->unit, w->func, block)->first, &now);
    vec_each (i, &hung->reached) {
        Term base = {hung->reached.at[i]};
        if (!reach_has(&now, base)) family_base(&c, base);
    }
    reach_free(&now);
}

// Phis take their values all at once; what is dead from here on is dropped before.
static void enter_phis(Work *w, State *s, uint32_t block, const LoopRound *gen)
{
    const Block *b = func_block(w->unit, w->func, block);
    VEC(PhiValue) values = {0};
    Reach hung = {0};
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (in->op != OP_PHI) break;
        if (!bits_has(&w->kept, i)) continue;
        Ref taken = cfg_phi_value(w->cfg, w->unit, w->func, i, s->from);
        Term x = ref_is_none(taken) ? (Term){0} : operand(w, s, taken);
        if (!x.id) x = value_unknown(w, s, i, made(MADE_VALUE, 0), in->type);
        if (gen) {
            uint64_t old;
            Term before = pmap_get(s->env, i, &old) ? (Term){(uint32_t)old}
                                                    : value_unknown(w, s, i, made(MADE_BEFORE, 0), in->type);
            uint64_t older = 0;
            pmap_get(gen->record->older_env, i, &older);
            Term r =
                generalise_value(w, s, (Term){(uint32_t)older}, before, x, gen->k, block, i, -1);
            if (!term_same(r, x) && !is_same_block(&w->terms, r, x)) {
                rest_stored(w, (Term){0}, x);
                into_family(w, s, x);
                into_family(w, s, before);
                if (term_node(&w->terms, x)->flags & TERM_HAS_HEAP) reach_term(w, s, x, &hung);
            }
            x = r;
        }
        vec_push(&values, ((PhiValue){i, x}));
    }
    clean(w, s, block);
    vec_each (i, &values) {
        uint64_t old;
        PhiValue v = values.at[i];
        if (pmap_get(s->env, v.ins, &old) && old != v.x.id) queue_lost(w, s, (Term){(uint32_t)old});
        s->env = pmap_set(w->arena, s->env, v.ins, v.x.id);
    }
    if (hung.reached.len) keep_hanging(w, s, block, &hung);
    reach_free(&hung);
    vec_free(&values);
}

void enter_block(Work *w, State *s, uint32_t block)
{
    enter_phis(w, s, block, NULL);
}

typedef struct {
    const State *s;
    bool idle;
} UnchangedCheck;

// Unknown contents of one round are as good as those of another, when nothing that was read there
// has been kept.
static bool is_renewed(void *context, uint64_t key, uint64_t before, uint64_t word, int has)
{
    (void)key;
    UnchangedCheck *k = context;
    ContentKind kind = content_kind(word);
    k->idle = has == 3 && (kind == CONTENT_HAVOC || kind == CONTENT_SCRIBBLE) &&
              (uint32_t)before == (uint32_t)word;
    return k->idle;
}

// A variable that holds what a failed call gave holds nothing.
static bool holds_nothing(void *context, uint64_t key, uint64_t before, uint64_t now, int has)
{
    (void)key;
    UnchangedCheck *k = context;
    if ((has & 1) && pmap_get(k->s->objs, (uint32_t)before, NULL)) k->idle = false;
    if ((has & 2) && pmap_get(k->s->objs, (uint32_t)now, NULL)) k->idle = false;
    return k->idle;
}

// Whether the round left everything as it found it (a call that failed is tried again): what comes
// of another one is what came of it, under more conditions.
static bool is_idle(const State *s, const LoopRecord *r)
{
    UnchangedCheck k = {s, pmap_same(s->env, r->env) && pmap_same(s->mem, r->mem) &&
                     pmap_same(s->objs, r->objs) && pmap_same(s->escaped, r->escaped) &&
                     pmap_same(s->loose, r->loose) && pmap_same(s->sizes, r->sizes)};
    if (k.idle) pmap_diff(r->contents, s->contents, is_renewed, &k);
    if (k.idle) pmap_diff(r->vars, s->vars, holds_nothing, &k);
    return k.idle;
}

// Arrival at a loop's header. False when the path ends here.
bool enter_loop(Work *w, State *s, uint32_t header, bool back)
{
    uint64_t rounds = 0, word = 0;
    pmap_get(s->loops, header, &rounds);
    LoopRecord *record = pmap_get(s->records, header, &word) ? (LoopRecord *)(uintptr_t)word : NULL;
    if (back && record) {
        uint64_t forked = 0;
        pmap_get(s->forked, header, &forked);
        bool tight = w->steps > w->budget / 4;
        Effort effort = effort_of(w);
        bool small = w->func->ins_count <= SMALL_FUNCTION && effort == EFFORT_FULL;
        uint32_t limit = effort == EFFORT_LEAST ? ROUNDS_LEAST
                         : forked == FORKED_TEST || tight
                             ? (small ? ROUNDS_OPEN_SMALL : ROUNDS_OPEN)
                         : forked == FORKED_INNER ? ROUNDS_SPLIT
                                                  : ROUNDS_DECIDED;
        if (rounds > ROUNDS_DECIDED) return false; // the generalised round has come back
        if (rounds >= limit) {
            s->loops = pmap_set(w->arena, s->loops, header, ROUNDS_DECIDED + 1);
            s->iter = iteration_of(s);
            LoopRound g = {w, s, header,
                     term_leaf(&w->terms, T_LOOP, w->terms.pointer_bits, header, 0, s->iter, 0),
                     record};
            PMap mem = s->mem, objs = s->objs;
            pmap_diff(record->mem, mem, generalise_cell, &g);
            pmap_diff(record->first_objs, objs, family_of_loop, &g);
            pmap_diff(record->first_objs, objs, loosen_freed, &g);
            if (record->second_objs != record->first_objs && loop_builds(w, header))
                pmap_diff(record->first_objs, record->second_objs, first_of_loop, &g);
            enter_phis(w, s, header, &g);
            s->flags |= STATE_GENERAL;
            story_add(w, s, STORY_LOOP, func_block(w->unit, w->func, header)->first, (Term){0},
                      (Term){header}, true, NULL);
            goto record_it;
        }
        rounds++;
    } else {
        rounds = 1;
    }
    s->loops = pmap_set(w->arena, s->loops, header, rounds);
    s->iter = iteration_of(s);
    enter_phis(w, s, header, NULL);
    if (back && record && is_idle(s, record)) return false;
record_it:
    s->forked = pmap_drop(w->arena, s->forked, header);
    LoopRecord *fresh = arena_new_of(w->arena, LoopRecord);
    bool first = !back || !record;
    *fresh = (LoopRecord){.mem = s->mem,
                          .env = s->env,
                          .older_mem = first ? NULL : record->mem,
                          .older_env = first ? NULL : record->env,
                          .objs = s->objs,
                          .contents = s->contents,
                          .vars = s->vars,
                          .escaped = s->escaped,
                          .loose = s->loose,
                          .sizes = s->sizes,
                          .first_objs = first ? s->objs : record->first_objs,
                          .first_contents = first ? s->contents : record->first_contents,
                          .second_objs = first || rounds == 2 ? s->objs : record->second_objs};
    s->records = pmap_set(w->arena, s->records, header, (uint64_t)(uintptr_t)fresh);
    return true;
}

// What was written in some round of a loop that is over: which round it was makes no difference any
// more, and states that differ in nothing else can be joined.
static bool settle_content(void *context, uint64_t key, uint64_t before, uint64_t word, int has)
{
    Clean *c = context;
    (void)before;
    ContentKind kind = content_kind(word);
    if (has == 1 || (kind != CONTENT_HAVOC && kind != CONTENT_SCRIBBLE)) return true;
    uint64_t settled = (uint64_t)c->s->iter << 32 | (uint32_t)word;
    c->s->contents = pmap_set(c->w->arena, c->s->contents, key, settled);
    return true;
}

void go(Work *w, const State *from, uint32_t block, uint32_t to)
{
    State s = *from;
    const Cfg *c = w->cfg;
    // Leaving loops: their counts are forgotten.
    const LoopRecord *left = NULL;
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent) {
        if (cfg_loop_has(c, l, to)) break;
        if (c->loops[l - 1].depth > USUAL_NEST) w->steps++;
        uint64_t word;
        if (pmap_get(s.records, c->loops[l - 1].header, &word))
            left = (const LoopRecord *)(uintptr_t)word;
        s.loops = pmap_drop(w->arena, s.loops, c->loops[l - 1].header);
        s.records = pmap_drop(w->arena, s.records, c->loops[l - 1].header);
        s.forked = pmap_drop(w->arena, s.forked, c->loops[l - 1].header);
    }
    if (left) {
        s.iter = iteration_of(&s);
        Clean settle = {w, &s, to};
        PMap contents = s.contents;
        pmap_diff(left->first_contents, contents, settle_content, &settle);
    }
    s.from = block;
    vec_push(&w->pending[to], s);
}
