// Making the graph small: before the solution by value numbering, during it by collapsing cycles.
//
// Offline (hash value numbering of Hardekopf and Lin, SAS 2007, after Rountev and Chandra 2000):
// values that are made of the same things will have the same set and become one node. A load
// through equal pointers gives equal values too, because the analysis knows no order of
// statements; so all loads of one global are one node. Whatever the solution may still add to
// (contents of cells, parameters of functions whose address is taken, results of calls through
// pointers) has a number of its own.
#include "base/hash.h"
#include "points/points_int.h"

#include <stdlib.h>

typedef struct {
    uint32_t *first; // by node
    uint32_t *list;
} Csr;

// Constraints by the value that they define.
static bool defines(const Con *c)
{
    switch ((ConKind)c->kind) {
    case C_COPY:
    case C_LOAD:
    case C_RLOAD:
    case C_FIELD:
    case C_INDEX:
        return true;
    default:
        return false;
    }
}

typedef enum { COPIES_AND_FIELDS, ALL_UNCUT } Which;

static bool counts(const Con *c, Which which, const Bits *cut, uint32_t index)
{
    if (!defines(c)) return false;
    if (which == COPIES_AND_FIELDS)
        return c->kind == C_COPY || c->kind == C_FIELD || c->kind == C_INDEX;
    return !bits_has(cut, index);
}

// Edges from each value to what it is made of.
static Components components(Points *p, Arena *a, Which which, const Bits *cut)
{
    uint32_t n = p->cells.len;
    uint32_t *first = arena_array_of(a, uint32_t, (size_t)n + 2);
    vec_each (i, &p->cons)
        if (counts(&p->cons.at[i], which, cut, i)) first[p->cons.at[i].to + 2]++;
    for (uint32_t i = 0; i < n; i++) first[i + 2] += first[i + 1];
    uint32_t *list = arena_array_of(a, uint32_t, first[n + 1]);
    vec_each (i, &p->cons)
        if (counts(&p->cons.at[i], which, cut, i))
            list[first[p->cons.at[i].to + 1]++] = p->cons.at[i].from;
    return components_of(a, n, first, list);
}

// p = p + 8 in a loop steps through an array of such elements (positive weight cycle): its offsets
// would grow for ever.
static void cut_growth(Points *p)
{
    Arena *a = arena_new("growth");
    Components c = components(p, a, COPIES_AND_FIELDS, NULL);
    vec_each (i, &p->cons) {
        Con *con = &p->cons.at[i];
        if (con->kind != C_FIELD || c.of[con->to] != c.of[con->from]) continue;
        con->value = con->value < 0 ? -con->value : con->value;
        con->kind = con->value >= 8 ? C_INDEX : C_COPY;
    }
    arena_free(a);
}

// A cycle through a load or a field is cut there: its value gets a number of its own.
static void cut_cycles(Points *p, Bits *cut, Bits *open)
{
    Arena *a = arena_new("cycles");
    Components c = components(p, a, ALL_UNCUT, cut);
    vec_each (i, &p->cons) {
        const Con *con = &p->cons.at[i];
        if (!defines(con) || con->kind == C_COPY || c.of[con->to] != c.of[con->from]) continue;
        bits_add(cut, i);
        bits_add(open, con->to);
    }
    arena_free(a);
}

static void mark_open(Points *p, Bits *open)
{
    for (Node n = 0; n < p->cells.len; n++)
        if (p->cells.at[n].obj || n <= NODE_ESCAPED) bits_add(open, n);
    for (uint32_t f = 1; f < p->program->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p->program, (FuncId){f}, &u);
        if (!body || !p->func_obj[f]) continue;
        for (uint32_t k = 0; k < body->param_count; k++) bits_add(open, p->slots[f][k]);
    }
    vec_each (i, &p->cons)
        if (p->cons.at[i].kind == C_CALL) bits_add(open, p->sites.at[p->cons.at[i].to].result);
}

enum { SEVERAL = 100 }; // beside the kinds of constraints

