// Paths. States wait at the head of blocks and are worked off in an order in which a loop is done
// before what follows it. Where paths meet they are joined (join.c), loops are generalised
// (loop.c). So the cost of a function is bounded by its size, and small functions keep all their
// paths.
#include "walk/walk_int.h"

#include "heap/limits.h"

#include <stdlib.h>

// ---- Order of work: reverse post order of a search that looks at the ways out of a loop first, so
// that they come last.

typedef struct {
    uint32_t block, next;
} BlockVisit;

static void order_blocks(Work *w)
{
    const Cfg *c = w->cfg;
    uint32_t n = c->block_count, place = n;
    w->rank = arena_array_of(w->arena, uint32_t, n);
    Bits seen = bits_new(w->arena, n);
    VEC(BlockVisit) stack = {0};
    VEC(uint32_t) post = {0};
    vec_push(&stack, ((BlockVisit){0, 0}));
    bits_add(&seen, 0);
    while (stack.len) {
        BlockVisit *f = &vec_last(&stack);
        EdgeRange r = c->succ[f->block];
        uint32_t chosen = BLOCK_NONE;
        // Two passes over the successors: those that leave the innermost loop, then the others.
        while (f->next < 2 * r.count && chosen == BLOCK_NONE) {
            uint32_t to = c->edges[r.first + f->next % r.count];
            bool leaves = c->loop_of[f->block] && !cfg_loop_has(c, c->loop_of[f->block], to);
            if (leaves == (f->next < r.count) && bits_add(&seen, to)) chosen = to;
            f->next++;
        }
        if (chosen != BLOCK_NONE) {
            vec_push(&stack, ((BlockVisit){chosen, 0}));
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

// A comparison that the path has settled is a number: what was compared is gone with the function,
// and with it what ties "returned 1" to what was done.
static Term settled(Work *w, const State *s, Term x)
{
    Terms *t = &w->terms;
    if (!x.id) return x;
    TermKind kind = term_kind(t, x);
    uint32_t width = term_width(t, x);
    if (kind == T_ZEXT || kind == T_SEXT || kind == T_TRUNC)
        return term_convert(t, kind, settled(w, s, (Term){term_node(t, x)->a}), width);
    if (kind < T_NOT || kind > T_SLT) return x;
    Truth truth = cond_decide(&w->conds, s->facts, x);
    return truth == COND_UNKNOWN ? x : term_int(t, width, truth == COND_TRUE);
}

static void leave_function(Work *w, State *s, uint32_t ins, Term result, bool thrown)
{
    // Nothing comes out of a function that says so: the process ends.
    if (thrown && (w->func->flags & FUNC_CXX) && (w->func->flags & FUNC_NOTHROW)) return;
    // An exception that was caught is over.
    s->flags = thrown ? s->flags | STATE_UNWINDING : s->flags & ~(uint32_t)STATE_UNWINDING;
    lost_at_exit(w, s, result, ins);
    vec_push(&w->ends, ((PathEnd){s->story, s->objs, s->facts, exit_fails(w, s, result)}));
    // The result travels with the state under a key no instruction has.
    if (result.id) rest_stored(w, (Term){0}, result);
    s->env = result.id ? pmap_set(w->arena, NULL, UINT32_MAX, result.id) : NULL;
    vec_push(&w->exits, *s);
}

// Whether the block does nothing but branch on what it was given: where `a && b` comes together.
static bool only_branches(const Work *w, uint32_t block)
{
    const Block *b = func_block(w->unit, w->func, block);
    for (uint32_t i = b->first; i + 1 < b->first + b->count; i++)
        if (func_ins(w->unit, w->func, i)->op != OP_PHI) return false;
    return b->count > 1;
}

static bool leaves_loop(const Work *w, uint32_t loop, uint32_t block)
{
    const Cfg *c = w->cfg;
    EdgeRange r = c->succ[block];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t to = c->edges[r.first + i];
        if (!cfg_loop_has(c, loop, to)) return true;
        if (to == block || !only_branches(w, to)) continue;
        EdgeRange next = c->succ[to];
        for (uint32_t k = 0; k < next.count; k++)
            if (!cfg_loop_has(c, loop, c->edges[next.first + k])) return true;
    }
    return false;
}

static void note_fork(Work *w, State *s, uint32_t header, uint64_t kind)
{
    uint64_t old;
    if (!pmap_get(s->forked, header, &old) || kind == FORKED_TEST)
        s->forked = pmap_set(w->arena, s->forked, header, kind);
}

// A counter that decides the loop's own test bounds it, whatever breaks there are.
static void mark_open_exit(Work *w, State *s, uint32_t block)
{
    const Cfg *c = w->cfg;
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent) {
        uint32_t header = c->loops[l - 1].header;
        if (c->loops[l - 1].depth > USUAL_NEST) w->steps++;
        if (!leaves_loop(w, l, block)) continue;
        bool inner = header != block && leaves_loop(w, l, header);
        note_fork(w, s, header, inner ? FORKED_INNER : FORKED_TEST);
    }
}

static void mark_split(Work *w, State *s, uint32_t block)
{
    const Cfg *c = w->cfg;
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent) {
        if (c->loops[l - 1].depth > USUAL_NEST) w->steps++;
        note_fork(w, s, c->loops[l - 1].header, FORKED_INNER);
    }
}

