// What is certainly not null: tested, used, allocated where want of memory ends the program, given
// by a function that returns nothing else.
#include "facts/not_null.h"
#include "facts/limits.h"

static bool nonzero(NotNull *k, const View *v, Ref r, uint32_t at, int depth);

bool not_null_spend(NotNull *k, uint32_t instructions)
{
    if (k->left < instructions)
        k->left = 0;
    else
        k->left -= instructions;
    return k->left != 0;
}

const Ins *view_ins(const View *v, Ref r)
{
    return ref_is_ins(r) ? func_ins(v->u, v->f, ref_index(r)) : NULL;
}

bool view_is_zero(const View *v, Ref r)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &v->u->consts.at[ref_index(r)];
    return c->kind == CONST_NULL || (c->kind == CONST_INT && c->value == 0);
}

Ref view_asked(const View *v, Ref cond, bool *side)
{
    *side = true;
    for (int depth = 0; depth < LOOKS; depth++) {
        const Ins *i = view_ins(v, cond);
        if (!i) return ref_none();
        if (i->op == OP_ZEXT || i->op == OP_SEXT) {
            cond = (Ref){i->a};
            continue;
        }
        if (i->op == OP_XOR && ref_is_const((Ref){i->b}) && mtype_size(i->type) == 1) {
            *side = !*side;
            cond = (Ref){i->a};
            continue;
        }
        if ((i->op != OP_EQ && i->op != OP_NE) || !view_is_zero(v, (Ref){i->b})) return ref_none();
        if (i->op == OP_EQ) *side = !*side;
        const Ins *inner = view_ins(v, (Ref){i->a});
        bool truth = inner && (inner->op == OP_ZEXT || inner->op == OP_SEXT) &&
                     mtype_size(ref_type(v->u, v->f, (Ref){inner->a})) == 1;
        if (!truth) return (Ref){i->a};
        cond = (Ref){inner->a};
    }
    return ref_none();
}

static bool is_asked_on(const View *v, uint32_t from, uint32_t to, Ref r)
{
    const Block *b = func_block(v->u, v->f, from);
    const Ins *last = func_ins(v->u, v->f, b->first + b->count - 1);
    bool side;
    if (last->op != OP_BRANCH || last->b == last->c) return false;
    return ref_same(view_asked(v, (Ref){last->a}, &side), r) && (side ? last->b : last->c) == to;
}

static Ref root(const View *v, Ref r)
{
    for (const Ins *i; (i = view_ins(v, r)) && (i->op == OP_FIELD || i->op == OP_INDEX);)
        r = (Ref){i->a};
    return r;
}

// It was tested, or memory behind it used, on every way to the instruction.
static bool is_tested(NotNull *k, const View *v, Ref r, uint32_t at)
{
    uint32_t b = func_block_of(v->u, v->f, at);
    for (uint32_t end = at;;) {
        const Block *block = func_block(v->u, v->f, b);
        if (!not_null_spend(k, end - block->first + 1)) return false;
        for (uint32_t i = block->first; i < end; i++) {
            const Ins *in = func_ins(v->u, v->f, i);
            if ((in->op == OP_LOAD || in->op == OP_STORE) && ref_same(root(v, (Ref){in->a}), r))
                return true;
        }
        uint32_t up = v->cfg->idom[b];
        if (up == BLOCK_NONE) return false;
        if (v->cfg->pred[b].count == 1 && is_asked_on(v, up, b, r)) return true;
        b = up;
        end = func_block(v->u, v->f, b)->first + func_block(v->u, v->f, b)->count;
    }
}

static bool ends(const NotNull *k, const View *v, const Ins *i)
{
    if (i->op != OP_CALL) return false;
    FuncId callee = program_callee(k->facts->program, v->unit, v->u, (Ref){i->a});
    return (i->flags & INS_NORETURN) || (callee.id && facts_ends_program(k->facts, callee));
}

View view_of(NotNull *k, Arena *a, FuncId f, uint32_t mask)
{
    View v = {.unit = k->facts->program->funcs.at[f.id].unit, .mask = mask};
    v.f = program_body(k->facts->program, f, &v.u);
    v.cfg = cfg_build(a, v.u, v.f);
    v.live = bits_new(a, v.f->block_count);
    U32s work = {0}, next = {0};
    bits_add(&v.live, 0);
    vec_push(&work, 0);
    while (work.len) {
        uint32_t b = vec_pop(&work);
        const Block *block = func_block(v.u, v.f, b);
        bool open = true;
        for (uint32_t i = block->first; open && i < block->first + block->count; i++)
            open = !ends(k, &v, func_ins(v.u, v.f, i));
        if (!open) continue;
        const Ins *last = func_ins(v.u, v.f, block->first + block->count - 1);
        bool side;
        Ref r = last->op == OP_BRANCH ? view_asked(&v, (Ref){last->a}, &side) : ref_none();
        bool known = ref_is_param(r) && ref_index(r) < 32 && mask >> ref_index(r) & 1;
        next.len = 0;
        if (known)
            vec_push(&next, side ? last->b : last->c);
        else
            block_successors(v.u, v.f, b, &next);
        vec_each (i, &next)
            if (bits_add(&v.live, next.at[i])) vec_push(&work, next.at[i]);
    }
    vec_free(&work);
    vec_free(&next);
    return v;
}

