// Error cases: losses and misuses that need something of the caller (Pulse-X, OOPSLA'22, calls them
// latent).
//
// The finding is made where it happens. What its path needs of parameters, of memory that came from
// outside and of globals goes into the function's summary, and each call looks at it again with what
// it passes and what it has set:
//
//     refuted      the call contradicts it: no path of this function comes there
//     manifest     it holds, and nothing of it hangs on this function's own inputs
//     open         it hangs on those too: an error case of this function, in its own terms
//
// A call that is not looked at refutes nothing. Paths to one place beyond those that are told are
// joined with the last: fewer calls refute what holds on either, so that nothing is lost by it. What
// came of all calls in the end is for eval/callers.c. Here are those of callees, at a call; the function's
// own are in lost/errors.c.
#include "call/call_int.h"

#include "base/hash.h"
#include "logic/solve.h"
#include "lost/limits.h"

// Narrows the facts to those of paths on which the callee comes to its error; false: there are none.
static bool satisfied(Instance *k, const ErrorCase *e, PMap *facts, PMap *wanted)
{
    Work *w = k->w;
    for (uint32_t i = 0; i < e->guard_count; i++) {
        Term x = translate(k, e->guards[i].term);
        if (!cond_restrict(&w->conds, facts, x, &e->guards[i].range)) return false;
        if (!(term_node(&w->terms, x)->flags & TERM_LOCAL_ONLY))
            *wanted = pmap_set(w->arena, *wanted, x.id, 1);
    }
    return true;
}

// An error case of a callee at a call; what was found of it there so far, on other paths.
typedef struct {
    uint32_t ins;
    FuncId callee;
    uint32_t error;
    uint64_t *newest; // in error_calls, and 1; 0: none
    bool plain; // manifest
    ErrorFate fate;
} ErrorAtCall;

static ErrorAtCall known_at(Work *w, uint32_t ins, FuncId callee, uint32_t error)
{
    bool fresh;
    ErrorAtCall r = {.ins = ins, .callee = callee, .error = error};
    uint64_t key = hash_mix(hash_mix(ins, callee.id), error);
    r.newest = map_at(&w->error_call_of, key, 0, &fresh);
    for (uint32_t i = (uint32_t)*r.newest; i; i = w->error_call_before.at[i - 1]) {
        const ErrorCall *c = &w->error_calls.at[i - 1];
        if (c->fate > r.fate) r.fate = c->fate;
        r.plain |= c->fate == FATE_MANIFEST && !c->null;
    }
    return r;
}

// Whether the callee needs a null argument, and neither is the one that is passed known to be null nor
// does this function ever ask.
static bool still_needs_null(Instance *k, const ErrorCase *e)
{
    Work *w = k->w;
    Terms *t = &w->terms;
    for (uint32_t i = 0; e->null && i < e->guard_count; i++) {
        Term x;
        if (!guard_is_null(&k->sum->terms, &e->guards[i], &x)) continue;
        Term arg = translate(k, x);
        const TermNode *n = term_node(t, arg);
        if (n->kind == T_PARAM && error_asks_for_null(w, n->a)) continue;
        if (cond_decide(&w->conds, k->before->facts, term_eq(t, arg, term_null(t))) != COND_TRUE)
            return true;
    }
    return false;
}

// Whether it was handed on as this error case already.
static bool known_as(const Work *w, const ErrorAtCall *k, uint32_t own)
{
    for (uint32_t i = (uint32_t)*k->newest; i; i = w->error_call_before.at[i - 1])
        if (w->error_calls.at[i - 1].fate == FATE_OPEN && w->error_calls.at[i - 1].own == own)
            return true;
    return false;
}

static ErrorCall *error_call(Work *w, const ErrorAtCall *k, ErrorFate fate)
{
    vec_push(&w->error_calls,
             ((ErrorCall){.ins = k->ins, .callee = k->callee, .error = k->error, .fate = fate}));
    vec_push(&w->error_call_before, (uint32_t)*k->newest);
    *k->newest = w->error_calls.len;
    return &vec_last(&w->error_calls);
}

