// The search is that of propagation-based local search for bit vectors (Niemetz, Preiner, Biere,
// CAV 2016): take a fact that does not hold, choose a value with which it would, and carry it down
// through the operations, at each of them as if the other operand were right, to an unknown.
#include "logic/search.h"

#include "base/hash.h"
#include "logic/limits.h"

typedef struct {
    const Question *q;
    uint64_t *values; // of the nodes, without bits beyond their width
    uint64_t random;
} Guess;

static uint64_t mask_of(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t as_signed(uint32_t width, uint64_t v)
{
    if (width >= 64) return (int64_t)v;
    uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((v ^ sign) - sign);
}

static uint64_t draw(Guess *g, uint64_t below)
{
    g->random = hash_mix(g->random, 0x67756573);
    return (g->random >> 20) % below;
}

static uint64_t signed_quotient(uint32_t w, uint64_t a, uint64_t b)
{
    int64_t x = as_signed(w, a), y = as_signed(w, b);
    if (y == 0) return x < 0 ? 1 : UINT64_MAX;
    return y == -1 ? (uint64_t)0 - (uint64_t)x : (uint64_t)(x / y);
}

static uint64_t signed_rest(uint32_t w, uint64_t a, uint64_t b)
{
    int64_t x = as_signed(w, a), y = as_signed(w, b);
    return y == 0 ? a : y == -1 ? 0 : (uint64_t)(x % y);
}

static uint64_t shift_right_signed(uint32_t w, uint64_t a, uint64_t by)
{
    return (uint64_t)(as_signed(w, a) >> (by < w ? by : w - 1));
}

static uint64_t value_of(const Guess *g, const AskedNode *n)
{
    uint64_t a = g->values[n->a], b = g->values[n->b];
    uint32_t w = n->width, from = g->q->nodes.at[n->a].width;
    switch ((TermKind)n->kind) {
    case T_INT:
        return (uint64_t)n->number;
    case T_ADDR:
        return a + (uint64_t)n->number + (n->b ? b : 0);
    case T_ADD:
        return a + b;
    case T_MUL:
        return a * b;
    case T_UDIV:
        return b ? a / b : UINT64_MAX;
    case T_SDIV:
        return signed_quotient(w, a, b);
    case T_UREM:
        return b ? a % b : a;
    case T_SREM:
        return signed_rest(w, a, b);
    case T_SHL:
        return b < w ? a << b : 0;
    case T_LSHR:
        return b < w ? a >> b : 0;
    case T_ASHR:
        return shift_right_signed(w, a, b);
    case T_AND:
        return a & b;
    case T_OR:
        return a | b;
    case T_XOR:
        return a ^ b;
    case T_TRUNC:
    case T_ZEXT:
        return a;
    case T_SEXT:
        return (uint64_t)as_signed(from, a);
    case T_NOT:
        return ~a;
    case T_EQ:
        return a == b;
    case T_ULT:
        return a < b;
    case T_SLT:
        return as_signed(from, a) < as_signed(from, b);
    case T_ITE:
        return a ? b : g->values[n->c];
    default:
        return 0; // unknowns have been given theirs
    }
}

static bool holds(const Guess *g, const AskedFact *f)
{
    const Range *r = f->range;
    uint32_t w = g->q->nodes.at[f->node].width;
    uint64_t u = g->values[f->node], mask = mask_of(w);
    int64_t s = as_signed(w, u), v;
    if (range_single(r, w, &v)) return u == ((uint64_t)v & mask);
    if (w > 1 && (s < r->smin || s > r->smax || u < r->umin || u > r->umax)) return false;
    for (uint32_t i = 0; i < r->not_count; i++)
        if (u == ((uint64_t)r->not [i] & mask)) return false;
    return true;
}

static bool is_whole(const Guess *g, uint32_t sum)
{
    return g->values[sum] >= g->values[g->q->nodes.at[sum].a];
}

// How many facts and sums are not as they should be; one of them, which changes with the draw.
static uint32_t look_over(Guess *g, uint32_t *one)
{
    const Question *q = g->q;
    for (uint32_t i = 1; i < q->nodes.len; i++)
        if (q->nodes.at[i].kind != T_UNDEF)
            g->values[i] = value_of(g, &q->nodes.at[i]) & mask_of(q->nodes.at[i].width);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < q->facts.len + q->sums.len; i++) {
        bool right = i < q->facts.len ? holds(g, &q->facts.at[i])
                                      : is_whole(g, q->sums.at[i - q->facts.len]);
        if (!right && draw(g, ++wrong) == 0) *one = i;
    }
    return wrong;
}

static uint64_t between(Guess *g, uint64_t low, uint64_t high, uint64_t now)
{
    switch (draw(g, 4)) {
    case 0:
        return low;
    case 1:
        return high;
    default:
        return now < low ? low : now > high ? high : now;
    }
}

