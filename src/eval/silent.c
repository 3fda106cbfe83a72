// Functions in which nothing is obtained and nothing released: no call in them does so, by its
// spec or by the summary of its code. Nothing can be lost or misused there, so all that is wanted
// of them is what a caller sees: what they keep, write and return. One path through a block says
// that as well as ten, once there are more than a few (walk.c, effort_of).
//
// Only a forecast: the walk takes it back where an object turns up all the same.
//
// Where no callee has anything to tell either, no finding can come of a component, and it is only evaluated when one
// that is not like that asks for a summary (quiet_component). Programs that get their memory through pointers to functions
// consist of little else.
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

// ---- Components that are left alone until somebody asks for them.

// A member of a container may move or end its elements, and what lends its text may end before the text does. Callers see
// that where no object is handed out or released.
static bool may_do_more(const Facts *f, FuncId callee)
{
    const SpecFunc *spec = facts_spec(f, callee);
    const SpecValue *v = spec ? &spec->result : NULL;
    return f->member_of[callee.id] || (v && v->gives == SPEC_REF_OF && v->param >= 0 && spec->params[v->param].opaque);
}

static bool is_quiet_target(const Shared *s, FuncId f, uint32_t rank)
{
    const SpecFunc *spec = facts_spec(&s->facts, f);
    bool code = program_has_code(s->program, f);
    if (spec && (!code || spec_beats_code(spec))) return is_silent_spec(spec);
    uint32_t other = s->rank[s->program->funcs.at[f.id].scc.id];
    if (!code || other >= rank || s->left_alone[other]) return true;
    const Summary *sum = s->summaries[f.id];
    return !sum || !sum->noisy;
}

// A call through a variable of which the models say what it holds.
static bool names_variable(const Shared *s, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(s->program, id, &u);
    for (uint32_t i = 0; f && i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_LOAD || !ref_is_const((Ref){in->a})) continue;
        const Const *c = &u->consts.at[ref_index((Ref){in->a})];
        if (c->kind != CONST_GLOBAL) continue;
        GlobalId g = program_global(s->program, s->program->funcs.at[id.id].unit, (UGlobalId){c->target});
        if (bits_has(&s->variables, g.id)) return true;
    }
    return false;
}

static bool is_quiet(const Shared *s, FuncId f, uint32_t rank)
{
    const Program *p = s->program;
    ProgRange calls = p->funcs.at[f.id].calls;
    bool quiet = true, pointers = false;
    U32s targets = {0};
    for (uint32_t i = 0; i < calls.count && quiet; i++) {
        const CallSite *site = &p->calls.at[calls.first + i];
        if (site->callee.id) {
            quiet = is_quiet_target(s, site->callee, rank);
            continue;
        }
        pointers = true;
        if (facts_call_spec(&s->facts, f, site->ins)) quiet = false;
        vec_clear(&targets);
        points_callees(s->facts.points, f, site->ins, &targets);
        vec_each (t, &targets) quiet = quiet && is_quiet_target(s, (FuncId){targets.at[t]}, rank);
    }
    vec_free(&targets);
    return quiet && !(pointers && names_variable(s, f));
}

bool component_holds(const Shared *s, uint32_t rank)
{
    const Program *p = s->program;
    ProgRange r = p->sccs.at[s->at_rank[rank]];
    U32s targets = {0};
    bool holds = false;
    for (uint32_t i = 0; i < r.count && !holds; i++) {
        FuncId f = p->order.at[r.first + i];
        ProgRange calls = p->funcs.at[f.id].calls;
        for (uint32_t k = 0; k < calls.count && !holds; k++) {
            const CallSite *site = &p->calls.at[calls.first + k];
            vec_clear(&targets);
            if (site->callee.id)
                vec_push(&targets, site->callee.id);
            else if (s->facts.points)
                points_callees(s->facts.points, f, site->ins, &targets);
            vec_each (t, &targets) {
                FuncId callee = {targets.at[t]};
                uint32_t other = s->rank[p->funcs.at[callee.id].scc.id];
                holds = holds || may_do_more(&s->facts, callee) || (other < rank && s->holds[other]);
            }
        }
    }
    vec_free(&targets);
    return holds;
}

bool quiet_component(const Shared *s, uint32_t rank)
{
    const Program *p = s->program;
    if (s->options.in_full || !s->facts.hints || !s->facts.points) return false;
    ProgRange r = p->sccs.at[s->at_rank[rank]];
    for (uint32_t i = 0; i < r.count; i++)
        if (!is_quiet(s, p->order.at[r.first + i], rank)) return false;
    return true;
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
