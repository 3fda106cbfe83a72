// The validator: bodies of functions. Comes after the tables; the function's ranges are good.
//
// One walk over the blocks and instructions looks at ranges and types, a second one (only where
// there are phis) compares them with the predecessors. The words of `extra` that a function's
// instructions use may not add up to more than it has, so both are linear.
#include "unit/cfg_int.h"
#include "unit/unit_int.h"

typedef struct {
    const Unit *u;
    const Func *f;
    uint32_t id;
    Arena *a;
    uint32_t names;
    uint32_t at;        // instruction being looked at
    uint64_t extra_sum; // words of extra in use
    bool has_phi;
    BodyScratch *s;
} BodyCheck;

#define NEED(cond, ...)                                                                            \
    do {                                                                                           \
        if (!(cond)) return wrong_at(c, __VA_ARGS__);                                              \
    } while (0)

__attribute__((format(printf, 2, 3))) static const char *wrong_at(BodyCheck *c, const char *fmt,
                                                                  ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *what = arena_vprintf(c->a, fmt, ap);
    va_end(ap);
    const char *name = name_text(c->u->names, c->f->name);
    if (c->at == UINT32_MAX) return arena_printf(c->a, "function %u %s: %s", c->id, name, what);
    return arena_printf(c->a, "function %u %s, instruction %u (%s): %s", c->id, name, c->at,
                        op_text(func_ins(c->u, c->f, c->at)->op), what);
}

// An operand that must be there.
static const char *check_ref(BodyCheck *c, uint32_t bits)
{
    Ref r = {bits};
    NEED(!ref_is_none(r), "operand missing");
    if (ref_is_param(r)) {
        NEED(ref_index(r) < c->f->param_count, "parameter %u of %u", ref_index(r),
             c->f->param_count);
    } else if (ref_is_ins(r)) {
        NEED(ref_index(r) < c->f->ins_count, "instruction %u of %u", ref_index(r), c->f->ins_count);
        NEED(ins_has_result(func_ins(c->u, c->f, ref_index(r))), "operand %%%u has no value",
             ref_index(r));
    } else if (ref_is_const(r)) {
        NEED(ref_index(r) != 0 && ref_index(r) < c->u->consts.len, "constant %u of %u",
             ref_index(r), c->u->consts.len);
    } else {
        NEED(false, "operand %#x of no kind", bits);
    }
    return NULL;
}

static const char *check_block_ref(BodyCheck *c, uint32_t block)
{
    NEED(block < c->f->block_count, "block %u of %u", block, c->f->block_count);
    NEED(block != 0, "a jump to the entry block");
    return NULL;
}

static const char *check_extra(BodyCheck *c, uint32_t first, uint64_t count)
{
    NEED(first <= c->f->extra_count && count <= c->f->extra_count - first,
         "extra words %u+%llu of %u", first, (unsigned long long)count, c->f->extra_count);
    c->extra_sum += count;
    NEED(c->extra_sum <= c->f->extra_count, "instructions share extra words");
    return NULL;
}

