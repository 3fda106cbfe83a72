// Verdicts as findings, for sources in functions that the evaluation gave up: there nobody else has
// looked at all paths. They are marked as such and never sure. Of `partly` verdicts only those are
// likely whose condition is one that a reader can check at once; correlated branches, loops and
// memory that may be several objects make false ones, which is what the evaluation is for: these
// are for the audit.
#include "flow/flow_int.h"

#include "finding/grounds.h"

#include <string.h>

static Pos pos_of(const FlowFunc *g, uint32_t ins)
{
    const Loc *l = &g->u->locs.at[func_ins(g->u, g->f, ins)->loc];
    if (!l->file || !l->line) l = &g->u->locs.at[g->f->loc.id];
    if (!l->file || !l->line) return (Pos){0};
    return (Pos){name_text(g->u->names, g->u->files.at[l->file].path), l->line,
                 l->col ? l->col : 1};
}

static const SpecFamily *family_of(const Flow *f, FlowSource source, const char **from)
{
    U32s targets = {0};
    points_callees(f->points, source.func, source.ins, &targets);
    const SpecFunc *spec = NULL;
    if (targets.len) {
        const Unit *u;
        const Func *decl = program_decl(f->program, (FuncId){targets.at[0]}, &u);
        *from = name_text(u->names, decl->source);
        spec = points_spec(f->points, (FuncId){targets.at[0]});
    }
    vec_free(&targets);
    if (!spec) return NULL;
    return spec_family(f->specs, source.which == SPEC_RETURN
                                     ? spec->result.family
                                     : spec->params[source.which].value.family);
}

// The first return or jump that is reached with the object unreleased, else the source.
static uint32_t lost_at(Slice *s, Bdd open)
{
    const FlowFunc *g = s->contexts.at[0].g;
    uint32_t from = g->block_of[s->source.ins];
    for (uint32_t o = 0; o < g->cfg->order_count; o++) {
        uint32_t b = g->cfg->order[o];
        const Block *block = func_block(g->u, g->f, b);
        uint32_t last = block->first + block->count - 1;
        if (func_ins(g->u, g->f, last)->op != OP_RET && !flow_block_jumps(g, b)) continue;
        if (bdd_and(&s->bdds, guard_between(s, 0, from, b), open) != BDD_FALSE)
            return last;
    }
    return s->source.ins;
}

static bool is_plain(const Slice *s)
{
    const FlowFunc *g = s->contexts.at[0].g;
    if (g->cfg->loop_of[g->block_of[s->source.ins]] || s->crosses || s->left) return false;
    vec_each (i, &s->edges)
        if (s->edges.at[i].use->weak && !s->edges.at[i].to) return false;
    return true;
}

static void report(Flow *f, FlowSource source, Findings *into)
{
    Slice s;
    slice_run(&s, f, source);
    FlowVerdict v = s.result.verdict;
    if ((v == FLOW_NEVER || v == FLOW_PARTLY) && !s.result.gave_up) {
        const FlowFunc *g = s.contexts.at[0].g;
        Bdds *b = &s.bdds;
        Bdd open = bdd_and(b, s.ends, bdd_not(b, bdd_or(b, s.sinks, s.exits)));
        const char *from = NULL, *name = name_text(g->u->names, g->f->source);
        const SpecFamily *family = family_of(f, source, &from);
        Out *text = out_memory();
        guard_print(text, &s, open);
        const char *condition = out_content(text, NULL);
        bool plain =
            is_plain(&s) &&
            (v == FLOW_NEVER || (strlen(condition) < MAX_CONDITION && !strchr(condition, '%')));
        const char *noun =
            family && family->resource ? name_text(spec_names(f->specs), family->noun) : NULL;
        Rule rule = rule_of_loss(noun);
        uint32_t lost_by = lost_at(&s, open);
        Pos at = pos_of(g, source.ins), lost = pos_of(g, lost_by);
        Finding *found = finding_new(into, rule, name, at, lost);
        finding_doubt(found, DOUBT_GAVE_UP, lost, name);
        if (!plain) finding_doubt(found, DOUBT_OWNERSHIP, lost, NULL);
        found->stages = STAGE_FLOW;
        found->grounds->function = source.func.id;
        found->grounds->made_by = source.ins + 1;
        found->grounds->lost_by = lost_by + 1;
        if (program_is_main(f->program, source.func)) {
            found->loss = LOSS_AT_END;
            finding_doubt(found, DOUBT_MAIN_RETURNS, lost, NULL);
        }
        finding_names(found, from, NULL);
        if (noun && family->noun.id) found->resource = arena_strdup(into->arena, noun);
        if (open != BDD_TRUE && open != BDD_FALSE && strlen(condition) < MAX_CONDITION)
            finding_when_expr(found, "%s", condition);
        finding_event(found, EVENT_ALLOC, at, "memory allocated by %s", from ? from : "?");
        finding_event(found, EVENT_NOTE, lost, "evaluation gave up '%s'; value flow says %s", name,
                      v == FLOW_NEVER ? "never freed" : "freed on some paths only");
        out_discard(text);
    }
    slice_free(&s);
}

void flow_report(Flow *f, const Bits *given_up, Findings *into)
{
    vec_each (i, &f->sources) {
        FlowSource s = f->sources.at[i];
        uint32_t unit = f->program->funcs.at[s.func.id].unit;
        if (!bits_has(given_up, s.func.id)) continue;
        if (f->program->unit_fresh && !f->program->unit_fresh[unit]) continue;
        FlowResult r = flow_result(f, i);
        if (r.verdict == FLOW_NEVER || r.verdict == FLOW_PARTLY) report(f, s, into);
    }
}
