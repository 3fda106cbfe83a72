// The run: functions bottom-up over the components of the call graph.
#include "eval/run.h"

#include "finding/grounds.h"
#include "impact/impact.h"
#include "logic/solve.h"
#include "lost/lost.h"

#include <stdlib.h>
#include <string.h>

static uint32_t rank_of(const Eval *e, FuncId f)
{
    return e->shared->rank[e->shared->program->funcs.at[f.id].scc.id];
}

// What the functions of one component say of each other is no part of what it depends on, but of what
// one of them does.
static void note_asked(Eval *e, FuncId f)
{
    if (e->callees.trace && (e->alone || rank_of(e, f) != e->rank)) map_set(&e->callees.trace->funcs, f.id, 1);
}

static bool has_started(Callees *c, FuncId f)
{
    Eval *e = (Eval *)c;
    note_asked(e, f);
    return rank_of(e, f) <= e->rank;
}

static void wait_for(Callees *c, FuncId f)
{
    Eval *e = (Eval *)c;
    uint32_t rank = rank_of(e, f);
    if (rank < e->rank && !atomic_load_explicit(&e->shared->done[rank], memory_order_acquire))
        run_wait(e, rank);
    if (rank < e->rank && e->shared->left_alone[rank]) run_take_up(e, rank);
}

static const Summary *summary_of(Callees *c, FuncId f)
{
    Eval *e = (Eval *)c;
    note_asked(e, f);
    if (rank_of(e, f) > e->rank) return NULL;
    wait_for(c, f);
    return eval_summary(e, f);
}

static void evaluate_component(Eval *e, uint32_t scc);

// The lock may be had again by whoever holds it: to evaluate a component others are opened. Those
// come before it, so nobody waits for himself.
const Summary *eval_summary(Eval *e, FuncId f)
{
    Shared *s = e->shared;
    if (!s->recall || !recall_is_closed(s->recall, f)) return s->summaries[f.id];
    if (e->again && rank_of(e, f) == e->rank) return s->summaries[f.id];
    pthread_mutex_lock(&s->opening);
    if (recall_is_closed(s->recall, f) && !recall_open(s->recall, e->arena, f)) {
        // It was there when the run began. Findings and hashes are what they would be.
        ProgRange r = s->program->sccs.at[s->program->funcs.at[f.id].scc.id];
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId other = s->program->order.at[r.first + i];
            if (!recall_is_closed(s->recall, other)) recall_replaced(s->recall, (Summary *)s->summaries[other.id]);
            s->summaries[other.id] = NULL;
        }
        Eval view = eval_view(s, e->arena, rank_of(e, f));
        view.again = true;
        evaluate_component(&view, s->program->funcs.at[f.id].scc.id);
        recall_opened(s->recall, f);
    }
    pthread_mutex_unlock(&s->opening);
    return s->summaries[f.id];
}

Eval eval_view(Shared *s, Arena *arena, uint32_t rank)
{
    return (Eval){
        .callees = {.facts = &s->facts, .summary = summary_of, .has_started = has_started,
                    .wait = wait_for},
        .shared = s,
        .rank = rank,
        .arena = arena};
}

Callees *eval_callees(Eval *e)
{
    return &e->callees;
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
    const FlowHints *hints = w->facts->hints;
    const Bits *idle = hints ? &hints->idle[w->id.id] : NULL;
    o->idle = idle && idle->words ? bits_size(idle) : 0;
    o->steps += w->steps;
    o->forks += w->forks;
    o->passed_over += w->passed_over;
    for (uint32_t i = 0; i < ASSUME_COUNT; i++) o->assumed[i] += w->assumed[i];
}

// Whether the code has a way out at all.
static bool has_return(const Work *w)
{
    for (uint32_t b = 0; b < w->func->block_count; b++) {
        const Block *k = func_block(w->unit, w->func, b);
        if (func_ins(w->unit, w->func, k->first + k->count - 1)->op == OP_RET &&
            w->cfg->position[b] != UINT32_MAX)
            return true;
    }
    return false;
}

