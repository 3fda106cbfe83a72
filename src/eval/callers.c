// What callers say of a finding whose path needs something of them.
//
// Requires: all functions are summarised. Each error case was looked at wherever the function is
// called (call/errors.c), and what is still open there is an error case of the caller. Here the calls
// are followed upwards, to a caller that makes it happen whatever it is passed itself, or to a root:
// main, a function that code which we do not see can call, one that nobody calls. Gives: a finding that
// all callers refute is for the audit; of one that happens the chain of calls is told. Errs towards
// "some caller does it": what was not looked at refutes nothing.
#include "eval/run.h"
#include "finding/grounds.h"
#include "impact/impact.h"

#include <stdlib.h>

typedef enum {
    SETTLED_REFUTED,
    SETTLED_UNFOLLOWED, // somewhere on the way up it was not followed any further
    SETTLED_NULL,       // it needs a null argument that no call is seen to pass
    SETTLED_OPEN,       // open at a root
    SETTLED_MANIFEST,
} SettledAs;

// An error case of a function, settled; by what call the best answer came.
typedef struct {
    SettledAs as;
    FuncId by; // 0: the function itself is the root
    const ErrorCall *call;
} Settled;

struct Callers {
    Eval *eval;
    const Shared *shared;
    Frequency *frequency;
    bool has_main;
    Map index; // function and error case -> in `all`
    VEC(Settled) all;
    Arena *arena;
    uint64_t **calls; // by FuncId: its error calls by instruction, each with its place; null until they are asked for
};

Callers *callers_new(Eval *e, Frequency *o)
{
    Callers *c = mem_alloc(sizeof *c);
    const Shared *s = e->shared;
    c->eval = e;
    c->shared = s;
    c->frequency = o;
    c->arena = arena_new("callers");
    c->calls = arena_array_of(c->arena, uint64_t *, s->program->funcs.len);
    for (uint32_t i = 1; i < s->program->funcs.len && !c->has_main; i++)
        c->has_main = program_is_main(s->program, (FuncId){i});
    return c;
}

