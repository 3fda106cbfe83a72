// Before a function is walked.
#include "walk/walk_int.h"

void work_init(Work *w, Callees *callees, const WorkOptions *o, FuncId f, Findings *into)
{
    *w = (Work){.callees = callees,
                .facts = callees->facts,
                .trace = callees->trace,
                .id = f,
                .findings = into,
                .solver = o->solver,
                .mute = o->mute,
                .recursive = o->recursive,
                .silent = o->silent};
    const Program *p = w->facts->program;
    w->func = program_body(p, f, &w->unit);
    w->unit_index = p->funcs.at[f.id].unit;
    w->arena = arena_new("function");
    w->disposed = bits_new(w->arena, w->func->ins_count);
    // In proportion to the function, so that the cost stays linear.
    w->budget = o->step_budget ? o->step_budget
                               : DEFAULT_BUDGET + (uint64_t)STEPS_PER_INS * w->func->ins_count;
    terms_init(&w->terms, w->unit->pointer_bytes * 8);
    conds_init(&w->conds, w->arena, &w->terms);
    w->cfg = cfg_build(w->arena, w->unit, w->func);
    focus(w, w->facts->hints);
    live_find(w);
    certain_find(w);
}

void work_free(Work *w)
{
    vec_free(&w->infos);
    vec_free(&w->guessed);
    vec_free(&w->ends);
    vec_free(&w->held);
    vec_free(&w->joined_stories);
    vec_free(&w->found_at);
    vec_free(&w->retell);
    vec_free(&w->open);
    vec_free(&w->error_calls);
    vec_free(&w->error_call_before);
    map_free(&w->error_call_of);
    map_free(&w->error_sites);
    vec_free(&w->exits);
    vec_free(&w->memo);
    vec_each (i, &w->reaches) {
        vec_free(&w->reaches.at[i].reached);
        mem_free(w->reaches.at[i].words);
    }
    vec_free(&w->reaches);
    vec_free(&w->named);
    vec_free(&w->symbolic);
    map_free(&w->info_of);
    map_free(&w->name_of);
    map_free(&w->answers);
    map_free(&w->reported);
    map_free(&w->asked);
    map_free(&w->by_target);
    conds_free(&w->conds);
    terms_free(&w->terms);
    arena_free(w->arena);
}