static void evaluate(Eval *e, FuncId f, bool last, bool recursive, bool silent)
{
    Shared *s = e->shared;
    Work w;
    Findings *into = findings_new();
    into->without = s->options.without;
    // A solver of its own: what Z3 answers within its step limit may depend on the questions before, which must
    // not be those of whatever was evaluated last.
    Solver *solver = solver_new();
    WorkOptions options = {.solver = solver,
                           .step_budget = s->options.step_budget,
                           .mute = !last,
                           .recursive = recursive,
                           .silent = silent};
    work_init(&w, &e->callees, &options, f, into);
    State entry = {0};
    walk(&w, &entry);
    lost_settle(&w);
    Summary *sum = summarize(&w, e->arena);
    // Every path ended on the way: what would be found behind is not, here and in callers.
    bool stuck = last && sum->known && !w.exits.len && facts_may_return(w.facts, f) &&
                 has_return(&w);
    if (stuck) {
        sum->known = false;
        sum->stuck = true;
    }
    summary_free((Summary *)s->summaries[f.id]);
    s->summaries[f.id] = sum;
    if (w.gave_up) {
        char *why = w.filled ? mem_printf("its paths do not fit into the memory of one function")
                             : mem_printf("%llu steps were not enough",
                                          (unsigned long long)steps_allowed(&w));
        findings_given_up(into, name_text(w.unit->names, w.func->source),
                          pos_of(&w, w.func->loc.id), why);
        mem_free(why);
    }
    if (stuck)
        findings_given_up(into, name_text(w.unit->names, w.func->source),
                          pos_of(&w, w.func->loc.id), "no path reaches a return");
    note_work(&s->work[f.id], &w);
    work_free(&w);
    solver_free(solver);
    findings_free(e->again ? into : s->found[f.id]);
    if (!e->again) s->found[f.id] = into;
}

// As an earlier run has left it where the function is told the same; of a recursion alone, since others are
// recalled as a whole.
static void evaluate_round(Eval *e, FuncId f, bool last, bool silent)
{
    Recall *recall = e->shared->recall;
    Trace *all = e->callees.trace;
    if (!recall || e->again || !all) {
        evaluate(e, f, last, true, silent);
        return;
    }
    uint32_t round = (last ? ROUND_LAST : 0) | (silent ? ROUND_SILENT : 0);
    e->alone = true;
    if (!recall_round(recall, &e->callees, e->arena, f, round)) {
        Trace trace = {0};
        e->callees.trace = &trace;
        evaluate(e, f, last, true, silent);
        recall_note_round(recall, &e->callees, f, round, all);
        trace_free(&trace);
    }
    e->alone = false;
}

Bits eval_given_up(const Eval *e, Arena *a)
{
    const Shared *s = e->shared;
    Bits b = bits_new(a, s->program->funcs.len);
    for (uint32_t f = 1; f < s->program->funcs.len; f++)
        if (s->summaries[f] && !s->summaries[f]->known) bits_add(&b, f);
    return b;
}

static bool calls_itself(const Program *p, FuncId f)
{
    ProgRange r = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++)
        if (p->calls.at[r.first + i].callee.id == f.id) return true;
    return false;
}

static bool calls_any(const Program *p, FuncId f, const Bits *of)
{
    ProgRange r = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++)
        if (bits_has(of, p->calls.at[r.first + i].callee.id)) return true;
    return false;
}

// Whether no way out of the function was found so far, though there may be one.
static bool is_stuck(Eval *e, FuncId f)
{
    const Summary *sum = e->shared->summaries[f.id];
    const Recall *recall = e->shared->recall;
    return sum && sum->known && !(recall ? recall_has_way(recall, f, sum) : sum->case_count != 0) &&
           facts_may_return(e->callees.facts, f);
}

// The functions of a component, callees before callers as far as that goes: a round takes what a function does
// through the whole cycle, but for the calls that lead back to one which is still open. By depth first search from the
// first one; where others come into the cycle does not matter, so that a recalled component is what it would be.
static FuncId *callees_first(Eval *e, ProgRange r)
{
    const Program *p = e->shared->program;
    FuncId *order = arena_array_of(e->arena, FuncId, r.count);
    Bits seen = bits_new(e->arena, p->funcs.len);
    VEC(FuncId) open = {0};
    U32s next = {0}; // of each open one: the call to look at
    uint32_t done = 0;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId root = p->order.at[r.first + i];
        if (!bits_add(&seen, root.id)) continue;
        vec_push(&open, root);
        vec_push(&next, 0);
        while (open.len) {
            FuncId f = vec_last(&open);
            ProgRange calls = p->funcs.at[f.id].calls;
            if (vec_last(&next) == calls.count) {
                order[done++] = f;
                open.len--, next.len--;
                continue;
            }
            FuncId callee = p->calls.at[calls.first + vec_last(&next)++].callee;
            if (!callee.id || p->funcs.at[callee.id].scc.id != p->funcs.at[root.id].scc.id ||
                !bits_add(&seen, callee.id))
                continue;
            vec_push(&open, callee);
            vec_push(&next, 0);
        }
    }
    vec_free(&open);
    vec_free(&next);
    return order;
}

