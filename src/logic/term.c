// Terms and their simplification. The rules are those that branches of real C programs need:
// constants, pointer plus offset, sums with a constant, comparisons of a sum with a constant,
// flags tested twice, tags in the low bits of aligned pointers.
#include "logic/term.h"

#include "base/hash.h"
#include "logic/limits.h"

enum { HEAP_ALIGN_MASK = 15 };

#ifdef STANCH_HARD
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 256 };
#endif

static uint64_t node_hash(const TermNode *n)
{
    uint64_t h = ((uint64_t)n->a << 32 | n->b) * 0x9e3779b97f4a7c15u;
    h ^= ((uint64_t)n->value + ((uint64_t)n->c << 32 | (uint32_t)n->kind << 8 | n->width)) * 0xff51afd7ed558ccdu;
    return hash_mix(h ^ h >> 32, 0);
}

static bool node_same(const TermNode *x, const TermNode *y)
{
    return x->kind == y->kind && x->width == y->width && x->a == y->a && x->b == y->b &&
           x->c == y->c && x->value == y->value;
}

// The hashes in the slots spare looking at nodes that are not the one, and hashing anew when the
// table grows. The place goes by the same half of the hash that they keep.
static uint32_t slot_of(const Terms *t, const TermNode *n, uint64_t hash)
{
    uint32_t mask = t->slot_count - 1, s = (uint32_t)(hash >> 32) & mask;
    while (t->slots[s] &&
           ((t->slots[s] ^ hash) >> 32 != 0 || !node_same(&t->nodes.at[(uint32_t)t->slots[s]], n)))
        s = (s + 1) & mask;
    return s;
}

static uint64_t slot_word(uint64_t hash, uint32_t node)
{
    return (hash >> 32 << 32) | node;
}

static void rehash(Terms *t, uint32_t count)
{
    uint64_t *old = t->slots;
    uint32_t old_count = t->slot_count, mask = count - 1;
    t->slots = mem_alloc(count * sizeof *t->slots);
    t->slot_count = count;
    for (uint32_t i = 0; i < old_count; i++) {
        if (!old[i]) continue;
        uint32_t s = (uint32_t)(old[i] >> 32) & mask;
        while (t->slots[s]) s = (s + 1) & mask;
        t->slots[s] = old[i];
    }
    mem_free(old);
}

void terms_settle(Terms *t)
{
    TermNode *at = t->nodes.at;
    vec_each (i, &t->left) mem_free(t->left.at[i]);
    vec_free(&t->left);
    mem_free(t->slots);
    t->slots = NULL, t->slot_count = 0;
    if (t->nodes.len < t->nodes.cap) t->nodes.at = mem_resize_raw(at, t->nodes.cap * sizeof *at, t->nodes.len * sizeof *at);
    t->nodes.cap = t->nodes.len;
}

// The hostile build moves at every node while there are few of them.
static uint32_t next_room(uint32_t cap)
{
#ifdef STANCH_HARD
    if (cap < 64) return cap + 1;
#endif
    return cap ? cap * 2 : 8;
}

static void push_node(Terms *t, TermNode n)
{
    if (t->nodes.len == t->nodes.cap) {
        uint32_t room = next_room(t->nodes.cap);
        if (room > UINT32_MAX / 4) die("too many terms");
        TermNode *place = mem_resize_raw(NULL, 0, room * sizeof *place);
        if (t->nodes.len) {
            memcpy(place, t->nodes.at, t->nodes.len * sizeof *place);
            vec_push(&t->left, t->nodes.at);
        }
        t->nodes.at = place;
        t->nodes.cap = room;
    }
    t->nodes.at[t->nodes.len++] = n;
}

void terms_init(Terms *t, uint32_t pointer_bits)
{
    *t = (Terms){.pointer_bits = pointer_bits};
    push_node(t, (TermNode){0});
    rehash(t, FIRST_SLOTS);
}

void terms_free(Terms *t)
{
    vec_free(&t->nodes);
    terms_settle(t);
    *t = (Terms){0};
}

static bool has_operands(TermKind k)
{
    return k >= T_ADDR;
}

// Which of a, b, c are terms.
static void operand_terms(const TermNode *n, Term out[3])
{
    out[0] = out[1] = out[2] = (Term){0};
    if (has_operands((TermKind)n->kind)) {
        out[0] = (Term){n->a};
        out[1] = (Term){n->b};
        if (n->kind == T_ITE) out[2] = (Term){n->c};
    } else if (n->kind == T_INPUT) {
        out[0] = (Term){n->a};
        out[1] = (Term){n->b};
    } else if (n->kind == T_HAVOC) {
        out[0] = (Term){n->b};
    }
}

