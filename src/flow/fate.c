// `stanch show blocks FILE:LINE`: what becomes of the memory that a line obtains, in a few lines
// for people: who is left with it, where it is released. An editor shows the same beside the call.
#include "base/file.h"
#include "flow/flow_int.h"

static const Loc *loc_of(const FlowFunc *g, uint32_t ins)
{
    return &g->u->locs.at[func_ins(g->u, g->f, ins)->loc];
}

// "src/a.c:12"; both in the arena.
static const char *place_of(Arena *a, const FlowFunc *g, uint32_t ins, const char *root)
{
    const Loc *l = loc_of(g, ins);
    if (!l->file || !l->line) return "an unknown place";
    const char *path = name_text(g->u->names, g->u->files.at[l->file].path);
    return arena_printf(a, "%s:%u", path_below(root, path), l->line);
}

static const char *name_of_func(const FlowFunc *g)
{
    return name_text(g->u->names, g->f->source);
}

// What a call calls, or null.
static const char *callee_of(const Flow *f, const FlowFunc *g, uint32_t ins)
{
    U32s targets = {0};
    points_callees(f->points, g->id, ins, &targets);
    const Unit *u;
    const char *name = NULL;
    if (targets.len)
        name = name_text((program_decl(f->program, (FuncId){targets.at[0]}, &u), u)->names,
                         program_decl(f->program, (FuncId){targets.at[0]}, &u)->source);
    vec_free(&targets);
    return name;
}

static void print_owner(Out *o, const Slice *s, const char *function)
{
    static const char *const left_with[] = {
        "stored in a global variable",       "stored in memory that unknown code may see",
        "handed to code that is not seen",   "handed to a function that keeps it",
        "left to callers that are not seen", "handed on as a variable argument, copy or exception"};
    switch (s->result.verdict) {
    case FLOW_FREED:
        out_printf(o, "  - owned by `%s`%s: every path releases it\n", function,
                   s->result.functions > 1 ? " and what it calls" : "");
        break;
    case FLOW_PARTLY:
        out_text(o, s->result.gave_up ? "  - not followed to the end: over budget\n"
                                      : "  - not every path is seen to release it\n");
        break;
    case FLOW_NEVER:
        out_text(o, "  - no release is seen\n");
        break;
    default:
        for (uint32_t k = 0; k < sizeof left_with / sizeof *left_with; k++)
            if (s->result.escapes >> k & 1) out_printf(o, "  - %s\n", left_with[k]);
    }
}

// Each place once, in the order in which the slice came there.
static void print_releases(Out *o, Arena *a, const Slice *s, const char *root)
{
    VEC(const char *) said = {0};
    vec_each (i, &s->edges) {
        const SliceEdge *e = &s->edges.at[i];
        if (e->use->kind != USE_SINK) continue;
        const FlowFunc *g = s->contexts.at[s->reached.at[e->reach].context].g;
        const char *by = callee_of(s->f, g, e->use->ins);
        const char *text =
            arena_printf(a, "  - released at %s%s%s%s in `%s`\n", place_of(a, g, e->use->ins, root),
                         by ? " by `" : "", by ? by : "", by ? "`" : "", name_of_func(g));
        bool known = false;
        vec_each (k, &said) known = known || strcmp(said.at[k], text) == 0;
        if (known) continue;
        vec_push(&said, text);
        out_text(o, text);
    }
    vec_free(&said);
}

bool flow_print_fate(Out *o, Flow *f, FuncId id, uint32_t line, const char *root)
{
    bool any = false;
    vec_each (i, &f->sources) {
        FlowSource source = f->sources.at[i];
        if (source.func.id != id.id) continue;
        const FlowFunc *g = flow_func(f, id);
        if (line && loc_of(g, source.ins)->line != line) continue;
        Arena *a = arena_new("fate");
        const char *from = callee_of(f, g, source.ins);
        out_printf(o, "%smemory from `%s` at %s\n", any ? "\n" : "", from ? from : "an allocation",
                   place_of(a, g, source.ins, root));
        Slice s;
        slice_run(&s, f, source);
        flow_count(f, &s.funcs, s.reached.len, &s.ups, &s.result);
        print_owner(o, &s, name_of_func(s.contexts.at[0].g));
        print_releases(o, a, &s, root);
        slice_free(&s);
        arena_free(a);
        any = true;
    }
    return any;
}
