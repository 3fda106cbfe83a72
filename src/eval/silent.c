// Functions in which nothing is obtained and nothing released: no call in them does so, by its
// spec or by the summary of its code. Nothing can be lost or misused there, so all that is wanted
// of them is what a caller sees: what they keep, write and return. One path through a block says
// that as well as ten, once there are more than a few (walk.c, effort_of).
//
// Only a forecast: the walk takes it back where an object turns up all the same.
#include "eval/run.h"

static bool gives_none(const SpecValue *v)
{
    return v->gives != SPEC_OWN && v->gives != SPEC_POLY;
}

static bool is_silent_param(const SpecParam *x)
{
    bool taken = x->mode != SPEC_REF && x->mode != SPEC_KEEP && x->mode != SPEC_HOLD;
    return !taken && x->effect != SPEC_EMPTIES && !x->called && x->to == SPEC_NONE &&
           gives_none(&x->value);
}

static bool is_silent_spec(const SpecFunc *f)
{
    if (f->harmless) return true;
    if (f->realloc || f->twice || !gives_none(&f->result)) return false;
    for (uint16_t i = 0; i < f->case_count; i++)
        if (!gives_none(&f->cases[i])) return false;
    for (uint16_t i = 0; i < f->param_count; i++)
        if (!is_silent_param(&f->params[i])) return false;
    return !f->variadic || is_silent_param(&f->rest);
}

static bool is_silent_target(Callees *c, FuncId f, SccId own)
{
    const Program *p = c->facts->program;
    const SpecFunc *spec = facts_spec(c->facts, f);
    bool code = program_has_code(p, f);
    // Elements that are objects may release what they hold.
    const SpecFunc *runs = c->facts->member_of[f.id];
    if (runs && runs->elements == SPEC_ELEMENTS_RUNS) return false;
    if (facts_member(c->facts, f)) return !c->facts->ender_of[f.id].id;
    if (spec && (!code || spec_beats_code(spec))) return is_silent_spec(spec);
    if (!code || p->funcs.at[f.id].scc.id == own.id) return true; // its own calls are looked at
    const Summary *sum = callee_summary(c, f);
    for (uint32_t i = 0; sum && i < sum->case_count; i++)
        if (sum->cases[i].object_count || sum->cases[i].free_count) return false;
    return true;
}

static bool is_silent_call(Callees *c, FuncId f, const CallSite *site)
{
    const Program *p = c->facts->program;
    SccId own = p->funcs.at[f.id].scc;
    if (site->callee.id) return is_silent_target(c, site->callee, own);
    if (facts_call_spec(c->facts, f, site->ins)) return false;
    U32s targets = {0};
    if (c->facts->points) points_callees(c->facts->points, f, site->ins, &targets);
    bool silent = true;
    for (uint32_t i = 0; targets.len <= TARGETS_ASKED && i < targets.len && silent; i++)
        silent = is_silent_target(c, (FuncId){targets.at[i]}, own);
    vec_free(&targets);
    return silent;
}

bool silent_component(Callees *c, uint32_t scc)
{
    const Program *p = c->facts->program;
    ProgRange r = p->sccs.at[scc];
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = p->order.at[r.first + i];
        ProgRange calls = p->funcs.at[f.id].calls;
        for (uint32_t k = 0; k < calls.count; k++)
            if (!is_silent_call(c, f, &p->calls.at[calls.first + k])) return false;
    }
    return true;
}
