// A row of a constant table that an unknown index chooses: the fields of the row go together. What
// the path knows of one field, by a test or by the function that was called through it, leaves the
// rows that have it so; a path is possible while one row is left.
//
//     {"file", file_open, file_close}, {"copy", copy_open, copy_close}
//     h = t[i].open(n); ... t[i].close(h);      file_open and copy_close are no row
#include "heap/heap.h"

#include "heap/limits.h"

typedef struct {
    Work *w;
    const State *s;
    Term table, index; // whose rows are looked at
    int64_t row;       // bytes from the table's start, without the field's own offset
    int64_t size; // of the table
    bool possible;
} Row;

static bool is_field_of(const Terms *t, Term x, Term table, Term index)
{
    const TermNode *n = term_node(t, x);
    return n->kind == T_INPUT && n->a == table.id && n->b == index.id;
}

// What the field holds in the row; none: that is not known. A row beyond the table is none.
static Term held(Row *r, const TermNode *field)
{
    Work *w = r->w;
    int64_t at = r->row + field->value;
    if (at < 0 || at + field->width / 8 > r->size) {
        r->possible = false;
        return (Term){0};
    }
    const Unit *u;
    uint32_t unit_index;
    const Const *c;
    GlobalId g = {term_node(&w->terms, r->table)->a};
    switch (facts_global_init(w->facts, w->trace, g, at, field->width / 8u, &u,
                              &unit_index, &c)) {
    case GLOBAL_INIT_ZERO:
        return term_int(&w->terms, field->width, 0);
    case GLOBAL_INIT_CONST:
        return constant_term(w, u, unit_index, c, field->width);
    case GLOBAL_INIT_UNKNOWN:
        break;
    }
    return (Term){0};
}

static bool in_range(const Range *r, int64_t value, uint32_t width)
{
    uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    uint64_t u = (uint64_t)value & mask;
    if (value < r->smin || value > r->smax || u < r->umin || u > r->umax) return false;
    for (uint32_t i = 0; i < r->not_count; i++)
        if (r->not [i] == value) return false;
    return true;
}

static bool is_possible_fact(void *context, uint64_t key, uint64_t fact)
{
    Row *r = context;
    Terms *t = &r->w->terms;
    Term x = {(uint32_t)key};
    const TermNode n = *term_node(t, x);
    const Range *range = cond_fact(&r->w->conds, fact);
    int64_t value;
    if (is_field_of(t, x, r->table, r->index)) {
        Term is = held(r, &n);
        if (is.id && term_is_int(t, is, &value)) r->possible = in_range(range, value, n.width);
        return r->possible;
    }
    if (n.kind != T_EQ || !range_single(range, 1, &value)) return true;
    for (int side = 0; side < 2; side++) {
        Term field = {side ? n.b : n.a}, other = {side ? n.a : n.b};
        if (!is_field_of(t, field, r->table, r->index)) continue;
        const TermNode node = *term_node(t, field);
        Term is = held(r, &node);
        int64_t same;
        if (is.id && term_is_int(t, term_eq(t, is, other), &same) && (same != 0) != (value != 0))
            r->possible = false;
    }
    return r->possible;
}

typedef struct {
    const Terms *terms;
    Term field;
} Find;

static bool is_field(void *context, Term x)
{
    Find *f = context;
    const TermNode *n = term_node(f->terms, x);
    if (n->kind != T_INPUT || !n->b || term_kind(f->terms, (Term){n->a}) != T_GLOBAL) return false;
    f->field = x;
    return true;
}

// The bytes from one row to the next, by the way the index is worked out.
static int64_t row_size(const Terms *t, Term index)
{
    const TermNode *n = term_node(t, index);
    int64_t by;
    if (n->kind == T_MUL && term_is_int(t, (Term){n->b}, &by) && by > 0) return by;
    if (n->kind == T_SHL && term_is_int(t, (Term){n->b}, &by) && by >= 0 && by < 16)
        return (int64_t)1 << by;
    return 0;
}

bool table_has_row(Work *w, const State *s, Term cond)
{
    Terms *t = &w->terms;
    Find f = {t, {0}};
    if (!term_any(t, cond, is_field, &f)) return true;
    const TermNode *n = term_node(t, f.field);
    Row r = {.w = w, .s = s, .table = {n->a}, .index = {n->b}};
    const ProgGlobal *g = &w->facts->program->globals.at[term_node(t, r.table)->a];
    const Unit *u = w->facts->program->units[g->unit];
    int64_t step = row_size(t, r.index), size = (int64_t)u->globals.at[g->global.id].size;
    r.size = size;
    if (!step || size / step > TABLE_ROWS || size < step) return true;
    for (r.row = 0; r.row + step <= size; r.row += step) {
        Term here = term_eq(t, r.index, term_int(t, term_width(t, r.index), r.row));
        if (cond_decide(&w->conds, s->facts, here) == COND_FALSE) continue;
        r.possible = true;
        pmap_each(s->facts, is_possible_fact, &r);
        if (r.possible) return true;
    }
    return false;
}
