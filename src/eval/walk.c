// Paths. States wait at the head of blocks and are worked off in an order in which a loop is done
// before what follows it. States that agree in everything but their facts are joined (facts are
// widened to hold for both); beyond STATES_KEPT at one block those that agree in their objects are
// joined too, their other values becoming unknown (ESP's property simulation); beyond STATES_MAX
// paths are dropped and the function counts as incomplete. So the cost of a function is bounded by
// its size, and small functions keep all their paths.
//
// Loops: rounds are walked one by one while the exit tests are decided (constant bounds), else
// twice; then the state is generalised. What a round adds to a counter becomes start + step * k
// (the closed form of its recurrence, seed 003 section 3), what else it changes becomes unknown,
// and objects made inside stand for a family, of which nothing is claimed: losses that depend on
// the bound alone are never reported, while those that a first, second or third round shows are.
#include "eval/eval_int.h"

#include "base/hash.h"

enum {
    ROUNDS_OPEN = 3, // walked before an undecided loop is generalised
    ROUNDS_DECIDED = 64,
    STATES_KEPT = 12,      // in a small function
    STATES_KEPT_LARGE = 8, // in others while some object is on its way
    STATES_KEPT_PLAIN = 3, // and while none is
    SMALL_FUNCTION = 150,  // instructions
    STATES_MAX = 24,
    JOINED_PER_STEP = 4,
};

static uint32_t iteration_of(const State *s)
{
    return s->loops ? (uint32_t)(pmap_print(s->loops) >> 16) | 1 : 0;
}

static bool loop_contains(const Cfg *c, uint32_t loop, uint32_t block)
{
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent)
        if (l == loop) return true;
    return false;
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
    if (loop && loop_contains(c->w->cfg, loop, c->block)) return true;
    if (!g || !bits_has(&c->w->live_in[c->block], g - 1))
        c->s->env = pmap_drop(c->w->arena, c->s->env, key);
    return true;
}

static void clean(Work *w, State *s, uint32_t block)
{
    Clean c = {w, s, block};
    PMap env = s->env;
    pmap_each(env, drop_dead, &c);
}

// ---- Joining.

static uint64_t state_key(const State *s)
{
    uint64_t h = hash_mix(pmap_print(s->env), pmap_print(s->mem));
    h = hash_mix(h, hash_mix(pmap_print(s->objs), pmap_print(s->contents)));
    return hash_mix(h, hash_mix(pmap_print(s->vars),
                                hash_mix(pmap_print(s->loops), s->flags & STATE_UNWINDING)));
}

typedef struct {
    Work *w;
    uint64_t key;
    const State *s;
    bool counts;
} Coarse;

// An object of which something may yet be claimed.
static bool is_open_object(const Work *w, const State *s, Term base)
{
    if (term_kind(&w->terms, base) != T_HEAP) return false;
    Obj o = obj_get(s, base);
    return o.status != OBJ_UNKNOWN && !(o.flags & (OBJF_ESCAPED | OBJF_FAMILY));
}

static void coarse_base(void *context, Term base)
{
    Coarse *c = context;
    c->counts |= is_open_object(c->w, c->s, base);
}

static bool coarse_entry(void *context, uint64_t key, uint64_t value)
{
    Coarse *c = context;
    Term x = cell_term(value);
    if (!(term_node(&c->w->terms, x)->flags & TERM_HAS_HEAP)) return true;
    c->counts = false;
    term_each_base(&c->w->terms, x, coarse_base, c);
    if (c->counts) c->key += hash_mix(key, x.id);
    return true;
}

static bool coarse_object(void *context, uint64_t key, uint64_t word)
{
    Coarse *c = context;
    Term base = {(uint32_t)key};
    bool counts = term_kind(&c->w->terms, base) == T_HEAP ? is_open_object(c->w, c->s, base)
                                                          : (word & 0xff) == OBJ_FREED;
    if (counts) c->key += hash_mix(key, word & 0xffff);
    return true;
}

// Where open objects are and how they stand, and which inputs were freed: the property that decides
// about findings.
static uint64_t coarse_key(Work *w, const State *s)
{
    Coarse c = {w, hash_mix(pmap_print(s->loops), s->flags & STATE_UNWINDING), s, false};
    pmap_each(s->objs, coarse_object, &c);
    pmap_each(s->vars, coarse_entry, &c);
    pmap_each(s->env, coarse_entry, &c);
    pmap_each(s->mem, coarse_entry, &c);
    return c.key;
}