static uint8_t own_flags(const TermNode *n, uint32_t pointer_bits)
{
    uint8_t f = 0;
    switch (n->kind) {
    case T_LOCAL:
    case T_HEAP:
        f = TERM_HAS_BASE | TERM_LOCAL_ONLY;
        break;
    case T_RESULT:
    case T_HAVOC:
    case T_MERGE:
    case T_UNDEF:
    case T_LOOP:
        f = TERM_LOCAL_ONLY;
        break;
    default:
        break;
    }
    if (n->kind == T_HEAP) f |= TERM_HAS_HEAP;
    if (n->kind >= T_LOCAL && n->kind <= T_UNDEF && n->width == pointer_bits) f |= TERM_HAS_BASE;
    return f;
}

// Depth and flags, which follow from the operands.
static void derive(const Terms *t, TermNode *n)
{
    Term ops[3];
    operand_terms(n, ops);
    n->depth = 0;
    n->flags = own_flags(n, t->pointer_bits);
    for (int i = 0; i < 3; i++) {
        if (!ops[i].id) continue;
        const TermNode *o = term_node(t, ops[i]);
        if (o->depth >= n->depth) n->depth = (uint8_t)(o->depth + 1);
        // The content of a cell is another value than its address, but it is as local as it.
        if (n->kind == T_INPUT || n->kind == T_HAVOC)
            n->flags |= o->flags & TERM_LOCAL_ONLY;
        else
            n->flags |= o->flags;
    }
    // A comparison holds no address.
    if (n->kind >= T_NOT && n->kind <= T_SLT)
        n->flags &= (uint8_t) ~(TERM_HAS_BASE | TERM_HAS_HEAP);
}

Term term_raw(Terms *t, TermNode n)
{
    n.depth = n.flags = 0;
    if (n.width > 64) die("a term of %u bits", n.width);
    if ((uint64_t)(t->nodes.len + 1) * 4 > (uint64_t)t->slot_count * 3)
        rehash(t, t->slot_count * 2);
    uint64_t hash = node_hash(&n);
    uint32_t s = slot_of(t, &n, hash);
    if (t->slots[s]) return (Term){(uint32_t)t->slots[s]};
    derive(t, &n);
    t->slots[s] = slot_word(hash, t->nodes.len);
    push_node(t, n);
    return (Term){t->nodes.len - 1};
}

static int64_t narrow(uint32_t width, int64_t v)
{
    if (width >= 64) return v;
    if (width == 1) return v & 1; // truth values are 0 and 1
    uint64_t shifted = (uint64_t)v << (64 - width);
    return (int64_t)shifted >> (64 - width);
}

static uint64_t as_unsigned(uint32_t width, int64_t v)
{
    return width >= 64 ? (uint64_t)v : (uint64_t)v & (((uint64_t)1 << width) - 1);
}

// Widths that fit together: what term_binary and the others give, since shifts and masks by a width
// trust them. Only values that were taken whole (a struct) have the width 0.
static bool widths_fit(const Terms *t, const TermNode *n, const Term ops[3])
{
    uint32_t w = n->width, a = ops[0].id ? term_width(t, ops[0]) : 0,
             b = ops[1].id ? term_width(t, ops[1]) : 0;
    switch ((TermKind)n->kind) {
    case T_PARAM:
    case T_INPUT:
    case T_RESULT:
    case T_HAVOC:
    case T_MERGE:
    case T_UNDEF:
    case T_PARTS:
        return true;
    case T_ITE:
        return a == 1 && b == w && term_width(t, ops[2]) == w;
    case T_NOT:
        return w == 1 && a == 1;
    case T_EQ:
    case T_ULT:
    case T_SLT:
        return w == 1 && a == b && a;
    case T_TRUNC:
        return w && w < a;
    case T_ZEXT:
    case T_SEXT:
        return a && a < w;
    case T_ADDR:
        return w == t->pointer_bits && a == w && (!ops[1].id || b == w);
    case T_INT:
    case T_LOCAL:
    case T_GLOBAL:
    case T_FUNC:
    case T_HEAP:
    case T_LOOP:
        return w != 0;
    default:
        return w && a == w && b == w;
    }
}

bool term_is_sound(const Terms *t, uint32_t id)
{
    const TermNode *n = &t->nodes.at[id];
    if (n->kind == T_NONE || n->kind >= T_COUNT || n->width > 64) return false;
    Term ops[3];
    operand_terms(n, ops);
    for (int i = 0; i < 3; i++)
        if (ops[i].id >= id) return false;
    // Which of the operands must be there.
    bool one = n->kind == T_TRUNC || n->kind == T_ZEXT || n->kind == T_SEXT || n->kind == T_NOT;
    bool first = has_operands((TermKind)n->kind) && n->kind != T_PARTS;
    bool second = n->kind > T_ADDR && !one;
    if ((!ops[0].id && (first || n->kind == T_INPUT)) || (!ops[1].id && second) ||
        (ops[1].id && one) || (!ops[2].id && n->kind == T_ITE))
        return false;
    if (!widths_fit(t, n, ops)) return false;
    if (n->kind == T_INT && narrow(n->width, n->value) != n->value) return false;
    TermNode again = *n;
    derive(t, &again);
    return again.depth == n->depth && again.flags == n->flags;
}