typedef struct {
    uint32_t count; // numbers so far
    Map made;       // kind, number and value, hashed -> number
    uint32_t *addr; // cell -> number of its address
} Numbers;

static uint32_t number(Numbers *n, uint32_t kind, uint32_t of, uint32_t value)
{
    uint32_t words[] = {kind, of, value};
    uint64_t key = hash_bytes(words, sizeof words, 3);
    bool fresh;
    uint32_t found = (uint32_t)*map_at(&n->made, key, n->count + 1, &fresh);
    n->count += fresh;
    return found;
}

static uint32_t number_of_address(Numbers *n, Node cell)
{
    if (!n->addr[cell]) n->addr[cell] = ++n->count;
    return n->addr[cell];
}

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static uint32_t number_of_parts(Numbers *numbers, U32s *parts)
{
    if (!parts->len) return 0;
    qsort(parts->at, parts->len, sizeof *parts->at, ascending);
    uint32_t n = 1;
    for (uint32_t i = 1; i < parts->len; i++)
        if (parts->at[i] != parts->at[n - 1]) parts->at[n++] = parts->at[i];
    if (n == 1) return parts->at[0];
    uint64_t key = hash_bytes(parts->at, n * sizeof *parts->at, 7);
    return number(numbers, SEVERAL, (uint32_t)(key >> 32), (uint32_t)key);
}

void pts_offline(Points *p)
{
    cut_growth(p);
    Arena *a = arena_new("offline");
    uint32_t n = p->cells.len;
    Bits open = bits_new(a, n), cut = bits_new(a, p->cons.len);
    mark_open(p, &open);
    cut_cycles(p, &cut, &open);
    Components c = components(p, a, ALL_UNCUT, &cut);
    // Constraints by component of what they define.
    uint32_t *first = arena_array_of(a, uint32_t, (size_t)c.count + 2);
    vec_each (i, &p->cons)
        if (defines(&p->cons.at[i]) || p->cons.at[i].kind == C_ADDR)
            first[c.of[p->cons.at[i].to] + 2]++;
    for (uint32_t i = 0; i < c.count; i++) first[i + 2] += first[i + 1];
    uint32_t *list = arena_array_of(a, uint32_t, first[c.count + 1]);
    vec_each (i, &p->cons)
        if (defines(&p->cons.at[i]) || p->cons.at[i].kind == C_ADDR)
            list[first[c.of[p->cons.at[i].to] + 1]++] = i;
    uint32_t *numbers_of = arena_array_of(a, uint32_t, n);
    Numbers numbers = {.addr = arena_array_of(a, uint32_t, n)};
    U32s parts = {0};
    for (uint32_t k = 0; k < c.count; k++) {
        vec_clear(&parts);
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++)
            if (bits_has(&open, c.order[i])) vec_push(&parts, ++numbers.count);
        for (uint32_t i = first[k]; i < first[k + 1]; i++) {
            const Con *con = &p->cons.at[list[i]];
            if (con->kind == C_ADDR) {
                vec_push(&parts, number_of_address(&numbers, con->from));
            } else if (!bits_has(&cut, list[i]) && c.of[con->from] != k) {
                uint32_t from = numbers_of[con->from];
                if (!from) continue;
                vec_push(&parts, con->kind == C_COPY
                                     ? from
                                     : number(&numbers, con->kind, from, (uint32_t)con->value));
            }
        }
        uint32_t result = number_of_parts(&numbers, &parts);
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++) numbers_of[c.order[i]] = result;
    }
    // One node for each number; what has none stays empty for ever and is no node any more.
    uint32_t *holder = arena_array_of(a, uint32_t, (size_t)numbers.count + 1);
    for (Node i = 1; i < n; i++) {
        uint32_t x = numbers_of[i];
        if (!x)
            p->rep.at[i] = NODE_NONE;
        else if (!holder[x])
            holder[x] = i;
        else
            p->rep.at[i] = holder[x];
    }
    Map seen = {0};
    uint32_t kept = 0;
    vec_each (i, &p->cons) {
        Con con = p->cons.at[i];
        bool has_to = con.kind != C_CALL, has_from = con.kind != C_ADDR;
        if (has_from && !numbers_of[con.from]) continue;
        if (has_to && !numbers_of[con.to] && !defines(&con)) continue;
        if (has_to) con.to = find(p, con.to);
        if (has_from) con.from = find(p, con.from);
        if (con.kind == C_COPY && con.to == con.from) continue;
        bool fresh;
        map_at(&seen, hash_bytes(&con, sizeof con, 11), 1, &fresh);
        if (fresh) p->cons.at[kept++] = con;
    }
    p->cons.len = kept;
    map_free(&seen);
    map_free(&numbers.made);
    vec_free(&parts);
    arena_free(a);
}