static const char *check_operands(BodyCheck *c, const Ins *ins)
{
    const Func *f = c->f;
    switch (op_form(ins->op)) {
    case FORM_NONE:
        NEED(!ins->a && !ins->b && !ins->c, "operand too many");
        break;
    case FORM_A:
        if (ins->op != OP_RET || ins->a) CHECK(check_ref(c, ins->a));
        NEED(!ins->b && !ins->c, "operand too many");
        break;
    case FORM_AB:
        CHECK(check_ref(c, ins->a));
        CHECK(check_ref(c, ins->b));
        NEED(!ins->c, "operand too many");
        break;
    case FORM_ABC:
        CHECK(check_ref(c, ins->a));
        CHECK(check_ref(c, ins->b));
        CHECK(check_ref(c, ins->c));
        break;
    case FORM_FIELD:
        CHECK(check_ref(c, ins->a));
        NEED(ins->c < c->names, "name %u", ins->c);
        break;
    case FORM_INDEX:
    case FORM_SETPART:
        CHECK(check_ref(c, ins->a));
        CHECK(check_ref(c, ins->b));
        break;
    case FORM_PART:
        CHECK(check_ref(c, ins->a));
        NEED(!ins->c, "operand too many");
        break;
    case FORM_LOCAL:
        CHECK(check_ref(c, ins->a));
        NEED(ins->b != 0 && ins->b <= f->local_count, "local %u of %u", ins->b, f->local_count);
        NEED(!ins->c, "operand too many");
        break;
    case FORM_VAR:
        if (ins->a) CHECK(check_ref(c, ins->a));
        NEED(ins->b != 0 && ins->b <= f->var_count, "variable %u of %u", ins->b, f->var_count);
        NEED(!ins->c, "operand too many");
        break;
    case FORM_OPAQUE:
        if (ins->op == OP_OPAQUE)
            NEED((ins->a & 0xffff) < CALC_COUNT && unit_check_mtype(ins->a >> 16),
                 "no such computation: %#x", ins->a);
        else
            NEED(ins->a <= LANDING_CLEANUP, "flags %#x", ins->a);
        CHECK(check_extra(c, ins->b, ins->c));
        for (uint32_t i = 0; i < ins->c; i++) CHECK(check_ref(c, *func_extra(c->u, f, ins->b + i)));
        break;
    case FORM_CALL:
    case FORM_INVOKE:
        if (ins->op == OP_CALL || ins->op == OP_INVOKE)
            CHECK(check_ref(c, ins->a));
        else
            NEED(!ins->a, "a callee");
        CHECK(check_extra(c, ins->b, (uint64_t)ins->c + (ins->op == OP_INVOKE ? 2 : 0)));
        for (uint32_t i = 0; i < ins->c; i++) CHECK(check_ref(c, *func_extra(c->u, f, ins->b + i)));
        if (ins->op == OP_INVOKE) {
            const uint32_t *to = func_extra(c->u, f, ins->b + ins->c);
            CHECK(check_block_ref(c, to[0]));
            CHECK(check_block_ref(c, to[1]));
        }
        break;
    case FORM_PHI:
        NEED(!ins->a, "operand too many");
        CHECK(check_extra(c, ins->b, 2 * (uint64_t)ins->c));
        for (uint32_t i = 0; i < ins->c; i++) {
            const uint32_t *pair = func_extra(c->u, f, ins->b + 2 * i);
            NEED(pair[0] < f->block_count, "block %u of %u", pair[0], f->block_count);
            CHECK(check_ref(c, pair[1]));
        }
        c->has_phi = true;
        break;
    case FORM_JUMP:
        CHECK(check_block_ref(c, ins->a));
        NEED(!ins->b && !ins->c, "operand too many");
        break;
    case FORM_BRANCH:
        CHECK(check_ref(c, ins->a));
        CHECK(check_block_ref(c, ins->b));
        CHECK(check_block_ref(c, ins->c));
        break;
    case FORM_SWITCH:
        CHECK(check_ref(c, ins->a));
        CHECK(check_extra(c, ins->b, 2 * (uint64_t)ins->c + 1));
        for (uint32_t i = 0; i < ins->c; i++) {
            const uint32_t *pair = func_extra(c->u, f, ins->b + 2 * i);
            CHECK(check_ref(c, pair[0]));
            CHECK(check_block_ref(c, pair[1]));
        }
        CHECK(check_block_ref(c, *func_extra(c->u, f, ins->b + 2 * ins->c)));
        break;
    case FORM_GOTO:
        if (ins->a) CHECK(check_ref(c, ins->a)); // asm goto has no address
        CHECK(check_extra(c, ins->b, ins->c));
        for (uint32_t i = 0; i < ins->c; i++)
            CHECK(check_block_ref(c, *func_extra(c->u, f, ins->b + i)));
        break;
    }
    return NULL;
}

static const char *class_text(MClass k)
{
    static const char *const text[] = {"void",  "integer",   "pointer",
                                       "float", "aggregate", "vector"};
    return (uint32_t)k <= MT_VEC ? text[k] : "?";
}

static const char *need_class(BodyCheck *c, uint32_t bits, MClass want, const char *what)
{
    MClass have = mtype_class(ref_type(c->u, c->f, (Ref){bits}));
    NEED(have == want, "%s is a %s, not a %s", what, class_text(have), class_text(want));
    return NULL;
}