// Joins it with an error case of the same finding, where that says the same or there are enough of
// them. Returns its number, and 1; 0: it was not joined.
static uint32_t joined_with_known(Work *w, const ErrorCase *e, PMap facts, bool null)
{
    uint32_t ways = 0, last = 0;
    for (uint32_t i = 0; i < w->open.len; i++) {
        OpenError *o = &w->open.at[i];
        if (o->func.id != e->func.id || o->number != e->number) continue;
        PMap both = cond_hull(&w->conds, o->facts, facts);
        ways++;
        last = i + 1;
        if (!pmap_same(both, o->facts)) continue;
        o->null &= null;
        o->more |= e->more;
        return last;
    }
    if (ways < ERROR_WAYS) return 0;
    OpenError *o = &w->open.at[last - 1];
    o->facts = cond_hull(&w->conds, o->facts, facts);
    o->null &= null;
    o->more |= e->more;
    return last;
}

static void hand_on(Instance *k, const ErrorAtCall *known, PMap facts, PMap wanted)
{
    Work *w = k->w;
    const ErrorCase *e = &k->sum->errors[known->error];
    bool open = error_needs_caller(w, facts, k->before->touched);
    bool null = still_needs_null(k, e);
    if (!open && known->fate == FATE_MANIFEST && null) return;
    uint32_t joined = open ? joined_with_known(w, e, facts, null) : 0;
    if (joined) {
        if (known_as(w, known, joined - 1)) return;
        ErrorCall *c = error_call(w, known, FATE_OPEN);
        c->own = joined - 1;
        c->no_model = true; // its inputs are those of another path
        return;
    }
    if (open && (e->depth >= ERROR_DEPTH || w->open.len >= MAX_ERRORS)) {
        if (known->fate < FATE_UNFOLLOWED) error_call(w, known, FATE_UNFOLLOWED);
        return;
    }
    ErrorCall call = {0};
    if (!explain_replay(w, k->before, facts, &call)) {
        if (!*known->newest) error_call(w, known, FATE_REFUTED);
        return;
    }
    ErrorCall *c = error_call(w, known, open ? FATE_OPEN : FATE_MANIFEST);
    c->null = null;
    c->inputs = call.inputs, c->input_count = call.input_count;
    c->choices = call.choices, c->choice_count = call.choice_count;
    c->no_model = call.no_model;
    c->own = w->open.len;
    if (open)
        vec_push(&w->open, ((OpenError){.func = e->func,
                                        .number = e->number,
                                        .depth = e->depth + 1,
                                        .facts = facts,
                                        .touched = k->before->touched,
                                        .wanted = wanted,
                                        .more = e->more,
                                        .null = null}));
}

void errors_at_call(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                    const Summary *sum)
{
    if (w->mute || !sum->error_count) return;
    State s = *before;
    Instance k = {.w = w, .before = before, .s = &s, .sum = sum, .args = args, .ins = ins};
    k.memo = fresh_memo(w, sum);
    for (uint32_t i = 0; i < sum->error_count; i++) {
        ErrorAtCall known = known_at(w, ins, sum->func, i);
        if (known.plain) continue;
        if (w->error_steps > ERROR_STEPS + (uint64_t)ERROR_STEPS_PER_INS * w->func->ins_count) {
            if (known.fate < FATE_UNFOLLOWED) error_call(w, &known, FATE_UNFOLLOWED);
            continue;
        }
        w->error_steps += 1 + sum->errors[i].guard_count;
        PMap facts = before->facts, wanted = NULL;
        if (satisfied(&k, &sum->errors[i], &facts, &wanted))
            hand_on(&k, &known, facts, wanted);
        else if (!*known.newest)
            error_call(w, &known, FATE_REFUTED);
    }
}
