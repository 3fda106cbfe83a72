// stanch show summary: the guarded cases of a summary, and Sparrow's eight categories computed from
// them (section 4.2), with anchors; as a graph, the pictures of its Fig. 3 to 8.
//
// The categories come from two graphs of each case. Before: what the arguments and the globals led
// to on entry, as far as the function looked (INPUT terms; the paper's Sreach). After: the same,
// with the cells that the function wrote in place of what stood there (reach). A category lists
// the place where the function made a new connection, not all that was behind it already.
#include "show/anchor.h"
#include "show/show.h"

enum {
    ALLOC2ARG,
    ALLOC2RET,
    GLOB2ARG,
    GLOB2RET,
    ARG2FREE,
    ARG2GLOB,
    ARG2ARG,
    ARG2RET,
    CATEGORY_COUNT,
    MAX_PATHS = 400, // of one root; a list of unrolled rounds is longer than anybody reads
};

static const char *const category_names[] = {"Alloc2Arg", "Alloc2Ret", "Glob2Arg", "Glob2Ret",
                                             "Arg2Free",  "Arg2Glob",  "Arg2Arg",  "Arg2Ret"};

typedef struct {
    Anchors names;
    const Summary *sum;
    VEC(const char *) listed[CATEGORY_COUNT];
} Show;

static void list(Show *s, int category, const char *text)
{
    vec_each (i, &s->listed[category])
        if (strcmp(s->listed[category].at[i], text) == 0) return;
    vec_push(&s->listed[category], text);
}

// ---- the two graphs ----

typedef struct {
    Term base;
    const char *path; // anchor of the location
    bool made;        // the last edge is the function's work
} SummaryPlace;

typedef struct {
    Show *show;
    const Case *c; // null: before
    Map seen;      // base -> index in places
    VEC(SummaryPlace) places;
    const char *path; // of the edge being followed
    Typed object;
    bool made;
} Tour;

static void arrive(void *context, Term base)
{
    Tour *t = context;
    if (t->places.len >= MAX_PATHS) return;
    bool fresh;
    map_at(&t->seen, base.id, t->places.len, &fresh);
    if (!fresh) return;
    anchor_learn(&t->show->names, base, t->object);
    vec_push(&t->places,
             ((SummaryPlace){base, arena_printf(t->show->names.arena, "%s*", t->path), t->made}));
}

static void follow(Tour *t, Term value, const char *path, Typed pointer, bool made)
{
    const Terms *terms = &t->show->sum->terms;
    if (!value.id || !(term_node(terms, value)->flags & TERM_HAS_BASE)) return;
    t->path = path;
    t->object = typed_pointee(pointer);
    t->made = made;
    term_each_base(terms, value, arrive, t);
}

static bool is_freed(const Case *c, Term base)
{
    for (uint32_t i = 0; c && i < c->free_count; i++)
        if (term_same(c->frees[i].base, base)) return true;
    return false;
}

static bool is_written(const Terms *terms, const Case *c, Term base, int64_t offset)
{
    for (uint32_t i = 0; c && i < c->effect_count; i++) {
        Address at = term_address(terms, c->effects[i].base);
        if (term_same(at.base, base) && !at.index.id && c->effects[i].offset == offset) return true;
    }
    return false;
}

// Whether the value may lead on: of a known type that is no pointer, it does not.
static bool may_point(Show *s, Term x, Typed type)
{
    if (term_width(&s->sum->terms, x) != s->sum->terms.pointer_bits) return false;
    if (!type.unit || !type.type.id) return true;
    TypeKind k = (TypeKind)type.unit->types.at[plain_type(type.unit, type.type).id].kind;
    return k != TYPE_INT && k != TYPE_BOOL && k != TYPE_FLOAT && k != TYPE_ENUM;
}

