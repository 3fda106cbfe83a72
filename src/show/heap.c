// stanch show heap: the function's exits as program contexts [s, t, p] of symbolic pointer
// analysis: the path condition and the state condition apart (section 2), the heap as a chain of
// new, put and free (section 3.1), and the pointer graph (section 4), whose root is what outlives
// the call: the result, the arguments, the globals and unknown code. A record that the root does
// not reach has leaked.
//
// A Work is thrown away after its function; so the function is evaluated once more, with the
// summaries of its callees as they are in the end.
#include "heap/limits.h"
#include "logic/solve.h"
#include "show/anchor.h"
#include "show/show.h"
#include "walk/walk.h"

typedef struct {
    const char *from, *label, *to;
    Term base;   // what `to` is
    bool rooted; // `from` outlives the call
} GraphEdge;

typedef struct {
    Anchors names;
    Work *w;
    const State *s;
    Term result;
    Reach reached; // from the root
    VEC(const char *) path, state;
    VEC(GraphEdge) edges;
    // of the cell or variable being looked at
    const char *from, *label;
    Typed object;
    bool rooted, learning;
} Heap;

static const char *text_of_line(Heap *h, uint32_t ins)
{
    Pos p = pos_of_ins(h->w, ins);
    return arena_printf(h->names.arena, "line %u", p.line);
}

// ---- conditions ----

static bool among(const char *const *list, uint32_t count, const char *text)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0) return true;
    return false;
}

static const Range *truth_range(bool truth)
{
    static const Range yes = {.smin = -1, .smax = -1, .umin = 1, .umax = 1}, no = {0};
    return truth ? &yes : &no;
}

static bool visit_fact(void *context, uint64_t key, uint64_t value)
{
    Heap *h = context;
    const char *text =
        anchor_guard(&h->names, (Term){(uint32_t)key}, cond_fact(&h->w->conds, value));
    if (!among(h->path.at, h->path.len, text) && !among(h->state.at, h->state.len, text))
        vec_push(&h->state, text);
    return true;
}

static void find_conditions(Heap *h, const Story *const *chain, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (chain[i]->kind != STORY_BRANCH) continue;
        const char *text = anchor_guard(&h->names, chain[i]->a, truth_range(chain[i]->flag));
        if (!among(h->path.at, h->path.len, text)) vec_push(&h->path, text);
    }
    pmap_each(h->s->facts, visit_fact, h);
}

static void print_all(Out *o, const char *word, const char *const *list, uint32_t count)
{
    out_printf(o, "  %-16s", word);
    for (uint32_t i = 0; i < count; i++) out_printf(o, "%s%s", i ? " and " : "", list[i]);
    out_text(o, count ? "\n" : "true\n");
}

// ---- the chain ----

static void print_link(Out *o, Heap *h, const Story *e)
{
    Anchors *a = &h->names;
    switch ((StoryKind)e->kind) {
    case STORY_NEW: {
        const ObjInfo *info = obj_info(h->w, e->a);
        out_printf(o, " (+) new(%s, %s, %s)", anchor_location(a, e->a),
                   info ? info->allocator : "?", text_of_line(h, e->ins));
        break;
    }
    case STORY_PUT: {
        Address at = term_address(a->terms, e->a);
        if (!at.base.id) break;
        Typed member;
        const char *field =
            anchor_field(a, anchor_object(a, at.base), at.index, at.offset, &member);
        TermKind kind = term_kind(a->terms, at.base);
        const char *record = kind == T_LOCAL || kind == T_GLOBAL ? anchor_location(a, at.base)
                                                                 : anchor_value(a, at.base);
        out_printf(o, " (+) put(%s, %s, %s)", record,
                   !*field         ? "*"
                   : *field == '.' ? field + 1
                                   : field,
                   anchor_value(a, e->b));
        break;
    }
    case STORY_FREE:
        out_printf(o, " (+) free(%s)", anchor_value(a, e->a));
        break;
    case STORY_ESCAPE:
        out_printf(o, " (+) kept(%s)", anchor_value(a, e->a));
        break;
    case STORY_LOST:
        out_printf(o, " (+) lost(%s, %s)", anchor_value(a, e->a), text_of_line(h, e->ins));
        break;
    case STORY_LOOP:
        if (e->flag)
            out_printf(o, " (+) any further rounds of the loop of %s", text_of_line(h, e->ins));
        break;
    case STORY_BELIEF:
    case STORY_BRANCH:
    case STORY_CALL:
    case STORY_THROW:
    case STORY_UNPLACED:
    case STORY_TURN:
        break; // no functions of the heap algebra
    }
}

// ---- the graph ----

static void meet_base(void *context, Term base)
{
    Heap *h = context;
    if (h->learning) {
        anchor_learn(&h->names, base, h->object);
        return;
    }
    vec_push(&h->edges,
             ((GraphEdge){h->from, h->label, anchor_location(&h->names, base), base, h->rooted}));
}

