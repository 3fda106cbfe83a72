// How a finding is told: the variable that had the object, the events of the path, how far the path
// is to be trusted, and whether it is worth telling at all.
#include "explain/explain.h"

#include "base/hash.h"
#include "explain/limits.h"
#include "finding/grounds.h"
#include "logic/solve.h"

#include <string.h>

static void match_base(void *context, Term base)
{
    Term *pair = context;
    if (pair[0].id == base.id) pair[1].id = 1;
}

bool explain_mentions(Work *w, Term x, Term base)
{
    Term pair[2] = {base, {0}};
    if (x.id) term_each_base(&w->terms, x, match_base, pair);
    return pair[1].id != 0;
}

// The variable that held the object, newest first.
typedef struct {
    Work *w;
    Term heap;
    const char *name;
} Holder;

static bool holder_of(void *context, uint64_t key, uint64_t value)
{
    Holder *h = context;
    if (!explain_mentions(h->w, (Term){(uint32_t)value}, h->heap)) return true;
    const char *name = name_text(h->w->unit->names, h->w->unit->vars.at[h->w->func->first_var + key - 1].name);
    if (strncmp(name, "__", 2) == 0) return true; // a macro's own
    h->name = name;
    return false;
}

const char *explain_variable(Work *w, const State *s, Term heap)
{
    Holder h = {w, heap, NULL};
    pmap_each(s->vars, holder_of, &h);
    if (h.name && *h.name) return h.name;
    uint64_t *var = map_get(&w->name_of, heap.id);
    if (var && *var && *var <= w->func->var_count) {
        const char *text =
            name_text(w->unit->names, w->unit->vars.at[w->func->first_var + *var - 1].name);
        if (*text && strncmp(text, "__", 2) != 0) return text;
    }
    return NULL;
}

// Whether the story stores the pointer that the block is released by, not one into it.
static bool stores_start(Work *w, const Story *e, Term heap)
{
    Address at = e->kind == STORY_PUT && e->b.id ? term_address(&w->terms, e->b) : (Address){0};
    return at.base.id && term_same(at.base, heap) && !at.index.id && !at.offset;
}

static const char *last_place(Work *w, const State *s, Term heap)
{
    const Story *last = NULL;
    for (const Story *e = s->story; e; e = e->prev) {
        if (stores_start(w, e, heap)) return names_place(w, e->a);
        if (!last && e->kind == STORY_PUT && explain_mentions(w, e->b, heap)) last = e;
    }
    return last ? names_place(w, last->a) : NULL;
}

const char *explain_misused(Work *w, const State *s, Term base)
{
    const char *variable = explain_variable(w, s, base);
    TermKind kind = term_kind(&w->terms, base);
    if (variable) return variable;
    if (kind == T_HEAP) return last_place(w, s, base);
    if (kind == T_PARAM || kind == T_INPUT) return names_term(w, base);
    return kind == T_LOCAL || kind == T_GLOBAL ? names_variable(w, base) : NULL;
}

const char *explain_holder(Work *w, const State *s, Term heap, uint32_t ins, Loss loss)
{
    const char *variable = explain_variable(w, s, heap);
    if (loss == LOSS_UNUSED) return variable;
    // Of memory that is overwritten or goes with its owner it is the place there; the variable that had
    // it first may hold something else by now.
    uint8_t op = func_ins(w->unit, w->func, ins)->op;
    bool in_memory = loss == LOSS_OWNER || (loss == LOSS_OVERWRITE && op != OP_BIND && op != OP_PHI);
    const char *place = !variable || in_memory ? last_place(w, s, heap) : NULL;
    return place ? place : variable;
}

// The allocation's own test for failure says nothing about the leak.
bool explain_is_own_test(Work *w, Term cond, Term heap)
{
    TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return explain_is_own_test(w, (Term){n.a}, heap);
    return n.kind >= T_EQ && n.kind <= T_SLT &&
           (explain_mentions(w, (Term){n.a}, heap) || explain_mentions(w, (Term){n.b}, heap));
}

const char *source_name(const Work *w, const ObjInfo *info)
{
    const char *callee = names_callee(w, info->ins);
    return callee ? callee : info->allocator;
}

static bool same_line(Pos a, Pos b)
{
    return a.line == b.line && strcmp(a.path ? a.path : "", b.path ? b.path : "") == 0;
}

static void explain_release(Finding *f, const Story *e, Pos at)
{
    const char *done = f->resource ? "closed" : "freed";
    finding_event(f, EVENT_FREE, at, "%s%s%s", done, e->text ? " by " : "", e->text ? e->text : "");
    uint32_t depth = 0;
    for (const Origin *o = e->inside; o; o = o->inner) explain_step_inside(f, EVENT_FREE, o, ++depth, done, "");
}

