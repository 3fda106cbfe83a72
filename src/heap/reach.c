// The pointer graph (symbolic pointer analysis, section 4): nodes are objects, edges the cells that
// hold addresses, the root is what the program can still name: variables, values yet to be used,
// locals, globals, and all memory that came from outside.
#include "heap/heap.h"

typedef struct {
    uint64_t key;
    uint32_t next; // of the same base, + 1
} SymCell;

typedef struct {
    Work *w;
    const State *s;
    Reach *r;
    U32s queue;
    bool exit;             // locals are no roots
    bool numbers;          // inputs that may be descriptors are reached like addresses
    VEC(SymCell) symbolic; // cells with a symbolic index
    Map symbolic_of;       // base -> the last of its cells in `symbolic`, + 1
} Walk;

static void reach_base(void *context, Term base)
{
    Walk *k = context;
    Reach *r = k->r;
    if (!r->w) {
        if (k->w->reaches.len) *r = vec_pop(&k->w->reaches);
        r->w = k->w;
    }
    if (base.id / 64 >= r->word_count) {
        uint32_t count = k->w->terms.nodes.len / 64 + 1;
        r->words = mem_resize(r->words, r->word_count * sizeof *r->words, count * sizeof *r->words);
        r->word_count = count;
    }
    uint64_t bit = (uint64_t)1 << base.id % 64, *word = &r->words[base.id / 64];
    if (*word & bit) return;
    *word |= bit;
    vec_push(&r->reached, base.id);
    vec_push(&k->queue, base.id);
}

static bool visit_cell(void *context, uint64_t key, uint64_t value)
{
    (void)key;
    Walk *k = context;
    const Terms *t = &k->w->terms;
    Term x = cell_term(value);
    if (k->numbers && is_number_input(t, unconverted(t, x))) reach_base(k, unconverted(t, x));
    term_each_base(t, x, reach_base, k);
    return true;
}

static Term real_base(const Terms *t, Term home)
{
    return term_address(t, home).base;
}

static void note_symbolic(Walk *k, Term base, uint64_t key)
{
    bool fresh;
    uint64_t *last = map_at(&k->symbolic_of, base.id, 0, &fresh);
    vec_push(&k->symbolic, ((SymCell){key, (uint32_t)*last}));
    *last = k->symbolic.len;
}

static void visit_symbolic(Walk *k, Term base)
{
    uint64_t *last = map_get(&k->symbolic_of, base.id), value;
    for (uint32_t i = last ? (uint32_t)*last : 0; i; i = k->symbolic.at[i - 1].next)
        if (pmap_get(k->s->mem, k->symbolic.at[i - 1].key, &value)) visit_cell(k, 0, value);
}

static void walk_free(Walk *k)
{
    vec_free(&k->queue);
    vec_free(&k->symbolic);
    map_free(&k->symbolic_of);
}

static bool root_cell(void *context, uint64_t key, uint64_t value)
{
    Walk *k = context;
    const Terms *t = &k->w->terms;
    Term home = cell_base(key), base = real_base(t, home);
    TermKind kind = term_kind(t, base);
    // A local is a root while its scope lasts, a heap object when unknown code has it; others are
    // visited when something is found to point to them.
    ObjState o = kind == T_HEAP ? obj_get(k->s, base) : (ObjState){0};
    bool gone = o.status == OBJ_FREED && !(o.flags & OBJF_MAYBE_FREED);
    if (kind == T_HEAP && (o.flags & OBJF_ESCAPED) && !gone) return visit_cell(context, key, value);
    if (kind == T_HEAP || (k->exit && kind == T_LOCAL)) {
        if (home.id != base.id) note_symbolic(k, base, key);
        return true;
    }
    return visit_cell(context, key, value);
}