// The cells of one location: `path` is its anchor.
static void follow_cells(Tour *t, Term base, const char *path)
{
    Show *s = t->show;
    const Terms *terms = &s->sum->terms;
    if (is_freed(t->c, base)) return; // what it held is gone with it
    Typed object = anchor_object(&s->names, base), member;
    for (uint32_t i = 0; t->c && i < t->c->effect_count; i++) {
        const Effect *e = &t->c->effects[i];
        Address at = term_address(terms, e->base);
        if (!term_same(at.base, base)) continue;
        const char *field = anchor_field(&s->names, object, at.index, e->offset, &member);
        follow(t, e->value, arena_printf(s->names.arena, "%s%s", path, field), member, true);
    }
    vec_each (i, &terms->nodes) {
        const TermNode *n = &terms->nodes.at[i];
        if (i == 0 || n->kind != T_INPUT) continue;
        Address at = term_address(terms, (Term){n->a});
        if (!term_same(at.base, base)) continue;
        Term index = n->b ? (Term){n->b} : at.index;
        int64_t offset = at.offset + n->value;
        if (!index.id && is_written(terms, t->c, base, offset)) continue;
        const char *field = anchor_field(&s->names, object, index, offset, &member);
        if (!may_point(s, (Term){i}, member)) continue;
        follow(t, (Term){i}, arena_printf(s->names.arena, "%s%s", path, field), member, false);
    }
}

static void follow_all(Tour *t)
{
    for (uint32_t i = 0; i < t->places.len; i++) {
        SummaryPlace p = t->places.at[i];
        follow_cells(t, p.base, p.path);
    }
}

static void tour_free(Tour *t)
{
    map_free(&t->seen);
    vec_free(&t->places);
}

static Tour tour_arg(Show *s, const Case *c, uint32_t number)
{
    Tour t = {.show = s, .c = c};
    const Terms *terms = &s->sum->terms;
    vec_each (i, &terms->nodes) {
        const TermNode *n = &terms->nodes.at[i];
        if (i == 0 || n->kind != T_PARAM || n->a != number) continue;
        Typed type = anchor_param(&s->names, number);
        if (may_point(s, (Term){i}, type))
            follow(&t, (Term){i}, arena_printf(s->names.arena, "arg%u", number + 1), type, false);
    }
    follow_all(&t);
    return t;
}

static Tour tour_result(Show *s, const Case *c)
{
    Tour t = {.show = s, .c = c};
    if (c) follow(&t, c->result, "ret", anchor_result(&s->names), true);
    follow_all(&t);
    return t;
}

static Tour tour_globals(Show *s, const Case *c)
{
    Tour t = {.show = s, .c = c};
    const Terms *terms = &s->sum->terms;
    vec_each (i, &terms->nodes)
        if (i && terms->nodes.at[i].kind == T_GLOBAL)
            follow_cells(&t, (Term){i}, anchor_location(&s->names, (Term){i}));
    follow_all(&t);
    return t;
}

// Where an input's access path begins: a PARAM or a GLOBAL; others are their own origin.
static Term origin(const Terms *terms, Term base)
{
    while (term_kind(terms, base) == T_INPUT)
        base = term_address(terms, (Term){term_node(terms, base)->a}).base;
    return base;
}

static bool is_global(const Show *s, Term base)
{
    return term_kind(&s->sum->terms, origin(&s->sum->terms, base)) == T_GLOBAL;
}

static const SummaryPlace *find(const Tour *t, Term base)
{
    uint64_t *at = map_get(&t->seen, base.id);
    return at ? &t->places.at[*at] : NULL;
}

// ---- the categories ----

static bool is_allocated(const Case *c, Term base)
{
    for (uint32_t i = 0; i < c->object_count; i++)
        if (term_same(c->objects[i].term, base)) return true;
    return false;
}