typedef struct {
    Work *w;
    State *into;
    const State *other;
    uint32_t block;
    int which;    // 0 env, 1 mem
    bool useless; // the maps cannot be joined
} Join;

static void blur_content(Join *j, uint64_t base, bool havoc)
{
    uint64_t old;
    if (pmap_get(j->into->contents, base, &old) && content_kind(old) == CONTENT_HAVOC) havoc = true;
    uint32_t at = func_block(j->w->unit, j->w->func, j->block)->first;
    j->into->contents =
        pmap_set(j->w->arena, j->into->contents, base,
                 content_word(j->into, havoc ? CONTENT_HAVOC : CONTENT_SCRIBBLE, at));
}

static bool join_content(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    bool havoc = ((has & 1) && content_kind(in_a) == CONTENT_HAVOC) ||
                 ((has & 2) && content_kind(in_b) == CONTENT_HAVOC);
    blur_content(j, key, havoc);
    return true;
}

static bool join_entry(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    Work *w = j->w;
    PMap *map = j->which == 0 ? &j->into->env : &j->into->mem;
    if (has != 3 && j->which == 0) {
        *map = pmap_drop(w->arena, *map, key);
        return true;
    }
    Term home = term_address(&w->terms, cell_base(key)).base;
    if (j->which == 1 && (has != 3 || term_kind(&w->terms, home) != T_LOCAL)) {
        // Known on one side only, or known differently: from here on unknown. Locals are worth
        // more, because flags are kept in them.
        // A pointer that stood there is not lost by our forgetting where.
        uint32_t at = func_block(w->unit, w->func, j->block)->first;
        *map = pmap_drop(w->arena, *map, key);
        if (has & 1) escape_term(w, j->into, cell_term(in_a), at);
        if (has & 2) escape_term(w, j->into, cell_term(in_b), at);
        blur_content(j, home.id, false);
        return true;
    }
    Term x = cell_term(in_a), y = cell_term(in_b);
    uint32_t width = term_width(&w->terms, x);
    Term u =
        term_leaf(&w->terms, T_MERGE, width, j->block, (uint32_t)(key >> 32) ^ (uint32_t)j->which,
                  j->into->iter, (int64_t)(uint32_t)key);
    if (width && width == term_width(&w->terms, y)) {
        // Both sides' bounds hold of the joined value.
        PMap a = NULL, b = NULL;
        Range ra = cond_range(&w->conds, j->into->facts, x),
              rb = cond_range(&w->conds, j->other->facts, y);
        if (cond_restrict(&w->conds, &a, u, &ra) && cond_restrict(&w->conds, &b, u, &rb)) {
            uint64_t fact;
            PMap both = cond_hull(&w->conds, a, b);
            if (pmap_get(both, u.id, &fact))
                cond_restrict(&w->conds, &j->into->facts, u, cond_fact(&w->conds, fact));
        }
    }
    *map = pmap_set(w->arena, *map, key, j->which == 0 ? u.id : cell_value(cell_size(in_a), u));
    return true;
}

// Objects that differ are closed ones: they stay closed.
static bool join_object(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    uint64_t word = has == 2 ? in_b : in_a;
    if (has == 3 && (in_b & 0xff) == OBJ_FREED) word = in_b;
    if ((word & 0xff) != OBJ_FREED || term_kind(&j->w->terms, (Term){(uint32_t)key}) == T_HEAP)
        word |= (uint64_t)OBJF_ESCAPED << 8;
    j->into->objs = pmap_set(j->w->arena, j->into->objs, key, word);
    return true;
}

static bool join_variable(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    (void)in_a, (void)in_b;
    if (has != 2) j->into->vars = pmap_drop(j->w->arena, j->into->vars, key);
    return true;
}

static bool add_escaped(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    if (has == 2) j->into->escaped = pmap_set(j->w->arena, j->into->escaped, key, 1);
    return true;
}

static bool add_loose(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    if (has == 2) j->into->loose = pmap_set(j->w->arena, j->into->loose, key, 1);
    return true;
}

static bool drop_one_sided(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    if (has != 3) j->into->touched = pmap_drop(j->w->arena, j->into->touched, key);
    return true;
}

