#include "logic/cond.h"

#include "base/hash.h"
#include "logic/limits.h"

#include <string.h>

void conds_init(Conds *c, Arena *arena, Terms *terms)
{
    *c = (Conds){.arena = arena, .terms = terms};
    vec_push(&c->ranges, arena_new_of(arena, Range));
}

void conds_free(Conds *c)
{
    vec_free(&c->ranges);
    map_free(&c->index);
}

static int64_t smin_of(uint32_t w)
{
    return w == 1 ? 0 : w >= 64 ? INT64_MIN : -((int64_t)1 << (w - 1));
}
static int64_t smax_of(uint32_t w)
{
    return w == 1 ? 1 : w >= 64 ? INT64_MAX : ((int64_t)1 << (w - 1)) - 1;
}
static uint64_t umax_of(uint32_t w)
{
    return w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
}
static uint64_t to_unsigned(uint32_t w, int64_t v)
{
    return (uint64_t)v & umax_of(w);
}
static int64_t to_signed(uint32_t w, uint64_t v)
{
    if (w >= 64) return (int64_t)v;
    if (w == 1) return (int64_t)(v & 1);
    return (int64_t)(v << (64 - w)) >> (64 - w);
}

static Range full(uint32_t w)
{
    return (Range){.smin = smin_of(w), .smax = smax_of(w), .umax = umax_of(w)};
}

static Range single(uint32_t w, int64_t v)
{
    uint64_t u = to_unsigned(w, v);
    return (Range){.smin = v, .smax = v, .umin = u, .umax = u};
}

bool range_fits(const Range *r, uint32_t width)
{
    if (!width || width > 64 || r->smin > r->smax || r->umin > r->umax) return false;
    if (r->not_count > sizeof r->not / sizeof *r->not || r->pad) return false;
    return r->smin >= smin_of(width) && r->smax <= smax_of(width) && r->umax <= umax_of(width);
}

bool range_single(const Range *r, uint32_t width, int64_t *value)
{
    if (r->smin == r->smax) {
        *value = r->smin;
        return true;
    }
    if (r->umin == r->umax) {
        *value = to_signed(width, r->umin);
        return true;
    }
    return false;
}

static bool excludes(const Range *r, int64_t v)
{
    for (uint32_t i = 0; i < r->not_count; i++)
        if (r->not [i] == v) return true;
    return false;
}

bool range_has(const Range *r, uint32_t width, uint64_t value)
{
    int64_t v = to_signed(width, value);
    return v >= r->smin && v <= r->smax && value >= r->umin && value <= r->umax && !excludes(r, v);
}

// Makes the two views agree and cuts excluded values off the ends. False when nothing is left.
static bool tighten(Range *r, uint32_t w)
{
    for (int round = 0; round < 4; round++) {
        if (r->smin > r->smax || r->umin > r->umax) return false;
        // Signed bounds of one sign are unsigned bounds too, and the other way round.
        if (r->smin >= 0 || r->smax < 0) {
            uint64_t lo = to_unsigned(w, r->smin), hi = to_unsigned(w, r->smax);
            if (lo > r->umin) r->umin = lo;
            if (hi < r->umax) r->umax = hi;
        }
        if (r->umin > r->umax) return false;
        if (r->umax <= (uint64_t)smax_of(w) || r->umin > (uint64_t)smax_of(w)) {
            int64_t lo = to_signed(w, r->umin), hi = to_signed(w, r->umax);
            if (lo > r->smin) r->smin = lo;
            if (hi < r->smax) r->smax = hi;
        }
        if (r->smin > r->smax) return false;
        bool cut = false;
        if (excludes(r, r->smin)) {
            if (r->smin == r->smax) return false;
            r->smin++, cut = true;
        }
        if (excludes(r, r->smax)) {
            if (r->smin == r->smax) return false;
            r->smax--, cut = true;
        }
        if (excludes(r, to_signed(w, r->umin))) {
            if (r->umin == r->umax) return false;
            r->umin++, cut = true;
        }
        if (excludes(r, to_signed(w, r->umax))) {
            if (r->umin == r->umax) return false;
            r->umax--, cut = true;
        }
        if (!cut) break;
    }
    // Exclusions outside the bounds say nothing any more.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->not_count; i++)
        if (r->not [i] > r -> smin && r -> not [i] < r -> smax) r->not [kept++] = r->not [i];
    for (uint32_t i = kept; i < r->not_count; i++) r->not [i] = 0;
    r->not_count = kept;
    return true;
}