typedef struct {
    Work *w;
    State *s;
    uint32_t ins; // of the test
} Failed;

// A test has shown that an allocation failed: there is no object.
static bool drop_if_failed(void *context, uint64_t key, uint64_t word)
{
    Failed *c = context;
    Term h = {(uint32_t)key};
    if (term_kind(&c->w->terms, h) == T_HEAP && (word & 0xff) == OBJ_ALLOCATED &&
        obj_failed(c->w, c->s, h)) {
        c->s->objs = pmap_drop(c->w->arena, c->s->objs, key);
        c->s->flags |= STATE_ERROR;
        if (obj_info(c->w, h)->for_memory) state_doubt(c->w, c->s, DOUBT_NO_MEMORY, c->ins);
    }
    return true;
}

static bool drop_if_tested(void *context, Term x)
{
    Failed *c = context;
    uint64_t word;
    if (term_kind(&c->w->terms, x) == T_HEAP && pmap_get(c->s->objs, x.id, &word))
        drop_if_failed(c, x.id, word);
    return false;
}

static void drop_failed(Work *w, State *s, Term cond, uint32_t ins)
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
    Failed c = {w, s, ins};
    PMap objs = s->objs;
    // Of very many only those that the condition is about.
    if (pmap_size(objs) > MANY_OBJECTS) {
        term_any(&w->terms, cond, drop_if_tested, &c);
        return;
    }
    looked_at(w, pmap_size(objs));
    pmap_each(objs, drop_if_failed, &c);
}

typedef struct {
    const Terms *terms;
    const State *s;
} AddressTest;

// A pointer that a call gave and has itself read by way of one of several addresses: the entry of a
// table that a search has found.
static bool is_found(const AddressTest *c, Term x)
{
    const TermNode *n = term_node(c->terms, x), *by = term_node(c->terms, (Term){n->a});
    uint64_t given;
    return n->width == c->terms->pointer_bits && by->kind == T_RESULT && made_is_joined(by->b) &&
           pmap_get(c->s->env, by->a, &given) && given == x.id;
}

// Whether the condition asks about an unknown that stands for what a generalised loop or a join has
// forgotten: the program might not take both ways.
static bool is_invented(void *context, Term x)
{
    const AddressTest *c = context;
    const TermNode *n = term_node(c->terms, x);
    if (n->kind == T_INPUT)
        return term_any(c->terms, (Term){n->a}, is_invented, context) || is_found(c, x);
    return n->kind == T_MERGE;
}