// In a cycle of calls a round takes the way out past one call that leads back. Those that have none yet are evaluated again as long as
// that helps; of large cycles, where that would cost too much, only those that call one which has just got one, and each a few
// times. Errs towards code behind such calls that is not looked at.
static void find_ways_out(Eval *e, const FuncId *order, uint32_t count, bool silent)
{
    const Program *p = e->shared->program;
    bool small = count <= SMALL_CYCLE;
    uint8_t *tries = mem_alloc(count);
    Bits fresh = bits_new(e->arena, p->funcs.len);
    for (uint32_t i = 0; i < count; i++)
        if (!is_stuck(e, order[i])) bits_add(&fresh, order[i].id);
    for (bool found = true; found;) {
        found = false;
        for (uint32_t i = 0; i < count; i++) {
            FuncId f = order[i];
            if (!is_stuck(e, f) || (!small && (tries[i] >= WAYS_TRIED || !calls_any(p, f, &fresh))))
                continue;
            tries[i]++;
            if (count > 1)
                evaluate_round(e, f, false, silent);
            else
                evaluate(e, f, false, true, silent);
            if (is_stuck(e, f)) continue;
            bits_add(&fresh, f.id);
            found = true;
        }
    }
    mem_free(tries);
}

static void evaluate_component(Eval *e, uint32_t scc)
{
    const Program *p = e->shared->program;
    ProgRange r = p->sccs.at[scc];
    bool recursive = r.count > 1 || calls_itself(p, p->order.at[r.first]);
    bool silent = !e->shared->options.in_full &&
                  facts_matters(e->callees.facts, p->order.at[r.first]) &&
                  silent_component(&e->callees, scc);
    uint32_t rounds = recursive ? RECURSION_ROUNDS : 1;
    bool ordered = r.count > 1 && r.count <= ORDERED_CYCLE;
    const FuncId *order = ordered ? callees_first(e, r) : &p->order.at[r.first];
    for (uint32_t round = 1; round <= rounds; round++) {
        if (round > 1) find_ways_out(e, order, r.count, silent);
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId f = order[i];
            // What was given up once would be given up again.
            const Summary *before = e->shared->summaries[f.id];
            if (!facts_matters(e->callees.facts, f)) continue;
            if (!program_has_code(p, f) || (before && !before->known)) continue;
            if (r.count > 1)
                evaluate_round(e, f, round == rounds, silent);
            else
                evaluate(e, f, round == rounds, recursive, silent);
        }
    }
}

bool eval_component(Eval *e, uint32_t scc, bool patient)
{
    Recall *recall = e->shared->recall;
    RecallAnswer known =
        recall ? recall_component(recall, &e->callees, e->arena, scc, patient) : RECALL_ABSENT;
    if (known != RECALL_ABSENT) return known == RECALL_TAKEN;
    Trace trace = {0};
    if (recall) e->callees.trace = &trace;
    evaluate_component(e, scc);
    if (recall) recall_note(recall, &e->callees, scc);
    trace_free(&trace);
    return true;
}

Eval *eval_new(const Program *p, const EvalOptions *o)
{
    Eval *e = mem_alloc(sizeof *e);
    Shared *s = mem_alloc(sizeof *s);
    s->program = p;
    s->options = *o;
    s->arena = arena_new("evaluation");
    s->facts = (Facts){.program = p,
                       .specs = o->specs,
                       .points = o->points,
                       .hints = o->hints,
                       .beliefs = o->beliefs};
    facts_find(&s->facts, s->arena);
    *e = eval_view(s, s->arena, UINT32_MAX);
    s->summaries = arena_array_of(s->arena, const Summary *, p->funcs.len);
    s->found = arena_array_of(s->arena, Findings *, p->funcs.len);
    s->work = arena_array_of(s->arena, EvalWork, p->funcs.len);
    run_order(s);
    if (o->store)
        s->recall =
            recall_new(&s->facts, (Results){s->summaries, s->found, o->without}, o->store);
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&s->opening, &again);
    pthread_mutexattr_destroy(&again);
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
    if (s->frequency) frequency_free(s->frequency);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->opening);
    pthread_cond_destroy(&s->changed);
    vec_each (i, &s->arenas) arena_free(s->arenas.at[i]);
    vec_free(&s->arenas);
    facts_free(&s->facts);
    arena_free(s->arena);
    mem_free(s);
    mem_free(e);
}