// With `facts` the facts of the joined state are known already.
static void join(Work *w, State *into, const State *other, uint32_t block, bool coarse,
                 const PMap *facts)
{
    Join j = {.w = w, .into = into, .other = other, .block = block};
    if (coarse) {
        PMap env = into->env, mem = into->mem, objs = into->objs, vars = into->vars;
        PMap contents = into->contents;
        pmap_diff(contents, other->contents, join_content, &j);
        pmap_diff(env, other->env, join_entry, &j);
        j.which = 1;
        pmap_diff(mem, other->mem, join_entry, &j);
        pmap_diff(objs, other->objs, join_object, &j);
        pmap_diff(vars, other->vars, join_variable, &j);
        into->flags |= STATE_MERGED;
    }
    into->facts = facts ? *facts : cond_hull(&w->conds, into->facts, other->facts);
    PMap escaped = into->escaped, loose = into->loose;
    pmap_diff(escaped, other->escaped, add_escaped, &j);
    pmap_diff(loose, other->loose, add_loose, &j);
    PMap touched = into->touched;
    pmap_diff(touched, other->touched, drop_one_sided, &j);
    into->flags |= other->flags & STATE_SYMBOLIC;
    bool cleaner = false;
    if (coarse) {
        into->flags |= other->flags & (STATE_GENERAL | STATE_MERGED);
    } else {
        // Two ways to the same state: the one on which less was joined vouches for it.
        uint32_t mine = into->flags & (STATE_GENERAL | STATE_MERGED);
        uint32_t theirs = other->flags & (STATE_GENERAL | STATE_MERGED);
        cleaner = theirs != mine && (theirs & mine) == theirs;
        into->flags &= ~(mine & ~theirs);
    }
    if (!(other->flags & STATE_ERROR)) into->flags &= ~(uint32_t)STATE_ERROR;
    // The shorter story is the one to tell.
    bool shorter = other->story && into->story && other->story->length < into->story->length;
    bool same_worth = (into->flags & (STATE_GENERAL | STATE_MERGED)) ==
                      (other->flags & (STATE_GENERAL | STATE_MERGED));
    if (cleaner || (shorter && same_worth)) {
        into->story = other->story;
        into->last_loc = other->last_loc;
    }
}

// States that differ in their facts alone, where the joined facts say no less than the two did.
// Otherwise a test that both paths would fail later may seem to hold: f(p) that does nothing when
// !on, or when on and p is null, would seem to do nothing.
static void join_exact(Work *w, States *states, uint32_t block)
{
    VEC(uint64_t) keys = {0};
    vec_each (i, states) vec_push(&keys, state_key(&states->at[i]));
    for (bool again = true; again;) {
        again = false;
        uint32_t kept = 0;
        vec_each (i, states) {
            bool joined = false;
            for (uint32_t k = 0; k < kept && !joined; k++) {
                PMap facts;
                joined = keys.at[k] == keys.at[i] &&
                         cond_union(&w->conds, states->at[k].facts, states->at[i].facts, &facts);
                if (joined) join(w, &states->at[k], &states->at[i], block, false, &facts);
            }
            again |= joined;
            if (joined) continue;
            keys.at[kept] = keys.at[i];
            states->at[kept++] = states->at[i];
        }
        states->len = kept;
    }
    vec_free(&keys);
}

static void join_all(Work *w, States *states, uint32_t block, bool coarse)
{
    Map seen = {0};
    uint32_t kept = 0;
    vec_each (i, states) {
        State *s = &states->at[i];
        uint64_t key = coarse ? coarse_key(w, s) : state_key(s);
        bool fresh;
        uint64_t *at = map_at(&seen, key, kept, &fresh);
        if (fresh) {
            states->at[kept++] = *s;
        } else {
            join(w, &states->at[*at], s, block, coarse, NULL);
            // Joining costs by the size of what is joined; the budget knows.
            if (coarse) w->steps += (pmap_size(s->mem) + pmap_size(s->env)) / JOINED_PER_STEP;
        }
    }
    states->len = kept;
    map_free(&seen);
}

// ---- Loops.

