// What is reported: objects cut off from the root, and misuse of freed or foreign memory. How it is
// told is for explain/path.c.
#include "lost/lost_int.h"

#include "finding/grounds.h"
#include "heap/elements.h"
#include "lost/limits.h"

#include <string.h>

// A descriptor that the path knows to be 0, 1 or 2 was meant to take that place: the daemon's
// `if (fd > 2) close(fd)` after dup2.
static bool is_standard_stream(Work *w, const State *s, Term heap, const ObjInfo *info)
{
    if (!info->resource || term_width(&w->terms, heap) == w->terms.pointer_bits) return false;
    Range r = cond_range(&w->conds, s->facts, heap);
    return r.smax <= LAST_STANDARD_STREAM; // negative ones are failures
}

typedef struct {
    Work *w;
    Term heap;
} NumberTest;

static bool is_named(void *context, uint64_t key, uint64_t fact)
{
    NumberTest *n = context;
    const TermNode *t = term_node(&n->w->terms, (Term){(uint32_t)key});
    if (t->kind != T_EQ || (t->a != n->heap.id && t->b != n->heap.id)) return true;
    int64_t truth;
    return !(range_single(cond_fact(&n->w->conds, fact), 1, &truth) && truth);
}

// A descriptor that the path found to be a number got elsewhere: one which the caller knows (dup
// after close), or that of an open stream, whose it is then. Errs towards a missed leak.
static bool is_known_number(Work *w, const State *s, Term heap, const ObjInfo *info)
{
    if (!info->resource || term_width(&w->terms, heap) == w->terms.pointer_bits) return false;
    return !pmap_each(s->facts, is_named, &(NumberTest){w, heap});
}

// A mapping at address 0 is one that nobody asked for: a test for null is one for failure, also
// where failure is shown by another value. No block is at -1 either.
static bool is_no_address(Work *w, const State *s, Term heap)
{
    Terms *t = &w->terms;
    uint32_t width = term_width(t, heap);
    if (width != t->pointer_bits) return false;
    return cond_decide(&w->conds, s->facts, term_eq(t, heap, term_null(t))) == COND_TRUE ||
           cond_decide(&w->conds, s->facts, term_eq(t, heap, term_int(t, width, -1))) == COND_TRUE;
}

bool claimable(Work *w, const State *s, Term heap)
{
    ObjState o = obj_get(s, heap);
    const ObjInfo *info = obj_info(w, heap);
    return info && o.status == OBJ_ALLOCATED && !(o.flags & (OBJF_ESCAPED | OBJF_FAMILY)) &&
           !info->arena && !obj_failed(w, s, heap) &&
           !(is_standard_stream(w, s, heap, info) && assumes(w, ASSUME_STANDARD_STREAM)) &&
           !(is_known_number(w, s, heap, info) && assumes(w, ASSUME_KNOWN_NUMBER)) &&
           !(is_no_address(w, s, heap) && assumes(w, ASSUME_NO_ADDRESS));
}

// Whether the instruction calls a function that may come back to itself: what its inner calls do to
// the same table is known only so far.
static bool calls_recursive(Work *w, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (i->op != OP_CALL && i->op != OP_INVOKE) return false;
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){i->a});
    const Summary *sum = f.id && program_has_code(p, f) ? callee_summary(w->callees, f) : NULL;
    return sum && sum->recursive;
}

typedef struct {
    Work *w;
    const State *s;
    Term found;
} UnaskedNull;

static bool is_that(void *context, Term x)
{
    return term_same(x, *(Term *)context);
}

// Whether the value is a field of what the caller handed in.
static bool is_field(const Terms *t, Term x)
{
    const TermNode *n = term_node(t, x);
    if (n->kind != T_INPUT || n->width != t->pointer_bits) return false;
    while (n->kind == T_INPUT) n = term_node(t, (Term){n->a});
    return n->kind == T_PARAM;
}

// Whether this function has tested the value itself.
static bool is_asked_for(const Work *w, const State *s, Term x)
{
    for (const Story *e = s->story; e; e = e->prev) {
        uint8_t op = func_ins(w->unit, w->func, e->ins)->op;
        if (e->kind == STORY_BRANCH && op != OP_CALL && op != OP_INVOKE && term_any(&w->terms, e->a, is_that, &x))
            return true;
    }
    return false;
}