static void explain_origin(Work *w, Finding *f, const ObjInfo *info)
{
    const char *what = info->resource ? spec_family_noun(w->facts->specs, info->family) : "memory";
    Pos here = pos_of_ins(w, info->ins);
    const char *done = info->resource ? "opened" : info->lent ? "lent" : "allocated";
    finding_event(f, EVENT_ALLOC, here, "%s %s by %s", what, done, source_name(w, info));
    const char *elsewhere = info->several ? ", here or elsewhere" : "";
    uint32_t depth = 0;
    for (const Origin *o = info->origin; o; o = o->inner) {
        if (same_line(o->pos, here)) continue;
        if (pos_of_library(o->pos)) return; // what a library does inside is its own business
        here = o->pos;
        bool last = !o->inner && (!pos_known(info->pos) || same_line(info->pos, here));
        explain_step_inside(f, EVENT_ALLOC, o, ++depth, done, last ? elsewhere : "");
    }
    if (pos_known(info->pos) && !same_line(info->pos, here) && !pos_of_library(info->pos))
        finding_event(f, EVENT_ALLOC, info->pos, "%s there by %s%s", done, info->allocator,
                      elsewhere)
            ->depth = ++depth;
    if (info->believed) finding_event(f, EVENT_NOTE, here, "%s", info->believed);
}

// Of several operands of && and || each has its own test, which says best where it stands.
Pos explain_place_of_test(const Work *w, uint32_t ins)
{
    const Ins *in = func_ins(w->unit, w->func, ins);
    Pos branch = pos_of_ins(w, ins);
    if (in->op != OP_BRANCH || !ref_is_ins((Ref){in->a})) return branch;
    Pos test = pos_of_ins(w, ref_index((Ref){in->a}));
    return pos_known(test) && test.line >= branch.line && test.line <= branch.line + TEST_LINES ? test
                                                                                               : branch;
}

static bool is_comparison(const Work *w, Term cond)
{
    TermKind kind = term_kind(&w->terms, cond);
    while (kind == T_NOT) {
        cond = (Term){term_node(&w->terms, cond)->a};
        kind = term_kind(&w->terms, cond);
    }
    return kind == T_EQ || kind == T_ULT || kind == T_SLT;
}

static bool has_when(const Origin *o)
{
    while (o && !o->when) o = o->inner;
    return o != NULL;
}

// Whether the steps inside of the call say what it decided by, so that its line need not.
static bool is_said_inside(const State *s, const ObjInfo *info, Term heap, uint32_t call)
{
    if (info && info->ins == call && has_when(info->origin)) return true;
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_FREE && e->ins == call && term_same(e->a, heap)) return has_when(e->inside);
    return false;
}

// The first statement of the case that a switch takes; unknown for the default and for all else.
static Pos place_of_case(const Work *w, const Story *e)
{
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    const TermNode *n = term_node(&w->terms, e->a);
    int64_t value;
    if (in->op != OP_SWITCH || !e->flag || n->kind != T_EQ || !term_is_int(&w->terms, (Term){n->b}, &value))
        return (Pos){0};
    for (uint32_t i = 0; i < in->c; i++) {
        const uint32_t *pair = func_extra(w->unit, w->func, in->b + 2 * i);
        const Const *c = ref_is_const((Ref){pair[0]}) ? &w->unit->consts.at[ref_index((Ref){pair[0]})] : NULL;
        if (!c || c->kind != CONST_INT || c->value != value) continue;
        const Block *b = func_block(w->unit, w->func, pair[1]);
        for (uint32_t k = b->first; k < b->first + b->count; k++)
            if (w->unit->locs.at[func_ins(w->unit, w->func, k)->loc].line) return pos_of_ins(w, k);
    }
    return (Pos){0};
}

// The default is one step, of however many cases it says that it is none.
static bool is_told_switch(const Work *w, const Story *e)
{
    const Story *before = e->prev;
    return before && before->kind == STORY_BRANCH && before->ins == e->ins && !before->flag && !e->flag &&
           func_ins(w->unit, w->func, e->ins)->op == OP_SWITCH;
}

// What a call met inside: "malloc() fails", and in which function.
static void tell_call(Work *w, Finding *f, const Story *e, Pos at)
{
    const char *callee = e->b.id != CALL_FAILS && !e->flag ? names_callee(w, e->ins) : NULL;
    finding_event(f, EVENT_NOTE, at, "%s%s%s", e->text, callee ? " in " : "", callee ? callee : "");
}

// A path on its way into words.
typedef struct {
    Work *w;
    const State *s;
    Finding *f;
    Term heap;
    const ObjInfo *info; // null: not an object of this function's
    bool born;
    bool left; // by a realloc that failed
    uint32_t round; // of the loop in which the block was made
    VEC(ToldChoice) told;
} Telling;

// The choice that was made at the call; 0: none, else its index and 1.
static uint32_t choice_at(const Telling *k, uint32_t call)
{
    for (uint32_t i = k->told.len; i-- > 0;)
        if (k->told.at[i].at->ins == call && !k->told.at[i].of) return i + 1;
    return 0;
}