static void note_turn(Work *w, State *s, uint32_t ins, uint32_t to, bool side)
{
    story_add(w, s, STORY_TURN, ins, (Term){0}, (Term){to + 1}, side, NULL);
}

// The test of a global, as the source has it: `if (!ready)`.
static bool global_agrees(Work *w, State *s, Ref cond)
{
    const Ins *test = ref_is_ins(cond) ? func_ins(w->unit, w->func, ref_index(cond)) : NULL;
    if (!test || (test->op != OP_EQ && test->op != OP_NE) || !ref_is_ins((Ref){test->a})) return true;
    const Ins *load = func_ins(w->unit, w->func, ref_index((Ref){test->a}));
    if (load->op != OP_LOAD || !ref_is_const((Ref){load->a})) return true;
    const Const *c = &w->unit->consts.at[ref_index((Ref){load->a})];
    if (c->kind != CONST_GLOBAL || c->value) return true;
    GlobalId g = program_global(w->facts->program, w->unit_index, (UGlobalId){c->target});
    return was_zero(w, s, g, operand(w, s, (Ref){test->a}));
}

static void branch(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    Term c = operand(w, s, (Ref){i->a});
    if (i->b == i->c) {
        go(w, s, block, i->b);
        return;
    }
    if (term_width(&w->terms, c) != 1) c = bits_unknown(w, s, ins, made(MADE_VALUE, 0), 1);
    Truth known = cond_decide(&w->conds, s->facts, c);
    state_goes_on(s);
    if (known == COND_UNKNOWN) {
        w->forks++;
        mark_open_exit(w, s, block);
        if (term_any(&w->terms, c, is_invented, &(AddressTest){&w->terms, s}))
            state_doubt(w, s, DOUBT_OPEN_VALUE, ins);
    }
    for (int side = 1; side >= 0; side--) {
        if (known == (side ? COND_FALSE : COND_TRUE)) continue;
        State copy = *s;
        if (!cond_assume(&w->conds, &copy.facts, c, side)) continue;
        if (known == COND_UNKNOWN && !global_agrees(w, &copy, (Ref){i->a})) continue;
        if (known == COND_UNKNOWN && !table_has_row(w, &copy, c)) continue;
        if (known == COND_UNKNOWN && !exception_takes(w, &copy, c, side, ins)) continue;
        if (known == COND_UNKNOWN) {
            story_add(w, &copy, STORY_BRANCH, ins, c, (Term){0}, side, NULL);
            note_guess(w, &copy, c);
            drop_failed(w, &copy, c, ins);
        } else {
            note_turn(w, &copy, ins, side ? i->b : i->c, side);
        }
        note_failure(w, &copy, (Ref){i->a});
        go(w, &copy, block, side ? i->b : i->c);
    }
}

// ---- Switches. Values that lead to one block are told apart while they are few. Of more, those
// that follow each other are one range, which says as much; only where there are many such ranges
// too does one stand for all, and then paths after it may have values that are none of them.

typedef struct {
    Ref at[NUMBERS_LOOKED_AT];
    uint32_t len;
} SwitchNumbers;

// The numbers that a selector can be, when phis of constants make it: where a clean-up goes on.
static bool numbers_of(const Work *w, Ref r, SwitchNumbers *n)
{
    n->at[n->len++] = r;
    for (uint32_t i = 0; i < n->len; i++) {
        if (ref_is_const(n->at[i])) continue;
        if (!ref_is_ins(n->at[i])) return false;
        const Ins *phi = func_ins(w->unit, w->func, ref_index(n->at[i]));
        if (phi->op != OP_PHI) return false;
        for (uint32_t k = 0; k < phi->c; k++) {
            Ref from = {func_extra(w->unit, w->func, phi->b + 2 * k)[1]};
            uint32_t j = 0;
            while (j < n->len && n->at[j].bits != from.bits) j++;
            if (j < n->len) continue;
            if (n->len == NUMBERS_LOOKED_AT) return false;
            n->at[n->len++] = from;
        }
    }
    return true;
}