static void exclude(Range *r, int64_t v)
{
    if (excludes(r, v)) return;
    // A full list forgets the new value: errs towards "unknown".
    if (r->not_count == sizeof r->not / sizeof *r->not ) return;
    uint32_t i = r->not_count++;
    for (; i > 0 && r->not [i - 1] > v; i--) r->not [i] = r->not [i - 1];
    r->not [i] = v;
}

static Range intersect(Range x, const Range *y)
{
    if (y->smin > x.smin) x.smin = y->smin;
    if (y->smax < x.smax) x.smax = y->smax;
    if (y->umin > x.umin) x.umin = y->umin;
    if (y->umax < x.umax) x.umax = y->umax;
    for (uint32_t i = 0; i < y->not_count; i++) exclude(&x, y->not [i]);
    return x;
}

static Range hull(const Range *x, const Range *y)
{
    Range r = {
        .smin = x->smin < y->smin ? x->smin : y->smin,
        .smax = x->smax > y->smax ? x->smax : y->smax,
        .umin = x->umin < y->umin ? x->umin : y->umin,
        .umax = x->umax > y->umax ? x->umax : y->umax,
    };
    // A value is excluded when each side excludes it, by list or by bounds.
    const Range *sides[2] = {x, y};
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s]->not_count; i++) {
            int64_t v = sides[s]->not [i];
            const Range *o = sides[1 - s];
            if (excludes(o, v) || v < o->smin || v > o->smax) exclude(&r, v);
        }
    // Zero in the gap between both sides is what null tests ask for.
    if (r.smin < 0 && r.smax > 0 && (x->smax < 0 || x->smin > 0 || excludes(x, 0)) &&
        (y->smax < 0 || y->smin > 0 || excludes(y, 0)))
        exclude(&r, 0);
    return r;
}

static uint64_t intern(Conds *c, const Range *r)
{
    uint64_t h = hash_bytes(r, sizeof *r, 3);
    for (;; h++) {
        bool fresh;
        uint64_t *at = map_at(&c->index, h, c->ranges.len, &fresh);
        if (fresh) {
            vec_push(&c->ranges, arena_copy(c->arena, r, sizeof *r));
            return c->ranges.len - 1;
        }
        if (memcmp(c->ranges.at[*at], r, sizeof *r) == 0) return *at;
    }
}

const Range *cond_fact(const Conds *c, uint64_t fact)
{
    return c->ranges.at[fact];
}

static Range structural(const Conds *c, PMap facts, Term x, int depth);

static Range range_of(const Conds *c, PMap facts, Term x, int depth)
{
    const TermNode *n = term_node(c->terms, x);
    uint32_t w = n->width;
    uint64_t fact;
    if (w == 0) return full(64);
    if (n->kind == T_INT) return single(w, n->value);
    // Of an unknown nothing but the fact is known.
    if (n->kind >= T_HEAP && n->kind <= T_UNDEF && n->kind != T_LOOP) {
        if (!pmap_get(facts, x.id, &fact)) return full(w);
        Range r = *c->ranges.at[fact];
        tighten(&r, w);
        return r;
    }
    Range r = structural(c, facts, x, depth);
    if (pmap_get(facts, x.id, &fact)) {
        r = intersect(r, c->ranges.at[fact]);
        tighten(&r, w);
    }
    return r;
}