static void drain(Walk *k)
{
    const Terms *t = &k->w->terms;
    while (k->queue.len) {
        Term base = {vec_pop(&k->queue)};
        TermKind kind = term_kind(t, base);
        if (kind != T_HEAP && kind != T_LOCAL) continue; // cells of all others are roots already
        // What a freed object held is gone with it.
        if (kind == T_HEAP && obj_get(k->s, base).status == OBJ_FREED) continue;
        pmap_range(k->s->mem, (uint64_t)base.id << 32, (uint64_t)base.id << 32 | UINT32_MAX,
                   visit_cell, k);
        visit_symbolic(k, base);
    }
}

static bool visit_value(void *context, uint64_t key, uint64_t value)
{
    (void)key;
    Walk *k = context;
    term_each_base(&k->w->terms, (Term){(uint32_t)value}, reach_base, k);
    return true;
}

typedef struct {
    Walk *walk;
    uint32_t block, ins;
} EnvWalk;

// Whether the value of instruction v is used after `ins` of `block`.
static bool used_after(const Work *w, uint32_t v, uint32_t block, uint32_t ins)
{
    const Block *b = func_block(w->unit, w->func, block);
    // The first use behind it; uses are in the order of instructions.
    const uint32_t *uses = w->use_ins + w->uses[v].first;
    uint32_t low = 0, high = w->uses[v].count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (uses[middle] > ins)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < w->uses[v].count && uses[low] < b->first + b->count) return true;
    uint32_t g = w->global_value[v];
    return g && bits_has(&w->live_out[block], g - 1);
}

static bool visit_env(void *context, uint64_t key, uint64_t value)
{
    EnvWalk *e = context;
    const Terms *t = &e->walk->w->terms;
    Term x = {(uint32_t)value};
    if (!(term_node(t, x)->flags & TERM_HAS_BASE)) return true;
    if (used_after(e->walk->w, (uint32_t)key, e->block, e->ins))
        term_each_base(t, x, reach_base, e->walk);
    return true;
}

typedef struct {
    Work *w;
    Term base;
    uint64_t but;
    uint32_t block, ins;
} Holders;

static bool is_other_value(void *context, uint64_t key, uint64_t value)
{
    const Holders *h = context;
    return !term_same(term_address(&h->w->terms, (Term){(uint32_t)value}).base, h->base) ||
           !used_after(h->w, (uint32_t)key, h->block, h->ins);
}

static bool is_other_cell(void *context, uint64_t key, uint64_t value)
{
    const Holders *h = context;
    return key == h->but ||
           !term_same(term_address(&h->w->terms, cell_term(value)).base, h->base);
}

bool held_elsewhere(Work *w, const State *s, uint32_t block, uint32_t ins, Term base, uint64_t but)
{
    Holders h = {w, base, but, block, ins};
    return !pmap_each(s->env, is_other_value, &h) || !pmap_each(s->mem, is_other_cell, &h);
}

void reach_now(Work *w, const State *s, uint32_t block, uint32_t ins, Reach *r)
{
    Walk k = {.w = w, .s = s, .r = r};
    EnvWalk e = {&k, block, ins};
    looked_at(w, pmap_size(s->env) + pmap_size(s->vars) + pmap_size(s->mem));
    pmap_each(s->env, visit_env, &e);
    pmap_each(s->vars, visit_value, &k);
    pmap_each(s->mem, root_cell, &k);
    drain(&k);
    walk_free(&k);
}

void reach_exit(Work *w, const State *s, Term result, Reach *r)
{
    Walk k = {.w = w, .s = s, .r = r, .exit = true};
    if (result.id) term_each_base(&w->terms, result, reach_base, &k);
    looked_at(w, pmap_size(s->mem));
    pmap_each(s->mem, root_cell, &k);
    drain(&k);
    walk_free(&k);
}

static bool symbolic_cell(void *context, uint64_t key, uint64_t value)
{
    (void)value;
    Walk *k = context;
    Term home = cell_base(key);
    if (term_kind(&k->w->terms, home) != T_ADDR) return true;
    note_symbolic(k, real_base(&k->w->terms, home), key);
    return true;
}

static bool any_cell(void *context, uint64_t key, uint64_t value)
{
    (void)key;
    return visit_cell(context, 0, value);
}

