// Verdicts of all sure findings, and their count.
#include "witness/replay.h"

#include "finding/grounds.h"

static void judge(const Facts *facts, FuncId func, Findings *found, Finding *f, WitnessCounts *counts)
{
    if (finding_level(f) != LEVEL_SURE || finding_impact(f) >= IMPACT_ONCE) return;
    WitnessReplay r = witness_replay(found->arena, facts, func, f);
    // Without a path of its own a run that does not show it refutes nothing.
    if (r.verdict == REPLAY_REFUTED && !(f->stages & STAGE_EVAL)) {
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
    if (r.verdict == REPLAY_UNDECIDED) finding_doubt(f, DOUBT_UNDECIDED, f->lost, why);
    counts->verdicts[r.verdict]++;
    if (r.verdict == REPLAY_UNDECIDED) counts->stops[r.stop]++;
    counts->steps += r.steps;
}

void witness_findings(const Facts *facts, FuncId func, Findings *found, WitnessCounts *counts)
{
    vec_each (i, &found->all) judge(facts, func, found, found->all.at[i], counts);
}

void witness_rest(const Facts *facts, Findings *found, uint32_t first, WitnessCounts *counts)
{
    for (uint32_t i = first; i < found->all.len; i++) {
        Finding *f = found->all.at[i];
        FuncId func = {f->grounds->function};
        if (!(f->stages & STAGE_EVAL) && func.id < facts->program->funcs.len)
            judge(facts, func, found, f, counts);
    }
}

void witness_counts_add(WitnessCounts *all, const WitnessCounts *one)
{
    for (uint32_t i = 0; i < REPLAY_COUNT; i++) all->verdicts[i] += one->verdicts[i];
    for (uint32_t i = 0; i < STOP_COUNT; i++) all->stops[i] += one->stops[i];
    all->steps += one->steps;
}

void witness_print_counts(Out *o, const WitnessCounts *c)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < REPLAY_COUNT; i++) all += c->verdicts[i];
    if (!all) return;
    out_printf(o, "replay     %u sure findings, %u witnessed, %u refuted, %u undecided; %llu steps\n",
               all, c->verdicts[REPLAY_WITNESSED], c->verdicts[REPLAY_REFUTED],
               c->verdicts[REPLAY_UNDECIDED], (unsigned long long)c->steps);
    for (uint32_t i = 0; i < STOP_COUNT; i++)
        if (c->stops[i])
            out_printf(o, "  undecided %4u  %s\n", c->stops[i], witness_stop_text((WitnessStop)i));
}
