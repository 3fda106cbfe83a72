// Whether what a path needs of its callers is nothing special, so that there is no reason to think that
// none of them offers it. Asked only where calls were not followed far enough to tell.
//
// A need is ordinary where it holds in the state in which the program starts (a flag that is still off), or
// whatever ordinary number stands for the unknowns in it: a length is not the greatest possible one, a
// pointer is not null, a letter is not a hyphen. That a flag is set or that an argument is a certain
// number is not ordinary. Needs are looked at one by one.
#include "eval/run.h"

enum { NUMBERS = 3, AT_START = NUMBERS };

// Pointers and what is as wide, and other numbers.
static const uint64_t wide[NUMBERS] = {4096, 8192, 1 << 20}, narrow[NUMBERS] = {0, 1, 100};

static uint64_t cut(uint64_t v, uint32_t width)
{
    return width >= 64 ? v : v & (((uint64_t)1 << width) - 1);
}

static int64_t sign(uint64_t v, uint32_t width)
{
    return width >= 64 || width <= 1 ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}

// What the unknown is as the program starts.
static bool at_start(const Facts *facts, const Terms *t, const TermNode *n, uint64_t *value)
{
    const TermNode *base = n->kind == T_INPUT && !n->b ? term_node(t, (Term){n->a}) : NULL;
    const Unit *u;
    const Const *c;
    uint32_t unit;
    if (!base || base->kind != T_GLOBAL || n->width % 8) return false;
    GlobalInit held = facts_global_start(facts, (GlobalId){base->a}, n->value, n->width / 8u, &u, &unit, &c);
    *value = held == GLOBAL_INIT_CONST ? (uint64_t)c->value : 0;
    return held == GLOBAL_INIT_ZERO || (held == GLOBAL_INIT_CONST && c->kind == CONST_INT);
}

static bool number_of(const Facts *facts, const Terms *t, Term x, int which, uint64_t *value);

// How many operands the term has that are terms; 0: it is not worked out here.
static int operands_of(TermKind kind)
{
    switch (kind) {
    case T_ZEXT:
    case T_SEXT:
    case T_TRUNC:
    case T_NOT: return 1;
    case T_ADD:
    case T_MUL:
    case T_AND:
    case T_OR:
    case T_EQ:
    case T_ULT:
    case T_SLT: return 2;
    default: return 0;
    }
}

static bool combine(const Facts *facts, const Terms *t, const TermNode *n, int which, uint64_t *value)
{
    uint64_t a, b = 0;
    int count = operands_of(n->kind);
    if (!count || !number_of(facts, t, (Term){n->a}, which, &a)) return false;
    if (count > 1 && !number_of(facts, t, (Term){n->b}, which, &b)) return false;
    uint32_t width = term_width(t, (Term){n->a});
    switch ((TermKind)n->kind) {
    case T_ZEXT:
    case T_TRUNC: *value = a; return true;
    case T_SEXT: *value = (uint64_t)sign(a, width); return true;
    case T_NOT: *value = !a; return true;
    case T_ADD: *value = a + b; return true;
    case T_MUL: *value = a * b; return true;
    case T_AND: *value = a & b; return true;
    case T_OR: *value = a | b; return true;
    case T_EQ: *value = a == b; return true;
    case T_ULT: *value = a < b; return true;
    case T_SLT: *value = sign(a, width) < sign(b, width); return true;
    default: return false;
    }
}

// `which`: of the ordinary numbers, or AT_START.
static bool number_of(const Facts *facts, const Terms *t, Term x, int which, uint64_t *value)
{
    const TermNode *n = term_node(t, x);
    uint32_t width = n->width;
    Address at = term_address(t, x);
    bool known;
    switch ((TermKind)n->kind) {
    case T_INT:
        *value = (uint64_t)n->value;
        known = true;
        break;
    case T_PARAM:
    case T_INPUT:
        if (which == AT_START) {
            known = at_start(facts, t, n, value);
        } else {
            *value = width == t->pointer_bits ? wide[which] : narrow[which];
            known = true;
        }
        break;
    case T_ADDR:
        known = !at.index.id && number_of(facts, t, at.base, which, value);
        if (known) *value += (uint64_t)at.offset;
        break;
    default: known = combine(facts, t, n, which, value); break;
    }
    if (known) *value = cut(*value, width);
    return known;
}

static bool holds(const Facts *facts, const Terms *t, const Guard *g, int which)
{
    uint64_t value;
    return number_of(facts, t, g->term, which, &value) && range_has(&g->range, term_width(t, g->term), value);
}

bool needs_are_ordinary(const Facts *facts, const Summary *sum, const ErrorCase *e)
{
    if (e->more || e->null) return false;
    for (uint32_t i = 0; i < e->guard_count; i++) {
        const Guard *g = &e->guards[i];
        bool always = true;
        for (int k = 0; k < NUMBERS; k++) always &= holds(facts, &sum->terms, g, k);
        if (!always && !holds(facts, &sum->terms, g, AT_START)) return false;
    }
    return true;
}