bool explain_turn(Work *w, const Story *e, Turned *t)
{
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    if (in->op != OP_BRANCH || !ref_is_ins((Ref){in->a})) return false;
    const Ins *test = func_ins(w->unit, w->func, ref_index((Ref){in->a}));
    Ref left = {test->a}, right = {test->b};
    if ((test->op != OP_EQ && test->op != OP_NE && test->op != OP_SLT) || !ref_is_ins(left) || !ref_is_const(right))
        return false;
    const Const *c = &w->unit->consts.at[ref_index(right)];
    t->call = ref_index(left);
    const char *callee = names_callee(w, t->call);
    if (!callee || (c->kind != CONST_NULL && c->kind != CONST_INT)) return false;
    long long value = c->kind == CONST_INT ? (long long)c->value : 0;
    bool pointer = mtype_class(func_ins(w->unit, w->func, t->call)->type) == MT_PTR && !value;
    bool holds = e->flag == (test->op != OP_NE);
    const char *op = test->op == OP_SLT ? (holds ? "<" : ">=") : holds ? "==" : "!=";
    t->succeeds = names_is_modelled(w, t->call) &&
                  (pointer ? !holds : (test->op == OP_SLT && !holds && !value) || (test->op != OP_SLT && !holds && value == -1));
    bool zero = !pointer && !value && test->op != OP_SLT && names_succeeds_with_zero(w, t->call);
    t->succeeds |= explain_only_succeeds(w, t->call, (Op)test->op == OP_NE ? OP_EQ : (Op)test->op, value, holds);
    t->succeeds |= zero && holds;
    t->words = pointer && holds  ? arena_printf(w->arena, "%s() returns NULL", callee)
               : zero && !holds ? arena_printf(w->arena, "%s() fails", callee)
                                : NULL;
    const char *call = names_call(w, t->call);
    t->text = pointer ? arena_printf(w->arena, "%s%s", holds ? "!" : "", call)
                      : arena_printf(w->arena, "%s %s %lld", call, op, value);
    return true;
}

const char *explain_shape(Work *w, const Story *e)
{
    static const struct {
        Op op;
        const char *holds, *fails, *turned, *turned_fails; // turned: the number is on the left
    } words[] = {{OP_EQ, "==", "!=", "==", "!="}, {OP_NE, "!=", "==", "!=", "=="}, {OP_SLT, "<", ">=", ">", "<="},
                 {OP_ULT, "<", ">=", ">", "<="},  {OP_SLE, "<=", ">", ">=", "<"},  {OP_ULE, "<=", ">", ">=", "<"}};
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    if (in->op != OP_BRANCH || !ref_is_ins((Ref){in->a})) return NULL;
    const Ins *test = func_ins(w->unit, w->func, ref_index((Ref){in->a}));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (test->op != words[i].op) continue;
        bool left = ref_is_const((Ref){test->a});
        Ref number = {left ? test->a : test->b};
        if (!ref_is_const(number)) return NULL;
        const Const *c = &w->unit->consts.at[ref_index(number)];
        if (c->kind != CONST_NULL && c->kind != CONST_INT) return NULL;
        const char *op = left ? (e->flag ? words[i].turned : words[i].turned_fails) : e->flag ? words[i].holds : words[i].fails;
        return arena_printf(w->arena, "@ %s %lld", op, c->kind == CONST_INT ? (long long)c->value : 0ll);
    }
    return NULL;
}

const char *explain_shape_of(Work *w, const Story *e, bool truth)
{
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    bool branch = in->op == OP_BRANCH && ref_is_ins((Ref){in->a});
    // What a model says of the result is not what the program compares, but where the call is of an operator that does.
    const char *callee = branch ? names_callee(w, ref_index((Ref){in->a})) : NULL;
    if (callee && !strstr(callee, "operator==") && !strstr(callee, "operator!=")) return truth ? "@ != 0" : "@ == 0";
    return names_shape(w, e->a, truth);
}

// Whether the null that the call gives may be an answer and no failure: its code gives none for want of something.
static bool pointer_answer(const Work *w, uint32_t call)
{
    return mtype_class(func_ins(w->unit, w->func, call)->type) == MT_PTR && !names_is_modelled(w, call);
}

// A branch that what is known decided: on the result of a call, which the case of the callee says. The path asked
// nothing there, but the source does.
static void tell_turn(Telling *k, const Story *e)
{
    Work *w = k->w;
    Finding *f = k->f;
    Turned t;
    const char *shape = explain_turn(w, e, &t) ? NULL : explain_shape(w, e);
    if (shape) {
        ToldChoice told = {.at = e, .when = f->when.len, .event = f->events.len, .nameless = true, .count = 1};
        Pos at = explain_place_of_test(w, e->ins);
        finding_branch(f, at, shape, true);
        finding_when_expr(f, "%s", shape);
        finding_when_at(f, told.when, at, (Pos){0});
        vec_push(&k->told, told);
        return;
    }
    if (!explain_turn(w, e, &t) || t.call == k->info->ins ||
        !explain_decides(w, k->s, e->ins, f->grounds->lost_by - 1, k->heap))
        return;
    Pos at = explain_place_of_test(w, e->ins);
    ToldChoice told = {.at = e, .when = f->when.len, .event = f->events.len, .of = choice_at(k, t.call), .succeeds = t.succeeds};
    Event *event = finding_branch(f, at, t.text, true);
    if (t.words) event->text = arena_strdup(f->owner->arena, t.words);
    if (t.words)
        finding_when(f, "%s", t.words);
    else
        finding_when_expr(f, "%s", t.text);
    finding_when_at(f, told.when, at, (Pos){0});
    vec_last(&f->when).answer = t.words && pointer_answer(w, t.call);
    if (!t.words) finding_when_from(f, told.when, names_callee(w, t.call));
    told.count = 1;
    if (told.of) k->told.at[told.of - 1].by_turn = true;
    if (told.of && t.succeeds) k->told.at[told.of - 1].expected = true;
    vec_push(&k->told, told);
}