static Term generalise_value(Work *w, State *s, Term old, Term now, Term k, uint32_t block,
                             uint32_t key, int64_t sub)
{
    Terms *t = &w->terms;
    if (term_same(old, now)) return now;
    uint32_t width = term_width(t, now);
    Term unknown = term_leaf(t, T_MERGE, width, block, key, s->iter, sub);
    if (width == 0 || term_width(t, old) != width) return unknown;
    int64_t step;
    if (width <= 64 && width > 1 && term_is_int(t, term_sub(t, now, old), &step)) {
        Term count = width == t->pointer_bits ? k : term_convert(t, T_TRUNC, k, width);
        // The counter does not wrap on its way: it is one that a loop test compares.
        Term r = width == t->pointer_bits && (term_node(t, now)->flags & TERM_HAS_BASE)
                     ? term_index(t, now, count, step)
                     : term_binary(t, T_ADD, now,
                                   term_binary(t, T_MUL, count, term_int(t, width, step)));
        int64_t start;
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
    Obj o = obj_get(c->s, base);
    if (o.status != OBJ_ALLOCATED) return;
    o.flags |= OBJF_FAMILY;
    obj_set(c->w, c->s, base, o);
}

typedef struct {
    Work *w;
    State *s;
    uint32_t block;
    Term k;
} Gen;

static void into_family(Work *w, State *s, Term x)
{
    Clean c = {w, s, 0};
    if (term_node(&w->terms, x)->flags & TERM_HAS_HEAP)
        term_each_base(&w->terms, x, family_base, &c);
}

static bool generalise_cell(void *context, uint64_t key, uint64_t old, uint64_t now, int has)
{
    Gen *g = context;
    Work *w = g->w;
    if (has == 1) return true; // gone in this round: stays gone
    Term x = cell_term(now), y = has == 3 ? cell_term(old) : (Term){0};
    if (has == 2 && term_kind(&w->terms, term_address(&w->terms, cell_base(key)).base) == T_HEAP) {
        // A cell of an object made in this round.
        into_family(w, g->s, x);
        return true;
    }
    Term r = has == 3 ? generalise_value(w, g->s, y, x, g->k, g->block, (uint32_t)(key >> 32),
                                         (int64_t)(uint32_t)key)
                      : term_leaf(&w->terms, T_MERGE, term_width(&w->terms, x), g->block,
                                  (uint32_t)(key >> 32), g->s->iter, (int64_t)(uint32_t)key);
    uint32_t at = func_block(w->unit, w->func, g->block)->first;
    if (!term_same(r, x)) {
        into_family(w, g->s, x);
        escape_term(w, g->s, x, at);
        if (y.id) into_family(w, g->s, y);
    }
    g->s->mem = pmap_set(w->arena, g->s->mem, key, cell_value(cell_size(now), r));
    return true;
}

static bool family_of_loop(void *context, uint64_t key, uint64_t first, uint64_t now, int has)
{
    Gen *g = context;
    (void)first, (void)now;
    if (has == 2) into_family(g->w, g->s, (Term){(uint32_t)key});
    return true;
}

typedef struct {
    uint32_t ins;
    Term x;
} PhiValue;

// Phis take their values all at once; what is dead from here on is dropped before.
static void enter_phis(Work *w, State *s, uint32_t block, const Gen *gen)
{
    const Block *b = func_block(w->unit, w->func, block);
    VEC(PhiValue) values = {0};
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (in->op != OP_PHI) break;
        Term x = {0};
        for (uint32_t k = 0; k < in->c; k++) {
            const uint32_t *pair = func_extra(w->unit, w->func, in->b + 2 * k);
            if (pair[0] != s->from) continue;
            x = operand(w, s, (Ref){pair[1]});
            break;
        }
        if (!x.id) x = value_unknown(w, s, i, 0, in->type);
        if (gen) {
            uint64_t old;
            Term before = pmap_get(s->env, i, &old) ? (Term){(uint32_t)old}
                                                    : value_unknown(w, s, i, 1, in->type);
            Term r = generalise_value(w, s, before, x, gen->k, block, i, -1);
            if (!term_same(r, x)) {
                into_family(w, s, x);
                into_family(w, s, before);
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
    vec_free(&values);
}

// Arrival at a loop's header. False when the path ends here.
static bool enter_loop(Work *w, State *s, uint32_t header, bool back)
{
    uint64_t rounds = 0, word = 0;
    pmap_get(s->loops, header, &rounds);
    LoopRecord *record = pmap_get(s->records, header, &word) ? (LoopRecord *)(uintptr_t)word : NULL;
    if (back && record) {
        uint64_t forked = 0;
        pmap_get(s->forked, header, &forked);
        bool tight = w->steps > w->budget / 4;
        uint32_t limit = forked || tight ? ROUNDS_OPEN : ROUNDS_DECIDED;
        if (rounds > ROUNDS_DECIDED) return false; // the generalised round has come back
        if (rounds >= limit) {
            s->loops = pmap_set(w->arena, s->loops, header, ROUNDS_DECIDED + 1);
            s->iter = iteration_of(s);
            Gen g = {w, s, header,
                     term_leaf(&w->terms, T_LOOP, w->terms.pointer_bits, header, 0, s->iter, 0)};
            PMap mem = s->mem, objs = s->objs;
            pmap_diff(record->mem, mem, generalise_cell, &g);
            pmap_diff(record->first_objs, objs, family_of_loop, &g);
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
record_it:
    s->forked = pmap_drop(w->arena, s->forked, header);
    LoopRecord *fresh = arena_new_of(w->arena, LoopRecord);
    *fresh = (LoopRecord){s->mem, s->objs, back && record ? record->first_objs : s->objs};
    s->records = pmap_set(w->arena, s->records, header, (uint64_t)(uintptr_t)fresh);
    return true;
}

// What was written in some round of a loop that is over: which round it was makes no difference any
// more, and states that differ in nothing else can be joined.
static bool settle_content(void *context, uint64_t key, uint64_t word)
{
    Clean *c = context;
    ContentKind kind = content_kind(word);
    if (kind != CONTENT_HAVOC && kind != CONTENT_SCRIBBLE) return true;
    uint64_t settled = (uint64_t)c->s->iter << 32 | (uint32_t)word;
    c->s->contents = pmap_set(c->w->arena, c->s->contents, key, settled);
    return true;
}

static void go(Work *w, const State *from, uint32_t block, uint32_t to)
{
    State s = *from;
    const Cfg *c = w->cfg;
    // Leaving loops: their counts are forgotten.
    bool left = false;
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent) {
        if (loop_contains(c, l, to)) break;
        s.loops = pmap_drop(w->arena, s.loops, c->loops[l - 1].header);
        s.records = pmap_drop(w->arena, s.records, c->loops[l - 1].header);
        s.forked = pmap_drop(w->arena, s.forked, c->loops[l - 1].header);
        left = true;
    }
    if (left) {
        s.iter = iteration_of(&s);
        Clean settle = {w, &s, to};
        PMap contents = s.contents;
        pmap_each(contents, settle_content, &settle);
    }
    s.from = block;
    vec_push(&w->pending[to], s);
}

// ---- Order of work: reverse post order of a search that looks at the ways out of a loop first, so
// that they come last.

typedef struct {
    uint32_t block, next;
} Frame;

static void order_blocks(Work *w)
{
    const Cfg *c = w->cfg;
    uint32_t n = c->block_count, place = n;
    w->rank = arena_array_of(w->arena, uint32_t, n);
    Bits seen = bits_new(w->arena, n);
    VEC(Frame) stack = {0};
    VEC(uint32_t) post = {0};
    vec_push(&stack, ((Frame){0, 0}));
    bits_add(&seen, 0);
    while (stack.len) {
        Frame *f = &vec_last(&stack);
        EdgeRange r = c->succ[f->block];
        uint32_t chosen = BLOCK_NONE;
        // Two passes over the successors: those that leave the innermost loop, then the others.
        while (f->next < 2 * r.count && chosen == BLOCK_NONE) {
            uint32_t to = c->edges[r.first + f->next % r.count];
            bool leaves = c->loop_of[f->block] && !loop_contains(c, c->loop_of[f->block], to);
            if (leaves == (f->next < r.count) && bits_add(&seen, to)) chosen = to;
            f->next++;
        }
        if (chosen != BLOCK_NONE) {
            vec_push(&stack, ((Frame){chosen, 0}));
        } else {
            vec_push(&post, f->block);
            (void)vec_pop(&stack);
        }
    }
    for (uint32_t i = 0; i < n; i++) w->rank[i] = UINT32_MAX;
    place = 0;
    for (uint32_t i = post.len; i-- > 0;) w->rank[post.at[i]] = place++;
    vec_free(&stack);
    vec_free(&post);
}

// ---- One block.

static void leave_function(Work *w, State *s, uint32_t ins, Term result, bool thrown)
{
    lost_at_exit(w, s, result, ins);
    if (thrown) s->flags |= STATE_UNWINDING;
    // The result travels with the state under a key no instruction has.
    s->env = result.id ? pmap_set(w->arena, NULL, UINT32_MAX, result.id) : NULL;
    vec_push(&w->exits, *s);
}

static void mark_open_exit(Work *w, State *s, uint32_t block)
{
    const Cfg *c = w->cfg;
    EdgeRange r = c->succ[block];
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent)
        for (uint32_t i = 0; i < r.count; i++)
            if (!loop_contains(c, l, c->edges[r.first + i])) {
                s->forked = pmap_set(w->arena, s->forked, c->loops[l - 1].header, 1);
                break;
            }
}

// A test has shown that an allocation failed: there is no object.
static bool drop_if_failed(void *context, uint64_t key, uint64_t word)
{
    Clean *c = context;
    Term h = {(uint32_t)key};
    (void)word;
    if (term_kind(&c->w->terms, h) == T_HEAP && obj_get(c->s, h).status == OBJ_ALLOCATED &&
        obj_failed(c->w, c->s, h)) {
        c->s->objs = pmap_drop(c->w->arena, c->s->objs, key);
        c->s->flags |= STATE_ERROR;
    }
    return true;
}

static void drop_failed(Work *w, State *s, Term cond)
{
    while (term_kind(&w->terms, cond) == T_NOT) cond = (Term){term_node(&w->terms, cond)->a};
    const TermNode *n = term_node(&w->terms, cond);
    // Comparisons hold no addresses themselves; their operands tell.
    bool tests_object =
        (n->kind == T_AND || n->kind == T_OR) ||
        (n->kind >= T_EQ && n->kind <= T_SLT &&
         ((term_node(&w->terms, (Term){n->a})->flags | term_node(&w->terms, (Term){n->b})->flags) &
          TERM_HAS_HEAP));
    if (!tests_object) return;
    Clean c = {w, s, 0};
    PMap objs = s->objs;
    pmap_each(objs, drop_if_failed, &c);
}

static void branch(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    Term c = operand(w, s, (Ref){i->a});
    if (i->b == i->c) {
        go(w, s, block, i->b);
        return;
    }
    if (term_width(&w->terms, c) != 1) c = term_leaf(&w->terms, T_RESULT, 1, ins, 0, s->iter, 0);
    Truth known = cond_decide(&w->conds, s->facts, c);
    s->left_by = 0;
    if (known == COND_UNKNOWN) mark_open_exit(w, s, block);
    for (int side = 1; side >= 0; side--) {
        if (known == (side ? COND_FALSE : COND_TRUE)) continue;
        State copy = *s;
        if (!cond_assume(&w->conds, &copy.facts, c, side)) continue;
        if (known == COND_UNKNOWN) {
            story_add(w, &copy, STORY_BRANCH, ins, c, (Term){0}, side, NULL);
            drop_failed(w, &copy, c);
        }
        go(w, &copy, block, side ? i->b : i->c);
    }
}

static void switch_to(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    Terms *t = &w->terms;
    Term x = operand(w, s, (Ref){i->a});
    State rest = *s;
    bool open = true,
         wide = term_width(t, x) == 0 || mtype_size(ref_type(w->unit, w->func, (Ref){i->a})) > 64;
    int64_t known;
    if (!term_is_int(t, x, &known)) mark_open_exit(w, s, block), rest = *s;
    for (uint32_t k = 0; k < i->c && open; k++) {
        const uint32_t *pair = func_extra(w->unit, w->func, i->b + 2 * k);
        State copy = rest;
        if (!wide) {
            Term v = operand(w, s, (Ref){pair[0]}), eq = term_eq(t, x, v);
            Truth truth = cond_decide(&w->conds, rest.facts, eq);
            if (truth != COND_FALSE && cond_assume(&w->conds, &copy.facts, eq, true)) {
                if (truth == COND_UNKNOWN) {
                    story_add(w, &copy, STORY_BRANCH, ins, eq, (Term){0}, true, NULL);
                    drop_failed(w, &copy, eq);
                }
                go(w, &copy, block, pair[1]);
            }
            open = truth != COND_TRUE && cond_assume(&w->conds, &rest.facts, eq, false);
        } else {
            go(w, &copy, block, pair[1]);
        }
    }
    if (open) go(w, &rest, block, *func_extra(w->unit, w->func, i->b + 2 * i->c));
}

// Whether the jump stands for a statement of its own (return, break, continue, goto). At the end of
// another statement a jump only carries that one's position on; but where a value is returned, what
// leads to the exit is a return whatever stands before it on its line.
static bool is_statement(const Work *w, const State *s, uint32_t block, uint32_t jump)
{
    const Ins *in = func_ins(w->unit, w->func, jump);
    const Loc *l = &w->unit->locs.at[in->loc];
    if (!l->line) return false;
    for (uint32_t i = jump; i-- > func_block(w->unit, w->func, block)->first;) {
        const Ins *before = func_ins(w->unit, w->func, i);
        const Loc *k = &w->unit->locs.at[before->loc];
        if (!k->line || ends_scope(before)) continue;
        if (k->line == l->line)
            return mtype_class(w->func->result) != MT_VOID && leads_to_exit(w, in->a);
        return true;
    }
    // A loop's own way out stands at the loop's test.
    if (s->from == BLOCK_NONE) return true;
    const Block *b = func_block(w->unit, w->func, s->from);
    const Loc *test = &w->unit->locs.at[func_ins(w->unit, w->func, b->first + b->count - 1)->loc];
    return test->line != l->line || test->col != l->col;
}

static void terminate(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    switch ((Op)i->op) {
    case OP_JUMP:
        if (!s->left_by && is_statement(w, s, block, ins)) s->left_by = i->loc;
        go(w, s, block, i->a);
        break;
    case OP_BRANCH:
        branch(w, s, block, ins);
        break;
    case OP_SWITCH:
        switch_to(w, s, block, ins);
        break;
    case OP_GOTO:
        mark_open_exit(w, s, block);
        for (uint32_t k = 0; k < i->c; k++)
            go(w, s, block, *func_extra(w->unit, w->func, i->b + k));
        break;
    case OP_RET:
        leave_function(w, s, ins, operand(w, s, (Ref){i->a}), false);
        break;
    case OP_RESUME:
        leave_function(w, s, ins, (Term){0}, true);
        break;
    default:
        break; // unreachable
    }
}

static bool is_tracked(void *context, uint64_t key, uint64_t word)
{
    Work *w = context;
    return !(term_kind(&w->terms, (Term){(uint32_t)key}) == T_HEAP &&
             (word & 0xff) == OBJ_ALLOCATED && !(word >> 8 & (OBJF_ESCAPED | OBJF_FAMILY)));
}

static bool any_tracked(Work *w, const States *states)
{
    vec_each (i, states)
        if (!pmap_each(states->at[i].objs, is_tracked, w)) return true;
    return false;
}

// Paths are worth keeping apart where something may yet be lost.
static uint32_t kept_for(Work *w, const States *states)
{
    if (w->func->ins_count <= SMALL_FUNCTION) return STATES_KEPT;
    return any_tracked(w, states) ? STATES_KEPT_LARGE : STATES_KEPT_PLAIN;
}

// Objects that nothing mentions any more and of which nothing is left to say.
typedef struct {
    Work *w;
    State *s;
    Map mentioned;
} Sweep;

static void note_base(void *context, Term base)
{
    map_set(&((Sweep *)context)->mentioned, base.id, 1);
}

static bool note_value(void *context, uint64_t key, uint64_t value)
{
    Sweep *k = context;
    (void)key;
    if (term_node(&k->w->terms, cell_term(value))->flags & TERM_HAS_HEAP)
        term_each_base(&k->w->terms, cell_term(value), note_base, k);
    return true;
}

// An object that others have keeps what is stored in it.
static bool note_cell(void *context, uint64_t key, uint64_t value)
{
    Sweep *k = context;
    Term base = term_address(&k->w->terms, cell_base(key)).base;
    if (term_kind(&k->w->terms, base) == T_HEAP) note_base(k, base);
    return note_value(context, key, value);
}

static bool is_done(const Work *w, uint64_t key, uint64_t word)
{
    if (term_kind(&w->terms, (Term){(uint32_t)key}) != T_HEAP) return false;
    return (word & 0xff) != OBJ_ALLOCATED || (word >> 8 & (OBJF_ESCAPED | OBJF_FAMILY));
}

static bool find_done(void *context, uint64_t key, uint64_t word)
{
    return !is_done(context, key, word);
}

static bool sweep_object(void *context, uint64_t key, uint64_t word)
{
    Sweep *k = context;
    if (is_done(k->w, key, word) && !map_get(&k->mentioned, key))
        k->s->objs = pmap_drop(k->w->arena, k->s->objs, key);
    return true;
}

static void sweep(Work *w, State *s)
{
    if (pmap_each(s->objs, find_done, w)) return;
    Sweep k = {.w = w, .s = s};
    pmap_each(s->env, note_value, &k);
    pmap_each(s->vars, note_value, &k);
    pmap_each(s->mem, note_cell, &k);
    PMap objs = s->objs;
    pmap_each(objs, sweep_object, &k);
    map_free(&k.mentioned);
}

// Joins what can be joined and, where too many are left, more than that.
static void thin_out(Work *w, States *states, uint32_t block)
{
    if (states->len > 1) {
        vec_each (i, states) sweep(w, &states->at[i]);
        join_exact(w, states, block);
    }
    uint32_t kept = states->len > STATES_KEPT_PLAIN ? kept_for(w, states) : states->len;
    if (states->len > kept) join_all(w, states, block, false);
    if (states->len > kept) join_all(w, states, block, true);
    if (states->len > STATES_MAX) {
        states->len = STATES_MAX;
        w->dropped_states = true;
    }
}

// Up to the next call or the block's end. True when the state stands before a call.
static bool run_plain(Work *w, State *s, uint32_t block, uint32_t *at)
{
    const Block *b = func_block(w->unit, w->func, block);
    for (uint32_t ins = *at; ins < b->first + b->count; ins++) {
        const Ins *i = func_ins(w->unit, w->func, ins);
        if (++w->steps > w->budget) {
            w->gave_up = true;
            return false;
        }
        if (i->op == OP_CALL || i->op == OP_INVOKE) {
            *at = ins;
            return true;
        }
        if (op_is_terminator((Op)i->op)) {
            terminate(w, s, block, ins);
            return false;
        }
        if (step(w, s, block, ins) == STEP_DEAD) return false;
    }
    return false;
}

// All states go through the block together, from call to call: a call may have several ways out,
// and they are joined before the next one multiplies them.
static void run_states(Work *w, States *states, uint32_t block)
{
    uint32_t at = func_block(w->unit, w->func, block)->first;
    while (states->len && !w->gave_up) {
        uint32_t kept = 0, call_at = at;
        vec_each (i, states) {
            uint32_t here = at;
            State s = states->at[i];
            if (w->gave_up || !run_plain(w, &s, block, &here)) continue;
            states->at[kept++] = s;
            call_at = here;
        }
        states->len = kept;
        if (!kept || w->gave_up) return;
        const Ins *i = func_ins(w->unit, w->func, call_at);
        States out = {0}, thrown = {0};
        vec_each (k, states) {
            call(w, &states->at[k], block, call_at, &out, &thrown);
            w->steps += out.len;
        }
        thin_out(w, &out, block);
        vec_each (k, &thrown) {
            if (i->op == OP_INVOKE)
                go(w, &thrown.at[k], block, *func_extra(w->unit, w->func, i->b + i->c + 1));
            else
                leave_function(w, &thrown.at[k], call_at, (Term){0}, true);
        }
        if (i->op == OP_INVOKE) {
            vec_each (k, &out) go(w, &out.at[k], block, *func_extra(w->unit, w->func, i->b + i->c));
            out.len = 0;
        }
        vec_free(&thrown);
        vec_free(states);
        *states = out;
        at = call_at + 1;
    }
}

static void run_block(Work *w, uint32_t block)
{
    States states = w->pending[block];
    w->pending[block] = (States){0};
    const Cfg *c = w->cfg;
    uint32_t loop = c->loop_of[block];
    bool header = loop && c->loops[loop - 1].header == block;
    uint32_t kept = 0;
    vec_each (i, &states) {
        State *s = &states.at[i];
        bool alive = true;
        if (header)
            alive =
                enter_loop(w, s, block, s->from != BLOCK_NONE && loop_contains(c, loop, s->from));
        else
            enter_phis(w, s, block, NULL);
        if (!alive) continue;
        if (s->lost) lost_check(w, s, block, func_block(w->unit, w->func, block)->first);
        states.at[kept++] = *s;
    }
    states.len = kept;
    thin_out(w, &states, block);
    run_states(w, &states, block);
    vec_free(&states);
}

void walk(Work *w, State *entry)
{
    order_blocks(w);
    uint32_t n = w->cfg->block_count;
    w->pending = arena_array_of(w->arena, States, n);
    uint32_t *by_rank = arena_array_of(w->arena, uint32_t, n);
    for (uint32_t b = 0; b < n; b++)
        if (w->rank[b] != UINT32_MAX) by_rank[w->rank[b]] = b;
    entry->from = BLOCK_NONE;
    vec_push(&w->pending[0], *entry);
    for (uint32_t r = 0; r < n && !w->gave_up;) {
        uint32_t b = by_rank[r];
        if (w->rank[b] != r || w->pending[b].len == 0) {
            r++;
            continue;
        }
        run_block(w, b);
        // A back edge leads to an earlier place.
        uint32_t first = r + 1;
        EdgeRange e = w->cfg->succ[b];
        for (uint32_t i = 0; i < e.count; i++) {
            uint32_t to = w->cfg->edges[e.first + i];
            if (w->pending[to].len && w->rank[to] < first) first = w->rank[to];
        }
        r = first < r ? first : r;
    }
    for (uint32_t b = 0; b < n; b++) vec_free(&w->pending[b]);
}