static void meet(Heap *h, const char *from, const char *label, Term value, Typed pointer)
{
    const Terms *t = &h->w->terms;
    if (!value.id || !(term_node(t, value)->flags & TERM_HAS_BASE)) return;
    h->from = from;
    h->label = label;
    h->object = typed_pointee(pointer);
    term_each_base(t, value, meet_base, h);
}

static bool visit_cell(void *context, uint64_t key, uint64_t value)
{
    Heap *h = context;
    Anchors *a = &h->names;
    Address at = term_address(a->terms, cell_base(key));
    if (!at.base.id) return true;
    Typed member;
    const char *field =
        anchor_field(a, anchor_object(a, at.base), at.index, at.offset + cell_offset(key), &member);
    TermKind kind = term_kind(a->terms, at.base);
    h->rooted = kind != T_LOCAL && kind != T_HEAP;
    meet(h, anchor_location(a, at.base), *field == '.' ? field + 1 : field, cell_term(value),
         member);
    return true;
}

static const Var *var_of(const Heap *h, uint64_t id)
{
    if (!id || id > h->w->func->var_count) return NULL;
    return &h->w->unit->vars.at[h->w->func->first_var + id - 1];
}

static bool visit_variable(void *context, uint64_t key, uint64_t value)
{
    Heap *h = context;
    const Var *v = var_of(h, key);
    if (v && !v->param)
        meet(h, name_text(h->w->unit->names, v->name), "", (Term){(uint32_t)value},
             (Typed){h->w->unit, v->type});
    return true;
}

static void visit_graph(Heap *h)
{
    h->rooted = true;
    meet(h, "ret", "", h->result, anchor_result(&h->names));
    h->rooted = false;
    pmap_each(h->s->vars, visit_variable, h);
    pmap_each(h->s->mem, visit_cell, h);
}

static void find_graph(Heap *h)
{
    // What an object's type is: from the variables that ever named it, then along the cells.
    h->learning = true;
    for (uint32_t i = 0; i < h->w->name_of.len; i++) {
        const Var *v = var_of(h, h->w->name_of.entries[i].value);
        if (v)
            meet(h, "", "", (Term){(uint32_t)h->w->name_of.entries[i].key},
                 (Typed){h->w->unit, v->type});
    }
    for (int round = 0; round < EXPLORE_DEPTH; round++) {
        uint32_t known = h->names.types.len;
        visit_graph(h);
        if (h->names.types.len == known) break;
    }
    h->learning = false;
    visit_graph(h);
}

static bool cut_off(const Heap *h, Term base)
{
    ObjState o = obj_get(h->s, base);
    if (o.status == OBJ_LEAKED) return true;
    return o.status == OBJ_ALLOCATED && !(o.flags & OBJF_ESCAPED) && !reach_has(&h->reached, base);
}

static const char *status_word(const Heap *h, Term base)
{
    ObjState o = obj_get(h->s, base);
    if (o.status == OBJ_FREED) return "freed";
    if (cut_off(h, base)) return "cut off";
    if (o.flags & OBJF_ESCAPED) return "kept by unknown code";
    if (o.flags & OBJF_FAMILY) return "several objects of a loop";
    return "reached";
}

typedef struct {
    Heap *heap;
    Out *out;
} Objects;

static bool print_object(void *context, uint64_t key, uint64_t word)
{
    (void)word;
    Objects *k = context;
    Term base = {(uint32_t)key};
    out_printf(k->out, "    %s: %s\n", anchor_location(&k->heap->names, base),
               status_word(k->heap, base));
    return true;
}

static void print_text(Out *o, Heap *h, const Story *const *chain, uint32_t count)
{
    print_all(o, "path condition", h->path.at, h->path.len);
    print_all(o, "state condition", h->state.at, h->state.len);
    out_printf(o, "  %-16s_|_", "heap");
    for (uint32_t i = 0; i < count; i++) print_link(o, h, chain[i]);
    out_char(o, '\n');
    if (h->result.id) out_printf(o, "  %-16s%s\n", "returns", anchor_value(&h->names, h->result));
    if (!h->edges.len && !h->s->objs) return;
    out_text(o, "  pointer graph\n");
    vec_each (i, &h->edges) {
        const GraphEdge *e = &h->edges.at[i];
        out_printf(o, "    %s -%s%s> %s\n", e->from, e->label, *e->label ? "-" : "", e->to);
    }
    Objects k = {h, o};
    pmap_each(h->s->objs, print_object, &k);
}

// ---- drawing ----

typedef struct {
    const char *name, *look;
} DotNode;

typedef VEC(DotNode) DotNodes;

// The place of a node by its name; the first look it is given stays.
static uint32_t dot_node(DotNodes *nodes, const char *name, const char *look)
{
    vec_each (i, nodes)
        if (strcmp(nodes->at[i].name, name) == 0) return i;
    vec_push(nodes, ((DotNode){name, look}));
    return nodes->len - 1;
}

static const char *object_look(const Heap *h, Term base)
{
    if (cut_off(h, base)) return "shape=circle, style=filled, fillcolor=lightgrey";
    if (obj_get(h->s, base).status == OBJ_FREED) return "shape=circle, style=dashed";
    TermKind kind = term_kind(&h->w->terms, base);
    return kind == T_LOCAL || kind == T_GLOBAL ? "shape=box" : "shape=circle";
}