// Whether the branch lets the loop that made the block go round once more.
static bool runs_again(const Telling *k, const Story *e)
{
    const Work *w = k->w;
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    if (!k->born || !k->info || in->op != OP_BRANCH || k->info->ins >= w->func->ins_count) return false;
    uint32_t from = func_block_of(w->unit, w->func, e->ins), to = e->flag ? in->b : in->c, other = e->flag ? in->c : in->b;
    uint32_t loop = w->cfg->loop_of[from];
    if (!loop || !cfg_loop_has(w->cfg, loop, func_block_of(w->unit, w->func, k->info->ins))) return false;
    uint32_t header = w->cfg->loops[loop - 1].header;
    return (from == header || to == header) && cfg_loop_has(w->cfg, loop, to) && !cfg_loop_has(w->cfg, loop, other);
}

// A number that a call gave keeps the path from an early way out: 0 is an error code by custom, of a library's function
// the other side may be an error too.
static bool is_good_answer(Work *w, const Story *e)
{
    const TermNode *n = term_node(&w->terms, e->a);
    bool flag = e->flag, modelled = false;
    for (; n->kind == T_NOT; n = term_node(&w->terms, (Term){n->a})) flag = !flag;
    bool zero = flag && n->kind == T_EQ && term_is_zero(&w->terms, (Term){n->b});
    // What a library counts or reads may be as wide as a pointer.
    bool pointer = n->kind == T_EQ && term_node(&w->terms, (Term){n->a})->width == w->terms.pointer_bits;
    const char *answer = names_answer(w, e->a, &modelled);
    if (!answer || names_is_pure(w, e->a) || !explain_is_passed_guard(w, e)) return false;
    return modelled ? !names_failure(w, e->a, e->flag) : zero && !pointer;
}

// The choice at the call that gave the block which the condition tests for null, likewise.
static uint32_t choice_at_maker(const Telling *k, Term cond)
{
    const Terms *t = &k->w->terms;
    while (term_kind(t, cond) == T_NOT) cond = (Term){term_node(t, cond)->a};
    const TermNode *n = term_node(t, cond);
    if (n->kind != T_EQ || term_kind(t, (Term){n->a}) != T_HEAP) return 0;
    const ObjInfo *info = obj_info(k->w, (Term){n->a});
    return info ? choice_at(k, info->ins) : 0;
}

static bool at_same_call(const Work *w, const Story *a, const Story *b)
{
    return a->ins == b->ins && a->round == b->round && a->kind == b->kind &&
           !op_is_terminator((Op)func_ins(w->unit, w->func, a->ins)->op);
}

// What is said of a branch: as a part of the condition and as a step.
static void tell_branch(Telling *k, const Story *e)
{
    Work *w = k->w;
    Finding *f = k->f;
    ToldChoice told = {.at = e, .when = f->when.len, .event = UINT32_MAX, .early = !k->born};
    // What the call that brought it asked is a step inside of that.
    if (k->info && k->info->ins == e->ins && !names_failure(w, e->a, e->flag) && !explain_brings_others(w, k->info)) return;
    if (k->heap.id && explain_is_own_test(w, e->a, k->heap) && !names_gives_null(w, e->a, e->flag)) return;
    if (is_told_switch(w, e)) {
        told.follows = k->told.len != 0;
        vec_push(&k->told, told);
        return;
    }
    // What a callee asked of its arguments or of a global, a log level as a rule.
    told.aside = !explain_decides(w, k->s, e->ins, f->grounds->lost_by - 1, k->heap) ||
                 (e->ins != f->grounds->lost_by - 1 && explain_is_bystander(w, k->s, e->ins, k->heap));
    // A comparison is written the way it holds.
    bool turned = !e->flag && is_comparison(w, e->a);
    const char *text = names_comparison(w, e->a, !turned), *failure = names_failure(w, e->a, e->flag);
    Pos at = explain_place_of_test(w, e->ins), label = place_of_case(w, e);
    bool inside = is_said_inside(k->s, k->info, k->heap, e->ins);
    bool words = text || failure;
    told.nameless = !words;
    if (!words && op_is_terminator((Op)func_ins(w->unit, w->func, e->ins)->op)) text = explain_shape_of(w, e, !turned);
    // That there is nothing to be found is no failure, and before the block was there nobody's business.
    told.fails = failure && (k->born || strstr(failure, " fails"));
    told.again = runs_again(k, e);
    bool modelled = false;
    const char *answer = names_answer(w, e->a, &modelled);
    told.answer = answer && !names_is_pure(w, e->a);
    told.guard = is_good_answer(w, e);
    told.succeeds = !told.again && (!answer || modelled) && names_failure(w, e->a, !e->flag) != NULL;
    uint32_t made = told.succeeds ? choice_at_maker(k, e->a) : 0;
    if (made) k->told.at[made - 1].by_turn = k->told.at[made - 1].expected = true;
    if ((text || failure) && !inside && k->born) {
        told.event = f->events.len;
        Event *branch = text ? finding_branch(f, at, text, e->flag || turned)
                             : finding_event(f, EVENT_NOTE, at, "%s", failure);
        // Where the source does not say it better (check/quote.c).
        if (failure) branch->text = arena_strdup(f->owner->arena, failure);
        branch->label = label;
    }
    // That a count is reached says more than that the loop runs again.
    // Before the block was there a loop asks of what it goes through.
    bool passing = !k->born && !failure && w->cfg->loop_of[func_block_of(w->unit, w->func, e->ins)];
    if (passing) {
        vec_push(&k->told, told);
        return;
    }
    if (told.again && !(text && words && strpbrk(text, "<>=0123456789"))) {
        finding_when(f, "the loop runs again");
        if (told.event != UINT32_MAX) {
            Event *note = &f->events.at[told.event];
            note->kind = EVENT_NOTE;
            note->cond = NULL;
            note->text = arena_strdup(f->owner->arena, "the loop runs again");
        }
    } else {
        if (words)
            names_condition(w, e->a, e->flag, f);
        else if (text)
            finding_when_expr(f, "%s", explain_shape_of(w, e, e->flag));
        finding_when_at(f, told.when, at, label);
        // Of several things that one call asked each is a part of its own.
        for (uint32_t i = k->told.len; i-- > 0 && told.when < f->when.len && at_same_call(w, e, k->told.at[i].at);)
            for (uint32_t n = told.when; n < f->when.len; n++) f->when.at[n].part += k->told.at[i].count;
        if (answer && !failure) finding_when_from(f, told.when, answer);
    }
    for (uint32_t n = told.when; n < f->when.len; n++)
        f->when.at[n].decisive = !k->info || k->info->ins != e->ins ? inside : false;
    told.count = f->when.len - told.when;
    vec_push(&k->told, told);
}