void callers_free(Callers *c)
{
    map_free(&c->index);
    vec_free(&c->all);
    arena_free(c->arena);
    mem_free(c);
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

// The error calls of a function from this instruction on, as pairs of instruction and place; those of one instruction
// in the order in which they stand.
static const uint64_t *calls_from(Callers *c, const Summary *sum, uint32_t ins, uint32_t *count)
{
    uint64_t **calls = &c->calls[sum->func.id];
    uint32_t n = sum->error_call_count, low = 0, high = n;
    if (!*calls) {
        *calls = arena_array_of(c->arena, uint64_t, n + 1);
        for (uint32_t i = 0; i < n; i++) (*calls)[i] = map_pair(sum->error_calls[i].ins, i);
        qsort(*calls, n, sizeof **calls, by_number);
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((*calls)[middle] < map_pair(ins, 0))
            low = middle + 1;
        else
            high = middle;
    }
    *count = n - low;
    return *calls + low;
}

static uint32_t settle(Callers *c, FuncId f, uint32_t error);

// What one call says.
static void ask_call(Callers *c, FuncId f, uint32_t error, CallOf call, Settled *best)
{
    const Shared *s = c->shared;
    const Summary *sum = s->summaries[call.by.id];
    Settled here = {SETTLED_REFUTED, call.by, NULL};
    bool seen = false;
    uint32_t count = 0;
    const uint64_t *calls = sum && sum->known ? calls_from(c, sum, call.ins, &count) : NULL;
    for (uint32_t i = 0; i < count && calls[i] >> 32 == call.ins; i++) {
        const ErrorCall *k = &sum->error_calls[(uint32_t)calls[i]];
        if (k->callee.id != f.id || k->error != error) continue;
        SettledAs as = SETTLED_REFUTED;
        seen = true;
        if (k->fate == FATE_UNFOLLOWED) as = SETTLED_UNFOLLOWED;
        if (k->fate == FATE_OPEN) {
            uint32_t up = settle(c, call.by, k->own); // `all` may grow by it
            as = c->all.at[up].as;
        }
        if (k->fate == FATE_MANIFEST) as = k->null ? SETTLED_NULL : SETTLED_MANIFEST;
        if (as > here.as) here.as = as, here.call = k;
    }
    // That no path comes to the call may be our fault: a loop that is not followed to its end.
    if (here.as == SETTLED_REFUTED && (!seen || sum->incomplete)) here.as = SETTLED_UNFOLLOWED;
    if (here.as > best->as) *best = here;
}

// The error case of the function, in c->all. A cycle of calls brings nothing that its entry does not.
static uint32_t settle(Callers *c, FuncId f, uint32_t error)
{
    const Shared *s = c->shared;
    bool fresh;
    uint32_t at = (uint32_t)*map_at(&c->index, (uint64_t)f.id << 32 | error, c->all.len, &fresh);
    if (!fresh) return at;
    vec_push(&c->all, (Settled){0});
    CallsOf calls = {0};
    bool inner = s->program->funcs.at[f.id].flags & (PROG_INTERNAL | PROG_HIDDEN);
    bool all = callers_of(c->frequency, f, &calls) && calls.len &&
               !program_is_main(s->program, f) && (inner || c->has_main);
    Settled best = {0};
    vec_each (i, &calls) ask_call(c, f, error, calls.at[i], &best);
    if (!all) {
        const Summary *sum = s->summaries[f.id];
        // What an earlier run left may name one that is not there.
        const ErrorMark *e = sum && error < sum->error_count ? &sum->error_marks[error] : NULL;
        bool null = e && (e->null || (calls.len && best.as == SETTLED_REFUTED && e->of_null));
        SettledAs root = !e ? SETTLED_UNFOLLOWED : null ? SETTLED_NULL : SETTLED_OPEN;
        if (best.as < root) best = (Settled){root, {0}, NULL};
    }
    vec_free(&calls);
    c->all.at[at] = best;
    return at;
}

// The calls that lead to it, from the outermost on.
static void tell_chain(const Callers *c, FuncId f, uint32_t at, Finding *x, bool shown)
{
    const Program *p = c->shared->program;
    for (uint32_t depth = 0; c->all.at[at].by.id && depth < CHAIN_MAX; depth++) {
        const Settled *k = &c->all.at[at];
        const Unit *u;
        const Func *by = program_body(p, k->by, &u);
        const Loc *l = &u->locs.at[func_ins(u, by, k->call->ins)->loc];
        CallStep step = {.func = k->by.id,
                         .ins = k->call->ins,
                         .function = name_text(u->names, by->source),
                         .callee = name_text(p->names, p->funcs.at[f.id].source),
                         .inputs = k->call->inputs,
                         .input_count = k->call->input_count,
                         .choices = k->call->choices,
                         .choice_count = k->call->choice_count,
                         .no_model = k->call->no_model};
        if (l->file && l->line)
            step.pos = (Pos){name_text(u->names, u->files.at[l->file].path), l->line,
                             l->col ? l->col : 1};
        finding_called(x, &step, shown);
        if (k->call->fate != FATE_OPEN) return;
        f = k->by;
        const uint64_t *next = map_get(&c->index, (uint64_t)f.id << 32 | k->call->own);
        if (!next) return;
        at = (uint32_t)*next;
    }
}

// Whether the error case needs nothing special of callers. Its guards are in the summary, which has to be unpacked for
// that.
static bool is_ordinary(Callers *c, FuncId f, uint32_t error)
{
    const Summary *sum = eval_summary(c->eval, f);
    return sum && error < sum->error_count && needs_are_ordinary(&c->shared->facts, sum, &sum->errors[error]);
}

void callers_settle(Callers *c, FuncId f, Findings *found)
{
    const Summary *sum = c->shared->summaries[f.id];
    if (!sum || !sum->error_count || !found->all.len) return;
    for (uint32_t i = 0; i < sum->error_count; i++) {
        const ErrorMark *e = &sum->error_marks[i];
        if (!e->here || e->number >= found->all.len) continue;
        Finding *x = found->all.at[e->number];
        uint32_t at = settle(c, f, i);
        SettledAs as = c->all.at[at].as;
        if (as == SETTLED_REFUTED) finding_doubt(x, DOUBT_NOT_PASSED, x->lost, NULL);
        if (as == SETTLED_UNFOLLOWED && !is_ordinary(c, f, i)) finding_doubt(x, DOUBT_CALLERS_UNASKED, x->lost, NULL);
        if (as == SETTLED_NULL || (as == SETTLED_UNFOLLOWED && e->null))
            finding_doubt(x, DOUBT_NULL_ARGUMENT, x->lost, NULL);
        if (as == SETTLED_MANIFEST) doubt_withdraw(&x->doubts, DOUBT_UNASKED_NULL);
        if (as >= SETTLED_NULL) tell_chain(c, f, at, x, as == SETTLED_MANIFEST);
    }
}
