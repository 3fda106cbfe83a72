// Verdicts of all sure and likely findings, and their count.
#include "finding/grounds.h"
#include "witness/limits.h"
#include "witness/replay.h"

#include <time.h>

// Of processor time that this thread has used.
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool witness_wants(const Finding *f)
{
    return finding_level(f) != LEVEL_AUDIT && finding_impact(f) < IMPACT_ONCE;
}

// A misuse of memory that was there before, released deep in calls, in a run that read many values of the
// caller's memory: lists, counts and flags that belong together, of which the run only knows that they would do.
// Nobody stores them like that, perhaps.
static uint32_t assumed_values(const Finding *f)
{
    const Witness *w = f->witness;
    uint32_t cells = 0;
    bool callers = false, deep = false;
    if (!w || rule_info(f->rule)->class != RULE_MISUSE) return 0;
    for (uint32_t i = 0; i < w->step_count; i++)
        deep |= w->steps[i].kind == WITNESS_STEP_CALL && w->steps[i].takes && w->steps[i].depth >= ASSUMED_DEPTH;
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind != MEMORY_INPUT) continue;
        cells += b->count;
        callers |= b->is_freed;
    }
    return callers && deep && cells >= ASSUMED_VALUES ? cells : 0;
}

// `spent`: steps for findings of the same function so far.
static WitnessReplay replay(const Facts *facts, FuncId func, Findings *found, const Finding *f, uint64_t *spent,
                            WitnessKept *kept)
{
    bool sure = finding_level(f) == LEVEL_SURE, poor = *spent > FUNC_STEPS;
    if (!witness_wants(f) || (!sure && poor)) return (WitnessReplay){.verdict = REPLAY_NONE, .text = ""};
    WitnessReplay r = witness_replay(found->arena, facts, func, f, !sure || poor, kept);
    *spent += r.steps;
    return r;
}

static void judge(Findings *found, Finding *f, WitnessReplay r, WitnessCounts *counts)
{
    bool sure = finding_level(f) == LEVEL_SURE;
    if (r.verdict == REPLAY_NONE) return;
    // Without a path of its own, or where the path stands for several that were merged in a callee, a
    // run that does not show it refutes nothing. Errs towards false alarms that stay likely.
    bool merged = doubt_has(&f->doubts, DOUBT_MERGED_RELEASE) || doubt_has(&f->doubts, DOUBT_MERGED_TEST);
    if (r.verdict == REPLAY_REFUTED && (merged || !(f->stages & STAGE_EVAL))) {
        r.verdict = REPLAY_UNDECIDED;
        r.stop = STOP_NO_MODEL;
    }
    f->replay = r.verdict;
    f->witness = r.witness;
    const char *why = witness_stop_text(r.stop);
    f->replay_text = r.verdict != REPLAY_UNDECIDED ? r.text
                     : r.detail && *r.detail ? arena_printf(found->arena, "%s: %s", why, r.detail)
                                             : why;
    if (r.verdict == REPLAY_REFUTED) finding_doubt(f, DOUBT_REFUTED, f->lost, NULL);
    if (!sure) {
        counts->likely[r.verdict]++;
        counts->likely_steps += r.steps;
        return;
    }
    if (r.verdict == REPLAY_UNDECIDED) finding_doubt(f, DOUBT_UNDECIDED, f->lost, why);
    uint32_t values = r.verdict == REPLAY_WITNESSED ? assumed_values(f) : 0;
    if (values) finding_doubt(f, DOUBT_ASSUMED_STATE, f->lost, arena_printf(found->arena, "%u", values));
    counts->verdicts[r.verdict]++;
    if (r.verdict == REPLAY_UNDECIDED) counts->stops[r.stop]++;
    counts->steps += r.steps;
}

void witness_findings(const Facts *facts, FuncId func, Findings *found, WitnessCounts *counts, WitnessKept *kept)
{
    double before = seconds();
    uint64_t spent = 0;
    vec_each (i, &found->all) {
        Finding *f = found->all.at[i];
        bool known = kept && kept->known;
        WitnessReplay r = known ? kept->replays.at[i] : replay(facts, func, found, f, &spent, kept);
        if (kept && !known) vec_push(&kept->replays, r);
        judge(found, f, r, counts);
    }
    counts->seconds += seconds() - before;
}

void witness_rest(const Facts *facts, Findings *found, uint32_t first, WitnessCounts *counts)
{
    double before = seconds();
    for (uint32_t i = first; i < found->all.len; i++) {
        uint64_t spent = 0;
        Finding *f = found->all.at[i];
        FuncId func = {f->grounds->function};
        if (!(f->stages & STAGE_EVAL) && func.id < facts->program->funcs.len)
            judge(found, f, replay(facts, func, found, f, &spent, NULL), counts);
    }
    counts->seconds += seconds() - before;
}

void witness_counts_add(WitnessCounts *all, const WitnessCounts *one)
{
    for (uint32_t i = 0; i < REPLAY_COUNT; i++) all->verdicts[i] += one->verdicts[i];
    for (uint32_t i = 0; i < STOP_COUNT; i++) all->stops[i] += one->stops[i];
    for (uint32_t i = 0; i < REPLAY_COUNT; i++) all->likely[i] += one->likely[i];
    all->steps += one->steps;
    all->likely_steps += one->likely_steps;
    all->seconds += one->seconds;
}

static void print_verdicts(Out *o, const char *level, const uint32_t *verdicts, uint64_t steps)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < REPLAY_COUNT; i++) all += verdicts[i];
    if (!all) return;
    out_printf(o, "replay     %u %s findings, %u witnessed, %u refuted, %u undecided; %llu steps\n", all,
               level, verdicts[REPLAY_WITNESSED], verdicts[REPLAY_REFUTED], verdicts[REPLAY_UNDECIDED],
               (unsigned long long)steps);
}

void witness_print_counts(Out *o, const WitnessCounts *c)
{
    print_verdicts(o, "sure", c->verdicts, c->steps);
    print_verdicts(o, "likely", c->likely, c->likely_steps);
    if (c->steps + c->likely_steps) out_printf(o, "replay     %.3f s of processor time\n", c->seconds);
    for (uint32_t i = 0; i < STOP_COUNT; i++)
        if (c->stops[i])
            out_printf(o, "  undecided %4u  %s\n", c->stops[i], witness_stop_text((WitnessStop)i));
}