static Range sum(uint32_t w, const Range *a, const Range *b)
{
    Range r = full(w);
    int64_t lo, hi;
    if (!__builtin_add_overflow(a->smin, b->smin, &lo) &&
        !__builtin_add_overflow(a->smax, b->smax, &hi) && lo >= smin_of(w) && hi <= smax_of(w))
        r.smin = lo, r.smax = hi;
    uint64_t ulo, uhi;
    if (!__builtin_add_overflow(a->umin, b->umin, &ulo) &&
        !__builtin_add_overflow(a->umax, b->umax, &uhi) && uhi <= umax_of(w))
        r.umin = ulo, r.umax = uhi;
    tighten(&r, w);
    return r;
}

// Of a sum or a product, where it cannot wrap.
static Range range_of_sum(const Conds *c, PMap facts, const TermNode *n, int depth)
{
    uint32_t w = n->width;
    Range r = full(w);
    int64_t k;
    switch (n->kind) {
    case T_ADD: {
        Range a = range_of(c, facts, (Term){n->a}, depth - 1),
              b = range_of(c, facts, (Term){n->b}, depth - 1);
        return sum(w, &a, &b);
    }
    case T_MUL: {
        if (!term_is_int(c->terms, (Term){n->b}, &k)) break;
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        int64_t lo, hi;
        if (!__builtin_mul_overflow(a.smin, k, &lo) && !__builtin_mul_overflow(a.smax, k, &hi)) {
            if (lo > hi) {
                int64_t swap = lo;
                lo = hi, hi = swap;
            }
            if (lo >= smin_of(w) && hi <= smax_of(w)) {
                r.smin = lo, r.smax = hi;
                if (k && excludes(&a, 0)) exclude(&r, 0);
            }
        }
        tighten(&r, w);
        break;
    }
    default:
        break;
    }
    return r;
}

// Of a value that was made wider or narrower.
static Range range_of_conversion(const Conds *c, PMap facts, const TermNode *n, int depth)
{
    uint32_t w = n->width;
    Range r = full(w);
    switch (n->kind) {
    case T_ZEXT: {
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        r.umin = a.umin, r.umax = a.umax;
        if (excludes(&a, 0)) exclude(&r, 0);
        tighten(&r, w);
        break;
    }
    case T_SEXT: {
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        if (term_width(c->terms, (Term){n->a}) == 1) {
            r.smin = -a.smax, r.smax = -a.smin;
        } else {
            r.smin = a.smin, r.smax = a.smax;
            for (uint32_t i = 0; i < a.not_count; i++) exclude(&r, a.not [i]);
        }
        tighten(&r, w);
        break;
    }
    case T_TRUNC: {
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        if (a.smin >= smin_of(w) && a.smax <= smax_of(w)) r.smin = a.smin, r.smax = a.smax;
        if (a.umax <= umax_of(w)) r.umin = a.umin, r.umax = a.umax;
        tighten(&r, w);
        break;
    }
    default:
        break;
    }
    return r;
}

