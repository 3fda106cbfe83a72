// What only a child process does: code behind a fork that has given 0.
//
// Each child that is begun is a process of its own, however often its parent begins one. So a place to
// which a function comes only where a fork in it gave 0 is met once in a process, or as often as the loops
// in the child go round. A fork is a library function with `forks` in its specification, or one of the
// program's that hands on what such gave. Errs towards "often": a result that is kept where it is not
// followed (what_follows.c), or a child that is known by other means.
#include "impact/impact_int.h"

#include "finding/grounds.h"

typedef struct {
    uint32_t call;
    Bits blocks; // that only the child reaches
} Child;

struct Children {
    Child *all;
    uint32_t count;
};

static bool is_fork(const Frequency *o, FuncId f, const Shape *s, uint32_t ins, uint32_t depth);

// Whether the value is what a fork gave, or a number other than 0 in its place.
static bool is_forked_result(const Frequency *o, FuncId f, const Shape *s, Ref r, bool *any,
                             uint32_t depth)
{
    if (ref_is_const(r)) {
        const Const *c = &s->unit->consts.at[ref_index(r)];
        return c->kind == CONST_INT && c->value != 0;
    }
    if (!ref_is_ins(r) || !depth) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op == OP_CALL) {
        *any = is_fork(o, f, s, ref_index(r), depth - 1);
        return *any;
    }
    if (in->op != OP_PHI) return false;
    for (uint32_t n = 0; n < in->c; n++) {
        Ref from = {func_extra(s->unit, s->func, in->b + 2 * n)[1]};
        if (!is_forked_result(o, f, s, from, any, depth - 1)) return false;
    }
    return true;
}

static bool hands_on_fork(Frequency *o, FuncId f, uint32_t depth)
{
    Shape *s = frequency_shape(o, f);
    bool any = false;
    for (uint32_t k = 0; k < s->cfg->order_count; k++) {
        const Block *b = func_block(s->unit, s->func, s->cfg->order[k]);
        const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
        if (end->op == OP_RET &&
            (ref_is_none((Ref){end->a}) || !is_forked_result(o, f, s, (Ref){end->a}, &any, depth)))
            return false;
    }
    return any;
}

static bool is_fork(const Frequency *o, FuncId f, const Shape *s, uint32_t ins, uint32_t depth)
{
    const Program *p = o->facts->program;
    const Ins *in = func_ins(s->unit, s->func, ins);
    if (in->op != OP_CALL) return false;
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    if (!callee.id) return false;
    const SpecFunc *spec = facts_spec(o->facts, callee);
    if (spec) return spec->forks;
    return depth && program_has_code(p, callee) && mtype_class(in->type) == MT_INT &&
           hands_on_fork((Frequency *)o, callee, depth - 1);
}

static Children *children_of(Frequency *o, FuncId f, Shape *s)
{
    if (s->children) return s->children;
    Children *c = s->children = arena_array_of(o->arena, Children, 1);
    ProgRange r = o->facts->program->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t call = o->facts->program->calls.at[r.first + i].ins;
        if (!is_fork(o, f, s, call, FORKS_DEEP)) continue;
        if (!c->all) c->all = arena_array_of(o->arena, Child, r.count);
        Child child = {call, bits_new(o->arena, s->func->block_count)};
        Bits parent = bits_new(o->arena, s->func->block_count);
        if (!blocks_after(o, f, call, 0, 0, &child.blocks) ||
            !blocks_after(o, f, call, 1, INT32_MAX, &parent) ||
            !blocks_after(o, f, call, -1, -1, &parent))
            continue;
        bits_each (b, &parent) bits_drop(&child.blocks, b);
        bits_drop(&child.blocks, func_block_of(s->unit, s->func, call));
        c->all[c->count++] = child;
    }
    return c;
}

// Whether only the child comes to the block, or the path has taken a branch in it.
static bool is_in_child(const Shape *s, const Child *child, uint32_t block, const Grounds *path)
{
    uint32_t begins = func_block_of(s->unit, s->func, child->call);
    if (bits_has(&child->blocks, block) && cfg_dominates(s->cfg, begins, block)) return true;
    for (uint32_t i = 0; path && i < path->choices.len; i++) {
        const PathChoice *c = &path->choices.at[i];
        if (bits_has(&child->blocks, func_block_of(s->unit, s->func, c->ins)) ||
            (c->to && bits_has(&child->blocks, c->to - 1)))
            return true;
    }
    return false;
}

static bool is_forked(Frequency *o, FuncId f, uint32_t ins, const Grounds *path)
{
    if (!program_has_code(o->facts->program, f)) return false;
    Shape *s = frequency_shape(o, f);
    uint32_t block = func_block_of(s->unit, s->func, ins);
    Children *c = children_of(o, f, s);
    for (uint32_t i = 0; i < c->count; i++) {
        const Child *child = &c->all[i];
        uint32_t begins = func_block_of(s->unit, s->func, child->call);
        if (is_in_child(s, child, block, path) &&
            rounds_are_few_within(o, f, s, block, begins))
            return true;
    }
    return false;
}

bool forked_at(Frequency *o, FuncId f, uint32_t ins)
{
    return is_forked(o, f, ins, NULL);
}

bool forked_on_path(Frequency *o, FuncId f, const Grounds *path)
{
    return path->lost_by && is_forked(o, f, path->lost_by - 1, path);
}