// The function never returns null when the arguments in `mask` are not zero.
static bool gives_address(NotNull *k, FuncId f, uint32_t mask, int depth)
{
    const Program *p = k->facts->program;
    const SpecFunc *spec = facts_spec(k->facts, f);
    const Unit *u;
    const Func *decl = program_decl(p, f, &u);
    if (decl && (decl->flags & FUNC_RETURNS_NONNULL)) return true;
    bool code = program_has_code(p, f);
    if (spec && (!code || spec_beats_code(spec)))
        return spec->nonnull ||
               (spec->result.gives == SPEC_OWN && spec->fail == SPEC_NO_FAIL && !spec->case_count);
    if (!code || (p->funcs.at[f.id].flags & PROG_WEAK) || depth > LOOKS) return false;
    bool fresh;
    uint64_t key = map_pair(f.id, mask), *known = map_at(&k->gives, key, 0, &fresh);
    if (!fresh) return *known != 0; // one that is under way: not known
    const Func *body = program_body(p, f, &u);
    if (!not_null_spend(k, body->ins_count)) return false;
    Arena *a = arena_new("view");
    View v = view_of(k, a, f, mask);
    bool all = true;
    for (uint32_t b = 0; all && b < v.f->block_count; b++) {
        const Block *block = func_block(v.u, v.f, b);
        uint32_t at = block->first + block->count - 1;
        const Ins *last = func_ins(v.u, v.f, at);
        if (last->op == OP_RET && bits_has(&v.live, b))
            all = nonzero(k, &v, (Ref){last->a}, at, depth + 1);
    }
    arena_free(a);
    map_set(&k->gives, key, all);
    return all;
}

static bool phi_nonzero(NotNull *k, const View *v, uint32_t ins, int depth)
{
    const Ins *i = func_ins(v->u, v->f, ins);
    uint32_t here = func_block_of(v->u, v->f, ins);
    for (uint32_t n = 0; n < i->c; n++) {
        uint32_t from = *func_extra(v->u, v->f, i->b + 2 * n);
        Ref r = {*func_extra(v->u, v->f, i->b + 2 * n + 1)};
        const Block *b = func_block(v->u, v->f, from);
        if (!bits_has(&v->live, from) || ref_same(r, ref_ins(ins)) || is_asked_on(v, from, here, r))
            continue;
        bool open = true;
        for (uint32_t c = b->first; open && c < b->first + b->count; c++)
            open = !ends(k, v, func_ins(v->u, v->f, c));
        if (open && !nonzero(k, v, r, b->first + b->count - 1, depth + 1)) return false;
    }
    return true;
}

static bool call_nonzero(NotNull *k, const View *v, uint32_t ins, int depth)
{
    const Ins *i = func_ins(v->u, v->f, ins);
    FuncId callee = program_callee(k->facts->program, v->unit, v->u, (Ref){i->a});
    uint32_t mask = 0;
    if (!callee.id) return false;
    for (uint32_t n = 0; n < i->c && n < 32; n++)
        if (nonzero(k, v, (Ref){*func_extra(v->u, v->f, i->b + n)}, ins, depth + 1))
            mask |= 1u << n;
    return gives_address(k, callee, mask, depth + 1);
}

// The value is not zero when the instruction `at` is executed.
static bool nonzero(NotNull *k, const View *v, Ref r, uint32_t at, int depth)
{
    if (depth > LOOKS || ref_is_none(r) || !not_null_spend(k, 1)) return false;
    if (ref_is_const(r)) {
        const Const *c = &v->u->consts.at[ref_index(r)];
        return c->kind == CONST_GLOBAL || c->kind == CONST_FUNC ||
               (c->kind == CONST_INT && c->value != 0);
    }
    if (ref_is_param(r) && ref_index(r) < 32 && v->mask >> ref_index(r) & 1) return true;
    const Ins *i = view_ins(v, r);
    bool known = false;
    switch (i ? (Op)i->op : OP_NOP) {
    case OP_ALLOCA:
        known = true;
        break;
    case OP_FIELD:
        known = (int32_t)i->b > 0 || nonzero(k, v, (Ref){i->a}, at, depth + 1);
        break;
    case OP_ZEXT:
    case OP_SEXT:
        known = nonzero(k, v, (Ref){i->a}, at, depth + 1);
        break;
    case OP_MUL: // the size of a block does not wrap around
        known =
            nonzero(k, v, (Ref){i->a}, at, depth + 1) && nonzero(k, v, (Ref){i->b}, at, depth + 1);
        break;
    case OP_PHI:
        known = phi_nonzero(k, v, ref_index(r), depth);
        break;
    case OP_SELECT:
        known =
            nonzero(k, v, (Ref){i->b}, at, depth + 1) && nonzero(k, v, (Ref){i->c}, at, depth + 1);
        break;
    case OP_CALL:
    case OP_INVOKE:
        known = call_nonzero(k, v, ref_index(r), depth);
        break;
    default:
        break;
    }
    return known || is_tested(k, v, r, at);
}

bool not_null(NotNull *k, const View *v, Ref r, uint32_t at)
{
    return nonzero(k, v, r, at, 0);
}

void not_null_free(NotNull *k)
{
    map_free(&k->gives);
}
