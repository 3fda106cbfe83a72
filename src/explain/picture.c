// The heap at the moment of loss, for the picture in the HTML report: the variables that hold
// something, the objects, the cells that point from one to another, the lost one cut off.
#include "explain/explain.h"

#include "explain/limits.h"

#include <string.h>

typedef struct {
    Work *w;
    const State *s;
    Finding *f;
    Map nodes; // base term -> node number
    uint32_t objects, variables;
    uint32_t from; // node whose cells are being drawn
    const char *label;
} Picture;

static bool node_for(Picture *p, Term base, uint32_t *node)
{
    uint64_t *known = map_get(&p->nodes, base.id);
    if (known) {
        *node = (uint32_t)*known;
        return true;
    }
    if (term_kind(&p->w->terms, base) != T_HEAP || p->objects == MAX_OBJECTS) return false;
    const ObjInfo *info = obj_info(p->w, base);
    if (!info) return false;
    char *label = mem_printf("%s()", source_name(p->w, info));
    *node = finding_node(p->f, HEAP_OBJECT, label, NULL);
    mem_free(label);
    p->f->nodes.at[*node].made = pos_of_ins(p->w, info->ins);
    p->f->nodes.at[*node].freed = obj_get(p->s, base).status == OBJ_FREED;
    map_set(&p->nodes, base.id, *node);
    p->objects++;
    return true;
}

static void edge_to(void *context, Term base)
{
    Picture *p = context;
    uint32_t to;
    if (node_for(p, base, &to)) finding_edge(p->f, p->from, to, p->label);
}

static bool draw_variable(void *context, uint64_t key, uint64_t value)
{
    Picture *p = context;
    Work *w = p->w;
    if (p->variables++ >= MAX_VARIABLES) return false;
    const Var *v = &w->unit->vars.at[w->func->first_var + key - 1];
    p->from = finding_node(p->f, HEAP_VARIABLE, name_text(w->unit->names, v->name), NULL);
    p->label = NULL;
    term_each_base(&w->terms, (Term){(uint32_t)value}, edge_to, p);
    return true;
}

// The field's own name, by the last part of "u->name"; by its offset where it has none.
static char *field_label(Picture *p, Term home, int64_t offset)
{
    const char *place = names_place(p->w, term_field(&p->w->terms, home, offset));
    const char *arrow = NULL;
    for (const char *at = place; at && (at = strstr(at, "->")); at += 2) arrow = at + 2;
    if (arrow && *arrow) return mem_printf("%s", arrow);
    return offset ? mem_printf("+%lld", (long long)offset) : NULL;
}

static bool draw_cell(void *context, uint64_t key, uint64_t value)
{
    Picture *p = context;
    Term x = cell_term(value);
    if (!(term_node(&p->w->terms, x)->flags & TERM_HAS_HEAP)) return true;
    Term base = term_address(&p->w->terms, cell_base(key)).base;
    int64_t offset = cell_offset(key);
    if (term_kind(&p->w->terms, base) == T_LOCAL) {
        if (p->variables++ >= MAX_VARIABLES) return true;
        uint32_t local = term_node(&p->w->terms, base)->a;
        const Local *l = &p->w->unit->locals.at[p->w->func->first_local + local - 1];
        p->from = finding_node(p->f, HEAP_VARIABLE, name_text(p->w->unit->names, l->name), NULL);
    } else if (!node_for(p, base, &p->from)) {
        return true;
    }
    char *label = field_label(p, cell_base(key), offset);
    p->label = label;
    term_each_base(&p->w->terms, x, edge_to, p);
    mem_free(label);
    return true;
}

void picture_of_loss(Work *w, const State *s, Finding *f, Term lost, const char *variable)
{
    Picture p = {.w = w, .s = s, .f = f};
    uint32_t node;
    if (!node_for(&p, lost, &node)) return;
    f->nodes.at[node].lost = true;
    pmap_each(s->vars, draw_variable, &p);
    pmap_each(s->mem, draw_cell, &p);
    bool held = false;
    vec_each (i, &f->edges) held |= f->edges.at[i].to == node;
    if (variable && !held) {
        uint32_t from = finding_node(f, HEAP_VARIABLE, variable, NULL);
        finding_edge(f, from, node, NULL)->cut = true;
    }
    map_free(&p.nodes);
}