Term term_leaf(Terms *t, TermKind kind, uint32_t width, uint32_t a, uint32_t b, uint32_t c,
               int64_t value)
{
    return term_raw(t, (TermNode){.kind = (uint8_t)kind,
                                  .width = (uint8_t)width,
                                  .a = a,
                                  .b = b,
                                  .c = c,
                                  .value = value});
}

Term term_int(Terms *t, uint32_t width, int64_t value)
{
    return term_leaf(t, T_INT, width, 0, 0, 0, narrow(width, value));
}

bool term_is_int(const Terms *t, Term x, int64_t *value)
{
    const TermNode *n = term_node(t, x);
    if (n->kind != T_INT) return false;
    if (value) *value = n->value;
    return true;
}

bool term_is_zero(const Terms *t, Term x)
{
    int64_t v;
    return term_is_int(t, x, &v) && v == 0;
}

// Deeper than MAX_DEPTH nothing is composed any more: the caller gets an unknown that stands for
// this very composition, so that equal values stay equal. Errs towards "cannot decide".
static Term compose(Terms *t, TermKind kind, uint32_t width, Term a, Term b, Term c, int64_t value)
{
    return term_raw(t, (TermNode){.kind = (uint8_t)kind,
                                  .width = (uint8_t)width,
                                  .a = a.id,
                                  .b = b.id,
                                  .c = c.id,
                                  .value = value});
}

static bool too_deep(const Terms *t, Term a, Term b)
{
    return term_node(t, a)->depth >= MAX_DEPTH || (b.id && term_node(t, b)->depth >= MAX_DEPTH);
}

Address term_address(const Terms *t, Term x)
{
    const TermNode *n = term_node(t, x);
    if (n->kind == T_ADDR) return (Address){{n->a}, {n->b}, n->value};
    if (n->kind == T_INT) return (Address){{0}, {0}, n->value};
    return (Address){x, {0}, 0};
}

static Term make_address(Terms *t, Address a)
{
    uint32_t w = t->pointer_bits;
    if (!a.base.id) {
        if (!a.index.id) return term_int(t, w, a.offset);
        return term_binary(t, T_ADD, a.index, term_int(t, w, a.offset));
    }
    // Cells are told apart by 32 bits of their offset. Beyond them an address is one whose place in the
    // object is not known, lest it meets another cell.
    int64_t c;
    if (a.index.id && term_is_int(t, a.index, &c)) {
        a.offset = (int64_t)((uint64_t)a.offset + (uint64_t)c);
        a.index = (Term){0};
    }
    a.offset = narrow(w, a.offset);
    if (!a.index.id && a.offset == 0) return a.base;
    if (!a.index.id && a.offset != (int32_t)a.offset) {
        a.index = term_int(t, w, a.offset);
        a.offset = 0;
    }
    return compose(t, T_ADDR, w, a.base, a.index, (Term){0}, a.offset);
}

Term term_field(Terms *t, Term base, int64_t bytes)
{
    Address a = term_address(t, base);
    a.offset = (int64_t)((uint64_t)a.offset + (uint64_t)bytes);
    return make_address(t, a);
}

static Term widen_index(Terms *t, Term index)
{
    uint32_t w = term_width(t, index);
    if (w < t->pointer_bits) return term_convert(t, T_SEXT, index, t->pointer_bits);
    if (w > t->pointer_bits) return term_convert(t, T_TRUNC, index, t->pointer_bits);
    return index;
}

Term term_index(Terms *t, Term base, Term index, int64_t scale)
{
    index = widen_index(t, index);
    Term bytes = term_binary(t, T_MUL, index, term_int(t, t->pointer_bits, scale));
    Address a = term_address(t, base);
    // Split a constant off the index, so that a[i + 1] is one element behind a[i].
    int64_t c;
    if (term_is_int(t, bytes, &c)) {
        a.offset = (int64_t)((uint64_t)a.offset + (uint64_t)c);
    } else {
        const TermNode *n = term_node(t, bytes);
        if (n->kind == T_ADD && term_is_int(t, (Term){n->b}, &c)) {
            bytes = (Term){n->a};
            a.offset = (int64_t)((uint64_t)a.offset + (uint64_t)c);
        }
        a.index = a.index.id ? term_binary(t, T_ADD, a.index, bytes) : bytes;
    }
    return make_address(t, a);
}

bool term_is_object(const Terms *t, Term base)
{
    TermKind k = term_kind(t, base);
    return k == T_LOCAL || k == T_GLOBAL || k == T_FUNC;
}