// Of what an earlier program has told: what is sure here. An archive alone does not run.
static void say_again(Findings *into, const Findings *found)
{
    vec_each (i, &found->all) {
        const Finding *x = found->all.at[i];
        if (finding_level(x) == LEVEL_SURE) finding_copy(into, x)->again = true;
    }
}

// Replays of the function's findings; where an earlier run made the same, what came of them.
static void replay_findings(Shared *s, FuncId f)
{
    Findings *found = s->found[f.id];
    WitnessKept kept = {0};
    bool any = false;
    vec_each (i, &found->all) any |= witness_wants(found->all.at[i]);
    if (!any) return;
    if (!s->recall) {
        witness_findings(&s->facts, f, found, &s->witness, NULL);
        return;
    }
    Pack p;
    uint32_t lists;
    Hash128 of = recall_replayed(s->recall, f, found);
    char *bytes = recall_find_replays(s->recall, of, &p, &lists);
    if (bytes) {
        p.arena = found->arena;
        witness_pack(&p, &kept, pack_place);
        kept.known = !p.bad && p.at == p.end && kept.replays.len == found->all.len;
        if (!kept.known) vec_clear(&kept.replays);
        mem_free(bytes);
    }
    witness_findings(&s->facts, f, found, &s->witness, &kept);
    if (!kept.known) {
        p = recall_pack(s->recall);
        witness_pack(&p, &kept, pack_place);
        recall_keep_replays(s->recall, of, lists, &kept.funcs, &kept.globals, &p);
    }
    witness_kept_free(&kept);
}

// Nothing can be found in it, which is as good as if it had been evaluated.
static bool is_left_alone(const Shared *s, FuncId f)
{
    return !s->found[f.id] && s->left_alone[s->rank[s->program->funcs.at[f.id].scc.id]] &&
           program_has_code(s->program, f) && facts_matters(&s->facts, f);
}

void eval_run(Eval *e, Findings *into)
{
    Shared *s = e->shared;
    const Program *p = s->program;
    run_all(s);
    s->frequency = frequency_new(&s->facts);
    Callers *callers = callers_new(e, s->frequency);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        into->run.functions += is_left_alone(s, (FuncId){f});
        if (!s->found[f]) continue;
        into->run.functions++;
        callers_settle(callers, (FuncId){f}, s->found[f]);
        vec_each (i, &s->found[f]->all) {
            s->found[f]->all.at[i]->grounds->function = f;
            impact_doubts(s->frequency, s->found[f]->all.at[i]);
        }
        replay_findings(s, (FuncId){f});
        if (!p->unit_fresh || p->unit_fresh[p->funcs.at[f].unit])
            findings_append(into, s->found[f]);
        else if (p->linked)
            say_again(into, s->found[f]);
    }
    callers_free(callers);
}

void eval_impact(const Eval *e, Findings *found, uint32_t first)
{
    for (uint32_t i = first; i < found->all.len; i++)
        if (!(found->all.at[i]->stages & STAGE_EVAL))
            impact_doubts(e->shared->frequency, found->all.at[i]);
    witness_rest(&e->shared->facts, found, first, &e->shared->witness);
}

void eval_registrars(const Eval *e, Map *few)
{
    registrars_find(e->shared->frequency, few);
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
    for (uint32_t i = 0; i < ASSUME_COUNT; i++) all->assumed[i] += one->assumed[i];
    all->idle += one->idle;
}

const WitnessCounts *eval_witness(const Eval *e)
{
    return &e->shared->witness;
}

void eval_work(const Eval *e, EvalWork *into)
{
    const Shared *s = e->shared;
    for (uint32_t f = 1; f < s->program->funcs.len; f++) work_add(into, &s->work[f]);
}

uint32_t eval_recalled(const Eval *e)
{
    return e->shared->recall ? recall_count(e->shared->recall) : 0;
}