static bool is_unasked_null(void *context, uint64_t key, uint64_t fact)
{
    UnaskedNull *u = context;
    Term x = {(uint32_t)key};
    int64_t v;
    if (!is_field(&u->w->terms, x) ||
        !range_single(cond_fact(&u->w->conds, fact), term_width(&u->w->terms, x), &v) || v)
        return true;
    if (is_asked_for(u->w, u->s, x)) return true;
    u->found = x;
    return false;
}

// A field that has to be null for a callee to have obtained what is lost, where this function never
// asks for that: memory is the pool's there, and comes from elsewhere only without a pool. None:
// there is no such field. Where it is lost either way another path says so.
static Term unasked_null(Work *w, const State *s, const ObjInfo *info)
{
    UnaskedNull u = {w, s, {0}};
    if (info->origin) pmap_each(s->facts, is_unasked_null, &u);
    return u.found;
}

static bool is_after(const Work *w, uint32_t use, uint32_t ins)
{
    uint32_t block = func_block_of(w->unit, w->func, use),
             here = func_block_of(w->unit, w->func, ins);
    return block == here ? use > ins : w->rank[block] > w->rank[here];
}

// Whether the field at the offset of what the value points to is read after the instruction.
static bool is_read_after(const Work *w, Ref pointer, int64_t offset, uint32_t ins, int depth)
{
    if (!ref_is_ins(pointer) || depth > FIELDS_DEEP) return false;
    UseRange r = w->uses[ref_index(pointer)];
    for (uint32_t k = 0; k < r.count; k++) {
        uint32_t at = w->use_ins[r.first + k];
        const Ins *use = func_ins(w->unit, w->func, at);
        if (use->op == OP_LOAD && offset == 0 && is_after(w, at, ins)) return true;
        if (use->op == OP_FIELD &&
            is_read_after(w, ref_ins(at), offset - (int32_t)use->b, ins, depth + 1))
            return true;
    }
    return false;
}

// Whether the block that held the object is freed here and the place where it held it is read
// later: the order is wrong, which is a use after free, and the object is released after all, or it
// is lost where that is told.
static bool is_read_back(Work *w, const State *s, Term heap, uint32_t ins)
{
    const Ins *call = func_ins(w->unit, w->func, ins);
    const Story *freed = s->story;
    while (freed && (freed->kind != STORY_FREE || freed->ins != ins)) freed = freed->prev;
    if (!freed || op_form((Op)call->op) != FORM_CALL) return false;
    for (const Story *e = freed->prev; e; e = e->prev) {
        if (e->kind != STORY_PUT || !explain_mentions(w, e->b, heap)) continue;
        Address at = term_address(&w->terms, e->a);
        if (!term_same(at.base, freed->a) || at.index.id) continue;
        for (uint32_t k = 0; k < call->c; k++)
            if (is_read_after(w, (Ref){*func_extra(w->unit, w->func, call->b + k)}, at.offset, ins,
                              0))
                return true;
    }
    return false;
}

// Between which numbers is what the function gives back at the end of this block.
static void note_returned(Work *w, State *s, uint32_t ins, Finding *f)
{
    const Block *b = func_block(w->unit, w->func, func_block_of(w->unit, w->func, ins));
    const Ins *end = func_ins(w->unit, w->func, b->first + b->count - 1);
    Ref r = {end->a};
    if (end->op != OP_RET || ref_is_none(r)) return;
    uint64_t x;
    if (ref_is_ins(r) && !pmap_get(s->env, ref_index(r), &x)) return;
    Term result = operand(w, s, r);
    uint32_t width = term_width(&w->terms, result);
    Range range = cond_range(&w->conds, s->facts, result);
    if (!width) return;
    bool truth = width == 1;
    f->grounds->returned[0] = truth ? (int64_t)range.umin : range.smin;
    f->grounds->returned[1] = truth ? (int64_t)range.umax : range.smax;
    f->grounds->returns = true;
}

// Whether the call's result is null on this path: its own, or that of an allocation that failed.
static bool gave_null(Work *w, State *s, uint32_t call)
{
    uint64_t x;
    int64_t v;
    if (mtype_class(func_ins(w->unit, w->func, call)->type) != MT_PTR ||
        !pmap_get(s->env, call, &x))
        return false;
    Term r = {(uint32_t)x};
    if (term_is_int(&w->terms, r, &v)) return v == 0;
    return term_kind(&w->terms, r) == T_HEAP && obj_get(s, r).status != OBJ_ALLOCATED &&
           obj_failed(w, s, r);
}