// Signed numbers ascend as unsigned ones do when their sign is turned round.
static int64_t between_signed(Guess *g, int64_t low, int64_t high, int64_t now)
{
    uint64_t sign = (uint64_t)1 << 63;
    uint64_t v = between(g, (uint64_t)low ^ sign, (uint64_t)high ^ sign, (uint64_t)now ^ sign);
    return (int64_t)(v ^ sign);
}

// A value that the range has, as far as one of its bounds says.
static uint64_t value_within(Guess *g, const Range *r, uint32_t w, uint64_t now)
{
    int64_t v;
    if (range_single(r, w, &v)) return (uint64_t)v;
    if (w == 1) return now ^ 1;
    int64_t s = as_signed(w, now);
    if (s < r->smin || s > r->smax) return (uint64_t)between_signed(g, r->smin, r->smax, s);
    if (now < r->umin || now > r->umax) return between(g, r->umin, r->umax, now);
    return draw(g, 2) ? now + 1 : now - 1; // one of those that are left out
}

// What the first (or second) operand of a comparison has to be for the wanted answer. False where
// no value of it would do.
static bool compared_value(Guess *g, const AskedNode *n, bool first, bool wanted, uint64_t *value)
{
    uint32_t side = first ? n->a : n->b, w = g->q->nodes.at[side].width;
    uint64_t now = g->values[side], other = g->values[first ? n->b : n->a], most = mask_of(w);
    if (n->kind == T_EQ) {
        *value = wanted ? other : draw(g, 2) ? other + 1 : other - 1;
        return true;
    }
    // a < b: the first is to be below; not a < b: the second is to be at most the first.
    bool below = first == wanted;
    if (n->kind == T_ULT) {
        if (wanted && other == (below ? 0 : most)) return false;
        uint64_t low = below ? 0 : wanted ? other + 1 : other;
        uint64_t high = !below ? most : wanted ? other - 1 : other;
        *value = between(g, low, high, now);
        return true;
    }
    int64_t top = (int64_t)(most >> 1), bottom = -top - 1, o = as_signed(w, other);
    if (wanted && o == (below ? bottom : top)) return false;
    int64_t low = below ? bottom : wanted ? o + 1 : o;
    int64_t high = !below ? top : wanted ? o - 1 : o;
    *value = (uint64_t)between_signed(g, low, high, as_signed(w, now));
    return true;
}

// The number that times the odd one gives 1.
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd; // right in three bits; each step doubles them
    for (int i = 0; i < 5; i++) x *= 2 - odd * x;
    return x;
}

static bool factor_value(uint64_t by, uint64_t wanted, uint64_t *value)
{
    if (!by) return false;
    int zeros = __builtin_ctzll(by);
    if (wanted & (((uint64_t)1 << zeros) - 1)) return false;
    *value = (wanted >> zeros) * inverse(by >> zeros);
    return true;
}

// One step down: which operand is to have which value for the node to have the wanted one.
static bool step_down(Guess *g, const AskedNode *n, uint64_t wanted, uint32_t *to, uint64_t *value)
{
    const AskedNode *nodes = g->q->nodes.at;
    bool first = !n->b || nodes[n->b].fixed || (!nodes[n->a].fixed && draw(g, 2));
    uint32_t w = n->width, side = first ? n->a : n->b;
    uint64_t other = n->b ? g->values[first ? n->b : n->a] : 0, now = g->values[side];
    *to = side;
    switch ((TermKind)n->kind) {
    case T_ADDR:
        *value = wanted - other - (uint64_t)n->number;
        return true;
    case T_ADD:
        *value = wanted - other;
        return true;
    case T_MUL:
        return factor_value(other, wanted, value);
    case T_AND:
        *value = (wanted & other) | (now & ~other);
        return (wanted & ~other) == 0;
    case T_OR:
        *value = (wanted & ~other) | (now & other);
        return (other & ~wanted) == 0;
    case T_XOR:
        *value = wanted ^ other;
        return true;
    case T_SHL:
        *value = wanted >> (other & 63);
        return first && other < w;
    case T_LSHR:
    case T_ASHR:
        *value = wanted << (other & 63);
        return first && other < w;
    case T_UDIV:
    case T_SDIV:
        *value = wanted * other;
        return first;
    case T_UREM:
    case T_SREM:
        *value = other ? now - now % other + wanted : wanted;
        return first;
    case T_TRUNC:
        *value = draw(g, 2) ? wanted : (uint64_t)as_signed(w, wanted);
        return true;
    case T_ZEXT:
        *value = wanted;
        return (wanted & ~mask_of(nodes[n->a].width)) == 0;
    case T_SEXT:
        *value = wanted;
        return ((uint64_t)as_signed(nodes[n->a].width, wanted & mask_of(nodes[n->a].width)) &
                mask_of(w)) == wanted;
    case T_NOT:
        *value = ~wanted;
        return true;
    case T_EQ:
    case T_ULT:
    case T_SLT:
        return compared_value(g, n, first, wanted != 0, value);
    case T_ITE:
        *to = draw(g, 4) == 0 && !nodes[n->a].fixed ? n->a : g->values[n->a] ? n->b : n->c;
        *value = *to == n->a ? !g->values[n->a] : wanted;
        return true;
    default:
        return false;
    }
}