// Whether the selector can be the number v, or none of the cases when v is none. A join of 6 and 10
// knows of it that it lies between them; 7 it cannot be.
static bool is_possible(Work *w, State *s, const SwitchNumbers *n, Term x, Term v)
{
    for (uint32_t i = 0; i < n->len; i++) {
        if (!ref_is_const(n->at[i])) continue;
        Term number = operand(w, s, n->at[i]);
        int64_t value;
        if (!term_is_int(&w->terms, number, &value)) return true;
        if (v.id ? term_same(number, v)
                 : cond_decide(&w->conds, s->facts, term_eq(&w->terms, x, number)) != COND_FALSE)
            return true;
    }
    return n->len == 0;
}

typedef VEC(int64_t) Values;

typedef struct {
    Work *w;
    Term x;
    uint32_t block, ins;
    SwitchNumbers numbers; // that x can be; none: unknown
} Switch;

// The way of all values from `least` to `most`.
static void take_values(const Switch *k, const State *before, int64_t least, int64_t most,
                        uint32_t to, bool exact)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    uint32_t width = term_width(t, k->x);
    State copy = *before;
    bool one = least == most;
    Term lowest = term_int(t, width, least);
    Term told = one ? term_eq(t, k->x, lowest) : term_not(t, term_slt(t, k->x, lowest));
    bool open = cond_decide(&w->conds, copy.facts, told) == COND_UNKNOWN;
    if (!cond_assume(&w->conds, &copy.facts, told, true)) return;
    if (!one) {
        Term above = term_slt(t, term_int(t, width, most), k->x);
        if (!cond_assume(&w->conds, &copy.facts, above, false)) return;
    }
    if (open && !table_has_row(w, &copy, told)) return;
    if (open) {
        story_add(w, &copy, STORY_BRANCH, k->ins, told, (Term){0}, true, NULL);
        note_guess(w, &copy, told);
        drop_failed(w, &copy, told, k->ins);
    }
    if (!exact) copy.flags |= STATE_JOINED;
    note_turn(w, &copy, k->ins, to, true);
    go(w, &copy, k->block, to);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t end_of_range(const Values *v, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < v->len && v->at[end] == v->at[end - 1] + 1) end++;
    return end;
}

static void take_ranges(const Switch *k, const State *before, Values *v, uint32_t to)
{
    qsort(v->at, v->len, sizeof *v->at, by_value);
    uint32_t ranges = 0;
    for (uint32_t i = 0; i < v->len; i = end_of_range(v, i)) ranges++;
    if (ranges > RANGES_APART) {
        take_values(k, before, v->at[0], vec_last(v), to, false);
        return;
    }
    for (uint32_t i = 0, end; i < v->len; i = end) {
        end = end_of_range(v, i);
        take_values(k, before, v->at[i], v->at[end - 1], to, true);
    }
}

// The block of case `first` with all of its values that are possible; `rest` has others. False when
// there are none.
static bool take_cases(const Switch *k, State *rest, uint32_t first, Bits *done)
{
    Work *w = k->w;
    const Ins *i = func_ins(w->unit, w->func, k->ins);
    uint32_t to = func_extra(w->unit, w->func, i->b + 2 * first)[1];
    State before = *rest;
    bool open = true;
    Values values = {0};
    for (uint32_t n = first; n < i->c && open; n++) {
        const uint32_t *pair = func_extra(w->unit, w->func, i->b + 2 * n);
        int64_t value;
        if (pair[1] != to) continue;
        bits_add(done, n);
        Term v = operand(w, rest, (Ref){pair[0]}), eq = term_eq(&w->terms, k->x, v);
        Truth truth = cond_decide(&w->conds, rest->facts, eq);
        if (truth == COND_FALSE || !term_is_int(&w->terms, v, &value) ||
            !is_possible(w, rest, &k->numbers, k->x, v))
            continue;
        vec_push(&values, value);
        open = truth != COND_TRUE && cond_assume(&w->conds, &rest->facts, eq, false);
    }
    if (values.len > VALUES_APART)
        take_ranges(k, &before, &values, to);
    else
        vec_each (n, &values) take_values(k, &before, values.at[n], values.at[n], to, true);
    vec_free(&values);
    return open;
}