static int64_t fold(TermKind kind, uint32_t w, int64_t x, int64_t y, bool *ok)
{
    uint64_t ux = as_unsigned(w, x), uy = as_unsigned(w, y);
    *ok = true;
    switch (kind) {
    case T_ADD:
        return (int64_t)(ux + uy);
    case T_MUL:
        return (int64_t)(ux * uy);
    case T_AND:
        return (int64_t)(ux & uy);
    case T_OR:
        return (int64_t)(ux | uy);
    case T_XOR:
        return (int64_t)(ux ^ uy);
    case T_SHL:
        return uy < w ? (int64_t)(ux << uy) : 0;
    case T_LSHR:
        return uy < w ? (int64_t)(ux >> uy) : 0;
    case T_ASHR:
        return uy < w ? x >> uy : x < 0 ? -1 : 0;
    case T_UDIV:
        if (uy) return (int64_t)(ux / uy);
        break;
    case T_UREM:
        if (uy) return (int64_t)(ux % uy);
        break;
    case T_SDIV:
        if (y && !(x == INT64_MIN && y == -1)) return x / y;
        break;
    case T_SREM:
        if (y && !(x == INT64_MIN && y == -1)) return x % y;
        break;
    default:
        break;
    }
    *ok = false;
    return 0;
}

static bool commutes(TermKind k)
{
    return k == T_ADD || k == T_MUL || k == T_AND || k == T_OR || k == T_XOR || k == T_EQ;
}

// Heap blocks are aligned, so tags in their low bits can be put on and taken off again.
static bool is_aligned(const Terms *t, Term x)
{
    Address a = term_address(t, x);
    if (!a.base.id || a.index.id || (a.offset & 7)) return false;
    const TermNode *n = term_node(t, a.base);
    return (n->kind == T_HEAP || n->kind == T_PARAM || n->kind == T_INPUT || n->kind == T_RESULT) &&
           n->width == t->pointer_bits;
}

static Term simplify_and(Terms *t, Term a, int64_t mask)
{
    const TermNode n = *term_node(t, a);
    if (mask == 0) return term_int(t, n.width, 0);
    if (as_unsigned(n.width, mask) == as_unsigned(n.width, -1)) return a;
    int64_t tag;
    // (p | tag) & ~low: the tag goes; (p | tag) & low: the tag stays.
    bool tagged = (n.kind == T_OR || n.kind == T_ADD) && term_is_int(t, (Term){n.b}, &tag);
    Term p = tagged ? (Term){n.a} : a;
    if (!tagged) {
        Address d = term_address(t, a);
        // Of what came from elsewhere (n + 7) & ~7 may be a size that is rounded up.
        bool block = d.base.id && !d.index.id && term_kind(t, d.base) == T_HEAP;
        tag = block ? d.offset & 7 : 0;
        if (tag) p = term_field(t, a, -tag), tagged = true;
    }
    if (tagged && tag >= 0 && tag < 8 && is_aligned(t, p)) {
        if (~mask > 0 && ~mask < 8 && (tag & mask) == 0) return p;
        if (mask > 0 && mask < 8) return term_int(t, n.width, tag & mask);
    }
    // Only a heap block is known to be aligned when it carries no tag.
    if (!tagged && is_aligned(t, a) && term_node(t, term_address(t, a).base)->kind == T_HEAP) {
        if (mask > 0 && mask < 8) return term_int(t, n.width, 0);
        if (~mask > 0 && ~mask < 8) return a;
    }
    return (Term){0};
}

