#include "base/pmap.h"

#include "base/hash.h"

struct PNode {
    uint64_t key, value;
    uint64_t print; // sum over the subtree of the entries' hashes
    const PNode *left, *right;
    uint32_t size;
    uint32_t priority;
};

static uint32_t priority_of(uint64_t key)
{
    return (uint32_t)hash_mix(key, 0x70726961);
}

static uint64_t entry_print(uint64_t key, uint64_t value)
{
    return hash_mix(hash_mix(key, 1), value);
}

uint32_t pmap_size(PMap m)
{
    return m ? m->size : 0;
}

uint64_t pmap_print(PMap m)
{
    return m ? m->print : 0;
}

// Higher priority is nearer to the root; equal priorities are ordered by key, so that the shape is
// a function of the content alone.
static bool above(const PNode *x, const PNode *y)
{
    return x->priority != y->priority ? x->priority > y->priority : x->key < y->key;
}

static PMap node(Arena *a, const PNode *like, uint64_t value, PMap left, PMap right)
{
    PNode *n = arena_alloc(a, sizeof *n);
    n->key = like->key;
    n->priority = like->priority;
    n->value = value;
    n->left = left;
    n->right = right;
    n->size = 1 + pmap_size(left) + pmap_size(right);
    n->print = entry_print(n->key, value) + pmap_print(left) + pmap_print(right);
    return n;
}

bool pmap_get(PMap m, uint64_t key, uint64_t *value)
{
    while (m) {
        if (key == m->key) {
            if (value) *value = m->value;
            return true;
        }
        m = key < m->key ? m->left : m->right;
    }
    return false;
}

static void split(Arena *a, PMap m, uint64_t key, PMap *less, PMap *more)
{
    if (!m) {
        *less = *more = NULL;
    } else if (m->key < key) {
        PMap l, r;
        split(a, m->right, key, &l, &r);
        *less = node(a, m, m->value, m->left, l);
        *more = r;
    } else {
        PMap l, r;
        split(a, m->left, key, &l, &r);
        *less = l;
        *more = node(a, m, m->value, r, m->right);
    }
}

static PMap insert(Arena *a, PMap m, const PNode *fresh)
{
    if (!m) return node(a, fresh, fresh->value, NULL, NULL);
    if (fresh->key == m->key) return node(a, m, fresh->value, m->left, m->right);
    if (above(fresh, m)) {
        PMap less, more;
        split(a, m, fresh->key, &less, &more);
        return node(a, fresh, fresh->value, less, more);
    }
    if (fresh->key < m->key) return node(a, m, m->value, insert(a, m->left, fresh), m->right);
    return node(a, m, m->value, m->left, insert(a, m->right, fresh));
}

PMap pmap_set(Arena *a, PMap m, uint64_t key, uint64_t value)
{
    uint64_t old;
    if (pmap_get(m, key, &old) && old == value) return m;
    PNode fresh = {.key = key, .value = value, .priority = priority_of(key)};
    return insert(a, m, &fresh);
}

static PMap join(Arena *a, PMap less, PMap more)
{
    if (!less) return more;
    if (!more) return less;
    if (above(less, more))
        return node(a, less, less->value, less->left, join(a, less->right, more));
    return node(a, more, more->value, join(a, less, more->left), more->right);
}

static PMap drop(Arena *a, PMap m, uint64_t key)
{
    if (key == m->key) return join(a, m->left, m->right);
    if (key < m->key) return node(a, m, m->value, drop(a, m->left, key), m->right);
    return node(a, m, m->value, m->left, drop(a, m->right, key));
}

PMap pmap_drop(Arena *a, PMap m, uint64_t key)
{
    return pmap_get(m, key, NULL) ? drop(a, m, key) : m;
}

bool pmap_range(PMap m, uint64_t low, uint64_t high, PVisit visit, void *context)
{
    while (m) {
        if (m->key > high) {
            m = m->left;
            continue;
        }
        if (m->key >= low) {
            if (!pmap_range(m->left, low, high, visit, context)) return false;
            if (!visit(context, m->key, m->value)) return false;
        }
        m = m->right;
    }
    return true;
}

// Same shape for same content means that equal subtrees are found by fingerprint, so the walk
// costs in proportion to the differences.
typedef struct {
    PMap other;
    PDiffVisit visit;
    void *context;
    bool swapped;
} Diff;

static bool only_here(void *context, uint64_t key, uint64_t value)
{
    Diff *d = context;
    return d->swapped ? d->visit(d->context, key, 0, value, 2)
                      : d->visit(d->context, key, value, 0, 1);
}

static bool bounded_diff(PMap a, PMap b, uint64_t low, uint64_t high, PDiffVisit visit,
                         void *context)
{
    // Narrow both to their topmost node inside the bounds.
    while (a && (a->key < low || a->key > high)) a = a->key < low ? a->right : a->left;
    while (b && (b->key < low || b->key > high)) b = b->key < low ? b->right : b->left;
    if (pmap_same(a, b)) return true;
    if (!a || !b) {
        Diff d = {NULL, visit, context, !a};
        return pmap_range(a ? a : b, low, high, only_here, &d);
    }
    uint64_t key = above(a, b) || a->key == b->key ? a->key : b->key;
    if (key > low && !bounded_diff(a, b, low, key - 1, visit, context)) return false;
    uint64_t in_a = 0, in_b = 0;
    int has = (pmap_get(a, key, &in_a) ? 1 : 0) | (pmap_get(b, key, &in_b) ? 2 : 0);
    if ((has != 3 || in_a != in_b) && has && !visit(context, key, in_a, in_b, has)) return false;
    return key == high || bounded_diff(a, b, key + 1, high, visit, context);
}

bool pmap_diff(PMap a, PMap b, PDiffVisit visit, void *context)
{
    if (pmap_same(a, b)) return true;
    return bounded_diff(a, b, 0, UINT64_MAX, visit, context);
}