static Range structural(const Conds *c, PMap facts, Term x, int depth)
{
    const TermNode *n = term_node(c->terms, x);
    uint32_t w = n->width;
    Range r = full(w);
    int64_t k;
    if (n->kind == T_INT) return single(w, n->value);
    if (depth <= 0) return r;
    switch (n->kind) {
    case T_LOCAL:
    case T_GLOBAL:
    case T_FUNC:
        exclude(&r, 0);
        r.umin = 1;
        break;
    case T_ADDR: {
        // Of an unknown base it may be a sum of integers as wide as a pointer; see term_eq.
        TermKind base = term_kind(c->terms, (Term){n->a});
        bool object = base == T_LOCAL || base == T_GLOBAL || base == T_FUNC || base == T_HEAP;
        if (!object) {
            r = range_of(c, facts, (Term){n->a}, depth - 1);
            if (n->b) {
                Range b = range_of(c, facts, (Term){n->b}, depth - 1);
                r = sum(w, &r, &b);
            }
            Range more = single(w, n->value);
            if (n->value) r = sum(w, &r, &more);
        }
        if (object || (!n->b && n->value > 0)) exclude(&r, 0);
        break;
    }
    case T_LOOP:
        r.smin = 0;
        tighten(&r, w);
        break;
    case T_ADD:
    case T_MUL:
        return range_of_sum(c, facts, n, depth);
    case T_AND: {
        if (!term_is_int(c->terms, (Term){n->b}, &k)) break;
        uint64_t mask = to_unsigned(w, k);
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        // Bits above the highest of the largest value are never set: flags of which one is asked.
        mask &= a.umax ? UINT64_MAX >> __builtin_clzll(a.umax) : 0;
        r.umax = a.umax < mask ? a.umax : mask;
        tighten(&r, w);
        break;
    }
    case T_OR: {
        // At least as large as either side; with a constant never zero.
        Range a = range_of(c, facts, (Term){n->a}, depth - 1),
              b = range_of(c, facts, (Term){n->b}, depth - 1);
        r.umin = a.umin > b.umin ? a.umin : b.umin;
        tighten(&r, w);
        break;
    }
    case T_UREM:
        if (term_is_int(c->terms, (Term){n->b}, &k) && k > 0) r.umax = (uint64_t)k - 1;
        tighten(&r, w);
        break;
    case T_UDIV: {
        if (!term_is_int(c->terms, (Term){n->b}, &k) || k <= 0) break;
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        r.umin = a.umin / (uint64_t)k, r.umax = a.umax / (uint64_t)k;
        tighten(&r, w);
        break;
    }
    case T_LSHR: {
        if (!term_is_int(c->terms, (Term){n->b}, &k) || k < 0 || k >= (int64_t)w) break;
        Range a = range_of(c, facts, (Term){n->a}, depth - 1);
        r.umin = a.umin >> k, r.umax = a.umax >> k;
        tighten(&r, w);
        break;
    }
    case T_ZEXT:
    case T_SEXT:
    case T_TRUNC:
        return range_of_conversion(c, facts, n, depth);
    case T_ITE: {
        Range a = range_of(c, facts, (Term){n->b}, depth - 1),
              b = range_of(c, facts, (Term){n->c}, depth - 1);
        Truth t = cond_decide(c, facts, (Term){n->a});
        return t == COND_TRUE ? a : t == COND_FALSE ? b : hull(&a, &b);
    }
    default:
        break;
    }
    return r;
}

bool range_same(const Range *x, const Range *y)
{
    bool same = x->smin == y->smin && x->smax == y->smax && x->umin == y->umin &&
                x->umax == y->umax && x->not_count == y->not_count;
    for (uint32_t i = 0; same && i < x->not_count; i++) same = x->not [i] == y->not [i];
    return same;
}

Range cond_range(const Conds *c, PMap facts, Term x)
{
    return range_of(c, facts, x, RANGE_DEPTH);
}

static bool disjoint(const Range *a, const Range *b, uint32_t w)
{
    if (a->smax < b->smin || b->smax < a->smin || a->umax < b->umin || b->umax < a->umin)
        return true;
    int64_t v;
    if (range_single(a, w, &v) && excludes(b, v)) return true;
    return range_single(b, w, &v) && excludes(a, v);
}

static Truth truth_of(bool b)
{
    return b ? COND_TRUE : COND_FALSE;
}

