// Random expressions with their terms, and two evaluators: of the expression as it was written, and
// of what it was simplified to.
#ifndef TESTS_EVAL_RANDOM_H
#define TESTS_EVAL_RANDOM_H

#include "logic/term.h"

#include <stdio.h>

typedef struct {
    uint64_t state;
} Random;

static inline uint64_t random_bits(Random *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t random_below(Random *r, uint32_t n)
{
    return (uint32_t)(random_bits(r) % n);
}

static inline uint64_t mask_of(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

// The signed view of bits; of one bit, 1 is -1.
static inline int64_t signed_of(uint32_t width, uint64_t bits)
{
    bits &= mask_of(width);
    if (width >= 64) return (int64_t)bits;
    uint64_t top = (uint64_t)1 << (width - 1);
    return (int64_t)((bits ^ top) - top);
}

// Numbers near which rules break.
static inline uint64_t random_edge(Random *r, uint32_t width)
{
    uint64_t v;
    switch (random_below(r, 5)) {
    case 0:
        v = random_below(r, 5);
        break;
    case 1:
        v = 0 - (uint64_t)random_below(r, 5);
        break;
    case 2:
        v = ((uint64_t)1 << (width - 1)) + random_below(r, 3) - 1;
        break;
    case 3:
        v = (uint64_t)1 << random_below(r, width);
        break;
    default:
        v = random_bits(r);
        break;
    }
    return v & mask_of(width);
}

enum { INPUT_COUNT = 3 };

// Each parameter has bits for every width: what a narrower one of that number is, is its own.
typedef struct {
    uint64_t at[INPUT_COUNT][65];
} Inputs;

static inline Inputs inputs_random(Random *r)
{
    static const uint32_t widths[] = {1, 3, 4, 8, 16, 32, 64};
    Inputs in = {0};
    for (uint32_t i = 0; i < INPUT_COUNT; i++)
        for (uint32_t w = 0; w < sizeof widths / sizeof *widths; w++)
            in.at[i][widths[w]] = random_edge(r, widths[w]);
    return in;
}

// ---- expressions as written

typedef struct {
    TermKind kind;
    bool sub; // T_ADD: a subtraction
    uint32_t width, a, b, c;
    uint64_t value;
    Term term;
} ExprNode;

typedef struct {
    ExprNode at[160];
    uint32_t len, root;
} Expr;

static inline Term expr_term(const Expr *e)
{
    return e->at[e->root].term;
}

// Which expressions are wanted.
typedef struct {
    uint32_t widths[5], width_count;
    uint32_t param_width; // parameters have this width only; 0: any
} Shape;

static inline uint32_t random_width(Random *r, const Shape *s)
{
    return s->widths[random_below(r, s->width_count)];
}

static inline uint32_t expr_add(Expr *e, ExprNode n)
{
    e->at[e->len] = n;
    return e->len++;
}

static uint32_t expr_of(Random *r, Terms *t, Expr *e, const Shape *shape, uint32_t w, int depth);

static inline uint32_t expr_leaf(Random *r, Terms *t, Expr *e, const Shape *shape, uint32_t w)
{
    if (random_below(r, 3) == 0) {
        uint64_t v = random_edge(r, w);
        return expr_add(
            e, (ExprNode){
                   .kind = T_INT, .width = w, .value = v, .term = term_int(t, w, signed_of(w, v))});
    }
    uint32_t i = random_below(r, INPUT_COUNT), own = shape->param_width ? shape->param_width : w;
    ExprNode p = {.kind = T_PARAM, .width = own, .a = i};
    p.term = term_leaf(t, T_PARAM, own, i, 0, 0, 0);
    uint32_t at = expr_add(e, p);
    if (own == w) return at;
    ExprNode n = {.width = w, .a = at};
    n.kind = own > w ? T_TRUNC : random_below(r, 2) ? T_ZEXT : T_SEXT;
    n.term = term_convert(t, n.kind, p.term, w);
    return expr_add(e, n);
}

static inline uint32_t expr_condition(Random *r, Terms *t, Expr *e, const Shape *shape, int depth)
{
    static const TermKind kinds[] = {T_EQ, T_ULT, T_SLT};
    ExprNode n = {.width = 1, .kind = kinds[random_below(r, 3)]};
    uint32_t w = random_width(r, shape);
    n.a = expr_of(r, t, e, shape, w, depth - 1);
    n.b = expr_of(r, t, e, shape, w, depth - 1);
    Term a = e->at[n.a].term, b = e->at[n.b].term;
    n.term = n.kind == T_EQ    ? term_eq(t, a, b)
             : n.kind == T_ULT ? term_ult(t, a, b)
                               : term_slt(t, a, b);
    return expr_add(e, n);
}

static uint32_t expr_of(Random *r, Terms *t, Expr *e, const Shape *shape, uint32_t w, int depth)
{
    if (depth <= 0 || e->len > 60) return expr_leaf(r, t, e, shape, w);
    ExprNode n = {.width = w};
    switch (random_below(r, 8)) {
    case 0:
        return expr_leaf(r, t, e, shape, w);
    case 1:
        if (w == 1) return expr_condition(r, t, e, shape, depth);
        break;
    case 2: {
        if (w == 1) {
            n.kind = T_NOT;
            n.a = expr_of(r, t, e, shape, 1, depth - 1);
            n.term = term_not(t, e->at[n.a].term);
            return expr_add(e, n);
        }
        break;
    }
    case 3:
    case 4: { // a conversion
        uint32_t from = random_width(r, shape);
        if (from == w) break;
        n.kind = from > w ? T_TRUNC : random_below(r, 2) ? T_ZEXT : T_SEXT;
        n.a = expr_of(r, t, e, shape, from, depth - 1);
        n.term = term_convert(t, n.kind, e->at[n.a].term, w);
        return expr_add(e, n);
    }
    case 5: { // a choice
        n.kind = T_ITE;
        n.a = expr_condition(r, t, e, shape, depth - 1);
        n.b = expr_of(r, t, e, shape, w, depth - 1);
        n.c = expr_of(r, t, e, shape, w, depth - 1);
        n.term = term_ite(t, e->at[n.a].term, e->at[n.b].term, e->at[n.c].term);
        return expr_add(e, n);
    }
    default:
        break;
    }
    static const TermKind kinds[] = {T_ADD, T_ADD,  T_MUL,  T_UDIV, T_SDIV, T_UREM, T_SREM,
                                     T_SHL, T_LSHR, T_ASHR, T_AND,  T_OR,   T_XOR};
    static const TermKind bits[] = {T_AND, T_OR, T_XOR};
    n.kind = w == 1 ? bits[random_below(r, 3)] : kinds[random_below(r, 13)];
    n.sub = n.kind == T_ADD && random_below(r, 2);
    n.a = expr_of(r, t, e, shape, w, depth - 1);
    n.b = expr_of(r, t, e, shape, w, depth - 1);
    n.term = n.sub ? term_sub(t, e->at[n.a].term, e->at[n.b].term)
                   : term_binary(t, n.kind, e->at[n.a].term, e->at[n.b].term);
    return expr_add(e, n);
}

static inline Expr expr_make(Random *r, Terms *t, const Shape *shape, int depth)
{
    Expr e = {.len = 0};
    uint32_t w = random_width(r, shape);
    e.root = expr_of(r, t, &e, shape, w, depth);
    return e;
}

// ---- values

typedef struct {
    uint64_t bits;
    bool defined; // no division by zero, no shift too far
    bool wrapped; // a product that did not fit
} Value;

static inline bool product_wraps(uint32_t w, uint64_t a, uint64_t b)
{
    unsigned __int128 u = (unsigned __int128)a * b;
    __int128 s = (__int128)signed_of(w, a) * signed_of(w, b);
    return u > mask_of(w) || s != signed_of(w, (uint64_t)s);
}

static inline Value operate(TermKind kind, uint32_t w, uint64_t a, uint64_t b)
{
    Value v = {.defined = true};
    int64_t sa = signed_of(w, a), sb = signed_of(w, b);
    switch (kind) {
    case T_ADD:
        v.bits = a + b;
        break;
    case T_MUL:
        v.bits = a * b;
        v.wrapped = product_wraps(w, a, b);
        break;
    case T_UDIV:
    case T_UREM:
        v.defined = b != 0;
        if (b) v.bits = kind == T_UDIV ? a / b : a % b;
        break;
    case T_SDIV:
    case T_SREM:
        v.defined = sb != 0 && !(sb == -1 && sa == signed_of(w, (uint64_t)1 << (w - 1)));
        if (v.defined) v.bits = (uint64_t)(kind == T_SDIV ? sa / sb : sa % sb);
        break;
    case T_SHL:
        v.defined = b < w;
        if (v.defined) {
            v.bits = a << b;
            v.wrapped = product_wraps(w, a, (uint64_t)1 << b);
        }
        break;
    case T_LSHR:
        v.defined = b < w;
        if (v.defined) v.bits = a >> b;
        break;
    case T_ASHR:
        v.defined = b < w;
        if (v.defined) v.bits = (uint64_t)(sa >> b);
        break;
    case T_AND:
        v.bits = a & b;
        break;
    case T_OR:
        v.bits = a | b;
        break;
    case T_XOR:
        v.bits = a ^ b;
        break;
    case T_EQ:
        v.bits = a == b;
        break;
    case T_ULT:
        v.bits = a < b;
        break;
    case T_SLT:
        v.bits = sa < sb;
        break;
    default:
        die("operate: %s", term_kind_text(kind));
    }
    v.bits &= mask_of(kind >= T_EQ ? 1 : w);
    return v;
}

static inline Value expr_value(const Expr *e, uint32_t at, const Inputs *in)
{
    const ExprNode *n = &e->at[at];
    if (n->kind == T_INT) return (Value){n->value, true, false};
    if (n->kind == T_PARAM) return (Value){in->at[n->a][n->width], true, false};
    Value a = expr_value(e, n->a, in);
    uint32_t from = e->at[n->a].width;
    uint64_t m = mask_of(n->width);
    switch (n->kind) {
    case T_NOT:
        return (Value){!a.bits, a.defined, false};
    case T_TRUNC:
    case T_ZEXT:
        return (Value){a.bits & m, a.defined, a.wrapped};
    case T_SEXT:
        return (Value){(uint64_t)signed_of(from, a.bits) & m, a.defined, a.wrapped};
    case T_ITE: {
        // All of it is evaluated by a simplifier, so all of it must be defined.
        Value p = expr_value(e, n->b, in), q = expr_value(e, n->c, in);
        Value v = a.bits ? p : q;
        v.defined = a.defined && p.defined && q.defined;
        v.wrapped = p.wrapped || q.wrapped;
        return v;
    }
    default:
        break;
    }
    Value b = expr_value(e, n->b, in), v;
    if (n->sub)
        v = (Value){(a.bits - b.bits) & m, true, false};
    else
        v = operate(n->kind, from, a.bits, b.bits);
    v.defined = v.defined && a.defined && b.defined;
    // x * k / k is x for whoever counts elements: products that wrap are left out there.
    bool divides = n->kind == T_UDIV || n->kind == T_SDIV;
    if (divides && (a.wrapped || b.wrapped)) v.defined = false;
    v.wrapped = v.wrapped || a.wrapped || b.wrapped;
    return v;
}

static inline uint64_t term_value(const Terms *t, Term x, const Inputs *in)
{
    const TermNode *n = term_node(t, x);
    uint64_t m = mask_of(n->width);
    switch ((TermKind)n->kind) {
    case T_INT:
        return (uint64_t)n->value & m;
    case T_PARAM:
        return in->at[n->a][n->width];
    case T_NOT:
        return !term_value(t, (Term){n->a}, in);
    case T_TRUNC:
    case T_ZEXT:
        return term_value(t, (Term){n->a}, in) & m;
    case T_SEXT:
        return (uint64_t)signed_of(term_width(t, (Term){n->a}), term_value(t, (Term){n->a}, in)) &
               m;
    case T_ITE:
        return term_value(t, (Term){n->a}, in) ? term_value(t, (Term){n->b}, in)
                                               : term_value(t, (Term){n->c}, in);
    default: {
        uint32_t w = term_width(t, (Term){n->a});
        return operate((TermKind)n->kind, w, term_value(t, (Term){n->a}, in),
                       term_value(t, (Term){n->b}, in))
            .bits;
    }
    }
}

static inline void expr_print(const Expr *e, uint32_t at)
{
    const ExprNode *n = &e->at[at];
    if (n->kind == T_INT)
        fprintf(stderr, "%llx:%u", (unsigned long long)n->value, n->width);
    else if (n->kind == T_PARAM)
        fprintf(stderr, "p%u:%u", n->a, n->width);
    else {
        fprintf(stderr, "(%s:%u ", n->sub ? "sub" : term_kind_text(n->kind), n->width);
        expr_print(e, n->a);
        bool unary = n->kind == T_NOT || (n->kind >= T_TRUNC && n->kind <= T_SEXT);
        if (!unary) {
            fputc(' ', stderr);
            expr_print(e, n->b);
        }
        if (n->kind == T_ITE) {
            fputc(' ', stderr);
            expr_print(e, n->c);
        }
        fputc(')', stderr);
    }
}

#endif