// The callee may keep or release what it is given: by which branch it did not.
static void tell_left_alone(Telling *k, const Story *e, const Origin *o, ToldChoice *told)
{
    Work *w = k->w;
    Finding *f = k->f;
    const char *callee = names_callee(w, e->ins);
    uint32_t depth = 1;
    told->left = true;
    told->event = f->events.len;
    finding_event(f, EVENT_NOTE, pos_of_ins(w, e->ins), "%s() neither keeps nor frees it", callee);
    for (; !o->when && o->inner; o = o->inner, depth++) {
        finding_event(f, EVENT_CALL, o->pos, "passed on to %s there", o->callee)->depth = depth;
        callee = o->callee;
    }
    if (o->when) {
        explain_step_when(f, o)->depth = depth;
        explain_when_inside(w, f, o);
        vec_last(&f->when).within = arena_strdup(f->owner->arena, callee);
    }
    told->count = f->when.len - told->when;
    told->more = f->events.len - told->event - 1;
}

// What a callee asked of something that only it knew, where it did.
static void tell_asked(Telling *k, const Story *e, const Origin *o, ToldChoice *told)
{
    Finding *f = k->f;
    const char *callee = names_callee(k->w, e->ins);
    for (; !o->when && o->inner; o = o->inner) callee = o->callee;
    told->test = true;
    if (!o->when || !callee) return;
    told->event = f->events.len;
    explain_step_when(f, o);
    explain_when_inside(k->w, f, o);
    vec_last(&f->when).within = arena_strdup(f->owner->arena, callee);
    told->count = 1;
}

static void tell_case(Telling *k, const Story *e)
{
    Finding *f = k->f;
    ToldChoice told = {.at = e, .when = f->when.len, .event = UINT32_MAX, .early = !k->born};
    told.aside = explain_is_bystander(k->w, k->s, e->ins, k->heap);
    bool asks = k->born && rule_is_loss(f->rule) && names_callee(k->w, e->ins) && (!e->text || e->flag);
    const Origin *left = asks ? explain_left_alone(k->w, k->s, e, k->heap) : NULL;
    // The call that brought the block: how it did says which release is the right one.
    if (left) {
        told.aside = false;
        tell_left_alone(k, e, left, &told);
    } else if (k->info && k->info->ins == e->ins && !(k->born && e->round != k->round)) {
        const Origin *o = k->born && f->rule == RULE_MISMATCHED_FREE ? k->info->origin : NULL;
        while (o && !o->when) o = o->inner;
        if (o) {
            explain_when_inside(k->w, f, o);
            told.count = 1;
        }
    } else if (!e->text && k->born && e->b.id > CALL_SUCCEEDS && rule_is_loss(f->rule) &&
               explain_is_passed(k->w, k->s, e->ins, k->heap) && names_callee(k->w, e->ins)) {
        finding_when(f, "%s() neither keeps nor frees it", names_callee(k->w, e->ins));
        told.test = told.generic = true;
        told.count = 1;
        told.event = f->events.len;
        finding_event(f, EVENT_NOTE, pos_of_ins(k->w, e->ins), "%s() neither keeps nor frees it", names_callee(k->w, e->ins));
    } else if (e->text && e->flag && k->born && explain_asked(e)) {
        tell_asked(k, e, explain_asked(e), &told);
    } else if (e->text && (k->born || !e->flag)) {
        finding_when(f, "%s", e->text);
        told.fails = !e->flag;
        told.test = e->flag;
        told.count = 1;
        if (k->born) {
            told.event = f->events.len;
            tell_call(k->w, f, e, pos_of_ins(k->w, e->ins));
        }
    }
    vec_push(&k->told, told);
}

static void tell_throw(Telling *k, const Story *e)
{
    ToldChoice told = {.at = e, .when = k->f->when.len, .event = k->f->events.len, .early = !k->born};
    if (!k->born) return;
    names_throw(k->w, e->ins, e->text, k->f);
    told.count = k->f->when.len - told.when;
    vec_push(&k->told, told);
}