static const char *need_type(BodyCheck *c, uint32_t bits, MType want, const char *what)
{
    MType have = ref_type(c->u, c->f, (Ref){bits});
    NEED(have.bits == want.bits, "%s has another type (%s of size %u, not %s of size %u)", what,
         class_text(mtype_class(have)), mtype_size(have), class_text(mtype_class(want)),
         mtype_size(want));
    return NULL;
}

// Instructions that end a block.
static const char *check_end_types(BodyCheck *c, const Ins *ins)
{
    NEED(mtype_class(ins->type) == MT_VOID, "a result");
    switch ((Op)ins->op) {
    case OP_BRANCH:
        return need_class(c, ins->a, MT_INT, "condition");
    case OP_SWITCH:
        CHECK(need_class(c, ins->a, MT_INT, "value"));
        for (uint32_t i = 0; i < ins->c; i++) {
            Ref r = {*func_extra(c->u, c->f, ins->b + 2 * i)};
            NEED(ref_is_const(r) &&
                     c->u->consts.at[ref_index(r)].type == ref_type(c->u, c->f, (Ref){ins->a}).bits,
                 "case %u is no constant of the value's type", i);
        }
        return NULL;
    case OP_GOTO:
        return ins->a ? need_class(c, ins->a, MT_PTR, "address") : NULL;
    case OP_RET:
        return need_type(c, ins->a, c->f->result, "returned value");
    default:
        return NULL;
    }
}

static const char *check_ins_types(BodyCheck *c, const Ins *ins)
{
    MType type = ins->type;
    MClass class = mtype_class(type);
    switch ((Op)ins->op) {
    case OP_ALLOCA:
        NEED(class == MT_PTR, "result is no pointer");
        return need_class(c, ins->a, MT_INT, "count");
    case OP_LOAD:
    case OP_VA_ARG:
        NEED(class != MT_VOID, "result missing");
        return need_class(c, ins->a, MT_PTR, "address");
    case OP_STORE:
        CHECK(need_class(c, ins->a, MT_PTR, "address"));
        return need_type(c, ins->b, type, "stored value");
    case OP_FIELD:
        NEED(class == MT_PTR, "result is no pointer");
        return need_class(c, ins->a, MT_PTR, "base");
    case OP_INDEX:
        NEED(class == MT_PTR, "result is no pointer");
        CHECK(need_class(c, ins->a, MT_PTR, "base"));
        return need_class(c, ins->b, MT_INT, "index");
    case OP_COPY:
    case OP_FILL:
        NEED(class == MT_VOID, "a result");
        CHECK(need_class(c, ins->a, MT_PTR, "destination"));
        CHECK(need_class(c, ins->b, ins->op == OP_COPY ? MT_PTR : MT_INT, "source"));
        return need_class(c, ins->c, MT_INT, "length");
    case OP_LIFE_START:
    case OP_LIFE_END:
    case OP_VA_START:
    case OP_VA_END:
        NEED(class == MT_VOID, "a result");
        return need_class(c, ins->a, MT_PTR, "address");
    case OP_VA_COPY:
        NEED(class == MT_VOID, "a result");
        CHECK(need_class(c, ins->a, MT_PTR, "destination"));
        return need_class(c, ins->b, MT_PTR, "source");
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        NEED(class == MT_INT, "result is no integer");
        CHECK(need_type(c, ins->a, type, "first operand"));
        return need_type(c, ins->b, type, "second operand");
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: {
        MType of = ref_type(c->u, c->f, (Ref){ins->a});
        NEED(type.bits == mtype(MT_INT, 1).bits, "result is not i1");
        NEED(mtype_class(of) == MT_INT || mtype_class(of) == MT_PTR, "compares %ss",
             class_text(mtype_class(of)));
        return need_type(c, ins->b, of, "second operand");
    }
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
        NEED(class == MT_INT, "result is no integer");
        return need_class(c, ins->a, MT_INT, "operand");
    case OP_PTRTOINT:
        NEED(class == MT_INT, "result is no integer");
        return need_class(c, ins->a, MT_PTR, "operand");
    case OP_INTTOPTR:
        NEED(class == MT_PTR, "result is no pointer");
        return need_class(c, ins->a, MT_INT, "operand");
    case OP_SELECT:
        NEED(class != MT_VOID, "result missing");
        CHECK(need_class(c, ins->a, MT_INT, "condition"));
        CHECK(need_type(c, ins->b, type, "value if true"));
        return need_type(c, ins->c, type, "value if false");
    case OP_PHI:
        NEED(class != MT_VOID, "result missing");
        for (uint32_t i = 0; i < ins->c; i++)
            CHECK(need_type(c, func_extra(c->u, c->f, ins->b + 2 * i)[1], type, "value"));
        return NULL;
    case OP_SETPART:
        return need_type(c, ins->a, type, "aggregate");
    case OP_PART:
    case OP_LANDING:
        NEED(class != MT_VOID, "result missing");
        return NULL;
    case OP_OPAQUE:
    case OP_ASM:
        return NULL;
    case OP_CALL:
    case OP_INVOKE:
        return need_class(c, ins->a, MT_PTR, "callee");
    case OP_NOP:
    case OP_BIND:
    case OP_JUMP:
    case OP_RESUME:
    case OP_UNREACHABLE:
        NEED(class == MT_VOID, "a result");
        return NULL;
    case OP_BRANCH:
    case OP_SWITCH:
    case OP_GOTO:
    case OP_RET:
        return check_end_types(c, ins);
    case OP_COUNT:
        break;
    }
    die("check_ins_types: op %u has no rule", ins->op);
}

