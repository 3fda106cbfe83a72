// A function under evaluation: how much effort it is worth yet, and what is in its code.
#include "heap/heap.h"

#include "heap/limits.h"
#include "unit/types.h"

// Nothing can be lost in a silent function: what it needs beyond half of a budget is not worth it.
// Errs towards calls of unknown code.
uint64_t steps_allowed(const Work *w)
{
    return w->silent ? w->budget / 2 : w->budget;
}

bool give_up_if_spent(Work *w)
{
    w->filled =
        arena_bytes(w->arena) + (uint64_t)w->terms.nodes.cap * 2 * sizeof(TermNode) > MOST_BYTES;
    w->gave_up |= w->filled || w->steps + w->looked / LOOKED_PER_STEP > steps_allowed(w);
    return w->gave_up;
}

Effort effort_of(const Work *w)
{
    uint64_t n = w->func->ins_count < SHARE_INS ? w->func->ins_count : SHARE_INS;
    if (arena_bytes(w->arena) > LEAST_BYTES) return EFFORT_LEAST;
    if (w->silent)
        return w->steps <= SILENT_STEPS + SILENT_PER_INS * n ? EFFORT_FULL : EFFORT_LEAST;
    // The first round of a recursion only gives the second one something to start from.
    uint64_t steps = w->mute ? w->steps * FIRST_ROUND_DEARER : w->steps;
    if (steps <= FULL_STEPS + FULL_PER_INS * n) return EFFORT_FULL;
    return steps <= LESS_STEPS + LESS_PER_INS * n ? EFFORT_LESS : EFFORT_LEAST;
}

Term constant_term(Work *w, const Unit *u, uint32_t unit_index, const Const *c, uint32_t bits)
{
    Terms *t = &w->terms;
    const Program *p = w->facts->program;
    (void)u;
    switch ((ConstKind)c->kind) {
    case CONST_INT:
        return term_int(t, bits, c->value);
    case CONST_NULL:
    case CONST_ZERO:
        return term_int(t, bits ? bits : t->pointer_bits, 0);
    case CONST_GLOBAL: {
        GlobalId g = program_global(p, unit_index, (UGlobalId){c->target});
        return term_field(t, term_leaf(t, T_GLOBAL, t->pointer_bits, g.id, 0, 0, 0), c->value);
    }
    case CONST_FUNC: {
        FuncId f = program_func(p, unit_index, (UFuncId){c->target});
        return term_leaf(t, T_FUNC, t->pointer_bits, f.id, 0, 0, 0);
    }
    case CONST_NONE:
    case CONST_UNDEF:
    case CONST_BLOCK:
    case CONST_OPAQUE:
    case CONST_FLOAT:
    case CONST_BYTES:
        break;
    }
    // The constant's own number tells two opaque constants apart.
    return term_leaf(t, T_UNDEF, bits, 0, (uint32_t)(c - u->consts.at), 3, 0);
}

bool clean_up_from(const Work *w, uint32_t block, uint32_t ins)
{
    for (int hops = 0; hops < 6; hops++) {
        const Block *b = func_block(w->unit, w->func, block);
        if (ins < b->first) ins = b->first;
        for (; ins + 1 < b->first + b->count; ins++) {
            const Ins *i = func_ins(w->unit, w->func, ins);
            if (i->op != OP_PHI && i->op != OP_LOAD && i->op != OP_NOP && i->op != OP_BIND &&
                i->op != OP_LIFE_END)
                return false;
        }
        const Ins *end = func_ins(w->unit, w->func, b->first + b->count - 1);
        if (end->op == OP_RET || end->op == OP_SWITCH)
            return true; // a switch here tells the ways out apart
        if (end->op != OP_JUMP) return false;
        block = end->a;
        ins = 0;
    }
    return false;
}

bool leads_to_exit(const Work *w, uint32_t block)
{
    return clean_up_from(w, block, 0);
}

Pos pos_of(const Work *w, uint32_t loc)
{
    const Loc *l = &w->unit->locs.at[loc];
    if (!loc || !l->file || !l->line) return (Pos){0};
    return (Pos){name_text(w->unit->names, w->unit->files.at[l->file].path), l->line,
                 l->col ? l->col : 1};
}

Pos pos_of_ins(const Work *w, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (w->unit->locs.at[i->loc].line) return pos_of(w, i->loc);
    return pos_of(w, w->func->loc.id);
}

TypeId input_type(Work *w, Term x, int depth)
{
    const TermNode n = *term_node(&w->terms, x);
    const Unit *u = w->unit;
    if (n.kind == T_PARAM && n.a < w->func->param_count)
        return u->params.at[w->func->first_param + n.a].type;
    if (n.kind != T_INPUT || n.b || n.value < 0 || !depth) return (TypeId){0};
    TypeId in = pointee(u, input_type(w, (Term){n.a}, depth - 1)), member;
    const char *path;
    bool found = in.id && member_at(w->arena, u, in, (uint64_t)n.value, &path, &member);
    return found ? member : (TypeId){0};
}

uint32_t value_bits(const Work *w, MType m)
{
    switch (mtype_class(m)) {
    case MT_INT:
        return mtype_size(m) > 64 ? 64 : mtype_size(m);
    case MT_PTR:
        return w->terms.pointer_bits;
    case MT_FLOAT:
        return mtype_size(m) >= 8 ? 64 : mtype_size(m) * 8;
    default:
        return 0;
    }
}

Term operand(Work *w, State *s, Ref r)
{
    if (ref_is_none(r)) return (Term){0};
    MType type = ref_type(w->unit, w->func, r);
    uint32_t bits = value_bits(w, type);
    if (ref_is_const(r))
        return constant_term(w, w->unit, w->unit_index, &w->unit->consts.at[ref_index(r)], bits);
    if (ref_is_param(r)) return term_leaf(&w->terms, T_PARAM, bits, ref_index(r), 0, 0, 0);
    uint64_t value;
    if (pmap_get(s->env, ref_index(r), &value)) return (Term){(uint32_t)value};
    return value_unknown(w, s, ref_index(r), made(MADE_VALUE, 0), type);
}
