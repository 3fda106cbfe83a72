#include "show/anchor.h"

enum { MAX_NESTING = 7 };

void anchors_free(Anchors *a)
{
    map_free(&a->learnt);
    map_free(&a->numbers);
    vec_free(&a->types);
}

// ---- types

Typed typed_pointee(Typed pointer)
{
    if (!pointer.unit || !pointer.type.id) return (Typed){0};
    TypeId t = plain_type(pointer.unit, pointer.type);
    const Type *y = &pointer.unit->types.at[t.id];
    bool points = y->kind == TYPE_POINTER || y->kind == TYPE_REFERENCE || y->kind == TYPE_ARRAY;
    if (!points || !y->elem_count) return (Typed){0};
    return (Typed){pointer.unit, pointer.unit->elems.at[y->first_elem].type};
}

Typed anchor_param(const Anchors *a, uint32_t number)
{
    if (number >= a->func->param_count) return (Typed){0};
    return (Typed){a->unit, a->unit->params.at[a->func->first_param + number].type};
}

Typed anchor_result(const Anchors *a)
{
    const Type *y = &a->unit->types.at[plain_type(a->unit, a->func->type).id];
    if (y->kind != TYPE_FUNC || !y->elem_count) return (Typed){0};
    return (Typed){a->unit, a->unit->elems.at[y->first_elem].type};
}

static uint64_t type_size(Typed t)
{
    return t.unit ? t.unit->types.at[plain_type(t.unit, t.type).id].size : 0;
}

const char *anchor_field(Anchors *a, Typed object, Term index, int64_t offset, Typed *member)
{
    *member = (Typed){0};
    const char *element = index.id ? "[?]" : "";
    if (index.id && object.unit) {
        const Type *y = &object.unit->types.at[plain_type(object.unit, object.type).id];
        if (y->kind == TYPE_ARRAY) object = typed_pointee(object);
    }
    uint64_t size = type_size(object);
    if (offset >= 0 && object.unit && object.type.id) {
        // Behind the first element: a pointer into an array.
        uint64_t at = (uint64_t)offset;
        if (size && at >= size && !index.id) {
            element = arena_printf(a->arena, "[%llu]", (unsigned long long)(at / size));
            at %= size;
        }
        const char *path;
        TypeId type;
        if (member_at(a->arena, object.unit, object.type, at, &path, &type)) {
            *member = (Typed){object.unit, type};
            bool dot = *path && *path != '[';
            return arena_printf(a->arena, "%s%s%s", element, dot ? "." : "", path);
        }
    }
    if (offset == 0) return element;
    return arena_printf(a->arena, "%s.%+lld", element, (long long)offset);
}

void anchor_learn(Anchors *a, Term base, Typed object)
{
    if (!object.unit || !object.type.id) return;
    // void says nothing; a later, better type may come.
    if (object.unit->types.at[plain_type(object.unit, object.type).id].kind == TYPE_VOID) return;
    bool fresh;
    map_at(&a->learnt, base.id, a->types.len, &fresh);
    if (fresh) vec_push(&a->types, object);
}

static Typed cell_type(Anchors *a, Term home, int64_t offset)
{
    Address at = term_address(a->terms, home);
    Typed member;
    anchor_field(a, anchor_object(a, at.base), at.index, at.offset + offset, &member);
    return member;
}

Typed anchor_object(Anchors *a, Term base)
{
    const TermNode *n = term_node(a->terms, base);
    Typed t = {0};
    switch ((TermKind)n->kind) {
    case T_PARAM:
        t = typed_pointee(anchor_param(a, n->a));
        break;
    case T_INPUT:
        t = typed_pointee(cell_type(a, (Term){n->a}, n->value));
        break;
    case T_GLOBAL: {
        const ProgGlobal *g = &a->program->globals.at[n->a];
        const Unit *u = a->program->units[g->unit];
        t = (Typed){u, u->globals.at[g->global.id].type};
        break;
    }
    case T_LOCAL:
        if (n->a && n->a <= a->func->local_count)
            t = (Typed){a->unit, a->unit->locals.at[a->func->first_local + n->a - 1].type};
        break;
    default:
        break;
    }
    bool vague =
        !t.unit || !t.type.id || t.unit->types.at[plain_type(t.unit, t.type).id].kind == TYPE_VOID;
    uint64_t *learnt = vague ? map_get(&a->learnt, base.id) : NULL;
    return learnt ? a->types.at[*learnt] : t;
}