// A null pointer has no offset: ADDR(p, _, _) is as much null as p is, so comparisons with other
// bases go by the facts alone.
static Truth decide(const Conds *c, PMap facts, Term x, int depth)
{
    const TermNode *n = term_node(c->terms, x);
    if (n->kind == T_INT) return truth_of(n->value != 0);
    uint64_t fact;
    if (pmap_get(facts, x.id, &fact)) {
        int64_t v;
        if (range_single(c->ranges.at[fact], 1, &v)) return truth_of(v != 0);
    }
    if (depth <= 0) return COND_UNKNOWN;
    Term a = {n->a}, b = {n->b};
    switch (n->kind) {
    case T_NOT: {
        Truth t = decide(c, facts, a, depth - 1);
        return t == COND_UNKNOWN ? t : truth_of(t == COND_FALSE);
    }
    case T_EQ:
    case T_ULT:
    case T_SLT: {
        uint32_t w = term_width(c->terms, a);
        Range p = range_of(c, facts, a, RANGE_DEPTH), q = range_of(c, facts, b, RANGE_DEPTH);
        if (n->kind == T_EQ) {
            int64_t v, u;
            if (disjoint(&p, &q, w)) return COND_FALSE;
            if (range_single(&p, w, &v) && range_single(&q, w, &u)) return truth_of(v == u);
        } else if (n->kind == T_SLT) {
            if (p.smax < q.smin) return COND_TRUE;
            if (p.smin >= q.smax) return COND_FALSE;
        } else {
            if (p.umax < q.umin) return COND_TRUE;
            if (p.umin >= q.umax) return COND_FALSE;
        }
        // a < b is false when b < a or a == b is known.
        if (n->kind != T_EQ) {
            Terms *t = c->terms;
            uint64_t other;
            int64_t v;
            Term flipped =
                term_raw(t, (TermNode){.kind = n->kind, .width = 1, .a = b.id, .b = a.id});
            if (pmap_get(facts, flipped.id, &other) && range_single(c->ranges.at[other], 1, &v) &&
                v)
                return COND_FALSE;
        }
        return COND_UNKNOWN;
    }
    case T_AND: {
        Truth p = decide(c, facts, a, depth - 1), q = decide(c, facts, b, depth - 1);
        if (p == COND_FALSE || q == COND_FALSE) return COND_FALSE;
        return p == COND_TRUE && q == COND_TRUE ? COND_TRUE : COND_UNKNOWN;
    }
    case T_OR: {
        Truth p = decide(c, facts, a, depth - 1), q = decide(c, facts, b, depth - 1);
        if (p == COND_TRUE || q == COND_TRUE) return COND_TRUE;
        return p == COND_FALSE && q == COND_FALSE ? COND_FALSE : COND_UNKNOWN;
    }
    case T_ITE: {
        Truth t = decide(c, facts, a, depth - 1);
        if (t == COND_UNKNOWN) {
            Truth p = decide(c, facts, b, depth - 1), q = decide(c, facts, (Term){n->c}, depth - 1);
            return p == q ? p : COND_UNKNOWN;
        }
        return decide(c, facts, t == COND_TRUE ? b : (Term){n->c}, depth - 1);
    }
    default: {
        // A one-bit value of any other kind: a truncation, say.
        Range r = range_of(c, facts, x, RANGE_DEPTH);
        int64_t v;
        return range_single(&r, n->width, &v) ? truth_of(v != 0) : COND_UNKNOWN;
    }
    }
}

Truth cond_decide(const Conds *c, PMap facts, Term cond)
{
    return decide(c, facts, cond, 6);
}

static bool narrow_to(Conds *c, PMap *facts, Term x, Range to, int depth);

static bool assume(Conds *c, PMap *facts, Term cond, bool truth, int depth)
{
    const TermNode n = *term_node(c->terms, cond);
    if (n.kind == T_NOT) return assume(c, facts, (Term){n.a}, !truth, depth);
    Truth known = decide(c, *facts, cond, 6);
    if (known != COND_UNKNOWN) return (known == COND_TRUE) == truth;
    Range bit = single(1, truth);
    *facts = pmap_set(c->arena, *facts, cond.id, intern(c, &bit));
    if (depth <= 0) return true;
    Term a = {n.a}, b = {n.b};
    switch (n.kind) {
    case T_AND:
        if (truth)
            return assume(c, facts, a, true, depth - 1) && assume(c, facts, b, true, depth - 1);
        if (decide(c, *facts, a, 6) == COND_TRUE) return assume(c, facts, b, false, depth - 1);
        if (decide(c, *facts, b, 6) == COND_TRUE) return assume(c, facts, a, false, depth - 1);
        return true;
    case T_OR:
        if (!truth)
            return assume(c, facts, a, false, depth - 1) && assume(c, facts, b, false, depth - 1);
        if (decide(c, *facts, a, 6) == COND_FALSE) return assume(c, facts, b, true, depth - 1);
        if (decide(c, *facts, b, 6) == COND_FALSE) return assume(c, facts, a, true, depth - 1);
        return true;
    case T_EQ:
    case T_ULT:
    case T_SLT:
        break;
    default:
        return true;
    }
    uint32_t w = term_width(c->terms, a);
    Range p = range_of(c, *facts, a, RANGE_DEPTH), q = range_of(c, *facts, b, RANGE_DEPTH);
    Range for_a = full(w), for_b = full(w);
    int64_t v;
    if (n.kind == T_EQ && truth) {
        for_a = q, for_b = p;
    } else if (n.kind == T_EQ) {
        if (range_single(&q, w, &v)) exclude(&for_a, v);
        if (range_single(&p, w, &v)) exclude(&for_b, v);
    } else if (n.kind == T_SLT && truth) { // a < b
        if (q.smax > smin_of(w)) for_a.smax = q.smax - 1;
        if (p.smin < smax_of(w)) for_b.smin = p.smin + 1;
    } else if (n.kind == T_SLT) { // a >= b
        for_a.smin = q.smin;
        for_b.smax = p.smax;
    } else if (truth) {
        if (q.umax > 0) for_a.umax = q.umax - 1;
        if (p.umin < umax_of(w)) for_b.umin = p.umin + 1;
    } else {
        for_a.umin = q.umin;
        for_b.umax = p.umax;
    }
    return narrow_to(c, facts, a, for_a, depth - 1) && narrow_to(c, facts, b, for_b, depth - 1);
}

