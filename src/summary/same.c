// Whether two summaries say the same: every row of case.def, object.def and error.def.
#include "summary/summary.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_pos(Pos a, Pos b)
{
    return same_text(a.path, b.path) && a.line == b.line && a.col == b.col;
}

static bool same_origin(const Origin *a, const Origin *b)
{
    for (; a && b; a = a->inner, b = b->inner)
        if (!same_pos(a->pos, b->pos) || !same_text(a->callee, b->callee) || a->depth != b->depth ||
            !same_text(a->when, b->when) || !same_pos(a->test, b->test) || a->truth != b->truth || a->fails != b->fails)
            return false;
    return a == b;
}

bool declined_same(const Declined *a, const Declined *b)
{
    return a->param == b->param && a->part == b->part && same_origin(a->by, b->by);
}

static bool same_Declined(const Declined *a, const Declined *b)
{
    return declined_same(a, b);
}

static bool same_Term(const Term *a, const Term *b)
{
    return term_same(*a, *b);
}

static bool same_Guard(const Guard *a, const Guard *b)
{
    return term_same(a->term, b->term) && range_same(&a->range, &b->range);
}

static bool same_Effect(const Effect *a, const Effect *b)
{
    return term_same(a->base, b->base) && a->offset == b->offset && a->size == b->size &&
           term_same(a->value, b->value);
}

static bool same_Release(const Release *a, const Release *b)
{
    return term_same(a->base, b->base) && a->family.id == b->family.id && same_origin(a->where, b->where);
}

static bool same_Move(const Move *a, const Move *b)
{
    return term_same(a->to, b->to) && term_same(a->from, b->from);
}

static bool same_ObjInfo(const ObjInfo *a, const ObjInfo *b)
{
    bool same = true;
#define TERM(name) same = same && term_same(a->name, b->name);
#define FAMILY(name) same = same && a->name.id == b->name.id;
#define TEXT(name) same = same && same_text(a->name, b->name);
#define NUMBER(name) same = same && a->name == b->name;
#define PLACE(name) same = same && same_pos(a->name, b->name);
#define ORIGIN(name) same = same && same_origin(a->name, b->name);
#define FAIL(name) same = same && a->name == b->name;
#define VALUE(name) same = same && a->name == b->name;
#define FLAG(name) same = same && a->name == b->name;
#define TEMPORARY(name)
#include "summary/object.def"
#include "summary/rows_end.h"
    return same;
}

static bool same_ways(const Clauses *a, const Clauses *b)
{
    if (a->count != b->count || a->unknown != b->unknown) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i].count != b->at[i].count) return false;
        for (uint32_t k = 0; k < a->at[i].count; k++)
            if (!same_Guard(&a->at[i].guards[k], &b->at[i].guards[k])) return false;
    }
    return true;
}

bool case_same(const Case *a, const Case *b)
{
#define LIST(type, name, count, least, kind, join, word)                                           \
    if (a->count != b->count) return false;                                                        \
    for (uint32_t i = 0; i < a->count; i++)                                                        \
        if (!same_##type(&a->name[i], &b->name[i])) return false;
#define WAYS(name, join)                                                                           \
    if (!same_ways(&a->name, &b->name)) return false;
#define TERM(name, join)                                                                           \
    if (!term_same(a->name, b->name)) return false;
#define FLAG(name, join)                                                                           \
    if (a->name != b->name) return false;
#define NUMBER(name, join)                                                                         \
    if (a->name != b->name) return false;
#define DOUBTS(name)                                                                               \
    if (!doubt_rows_same(a->name.rows, b->name.rows)) return false;
#define TEXT(name, join)                                                                           \
    if (!same_text(a->name, b->name)) return false;
#include "summary/case.def"
#include "summary/rows_end.h"
    return true;
}

static bool same_error(const ErrorCase *a, const ErrorCase *b)
{
#define LIST(type, name, count, least, kind, join, word)                                           \
    if (a->count != b->count) return false;                                                        \
    for (uint32_t i = 0; i < a->count; i++)                                                        \
        if (!same_##type(&a->name[i], &b->name[i])) return false;
#define FUNC(name, join)                                                                           \
    if (a->name.id != b->name.id) return false;
#define NUMBER(name, join)                                                                         \
    if (a->name != b->name) return false;
#define FLAG(name, join)                                                                           \
    if (a->name != b->name) return false;
#include "summary/error.def"
#include "summary/rows_end.h"
    return true;
}

static bool same_node(const TermNode *a, const TermNode *b)
{
    return a->kind == b->kind && a->width == b->width && a->depth == b->depth &&
           a->flags == b->flags && a->a == b->a && a->b == b->b && a->c == b->c &&
           a->value == b->value;
}

bool summary_same(const Summary *a, const Summary *b)
{
    if (a->func.id != b->func.id || a->param_count != b->param_count || a->known != b->known ||
        a->stuck != b->stuck ||
        a->incomplete != b->incomplete || a->recursive != b->recursive ||
        a->deeper != b->deeper ||
        a->trivial != b->trivial || a->rest != b->rest || a->borrows != b->borrows ||
        a->spares != b->spares || a->leaves != b->leaves || a->terms.pointer_bits != b->terms.pointer_bits ||
        a->terms.nodes.len != b->terms.nodes.len || a->case_count != b->case_count ||
        a->few_count != b->few_count || a->error_count != b->error_count)
        return false;
    for (uint32_t i = 1; i < a->terms.nodes.len; i++)
        if (!same_node(&a->terms.nodes.at[i], &b->terms.nodes.at[i])) return false;
    for (uint32_t i = 0; i < a->case_count; i++)
        if (!case_same(&a->cases[i], &b->cases[i])) return false;
    for (uint32_t i = 0; i < a->error_count; i++)
        if (!same_error(&a->errors[i], &b->errors[i])) return false;
    for (uint32_t i = 0; i < a->few_count; i++)
        if (!case_same(&a->few[i], &b->few[i])) return false;
    return true;
}