static void categories_of(Show *s, const Case *c)
{
    uint32_t params = s->names.func->param_count;
    Tour global = tour_globals(s, c), ret = tour_result(s, c);
    Tour *before = arena_array_of(s->names.arena, Tour, params),
         *after = arena_array_of(s->names.arena, Tour, params);
    for (uint32_t i = 0; i < params; i++) {
        before[i] = tour_arg(s, NULL, i);
        after[i] = tour_arg(s, c, i);
    }
    vec_each (k, &ret.places) {
        const SummaryPlace *p = &ret.places.at[k];
        if (is_allocated(c, p->base) && !find(&global, p->base)) list(s, ALLOC2RET, p->path);
        if (p->made && is_global(s, p->base)) list(s, GLOB2RET, p->path);
    }
    for (uint32_t i = 0; i < params; i++) {
        vec_each (k, &after[i].places) {
            const SummaryPlace *p = &after[i].places.at[k];
            if (is_allocated(c, p->base) && !find(&global, p->base)) list(s, ALLOC2ARG, p->path);
            if (p->made && is_global(s, p->base)) list(s, GLOB2ARG, p->path);
            for (uint32_t j = 0; j < params; j++) {
                const SummaryPlace *from = p->made ? find(&before[j], p->base) : NULL;
                if (from && strcmp(from->path, p->path) != 0)
                    list(s, ARG2ARG, arena_printf(s->names.arena, "(%s, %s)", from->path, p->path));
            }
        }
        vec_each (k, &before[i].places) {
            const SummaryPlace *p = &before[i].places.at[k];
            if (is_freed(c, p->base)) list(s, ARG2FREE, p->path);
            const SummaryPlace *to = find(&global, p->base);
            if (to && to->made) list(s, ARG2GLOB, p->path);
            to = find(&ret, p->base);
            if (to && to->made)
                list(s, ARG2RET, arena_printf(s->names.arena, "(%s, %s)", p->path, to->path));
        }
    }
    for (uint32_t i = 0; i < params; i++) {
        tour_free(&before[i]);
        tour_free(&after[i]);
    }
    tour_free(&global);
    tour_free(&ret);
}

// ---- text ----

static void print_terms(Out *o, Show *s, const char *word, const Term *terms, uint32_t count)
{
    if (!count) return;
    out_printf(o, "    %-10s", word);
    for (uint32_t i = 0; i < count; i++)
        out_printf(o, "%s%s", i ? ", " : "", anchor_location(&s->names, terms[i]));
    out_char(o, '\n');
}

// The lists of plain terms that case.def has a word for.
static void print_lists(Out *o, Show *s, const Case *c)
{
    const struct {
        const char *word;
        const void *at;
        uint32_t count, size;
    } lists[] = {
#define LIST(type, name, count, least, kind, join, word) {word, c->name, c->count, sizeof(type)},
#define WAYS(name, join)
#define TERM(name, join)
#define FLAG(name, join)
#define NUMBER(name, join)
#define TEXT(name, join)
#define DOUBTS(name)
#include "summary/case.def"
#include "summary/rows_end.h"
    };
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].word) {
            if (lists[i].size != sizeof(Term)) die("case.def: only lists of terms have a word");
            print_terms(o, s, lists[i].word, lists[i].at, lists[i].count);
        }
}

// A comparison and the range that it gave its operand often read the same.
static void print_guards(Out *o, Show *s, const Guard *guards, uint32_t count, const char *word)
{
    Anchors *a = &s->names;
    const char **texts = arena_array_of(a->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = anchor_guard(a, guards[i].term, &guards[i].range);
        bool again = false;
        for (uint32_t k = 0; k < i; k++) again |= strcmp(texts[k], texts[i]) == 0;
        if (!again) out_printf(o, "%s%s", i ? "; " : word, texts[i]);
    }
}

