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

static PNode *fresh_node(Arena *a, uint64_t key, uint64_t value, uint32_t priority)
{
    PNode *n = arena_raw(a, sizeof *n);
    n->left = n->right = NULL;
    n->key = key;
    n->value = value;
    n->priority = priority;
    n->size = 1;
    n->print = entry_print(key, value);
    return n;
}

// The node with other subtrees. Its own entry's hash is what its fingerprint says beyond those of
// the old ones.
static PMap with(Arena *a, const PNode *m, PMap left, PMap right)
{
    PNode *n = arena_raw(a, sizeof *n);
    *n = *m;
    n->print += pmap_print(left) + pmap_print(right) - pmap_print(m->left) - pmap_print(m->right);
    n->size = 1 + pmap_size(left) + pmap_size(right);
    n->left = left;
    n->right = right;
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
        *less = with(a, m, m->left, l);
        *more = r;
    } else {
        PMap l, r;
        split(a, m->left, key, &l, &r);
        *less = l;
        *more = with(a, m, r, m->right);
    }
}

static PMap join(Arena *a, PMap less, PMap more)
{
    if (!less) return more;
    if (!more) return less;
    if (above(less, more)) return with(a, less, less->left, join(a, less->right, more));
    return with(a, more, join(a, less, more->left), more->right);
}

// Copies the nodes on the way to the key, each with the change in size and fingerprint that the
// update means for it, and gives the place where the rest is to be hung. The way ends at the key
// or, where `fresh` is to go in, at the first node that it stands above.
static const PNode **copy_way(Arena *a, PMap *m, uint64_t key, const PNode *fresh, uint32_t size,
                              uint64_t print, const PNode **root)
{
    const PNode **at = root, *n = *m;
    while (n && n->key != key && !(fresh && above(fresh, n))) {
        PNode *copy = arena_raw(a, sizeof *copy);
        *copy = *n;
        copy->size += size;
        copy->print += print;
        *at = copy;
        at = key < n->key ? &copy->left : &copy->right;
        n = key < n->key ? n->left : n->right;
    }
    *m = n;
    return at;
}

PMap pmap_set(Arena *a, PMap m, uint64_t key, uint64_t value)
{
    uint64_t old;
    PMap root = NULL;
    if (pmap_get(m, key, &old)) {
        if (old == value) return m;
        uint64_t change = entry_print(key, value) - entry_print(key, old);
        const PNode **at = copy_way(a, &m, key, NULL, 0, change, &root);
        PNode *n = arena_raw(a, sizeof *n);
        *n = *m;
        n->value = value;
        n->print += change;
        *at = n;
        return root;
    }
    PNode *n = fresh_node(a, key, value, priority_of(key));
    const PNode **at = copy_way(a, &m, key, n, 1, n->print, &root);
    *at = n;
    split(a, m, key, &n->left, &n->right);
    n->size += pmap_size(m);
    n->print += pmap_print(m);
    return root;
}

PMap pmap_drop(Arena *a, PMap m, uint64_t key)
{
    uint64_t old;
    PMap root = NULL;
    if (!pmap_get(m, key, &old)) return m;
    const PNode **at =
        copy_way(a, &m, key, NULL, (uint32_t)-1, (uint64_t)0 - entry_print(key, old), &root);
    *at = join(a, m->left, m->right);
    return root;
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
