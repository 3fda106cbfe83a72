#include "base/pmap.h"

#include "base/hash.h"

#include <string.h>

enum {
    LEAF_MAX = 12, // entries; 8 and 16 cost as much on the states of vim, 4 more
    FAN_BITS = 4,  // of the key decide at one inner node
    FAN_MASK = 15, // the same as a mask
};

struct PNode {
    uint64_t print; // sum over the subtree of the entries' hashes
    uint32_t size;  // entries in the subtree
    uint16_t slots; // of an inner node: which of its sixteen children are there
    uint8_t shift;  // of an inner node: the lowest of the key's bits that decide there
    bool is_inner;
};

typedef struct {
    uint64_t key, value;
} Entry;

// Up to LEAF_MAX entries, in ascending order of keys.
typedef struct {
    PNode node;
    Entry entries[];
} Leaf;

// More than LEAF_MAX entries, that agree in all bits above those that decide. Has two children or
// more, none of them empty.
typedef struct {
    PNode node;
    uint64_t prefix; // the bits in which they agree, followed by zeros
    PMap children[];
} Inner;

static const Leaf *as_leaf(PMap m)
{
    return (const Leaf *)m;
}

static const Inner *as_inner(PMap m)
{
    return (const Inner *)m;
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

// Processors that count bits in one instruction are not asked for.
static uint32_t count_bits(uint32_t x)
{
#define FOUR(n)    n, n + 1, n + 1, n + 2
#define SIXTEEN(n) FOUR(n), FOUR(n + 1), FOUR(n + 1), FOUR(n + 2)
    static const uint8_t ones[256] = {
        SIXTEEN(0), SIXTEEN(1), SIXTEEN(1), SIXTEEN(2), SIXTEEN(1), SIXTEEN(2),
        SIXTEEN(2), SIXTEEN(3), SIXTEEN(1), SIXTEEN(2), SIXTEEN(2), SIXTEEN(3),
        SIXTEEN(2), SIXTEEN(3), SIXTEEN(3), SIXTEEN(4),
    };
#undef SIXTEEN
#undef FOUR
    return ones[x & 0xff] + ones[x >> 8];
}

// The bits that the keys of an inner node may differ in.
static uint64_t low_bits(const Inner *n)
{
    return (((uint64_t)1 << n->node.shift) << FAN_BITS) - 1;
}

static bool covers(const Inner *n, uint64_t key)
{
    return ((key ^ n->prefix) & ~low_bits(n)) == 0;
}

static uint32_t slot_of(const Inner *n, uint64_t key)
{
    return key >> n->node.shift & FAN_MASK;
}

static bool has_slot(const Inner *n, uint32_t slot)
{
    return n->node.slots >> slot & 1;
}

// Where the child of a slot is, or would be.
static uint32_t place_of(const Inner *n, uint32_t slot)
{
    return count_bits(n->node.slots & ((1u << slot) - 1));
}

static uint32_t child_count(const Inner *n)
{
    return count_bits(n->node.slots);
}

bool pmap_get(PMap m, uint64_t key, uint64_t *value)
{
    if (!m) return false;
    while (m->is_inner) {
        const Inner *n = as_inner(m);
        uint64_t slot = (key ^ n->prefix) >> m->shift; // the prefix has zeros there
        if (slot > FAN_MASK || !has_slot(n, (uint32_t)slot)) return false;
        m = n->children[place_of(n, (uint32_t)slot)];
    }
    const Entry *e = as_leaf(m)->entries, *end = e + m->size;
    while (e < end && e->key < key) e++;
    if (e == end || e->key != key) return false;
    if (value) *value = e->value;
    return true;
}

static Leaf *new_leaf(Arena *a, uint32_t size, uint64_t print)
{
    Leaf *leaf = arena_raw(a, sizeof *leaf + size * sizeof leaf->entries[0]);
    leaf->node = (PNode){.print = print, .size = size};
    return leaf;
}

static Inner *new_inner(Arena *a, uint32_t children)
{
    Inner *n = arena_raw(a, sizeof *n + children * sizeof n->children[0]);
    n->node = (PNode){.is_inner = true};
    return n;
}

static void add_child(Inner *n, uint32_t slot, PMap child)
{
    n->children[child_count(n)] = child;
    n->node.slots |= (uint16_t)(1u << slot);
    n->node.size += child->size;
    n->node.print += child->print;
}

// An inner node for keys that differ, at the highest place where these two do.
static Inner *fork_node(Arena *a, uint32_t children, uint64_t x, uint64_t y)
{
    Inner *n = new_inner(a, children);
    n->node.shift = (uint8_t)((63 - __builtin_clzll(x ^ y)) / FAN_BITS * FAN_BITS);
    n->prefix = x & ~low_bits(n);
    return n;
}

static PMap single(Arena *a, uint64_t key, uint64_t value)
{
    Leaf *leaf = new_leaf(a, 1, entry_print(key, value));
    leaf->entries[0] = (Entry){key, value};
    return &leaf->node;
}

// The map of these entries, which ascend and are one more than fit into a leaf.
static PMap split_leaf(Arena *a, const Entry *entries)
{
    Inner *n = fork_node(a, LEAF_MAX + 1, entries[0].key, entries[LEAF_MAX].key);
    for (uint32_t i = 0, end; i <= LEAF_MAX; i = end) {
        uint32_t slot = slot_of(n, entries[i].key);
        uint64_t print = 0;
        for (end = i; end <= LEAF_MAX && slot_of(n, entries[end].key) == slot; end++)
            print += entry_print(entries[end].key, entries[end].value);
        Leaf *leaf = new_leaf(a, end - i, print);
        memcpy(leaf->entries, entries + i, (end - i) * sizeof *entries);
        add_child(n, slot, &leaf->node);
    }
    return &n->node;
}

static PMap set_in_leaf(Arena *a, const Leaf *leaf, uint64_t key, uint64_t value)
{
    uint32_t size = leaf->node.size, at = 0;
    while (at < size && leaf->entries[at].key < key) at++;
    if (at < size && leaf->entries[at].key == key) {
        uint64_t old = leaf->entries[at].value;
        if (old == value) return &leaf->node;
        Leaf *copy =
            new_leaf(a, size, leaf->node.print + entry_print(key, value) - entry_print(key, old));
        memcpy(copy->entries, leaf->entries, size * sizeof(Entry));
        copy->entries[at].value = value;
        return &copy->node;
    }
    Entry full[LEAF_MAX + 1];
    Leaf *copy = NULL;
    if (size < LEAF_MAX) copy = new_leaf(a, size + 1, leaf->node.print + entry_print(key, value));
    Entry *to = copy ? copy->entries : full;
    memcpy(to, leaf->entries, at * sizeof(Entry));
    to[at] = (Entry){key, value};
    memcpy(to + at + 1, leaf->entries + at, (size - at) * sizeof(Entry));
    return copy ? &copy->node : split_leaf(a, full);
}

// The node with another child at an occupied place.
static PMap with_child(Arena *a, const Inner *n, uint32_t place, PMap child)
{
    uint32_t count = child_count(n);
    PMap old = n->children[place];
    Inner *copy = arena_copy(a, n, sizeof *n + count * sizeof n->children[0]);
    copy->node.size += child->size - old->size;
    copy->node.print += child->print - old->print;
    copy->children[place] = child;
    return &copy->node;
}

static PMap with_slot(Arena *a, const Inner *n, uint32_t slot, PMap child)
{
    uint32_t count = child_count(n), place = place_of(n, slot);
    Inner *copy = new_inner(a, count + 1);
    copy->node = n->node;
    copy->prefix = n->prefix;
    copy->node.slots |= (uint16_t)(1u << slot);
    copy->node.size += child->size;
    copy->node.print += child->print;
    memcpy(copy->children, n->children, place * sizeof n->children[0]);
    copy->children[place] = child;
    memcpy(copy->children + place + 1, n->children + place,
           (count - place) * sizeof n->children[0]);
    return &copy->node;
}

PMap pmap_set(Arena *a, PMap m, uint64_t key, uint64_t value)
{
    if (!m) return single(a, key, value);
    if (!m->is_inner) return set_in_leaf(a, as_leaf(m), key, value);
    const Inner *n = as_inner(m);
    if (!covers(n, key)) {
        Inner *above = fork_node(a, 2, n->prefix, key);
        PMap entry = single(a, key, value);
        bool behind = key > n->prefix;
        add_child(above, slot_of(above, behind ? n->prefix : key), behind ? m : entry);
        add_child(above, slot_of(above, behind ? key : n->prefix), behind ? entry : m);
        return &above->node;
    }
    uint32_t slot = slot_of(n, key);
    if (!has_slot(n, slot)) return with_slot(a, n, slot, single(a, key, value));
    uint32_t place = place_of(n, slot);
    PMap old = n->children[place], child = pmap_set(a, old, key, value);
    return child == old ? m : with_child(a, n, place, child);
}

static bool take_entry(void *context, uint64_t key, uint64_t value)
{
    Leaf *leaf = context;
    leaf->entries[leaf->node.size++] = (Entry){key, value};
    leaf->node.print += entry_print(key, value);
    return true;
}

static PMap drop_from_leaf(Arena *a, const Leaf *leaf, uint64_t key)
{
    uint32_t size = leaf->node.size, at = 0;
    while (at < size && leaf->entries[at].key != key) at++;
    if (at == size) return &leaf->node;
    if (size == 1) return NULL;
    Leaf *copy =
        new_leaf(a, size - 1, leaf->node.print - entry_print(key, leaf->entries[at].value));
    memcpy(copy->entries, leaf->entries, at * sizeof(Entry));
    memcpy(copy->entries + at, leaf->entries + at + 1, (size - at - 1) * sizeof(Entry));
    return &copy->node;
}

PMap pmap_drop(Arena *a, PMap m, uint64_t key)
{
    if (!m) return NULL;
    if (!m->is_inner) return drop_from_leaf(a, as_leaf(m), key);
    const Inner *n = as_inner(m);
    uint32_t slot = slot_of(n, key), count = child_count(n);
    if (!covers(n, key) || !has_slot(n, slot)) return m;
    uint32_t place = place_of(n, slot);
    PMap old = n->children[place];
    if (m->size == LEAF_MAX + 1) {
        // The last one too many: what is left is a leaf.
        if (!pmap_get(old, key, NULL)) return m;
        Leaf *leaf = new_leaf(a, LEAF_MAX, 0);
        leaf->node.size = 0;
        if (key) pmap_range(m, 0, key - 1, take_entry, leaf);
        if (key < UINT64_MAX) pmap_range(m, key + 1, UINT64_MAX, take_entry, leaf);
        return &leaf->node;
    }
    PMap child = pmap_drop(a, old, key);
    if (child == old) return m;
    if (child) return with_child(a, n, place, child);
    if (count == 2) return n->children[1 - place];
    Inner *copy = new_inner(a, count - 1);
    copy->node = n->node;
    copy->prefix = n->prefix;
    copy->node.slots &= (uint16_t) ~(1u << slot);
    copy->node.size -= old->size;
    copy->node.print -= old->print;
    memcpy(copy->children, n->children, place * sizeof n->children[0]);
    memcpy(copy->children + place, n->children + place + 1,
           (count - place - 1) * sizeof n->children[0]);
    return &copy->node;
}

bool pmap_range(PMap m, uint64_t low, uint64_t high, PVisit visit, void *context)
{
    if (!m) return true;
    if (!m->is_inner) {
        const Leaf *leaf = as_leaf(m);
        for (uint32_t i = 0; i < m->size && leaf->entries[i].key <= high; i++)
            if (leaf->entries[i].key >= low &&
                !visit(context, leaf->entries[i].key, leaf->entries[i].value))
                return false;
        return true;
    }
    const Inner *n = as_inner(m);
    uint64_t last = n->prefix | low_bits(n);
    if (last < low || n->prefix > high) return true;
    uint32_t from = low > n->prefix ? place_of(n, slot_of(n, low)) : 0;
    uint32_t to = high < last
                      ? place_of(n, slot_of(n, high)) + (has_slot(n, slot_of(n, high)) ? 1 : 0)
                      : child_count(n);
    for (uint32_t i = from; i < to; i++)
        if (!pmap_range(n->children[i], low, high, visit, context)) return false;
    return true;
}

bool pmap_each(PMap m, PVisit visit, void *context)
{
    if (!m) return true;
    if (!m->is_inner) {
        const Entry *e = as_leaf(m)->entries, *end = e + m->size;
        for (; e < end; e++)
            if (!visit(context, e->key, e->value)) return false;
        return true;
    }
    const Inner *n = as_inner(m);
    uint32_t count = child_count(n);
    for (uint32_t i = 0; i < count; i++)
        if (!pmap_each(n->children[i], visit, context)) return false;
    return true;
}

// A walk over two maps at once. The same content has the same shape, so equal subtrees are found by
// their fingerprints and the walk costs in proportion to the differences.
typedef struct {
    PDiffVisit visit;
    void *context;
    bool swapped; // what is called the first map here is the second one of the caller
} Diff;

static bool tell(const Diff *d, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    if (!d->swapped) return d->visit(d->context, key, in_a, in_b, has);
    return d->visit(d->context, key, in_b, in_a, has == 3 ? 3 : 3 - has);
}

static bool only_first(void *context, uint64_t key, uint64_t value)
{
    return tell(context, key, value, 0, 1);
}

static bool only_second(const Diff *d, const Entry *e, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!tell(d, e[i].key, 0, e[i].value, 2)) return false;
    return true;
}