bool cond_assume(Conds *c, PMap *facts, Term cond, bool truth)
{
    return assume(c, facts, cond, truth, 6);
}

// x + k lies in r: narrows x, where its known range shows that x + k cannot wrap.
static bool narrow_summand(Conds *c, PMap *facts, Term x, int64_t k, const Range *r, int depth)
{
    uint32_t w = term_width(c->terms, x);
    Range inner = full(w), now = range_of(c, *facts, x, RANGE_DEPTH);
    int64_t lo, hi;
    if (__builtin_add_overflow(now.smin, k, &lo) || lo < smin_of(w) || lo > smax_of(w)) return true;
    if (__builtin_add_overflow(now.smax, k, &hi) || hi < smin_of(w) || hi > smax_of(w)) return true;
    if (!__builtin_sub_overflow(r->smin, k, &lo) && lo >= smin_of(w)) inner.smin = lo;
    if (!__builtin_sub_overflow(r->smax, k, &hi) && hi <= smax_of(w)) inner.smax = hi;
    return narrow_to(c, facts, x, inner, depth - 1);
}

// The same for x * k.
static bool narrow_factor(Conds *c, PMap *facts, Term x, int64_t k, const Range *r, int depth)
{
    uint32_t w = term_width(c->terms, x);
    Range inner = full(w), now = range_of(c, *facts, x, RANGE_DEPTH);
    int64_t lo, hi;
    if (k <= 0 || __builtin_mul_overflow(now.smin, k, &lo) || __builtin_mul_overflow(now.smax, k, &hi) ||
        lo < smin_of(w) || hi > smax_of(w))
        return true;
    // Rounded inwards: the least x with x * k >= smin, the greatest with x * k <= smax.
    inner.smin = r->smin / k + (r->smin > 0 && r->smin % k);
    inner.smax = r->smax / k - (r->smax < 0 && r->smax % k);
    if (excludes(r, 0)) exclude(&inner, 0);
    return narrow_to(c, facts, x, inner, depth - 1);
}

