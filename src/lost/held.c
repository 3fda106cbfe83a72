// What is to be released by the function that obtained it, on every way out (SpecFamily.scoped): a lock lives in a
// variable that lives on, so that the last way to it is never lost.
//
// A function that leaves with it on every path was written to obtain it for its caller. One that releases it on
// one way out and not on another has forgotten it there, with two exceptions: where it leaves with it in success and
// releases it only where it fails, the caller has it from then on; and what was released first and is
// obtained again is what the caller had before. Both err towards a missed leak.
#include "lost/lost_int.h"

bool exit_fails(Work *w, const State *s, Term result)
{
    if (s->flags & STATE_ERROR) return true;
    if (!result.id) return false;
    if (mtype_class(w->func->result) == MT_PTR)
        return cond_decide(&w->conds, s->facts, term_eq(&w->terms, result, term_null(&w->terms))) == COND_TRUE;
    return mtype_class(w->func->result) == MT_INT && cond_range(&w->conds, s->facts, result).smax < 0;
}

typedef struct {
    FamilyId family;
    bool had;
} CallersOwn;

static bool is_callers(void *context, uint64_t key, uint64_t word)
{
    CallersOwn *c = context;
    (void)key;
    c->had = (ObjStatus)(word & 0xff) == OBJ_FREED && (uint32_t)(word >> 48) == c->family.id;
    return !c->had;
}

void held_note(Work *w, const State *s, Term heap, uint32_t ins, Term result)
{
    const ObjInfo *info = obj_info(w, heap);
    const SpecFamily *family = spec_family(w->facts->specs, info->family);
    if (!family || !family->scoped) return;
    CallersOwn own = {info->family, false};
    pmap_each(s->objs, is_callers, &own);
    if (own.had) return;
    State *at = arena_copy(w->arena, s, sizeof *s);
    vec_push(&w->held, ((HeldAtExit){at, heap, ins, exit_fails(w, s, result)}));
}

// By its story: of what was released and is reached by nothing no state is kept.
static bool releases(const PathEnd *end, Term heap)
{
    for (const Story *e = end->story; e; e = e->prev)
        if (e->kind == STORY_FREE && term_same(e->a, heap)) return true;
    return false;
}

// Whether another way out releases it, one that says as much about this one.
static bool released_elsewhere(const Work *w, const HeldAtExit *held)
{
    vec_each (i, &w->ends) {
        const PathEnd *end = &w->ends.at[i];
        if ((held->fails || !end->fails) && releases(end, held->heap)) return true;
    }
    return false;
}

void held_settle(Work *w)
{
    vec_each (i, &w->held) {
        const HeldAtExit *held = &w->held.at[i];
        if (!released_elsewhere(w, held)) continue;
        State s = *held->at;
        Pos at = end_position(w, &s, func_block_of(w->unit, w->func, held->ins), held->ins);
        report_leak(w, &s, held->heap, held->heap, held->ins, at, LOSS_HELD, false);
    }
}
