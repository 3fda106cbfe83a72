// What of a function the evaluation walks: the projection of PML (PML_Checker, section 3) with the
// evaluation's own idea of what matters, so that nothing that it could tell is lost.
//
// Kept is whatever changes the state by more than a value (project_needs), but for the nodes of
// which the value flow says that nobody in the program needs them (flow_idle). Then what these are
// computed from, and the branches that govern them (project_close). What is left are numbers that
// nobody asks for and branches whose sides differ in nothing that is kept: those are passed over to
// where their sides have met again, on one path instead of two.
//
// A loop with something kept keeps its header: rounds are counted there. Names of numbers are taken
// along where the number is kept and the path comes by; they govern nothing.
#include "project/project.h"
#include "walk/walk_int.h"

static void keep_all(Work *w)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) bits_add(&w->kept, i);
}

// Where all ways from the block lead, when its own branch was dropped.
static uint32_t way_on(const Work *w, const Projection *p, uint32_t block)
{
    EdgeRange r = w->cfg->succ[block];
    uint32_t lead = p->leads[w->cfg->edges[r.first]];
    for (uint32_t i = 1; i < r.count; i++)
        if (p->leads[w->cfg->edges[r.first + i]] != lead) return BLOCK_NONE;
    return lead ? p->nodes[lead - 1].block : BLOCK_NONE;
}

// A branch that is dropped where its ways do not meet in one node is none that the walk can pass
// over: it is taken as it stands. Closed sets have no such branch.
static void find_ways_on(Work *w, const Projection *p)
{
    for (uint32_t b = 0; b < w->cfg->block_count; b++) {
        const Block *k = func_block(w->unit, w->func, b);
        uint32_t end = k->first + k->count - 1;
        if (w->cfg->succ[b].count < 2 || bits_has(&w->kept, end)) continue;
        w->way_on[b] = way_on(w, p, b);
    }
}

void focus(Work *w, const FlowHints *hints)
{
    const Func *f = w->func;
    w->kept = bits_new(w->arena, f->ins_count);
    w->way_on = arena_array_of(w->arena, uint32_t, w->cfg->block_count);
    for (uint32_t b = 0; b < w->cfg->block_count; b++) w->way_on[b] = BLOCK_NONE;
    if (!hints) {
        keep_all(w);
        return;
    }
    const Bits *idle = &hints->idle[w->id.id];
    Arena *a = arena_new("focus");
    Bits plain = project_plain(a, w->unit, f);
    for (uint32_t i = 0; i < f->ins_count; i++)
        if (project_needs(w->unit, f, &plain, i) && !(idle->words && bits_has(idle, i)))
            bits_add(&w->kept, i);
    project_close(w->unit, f, w->cfg, &PROJECT_TO_WALK, &w->kept);
    find_ways_on(w, project_build(a, w->unit, f, w->cfg, &w->kept));
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(w->unit, f, i);
        if (in->op != OP_BIND) continue;
        Ref r = {in->a};
        if (!ref_is_ins(r) || bits_has(&w->kept, ref_index(r))) bits_add(&w->kept, i);
    }
    arena_free(a);
}
