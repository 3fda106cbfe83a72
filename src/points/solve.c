// The solution: differences are propagated along copy edges in topological order, sweep by sweep;
// loads, stores, fields and calls add edges for the members that are new (wave propagation in the
// manner of Pereira and Berlin, CGO 2009; lazy and hybrid cycle detection of Hardekopf and Lin,
// PLDI 2007).
//
// Invariant: what is in a node's set and not in its delta has been propagated along all its edges
// and seen by all its links.
#include "points/points_int.h"

// ---- the queue ----

static uint32_t place_of(Points *p, Node n)
{
    while (p->place.len <= n) {
        vec_push(&p->place, p->at.len);
        vec_push(&p->at, p->place.len - 1);
    }
    return p->place.at[n];
}

void pts_queue(Points *p, Node n)
{
    uint32_t at = place_of(p, n);
    if (p->queued.len <= at / 64) vec_extend(&p->queued, at / 64 + 1 - p->queued.len);
    p->queued.at[at / 64] |= (uint64_t)1 << (at % 64);
}

static uint32_t next_queued(const Points *p, uint32_t from)
{
    for (uint32_t w = from / 64; w < p->queued.len; w++) {
        uint64_t word = p->queued.at[w];
        if (w == from / 64) word &= ~(uint64_t)0 << (from % 64);
        if (word) return w * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

// ---- the graph ----

static void receive(Points *p, Node to, const SBits *from)
{
    if (p->nodes.at[to].wide) to = NODE_ESCAPED;
    NodeInfo *t = &p->nodes.at[to];
    p->counts.steps += from->len;
    if (sbits_union_fresh(&t->pts, from, &t->delta)) pts_queue(p, to);
}

void pts_add_member(Points *p, Node n, Node cell)
{
    n = find(p, n);
    if (p->nodes.at[n].wide) n = NODE_ESCAPED;
    NodeInfo *i = &p->nodes.at[n];
    p->counts.steps++;
    if (!sbits_add(&i->pts, cell)) return;
    sbits_add(&i->delta, cell);
    pts_queue(p, n);
}

void pts_add_edge(Points *p, Node from, Node to)
{
    from = find(p, from);
    to = find(p, to);
    if (from == to || !sbits_add(&p->succ.at[from], to)) return;
    receive(p, to, &p->nodes.at[from].pts);
}

// The set becomes the unknown alone, and all that was or will be in it escapes, which is what the
// unknown stands for. Bounds the cost where nothing is known any more: a heap behind one
// function pointer, with all structures of a program in it. Errs towards unknown.
void pts_widen(Points *p, Node n)
{
    n = find(p, n);
    NodeInfo *i = &p->nodes.at[n];
    if (i->wide || n == NODE_ESCAPED) return;
    i->wide = true;
    SBits old = i->pts;
    bool known = sbits_has(&old, NODE_UNKNOWN) && !sbits_has(&i->delta, NODE_UNKNOWN);
    sbits_clear(&i->delta);
    i->pts = (SBits){0};
    sbits_add(&i->pts, NODE_UNKNOWN);
    if (!known) {
        sbits_add(&i->delta, NODE_UNKNOWN);
        pts_queue(p, n);
    }
    receive(p, NODE_ESCAPED, &old);
    sbits_clear(&old);
}

void pts_unite(Points *p, Node a, Node b)
{
    a = find(p, a);
    b = find(p, b);
    if (a == b) return;
    if (b < a) {
        Node t = a;
        a = b;
        b = t;
    }
    p->counts.collapsed++;
    if (!p->nodes.len) { // the solution has not begun
        p->rep.at[b] = a;
        return;
    }
    if (p->nodes.at[a].wide || p->nodes.at[b].wide) {
        pts_widen(p, a);
        pts_widen(p, b);
    }
    NodeInfo *x = &p->nodes.at[a], *y = &p->nodes.at[b];
    p->counts.steps += x->pts.len + y->pts.len + p->succ.at[a].len + p->succ.at[b].len;
    // What only one of them had seen is news for the other's edges and links.
    if (!sbits_same(&x->pts, &y->pts)) {
        SBits all = sbits_copy(&y->pts);
        sbits_union_fresh(&all, &x->pts, &x->delta);
        sbits_clear(&all);
        sbits_union_fresh(&x->pts, &y->pts, &x->delta);
    }
    sbits_union(&x->delta, &y->delta);
    sbits_union(&p->succ.at[a], &p->succ.at[b]);
    sbits_clear(&y->pts);
    sbits_clear(&y->delta);
    sbits_clear(&p->succ.at[b]);
    if (y->links) {
        if (x->links)
            p->links.at[x->last_link - 1].next = y->links;
        else
            x->links = y->links;
        x->last_link = y->last_link;
    }
    p->rep.at[b] = a;
    if (b < p->hybrid.len && p->hybrid.at[b] && !p->hybrid.at[a]) p->hybrid.at[a] = p->hybrid.at[b];
    if (p->online && !sbits_is_empty(&x->delta)) pts_queue(p, a);
}

// Halves first: a node that takes in one after the other goes through its own sets each time. The
// result is that of uniting them in their order.
void pts_unite_all(Points *p, const Node *nodes, uint32_t count)
{
    if (count < 2) return;
    pts_unite_all(p, nodes, count / 2);
    pts_unite_all(p, nodes + count / 2, count - count / 2);
    pts_unite(p, nodes[0], nodes[count / 2]);
}

static void link_to(Points *p, Node n, uint32_t con)
{
    n = find(p, n);
    vec_push(&p->links, ((ConLink){con, 0}));
    NodeInfo *i = &p->nodes.at[n];
    if (i->links)
        p->links.at[i->last_link - 1].next = p->links.len;
    else
        i->links = p->links.len;
    i->last_link = p->links.len;
    if (!p->online || sbits_is_empty(&i->pts)) return;
    sbits_union(&i->delta, &i->pts);
    pts_queue(p, n);
}

static void install(Points *p, uint32_t index)
{
    Con c = p->cons.at[index];
    switch ((ConKind)c.kind) {
    case C_COPY:
        pts_add_edge(p, c.from, c.to);
        break;
    case C_ADDR:
        pts_add_member(p, c.to, c.from);
        break;
    case C_STORE:
    case C_RSTORE:
        link_to(p, c.to, index);
        break;
    case C_MOVE:
        link_to(p, c.to, index);
        link_to(p, c.from, index);
        break;
    case C_LOAD:
    case C_RLOAD:
    case C_FIELD:
    case C_INDEX:
    case C_CALL:
        link_to(p, c.from, index);
        break;
    }
}

// What waits for a node stands together in memory, in its order.
static void gather_links(Points *p)
{
    VEC(ConLink) gathered = {0};
    vec_reserve(&gathered, p->links.len);
    vec_each (n, &p->nodes) {
        NodeInfo *i = &p->nodes.at[n];
        uint32_t l = i->links;
        if (!l) continue;
        i->links = gathered.len + 1;
        for (; l; l = p->links.at[l - 1].next) {
            ConLink link = {p->links.at[l - 1].con, gathered.len + 2};
            vec_push(&gathered, link);
        }
        vec_last(&gathered).next = 0;
        i->last_link = gathered.len;
    }
    p->links.len = 0;
    vec_append(&p->links, gathered.at, gathered.len);
    vec_free(&gathered);
}

void pts_emit(Points *p, ConKind kind, Node to, Node from, int64_t value)
{
    if (!from || (!to && kind != C_CALL)) return;
    if (kind == C_COPY && to == from) return;
    vec_push(&p->cons, ((Con){kind, to, from, (int32_t)value}));
    if (p->online) install(p, p->cons.len - 1);
}

// ---- ranges of memory ----

static void watch(Points *p, uint32_t obj, uint32_t con)
{
    bool fresh;
    map_at(&p->watching, map_pair(obj, con), 1, &fresh);
    if (fresh) vec_push(&p->objs.at[obj].watchers, con);
}

static bool holds_pointers(const Points *p, Node cell)
{
    ObjKind k = p->objs.at[p->cells.at[cell].obj].is.kind;
    return k != POBJ_FUNC && k != POBJ_STRINGS;
}

static bool in_range(const Points *p, const Obj *o, uint32_t off, Node at, int32_t len)
{
    uint32_t from = p->cells.at[at].off;
    return o->is.collapsed || (off >= from && (len == ALL_BYTES || off - from < (uint32_t)len));
}

// Edges from a node to many, in ascending order or nearly.
static void add_edges(Points *p, Node from, const SBits *to)
{
    from = find(p, from);
    SBits ends = {0}, fresh = {0};
    uint32_t n;
    for (SIter i = sbits_iter(to); sbits_step(&i, &n);)
        if (find(p, n) != from) sbits_add(&ends, find(p, n));
    sbits_union_fresh(&p->succ.at[from], &ends, &fresh);
    for (SIter i = sbits_iter(&fresh); sbits_step(&i, &n);) receive(p, n, &p->nodes.at[from].pts);
    sbits_clear(&ends);
    sbits_clear(&fresh);
}

// Everything in the range flows to the node, or the node to everything in it. Cells older than
// `since` have been seen to, and the object has had its form since then.
static void range_since(Points *p, Node at, int32_t len, Node n, bool load, Node since)
{
    if (at == NODE_UNKNOWN) {
        if (load)
            pts_add_member(p, n, NODE_UNKNOWN);
        else
            pts_add_edge(p, n, NODE_ESCAPED);
        return;
    }
    if (!holds_pointers(p, at)) return;
    const Obj *o = &p->objs.at[p->cells.at[at].obj];
    SBits cells = {0};
    if (since) {
        for (Node c = o->newest; c >= since; c = p->cells.at[c].older, p->counts.steps++)
            if (in_range(p, o, p->cells.at[c].off, at, len)) sbits_add(&cells, c);
    } else {
        p->counts.steps += o->cells.len;
        for (uint32_t i = 0; i < o->cells.len; i++)
            if (in_range(p, o, o->cells.at[i].off, at, len)) sbits_add(&cells, o->cells.at[i].cell);
    }
    uint32_t cell;
    for (SIter i = sbits_iter(&cells); load && sbits_step(&i, &cell);) pts_add_edge(p, cell, n);
    if (!load) add_edges(p, n, &cells);
    sbits_clear(&cells);
    if (load && o->is.escaped) pts_add_member(p, n, NODE_UNKNOWN);
}

static void range_of(Points *p, Node at, int32_t len, Node n, bool load)
{
    range_since(p, at, len, n, load, 0);
}

// The same for a constraint that is looked at again and again: of an object that keeps its shape
// only the new cells. A struct that gets its cells one by one would be gone through for each.
static void range_again(Points *p, uint32_t con, Node at, int32_t len, Node n, bool load)
{
    typedef union {
        struct {
            uint32_t shape_escaped, cells;
        };
        uint64_t word;
    } Seen;
    const Obj *o = &p->objs.at[p->cells.at[at].obj];
    Seen now = {{o->shape << 1 | o->is.escaped, o->newest}};
    bool fresh;
    uint64_t *then = map_at(&p->ranged, map_pair(con << 1 | load, at), now.word, &fresh);
    Seen before = {.word = *then};
    if (!fresh && before.word == now.word) return;
    *then = now.word;
    bool same_shape = !fresh && before.shape_escaped >> 1 == o->shape;
    range_since(p, at, len, n, load, same_shape ? before.cells + 1 : 0);
}

static void move_pair(Points *p, Node to, Node from, int32_t len)
{
    uint32_t obj = p->cells.at[from].obj, target = p->cells.at[to].obj;
    p->counts.steps += p->objs.at[obj].cells.len;
    if (p->objs.at[obj].is.collapsed || p->objs.at[target].is.collapsed) {
        for (uint32_t i = 0; i < p->objs.at[obj].cells.len; i++) {
            const Obj *o = &p->objs.at[obj];
            if (in_range(p, o, o->cells.at[i].off, from, len))
                range_of(p, to, len, o->cells.at[i].cell, false);
        }
    } else {
        // By value: making cells may move the array; new ones come by the watchers.
        VEC(ObjCell) cells = {0};
        vec_append(&cells, p->objs.at[obj].cells.at, p->objs.at[obj].cells.len);
        uint32_t base = p->cells.at[from].off;
        vec_each (i, &cells) {
            if (!in_range(p, &p->objs.at[obj], cells.at[i].off, from, len)) continue;
            Node t = pts_cell_at(p, target, (int64_t)p->cells.at[to].off + cells.at[i].off - base);
            if (t) pts_add_edge(p, cells.at[i].cell, t);
        }
        vec_free(&cells);
    }
    if (!p->objs.at[obj].is.escaped) return;
    for (uint32_t i = 0; i < p->objs.at[target].cells.len; i++) {
        const Obj *o = &p->objs.at[target];
        if (in_range(p, o, o->cells.at[i].off, to, len))
            pts_add_member(p, o->cells.at[i].cell, NODE_UNKNOWN);
    }
}

// Whether a copied range has become too costly to look at pair by pair: too many pairs at once, or
// too many cells over all the visits, since each visit begins anew.
static bool goes_flat(Points *p, RangeWatch *r, const SBits *to, const SBits *from)
{
    uint64_t pairs = (uint64_t)sbits_size(to) * sbits_size(from), cells = 0;
    if (pairs > FLAT_PRODUCT) return true;
    uint32_t at;
    for (SIter i = sbits_iter(from); sbits_step(&i, &at);)
        cells += p->cells.at[at].obj ? p->objs.at[p->cells.at[at].obj].cells.len : 1;
    r->spent += cells * sbits_size(to);
    return r->spent > FLAT_WORK;
}

static void watch_new(Points *p, uint32_t con, const SBits *set, SBits *known)
{
    SBits fresh = {0};
    sbits_union_fresh(known, set, &fresh);
    uint32_t at;
    for (SIter i = sbits_iter(&fresh); sbits_step(&i, &at);) watch(p, p->cells.at[at].obj, con);
    sbits_clear(&fresh);
}

// The ranges at all members. Those that were there the last time, whose objects have not
// changed since, are passed over: constraints come back for one new cell of one object.
static void ranges_at(Points *p, uint32_t con, const SBits *set, const SBits *known, uint32_t when,
                      Node n, bool load)
{
    uint32_t at;
    for (SIter i = sbits_iter(set); sbits_step(&i, &at);)
        if (p->objs.at[p->cells.at[at].obj].changed > when || !sbits_has(known, at))
            range_again(p, con, at, p->cons.at[con].value, n, load);
}

static void run_range(Points *p, uint32_t index)
{
    Con c = p->cons.at[index];
    bool fresh;
    uint32_t number = (uint32_t)*map_at(&p->range_of, index, p->ranges.len, &fresh);
    if (fresh) vec_push(&p->ranges, ((RangeWatch){0}));
    RangeWatch *r = &p->ranges.at[number];
    SBits to = {0}, from = {0};
    if (c.kind != C_RLOAD) to = sbits_copy(&p->nodes.at[find(p, c.to)].pts);
    if (c.kind != C_RSTORE) from = sbits_copy(&p->nodes.at[find(p, c.from)].pts);
    uint32_t at, source, when = r->when;
    r->when = p->changes;
    p->counts.steps += to.len + from.len;
    bool flat = c.kind == C_MOVE && (r->flat || goes_flat(p, r, &to, &from));
    if (flat && !r->flat) {
        Node n = pts_node_new(p);
        r->flat = n;
        sbits_clear(&r->to);
        sbits_clear(&r->from);
    }
    if (c.kind == C_RLOAD || flat)
        ranges_at(p, index, &from, &r->from, when, flat ? r->flat : c.to, true);
    if (c.kind == C_RSTORE || flat)
        ranges_at(p, index, &to, &r->to, when, flat ? r->flat : c.from, false);
    watch_new(p, index, &to, &r->to);
    watch_new(p, index, &from, &r->from);
    if (c.kind == C_MOVE && !flat) {
        for (SIter i = sbits_iter(&from); sbits_step(&i, &source);)
            for (SIter k = sbits_iter(&to); sbits_step(&k, &at);) {
                if (source == NODE_UNKNOWN && at != NODE_UNKNOWN) {
                    uint32_t o = p->cells.at[at].obj;
                    for (uint32_t n = 0; n < p->objs.at[o].cells.len; n++)
                        if (in_range(p, &p->objs.at[o], p->objs.at[o].cells.at[n].off, at, c.value))
                            pts_add_member(p, p->objs.at[o].cells.at[n].cell, NODE_UNKNOWN);
                } else if (at == NODE_UNKNOWN) {
                    range_of(p, source, c.value, NODE_ESCAPED, true);
                } else if (holds_pointers(p, source) && holds_pointers(p, at)) {
                    move_pair(p, at, source, c.value);
                }
            }
    }
    sbits_clear(&to);
    sbits_clear(&from);
}

// ---- one node ----

static void escape(Points *p, uint32_t obj)
{
    Obj *o = &p->objs.at[obj];
    if (o->is.escaped || o->is.kind == POBJ_UNKNOWN || o->is.kind == POBJ_STRINGS) return;
    o->is.escaped = true;
    o->changed = ++p->changes;
    if (o->is.kind == POBJ_FUNC) {
        FuncId f = o->is.func;
        const Unit *u;
        const Func *body = program_body(p->program, f, &u);
        if (!body) return;
        for (uint32_t k = 0; k < body->param_count; k++)
            if (p->slots[f.id][k]) pts_add_member(p, p->slots[f.id][k], NODE_UNKNOWN);
        if (p->ret[f.id]) pts_add_edge(p, p->ret[f.id], NODE_ESCAPED);
        if (p->rest[f.id]) pts_add_member(p, pts_cell_at(p, p->rest[f.id], 0), NODE_UNKNOWN);
        return;
    }
    bool fixed = false;
    if (o->is.kind == POBJ_GLOBAL) {
        const ProgGlobal *g = &p->program->globals.at[o->is.index];
        fixed = (g->flags & PROG_DEFINED) &&
                (p->program->units[g->unit]->globals.at[g->global.id].flags & GLOBAL_CONST);
    }
    for (uint32_t i = 0; i < p->objs.at[obj].cells.len; i++) {
        Node c = p->objs.at[obj].cells.at[i].cell;
        if (fixed)
            pts_add_edge(p, c, NODE_ESCAPED);
        else
            pts_widen(p, c);
    }
}

static void propagate(Points *p, Node n, const SBits *delta)
{
    bool stale = false, escaped = false;
    uint32_t s;
    for (SIter i = sbits_iter(&p->succ.at[n]); sbits_step(&i, &s);) {
        Node t = find(p, s);
        if (t != s) stale = true;
        if (t == n) continue;
        if (p->nodes.at[t].wide) {
            if (!escaped) receive(p, t, delta);
            escaped = true;
            continue;
        }
        NodeInfo *to = &p->nodes.at[t];
        p->counts.steps += delta->len;
        if (sbits_union_fresh(&to->pts, delta, &to->delta)) {
            pts_queue(p, t);
        } else if (to->pts.len == p->nodes.at[n].pts.len &&
                   sbits_same(&to->pts, &p->nodes.at[n].pts)) {
            bool fresh;
            map_at(&p->looked, map_pair(n, t), 1, &fresh);
            p->lazy += fresh;
        }
    }
    if (!stale) return;
    SBits renewed = {0};
    for (SIter i = sbits_iter(&p->succ.at[n]); sbits_step(&i, &s);)
        if (find(p, s) != n) sbits_add(&renewed, find(p, s));
    sbits_clear(&p->succ.at[n]);
    p->succ.at[n] = renewed;
}

static void follow(Points *p, uint32_t index, const SBits *delta)
{
    Con c = p->cons.at[index];
    p->counts.steps += delta->len;
    uint32_t cell;
    SBits found = {0}; // handed on together
    switch ((ConKind)c.kind) {
    case C_LOAD:
        for (SIter i = sbits_iter(delta); sbits_step(&i, &cell);) {
            if (cell == NODE_UNKNOWN)
                pts_add_member(p, c.to, cell);
            else if (holds_pointers(p, cell))
                pts_add_edge(p, cell, c.to);
        }
        break;
    case C_STORE:
        for (SIter i = sbits_iter(delta); sbits_step(&i, &cell);) {
            if (cell == NODE_UNKNOWN)
                sbits_add(&found, NODE_ESCAPED);
            else if (holds_pointers(p, cell))
                sbits_add(&found, cell);
        }
        add_edges(p, c.from, &found);
        sbits_clear(&found);
        break;
    case C_FIELD:
        for (SIter i = sbits_iter(delta); sbits_step(&i, &cell);) {
            Node t = pts_field_of(p, cell, c.value);
            if (t) sbits_add(&found, t);
        }
        break;
    case C_INDEX:
        for (SIter i = sbits_iter(delta); sbits_step(&i, &cell);) {
            pts_obj_stride(p, p->cells.at[cell].obj, p->cells.at[cell].off, (uint32_t)c.value);
            Node t = pts_cell_at(p, p->cells.at[cell].obj, p->cells.at[cell].off);
            if (t) sbits_add(&found, t);
        }
        break;
    case C_RLOAD:
    case C_RSTORE:
    case C_MOVE:
        vec_push(&p->pending, index);
        break;
    case C_CALL:
        for (SIter i = sbits_iter(delta); sbits_step(&i, &cell);) {
            const Obj *o = &p->objs.at[p->cells.at[cell].obj];
            if (cell == NODE_UNKNOWN)
                pts_connect_unknown(p, c.to, NULL, NULL);
            else if (o->is.kind == POBJ_FUNC)
                pts_connect(p, c.to, o->is.func);
        }
        break;
    case C_COPY:
    case C_ADDR:
        break;
    }
    if (!sbits_is_empty(&found)) receive(p, find(p, c.to), &found);
    sbits_clear(&found);
}

static void visit(Points *p, Node n)
{
    if (find(p, n) != n) return;
    // Blocks first: they are counted already.
    if (p->nodes.at[n].pts.len > WIDE / 64 && sbits_size(&p->nodes.at[n].pts) > WIDE)
        pts_widen(p, n);
    SBits delta = p->nodes.at[n].delta;
    p->nodes.at[n].delta = (SBits){0};
    if (sbits_is_empty(&delta)) return;
    propagate(p, n, &delta);
    uint32_t cell;
    if (n == NODE_ESCAPED)
        for (SIter i = sbits_iter(&delta); sbits_step(&i, &cell);) escape(p, p->cells.at[cell].obj);
    for (uint32_t l = p->nodes.at[n].links; l;) {
        ConLink link = p->links.at[l - 1];
        follow(p, link.con, &delta);
        l = p->links.at[l - 1].next;
    }
    Node twin = n < p->hybrid.len ? p->hybrid.at[n] : NODE_NONE;
    if (twin)
        for (SIter i = sbits_iter(&delta); sbits_step(&i, &cell);)
            if (cell != NODE_UNKNOWN && holds_pointers(p, cell)) pts_unite(p, twin, cell);
    sbits_clear(&delta);
}

static void run_pending(Points *p)
{
    while (p->pending.len) {
        // In order and each once.
        U32s now = p->pending;
        p->pending = (U32s){0};
        Map done = {0};
        vec_each (i, &now) {
            bool fresh;
            map_at(&done, now.at[i], 1, &fresh);
            if (fresh) run_range(p, now.at[i]);
        }
        map_free(&done);
        vec_free(&now);
    }
}

// Cells that were united name one place: sets name it once. Only untyped objects lose cells, when
// they turn out to be arrays or are collapsed.
static void settle(Points *p)
{
    Arena *a = arena_new("settle");
    Bits old = bits_new(a, p->nodes.len);
    Map now = {0}; // of those that are gone
    U32s gone = {0};
    for (Node n = 1; n < p->nodes.len; n++) {
        uint32_t obj = p->cells.at[n].obj;
        if (!obj || p->objs.at[obj].type.id) continue;
        Node cell = pts_cell_at(p, obj, p->cells.at[n].off);
        if (cell == n) continue;
        if (n < old.count) bits_add(&old, n);
        map_set(&now, n, cell);
    }
    for (Node n = 1; now.len && n < p->nodes.len; n++) {
        SBits *s = &p->nodes.at[n].pts;
        p->counts.steps += s->len;
        const SBlock *blocks = sbits_blocks(s);
        for (uint32_t k = 0; k < s->len; k++)
            for (uint64_t w = blocks[k].word & old.words[blocks[k].index]; w; w &= w - 1)
                vec_push(&gone, blocks[k].index * 64 + (uint32_t)__builtin_ctzll(w));
        vec_each (i, &gone) sbits_drop(s, gone.at[i]);
        vec_each (i, &gone) sbits_add(s, (Node)*map_get(&now, gone.at[i]));
        vec_clear(&gone);
    }
    vec_free(&gone);
    map_free(&now);
    arena_free(a);
}

void pts_solve(Points *p)
{
    p->counts.nodes = p->cells.len;
    p->counts.constraints = p->cons.len;
    pts_offline(p);
    pts_renumber(p);
    pts_find_hybrid(p);
    uint32_t given = p->cons.len;
    for (uint32_t i = 0; i < given; i++) install(p, i);
    gather_links(p);
    p->online = true;
    pts_order_nodes(p);
    for (;;) {
        uint32_t at = 0;
        bool any = false;
        while ((at = next_queued(p, at)) != UINT32_MAX) {
            p->queued.at[at / 64] &= ~((uint64_t)1 << (at % 64));
            visit(p, p->at.at[at]);
            any = true;
        }
        any |= p->pending.len != 0;
        run_pending(p);
        p->counts.sweeps++;
        if (!any) break;
        if (p->lazy > (p->nodes.len + p->counts.nodes - p->counts.kept) / 500) pts_order_nodes(p);
    }
    p->online = false;
    settle(p);
}