// ---- texts

uint32_t anchor_number(Anchors *a, Term heap)
{
    bool fresh;
    return (uint32_t)*map_at(&a->numbers, heap.id, a->numbers.len + 1, &fresh);
}

const char *anchor_global(const Anchors *a, Term global)
{
    const ProgGlobal *g = &a->program->globals.at[term_node(a->terms, global)->a];
    const char *source = name_text(a->program->names, g->source);
    return *source ? source : name_text(a->program->names, g->name);
}

static const char *value_text(Anchors *a, Term x, int depth);

static const char *local_text(Anchors *a, uint32_t local)
{
    const char *name = "";
    if (local && local <= a->func->local_count)
        name = name_text(a->unit->names, a->unit->locals.at[a->func->first_local + local - 1].name);
    return *name ? name : arena_printf(a->arena, "local%u", local);
}

static const char *location_text(Anchors *a, Term base, int depth)
{
    const TermNode *n = term_node(a->terms, base);
    switch ((TermKind)n->kind) {
    case T_GLOBAL:
        return arena_printf(a->arena, "%s%s", a->source ? "" : "global.", anchor_global(a, base));
    case T_LOCAL:
        return local_text(a, n->a);
    case T_HEAP:
        return arena_printf(a->arena, "o%u", anchor_number(a, base));
    default:
        return arena_printf(a->arena, "%s*", value_text(a, base, depth));
    }
}

static const char *cell_text(Anchors *a, Term home, int64_t offset, int depth)
{
    Address at = term_address(a->terms, home);
    if (!at.base.id) return arena_printf(a->arena, "%lld*", (long long)(at.offset + offset));
    Typed member;
    const char *field =
        anchor_field(a, anchor_object(a, at.base), at.index, at.offset + offset, &member);
    TermKind kind = term_kind(a->terms, at.base);
    bool named = kind == T_GLOBAL || kind == T_LOCAL || kind == T_HEAP;
    if (!a->source || named)
        return arena_printf(a->arena, "%s%s", location_text(a, at.base, depth), field);
    const char *pointer = value_text(a, at.base, depth);
    if (!*field) return arena_printf(a->arena, "*%s", pointer);
    if (*field == '.') return arena_printf(a->arena, "%s->%s", pointer, field + 1);
    return arena_printf(a->arena, "%s%s", pointer, field);
}

static const char *callee_text(const Anchors *a, uint32_t ins)
{
    if (ins >= a->func->ins_count) return NULL;
    const Ins *i = func_ins(a->unit, a->func, ins);
    if ((i->op != OP_CALL && i->op != OP_INVOKE) || !ref_is_const((Ref){i->a})) return NULL;
    const Const *c = &a->unit->consts.at[ref_index((Ref){i->a})];
    if (c->kind != CONST_FUNC) return NULL;
    return name_text(a->unit->names, a->unit->funcs.at[c->target].source);
}

static uint32_t line_of(const Anchors *a, uint32_t ins)
{
    if (ins >= a->func->ins_count) return 0;
    return a->unit->locs.at[func_ins(a->unit, a->func, ins)->loc].line;
}

static const char *operator_text(TermKind k)
{
    static const char *const texts[T_COUNT] = {
        [T_ADD] = "+",  [T_MUL] = "*",  [T_UDIV] = "/u",  [T_SDIV] = "/",  [T_UREM] = "%u",
        [T_SREM] = "%", [T_SHL] = "<<", [T_LSHR] = ">>u", [T_ASHR] = ">>", [T_AND] = "&",
        [T_OR] = "|",   [T_XOR] = "^",  [T_EQ] = "==",    [T_ULT] = "<u",  [T_SLT] = "<",
    };
    return texts[k];
}