// The block is there. A loop makes it anew: what was told of an earlier one of that name is not about it.
static void tell_birth(Telling *k, const Story *e)
{
    k->born = true;
    k->round = e->round;
    k->f->events.len = 0;
    k->left = false;
    vec_each (i, &k->told) {
        ToldChoice *t = &k->told.at[i];
        // The caller's block is this function's from where realloc fails to take it.
        t->own = t->fails && t->count && t->at->ins == k->info->ins;
        t->early = !t->own;
        t->event = t->own ? k->f->events.len : UINT32_MAX;
        k->left |= t->own;
        if (t->own)
            finding_event(k->f, EVENT_ALLOC, pos_of_ins(k->w, t->at->ins), "%s, which leaves the old block as it was",
                          k->f->when.at[t->when].text);
    }
    if (!k->left) explain_origin(k->w, k->f, k->info);
    if (k->left) k->f->allocator = NULL; // what it came from, the caller knows
}

// The other blocks that the path has not released.
typedef struct {
    Work *w;
    const State *s;
    Finding *f;
    Term heap;
} Others;

static bool note_other(void *context, uint64_t key, uint64_t word)
{
    Others *k = context;
    Term base = {(uint32_t)key};
    (void)word;
    const ObjInfo *info = term_same(base, k->heap) ? NULL : obj_info(k->w, base);
    ObjStatus status = obj_get(k->s, base).status;
    if (!info || (status != OBJ_ALLOCATED && status != OBJ_LEAKED) || obj_failed(k->w, k->s, base)) return true;
    finding_there(k->f, pos_of_ins(k->w, info->ins), info->origin ? info->origin->pos : (Pos){0});
    return k->f->there.len < OTHERS_NOTED;
}

void explain_path(Work *w, const State *s, Finding *f, Term heap)
{
    Others others = {w, s, f, heap};
    if (rule_is_loss(f->rule)) pmap_each(s->objs, note_other, &others);
    VEC(const Story *) chain = {0};
    for (const Story *e = s->story; e; e = e->prev) vec_push(&chain, e);
    bool known = heap.id == 0 || term_kind(&w->terms, heap) != T_HEAP;
    Telling k = {w, s, f, heap, known ? NULL : obj_info(w, heap), known, false, 0, {0}};
    for (uint32_t i = chain.len; i-- > 0;) {
        const Story *e = chain.at[i];
        Pos at = pos_of_ins(w, e->ins);
        switch ((StoryKind)e->kind) {
        case STORY_NEW:
            if (term_same(e->a, heap)) tell_birth(&k, e);
            break;
        case STORY_PUT:
            if (k.born && heap.id && !k.left && explain_mentions(w, e->b, heap)) {
                // Into a variable of this function: the source shows it.
                bool local = term_kind(&w->terms, term_address(&w->terms, e->a).base) == T_LOCAL;
                const char *where = local ? NULL : names_place(w, e->a);
                if (where) finding_event(f, EVENT_STORE, at, "stored in '%s'", where);
            }
            break;
        case STORY_FREE:
            if (heap.id && term_same(e->a, heap)) explain_release(f, e, at);
            break;
        case STORY_BRANCH:
            tell_branch(&k, e);
            break;
        case STORY_CALL:
            tell_case(&k, e);
            break;
        case STORY_THROW:
            tell_throw(&k, e);
            break;
        case STORY_BELIEF:
            if (heap.id && term_same(e->a, heap)) finding_event(f, EVENT_NOTE, at, "%s", e->text);
            break;
        case STORY_TURN:
            if (k.born && k.info) tell_turn(&k, e);
            break;
        case STORY_ESCAPE:
        case STORY_UNPLACED:
        case STORY_LOST:
        case STORY_LOOP:
            break;
        }
    }
    uint32_t lost = f->grounds->lost_by - 1;
    vec_push(&w->retell, ((Retell){f, heap, arena_copy(w->arena, k.told.at, k.told.len * sizeof *k.told.at), k.told.len,
                                   lost, false, k.info && f->loss == LOSS_OVERWRITE && explain_comes_round(w, k.info->ins, lost)}));
    vec_free(&k.told);
    vec_free(&chain);
}

// The solver is asked once for the same facts.
static bool facts_possible(Work *w, PMap facts)
{
    uint64_t print = pmap_print(facts), *known = map_get(&w->answers, print);
    if (known) return *known;
    bool possible = solve_possible(w->solver, &w->conds, facts);
    map_set(&w->answers, print, possible);
    return possible;
}

// Whether the path that the story tells can be taken. Where paths were joined the state's facts are
// those of all of them; the story is one of them, and its own tests must not contradict what
// came after the join.
bool explain_facts(Work *w, const State *s, PMap *facts)
{
    *facts = s->facts;
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_BRANCH && !asks_joined(w, e->a) &&
            !cond_assume(&w->conds, facts, e->a, e->flag))
            return false;
    return true;
}

// Pointers of which the path settled which function they hold.
typedef struct {
    Work *w;
    uint32_t count;
    Term first; // they may be asked for more than once
} Choices;