static const char *check_blocks(BodyCheck *c)
{
    const Func *f = c->f;
    uint64_t next = 0;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(c->u, f, b);
        c->at = UINT32_MAX;
        NEED(block->first == next, "block %u begins at %u, not at %llu", b, block->first,
             (unsigned long long)next);
        NEED(block->count != 0, "block %u is empty", b);
        next += block->count;
        NEED(next <= f->ins_count, "block %u ends after the function", b);
        bool phis = true;
        for (uint32_t i = block->first; i < next; i++) {
            const Ins *ins = func_ins(c->u, f, i);
            c->at = i;
            NEED(ins->op < OP_COUNT, "no such op: %u", ins->op);
            NEED(op_is_terminator(ins->op) == (i + 1 == next), "block %u %s", b,
                 i + 1 == next ? "has no terminator" : "is ended too early");
            NEED(unit_check_mtype(ins->type.bits), "type %#x", ins->type.bits);
            NEED(ins->loc < c->u->locs.len, "position %u of %u", ins->loc, c->u->locs.len);
            NEED(ins->op != OP_PHI || phis, "a phi after other instructions");
            phis &= ins->op == OP_PHI;
        }
    }
    c->at = UINT32_MAX;
    NEED(next == f->ins_count, "instructions outside of blocks");
    return NULL;
}

// Distinct predecessors of every block, in s->pred_first and s->preds.
static void collect_preds(BodyCheck *c)
{
    BodyScratch *s = c->s;
    uint32_t n = c->f->block_count;
    vec_clear(&s->pred_first);
    vec_extend(&s->pred_first, (uint64_t)n + 2);
    for (int pass = 0; pass < 2; pass++) {
        // first[b + 2] counts, then first[b + 1] runs from the start of b's list to its end
        vec_clear(&s->stamp);
        vec_extend(&s->stamp, n);
        for (uint32_t b = 0; b < n; b++) {
            vec_clear(&s->succs);
            block_successors(c->u, c->f, b, &s->succs);
            vec_each (i, &s->succs) {
                uint32_t to = s->succs.at[i];
                if (s->stamp.at[to] == b + 1) continue;
                s->stamp.at[to] = b + 1;
                if (pass == 0)
                    s->pred_first.at[to + 2]++;
                else
                    s->preds.at[s->pred_first.at[to + 1]++] = b;
            }
        }
        if (pass == 1) break;
        for (uint32_t b = 1; b <= n + 1; b++) s->pred_first.at[b] += s->pred_first.at[b - 1];
        vec_clear(&s->preds);
        vec_extend(&s->preds, s->pred_first.at[n + 1]);
    }
}