Term term_binary(Terms *t, TermKind kind, Term a, Term b)
{
    uint32_t w = term_width(t, a);
    int64_t x = 0, y = 0;
    bool const_a = term_is_int(t, a, &x), const_b = term_is_int(t, b, &y);
    if (const_a && const_b) {
        bool ok;
        int64_t v = fold(kind, w, x, y, &ok);
        if (ok) return term_int(t, w, v);
    }
    if (commutes(kind) && (const_a || (!const_b && a.id > b.id))) {
        Term swap = a;
        a = b, b = swap;
        bool swap_const = const_a;
        const_a = const_b, const_b = swap_const;
        int64_t swap_value = x;
        x = y, y = swap_value;
    }
    (void)const_a;
    if (const_b) {
        const TermNode n = *term_node(t, a);
        switch (kind) {
        case T_ADD:
            if (y == 0) return a;
            if (w == t->pointer_bits && (n.flags & TERM_HAS_BASE) &&
                (n.kind == T_ADDR || n.kind < T_ADDR))
                return term_field(t, a, y);
            if (n.kind == T_ADD) {
                int64_t inner;
                if (term_is_int(t, (Term){n.b}, &inner))
                    return term_binary(t, T_ADD, (Term){n.a},
                                       term_int(t, w, (int64_t)((uint64_t)inner + (uint64_t)y)));
            }
            break;
        case T_MUL:
            if (y == 0) return b;
            if (y == 1) return a;
            // (x + c) * k = x * k + c * k
            if (n.kind == T_ADD) {
                int64_t inner;
                if (term_is_int(t, (Term){n.b}, &inner)) {
                    Term scaled = term_binary(t, T_MUL, (Term){n.a}, b);
                    return term_binary(t, T_ADD, scaled,
                                       term_int(t, w, (int64_t)((uint64_t)inner * (uint64_t)y)));
                }
            }
            break;
        case T_OR:
        case T_XOR:
            if (y == 0) return a;
            if (w == 1 && kind == T_XOR) return term_not(t, a);
            if (w == 1) return b;
            if (kind == T_OR && y > 0 && y < 8 && is_aligned(t, a) && term_address(t, a).base.id &&
                term_node(t, term_address(t, a).base)->kind == T_HEAP &&
                term_address(t, a).offset == 0)
                return term_field(t, a, y);
            break;
        case T_AND: {
            Term s = simplify_and(t, a, y);
            if (s.id) return s;
            break;
        }
        case T_SHL:
            if (y == 0) return a;
            if (y > 0 && y < w && y < 62)
                return term_binary(t, T_MUL, a, term_int(t, w, (int64_t)1 << y));
            break;
        case T_LSHR:
        case T_ASHR:
            if (y == 0) return a;
            break;
        case T_UDIV:
        case T_SDIV:
            if (y == 1) return a;
            // (x * k) / k, as element counts from pointer differences are.
            if (n.kind == T_MUL && n.b == b.id) return (Term){n.a};
            break;
        default:
            break;
        }
    }
    if (term_same(a, b)) {
        if (kind == T_AND || kind == T_OR) return a;
        if (kind == T_XOR) return term_int(t, w, 0);
    }
    // A pointer plus a symbolic count of bytes.
    if (kind == T_ADD && w == t->pointer_bits) {
        const TermNode *na = term_node(t, a), *nb = term_node(t, b);
        bool pa = (na->flags & TERM_HAS_BASE) && (na->kind == T_ADDR || na->kind == T_LOCAL ||
                                                  na->kind == T_GLOBAL || na->kind == T_HEAP);
        bool pb = (nb->flags & TERM_HAS_BASE) && (nb->kind == T_ADDR || nb->kind == T_LOCAL ||
                                                  nb->kind == T_GLOBAL || nb->kind == T_HEAP);
        if (pa && !pb) return term_index(t, a, b, 1);
        if (pb && !pa) return term_index(t, b, a, 1);
    }
    if (too_deep(t, a, b)) return term_leaf(t, T_UNDEF, w, a.id, b.id, kind, 0);
    return compose(t, kind, w, a, b, (Term){0}, 0);
}

Term term_sub(Terms *t, Term a, Term b)
{
    uint32_t w = term_width(t, a);
    int64_t y;
    if (term_same(a, b)) return term_int(t, w, 0);
    if (term_is_int(t, b, &y))
        return term_binary(t, T_ADD, a, term_int(t, w, (int64_t)(0 - (uint64_t)y)));
    if (w == t->pointer_bits) {
        Address pa = term_address(t, a), pb = term_address(t, b);
        if (pa.base.id && term_same(pa.base, pb.base) && term_same(pa.index, pb.index))
            return term_int(t, w, (int64_t)((uint64_t)pa.offset - (uint64_t)pb.offset));
        if (pa.base.id && term_same(pa.base, pb.base)) { // p + i - p = i
            Term i = pa.index.id ? pa.index : term_int(t, w, 0),
                 j = pb.index.id ? pb.index : term_int(t, w, 0);
            Term d = term_is_zero(t, j)
                         ? i
                         : term_binary(t, T_ADD, i, term_binary(t, T_MUL, j, term_int(t, w, -1)));
            return term_binary(
                t, T_ADD, d, term_int(t, w, (int64_t)((uint64_t)pa.offset - (uint64_t)pb.offset)));
        }
    }
    return term_binary(t, T_ADD, a, term_binary(t, T_MUL, b, term_int(t, w, -1)));
}

Term term_not(Terms *t, Term a)
{
    const TermNode *n = term_node(t, a);
    if (n->kind == T_INT) return term_int(t, 1, !n->value);
    if (n->kind == T_NOT) return (Term){n->a};
    return compose(t, T_NOT, 1, a, (Term){0}, (Term){0}, 0);
}