static bool diff_entries(Diff *d, const Entry *a, uint32_t a_count, const Entry *b,
                         uint32_t b_count)
{
    uint32_t i = 0, k = 0;
    while (i < a_count && k < b_count) {
        bool go_on = true;
        if (a[i].key < b[k].key) {
            go_on = tell(d, a[i].key, a[i].value, 0, 1);
            i++;
        } else if (a[i].key > b[k].key) {
            go_on = tell(d, b[k].key, 0, b[k].value, 2);
            k++;
        } else {
            if (a[i].value != b[k].value) go_on = tell(d, a[i].key, a[i].value, b[k].value, 3);
            i++;
            k++;
        }
        if (!go_on) return false;
    }
    for (; i < a_count; i++)
        if (!tell(d, a[i].key, a[i].value, 0, 1)) return false;
    return only_second(d, b + k, b_count - k);
}

// A map against entries in ascending order, which are few.
static bool diff_few(Diff *d, PMap m, const Entry *e, uint32_t count)
{
    if (count == 0) return pmap_each(m, only_first, d);
    if (!m->is_inner) return diff_entries(d, as_leaf(m)->entries, m->size, e, count);
    const Inner *n = as_inner(m);
    uint32_t at = 0, end;
    while (at < count && e[at].key < n->prefix) at++;
    if (!only_second(d, e, at)) return false;
    uint32_t place = 0;
    for (uint32_t slot = 0; slot <= FAN_MASK; slot++, at = end) {
        end = at;
        while (end < count && covers(n, e[end].key) && slot_of(n, e[end].key) == slot) end++;
        bool go_on = has_slot(n, slot) ? diff_few(d, n->children[place++], e + at, end - at)
                                       : only_second(d, e + at, end - at);
        if (!go_on) return false;
    }
    return only_second(d, e + at, count - at);
}