// All rows of error.def.
static void print_error(Out *o, Show *s, const ErrorCase *e, uint32_t number)
{
    const Program *p = s->names.program;
    out_printf(o, "  error %u", number);
#define LIST(type, name, count, least, kind, join, word)                                           \
    print_guards(o, s, e->name, e->count, ": " word " ");
#define FUNC(name, join) out_printf(o, " of %s", program_label(p, s->names.arena, e->name));
#define NUMBER(name, join) out_printf(o, ", " #name " %u", e->name);
#define FLAG(name, join) out_text(o, e->name ? ", " #name : "");
#include "summary/error.def"
#include "summary/rows_end.h"
    out_char(o, '\n');
}

// What calls of this function say of the error cases of those that they call.
static void print_error_call(Out *o, Show *s, const ErrorCall *c)
{
    static const char *const fates[FATE_COUNT] = {"refuted", "not followed", "open", "manifest"};
    const Unit *u = s->names.unit;
    uint32_t line = u->locs.at[func_ins(u, s->names.func, c->ins)->loc].line;
    out_printf(o, "  line %u calls %s: error %u is %s", line,
               program_label(s->names.program, s->names.arena, c->callee), c->error + 1,
               fates[c->fate]);
    if (c->fate == FATE_OPEN) out_printf(o, ", error %u here", c->own + 1);
    out_text(o, c->null ? ", null\n" : "\n");
}

static void print_case(Out *o, Show *s, const Case *c, uint32_t number)
{
    Anchors *a = &s->names;
    out_printf(o, "  case %u", number);
    if (c->thrown) out_text(o, ", by an exception");
    if (doubt_blurs(&c->doubts) || c->joined) out_text(o, ", joined from several paths");
    print_guards(o, s, c->guards, c->guard_count, ": when ");
    if (c->ways.count) out_printf(o, "; one of %u conditions", c->ways.count);
    if (c->inherited.count) out_printf(o, "; one of %u of a callee", c->inherited.count);
    out_char(o, '\n');
    if (c->why) out_printf(o, "    %-10s%s\n", "because", c->why);
    if (c->result.id) out_printf(o, "    %-10s%s\n", "returns", anchor_value(a, c->result));
    for (uint32_t i = 0; i < c->object_count; i++) {
        const ObjInfo *info = &c->objects[i];
        out_printf(o, "    %-10s%s: %s, line %u%s%s%s\n", "allocates",
                   anchor_location(a, info->term), info->allocator, info->pos.line,
                   info->zeroed ? ", zeroed" : info->filled ? ", filled" : "", info->resource ? ", a resource" : "",
                   info->arena ? ", arena" : "");
    }
    for (uint32_t i = 0; i < c->effect_count; i++) {
        const Effect *e = &c->effects[i];
        out_printf(o, "    %-10s%s = %s\n", "writes", anchor_cell(a, e->base, e->offset),
                   anchor_value(a, e->value));
    }
    Term *freed = arena_array_of(a->arena, Term, c->free_count);
    for (uint32_t i = 0; i < c->free_count; i++) freed[i] = c->frees[i].base;
    print_terms(o, s, "frees", freed, c->free_count);
    Term *moved = arena_array_of(a->arena, Term, c->move_count);
    for (uint32_t i = 0; i < c->move_count; i++) moved[i] = c->moves[i].from;
    print_terms(o, s, "moves", moved, c->move_count);
    print_lists(o, s, c);
}