// Records that x lies in `to`, and what follows for the terms that x is made of.
static bool narrow_to(Conds *c, PMap *facts, Term x, Range to, int depth)
{
    const TermNode n = *term_node(c->terms, x);
    uint32_t w = n.width;
    Range old = range_of(c, *facts, x, RANGE_DEPTH);
    Range r = intersect(old, &to);
    if (!tighten(&r, w)) return false;
    if (memcmp(&r, &old, sizeof r) == 0) return true;
    if (n.kind == T_INT) return true;
    if (w == 1) {
        int64_t v;
        return !range_single(&r, 1, &v) || assume(c, facts, x, v != 0, depth);
    }
    *facts = pmap_set(c->arena, *facts, x.id, intern(c, &r));
    if (depth <= 0) return true;
    Term a = {n.a};
    int64_t k;
    switch (n.kind) {
    case T_ZEXT:
    case T_SEXT: {
        uint32_t from = term_width(c->terms, a);
        Range inner = full(from);
        if (n.kind == T_ZEXT) {
            if (r.umin > umax_of(from)) return false;
            inner.umin = r.umin;
            inner.umax = r.umax < umax_of(from) ? r.umax : umax_of(from);
            if (excludes(&r, 0)) exclude(&inner, 0);
        } else if (from > 1) {
            if (r.smin > smax_of(from) || r.smax < smin_of(from)) return false;
            inner.smin = r.smin > smin_of(from) ? r.smin : smin_of(from);
            inner.smax = r.smax < smax_of(from) ? r.smax : smax_of(from);
            for (uint32_t i = 0; i < r.not_count; i++) exclude(&inner, r.not [i]);
        } else {
            if (r.smin > 0 || r.smax < -1) return false;
            inner.smin = r.smax < 0, inner.smax = r.smin < 0;
            inner.umin = (uint64_t)inner.smin, inner.umax = (uint64_t)inner.smax;
        }
        return narrow_to(c, facts, a, inner, depth - 1);
    }
    case T_ADD:
        return !term_is_int(c->terms, (Term){n.b}, &k) || narrow_summand(c, facts, a, k, &r, depth);
    case T_ADDR:
        // A sum of integers as wide as a pointer looks like an address.
        return n.b || term_is_object(c->terms, a) || narrow_summand(c, facts, a, n.value, &r, depth);
    case T_MUL:
        return !term_is_int(c->terms, (Term){n.b}, &k) || narrow_factor(c, facts, a, k, &r, depth);
    case T_ITE: {
        Range p = range_of(c, *facts, (Term){n.b}, RANGE_DEPTH),
              q = range_of(c, *facts, (Term){n.c}, RANGE_DEPTH);
        bool no_p = disjoint(&p, &r, w), no_q = disjoint(&q, &r, w);
        if (no_p && no_q) return false;
        if (no_p) return assume(c, facts, a, false, depth - 1);
        if (no_q) return assume(c, facts, a, true, depth - 1);
        return true;
    }
    default:
        return true;
    }
}

bool cond_restrict(Conds *c, PMap *facts, Term x, const Range *to)
{
    if (term_width(c->terms, x) == 0) return true;
    if (term_width(c->terms, x) == 1) {
        int64_t v;
        return !range_single(to, 1, &v) || cond_assume(c, facts, x, v != 0);
    }
    return narrow_to(c, facts, x, *to, 6);
}

typedef struct {
    Conds *conds;
    PMap result;
} Hull;

static bool hull_entry(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Hull *h = context;
    Conds *c = h->conds;
    if (has == 1) {
        h->result = pmap_drop(c->arena, h->result, key);
    } else if (has == 3) {
        uint32_t w = term_width(c->terms, (Term){(uint32_t)key});
        Range r = hull(c->ranges.at[a], c->ranges.at[b]), all = full(w);
        if (memcmp(&r, &all, sizeof r) == 0)
            h->result = pmap_drop(c->arena, h->result, key);
        else
            h->result = pmap_set(c->arena, h->result, key, intern(c, &r));
    }
    return true;
}

PMap cond_hull(Conds *c, PMap a, PMap b)
{
    Hull h = {c, a};
    pmap_diff(a, b, hull_entry, &h);
    return h.result;
}

Range cond_range_hull(Range x, Range y)
{
    return hull(&x, &y);
}

uint64_t cond_intern(Conds *c, const Range *r)
{
    return intern(c, r);
}

// Whether the signed (or else the unsigned) bounds and the excluded values say all that r says.
static bool has_shape(const Range *r, uint32_t w, bool is_signed)
{
    Range t = full(w);
    if (is_signed)
        t.smin = r->smin, t.smax = r->smax;
    else
        t.umin = r->umin, t.umax = r->umax;
    for (uint32_t i = 0; i < r->not_count; i++) exclude(&t, r->not [i]);
    if (!tighten(&t, w)) return false;
    return t.smin == r->smin && t.smax == r->smax && t.umin == r->umin && t.umax == r->umax;
}