// The last call that has given back null for want of memory, or the one just before, by whose null the
// last pointer is overwritten. Whoever follows the path from there on may see that the program ends.
static void note_failed_call(Work *w, State *s, uint32_t ins, Finding *f)
{
    if (doubt_has(&f->doubts, DOUBT_NO_MEMORY))
        for (uint32_t i = w->func->ins_count; i-- > 0 && !f->grounds->failed_call;)
            if (func_ins(w->unit, w->func, i)->op == OP_CALL && gave_null(w, s, i))
                f->grounds->failed_call = i + 1;
    if (f->loss != LOSS_OVERWRITE || f->grounds->failed_call) return;
    const Block *b = func_block(w->unit, w->func, func_block_of(w->unit, w->func, ins));
    for (uint32_t i = ins + 1; i-- > b->first;) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (in->op != OP_CALL) continue;
        if (gave_null(w, s, i)) f->grounds->failed_call = i + 1;
        return;
    }
}

// Guesses that the block's fate rests on: not those before the call that brought it.
static uint32_t guesses_since(const State *s, Term heap)
{
    const Story *e = s->story;
    while (e && !(e->kind == STORY_NEW && term_same(e->a, heap))) e = e->prev;
    uint32_t before = e ? e->guesses : 0;
    return s->guesses > before ? s->guesses - before : 0;
}

// A number that the program does not even look at is one that it counts on: the lowest that was
// free.
static bool is_nameless(const Work *w, const ObjInfo *info)
{
    return info->resource && term_width(&w->terms, info->term) == NUMBER_BITS &&
           mtype_class(func_ins(w->unit, w->func, info->ins)->type) == MT_INT &&
           !w->uses[info->ins].count;
}

// Whether what one call brought is lost by another call of the same function that is given another
// constant: what it makes of that (a name that it looks up) is not followed, and each may have a
// place of its own.
static bool is_another_choice(const Work *w, const ObjInfo *info, uint32_t ins)
{
    const Ins *a = func_ins(w->unit, w->func, info->ins), *b = func_ins(w->unit, w->func, ins);
    if (info->ins == ins || a->op != OP_CALL || b->op != OP_CALL || a->a != b->a) return false;
    const Program *p = w->facts->program;
    FuncId f = program_callee(p, w->unit_index, w->unit, (Ref){a->a});
    const Summary *sum = f.id && program_has_code(p, f) ? callee_summary(w->callees, f) : NULL;
    uint32_t ways = 0;
    for (uint32_t i = 0; sum && i < sum->case_count; i++) ways += sum->cases[i].object_count > 0;
    if (ways < 2) return false;
    for (uint32_t i = 0; i < a->c && i < b->c; i++) {
        Ref x = {*func_extra(w->unit, w->func, a->b + i)},
            y = {*func_extra(w->unit, w->func, b->b + i)};
        if (ref_is_const(x) && ref_is_const(y) && x.bits != y.bits) return true;
    }
    return false;
}

// Whether the path that would be told loses it too: the descriptor that has the number which was
// asked for is not lost there, although it is on a path joined with that one.
static bool is_lost_in_story(Work *w, const State *s, Term heap)
{
    State told = *s;
    return !explain_facts(w, s, &told.facts) || claimable(w, &told, heap);
}

// The function of the program's own that released the owner and forgot this one.
static void note_loser(const Work *w, uint32_t ins, Finding *f)
{
    const Ins *call = func_ins(w->unit, w->func, ins);
    Ref r = {call->a};
    if ((call->op != OP_CALL && call->op != OP_INVOKE) || !ref_is_const(r)) return;
    const Const *c = &w->unit->consts.at[ref_index(r)];
    if (c->kind != CONST_FUNC) return;
    const Program *p = w->facts->program;
    FuncId callee = program_func(p, w->unit_index, (UFuncId){c->target});
    if (!program_has_code(p, callee)) return;
    const Unit *u;
    const Func *body = program_body(p, callee, &u);
    const Loc *l = &u->locs.at[body->loc.id];
    if (!l->file || !l->line) return;
    Pos at = {name_text(u->names, u->files.at[l->file].path), l->line, l->col ? l->col : 1};
    finding_loser(f, name_text(u->names, body->source), at);
}

typedef struct {
    Work *w;
    const State *s;
    Term heap, owner;
    uint32_t ins;
    Loss loss;
    const ObjInfo *info;
    const char *variable;
    bool in_global;
} Lost;