typedef struct {
    Heap *heap;
    DotNodes *nodes;
} DotObjects;

static bool draw_object(void *context, uint64_t key, uint64_t word)
{
    (void)word;
    DotObjects *k = context;
    Term base = {(uint32_t)key};
    dot_node(k->nodes, anchor_location(&k->heap->names, base), object_look(k->heap, base));
    return true;
}

static void print_dot(Out *o, Heap *h, uint32_t number)
{
    DotNodes nodes = {0};
    DotObjects k = {h, &nodes};
    dot_node(&nodes, "root", "shape=diamond");
    pmap_each(h->s->objs, draw_object, &k);
    out_printf(o, "  subgraph cluster%u {\n    label=", number);
    Out *label = out_memory();
    out_printf(label, "exit %u", number);
    vec_each (i, &h->path) out_printf(label, "%s%s", i ? " and " : ": ", h->path.at[i]);
    dot_quoted(o, out_content(label, NULL));
    out_close(label);
    out_text(o, ";\n");
    vec_each (i, &h->edges) {
        const GraphEdge *e = &h->edges.at[i];
        uint32_t before = nodes.len,
                 from =
                     dot_node(&nodes, e->from, e->rooted ? "shape=box" : "shape=box, style=dashed"),
                 to;
        if (e->rooted && from == before)
            out_printf(o, "    x%un0 -> x%un%u;\n", number, number, from);
        to = dot_node(&nodes, e->to, object_look(h, e->base));
        out_printf(o, "    x%un%u -> x%un%u [label=", number, from, number, to);
        dot_quoted(o, e->label);
        out_text(o, "];\n");
    }
    vec_each (i, &nodes) {
        out_printf(o, "    x%un%u [%s, label=", number, i, nodes.at[i].look);
        dot_quoted(o, nodes.at[i].name);
        out_text(o, "];\n");
    }
    out_text(o, "  }\n");
    vec_free(&nodes);
}

// ---- one exit after the other ----

static void print_exit(Out *o, Work *w, const State *s, uint32_t number, bool dot)
{
    Heap h = {.w = w, .s = s};
    h.names = (Anchors){.arena = arena_new("heap"),
                        .program = w->facts->program,
                        .unit = w->unit,
                        .func = w->func,
                        .terms = &w->terms,
                        .source = true};
    uint64_t result = 0;
    pmap_get(s->env, UINT32_MAX, &result);
    h.result.id = (uint32_t)result;
    reach_exit(w, s, h.result, &h.reached);
    VEC(const Story *) newest = {0}, chain = {0};
    for (const Story *e = s->story; e; e = e->prev) vec_push(&newest, e);
    for (uint32_t i = newest.len; i-- > 0;) {
        vec_push(&chain, newest.at[i]);
        // In order of birth.
        if (newest.at[i]->kind == STORY_NEW) anchor_number(&h.names, newest.at[i]->a);
    }
    find_graph(&h);
    find_conditions(&h, chain.at, chain.len);
    if (dot) {
        print_dot(o, &h, number);
    } else {
        Pos at = pos_of(w, s->left_by ? s->left_by : s->last_loc);
        out_printf(o, "exit %u", number);
        if (at.line) out_printf(o, ", line %u", at.line);
        if (s->flags & STATE_UNWINDING) out_text(o, ", by an exception");
        if (s->flags & STATE_GENERAL) out_text(o, ", through a generalised loop");
        if (s->flags & STATE_JOINED) out_text(o, ", joined from several paths");
        out_char(o, '\n');
        print_text(o, &h, chain.at, chain.len);
    }
    vec_free(&newest);
    vec_free(&chain);
    vec_free(&h.path);
    vec_free(&h.state);
    vec_free(&h.edges);
    reach_free(&h.reached);
    Arena *arena = h.names.arena;
    anchors_free(&h.names);
    arena_free(arena);
}

void show_heap_of(Out *o, Callees *callees, FuncId f, bool dot)
{
    const Program *p = callees->facts->program;
    if (!program_has_code(p, f)) return;
    Findings *scratch = findings_new();
    Arena *arena = arena_new("label");
    const char *name = program_label(p, arena, f);
    Work w;
    Solver *solver = solver_new();
    work_init(&w, callees, &(WorkOptions){.solver = solver}, f, scratch);
    walk(&w, &(State){0});
    if (dot) {
        out_text(o, "digraph ");
        dot_quoted(o, name);
        out_text(o, " {\n");
    } else {
        out_printf(o, "%s: %u exit%s%s%s\n", name, w.exits.len, w.exits.len == 1 ? "" : "s",
                   w.gave_up ? ", given up" : "",
                   w.dropped_states ? ", paths were dropped"
                   : w.blurred      ? ", paths were joined that hold different objects"
                                    : "");
    }
    vec_each (i, &w.exits) print_exit(o, &w, &w.exits.at[i], i + 1, dot);
    if (dot) out_text(o, "}\n");
    work_free(&w);
    solver_free(solver);
    arena_free(arena);
    findings_free(scratch);
}