static bool is_plain(const Anchors *a, Term x)
{
    TermKind k = term_kind(a->terms, x);
    return !operator_text(k) && k != T_ITE && k != T_NOT;
}

static const char *operand_text(Anchors *a, Term x, int depth)
{
    const char *text = value_text(a, x, depth);
    return is_plain(a, x) ? text : arena_printf(a->arena, "(%s)", text);
}

static const char *value_text(Anchors *a, Term x, int depth)
{
    if (!x.id) return "nothing";
    if (depth <= 0) return "...";
    depth--;
    const TermNode n = *term_node(a->terms, x);
    switch ((TermKind)n.kind) {
    case T_INT:
        return arena_printf(a->arena, "%lld", (long long)n.value);
    case T_PARAM: {
        const char *name = "";
        if (a->source && n.a < a->func->param_count)
            name = name_text(a->unit->names, a->unit->params.at[a->func->first_param + n.a].name);
        return *name ? name : arena_printf(a->arena, "arg%u", n.a + 1);
    }
    case T_INPUT:
        if (n.b)
            return arena_printf(a->arena, "%s[%s]", location_text(a, (Term){n.a}, depth),
                                value_text(a, (Term){n.b}, depth));
        return cell_text(a, (Term){n.a}, n.value, depth);
    case T_HEAP:
        return location_text(a, x, depth);
    case T_GLOBAL:
    case T_LOCAL:
        return arena_printf(a->arena, "&%s", location_text(a, x, depth));
    case T_FUNC:
        return name_text(a->program->names, a->program->funcs.at[n.a].source);
    case T_RESULT: {
        const char *callee = callee_text(a, n.a);
        uint32_t line = line_of(a, n.a);
        const char *what = callee && n.b == made(MADE_VALUE, 0) ? "" : callee ? "value from " : "value of ";
        if (callee) return arena_printf(a->arena, "%s%s() of line %u", what, callee, line);
        return arena_printf(a->arena, "%sline %u", what, line);
    }
    case T_HAVOC:
        return arena_printf(a->arena, "new %s of line %u",
                            cell_text(a, (Term){n.b}, n.value, depth), line_of(a, n.a));
    case T_LOOP:
        return arena_printf(a->arena, "rounds of b%u", n.a);
    case T_MERGE:
        return "one of several values";
    case T_UNDEF:
        return "undefined";
    case T_ADDR: {
        TermKind base = term_kind(a->terms, (Term){n.a});
        bool object = base == T_LOCAL || base == T_GLOBAL || base == T_HEAP;
        if (object || anchor_object(a, (Term){n.a}).unit)
            return arena_printf(a->arena, "&%s", cell_text(a, x, 0, depth));
        // A sum of integers as wide as a pointer.
        const char *sum = value_text(a, (Term){n.a}, depth);
        if (n.b) sum = arena_printf(a->arena, "%s + %s", sum, operand_text(a, (Term){n.b}, depth));
        if (!n.value) return sum;
        return arena_printf(
            a->arena, "%s %c %llu", sum, n.value < 0 ? '-' : '+',
            (unsigned long long)(n.value < 0 ? 0 - (uint64_t)n.value : (uint64_t)n.value));
    }
    case T_TRUNC:
    case T_ZEXT:
    case T_SEXT:
        return value_text(a, (Term){n.a}, depth + 1);
    case T_NOT:
        return arena_printf(a->arena, "!%s", operand_text(a, (Term){n.a}, depth));
    case T_ITE:
        return arena_printf(a->arena, "%s ? %s : %s", operand_text(a, (Term){n.a}, depth),
                            operand_text(a, (Term){n.b}, depth),
                            operand_text(a, (Term){n.c}, depth));
    case T_PARTS: {
        const char *rest = n.a ? value_text(a, (Term){n.a}, depth) : "";
        return arena_printf(a->arena, "%s{%lld: %s}", rest, (long long)n.value,
                            value_text(a, (Term){n.b}, depth));
    }
    default:
        if (!operator_text((TermKind)n.kind)) return term_kind_text((TermKind)n.kind);
        return arena_printf(a->arena, "%s %s %s", operand_text(a, (Term){n.a}, depth),
                            operator_text((TermKind)n.kind), operand_text(a, (Term){n.b}, depth));
    }
}