// The unknown that the way down ends at, with the value that it is to have; 0 when it ends nowhere.
static uint32_t way_down(Guess *g, uint32_t at, uint64_t *value)
{
    const Question *q = g->q;
    while (q->nodes.at[at].kind != T_UNDEF) {
        const AskedNode *n = &q->nodes.at[at];
        if (n->fixed || !step_down(g, n, *value & mask_of(n->width), &at, value)) return 0;
    }
    *value &= mask_of(q->nodes.at[at].width);
    return at;
}

static uint32_t choose_move(Guess *g, uint32_t wrong, uint64_t *value)
{
    const Question *q = g->q;
    if (wrong >= q->facts.len) {
        // A sum that wraps: one of its parts gets smaller.
        const AskedNode *n = &q->nodes.at[q->sums.at[wrong - q->facts.len]];
        uint32_t part = draw(g, 2) ? n->a : n->b;
        *value = draw(g, 2) ? 0 : g->values[part] >> 1;
        return way_down(g, part, value);
    }
    const AskedFact *f = &q->facts.at[wrong];
    *value = value_within(g, f->range, q->nodes.at[f->node].width, g->values[f->node]);
    return way_down(g, f->node, value);
}

// Where no way leads down: some unknown becomes something else.
static uint32_t any_move(Guess *g, uint64_t *value)
{
    const Question *q = g->q;
    uint32_t at = 1 + (uint32_t)draw(g, q->nodes.len - 1);
    while (q->nodes.at[at].kind != T_UNDEF) at = at > 1 ? at - 1 : q->nodes.len - 1;
    uint32_t w = q->nodes.at[at].width;
    uint64_t now = g->values[at], kind = draw(g, 3);
    *value = (kind == 0   ? now ^ (uint64_t)1 << draw(g, w)
              : kind == 1 ? now + 1
                          : now - 1) &
             mask_of(w);
    return at;
}

// Pointers are apart and not null, numbers are 0: what most facts say.
static void start(Guess *g)
{
    for (uint32_t i = 1; i < g->q->nodes.len; i++)
        if (g->q->nodes.at[i].kind == T_UNDEF && g->q->nodes.at[i].width >= 64)
            g->values[i] = (uint64_t)i * SPACING;
}

static bool has_unknown(const Question *q)
{
    vec_each (i, &q->nodes)
        if (q->nodes.at[i].kind == T_UNDEF) return true;
    return false;
}

bool search_numbers(const Question *q, uint64_t *values)
{
    if (!has_unknown(q)) return false;
    Guess g = {.q = q, .values = values};
    start(&g);
    uint32_t one = 0, wrong = look_over(&g, &one);
    for (uint32_t move = 0; move < MOVES && wrong; move++) {
        uint64_t value = 0;
        uint32_t at = choose_move(&g, one, &value);
        if (!at || g.values[at] == value) at = any_move(&g, &value);
        uint64_t before = g.values[at];
        g.values[at] = value;
        uint32_t now = look_over(&g, &one);
        if (now > wrong && draw(&g, SIDEWAYS)) {
            g.values[at] = before;
            now = look_over(&g, &one);
        }
        wrong = now;
    }
    return !wrong;
}

void search_shrink(const Question *q, uint64_t *values)
{
    enum { LARGE = 2000, TRIES = 4 };
    Guess g = {.q = q, .values = values};
    uint32_t one = 0;
    if (q->nodes.len > LARGE || look_over(&g, &one)) return;
    vec_each (i, &q->nodes) {
        if (q->nodes.at[i].kind != T_UNDEF) continue;
        uint64_t had = values[i], first = q->nodes.at[i].width >= 64;
        bool smaller = false;
        for (uint64_t n = first; n < first + TRIES && n < had && !smaller; n++) {
            values[i] = n;
            smaller = !look_over(&g, &one);
        }
        if (!smaller) values[i] = had;
    }
    look_over(&g, &one);
}

bool search_possible(const Question *q)
{
    uint64_t *values = mem_alloc(q->nodes.len * sizeof *values);
    bool found = search_numbers(q, values);
    mem_free(values);
    return found;
}
