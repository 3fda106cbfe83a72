// Guards: the condition under which control goes from one block to another, over the branches of
// one call context. Loops are gone through once; a path that comes back to the loop's head leaves
// the loop there with the exit condition dropped (Saber, appendix: cfguard(v0, w2) is
// !C1 or (C1 and C2), where C1 keeps the loop running and !C2 returns from inside).
#include "base/hash.h"
#include "flow/flow_int.h"

// ---- the condition of one branch ----

static uint32_t var_at(Slice *s, CondVar v, uint64_t key)
{
    bool fresh;
    uint64_t *at = map_at(&s->var_of, key, s->vars.len, &fresh);
    if (fresh) vec_push(&s->vars, v);
    return (uint32_t)*at;
}

static bool is_null(const FlowFunc *g, Ref r)
{
    return ref_is_const(r) && g->u->consts.at[ref_index(r)].kind == CONST_NULL;
}

static bool is_the_value(Slice *s, uint32_t context, const FlowFunc *g, Ref r)
{
    if (ref_is_none(r) || ref_is_const(r)) return false;
    return slice_has_value(s, context,
                           ref_is_param(r) ? ref_index(r) : node_of_ins(g, ref_index(r)));
}

// The same test of the same values is the same variable; the object itself is not null.
static Bdd condition(Slice *s, uint32_t context, uint32_t block, Ref cond)
{
    const FlowFunc *g = s->contexts.at[context].g;
    if (ref_is_const(cond)) return g->u->consts.at[ref_index(cond)].value ? BDD_TRUE : BDD_FALSE;
    uint32_t words[5] = {context, 0, cond.bits, 0, 0};
    bool negated = false;
    if (ref_is_ins(cond)) {
        const Ins *i = func_ins(g->u, g->f, ref_index(cond));
        if (i->op == OP_EQ || i->op == OP_NE) {
            negated = i->op == OP_NE;
            Ref a = {i->a}, b = {i->b};
            if ((is_null(g, b) && is_the_value(s, context, g, a)) ||
                (is_null(g, a) && is_the_value(s, context, g, b)))
                return negated ? BDD_TRUE : BDD_FALSE;
            words[1] = OP_EQ;
        } else if (op_form((Op)i->op) == FORM_AB) {
            words[1] = i->op;
        }
        if (words[1]) {
            words[2] = 0;
            words[3] = i->a;
            words[4] = i->b;
        }
    }
    CondVar v = {.context = context, .block = block, .g = g, .cond = cond};
    // Printed as it is in the branch: the variable means "equal" for both.
    uint32_t var = var_at(s, v, hash_bytes(words, sizeof words, 1));
    Bdd x = bdd_var(&s->bdds, var);
    bool stands_negated = false;
    if (words[1] == OP_EQ) {
        const CondVar *first = &s->vars.at[var];
        stands_negated = func_ins(first->g->u, first->g->f, ref_index(first->cond))->op == OP_NE;
    }
    return negated != stands_negated ? bdd_not(&s->bdds, x) : x;
}

static Bdd case_var(Slice *s, uint32_t context, uint32_t block, Ref cond, uint32_t number,
                    int64_t value)
{
    uint32_t words[5] = {context, UINT32_MAX, block, number, 0};
    CondVar v = {context, block, s->contexts.at[context].g, cond, true, value};
    return bdd_var(&s->bdds, var_at(s, v, hash_bytes(words, sizeof words, 1)));
}

// The cases of a switch have variables one after the other, made when it is first looked at.
static uint32_t first_case(Slice *s, uint32_t context, uint32_t block, const Ins *i)
{
    const FlowFunc *g = s->contexts.at[context].g;
    uint32_t words[5] = {context, UINT32_MAX, block, 0, 0};
    uint64_t key = hash_bytes(words, sizeof words, 1), *known = map_get(&s->var_of, key);
    if (known) return (uint32_t)*known;
    uint32_t first = s->vars.len;
    map_set(&s->var_of, key, first);
    bdd_spend(&s->bdds, i->c);
    for (uint32_t k = 0; k < i->c; k++) {
        Ref value = {*func_extra(g->u, g->f, i->b + 2 * k)};
        int64_t number = g->u->consts.at[ref_index(value)].value;
        vec_push(&s->vars, ((CondVar){context, block, g, (Ref){i->a}, true, number}));
    }
    return first;
}