Term term_convert(Terms *t, TermKind kind, Term a, uint32_t width)
{
    const TermNode *n = term_node(t, a);
    uint32_t from = n->width;
    if (from == width) return a;
    int64_t v;
    if (term_is_int(t, a, &v)) {
        if (kind == T_ZEXT) return term_int(t, width, (int64_t)as_unsigned(from, v));
        if (kind == T_SEXT && from == 1) return term_int(t, width, v ? -1 : 0);
        return term_int(t, width, v);
    }
    // Conversions of conversions.
    Term inner = {n->a};
    if (kind == T_TRUNC && (n->kind == T_ZEXT || n->kind == T_SEXT)) {
        uint32_t first = term_width(t, inner);
        if (first == width) return inner;
        if (first > width) return term_convert(t, T_TRUNC, inner, width);
        return term_convert(t, (TermKind)n->kind, inner, width);
    }
    if (kind == T_TRUNC && n->kind == T_TRUNC) return term_convert(t, T_TRUNC, inner, width);
    if (kind == T_ZEXT && n->kind == T_ZEXT) return term_convert(t, T_ZEXT, inner, width);
    if (kind == T_SEXT && n->kind == T_SEXT) return term_convert(t, T_SEXT, inner, width);
    if (kind == T_SEXT && n->kind == T_ZEXT) return term_convert(t, T_ZEXT, inner, width);
    if (n->kind == T_PARTS && kind == T_TRUNC) {
        Term piece = term_part(t, a, 0);
        if (piece.id && term_width(t, piece) == width) return piece;
    }
    // A descriptor kept in a narrow field is small enough for it.
    if (n->kind == T_TRUNC && kind != T_TRUNC && from > 1 && width != t->pointer_bits &&
        term_kind(t, inner) == T_HEAP && term_width(t, inner) == width)
        return inner;
    // A narrow view of a choice between constants stays a choice between constants.
    if (n->kind == T_ITE && term_is_int(t, (Term){n->b}, NULL) &&
        term_is_int(t, (Term){n->c}, NULL)) {
        Term c = {n->a}, x = {n->b}, y = {n->c};
        x = term_convert(t, kind, x, width), y = term_convert(t, kind, y, width);
        return term_ite(t, c, x, y);
    }
    if (too_deep(t, a, (Term){0})) return term_leaf(t, T_UNDEF, width, a.id, 0, kind, 0);
    return compose(t, kind, width, a, (Term){0}, (Term){0}, 0);
}

// Whether two bases are known to be different addresses. What is allocated or declared here is no
// value that came from before it; results of calls may be anything that has escaped, so nothing is
// said of them.
static bool bases_differ(const Terms *t, Term a, Term b)
{
    TermKind x = term_kind(t, a), y = term_kind(t, b);
    bool fresh_x = x == T_LOCAL || x == T_HEAP, fresh_y = y == T_LOCAL || y == T_HEAP;
    bool object_x = fresh_x || x == T_GLOBAL || x == T_FUNC,
         object_y = fresh_y || y == T_GLOBAL || y == T_FUNC;
    if (object_x && object_y) return !term_same(a, b);
    bool old_x = x == T_PARAM || x == T_INPUT, old_y = y == T_PARAM || y == T_INPUT;
    return (fresh_x && old_y) || (fresh_y && old_x);
}

static Term eq_const(Terms *t, Term a, int64_t k)
{
    const TermNode n = *term_node(t, a);
    int64_t c;
    if (n.width == 1) return k ? a : term_not(t, a);
    switch (n.kind) {
    case T_ADDR: {
        // A pointer into an object is not null and no small number. A base that came from elsewhere
        // may be a count as wide as a pointer: n - 1 == 0 when n is 1. That n + 1 is zero is not
        // believed (sizes do not wrap); errs towards a missed leak.
        TermKind base = term_kind(t, (Term){n.a});
        bool object = base == T_LOCAL || base == T_GLOBAL || base == T_FUNC || base == T_HEAP;
        if (k == 0 && (object || (!n.b && n.value > 0))) return term_int(t, 1, 0);
        if (!object && !n.b)
            return term_eq(t, (Term){n.a},
                           term_int(t, n.width, (int64_t)((uint64_t)k - (uint64_t)n.value)));
        break;
    }
    case T_LOCAL:
    case T_GLOBAL:
    case T_FUNC:
        return term_int(t, 1, 0);
    case T_HEAP:
        // A block is at no small number; a descriptor is one, and a mapping tells failure by -1.
        if (k != 0 && k != -1 && n.width == t->pointer_bits) return term_int(t, 1, 0);
        break;
    case T_ADD:
        if (term_is_int(t, (Term){n.b}, &c))
            return term_eq(t, (Term){n.a},
                           term_int(t, n.width, (int64_t)((uint64_t)k - (uint64_t)c)));
        // x - y == 0
        if (k == 0 && term_kind(t, (Term){n.b}) == T_MUL) {
            const TermNode *m = term_node(t, (Term){n.b});
            if (term_is_int(t, (Term){m->b}, &c) && c == -1)
                return term_eq(t, (Term){n.a}, (Term){m->a});
        }
        break;
    case T_XOR:
        if (term_is_int(t, (Term){n.b}, &c))
            return term_eq(t, (Term){n.a}, term_int(t, n.width, k ^ c));
        if (k == 0) return term_eq(t, (Term){n.a}, (Term){n.b});
        break;
    case T_ZEXT: {
        uint32_t from = term_width(t, (Term){n.a});
        if (as_unsigned(n.width, k) != as_unsigned(from, narrow(from, k))) return term_int(t, 1, 0);
        return term_eq(t, (Term){n.a}, term_int(t, from, k));
    }
    case T_SEXT: {
        uint32_t from = term_width(t, (Term){n.a});
        if (from == 1) {
            if (k != 0 && k != -1) return term_int(t, 1, 0);
            return term_eq(t, (Term){n.a}, term_int(t, 1, k != 0));
        }
        if (narrow(from, k) != k) return term_int(t, 1, 0);
        return term_eq(t, (Term){n.a}, term_int(t, from, k));
    }
    case T_ITE: {
        int64_t x, y;
        bool cx = term_is_int(t, (Term){n.b}, &x), cy = term_is_int(t, (Term){n.c}, &y);
        if (cx && cy) {
            if (x == k && y == k) return term_int(t, 1, 1);
            if (x == k) return (Term){n.a};
            if (y == k) return term_not(t, (Term){n.a});
            return term_int(t, 1, 0);
        }
        if (cx || cy) {
            Term c1 = {n.a}, b1 = {n.b}, b2 = {n.c};
            Term e1 = term_eq(t, b1, term_int(t, n.width, k));
            Term e2 = term_eq(t, b2, term_int(t, n.width, k));
            return term_ite(t, c1, e1, e2);
        }
        break;
    }
    default:
        break;
    }
    return (Term){0};
}