// The way of none of the cases, as a condition: the value that is left, or one or two that it is not.
static void explain_default(const Switch *k, const State *before, State *rest)
{
    enum { TOLD = 2 };
    Work *w = k->w;
    Terms *t = &w->terms;
    const Ins *i = func_ins(w->unit, w->func, k->ins);
    uint32_t width = term_width(t, k->x);
    Range left = cond_range(&w->conds, rest->facts, k->x);
    int64_t value;
    if (range_single(&left, width, &value)) {
        Term eq = term_eq(t, k->x, term_int(t, width, value));
        if (cond_decide(&w->conds, before->facts, eq) == COND_UNKNOWN)
            story_add(w, rest, STORY_BRANCH, k->ins, eq, (Term){0}, true, NULL);
        return;
    }
    for (uint32_t n = 0, told = 0; told < TOLD && n < i->c; n++) {
        Term eq = term_eq(t, k->x, operand(w, rest, (Ref){*func_extra(w->unit, w->func, i->b + 2 * n)}));
        if (cond_decide(&w->conds, before->facts, eq) != COND_UNKNOWN) continue;
        story_add(w, rest, STORY_BRANCH, k->ins, eq, (Term){0}, false, NULL);
        told++;
    }
}

static void switch_to(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    Terms *t = &w->terms;
    Term x = operand(w, s, (Ref){i->a});
    bool open = true,
         wide = term_width(t, x) == 0 || mtype_size(ref_type(w->unit, w->func, (Ref){i->a})) > 64;
    state_goes_on(s);
    if (!term_is_int(t, x, NULL)) mark_open_exit(w, s, block);
    State rest = *s;
    Switch k = {.w = w, .x = x, .block = block, .ins = ins};
    if (term_kind(t, x) == T_MERGE && !numbers_of(w, (Ref){i->a}, &k.numbers)) k.numbers.len = 0;
    Bits done = bits_new(w->arena, i->c);
    for (uint32_t n = 0; n < i->c && open; n++) {
        if (bits_has(&done, n)) continue;
        if (wide)
            go(w, &rest, block, func_extra(w->unit, w->func, i->b + 2 * n)[1]);
        else
            open = take_cases(&k, &rest, n, &done);
    }
    if (!open ||
        (facts_default_is_idle(w->facts, w->id, ins) && assumes(w, ASSUME_IDLE_DEFAULT)) ||
        !is_possible(w, &rest, &k.numbers, x, (Term){0}))
        return;
    if (!wide && !term_is_int(t, x, NULL)) explain_default(&k, s, &rest);
    uint32_t otherwise = *func_extra(w->unit, w->func, i->b + 2 * i->c);
    note_turn(w, &rest, ins, otherwise, true);
    go(w, &rest, block, otherwise);
}

// Whether the block is where branches meet and its jump leads to where control falls through from
// elsewhere too: then the jump is the closing brace of a branch, not a break behind an `if`.
static bool joins_branches(const Work *w, uint32_t block, uint32_t target)
{
    const Cfg *c = w->cfg;
    if (c->pred[block].count < 2) return false;
    EdgeRange r = c->pred[target];
    for (uint32_t i = 0; i < r.count; i++) {
        const Block *b = func_block(w->unit, w->func, c->edges[r.first + i]);
        const Ins *end = func_ins(w->unit, w->func, b->first + b->count - 1);
        if (end->op != OP_JUMP || !w->unit->locs.at[end->loc].line) return true;
    }
    return false;
}