static bool inside(const Range *x, const Range *y)
{
    bool all = x->smin >= y->smin && x->smax <= y->smax && x->umin >= y->umin && x->umax <= y->umax;
    for (uint32_t i = 0; i < y->not_count && all; i++)
        all = excludes(x, y->not [i]) || y->not [i] < x -> smin || y -> not [i] > x -> smax;
    return all;
}

static bool union_range(const Range *x, const Range *y, uint32_t w, Range *r)
{
    if (inside(x, y)) return *r = *y, true;
    if (inside(y, x)) return *r = *x, true;
    int64_t low = x->smin > y->smin ? x->smin : y->smin,
            high = x->smax < y->smax ? x->smax : y->smax;
    uint64_t ulow = x->umin > y->umin ? x->umin : y->umin,
             uhigh = x->umax < y->umax ? x->umax : y->umax;
    bool touch = low <= high || (high < INT64_MAX && high + 1 == low),
         utouch = ulow <= uhigh || (uhigh < UINT64_MAX && uhigh + 1 == ulow);
    if (!(touch && has_shape(x, w, true) && has_shape(y, w, true)) &&
        !(utouch && has_shape(x, w, false) && has_shape(y, w, false)))
        return false;
    *r = hull(x, y);
    // A list that is full may have dropped one that both exclude.
    return x->not_count + y->not_count <= sizeof r->not / sizeof *r->not &&tighten(r, w);
}

typedef struct {
    uint64_t key[UNION_DIFFS];
    uint32_t len;
} Diffs;

static bool note_diff(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Diffs *d = context;
    (void)a, (void)b, (void)has;
    if (d->len == UNION_DIFFS) return false;
    d->key[d->len++] = key;
    return true;
}

// Without those of the facts that follow from the others: a comparison with a number says nothing
// beside the range of what was compared.
static PMap without_implied(Conds *c, PMap facts, const Diffs *d)
{
    for (uint32_t i = 0; i < d->len; i++) {
        uint64_t fact;
        Term x = {(uint32_t)d->key[i]};
        if (!pmap_get(facts, x.id, &fact)) continue;
        Range r = structural(c, facts, x, RANGE_DEPTH); // asks for what x is made of alone
        if (inside(&r, c->ranges.at[fact])) facts = pmap_drop(c->arena, facts, x.id);
    }
    return facts;
}

static Range fact_or_full(const Conds *c, PMap facts, uint64_t key)
{
    uint64_t fact;
    if (pmap_get(facts, key, &fact)) return *c->ranges.at[fact];
    return full(term_width(c->terms, (Term){(uint32_t)key}));
}

bool cond_union(Conds *c, PMap a, PMap b, PMap *result)
{
    Diffs d = {.len = 0};
    if (!pmap_diff(a, b, note_diff, &d)) return false;
    a = without_implied(c, a, &d);
    b = without_implied(c, b, &d);
    bool a_in_b = true, b_in_a = true;
    uint32_t differ = 0;
    uint64_t pivot = 0;
    for (uint32_t i = 0; i < d.len; i++) {
        Range x = fact_or_full(c, a, d.key[i]), y = fact_or_full(c, b, d.key[i]);
        bool lower = inside(&x, &y), upper = inside(&y, &x);
        a_in_b &= lower;
        b_in_a &= upper;
        if (!lower || !upper) differ++, pivot = d.key[i];
    }
    if (a_in_b || b_in_a) return *result = a_in_b ? b : a, true;
    if (differ != 1) return false;
    uint32_t w = term_width(c->terms, (Term){(uint32_t)pivot});
    Range x = fact_or_full(c, a, pivot), y = fact_or_full(c, b, pivot), r, all = full(w);
    if (w == 0 || !union_range(&x, &y, w, &r)) return false;
    // Equal facts may be written differently on the two sides; either will do.
    *result = inside(&all, &r) ? pmap_drop(c->arena, a, pivot)
                               : pmap_set(c->arena, a, pivot, intern(c, &r));
    return true;
}
