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
    uint32_t n = p->nodes.len;
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
static void cut_growth(Points *p, Arena *a)
{
    Components c = components(p, a, COPIES_AND_FIELDS, NULL);
    vec_each (i, &p->cons) {
        Con *con = &p->cons.at[i];
        if (con->kind != C_FIELD || c.of[con->to] != c.of[con->from]) continue;
        con->value = con->value < 0 ? -con->value : con->value;
        con->kind = con->value >= 8 ? C_INDEX : C_COPY;
    }
}

static void mark_open(Points *p, Bits *open)
{
    for (Node n = 0; n < p->nodes.len; n++)
        if (p->nodes.at[n].obj || n <= NODE_ESCAPED) bits_add(open, n);
    for (uint32_t f = 1; f < p->program->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p->program, (FuncId){f}, &u);
        if (!body || !p->func_obj[f]) continue;
        for (uint32_t k = 0; k < body->param_count; k++) bits_add(open, p->slots[f][k]);
    }
    vec_each (i, &p->cons)
        if (p->cons.at[i].kind == C_CALL) bits_add(open, p->sites.at[p->cons.at[i].to].result);
}

enum { OWN = 100, SEVERAL }; // beside the kinds of constraints

static uint32_t number(Map *numbers, uint32_t kind, uint32_t of, uint32_t value)
{
    uint32_t words[] = {kind, of, value};
    uint64_t key = hash_bytes(words, sizeof words, 3);
    bool fresh;
    return (uint32_t)*map_at(numbers, key, numbers->len + 1, &fresh);
}

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static uint32_t number_of_parts(Map *numbers, U32s *parts)
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
    Arena *a = arena_new("offline");
    cut_growth(p, a);
    uint32_t n = p->nodes.len;
    Bits open = bits_new(a, n), cut = bits_new(a, p->cons.len);
    mark_open(p, &open);
    // A cycle through a load or a field is cut there: its value gets a number of its own.
    Components c = components(p, a, ALL_UNCUT, &cut);
    vec_each (i, &p->cons) {
        const Con *con = &p->cons.at[i];
        if (!defines(con) || con->kind == C_COPY || c.of[con->to] != c.of[con->from]) continue;
        bits_add(&cut, i);
        bits_add(&open, con->to);
    }
    c = components(p, a, ALL_UNCUT, &cut);
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
    Map numbers = {0};
    U32s parts = {0};
    for (uint32_t k = 0; k < c.count; k++) {
        vec_clear(&parts);
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++)
            if (bits_has(&open, c.order[i])) vec_push(&parts, number(&numbers, OWN, c.order[i], 0));
        for (uint32_t i = first[k]; i < first[k + 1]; i++) {
            const Con *con = &p->cons.at[list[i]];
            if (con->kind == C_ADDR) {
                vec_push(&parts, number(&numbers, C_ADDR, con->from, 0));
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
    // One node for each number; what has none stays empty for ever.
    uint32_t *holder = arena_array_of(a, uint32_t, (size_t)numbers.len + 1);
    for (Node i = 1; i < n; i++) {
        uint32_t x = numbers_of[i];
        if (!x) continue;
        if (!holder[x])
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
    for (Node i = 1; i < n; i++) p->counts.kept += p->rep.at[i] == i && numbers_of[i];
    map_free(&seen);
    map_free(&numbers);
    vec_free(&parts);
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
    uint32_t n = p->nodes.len, from, to;
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
        // Ascending: values stand before the loads through them.
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
    uint32_t n = p->nodes.len, count = 0, to;
    // Those that stand for themselves, which soon are the smaller part.
    uint32_t *index = arena_array_of(a, uint32_t, n);
    Node *nodes = arena_array_of(a, Node, n);
    for (Node i = 0; i < n; i++)
        if (p->rep.at[i] == i) {
            index[i] = count;
            nodes[count++] = i;
        }
    uint32_t *first = arena_array_of(a, uint32_t, (size_t)count + 1);
    U32s list = {0};
    for (uint32_t k = 0; k < count; k++) {
        first[k] = list.len;
        for (SIter i = sbits_iter(&p->nodes.at[nodes[k]].succ); sbits_step(&i, &to);) {
            to = find(p, to);
            if (to != nodes[k]) vec_push(&list, index[to]);
        }
    }
    first[count] = list.len;
    p->counts.steps += count + list.len;
    Components c = components_of(a, count, first, list.at);
    vec_free(&list);
    for (uint32_t k = 0; k < count; k++) c.order[k] = nodes[c.order[k]];
    // Sources first: components come with their successors before them.
    vec_clear(&p->place);
    vec_clear(&p->at);
    vec_extend(&p->place, n);
    for (uint32_t k = c.count; k-- > 0;)
        for (uint32_t i = c.start[k]; i < c.start[k + 1]; i++) {
            p->place.at[c.order[i]] = p->at.len;
            vec_push(&p->at, c.order[i]);
        }
    vec_clear(&p->queued);
    for (uint32_t k = 0; k < c.count; k++)
        if (c.start[k + 1] - c.start[k] > 1)
            pts_unite_all(p, c.order + c.start[k], c.start[k + 1] - c.start[k]);
    for (uint32_t k = 1; k < count; k++)
        if (p->rep.at[nodes[k]] == nodes[k] && !sbits_is_empty(&p->nodes.at[nodes[k]].delta))
            pts_queue(p, nodes[k]);
    arena_free(a);
}
