// The dumps: `stanch show flow F` and `stanch show slice FILE:LINE`, as text and for Graphviz.
#include "flow/flow_int.h"

#include <string.h>

static void print_region(Out *o, const Flow *f, const FlowFunc *g, uint32_t region)
{
    const Region *r = &g->regions.at[region];
    uint32_t number;
    if (r->local) {
        Out *text = out_memory();
        points_print_cell(text, f->points, f->cells.at[sbits_next(&r->cells->set, 0)]);
        const char *name = out_content(text, NULL), *colon = strchr(name, ':');
        out_text(o, colon ? colon + 1 : name);
        out_discard(text);
        return;
    }
    out_text(o, "R(");
    const char *comma = "";
    for (SIter i = sbits_iter(&r->cells->set); sbits_step(&i, &number); comma = ", ") {
        out_text(o, comma);
        points_print_cell(o, f->points, f->cells.at[number]);
    }
    out_char(o, ')');
}

static void print_version(Out *o, const Flow *f, const FlowFunc *g, uint32_t version)
{
    const Version *v = &g->versions.at[version];
    print_region(o, f, g, v->region);
    out_printf(o, "_%u", v->number);
}

static void print_node(Out *o, const Flow *f, const FlowFunc *g, uint32_t node, UnitPrinter *up)
{
    if (node_is_version(g, node))
        print_version(o, f, g, version_of_node(g, node));
    else if (node < g->f->param_count)
        unit_printer_ref(up, ref_param(node));
    else
        unit_printer_ref(up, ref_ins(node - g->f->param_count));
}

static const char *func_name(const FlowFunc *g)
{
    return name_text(g->u->names, g->f->source);
}

static uint32_t line_of(const FlowFunc *g, uint32_t ins)
{
    return g->u->locs.at[func_ins(g->u, g->f, ins)->loc].line;
}

static void print_escapes(Out *o, uint32_t to)
{
    static const char *const words[] = {"global", "unseen memory", "unknown code",
                                        "keeper", "callers",       "others"};
    const char *comma = " (";
    for (uint32_t k = 0; k < sizeof words / sizeof *words; k++)
        if (to >> k & 1) {
            out_printf(o, "%s%s", comma, words[k]);
            comma = ", ";
        }
    if (to) out_char(o, ')');
}

// ---- show flow ----

static void print_use(Out *o, const Flow *f, const FlowFunc *g, const Use *use, UnitPrinter *up)
{
    const Unit *u;
    switch (use->kind) {
    case USE_FLOW:
        print_node(o, f, g, use->node, up);
        break;
    case USE_ARG:
        out_printf(o, "parameter %u of %s at line %u", use->index + 1,
                   name_text((program_decl(f->program, (FuncId){use->other}, &u), u)->names,
                             program_decl(f->program, (FuncId){use->other}, &u)->source),
                   line_of(g, use->ins));
        break;
    case USE_MEMORY:
        out_printf(o, "memory of %s at line %u",
                   name_text((program_decl(f->program, (FuncId){use->other}, &u), u)->names,
                             program_decl(f->program, (FuncId){use->other}, &u)->source),
                   line_of(g, use->ins));
        break;
    case USE_RETURN:
        out_text(o, "returned");
        break;
    case USE_OUT:
        out_text(o, "memory of the callers");
        break;
    case USE_SINK:
        out_printf(o, "released at line %u", line_of(g, use->ins));
        break;
    case USE_ESCAPE:
        out_printf(o, "escapes at line %u", line_of(g, use->ins));
        print_escapes(o, use->index);
        break;
    }
}

static bool is_shown(const FlowFunc *g, const Flow *f, uint32_t node)
{
    if (node_is_version(g, node)) return g->first_use[node] != 0;
    Ref r = node < g->f->param_count ? ref_param(node) : ref_ins(node - g->f->param_count);
    const SBits *set = points_set(f->points, g->id, r);
    return g->first_use[node] && set && !sbits_is_empty(set);
}

static void print_ssa(Out *o, const Flow *f, const FlowFunc *g, UnitPrinter *up)
{
    uint32_t mu = 0, chi = 0;
    for (uint32_t i = 0; i < g->f->ins_count; i++) {
        const Block *block = func_block(g->u, g->f, g->block_of[i]);
        if (block->first == i)
            for (uint32_t v = 0; v < g->versions.len; v++) {
                const Version *phi = &g->versions.at[v];
                if (phi->kind != VERSION_PHI || phi->block != g->block_of[i]) continue;
                out_text(o, "    ");
                print_version(o, f, g, v);
                out_text(o, " = phi(");
                for (uint32_t k = 0; k < g->cfg->pred[phi->block].count; k++) {
                    if (k) out_text(o, ", ");
                    print_version(o, f, g, g->phi_args.at[phi->first_arg + k]);
                }
                out_text(o, ")\n");
            }
        bool any = false;
        for (; mu < g->mus.len && g->mus.at[mu].ins == i; mu++) {
            out_text(o, any ? " mu(" : "    mu(");
            print_version(o, f, g, g->mus.at[mu].version);
            out_char(o, ')');
            any = true;
        }
        if (any) out_char(o, '\n');
        bool writes = chi < g->chis.len && g->chis.at[chi].ins == i;
        if (any || writes) {
            out_text(o, "  ");
            unit_printer_ins(up, i);
            out_char(o, '\n');
        }
        for (; chi < g->chis.len && g->chis.at[chi].ins == i; chi++) {
            out_text(o, "    ");
            print_version(o, f, g, g->chis.at[chi].version);
            out_text(o, " = chi(");
            print_version(o, f, g, g->versions.at[g->chis.at[chi].version].old);
            out_text(o, ")\n");
        }
    }
}