// Whether the jump stands for a statement of its own (return, break, continue, goto). At the end of
// another statement a jump only carries that one's position on; but where a value is returned, what
// leads to the exit is a return whatever comes before it on its line.
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
    // A loop's own way out is at the loop's test.
    if (s->from == BLOCK_NONE) return true;
    if (joins_branches(w, block, in->a)) return false;
    const Block *b = func_block(w->unit, w->func, s->from);
    const Loc *test = &w->unit->locs.at[func_ins(w->unit, w->func, b->first + b->count - 1)->loc];
    return test->line != l->line || test->col != l->col;
}

static void terminate(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (w->way_on[block] != BLOCK_NONE) {
        w->passed_over++;
        state_goes_on(s);
        go(w, s, block, w->way_on[block]);
        return;
    }
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
        explain_kept(w, s, operand(w, s, (Ref){i->a}), ins);
        leave_function(w, s, ins, settled(w, s, operand(w, s, (Ref){i->a})), false);
        break;
    case OP_RESUME:
        leave_function(w, s, ins, (Term){0}, true);
        break;
    default:
        break; // unreachable
    }
}

// Up to the next call or the block's end. True when the state is right before a call.
static bool run_plain(Work *w, State *s, uint32_t block, uint32_t *at)
{
    const Block *b = func_block(w->unit, w->func, block);
    for (uint32_t ins = *at; ins < b->first + b->count; ins++) {
        const Ins *i = func_ins(w->unit, w->func, ins);
        w->steps++;
        if (give_up_if_spent(w)) return false;
        if ((i->op == OP_CALL && bits_has(&w->kept, ins)) || i->op == OP_INVOKE) {
            *at = ins;
            return true;
        }
        if (op_is_terminator((Op)i->op)) {
            terminate(w, s, block, ins);
            return false;
        }
        if (!bits_has(&w->kept, ins)) {
            pass_by(w, s, i);
            continue;
        }
        if (step(w, s, block, ins) == STEP_DEAD) return false;
    }
    return false;
}

// Whether the function has set a mark for jumps (setjmp): a jump lands there, and what the function
// holds is known there again. It is not followed: errs towards a missed leak.
static bool has_jump_mark(const Work *w)
{
    if (w->func->flags & FUNC_CXX) return false;
    for (uint32_t n = 0; n < w->func->ins_count; n++) {
        const Ins *i = func_ins(w->unit, w->func, n);
        if (i->op != OP_CALL) continue;
        FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){i->a});
        const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
        if ((i->flags & INS_RETURNS_TWICE) || (spec && spec->twice)) return true;
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
            uint32_t before = out.len;
            call(w, &states->at[k], block, call_at, &out, &thrown);
            for (uint32_t n = before; out.len > before + 1 && n < out.len; n++)
                mark_split(w, &out.at[n], block);
        }
        thin_out(w, &out, block, call_at + 1);
        vec_each (k, &thrown) {
            if (i->op == OP_INVOKE)
                go(w, &thrown.at[k], block, *func_extra(w->unit, w->func, i->b + i->c + 1));
            else if (!has_jump_mark(w))
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
            alive = enter_loop(w, s, block, s->from != BLOCK_NONE && cfg_loop_has(c, loop, s->from));
        else
            enter_block(w, s, block);
        if (!alive) continue;
        if (s->lost) lost_check(w, s, block, func_block(w->unit, w->func, block)->first);
        states.at[kept++] = *s;
    }
    states.len = kept;
    if (kept) bits_add(&w->reached, block);
    thin_out(w, &states, block, func_block(w->unit, w->func, block)->first);
    run_states(w, &states, block);
    thin_out_exits(w, func_block(w->unit, w->func, block)->first);
    vec_free(&states);
}

void walk(Work *w, State *entry)
{
    order_blocks(w);
    uint32_t n = w->cfg->block_count;
    w->pending = arena_array_of(w->arena, States, n);
    w->reached = bits_new(w->arena, n);
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
        uint32_t on = w->way_on[b];
        if (on != BLOCK_NONE && w->pending[on].len && w->rank[on] < first) first = w->rank[on];
        r = first < r ? first : r;
    }
    for (uint32_t b = 0; b < n; b++) vec_free(&w->pending[b]);
}