Term term_eq(Terms *t, Term a, Term b)
{
    if (term_same(a, b)) return term_int(t, 1, 1);
    int64_t x, y;
    bool const_a = term_is_int(t, a, &x), const_b = term_is_int(t, b, &y);
    if (const_a && const_b) return term_int(t, 1, x == y);
    if (const_a) return term_eq(t, b, a);
    if (const_b) {
        Term s = eq_const(t, a, y);
        if (s.id) return s;
    } else if (term_width(t, a) == t->pointer_bits) {
        Address pa = term_address(t, a), pb = term_address(t, b);
        if (pa.base.id && term_same(pa.base, pb.base)) {
            Term i = pa.index.id ? pa.index : term_int(t, t->pointer_bits, 0);
            Term j = pb.index.id ? pb.index : term_int(t, t->pointer_bits, 0);
            i = term_binary(t, T_ADD, i, term_int(t, t->pointer_bits, pa.offset));
            j = term_binary(t, T_ADD, j, term_int(t, t->pointer_bits, pb.offset));
            return term_eq(t, i, j);
        }
        if (pa.base.id && pb.base.id && bases_differ(t, pa.base, pb.base)) return term_int(t, 1, 0);
    } else if (term_width(t, a) == 1) {
        // Equality of truth values: xor, which branches rarely test.
        return term_not(t, term_binary(t, T_XOR, a, b));
    }
    if (!const_b && a.id > b.id) return compose(t, T_EQ, 1, b, a, (Term){0}, 0);
    return compose(t, T_EQ, 1, a, b, (Term){0}, 0);
}

Term term_ult(Terms *t, Term a, Term b)
{
    uint32_t w = term_width(t, a);
    int64_t x, y;
    if (term_same(a, b)) return term_int(t, 1, 0);
    bool const_a = term_is_int(t, a, &x), const_b = term_is_int(t, b, &y);
    if (const_a && const_b) return term_int(t, 1, as_unsigned(w, x) < as_unsigned(w, y));
    if (const_b && y == 0) return term_int(t, 1, 0);
    if (const_b && y == 1) return term_eq(t, a, term_int(t, w, 0));
    if (const_a && x == 0) return term_not(t, term_eq(t, b, a));
    if (w == t->pointer_bits) {
        Address pa = term_address(t, a), pb = term_address(t, b);
        if (pa.base.id && term_same(pa.base, pb.base) && !pa.index.id && !pb.index.id)
            return term_int(t, 1, pa.offset < pb.offset);
    }
    return compose(t, T_ULT, 1, a, b, (Term){0}, 0);
}