// A call that ends its argument and hands back a part of it, which nobody looks at: whoever calls it
// so has often taken that part before (a growing string's text, then the string without its text).
static bool is_part_of_released(const Work *w, const ObjInfo *info)
{
    const Ins *i = func_ins(w->unit, w->func, info->ins);
    if (i->op != OP_CALL || w->uses[info->ins].count) return false;
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){i->a});
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    if (!spec || spec->realloc || spec->result.gives != SPEC_OWN) return false;
    for (uint32_t k = 0; k < spec->param_count; k++)
        if (spec->params[k].mode == SPEC_TAKE) return true;
    return false;
}

// The callee that left it, or the block on which it hangs, alone and keeps it in cases that look the same from
// here; null: none did.
static const Story *left_unplaced(Work *w, const State *s, Term heap)
{
    for (const Story *e = s->story; e; e = e->prev) {
        if (e->kind != STORY_UNPLACED) continue;
        Reach r = {0};
        reach_term(w, s, e->a, &r);
        bool hangs = term_same(e->a, heap) || reach_has(&r, heap);
        reach_free(&r);
        if (hangs) return e;
    }
    return NULL;
}

// Two values that the path found to be the same, neither of them a constant; false: something else.
static bool is_match(const Work *w, const Story *e, TermNode *n)
{
    const Terms *t = &w->terms;
    int64_t v;
    if (e->kind != STORY_BRANCH) return false;
    *n = *term_node(t, e->a);
    bool equal = e->flag;
    if (n->kind == T_NOT) {
        *n = *term_node(t, (Term){n->a});
        equal = !equal;
    }
    return equal && n->kind == T_EQ && !term_is_int(t, (Term){n->a}, &v) && !term_is_int(t, (Term){n->b}, &v);
}

static bool in_one_loop(const Work *w, uint32_t a, uint32_t b)
{
    uint32_t loop = w->cfg->loop_of[func_block_of(w->unit, w->func, a)];
    return loop && loop == w->cfg->loop_of[func_block_of(w->unit, w->func, b)];
}

// Whether tests of a loop held in two rounds, for the same value and two others that the caller's memory holds:
// entries of a table, of which the program takes it that at most one matches. Between them it was obtained.
static bool matches_twice(const Work *w, const State *s, Term heap)
{
    const Terms *t = &w->terms;
    TermNode late, early;
    for (const Story *e = s->story; e && !(e->kind == STORY_NEW && term_same(e->a, heap)); e = e->prev) {
        if (!is_match(w, e, &late)) continue;
        uint32_t looked = 0;
        for (const Story *b = e->prev; b && looked < STORIES_BACK; b = b->prev, looked++) {
            if (!in_one_loop(w, b->ins, e->ins) || !is_match(w, b, &early)) continue;
            uint32_t one = late.a == early.a || late.a == early.b ? late.a : late.b;
            if (one != early.a && one != early.b) continue;
            Term here = {one == late.a ? late.b : late.a}, there = {one == early.a ? early.b : early.a};
            if (!term_same(here, there) && term_kind(t, here) == T_INPUT && term_kind(t, there) == T_INPUT)
                return true;
        }
    }
    return false;
}

// Whether the path that is told goes round a loop after it has obtained the block.
static bool goes_round(const State *s, Term heap)
{
    const Story *e = s->story;
    for (; e && !(e->kind == STORY_NEW && term_same(e->a, heap)); e = e->prev)
        if (e->kind == STORY_LOOP) return true;
    return !e;
}