static const char *check_phis(BodyCheck *c)
{
    BodyScratch *s = c->s;
    const Func *f = c->f;
    collect_preds(c);
    vec_clear(&s->stamp);
    vec_extend(&s->stamp, f->block_count);
    vec_clear(&s->phi_stamp);
    vec_extend(&s->phi_stamp, f->block_count);
    vec_clear(&s->phi_value);
    vec_extend(&s->phi_value, f->block_count);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(c->u, f, b);
        if (func_ins(c->u, f, block->first)->op != OP_PHI) continue;
        uint32_t first = s->pred_first.at[b], end = s->pred_first.at[b + 1];
        for (uint32_t i = first; i < end; i++) s->stamp.at[s->preds.at[i]] = b + 1;
        for (uint32_t i = block->first; func_ins(c->u, f, i)->op == OP_PHI; i++) {
            const Ins *ins = func_ins(c->u, f, i);
            uint32_t seen = 0;
            c->at = i;
            for (uint32_t k = 0; k < ins->c; k++) {
                const uint32_t *pair = func_extra(c->u, f, ins->b + 2 * k);
                NEED(s->stamp.at[pair[0]] == b + 1, "block %u is no predecessor", pair[0]);
                if (s->phi_stamp.at[pair[0]] == i + 1) {
                    NEED(s->phi_value.at[pair[0]] == pair[1], "two values from block %u", pair[0]);
                    continue;
                }
                s->phi_stamp.at[pair[0]] = i + 1;
                s->phi_value.at[pair[0]] = pair[1];
                seen++;
            }
            NEED(seen == end - first, "values from %u of %u predecessors", seen, end - first);
        }
    }
    return NULL;
}

// A value is defined before it is used, on every path: later stages walk from a use to its
// definition and must come to an end. What the entry does not reach is left out, as in LLVM.
static const char *check_order(BodyCheck *c)
{
    const Func *f = c->f;
    arena_reset(c->s->arena);
    const Cfg *cfg = cfg_build_dominators(c->s->arena, c->u, f);
    uint32_t *block_of = arena_array_of(c->s->arena, uint32_t, f->ins_count);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(c->u, f, b);
        for (uint32_t i = 0; i < block->count; i++) block_of[block->first + i] = b;
    }
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *ins = func_ins(c->u, f, i);
        uint32_t b = block_of[i];
        if (cfg->position[b] == UINT32_MAX) continue;
        Operands o = ins_operands(c->u, f, ins);
        c->at = i;
        for (uint32_t k = 0; k < o.count + o.more_count; k++) {
            Ref r = operand_at(&o, k);
            if (!ref_is_ins(r)) continue;
            uint32_t def = ref_index(r);
            if (ins->op == OP_PHI) {
                uint32_t from = *func_extra(c->u, f, ins->b + 2 * k); // a phi has no other operands
                NEED(cfg->position[from] == UINT32_MAX || cfg_dominates(cfg, block_of[def], from),
                     "%%%u is not defined at the end of block %u", def, from);
            } else {
                NEED(block_of[def] == b ? def < i : cfg_dominates(cfg, block_of[def], b),
                     "%%%u is not defined here on every path", def);
            }
        }
    }
    return NULL;
}

const char *unit_check_body(const Unit *u, uint32_t id, Arena *a, BodyScratch *scratch)
{
    const Func *f = &u->funcs.at[id];
    BodyCheck body = {.u = u,
                 .f = f,
                 .id = id,
                 .a = a,
                 .names = names_count(u->names),
                 .at = UINT32_MAX,
                 .s = scratch};
    BodyCheck *c = &body;
    if (!func_is_defined(f)) {
        NEED(f->ins_count == 0 && f->extra_count == 0 && f->local_count == 0 && f->var_count == 0,
             "a declaration with a body");
        return NULL;
    }
    NEED(f->alias == 0, "an alias with a body");
    CHECK(check_blocks(c));
    for (uint32_t i = 0; i < f->ins_count; i++) {
        c->at = i;
        CHECK(check_operands(c, func_ins(u, f, i)));
    }
    for (uint32_t i = 0; i < f->ins_count; i++) {
        c->at = i;
        CHECK(check_ins_types(c, func_ins(u, f, i)));
    }
    if (c->has_phi) CHECK(check_phis(c));
    return check_order(c);
}