static void print_text(Out *o, Show *s, const char *name, bool back)
{
    const Summary *sum = s->sum;
    out_printf(o, "%s: ", name);
    if (!sum->known) {
        out_text(o, "given up; taken as unknown code\n");
        return;
    }
    const char *end = sum->case_count ? "" : back ? ", no way out was found" : ", never comes back";
    out_printf(o, "%u case%s%s%s%s\n", sum->case_count, sum->case_count == 1 ? "" : "s", end,
               sum->trivial ? ", does nothing to memory" : "",
               sum->incomplete ? ", incomplete: behaviours are missing" : "");
    if (sum->rest)
        out_printf(o, "  the arguments after '...': %s\n",
                   sum->rest == REST_KEPT      ? "may be kept"
                   : sum->rest == REST_CHANGED ? "may be changed"
                                               : "may be kept or changed");
    for (uint32_t i = 0; i < sum->case_count; i++) print_case(o, s, &sum->cases[i], i + 1);
    for (uint32_t i = 0; i < sum->error_count; i++) print_error(o, s, &sum->errors[i], i + 1);
    for (uint32_t i = 0; i < sum->error_call_count; i++)
        print_error_call(o, s, &sum->error_calls[i]);
    for (int k = 0; k < CATEGORY_COUNT; k++) {
        if (!s->listed[k].len) continue;
        out_printf(o, "  %s:", category_names[k]);
        vec_each (i, &s->listed[k]) out_printf(o, "%s%s", i ? ", " : " ", s->listed[k].at[i]);
        out_char(o, '\n');
    }
}

// ---- the graph ----

typedef struct {
    uint32_t from, to; // nodes
    const char *label;
    bool made;
} PathEdge;

enum { ROOT_RET, ROOT_GLOBAL, ROOT_ARGS }; // then the objects

typedef struct {
    Show *show;
    Map node_of; // base -> node
    VEC(Term) bases;
    VEC(PathEdge) edges;
    uint32_t first_object, from;
    const char *label;
    bool made;
} PathGraph;

static uint32_t node_of(PathGraph *g, Term base)
{
    const TermNode *n = term_node(&g->show->sum->terms, base);
    if (n->kind == T_GLOBAL) return ROOT_GLOBAL;
    bool fresh;
    uint64_t *at = map_at(&g->node_of, base.id, g->first_object + g->bases.len, &fresh);
    if (fresh) vec_push(&g->bases, base);
    return (uint32_t)*at;
}

static void add_edge(void *context, Term base)
{
    PathGraph *g = context;
    PathEdge e = {g->from, node_of(g, base), g->label, g->made};
    vec_each (i, &g->edges) {
        const PathEdge *old = &g->edges.at[i];
        if (old->from == e.from && old->to == e.to && old->made == e.made &&
            strcmp(old->label, e.label) == 0)
            return;
    }
    vec_push(&g->edges, e);
}

static const char *edge_label(PathGraph *g, Term base, Term index, int64_t offset)
{
    Typed member;
    Anchors *a = &g->show->names;
    const char *field = anchor_field(a, anchor_object(a, base), index, offset, &member);
    if (term_kind(&g->show->sum->terms, base) == T_GLOBAL)
        return arena_printf(a->arena, "%s%s", anchor_global(a, base), field);
    if (!*field) return "*";
    return *field == '.' ? field + 1 : field;
}

static void connect(PathGraph *g, uint32_t from, Term value, const char *label, bool made)
{
    const Terms *terms = &g->show->sum->terms;
    if (!value.id || !(term_node(terms, value)->flags & TERM_HAS_BASE)) return;
    g->from = from;
    g->label = label;
    g->made = made;
    term_each_base(terms, value, add_edge, g);
}

// The inputs that lead to the base, down from the argument or the global.
static void connect_input(PathGraph *g, Term base)
{
    const Terms *terms = &g->show->sum->terms;
    const TermNode *n = term_node(terms, base);
    if (n->kind == T_PARAM) {
        connect(g, ROOT_ARGS + n->a, base, "*", false);
    } else if (n->kind == T_INPUT) {
        Address at = term_address(terms, (Term){n->a});
        if (!at.base.id) return;
        Term index = n->b ? (Term){n->b} : at.index;
        connect(g, node_of(g, at.base), base, edge_label(g, at.base, index, at.offset + n->value),
                false);
    }
}