// Most nodes are gone now. Those that are left get ids without holes, which keeps what the solution
// touches near together (git: 272,000 nodes, 120,000 left). They keep their order.
void pts_renumber(Points *p)
{
    Arena *a = arena_new("renumber");
    uint32_t n = p->cells.len, next = NODE_ESCAPED + 1;
    Node *now = arena_array_of(a, Node, n);
    now[NODE_UNKNOWN] = NODE_UNKNOWN;
    now[NODE_ESCAPED] = NODE_ESCAPED;
    for (Node i = next; i < n; i++)
        if (p->cells.at[i].obj || p->rep.at[i] == i) now[i] = next++;
    VEC(CellInfo) cells = {0};
    U32s rep = {0};
    vec_extend(&cells, next);
    vec_extend(&rep, next);
    for (Node i = 1; i < n; i++) {
        if (!now[i]) continue;
        cells.at[now[i]] = p->cells.at[i];
        cells.at[now[i]].older = now[p->cells.at[i].older];
        rep.at[now[i]] = now[find(p, i)];
    }
    // Whoever names a value names the node that stands for it.
    for (Node i = 1; i < n; i++)
        if (!p->cells.at[i].obj) now[i] = now[find(p, i)];
    for (uint32_t f = 1; f < p->program->funcs.len; f++) {
        const Unit *u;
        if (!p->slots[f]) continue;
        const Func *body = program_body(p->program, (FuncId){f}, &u);
        uint32_t count = body->param_count + body->ins_count;
        for (uint32_t k = 0; k < count; k++) p->slots[f][k] = now[p->slots[f][k]];
        p->ret[f] = now[p->ret[f]];
    }
    for (uint32_t k = 0; k < p->program->unit_count; k++)
        for (uint32_t i = 0; p->consts[k] && i < p->program->units[k]->consts.len; i++)
            p->consts[k][i] = now[p->consts[k][i]];
    vec_each (i, &p->args) p->args.at[i] = now[p->args.at[i]];
    vec_each (i, &p->sites) p->sites.at[i].result = now[p->sites.at[i].result];
    vec_each (i, &p->cons) {
        Con *c = &p->cons.at[i];
        if (c->kind != C_CALL) c->to = now[c->to];
        c->from = now[c->from];
    }
    vec_each (i, &p->objs) {
        Obj *o = &p->objs.at[i];
        vec_each (k, &o->cells) o->cells.at[k].cell = now[o->cells.at[k].cell];
        o->newest = now[o->newest];
    }
    Map addrs = {0};
    for (uint32_t i = 0; i < p->addrs.len; i++)
        map_set(&addrs, now[p->addrs.entries[i].key], now[p->addrs.entries[i].value]);
    map_free(&p->addrs);
    p->addrs = addrs;
    vec_free(&p->cells);
    vec_free(&p->rep);
    vec_append(&p->cells, cells.at, cells.len);
    vec_free(&cells);
    p->rep = rep;
    vec_extend(&p->nodes, next);
    vec_extend(&p->succ, next);
    p->counts.kept = next;
    arena_free(a);
}

