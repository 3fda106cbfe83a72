// Structure inference: unification of types (Heine and Lam, sections 4.2 and 6.2).
//
// Polymorphism is at calls: each call gets a fresh copy of the callee's types (instantiation), so
// what remains inside a function is plain unification. Recursive calls are copied a bounded number
// of times (own.c), and the occurs check turns a type that would contain itself into bottom: so it
// always stops, where full semi-unification need not. Bottom owns nothing that we would claim:
// errs towards missed findings.
#include "own/own_int.h"

uint32_t node_new(Body *b, NodeKind kind)
{
    if (!b->nodes.len) vec_push(&b->nodes, ((Node){0}));
    uint32_t n = b->nodes.len;
    vec_push(&b->nodes, ((Node){.parent = n, .kind = (uint8_t)kind}));
    return n;
}

uint32_t node_find(const Body *b, uint32_t n)
{
    Node *at = b->nodes.at;
    while (at[n].parent != n) {
        at[n].parent = at[at[n].parent].parent; // shortens the way for the next one
        n = at[n].parent;
    }
    return n;
}

uint32_t node_with(Body *b, NodeKind kind, uint32_t id, uint32_t slot_count)
{
    uint32_t n = node_new(b, kind);
    b->nodes.at[n].id = id;
    b->nodes.at[n].first_slot = b->slots.len;
    b->nodes.at[n].slot_count = slot_count;
    vec_extend(&b->slots, slot_count);
    return n;
}

void node_flag(Body *b, uint32_t n, uint8_t flags)
{
    if (n) b->nodes.at[node_find(b, n)].flags |= flags;
}

static bool occurs(const Body *b, uint32_t inner, uint32_t outer, uint32_t depth)
{
    outer = node_find(b, outer);
    if (inner == outer || depth > TYPE_DEPTH) return true;
    const Node *n = &b->nodes.at[outer];
    for (uint32_t i = 0; i < n->slot_count; i++) {
        uint32_t next = b->slots.at[n->first_slot + i].node;
        if (next && occurs(b, inner, next, depth + 1)) return true;
    }
    return false;
}

static void bottom(Body *b, uint32_t n)
{
    b->nodes.at[n].kind = NODE_BOTTOM;
    b->nodes.at[n].slot_count = 0;
    b->nodes.at[n].flags |= NODE_OPENED;
}

void slot_unify(Body *b, Slot x, Slot y, uint32_t ins)
{
    if (x.own != y.own)
        system_equal(&b->sys, con_tag(PRIO_FACT, CON_ELEM, ins, NO_VALUE), x.own, y.own);
    if (x.node && y.node) node_unify(b, x.node, y.node, ins);
}

void node_unify(Body *b, uint32_t x, uint32_t y, uint32_t ins)
{
    if (!x || !y) return;
    x = node_find(b, x);
    y = node_find(b, y);
    if (x == y) return;
    if (b->nodes.at[x].kind == NODE_VAR) {
        uint32_t t = x;
        x = y, y = t;
    }
    // y is a variable, or both are made of something.
    Node *n = &b->nodes.at[x], *m = &b->nodes.at[y];
    uint8_t flags = n->flags | m->flags;
    if (m->kind == NODE_VAR) {
        if (n->kind != NODE_VAR && occurs(b, y, x, 0)) bottom(b, x);
        m->parent = x;
        b->nodes.at[x].flags |= flags;
        return;
    }
    Node left = *n, right = *m;
    m->parent = x;
    n->flags = flags;
    if (left.kind != right.kind || (left.kind == NODE_CONTAINER && left.id != right.id) ||
        left.kind == NODE_BOTTOM) {
        bottom(b, x);
        return;
    }
    uint32_t count = left.slot_count < right.slot_count ? left.slot_count : right.slot_count;
    for (uint32_t i = 0; i < count; i++)
        slot_unify(b, b->slots.at[left.first_slot + i], b->slots.at[right.first_slot + i], ins);
}