static void print_node(Out *o, PathGraph *g, uint32_t node)
{
    Show *s = g->show;
    if (node < g->first_object) {
        const char *name = node == ROOT_RET ? "ret"
                           : node == ROOT_GLOBAL
                               ? "global"
                               : arena_printf(s->names.arena, "arg%u", node - ROOT_ARGS + 1);
        out_printf(o, "  n%u [shape=box, label=\"%s\"];\n", node, name);
        return;
    }
    Term base = g->bases.at[node - g->first_object];
    bool allocated = false, freed = false;
    for (uint32_t i = 0; i < s->sum->case_count; i++) {
        allocated |= is_allocated(&s->sum->cases[i], base);
        freed |= is_freed(&s->sum->cases[i], base);
    }
    out_printf(o, "  n%u [shape=circle, label=\"%s\", tooltip=", node,
               allocated ? "!"
               : freed   ? "0"
                         : "");
    dot_quoted(o, anchor_location(&s->names, base));
    out_text(o, "];\n");
}

static void print_dot(Out *o, Show *s, const char *name)
{
    PathGraph g = {.show = s, .first_object = ROOT_ARGS + s->names.func->param_count};
    const Terms *terms = &s->sum->terms;
    for (uint32_t i = 0; i < s->sum->case_count; i++) {
        const Case *c = &s->sum->cases[i];
        connect(&g, ROOT_RET, c->result, "*", true);
        for (uint32_t k = 0; k < c->effect_count; k++) {
            const Effect *e = &c->effects[k];
            Address at = term_address(terms, e->base);
            if (at.base.id && (term_node(terms, e->value)->flags & TERM_HAS_BASE))
                connect(&g, node_of(&g, at.base), e->value,
                        edge_label(&g, at.base, at.index, e->offset), true);
        }
        for (uint32_t k = 0; k < c->free_count; k++) node_of(&g, c->frees[k].base);
    }
    // Grows while it is walked: an input's own base is an input again.
    for (uint32_t i = 0; i < g.bases.len; i++) connect_input(&g, g.bases.at[i]);
    out_text(o, "digraph ");
    dot_quoted(o, name);
    out_text(o, " {\n  rankdir=LR;\n");
    Bits used = bits_new(s->names.arena, g.first_object + g.bases.len);
    vec_each (i, &g.edges) {
        bits_add(&used, g.edges.at[i].from);
        bits_add(&used, g.edges.at[i].to);
    }
    bits_each (i, &used) print_node(o, &g, i);
    vec_each (i, &g.edges) {
        const PathEdge *e = &g.edges.at[i];
        out_printf(o, "  n%u -> n%u [label=", e->from, e->to);
        dot_quoted(o, e->label);
        out_printf(o, "%s];\n", e->made ? "" : ", style=dotted");
    }
    out_text(o, "}\n");
    map_free(&g.node_of);
    vec_free(&g.bases);
    vec_free(&g.edges);
}

void show_summary_of(Out *o, Callees *callees, FuncId f, bool dot)
{
    const Summary *sum = callee_summary(callees, f);
    const Program *p = callees->facts->program;
    Arena *arena = arena_new("summary");
    const char *name = program_label(p, arena, f);
    if (!sum) {
        if (!dot) out_printf(o, "%s: no summary: there is no code\n", name);
        arena_free(arena);
        return;
    }
    const Unit *u;
    const Func *func = program_body(p, f, &u);
    Show s = {
        .names = {.arena = arena, .program = p, .unit = u, .func = func, .terms = &sum->terms},
        .sum = sum};
    for (uint32_t i = 0; i < sum->case_count; i++)
        for (uint32_t k = 0; k < sum->cases[i].object_count; k++)
            anchor_number(&s.names, sum->cases[i].objects[k].term);
    // First, for the types that it learns on the way.
    for (uint32_t i = 0; i < sum->case_count; i++) categories_of(&s, &sum->cases[i]);
    if (dot)
        print_dot(o, &s, name);
    else
        print_text(o, &s, name, facts_may_return(callees->facts, f));
    for (int k = 0; k < CATEGORY_COUNT; k++) vec_free(&s.listed[k]);
    anchors_free(&s.names);
    arena_free(arena);
}