// Hybrid cycle detection, offline half: with *q as a node of its own, a cycle a -> *q -> a means
// that whatever q points to is in a cycle with a.
static bool edge_of(const Con *c, uint32_t n, uint32_t *from, uint32_t *to)
{
    *from = c->kind == C_LOAD ? n + c->from : c->from;
    *to = c->kind == C_STORE ? n + c->to : c->to;
    return c->kind == C_COPY || c->kind == C_LOAD || c->kind == C_STORE;
}

void pts_find_hybrid(Points *p)
{
    Arena *a = arena_new("hybrid");
    uint32_t n = p->cells.len, from, to;
    uint32_t *first = arena_array_of(a, uint32_t, 2 * (size_t)n + 2);
    vec_each (i, &p->cons)
        if (edge_of(&p->cons.at[i], n, &from, &to)) first[from + 2]++;
    for (uint32_t i = 1; i < 2 * n; i++) first[i + 1] += first[i];
    uint32_t *list = arena_array_of(a, uint32_t, (size_t)p->cons.len + 1);
    vec_each (i, &p->cons)
        if (edge_of(&p->cons.at[i], n, &from, &to)) list[first[from + 1]++] = to;
    Components c = components_of(a, 2 * n, first, list);
    vec_extend(&p->hybrid, n);
    for (uint32_t k = 0; k < c.count; k++) {
        if (c.start[k + 1] - c.start[k] < 2) continue;
        // Ascending: values come before the loads through them.
        uint32_t value = c.order[c.start[k]];
        if (value >= n) continue;
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++)
            if (c.order[i] >= n) p->hybrid.at[c.order[i] - n] = value;
    }
    arena_free(a);
}

void pts_order_nodes(Points *p)
{
    p->lazy = 0;
    Arena *a = arena_new("order");
    uint32_t n = p->cells.len, count = 0, to;
    // Those that stand for themselves, which soon are the smaller part.
    uint32_t *index = arena_raw(a, n * sizeof *index);
    Node *nodes = arena_raw(a, n * sizeof *nodes);
    for (Node i = 0; i < n; i++)
        if (p->rep.at[i] == i) {
            index[i] = count;
            nodes[count++] = i;
        }
    for (Node i = 0; i < n; i++)
        if (p->rep.at[i] != i) index[i] = index[find(p, i)];
    uint32_t *first = arena_raw(a, ((size_t)count + 1) * sizeof *first);
    U32s *list = &p->scratch;
    vec_clear(list);
    for (uint32_t k = 0; k < count; k++) {
        first[k] = list->len;
        for (SIter i = sbits_iter(&p->succ.at[nodes[k]]); sbits_step(&i, &to);) {
            if (index[to] != k) vec_push(list, index[to]);
        }
    }
    first[count] = list->len;
    p->counts.steps += count + list->len;
    Components c = components_of(a, count, first, list->at);
    // Who has news is queued.
    vec_clear(list);
    vec_each (w, &p->queued)
        for (uint64_t word = p->queued.at[w]; word; word &= word - 1)
            vec_push(list, p->at.at[w * 64 + (uint32_t)__builtin_ctzll(word)]);
    // Sources first: components come with their successors before them.
    vec_clear(&p->at);
    vec_reserve(&p->at, n);
    vec_reserve(&p->place, n);
    p->place.len = n;
    for (uint32_t k = c.count; k-- > 0;)
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++) {
            c.order[i] = nodes[c.order[i]];
            p->place.at[c.order[i]] = p->at.len;
            p->at.at[p->at.len++] = c.order[i];
        }
    vec_clear(&p->queued);
    for (uint32_t k = 0; k < c.count; k++)
        if (c.start[k + 1] - c.start[k] > 1)
            pts_unite_all(p, c.order + c.start[k], c.start[k + 1] - c.start[k]);
    vec_each (i, list) {
        Node has = find(p, list->at[i]);
        if (!sbits_is_empty(&p->nodes.at[has].delta)) pts_queue(p, has);
    }
    arena_free(a);
}