const char *anchor_value(Anchors *a, Term x)
{
    return value_text(a, x, MAX_NESTING);
}
const char *anchor_cell(Anchors *a, Term home, int64_t offset)
{
    return cell_text(a, home, offset, MAX_NESTING);
}
const char *anchor_location(Anchors *a, Term base)
{
    return location_text(a, base, MAX_NESTING);
}

// ---- guards

static const char *condition_text(Anchors *a, Term x, bool truth)
{
    const TermNode n = *term_node(a->terms, x);
    if (n.kind == T_NOT) return condition_text(a, (Term){n.a}, !truth);
    const char *op = n.kind == T_EQ    ? (truth ? "==" : "!=")
                     : n.kind == T_SLT ? (truth ? "<" : ">=")
                     : n.kind == T_ULT ? (truth ? "<u" : ">=u")
                                       : NULL;
    if (!op)
        return arena_printf(a->arena, "%s%s", truth ? "" : "!", operand_text(a, x, MAX_NESTING));
    Term p = {n.a}, q = {n.b};
    if (n.kind != T_EQ && term_is_int(a->terms, p, NULL)) {
        p = (Term){n.b}, q = (Term){n.a};
        op = n.kind == T_SLT ? (truth ? ">" : "<=") : truth ? ">u" : "<=u";
    }
    return arena_printf(a->arena, "%s %s %s", operand_text(a, p, MAX_NESTING), op,
                        operand_text(a, q, MAX_NESTING));
}

static int64_t signed_low(uint32_t width)
{
    return width >= 64 ? INT64_MIN : -((int64_t)1 << (width - 1));
}
static int64_t signed_high(uint32_t width)
{
    return width >= 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
}
static uint64_t unsigned_high(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

const char *anchor_guard(Anchors *a, Term x, const Range *r)
{
    uint32_t width = term_width(a->terms, x);
    int64_t value;
    if (width == 0) return arena_printf(a->arena, "%s is known", anchor_value(a, x));
    bool single = range_single(r, width, &value);
    if (width == 1 && single) return condition_text(a, x, value != 0);
    const char *name = operand_text(a, x, MAX_NESTING);
    if (single) return arena_printf(a->arena, "%s == %lld", name, (long long)value);
    Out *o = out_memory();
    const char *also = "";
    bool low = r->smin > signed_low(width), high = r->smax < signed_high(width);
    bool ulow = r->umin > 0, uhigh = r->umax < unsigned_high(width);
    if (low && high)
        out_printf(o, "%s in [%lld, %lld]", name, (long long)r->smin, (long long)r->smax);
    else if (ulow && uhigh && !(low || high))
        out_printf(o, "%s in [%llu, %llu]u", name, (unsigned long long)r->umin,
                   (unsigned long long)r->umax);
    else if (low || high)
        out_printf(o, "%s %s %lld", name, low ? ">=" : "<=", (long long)(low ? r->smin : r->smax));
    else if (ulow && r->umin == 1)
        out_printf(o, "%s != 0", name);
    else if (ulow || uhigh)
        out_printf(o, "%s %s %llu", name, ulow ? ">=u" : "<=u",
                   (unsigned long long)(ulow ? r->umin : r->umax));
    size_t len;
    out_content(o, &len);
    if (len) also = " and ";
    for (uint32_t i = 0; i < r->not_count; i++) {
        if (r->not [i] == 0 && ulow) continue;
        out_printf(o, "%s%s != %lld", also, name, (long long)r->not [i]);
        also = " and ";
    }
    const char *text = arena_strdup(a->arena, out_content(o, &len));
    out_close(o);
    return *text ? text : arena_printf(a->arena, "%s is anything", name);
}

void dot_quoted(Out *o, const char *text)
{
    out_char(o, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') out_char(o, '\\');
        out_char(o, *text);
    }
    out_char(o, '"');
}
