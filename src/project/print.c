// The projection for people: text, and Graphviz beside the original graph.
#include "project/project.h"

// What an outcome is called: true, false, a case, default, unwind.
static void outcome_text(Out *o, const Unit *u, const Func *f, uint32_t block, uint32_t outcome)
{
    const Block *b = func_block(u, f, block);
    const Ins *t = func_ins(u, f, b->first + b->count - 1);
    switch ((Op)t->op) {
    case OP_BRANCH:
        out_text(o, outcome == 0 ? "true" : "false");
        break;
    case OP_INVOKE:
        out_text(o, outcome == 0 ? "normal" : "unwind");
        break;
    case OP_SWITCH:
        if (outcome == t->c) {
            out_text(o, "default");
        } else {
            Ref r = {*func_extra(u, f, t->b + 2 * outcome)};
            out_printf(o, "%lld", (long long)u->consts.at[ref_index(r)].value);
        }
        break;
    default:
        out_printf(o, "way %u", outcome);
        break;
    }
}

static void node_name(Out *o, const ProjectNode *n, uint32_t i)
{
    if (n->flags & PROJECT_JUNCTION)
        out_printf(o, "junction %u", i);
    else
        out_printf(o, "b%u", n->block);
}

static void flag_words(Out *o, const ProjectNode *n)
{
    if (n->flags & PROJECT_ENTRY) out_text(o, " entry");
    if (n->flags & PROJECT_EXIT) out_text(o, " exit");
    if (n->flags & PROJECT_CLOSED) out_text(o, " closed");
}

void project_print(Out *o, const Unit *u, const Func *f, const Projection *p)
{
    uint32_t junctions = 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        junctions += (p->nodes[i].flags & PROJECT_JUNCTION) != 0;
    out_printf(o, "project %s: %u of %u blocks, %u of %u instructions, %u edges",
               name_text(u->names, f->name), p->node_count - junctions, f->block_count,
               p->ins_count, f->ins_count, p->edge_count);
    if (junctions) out_printf(o, ", %u junctions", junctions);
    out_char(o, '\n');
    UnitPrinter *printer = unit_printer_new(o, u, f);
    for (uint32_t i = 0; i < p->node_count; i++) {
        const ProjectNode *n = &p->nodes[i];
        node_name(o, n, i);
        flag_words(o, n);
        out_text(o, ":\n");
        for (uint32_t k = 0; k < n->ins_count; k++) {
            out_text(o, "  ");
            unit_printer_ins(printer, p->ins[n->first_ins + k]);
            out_char(o, '\n');
        }
        for (uint32_t k = 0; k < n->edge_count; k++) {
            const ProjectEdge *e = &p->edges[n->first_edge + k];
            out_text(o, "  ");
            if (e->outcome != PROJECT_ANY) {
                outcome_text(o, u, f, n->block, e->outcome);
                out_char(o, ' ');
            }
            out_text(o, "-> ");
            node_name(o, &p->nodes[e->to], e->to);
            out_char(o, '\n');
        }
    }
    unit_printer_free(printer);
}

static void dot_text(Out *o, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\') out_char(o, '\\');
        out_char(o, s[i]);
    }
}

typedef struct {
    Out *o, *line; // line: all instructions printed so far; each is copied on with its escapes
    size_t done;
    UnitPrinter *printer;
} Dot;

static void dot_ins(Dot *d, uint32_t ins)
{
    size_t len;
    unit_printer_ins(d->printer, ins);
    const char *s = out_content(d->line, &len);
    dot_text(d->o, s + d->done, len - d->done);
    out_text(d->o, "\\l");
    d->done = len;
}

static void dot_original(Dot *d, const Unit *u, const Func *f, const Projection *p)
{
    Out *o = d->o;
    U32s succs = {0};
    out_text(o, "  subgraph cluster_g {\n    label=\"the function\";\n");
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(u, f, b);
        out_printf(o, "    g%u [label=\"b%u\\l", b, b);
        for (uint32_t i = 0; i < block->count; i++) dot_ins(d, block->first + i);
        out_printf(o, "\"%s];\n", p->node_of[b] ? ",style=filled,fillcolor=lightgrey" : "");
    }
    for (uint32_t b = 0; b < f->block_count; b++) {
        vec_clear(&succs);
        block_successors(u, f, b, &succs);
        vec_each (i, &succs) out_printf(o, "    g%u -> g%u;\n", b, succs.at[i]);
    }
    out_text(o, "  }\n");
    vec_free(&succs);
}

void project_print_dot(Out *o, const Unit *u, const Func *f, const Projection *p)
{
    Dot d = {.o = o, .line = out_memory()};
    d.printer = unit_printer_new(d.line, u, f);
    out_text(o, "digraph \"");
    dot_text(o, name_text(u->names, f->name), name_len(u->names, f->name));
    out_text(o, "\" {\n  node [shape=box,fontname=monospace];\n");
    dot_original(&d, u, f, p);
    out_text(o, "  subgraph cluster_p {\n    label=\"its projection\";\n");
    for (uint32_t i = 0; i < p->node_count; i++) {
        const ProjectNode *n = &p->nodes[i];
        out_printf(o, "    p%u [label=\"", i);
        node_name(o, n, i);
        flag_words(o, n);
        out_text(o, "\\l");
        for (uint32_t k = 0; k < n->ins_count; k++) dot_ins(&d, p->ins[n->first_ins + k]);
        out_printf(o, "\"%s];\n", n->flags & PROJECT_JUNCTION ? ",shape=diamond" : "");
    }
    for (uint32_t i = 0; i < p->node_count; i++) {
        const ProjectNode *n = &p->nodes[i];
        for (uint32_t k = 0; k < n->edge_count; k++) {
            const ProjectEdge *e = &p->edges[n->first_edge + k];
            out_printf(o, "    p%u -> p%u", i, e->to);
            if (e->outcome != PROJECT_ANY) {
                out_text(o, " [label=\"");
                outcome_text(o, u, f, n->block, e->outcome);
                out_text(o, "\"]");
            }
            out_text(o, ";\n");
        }
    }
    out_text(o, "  }\n}\n");
    unit_printer_free(d.printer);
    out_discard(d.line);
}