static bool diff(Diff *d, PMap a, PMap b);

static bool diff_swapped(Diff *d, PMap a, PMap b)
{
    d->swapped = !d->swapped;
    bool go_on = diff(d, b, a);
    d->swapped = !d->swapped;
    return go_on;
}

static bool only_second_map(Diff *d, PMap b)
{
    d->swapped = !d->swapped;
    bool go_on = pmap_each(b, only_first, d);
    d->swapped = !d->swapped;
    return go_on;
}

// Two inner nodes of which the first is the higher one, or as high.
static bool diff_inner(Diff *d, const Inner *a, const Inner *b)
{
    bool level = a->node.shift == b->node.shift;
    if (!covers(a, b->prefix)) {
        if (a->prefix < b->prefix)
            return pmap_each(&a->node, only_first, d) && only_second_map(d, &b->node);
        return only_second_map(d, &b->node) && pmap_each(&a->node, only_first, d);
    }
    uint32_t at_a = 0, at_b = 0;
    for (uint32_t slot = 0; slot <= FAN_MASK; slot++) {
        bool in_b = level ? has_slot(b, slot) : slot_of(a, b->prefix) == slot;
        PMap x = has_slot(a, slot) ? a->children[at_a++] : NULL;
        PMap y = !in_b ? NULL : level ? b->children[at_b++] : &b->node;
        if ((x || y) && !diff(d, x, y)) return false;
    }
    return true;
}

static bool diff(Diff *d, PMap a, PMap b)
{
    if (pmap_same(a, b)) return true;
    if (!b) return pmap_each(a, only_first, d);
    if (!a) return only_second_map(d, b);
    if (!b->is_inner) return diff_few(d, a, as_leaf(b)->entries, b->size);
    if (!a->is_inner || a->shift < b->shift) return diff_swapped(d, a, b);
    return diff_inner(d, as_inner(a), as_inner(b));
}

bool pmap_diff(PMap a, PMap b, PDiffVisit visit, void *context)
{
    return diff(&(Diff){visit, context, false}, a, b);
}