static bool note_choice(void *context, uint64_t key, uint64_t fact)
{
    Choices *c = context;
    const Terms *terms = &c->w->terms;
    const TermNode *t = term_node(terms, (Term){(uint32_t)key});
    if (t->kind != T_EQ) return true;
    bool a = term_kind(terms, (Term){t->a}) == T_FUNC, b = term_kind(terms, (Term){t->b}) == T_FUNC;
    int64_t truth;
    if (a == b || !range_single(cond_fact(&c->w->conds, fact), 1, &truth) || !truth) return true;
    Term pointer = {a ? t->b : t->a};
    if (!c->count) c->first = pointer;
    if (!c->count || !term_same(c->first, pointer)) c->count++;
    return true;
}

uint32_t explain_choices(Work *w, const State *s)
{
    Choices c = {w, 0, {0}};
    pmap_each(s->facts, note_choice, &c);
    return c.count;
}

// Another field of the struct that held the chosen function.
static bool is_beside(void *context, Term x)
{
    const Choices *c = context;
    const TermNode *n = term_node(&c->w->terms, x), *p = term_node(&c->w->terms, c->first);
    return n->kind == T_INPUT && n->a == p->a && n->b == p->b && n->value != p->value;
}

static bool asks_beside(void *context, uint64_t key, uint64_t fact)
{
    const Choices *c = context;
    (void)fact;
    return !term_any(&c->w->terms, (Term){(uint32_t)key}, is_beside, context);
}

bool explain_asks_beside(Work *w, const State *s, Term field)
{
    Choices c = {w, 0, field};
    return !pmap_each(s->facts, asks_beside, &c);
}

// The functions of one table go together, and a number beside a function says what it returns:
// choices made one by one do not know that.
static bool chooses_apart(Work *w, const State *s)
{
    Choices c = {w, 0, {0}};
    pmap_each(s->facts, note_choice, &c);
    if (c.count != 1) return c.count > 1;
    return term_kind(&w->terms, c.first) == T_INPUT && explain_asks_beside(w, s, c.first);
}

void explain_doubt(Work *w, Doubts *d, DoubtId id, uint32_t ins, const char *argument)
{
    if (!without_doubt(&w->findings->without, id))
        doubt_add(w->arena, d, id, pos_of_ins(w, ins), argument);
}

DoubtId explain_object_doubt(ObjState o)
{
    return o.flags & OBJF_BELIEVED  ? DOUBT_BELIEVED
           : o.flags & OBJF_PUT_OFF ? DOUBT_RELEASE_PUT_OFF
           : o.flags & OBJF_STAYS   ? DOUBT_MUST_STAY
                                    : DOUBT_TAKEN;
}

// Where unknown code got hold of the object, or its release was put off.
static uint32_t belief_at(const State *s, Term object, uint32_t otherwise)
{
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_BELIEF && term_same(e->a, object)) return e->ins;
    return otherwise;
}

// The first test of a value that a join left open.
static uint32_t first_guess(const State *s)
{
    uint32_t ins = s->story ? s->story->ins : 0;
    for (const Story *e = s->story; e && e->guesses; e = e->prev) ins = e->ins;
    return ins;
}

// A block of no bytes: nothing is lost by it, and nobody thought of that case.
static bool is_zero(Work *w, const State *s, Term x, int depth)
{
    int64_t number;
    const TermNode n = *term_node(&w->terms, x);
    Range r = cond_range(&w->conds, s->facts, x);
    if (range_single(&r, n.width, &number)) return number == 0;
    if (!depth) return false;
    if (n.kind == T_MUL) return is_zero(w, s, (Term){n.a}, depth - 1) || is_zero(w, s, (Term){n.b}, depth - 1);
    if (n.kind != T_SEXT && n.kind != T_ZEXT) return false;
    Range narrow = cond_range(&w->conds, s->facts, (Term){n.a});
    return (n.kind == T_SEXT && r.smin >= 0 && narrow.smax <= 0) || is_zero(w, s, (Term){n.a}, depth - 1);
}

// Nothing times something is nothing, whatever that is.
static bool is_empty(Work *w, const State *s, Term object)
{
    enum { FACTORS = 6 };
    Term size = obj_info(w, object) ? obj_size(s, object) : (Term){0};
    return size.id && term_width(&w->terms, size) && is_zero(w, s, size, FACTORS);
}

// A library that is loaded and of which nothing is asked: its code has run, and was what it was
// loaded for. It has to stay.
static bool only_runs(const Work *w, const ObjInfo *info)
{
    const SpecFamily *f = spec_family(w->facts->specs, info->family);
    if (!f || !f->runs || info->ins >= w->func->ins_count) return false;
    const Ins *call = func_ins(w->unit, w->func, info->ins);
    FuncId callee = call->op == OP_CALL
                        ? program_callee(w->facts->program, w->unit_index, w->unit, (Ref){call->a})
                        : (FuncId){0};
    const SpecFunc *spec = callee.id ? facts_spec(w->facts, callee) : NULL;
    if (!spec || spec->result.gives != SPEC_OWN) return false;
    for (uint32_t i = 0; i < w->uses[info->ins].count; i++) {
        Op op = (Op)func_ins(w->unit, w->func, w->use_ins[w->uses[info->ins].first + i])->op;
        if (op != OP_BIND && op != OP_EQ && op != OP_NE) return false;
    }
    return true;
}

