// The nodes of the C++ library's lists and trees, whose links are changed by code that no header has.
// A list node has its next and previous one at 0 and 8. A tree node has colour, parent, left and right
// at 0, 8, 16 and 24; the header of a tree has the root, the first and the last node there. The trees
// are not balanced here: what is seen of them is their order.
#include "witness/witness_int.h"

enum { NEXT = 0, BACK = 8, PARENT = 8, LEFT = 16, RIGHT = 24 };

static uint64_t get(Machine *m, uint64_t node, uint32_t link)
{
    return m->ended ? 0 : wit_load(m, node + link, mtype(MT_PTR, 8)).lo;
}

static void set(Machine *m, uint64_t node, uint32_t link, uint64_t to)
{
    if (!m->ended) wit_store(m, node + link, wit_word(to), mtype(MT_PTR, 8));
}

// ---- lists

static void hook(Machine *m, uint64_t node, uint64_t before)
{
    uint64_t last = get(m, before, BACK);
    set(m, node, NEXT, before);
    set(m, node, BACK, last);
    set(m, last, NEXT, node);
    set(m, before, BACK, node);
}

static void unhook(Machine *m, uint64_t node)
{
    uint64_t next = get(m, node, NEXT), back = get(m, node, BACK);
    set(m, back, NEXT, next);
    set(m, next, BACK, back);
}

// The nodes from `first` to before `last` go in front of another.
static void transfer(Machine *m, uint64_t before, uint64_t first, uint64_t last)
{
    if (before == last || first == last) return;
    uint64_t end = get(m, last, BACK), front = get(m, first, BACK), at = get(m, before, BACK);
    set(m, front, NEXT, last);
    set(m, last, BACK, front);
    set(m, at, NEXT, first);
    set(m, first, BACK, at);
    set(m, end, NEXT, before);
    set(m, before, BACK, end);
}

// ---- trees

// To the end of the links, or so far that they must be a cycle.
static uint64_t outermost(Machine *m, uint64_t node, uint32_t link)
{
    for (uint64_t next; node && (next = get(m, node, link)); node = next)
        if (++m->steps > m->max_steps) {
            wit_stop(m, STOP_STEPS, "%s", "");
            return 0;
        }
    return node;
}

// The neighbour in order, on that side.
static uint64_t neighbour(Machine *m, uint64_t node, uint32_t side)
{
    uint32_t other = side == LEFT ? RIGHT : LEFT;
    uint64_t inner = get(m, node, side);
    if (inner) return outermost(m, inner, other);
    uint64_t up = get(m, node, PARENT);
    while (!m->ended && up && node == get(m, up, side)) {
        node = up;
        up = get(m, up, PARENT);
        if (++m->steps > m->max_steps) wit_stop(m, STOP_STEPS, "%s", "");
    }
    // The header is the root's parent, and its sides lead to the ends.
    return get(m, node, side) == up ? node : up;
}

static uint64_t before_end(Machine *m, uint64_t node)
{
    // A header is its own grandparent, and has a colour that no root has.
    bool red = !m->ended && !wit_load(m, node, mtype(MT_INT, 32)).lo;
    bool header = red && get(m, get(m, node, PARENT), PARENT) == node;
    return header ? get(m, node, RIGHT) : neighbour(m, node, LEFT);
}

static void insert(Machine *m, bool left, uint64_t node, uint64_t parent, uint64_t header)
{
    wit_store(m, node, wit_word(1), mtype(MT_INT, 32));
    set(m, node, PARENT, parent);
    set(m, node, LEFT, 0);
    set(m, node, RIGHT, 0);
    set(m, parent, left ? LEFT : RIGHT, node);
    if (parent == header) {
        set(m, header, PARENT, node);
        set(m, header, LEFT, node);
        set(m, header, RIGHT, node);
    } else if (left && get(m, header, LEFT) == parent) {
        set(m, header, LEFT, node);
    } else if (!left && get(m, header, RIGHT) == parent) {
        set(m, header, RIGHT, node);
    }
}

// `by` takes the place of a node below its parent.
static void replace(Machine *m, uint64_t node, uint64_t by, uint64_t header)
{
    uint64_t up = get(m, node, PARENT);
    if (get(m, header, PARENT) == node)
        set(m, header, PARENT, by);
    else
        set(m, up, get(m, up, LEFT) == node ? LEFT : RIGHT, by);
    if (by) set(m, by, PARENT, up);
}

static uint64_t erase(Machine *m, uint64_t node, uint64_t header)
{
    uint64_t left = get(m, node, LEFT), right = get(m, node, RIGHT), up = get(m, node, PARENT);
    bool first = get(m, header, LEFT) == node, last = get(m, header, RIGHT) == node;
    uint64_t next = right ? outermost(m, right, LEFT) : 0;
    if (left && right) {
        if (next != right) {
            replace(m, next, get(m, next, RIGHT), header);
            set(m, next, RIGHT, right);
            set(m, right, PARENT, next);
        }
        replace(m, node, next, header);
        set(m, next, LEFT, left);
        set(m, left, PARENT, next);
    } else {
        replace(m, node, left ? left : right, header);
    }
    if (first) set(m, header, LEFT, next ? next : up);
    if (last) set(m, header, RIGHT, left ? outermost(m, left, RIGHT) : up);
    return node;
}

bool wit_compute_nodes(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out)
{
    uint64_t a[4] = {0};
    for (uint32_t i = 0; i < n && i < 4; i++) a[i] = args[i].value.lo;
    switch (what) {
    case COMPUTES_LIST_HOOK:
        hook(m, a[0], a[1]);
        return true;
    case COMPUTES_LIST_UNHOOK:
        unhook(m, a[0]);
        return true;
    case COMPUTES_LIST_TRANSFER:
        transfer(m, a[0], a[1], a[2]);
        return true;
    case COMPUTES_TREE_INSERT:
        insert(m, a[0] & 1, a[1], a[2], a[3]);
        return true;
    case COMPUTES_TREE_ERASE:
        *out = wit_word(erase(m, a[0], a[1]));
        return true;
    case COMPUTES_TREE_NEXT:
        *out = wit_word(neighbour(m, a[0], RIGHT));
        return true;
    case COMPUTES_TREE_BACK:
        *out = wit_word(before_end(m, a[0]));
        return true;
    default:
        return false;
    }
}