// What speaks against this loss, and how much it matters. True when it rests on many guesses: what
// other paths do with the block then decides (lost_settle).
static bool doubt_loss(const Lost *k, Doubts *d)
{
    Work *w = k->w;
    const State *s = k->s;
    const ObjInfo *info = k->info;
    // The process is ending: whoever left it to the system had a reason, maybe.
    if (k->loss == LOSS_AT_END || k->in_global) explain_doubt(w, d, DOUBT_MAIN_RETURNS, k->ins, NULL);
    // A block that one round of a loop filled and another released: what it held may have been
    // moved on by paths that were joined in between.
    bool round = w->cfg->loop_of[func_block_of(w->unit, w->func, k->ins)] ||
                 w->cfg->loop_of[func_block_of(w->unit, w->func, info->ins)];
    bool rounds = (s->flags & (STATE_GENERAL | STATE_JOINED)) && round;
    uint8_t op = func_ins(w->unit, w->func, k->ins)->op;
    bool by_call = op == OP_CALL || op == OP_INVOKE;
    if (by_call && rounds && (k->ins == info->ins || goes_round(s, k->heap))) // one call: in a later round
        explain_doubt(w, d, DOUBT_LOOP_ROUNDS, k->ins, NULL);
    if (by_call && calls_recursive(w, k->ins)) explain_doubt(w, d, DOUBT_RECURSIVE_CALL, k->ins, NULL);
    if (k->loss == LOSS_OWNER && is_read_back(w, s, k->heap, k->ins))
        explain_doubt(w, d, DOUBT_READ_BACK, k->ins, NULL);
    if (!k->variable && is_nameless(w, info))
        explain_doubt(w, d, DOUBT_UNUSED_NUMBER, info->ins, NULL);
    const Story *left = left_unplaced(w, s, k->heap);
    bool absent = left && left->flag && !is_asked_for(w, s, left->b);
    Term null = absent ? left->b : unasked_null(w, s, info);
    if (null.id) {
        const char *name = names_term(w, null);
        explain_doubt(w, d, DOUBT_UNASKED_NULL, info->ins,
                   name ? arena_printf(w->arena, "'%s'", name) : "a pointer");
    }
    if (is_part_of_released(w, info)) explain_doubt(w, d, DOUBT_OF_ARGUMENT, info->ins, NULL);
    if (left && !left->flag) explain_doubt(w, d, DOUBT_NO_PLACE, left->ins, left->text ? left->text : "a callee");
    if (k->loss == LOSS_OVERWRITE && round && matches_twice(w, s, k->heap))
        explain_doubt(w, d, DOUBT_TWO_MATCHES, k->ins, NULL);
    if (is_another_choice(w, info, k->ins)) explain_doubt(w, d, DOUBT_OTHER_CHOICE, k->ins, NULL);
    if ((s->flags & STATE_JOINED) && !is_lost_in_story(w, s, k->heap))
        explain_doubt(w, d, DOUBT_NOT_ON_PATH, k->ins, NULL);
    if (guesses_since(s, k->heap) <= GUESSES_REPORTED) return false;
    explain_doubt(w, d, DOUBT_MANY_TESTS, k->ins, NULL);
    return true;
}

static const char *loss_verb(Loss loss)
{
    return loss == LOSS_OVERWRITE ? "is overwritten"
           : loss == LOSS_OWNER   ? "is freed"
                                  : "goes out of scope";
}

void report_leak(Work *w, State *s, Term heap, Term owner, uint32_t ins, Pos lost, Loss loss, bool in_global)
{
    ObjState o = obj_get(s, heap);
    o.status = OBJ_LEAKED;
    explain_found(w, s, heap, ins, loss);
    const ObjInfo *info = obj_info(w, heap);
    const char *noun = info->resource ? spec_family_noun(w->facts->specs, info->family) : NULL;
    Rule rule = in_global ? RULE_LEAK_AT_EXIT : rule_of_loss(noun);
    Doubts d = s->doubts;
    explain_doubts(w, s, heap, &d);
    const char *variable = explain_variable(w, s, heap);
    bool guessed = doubt_loss(&(Lost){w, s, heap, owner, ins, loss, info, variable, in_global},
                              &d);
    uint64_t site;
    Worth worth = explain_worth(w, s, rule, heap, ins, &d, &site);
    if (worth == WORTH_COUNTING) error_more(w, s, site);
    if (worth != WORTH_TELLING) {
        obj_set(w, s, heap, o);
        return;
    }
    variable = explain_holder(w, s, heap, ins, loss);
    // In this function the object comes from here: the allocation or the call that brought it.
    Pos born = pos_of_ins(w, info->ins);
    Finding *f =
        finding_new(w->findings, rule, name_text(w->unit->names, w->func->source), born, lost);
    finding_doubts(f, &d);
    if (guessed) vec_push(&w->guessed, ((Guessed){f, info->ins}));
    if (info->origin) finding_source(f, info->origin->pos);
    finding_names(f, source_name(w, info), variable);
    if (info->resource)
        f->resource =
            arena_strdup(w->findings->arena, spec_family_noun(w->facts->specs, info->family));
    f->stages = STAGE_EVAL;
    f->loss = loss;
    f->error_exit = s->flags & STATE_ERROR;
    f->in_loop = w->cfg->loop_of && s->loops != NULL;
    f->grounds->made_by = info->ins + 1;
    f->grounds->lost_by = ins + 1;
    error_own(w, s, f, site);
    note_returned(w, s, ins, f);
    if (loss == LOSS_OWNER) note_loser(w, ins, f);
    note_failed_call(w, s, ins, f);
    explain_path(w, s, f, heap);
    explain_inputs(w, s, f);
    if (in_global)
        finding_event(f, EVENT_LOST, lost, "a global still holds it");
    else if (loss == LOSS_AT_END)
        finding_event(f, EVENT_LOST, lost, "only %s%s%s leads to it, which ends with main",
                      variable ? "'" : "", variable ? variable : "a variable", variable ? "'" : "");
    else if (loss == LOSS_HELD)
        finding_event(f, EVENT_LOST, lost, "the function returns without releasing it, as it does elsewhere");
    else if (variable)
        finding_event(f, EVENT_LOST, lost, "%s'%s' %s while %s",
                      loss == LOSS_OWNER ? "the owner of " : "", variable, loss_verb(loss),
                      info->resource ? "still open" : "it still owns the memory");
    else
        finding_event(f, EVENT_LOST, lost, loss == LOSS_OWNER ? "what holds it is freed" : "nothing points to it any more");
    picture_of_loss(w, s, f, heap, variable);
    obj_set(w, s, heap, o);
    story_add(w, s, STORY_LOST, ins, heap, (Term){0}, false, NULL);
}