// How far the path is to be trusted. A join alone takes nothing away: where no later test asked for
// a joined value, each path that was joined would have come here. With such a
// test the path may be that of none of them.
void explain_doubts(Work *w, const State *s, Term object, Doubts *d)
{
    const ObjInfo *info = obj_info(w, object);
    ObjState o = obj_get(s, object);
    uint32_t here = s->story ? s->story->ins : 0;
    if (s->guesses) explain_doubt(w, d, DOUBT_MERGED_TEST, first_guess(s), NULL);
    if (info && info->believed) explain_doubt(w, d, info->doubt, info->ins, NULL);
    if (o.flags & (OBJF_DOUBTED | OBJF_TAKEN))
        explain_doubt(w, d, explain_object_doubt(o), belief_at(s, object, here), NULL);
    if (info && only_runs(w, info)) explain_doubt(w, d, DOUBT_MUST_STAY, info->ins, NULL);
    if (chooses_apart(w, s)) explain_doubt(w, d, DOUBT_CALLEES_CHOSEN, here, NULL);
    if (is_empty(w, s, object)) explain_doubt(w, d, DOUBT_EMPTY_BLOCK, info->ins, NULL);
}

// What the value that a call gave is a part of, by the spec of the call; or none.
static Ref part_of(const Work *w, uint32_t call)
{
    if (call >= w->func->ins_count) return ref_none();
    const Ins *in = func_ins(w->unit, w->func, call);
    if (in->op != OP_CALL) return ref_none();
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){in->a});
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    const SpecValue *v = spec ? &spec->result : NULL;
    if (!v || v->gives != SPEC_REF_OF || v->param < 0 || (uint32_t)v->param >= in->c)
        return ref_none();
    return (Ref){*func_extra(w->unit, w->func, in->b + (uint32_t)v->param)};
}

// Whether the value is what the call gave, or one of several of which it is one.
static bool is_given_by(const Work *w, Ref value, uint32_t call, int depth)
{
    if (!ref_is_ins(value)) return false;
    if (ref_index(value) == call) return true;
    const Ins *in = func_ins(w->unit, w->func, ref_index(value));
    for (uint32_t i = 0; in->op == OP_PHI && depth && i < in->c; i++)
        if (is_given_by(w, (Ref){func_extra(w->unit, w->func, in->b + 2 * i)[1]}, call, depth - 1))
            return true;
    return false;
}

// An object of which a part is used in a way that outlives this function has to stay.
static void has_to_stay(Work *w, State *s, uint32_t call, uint32_t ins, const char *why)
{
    enum { DEPTH = 2 };
    Ref r = part_of(w, call);
    if (!ref_is_ins(r)) return;
    vec_each (i, &w->infos) {
        Term object = w->infos.at[i]->term;
        ObjState o = obj_get(s, object);
        if (!is_given_by(w, r, w->infos.at[i]->ins, DEPTH) || o.status != OBJ_ALLOCATED ||
            (o.flags & OBJF_DOUBTED))
            continue;
        o.flags |= OBJF_STAYS;
        obj_set(w, s, object, o);
        story_add(w, s, STORY_BELIEF, ins, object, (Term){0}, false, why);
    }
}

// A call of a function that lies in an object: the code of a library, which may have left its
// addresses anywhere, so that it has to stay.
void explain_run(Work *w, State *s, Ref callee, uint32_t ins)
{
    if (ref_is_ins(callee))
        has_to_stay(w, s, ref_index(callee), ins,
                    "its own code is called here, and may have to stay");
}

// A part of an object is handed on: something in a library that others will use.
void explain_kept(Work *w, State *s, Term value, uint32_t ins)
{
    if (!value.id || !w->infos.len) return;
    const TermNode *n = term_node(&w->terms, value);
    if (n->kind != T_RESULT || n->b != made(MADE_VALUE, 0) || n->width != w->terms.pointer_bits ||
        cond_decide(&w->conds, s->facts, term_eq(&w->terms, value, term_null(&w->terms))) ==
            COND_TRUE)
        return;
    has_to_stay(w, s, n->a, ins, "a part of it is kept here, and it may have to stay");
}

Worth explain_worth(Work *w, const State *s, Rule rule, Term object, uint32_t ins, const Doubts *d,
                    uint64_t *site)
{
    Level level = doubt_truth(d);
    if (w->mute) return WORTH_NOTHING;
    const TermNode *n = term_node(&w->terms, object);
    uint64_t made_at = n->kind == T_HEAP ? n->a : object.id;
    const ObjInfo *info = n->kind == T_HEAP ? obj_info(w, object) : NULL;
    if (info && info->origin) made_at = hash_mix(made_at, info->origin->pos.line);
    bool fresh;
    *site = hash_mix(hash_mix(rule, made_at), hash_mix(ins, level * IMPACT_COUNT + doubt_impact(d)));
    uint64_t *told = map_at(&w->reported, *site, 0, &fresh);
    bool enough = *told >= (level == LEVEL_SURE ? PATHS_REPORTED : LIKELY_PATHS_REPORTED);
    if (enough) return WORTH_COUNTING;
    if (!choices_possible(w, s)) return WORTH_NOTHING;
    if (!facts_possible(w, s->facts)) return WORTH_NOTHING;
    ++*map_at(&w->reported, *site, 0, &fresh);
    return WORTH_TELLING;
}