static Bdd edge_condition(Slice *s, uint32_t context, uint32_t block, uint32_t to)
{
    const FlowFunc *g = s->contexts.at[context].g;
    const Block *b = func_block(g->u, g->f, block);
    const Ins *i = func_ins(g->u, g->f, b->first + b->count - 1);
    Bdds *bs = &s->bdds;
    switch ((Op)i->op) {
    case OP_BRANCH: {
        if (i->b == i->c) return BDD_TRUE;
        Bdd x = condition(s, context, block, (Ref){i->a});
        return i->b == to ? x : bdd_not(bs, x);
    }
    case OP_SWITCH: {
        // From the last case to the first, as a chain of choices: their variables are in order, so
        // that each takes one step.
        uint32_t first = first_case(s, context, block, i);
        Bdd x = *func_extra(g->u, g->f, i->b + 2 * i->c) == to ? BDD_TRUE : BDD_FALSE;
        for (uint32_t k = i->c; k-- > 0 && !bs->full;) {
            bool here = *func_extra(g->u, g->f, i->b + 2 * k + 1) == to;
            if (!here && x == BDD_FALSE) continue;
            Bdd hit = bdd_var(bs, first + k);
            bdd_spend(bs, 1);
            x = bdd_or(bs, here ? hit : BDD_FALSE, bdd_and(bs, bdd_not(bs, hit), x));
        }
        return x;
    }
    case OP_INVOKE: {
        Bdd returns = case_var(s, context, block, (Ref){0}, 0, 0);
        return *func_extra(g->u, g->f, i->b + i->c) == to ? returns : bdd_not(bs, returns);
    }
    case OP_GOTO: {
        Bdd none = BDD_TRUE, x = BDD_FALSE;
        for (uint32_t k = 0; k < i->c; k++) {
            bool last = k + 1 == i->c;
            Bdd hit = last ? BDD_TRUE : case_var(s, context, block, (Ref){i->a}, k, k);
            if (*func_extra(g->u, g->f, i->b + k) == to) x = bdd_or(bs, x, bdd_and(bs, none, hit));
            none = bdd_and(bs, none, bdd_not(bs, hit));
        }
        return x;
    }
    default:
        return BDD_TRUE;
    }
}

// The condition of an edge does not change: asked once.
Bdd guard_edge(Slice *s, uint32_t context, uint32_t block, uint32_t to)
{
    if (s->bdds.full) return BDD_FALSE;
    uint64_t key = hash_mix(map_pair(block, to), context);
    uint64_t *known = map_get(&s->edges_of, key);
    if (known) return (Bdd)*known;
    Bdd x = edge_condition(s, context, block, to);
    map_set(&s->edges_of, key, x);
    return x;
}

// ---- from block to block ----

// Where a loop is left after its head, or after the block that jumps back; BLOCK_NONE: neither.
static uint32_t way_out(const Cfg *c, uint32_t header, uint32_t latch)
{
    uint32_t loop = c->loops[c->loop_of[header] - 1].header == header ? c->loop_of[header] : 0;
    if (loop && !cfg_loop_has(c, loop, latch)) loop = 0;
    uint32_t at[] = {header, latch};
    for (int k = 0; loop && k < 2; k++)
        for (uint32_t i = 0; i < c->succ[at[k]].count; i++) {
            uint32_t to = c->edges[c->succ[at[k]].first + i];
            if (!cfg_loop_has(c, loop, to)) return to;
        }
    return BLOCK_NONE;
}

static Bdd *guards_from(Slice *s, uint32_t context, uint32_t from)
{
    bool fresh;
    uint64_t key = map_pair(context, from);
    uint64_t *at = map_at(&s->guards_of, key, 0, &fresh);
    if (!fresh) return (Bdd *)(uintptr_t)*at;
    const Cfg *c = s->contexts.at[context].g->cfg;
    Bdd *g = arena_array_of(s->arena, Bdd, c->block_count);
    bdd_spend(&s->bdds, c->block_count / 8);
    *map_get(&s->guards_of, key) = (uint64_t)(uintptr_t)g;
    g[from] = BDD_TRUE;
    // A loop's exit may come before its body in the order: until nothing changes.
    for (bool more = true; more && !s->bdds.full;) {
        more = false;
        bdd_spend(&s->bdds, (c->order_count - c->position[from]) / 8);
        for (uint32_t o = c->position[from]; o < c->order_count && !s->bdds.full; o++) {
            uint32_t b = c->order[o];
            if (g[b] == BDD_FALSE) continue;
            bdd_spend(&s->bdds, 1 + c->succ[b].count);
            for (uint32_t i = 0; i < c->succ[b].count && !s->bdds.full; i++) {
                uint32_t to = c->edges[c->succ[b].first + i], target = to;
                if (cfg_is_back_edge(c, b, to)) target = way_out(c, to, b);
                if (target == BLOCK_NONE || target == from) continue;
                Bdd x = bdd_and(&s->bdds, g[b], guard_edge(s, context, b, to));
                x = bdd_or(&s->bdds, g[target], x);
                more |= x != g[target];
                g[target] = x;
            }
        }
    }
    return g;
}

Bdd guard_between(Slice *s, uint32_t context, uint32_t from, uint32_t to)
{
    if (from == to) return BDD_TRUE;
    const Cfg *c = s->contexts.at[context].g->cfg;
    if (c->position[from] == UINT32_MAX) return BDD_FALSE;
    return guards_from(s, context, from)[to];
}

// ---- in words ----

static void print_operand(Out *o, const FlowFunc *g, Ref r, int depth);

static const char *variable(const FlowFunc *g, Ref r)
{
    for (uint32_t k = 0; k < g->f->ins_count; k++) {
        const Ins *i = func_ins(g->u, g->f, k);
        if (i->op == OP_BIND && i->a == r.bits && i->a)
            return name_text(g->u->names, g->u->vars.at[g->f->first_var + i->b - 1].name);
    }
    if (ref_is_param(r))
        return name_text(g->u->names, g->u->params.at[g->f->first_param + ref_index(r)].name);
    return "";
}

