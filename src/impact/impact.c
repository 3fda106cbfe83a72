// What the rest of the program says of a loss: how often a process comes there, and what it does
// afterwards. Each answer is a row of doubts.def; the questions are asked in the
// other files.
#include "impact/impact_int.h"

#include "finding/grounds.h"

static void doubt_if(Finding *x, bool holds, DoubtId id)
{
    if (holds) finding_doubt(x, id, x->lost, NULL);
}

// Both places are met a few times, and one of them since the program has not begun to wait.
static bool starts_up(Frequency *o, FuncId f, const Grounds *e, bool over)
{
    uint32_t places[] = {e->made_by, e->lost_by};
    bool start = false;
    for (uint32_t i = 0; i < 2; i++) {
        if (!places[i]) continue;
        bool here = starts_up_at(o, f, places[i] - 1);
        if (!here && !frequency_at(o, f, places[i] - 1, over)) return false;
        start |= here;
    }
    return start;
}

static void doubt_loss(Frequency *o, FuncId f, Finding *x)
{
    const Grounds *e = x->grounds;
    // A call that loses what it brought the last time has overwritten it.
    bool over = x->loss == LOSS_OVERWRITE ||
                (x->loss == LOSS_OWNER && e->made_by && e->made_by == e->lost_by);
    uint32_t call = e->failed_call, made = e->made_by, lost = e->lost_by;
    const Program *p = o->facts->program;
    doubt_if(x, !frequency_reached(o, f), DOUBT_NEVER_CALLED);
    doubt_if(x, p->unit_tests[p->funcs.at[f.id].unit], DOUBT_TEST_PROGRAM);
    doubt_if(x,
             ((made || lost) && (!made || frequency_at(o, f, made - 1, over)) &&
              (!lost || frequency_at(o, f, lost - 1, over))) ||
                 forked_on_path(o, f, e),
             DOUBT_RUNS_ONCE);
    doubt_if(x,
             made && (options_letter_leads_to(o, f, made - 1) ||
                      (over && lost && options_given_twice(o, f, made - 1, lost - 1))),
             DOUBT_BY_OPTION);
    if (finding_impact(x) >= IMPACT_ONCE) return;
    doubt_if(x, starts_up(o, f, e, over), DOUBT_STARTS_UP);
    // The last question costs most.
    if (finding_impact(x) >= IMPACT_ONCE) return;
    doubt_if(x,
             (call && program_ends_after_null(o, f, call - 1)) ||
                 (e->returns && program_ends_after_return(o, f, e->returned[0], e->returned[1])) ||
                 (lost && program_ends_after(o, f, lost - 1)) ||
                 (lost && finding_impact(x) == IMPACT_MEMORY_SHORT && program_ends_after_null_left(o, f, lost - 1)),
             DOUBT_PROCESS_ENDS);
}

// Misuse of memory, where an allocation has failed: once is bad enough, but not where the process is about to start
// or to end in any case.
static void doubt_rare_misuse(Frequency *o, FuncId f, Finding *x)
{
    uint32_t lost = x->grounds->lost_by;
    if (!lost) return;
    doubt_if(x, frequency_at(o, f, lost - 1, false), DOUBT_RUNS_ONCE);
    if (finding_impact(x) >= IMPACT_ONCE) return;
    doubt_if(x, starts_up_at(o, f, lost - 1), DOUBT_STARTS_UP);
    if (finding_impact(x) >= IMPACT_ONCE) return;
    doubt_if(x, program_ends_after(o, f, lost - 1), DOUBT_PROCESS_ENDS);
}

void impact_doubts(Frequency *o, Finding *x)
{
    FuncId f = {x->grounds->function};
    if (!f.id) return;
    if (rule_piles_up(x->rule)) doubt_loss(o, f, x);
    else if (finding_impact(x) == IMPACT_MEMORY_SHORT) doubt_rare_misuse(o, f, x);
}