// Of what one call brought, the block on which this one hangs and that is lost with it; else
// itself.
static Term owner_among(Work *w, const State *s, const U32s *lost, Term heap)
{
    const ObjInfo *mine = obj_info(w, heap);
    vec_each (i, lost) {
        Term other = {lost->at[i]};
        if (term_same(other, heap)) return heap;
        if (obj_info(w, other)->ins != mine->ins) continue;
        Reach r = {0};
        reach_term(w, s, other, &r);
        bool held = reach_has(&r, heap);
        reach_free(&r);
        if (held) return other;
    }
    return heap;
}

// What a call did to the block: it freed the block's owner, or overwrote what held it. One that it let go together with
// its owner was handed in, and is nowhere else.
static Loss loss_by_call(Work *w, const State *s, Term heap, uint32_t ins)
{
    bool frees = false;
    for (const Story *e = s->story; e; e = e->prev) {
        frees |= e->kind == STORY_FREE && e->ins == ins;
        if (e->kind != STORY_PUT || !explain_mentions(w, e->b, heap)) continue;
        Address at = term_address(&w->terms, e->a);
        if (at.offset >= ELEMENTS_AT) return frees ? LOSS_OWNER : LOSS_CONTAINER;
        ObjStatus holder = obj_get(s, at.base).status;
        if (frees && holder == OBJ_FREED) return LOSS_OWNER;
        return holder == OBJ_LEAKED ? LOSS_SCOPE : LOSS_OVERWRITE;
    }
    return frees ? LOSS_OWNER : LOSS_SCOPE;
}

static Loss loss_at(Work *w, const State *s, Term heap, uint32_t ins)
{
    switch ((Op)func_ins(w->unit, w->func, ins)->op) {
    case OP_BIND:
        return ref_is_none((Ref){func_ins(w->unit, w->func, ins)->a}) ? LOSS_SCOPE : LOSS_OVERWRITE;
    case OP_STORE:
    case OP_COPY:
    case OP_FILL:
    case OP_PHI:
        return LOSS_OVERWRITE;
    case OP_CALL:
    case OP_INVOKE:
        return loss_by_call(w, s, heap, ins);
    default:
        return LOSS_SCOPE;
    }
}

// Whether the exit's position is the end of the function's body, where its scopes end too, and not
// a return statement.
static bool at_closing_brace(const Work *w, const Block *b)
{
    const Ins *end = func_ins(w->unit, w->func, b->first + b->count - 1);
    for (uint32_t i = b->first; i + 1 < b->first + b->count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (ends_scope(in) && w->unit->locs.at[in->loc].line)
            return w->unit->locs.at[in->loc].line == w->unit->locs.at[end->loc].line;
    }
    return func_ins(w->unit, w->func, b->first)->op == OP_PHI;
}

// Where a scope or the function ends. A return, break or continue on its way is the statement to
// show, not the closing brace that the compiler gives its clean-up; a single return is known by the
// block that it ends.
Pos end_position(const Work *w, const State *s, uint32_t block, uint32_t ins)
{
    if (s->left_by) return pos_of(w, s->left_by);
    const Block *b = func_block(w->unit, w->func, block);
    uint32_t last = b->first + b->count - 1;
    const Ins *end = func_ins(w->unit, w->func, last);
    // Several returns share one exit, whose position is the closing brace: the value to return was
    // the last thing that was worked out.
    if (end->op == OP_RET && mtype_class(w->func->result) != MT_VOID && s->last_loc &&
        at_closing_brace(w, b))
        return pos_of(w, s->last_loc);
    if (end->op == OP_RET && w->unit->locs.at[end->loc].line) return pos_of_ins(w, last);
    if (!w->unit->locs.at[func_ins(w->unit, w->func, ins)->loc].line && s->last_loc)
        return pos_of(w, s->last_loc);
    return pos_of_ins(w, ins);
}