static void print_ins(Out *o, const FlowFunc *g, const Ins *i, Ref self, int depth)
{
    static const char *const words[OP_COUNT] = {
        [OP_EQ] = "==", [OP_NE] = "!=",  [OP_ULT] = "<", [OP_ULE] = "<=",
        [OP_SLT] = "<", [OP_SLE] = "<=", [OP_ADD] = "+", [OP_SUB] = "-",
        [OP_MUL] = "*", [OP_AND] = "&",  [OP_OR] = "|",
    };
    if (words[i->op]) {
        print_operand(o, g, (Ref){i->a}, depth + 1);
        out_printf(o, " %s ", words[i->op]);
        print_operand(o, g, (Ref){i->b}, depth + 1);
    } else if (i->op == OP_LOAD && ref_is_const((Ref){i->a})) {
        print_operand(o, g, (Ref){i->a}, depth + 1);
    } else if (i->op == OP_LOAD) {
        out_char(o, '*');
        print_operand(o, g, (Ref){i->a}, depth + 1);
    } else if (i->op == OP_FIELD && i->c) {
        print_operand(o, g, (Ref){i->a}, depth + 1);
        out_printf(o, "->%s", name_text(g->u->names, (Name){i->c}));
    } else if (i->op == OP_TRUNC || i->op == OP_ZEXT || i->op == OP_SEXT) {
        print_operand(o, g, (Ref){i->a}, depth);
    } else if (i->op == OP_CALL && ref_is_const((Ref){i->a})) {
        print_operand(o, g, (Ref){i->a}, depth + 1);
        out_text(o, "()");
    } else {
        out_printf(o, "%%%u", ref_index(self));
    }
}

static void print_operand(Out *o, const FlowFunc *g, Ref r, int depth)
{
    if (ref_is_none(r)) return;
    if (ref_is_const(r)) {
        const Const *c = &g->u->consts.at[ref_index(r)];
        if (c->kind == CONST_GLOBAL)
            out_text(o, name_text(g->u->names, g->u->globals.at[c->target].source));
        else if (c->kind == CONST_FUNC)
            out_text(o, name_text(g->u->names, g->u->funcs.at[c->target].source));
        else if (c->kind == CONST_NULL)
            out_text(o, "null");
        else
            out_printf(o, "%lld", (long long)c->value);
        return;
    }
    const char *name = variable(g, r);
    if (*name)
        out_text(o, name);
    else if (ref_is_ins(r) && depth < 4)
        print_ins(o, g, func_ins(g->u, g->f, ref_index(r)), r, depth);
    else
        out_printf(o, "%%%u", ref_index(r));
}

static void print_var(Out *o, const CondVar *v, bool truth)
{
    const FlowFunc *g = v->g;
    if (v->is_case) {
        if (!v->cond.bits) {
            out_text(o, truth ? "the call returns" : "the call throws");
            return;
        }
        print_operand(o, g, v->cond, 0);
        out_printf(o, " %s %lld", truth ? "==" : "!=", (long long)v->value);
        return;
    }
    if (ref_is_ins(v->cond)) {
        const Ins *i = func_ins(g->u, g->f, ref_index(v->cond));
        bool zero = (i->op == OP_EQ || i->op == OP_NE) && ref_is_const((Ref){i->b}) &&
                    g->u->consts.at[ref_index((Ref){i->b})].kind == CONST_INT &&
                    g->u->consts.at[ref_index((Ref){i->b})].value == 0;
        if (zero) {
            if ((i->op == OP_EQ) == truth) out_char(o, '!');
            print_operand(o, g, (Ref){i->a}, 1);
            return;
        }
    }
    if (!truth) out_text(o, "!(");
    print_operand(o, g, v->cond, 0);
    if (!truth) out_char(o, ')');
}

// A disjunction of the ways to true.
static void print_ways(Out *o, Slice *s, Bdd x, U32s *way, uint32_t *count)
{
    if (x == BDD_FALSE || *count > WAYS_PRINTED) return;
    if (x == BDD_TRUE) {
        if (++*count > WAYS_PRINTED) {
            out_text(o, " or ...");
            return;
        }
        if (*count > 1) out_text(o, " or ");
        vec_each (i, way) {
            if (i) out_text(o, " and ");
            print_var(o, &s->vars.at[way->at[i] >> 1], way->at[i] & 1);
        }
        return;
    }
    BddNode n = s->bdds.nodes.at[x];
    for (uint32_t truth = 0; truth < 2; truth++) {
        vec_push(way, n.var << 1 | truth);
        print_ways(o, s, truth ? n.high : n.low, way, count);
        way->len--;
    }
}

void guard_print(Out *o, Slice *s, Bdd x)
{
    U32s way = {0};
    uint32_t count = 0;
    if (x <= BDD_TRUE)
        out_text(o, x ? "true" : "false");
    else
        print_ways(o, s, x, &way, &count);
    vec_free(&way);
}