void flow_print(Out *o, Flow *f, FuncId id, bool dot)
{
    if (!program_has_code(f->program, id) || points_spec(f->points, id)) return;
    FlowFunc *g = flow_func(f, id);
    UnitPrinter *up = unit_printer_new(o, g->u, g->f);
    if (dot) {
        out_printf(o, "digraph \"%s\" {\n  node [shape=box];\n", func_name(g));
    } else {
        out_printf(o, "%s\n", func_name(g));
        print_ssa(o, f, g, up);
        out_text(o, "  edges\n");
    }
    for (uint32_t n = 0; n < g->node_count; n++) {
        if (!is_shown(g, f, n)) continue;
        for (uint32_t u = g->first_use[n]; u; u = g->uses.at[u - 1].next) {
            const Use *use = &g->uses.at[u - 1];
            out_text(o, dot ? "  \"" : "    ");
            print_node(o, f, g, n, up);
            out_text(o, dot ? "\" -> \"" : " -> ");
            print_use(o, f, g, use, up);
            out_text(o, dot ? "\"" : "");
            if (use->weak) out_text(o, dot ? " [style=dashed]" : " (may)");
            out_text(o, dot ? ";\n" : "\n");
        }
    }
    if (dot) out_text(o, "}\n");
    unit_printer_free(up);
}

// ---- show slice ----

static void print_reach(Out *o, Slice *s, uint32_t r)
{
    const ReachedNode *x = &s->reached.at[r];
    const FlowFunc *g = s->contexts.at[x->context].g;
    UnitPrinter *up = unit_printer_new(o, g->u, g->f);
    out_printf(o, "%s ", func_name(g));
    print_node(o, s->f, g, x->node, up);
    unit_printer_free(up);
}

static void print_end(Out *o, Slice *s, const SliceEdge *e)
{
    const FlowFunc *g = s->contexts.at[s->reached.at[e->reach].context].g;
    UnitPrinter *up = unit_printer_new(o, g->u, g->f);
    print_use(o, s->f, g, e->use, up);
    unit_printer_free(up);
}

static Bdd guard_of(Slice *s, const SliceEdge *e)
{
    const ReachedNode *r = &s->reached.at[e->reach];
    const FlowFunc *g = s->contexts.at[r->context].g;
    Bdd way = guard_between(s, r->context, flow_block_of(g, r->node), e->use->block);
    if (e->use->into)
        way = bdd_and(&s->bdds, way, guard_edge(s, r->context, e->use->block, e->use->into - 1));
    return bdd_and(&s->bdds, r->guard, way);
}

static void print_verdict(Out *o, const Slice *s)
{
    const FlowFunc *g = s->contexts.at[0].g;
    out_printf(o, "%s: allocation at line %u: %s%s%s", func_name(g), line_of(g, s->source.ins),
               flow_verdict_text(s->result.verdict),
               s->result.verdict == FLOW_FREED && !s->result.sure ? " (may)" : "",
               s->result.gave_up ? " (gave up)" : "");
    if (s->result.verdict == FLOW_ESCAPES) print_escapes(o, s->result.escapes);
    out_char(o, '\n');
}

static void print_slice(Out *o, Slice *s, bool dot)
{
    flow_count(s->f, &s->funcs, s->reached.len, &s->ups, &s->result);
    if (dot)
        out_text(o, "digraph slice {\n  node [shape=box];\n");
    else
        print_verdict(o, s);
    vec_each (i, &s->edges) {
        const SliceEdge *e = &s->edges.at[i];
        bool useful = e->to ? s->reached.at[e->to - 1].useful : e->use->kind == USE_SINK;
        out_text(o, dot ? "  \"" : "  ");
        print_reach(o, s, e->reach);
        out_text(o, dot ? "\" -> \"" : " -> ");
        if (e->to)
            print_reach(o, s, e->to - 1);
        else
            print_end(o, s, e);
        if (dot) {
            out_printf(o, "\" [label=\"");
            Out *text = out_memory();
            size_t len;
            guard_print(text, s, guard_of(s, e));
            const char *label = out_content(text, &len);
            out_html(o, label, len);
            out_discard(text);
            out_printf(o, "\"%s];\n", useful ? "" : ", style=dotted");
        } else {
            if (e->use->kind != USE_FLOW || e->use->into) {
                out_text(o, "  if ");
                guard_print(o, s, guard_of(s, e));
            }
            out_text(o, useful ? "\n" : "  (no release ahead)\n");
        }
    }
    if (dot) {
        out_text(o, "}\n");
        return;
    }
    Bdds *b = &s->bdds;
    Bdd open = bdd_and(b, s->ends, bdd_not(b, bdd_or(b, s->sinks, s->exits)));
    out_text(o, "  released if ");
    guard_print(o, s, s->sinks);
    if (s->left) {
        out_text(o, ", left to the callers if ");
        guard_print(o, s, s->exits);
    }
    out_text(o, ", lost if ");
    guard_print(o, s, open);
    if (s->crosses) out_text(o, ", may live on into the next iteration");
    out_printf(o, "\n  %u functions, %u nodes forward, %u backward\n", s->result.functions,
               s->result.nodes, s->result.kept);
}

bool flow_print_slices(Out *o, Flow *f, FuncId id, uint32_t line, bool dot)
{
    bool any = false;
    vec_each (i, &f->sources) {
        FlowSource source = f->sources.at[i];
        if (source.func.id != id.id) continue;
        FlowFunc *g = flow_func(f, id);
        if (line && line_of(g, source.ins) != line) continue;
        Slice s;
        slice_run(&s, f, source);
        print_slice(o, &s, dot);
        slice_free(&s);
        any = true;
    }
    return any;
}