// What only the lost ones lead to is lost with them, here and not where the function is left.
static void hang_on(Work *w, const State *s, const Reach *reached, U32s *gone)
{
    uint32_t roots = gone->len;
    Reach below = {0};
    for (uint32_t i = 0; i < roots; i++) reach_term(w, s, (Term){gone->at[i]}, &below);
    for (uint32_t i = 0; i < w->infos.len; i++) {
        Term h = w->infos.at[i]->term;
        bool known = !reach_has(&below, h) || reach_has(reached, h) || !claimable(w, s, h);
        for (uint32_t k = 0; k < roots && !known; k++) known = gone->at[k] == h.id;
        if (!known) vec_push(gone, h.id);
    }
    reach_free(&below);
}

void lost_check(Work *w, State *s, uint32_t block, uint32_t ins)
{
    PMap lost = s->lost;
    s->lost = NULL;
    U32s candidates = {0};
    for (uint32_t i = 0; i < w->infos.len; i++) {
        Term h = w->infos.at[i]->term;
        if (pmap_get(lost, h.id, NULL) && claimable(w, s, h)) vec_push(&candidates, h.id);
    }
    if (candidates.len) {
        Reach r = {0};
        reach_now(w, s, block, ins, &r);
        const Ins *i = func_ins(w->unit, w->func, ins);
        bool ends = ends_scope(i);
        Pos at = ends ? end_position(w, s, block, ins) : pos_of_ins(w, ins);
        if (!ends && !w->unit->locs.at[i->loc].line && s->last_loc) at = pos_of(w, s->last_loc);
        U32s gone = {0};
        vec_each (k, &candidates)
            if (!reach_has(&r, (Term){candidates.at[k]})) vec_push(&gone, candidates.at[k]);
        if (gone.len) hang_on(w, s, &r, &gone);
        vec_each (k, &gone) {
            Term h = {gone.at[k]};
            report_leak(w, s, h, owner_among(w, s, &gone, h), ins, at, loss_at(w, s, h, ins),
                        false);
        }
        vec_free(&gone);
        reach_free(&r);
    }
    vec_free(&candidates);
}

// Whether main's object is held by globals alone, each of which some function reads that never
// writes it: it was handed on that way, and the reader had the last chance to release it. What only
// its maker knows is kept for the rest of the run, and no note is made of it.
typedef struct {
    Work *w;
    const State *s;
    Term heap;
    bool handed_on, kept;
} GlobalHolder;

static bool global_holder(void *context, uint64_t key, uint64_t value)
{
    GlobalHolder *g = context;
    const Terms *t = &g->w->terms;
    Term base = term_address(t, cell_base(key)).base;
    TermKind kind = term_kind(t, base);
    if (kind == T_LOCAL || kind == T_HEAP || (kind > T_ADDR && kind != T_ITE)) return true;
    if (!(term_node(t, cell_term(value))->flags & TERM_HAS_HEAP)) return true;
    Reach r = {0};
    reach_term(g->w, g->s, cell_term(value), &r);
    if (reach_has(&r, g->heap)) {
        bool handed =
            kind == T_GLOBAL && facts_is_handed_on(g->w->facts, (GlobalId){term_node(t, base)->a});
        g->handed_on |= handed;
        g->kept |= !handed;
    }
    reach_free(&r);
    return true;
}

static bool is_handed_on(Work *w, const State *s, Term heap)
{
    GlobalHolder g = {w, s, heap, false, false};
    pmap_each(s->mem, global_holder, &g);
    return g.handed_on && !g.kept;
}