void reach_note_symbolic(Work *w, Term base)
{
    if (w->symbolic.len <= base.id) vec_extend(&w->symbolic, base.id + 1 - w->symbolic.len);
    w->symbolic.at[base.id] = true;
}

static void reach_terms(Work *w, const State *s, const Term *xs, uint32_t count, bool numbers,
                        Reach *r)
{
    Walk k = {.w = w, .s = s, .r = r, .numbers = numbers};
    bool listed = !(s->flags & STATE_SYMBOLIC); // once a base has such cells, all are looked for
    for (uint32_t i = 0; i < count; i++) {
        Term number = unconverted(&w->terms, xs[i]);
        if (numbers && is_number_input(&w->terms, number)) reach_base(&k, number);
        term_each_base(&w->terms, xs[i], reach_base, &k);
    }
    while (k.queue.len) {
        Term base = {vec_pop(&k.queue)};
        pmap_range(s->mem, (uint64_t)base.id << 32, (uint64_t)base.id << 32 | UINT32_MAX, any_cell,
                   &k);
        if (!listed && base.id < w->symbolic.len && w->symbolic.at[base.id]) {
            pmap_each(s->mem, symbolic_cell, &k);
            listed = true;
        }
        visit_symbolic(&k, base);
    }
    walk_free(&k);
}

void reach_term(Work *w, const State *s, Term x, Reach *r)
{
    reach_terms(w, s, &x, 1, false, r);
}

void reach_free(Reach *r)
{
    if (!r->w) return;
    vec_each (i, &r->reached) r->words[r->reached.at[i] / 64] = 0;
    vec_clear(&r->reached);
    vec_push(&r->w->reaches, *r);
    *r = (Reach){0};
}

bool reach_has(const Reach *r, Term base)
{
    return base.id / 64 < r->word_count && r->words[base.id / 64] >> base.id % 64 & 1;
}

static void mark_escaped(Work *w, State *s, Term base, uint32_t ins)
{
    TermKind kind = term_kind(&w->terms, base);
    rest_note(w, base, REST_KEPT);
    if (kind == T_PARAM || kind == T_INPUT) {
        s->escaped = pmap_set(w->arena, s->escaped, base.id, 1);
        return;
    }
    if (kind != T_HEAP) return;
    ObjState o = obj_get(s, base);
    if (o.status == OBJ_FREED || (o.flags & OBJF_ESCAPED)) return;
    o.flags |= OBJF_ESCAPED;
    obj_set(w, s, base, o);
    story_add(w, s, STORY_ESCAPE, ins, base, (Term){0}, false, NULL);
}

void escape_term(Work *w, State *s, Term x, uint32_t ins)
{
    escape_terms(w, s, &x, 1, ins);
}

void escape_terms(Work *w, State *s, const Term *xs, uint32_t count, uint32_t ins)
{
    Reach r = {0};
    if (count) reach_terms(w, s, xs, count, true, &r);
    for (uint32_t i = 0; i < r.reached.len; i++) mark_escaped(w, s, (Term){r.reached.at[i]}, ins);
    reach_free(&r);
}

// What is in the memory that x reaches (not x itself) may have been kept; when `written`, that
// memory has new contents.
void escape_contents(Work *w, State *s, Term x, uint32_t ins, bool written)
{
    if (!(term_node(&w->terms, x)->flags & TERM_HAS_BASE)) return;
    Reach r = {0}, direct = {0};
    Walk k = {.w = w, .s = s, .r = &direct};
    term_each_base(&w->terms, x, reach_base, &k);
    vec_free(&k.queue);
    reach_terms(w, s, &x, 1, true, &r);
    for (uint32_t i = 0; i < r.reached.len; i++) {
        Term base = {r.reached.at[i]};
        if (!reach_has(&direct, base)) mark_escaped(w, s, base, ins);
        if (written && term_kind(&w->terms, base) != T_FUNC && !is_number_input(&w->terms, base))
            mem_havoc(w, s, base, ins);
    }
    reach_free(&r);
    reach_free(&direct);
}