Term term_slt(Terms *t, Term a, Term b)
{
    int64_t x, y;
    if (term_same(a, b)) return term_int(t, 1, 0);
    if (term_width(t, a) == 1) return term_binary(t, T_AND, a, term_not(t, b)); // one bit: -1 < 0
    bool const_a = term_is_int(t, a, &x), const_b = term_is_int(t, b, &y);
    if (const_a && const_b) return term_int(t, 1, x < y);
    const TermNode na = *term_node(t, a), nb = *term_node(t, b);
    // A choice between constants against a constant is the choice's condition or its negation.
    if (const_b && na.kind == T_ITE) {
        Term c = {na.a}, p = {na.b}, q = {na.c};
        if (term_is_int(t, p, NULL) && term_is_int(t, q, NULL)) {
            Term cp = term_slt(t, p, b), cq = term_slt(t, q, b);
            return term_ite(t, c, cp, cq);
        }
    }
    if (const_b && na.kind == T_ZEXT && y <= 0) return term_int(t, 1, 0);
    if (const_a && nb.kind == T_ZEXT && x < 0) return term_int(t, 1, 1);
    // Comparisons survive sign extension; of zero extension both sides are non-negative.
    if (na.kind == T_SEXT && nb.kind == T_SEXT &&
        term_width(t, (Term){na.a}) == term_width(t, (Term){nb.a}))
        return term_slt(t, (Term){na.a}, (Term){nb.a});
    if (const_b && na.kind == T_SEXT) {
        uint32_t from = term_width(t, (Term){na.a});
        if (from > 1 && narrow(from, y) == y)
            return term_slt(t, (Term){na.a}, term_int(t, from, y));
    }
    if (const_a && nb.kind == T_SEXT) {
        uint32_t from = term_width(t, (Term){nb.a});
        if (from > 1 && narrow(from, x) == x)
            return term_slt(t, term_int(t, from, x), (Term){nb.a});
    }
    return compose(t, T_SLT, 1, a, b, (Term){0}, 0);
}

Term term_ite(Terms *t, Term c, Term a, Term b)
{
    int64_t v, x, y;
    if (term_is_int(t, c, &v)) return v ? a : b;
    if (term_same(a, b)) return a;
    if (term_width(t, a) == 1 && term_is_int(t, a, &x) && term_is_int(t, b, &y))
        return x ? c : term_not(t, c);
    if (term_width(t, a) == 1) {
        if (term_is_int(t, a, &x))
            return x ? term_binary(t, T_OR, c, b) : term_binary(t, T_AND, term_not(t, c), b);
        if (term_is_int(t, b, &y))
            return y ? term_binary(t, T_OR, term_not(t, c), a) : term_binary(t, T_AND, c, a);
    }
    if (term_kind(t, c) == T_NOT) return term_ite(t, (Term){term_node(t, c)->a}, b, a);
    uint32_t w = term_width(t, a);
    if (too_deep(t, a, b)) return term_leaf(t, T_UNDEF, w, a.id, b.id, c.id, T_ITE);
    return compose(t, T_ITE, w, c, a, b, 0);
}

Term term_setpart(Terms *t, Term agg, Term piece, int64_t offset)
{
    if (agg.id && term_node(t, agg)->depth >= MAX_DEPTH) agg = (Term){0};
    return compose(t, T_PARTS, 0, agg, piece, (Term){0}, offset);
}

Term term_tile(Terms *t, Term agg, Term piece, int64_t offset, uint32_t width)
{
    return compose(t, T_PARTS, width, agg, piece, (Term){0}, offset);
}

Term term_part(const Terms *t, Term agg, int64_t offset)
{
    while (agg.id && term_kind(t, agg) == T_PARTS) {
        const TermNode *n = term_node(t, agg);
        if (n->value == offset) return (Term){n->b};
        agg = (Term){n->a};
    }
    return (Term){0};
}

void term_each_base(const Terms *t, Term x, void (*visit)(void *, Term), void *context)
{
    const TermNode *n = term_node(t, x);
    if (!(n->flags & TERM_HAS_BASE)) return;
    if (!has_operands((TermKind)n->kind)) {
        visit(context, x);
        return;
    }
    if (n->a && n->kind != T_ITE) term_each_base(t, (Term){n->a}, visit, context);
    if (n->b) term_each_base(t, (Term){n->b}, visit, context);
    if (n->kind == T_ITE && n->c) term_each_base(t, (Term){n->c}, visit, context);
}

static bool any_part(const Terms *t, Term x, bool (*test)(void *, Term), void *context,
                     uint32_t *left)
{
    if (!x.id || !*left) return false;
    --*left;
    if (test(context, x)) return true;
    const TermNode n = *term_node(t, x); // the test may have made terms
    if (!has_operands((TermKind)n.kind)) return false;
    return any_part(t, (Term){n.a}, test, context, left) ||
           any_part(t, (Term){n.b}, test, context, left) ||
           (n.kind == T_ITE && any_part(t, (Term){n.c}, test, context, left));
}

bool term_any(const Terms *t, Term x, bool (*test)(void *, Term), void *context)
{
    uint32_t left = 256; // parts
    return any_part(t, x, test, context, &left);
}

const char *term_kind_text(TermKind k)
{
    static const char *const texts[] = {
#define TERM(name, text) text,
#include "logic/terms.def"
#undef TERM
    };
    return texts[k];
}