void lost_at_exit(Work *w, State *s, Term result, uint32_t ins)
{
    Reach r = {0}, held = {0};
    bool any = false, is_main = program_is_main(w->facts->program, w->id);
    for (uint32_t i = 0; i < w->infos.len && !any; i++) any = claimable(w, s, w->infos.at[i]->term);
    if (!any) return;
    // What main returns is a number, also where it was an address once.
    reach_exit(w, s, is_main ? (Term){0} : result, &r);
    uint32_t block = func_block_of(w->unit, w->func, ins);
    if (is_main) reach_now(w, s, block, ins, &held);
    // What only a lost object has is lost with it: that was reported.
    for (uint32_t i = 0; i < w->infos.len; i++)
        if (obj_get(s, w->infos.at[i]->term).status == OBJ_LEAKED)
            reach_term(w, s, w->infos.at[i]->term, &r);
    Pos at = end_position(w, s, block, ins);
    U32s gone = {0}, kept = {0};
    for (uint32_t i = 0; i < w->infos.len; i++) {
        Term h = w->infos.at[i]->term;
        if (!claimable(w, s, h)) continue;
        if (reach_has(&r, h)) bits_add(&w->disposed, obj_info(w, h)->ins);
        if (reach_has(&r, h)) held_note(w, s, h, ins, result);
        if (!reach_has(&r, h))
            vec_push(&gone, h.id);
        else if (is_main && is_handed_on(w, s, h))
            vec_push(&kept, h.id);
    }
    vec_each (i, &gone) {
        Term h = {gone.at[i]};
        report_leak(w, s, h, owner_among(w, s, &gone, h), ins, at,
                    is_main && reach_has(&held, h) ? LOSS_AT_END : LOSS_SCOPE, false);
    }
    // What runs after main may still release these.
    if (kept.len) state_doubt(w, s, DOUBT_AFTER_MAIN, ins);
    vec_each (i, &kept) {
        Term h = {kept.at[i]};
        report_leak(w, s, h, owner_among(w, s, &kept, h), ins, at, LOSS_SCOPE, true);
    }
    vec_free(&gone);
    vec_free(&kept);
    reach_free(&r);
    reach_free(&held);
}

void lost_settle(Work *w)
{
    held_settle(w);
    vec_each (i, &w->guessed)
        if (!bits_has(&w->disposed, w->guessed.at[i].ins))
            doubt_withdraw(&w->guessed.at[i].finding->doubts, DOUBT_MANY_TESTS);
    explain_settle(w);
}

void misuse(Work *w, State *s, Rule rule, Term base, uint32_t ins, const char *by)
{
    Pos at = pos_of_ins(w, ins), alloc = {0};
    TermKind kind = term_kind(&w->terms, base);
    const ObjInfo *info = kind == T_HEAP ? obj_info(w, base) : NULL;
    if (info) alloc = pos_of_ins(w, info->ins);
    explain_found(w, s, base, ins, LOSS_UNSAID);
    Doubts d = s->doubts;
    // Whether releases are switched off says nothing about one that is done.
    doubt_withdraw(&d, DOUBT_RELEASES_OFF);
    doubt_withdraw(&d, DOUBT_REFUSED);
    explain_doubts(w, s, base, &d);
    doubt_misuse(w, s, rule, base, ins, info, &d);
    uint64_t site;
    Worth worth = explain_worth(w, s, rule, base, ins, &d, &site);
    if (worth == WORTH_COUNTING) error_more(w, s, site);
    if (worth != WORTH_TELLING) return;
    Finding *f =
        finding_new(w->findings, rule, name_text(w->unit->names, w->func->source), alloc, at);
    finding_doubts(f, &d);
    finding_names(f, info ? source_name(w, info) : NULL, explain_misused(w, s, base));
    f->stages = STAGE_EVAL;
    f->error_exit = s->flags & STATE_ERROR;
    f->in_loop = s->loops != NULL;
    if (rule == RULE_INVALID_FREE && info && !info->lent) f->cwe = 761;
    error_own(w, s, f, site);
    const SpecFamily *family = info ? spec_family(w->facts->specs, info->family) : NULL;
    const char *partner = family && family->by.id ? name_text(spec_names(w->facts->specs), family->by) : NULL;
    if (rule == RULE_MISMATCHED_FREE && by) f->releaser = arena_strdup(w->findings->arena, by);
    if (rule == RULE_MISMATCHED_FREE && partner) f->partner = arena_strdup(w->findings->arena, partner);
    ObjState o = obj_get(s, base);
    if (o.status == OBJ_FREED) f->freed = pos_of_ins(w, o.ins);
    // What is named by a number is no memory; nor is what its family calls something else.
    const SpecFamily *gone = spec_family(w->facts->specs, info ? info->family : o.family);
    bool twice = rule == RULE_DOUBLE_FREE || rule == RULE_USE_AFTER_FREE;
    if (twice && gone && gone->resource && gone->noun.id && (info || o.status == OBJ_FREED))
        f->resource = arena_strdup(w->findings->arena, name_text(spec_names(w->facts->specs), gone->noun));
    f->grounds->lost_by = ins + 1;
    explain_path(w, s, f, base);
    explain_inputs(w, s, f);
    explain_misuse(w, s, f, base, ins);
}
