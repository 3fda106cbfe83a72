// Whether some call gives a function what a path in it needs.
//
// A path is found with parameters that may be anything. Where all calls of the function are seen
// the values that they give are known, as far as they are constants: numbers, texts, addresses of
// variables, or parameters of the caller in turn. A path that no call can lead to is none: a format
// without a percent sign, a command that nobody gives. Errs towards "some call does": what is not
// plainly a constant is taken to be anything.
#include "impact/impact_int.h"

#include "finding/grounds.h"
#include "impact/limits.h"

#include <string.h>

// ---- What the calls give.

static int64_t sign_extended(int64_t v, uint32_t bits)
{
    if (bits >= 64) return v;
    uint64_t sign = (uint64_t)1 << (bits - 1), x = (uint64_t)v & (sign * 2 - 1);
    return (int64_t)((x ^ sign) - sign);
}

static uint64_t zero_extended(int64_t v, uint32_t bits)
{
    return bits >= 64 ? (uint64_t)v : (uint64_t)v & (((uint64_t)1 << bits) - 1);
}

static bool answers(const Needed *a, int64_t value)
{
    int64_t v =
        a->is_signed ? sign_extended(value, a->bits) : (int64_t)zero_extended(value, a->bits);
    v &= a->mask;
    int64_t sv = sign_extended(v, a->wide);
    uint64_t uv = zero_extended(v, a->wide);
    for (uint32_t i = 0; i < a->other_count; i++)
        if (a->others[i] == sv) return false;
    return sv >= a->smin && sv <= a->smax && uv >= a->umin && uv <= a->umax;
}

// Of an address nothing but that it is not null.
static bool answers_address(const Needed *a)
{
    return a->offset >= 0 || a->mask != -1 || a->umax != 0;
}

static bool constant_answers(const Frequency *o, FuncId by, const Shape *s, const Needed *a, Ref r)
{
    const Const *c = &s->unit->consts.at[ref_index(r)];
    if (c->kind == CONST_FUNC) return answers_address(a);
    if (c->kind == CONST_GLOBAL && a->offset >= 0) {
        const Program *p = o->facts->program;
        const ProgGlobal *g =
            &p->globals.at[program_global(p, p->funcs.at[by.id].unit, (UGlobalId){c->target}).id];
        const Unit *u = p->units[g->unit];
        const Global *text = &u->globals.at[g->global.id];
        if (!(text->flags & GLOBAL_STRING) || !text->text.id || c->value < 0) return true;
        const char *bytes = name_text(u->names, text->text);
        size_t at = (size_t)c->value + (size_t)a->offset;
        return at > strlen(bytes) || answers(a, bytes[at]);
    }
    if (c->kind == CONST_GLOBAL) return answers_address(a);
    if (a->offset >= 0) return true; // the byte behind a null pointer
    if (c->kind == CONST_INT) return answers(a, c->value);
    return c->kind != CONST_NULL || answers(a, 0);
}

// Whether the value may be what is needed; `param`: it is that parameter of the caller, from 1.
static bool may_answer(const Frequency *o, FuncId by, const Shape *s, const Needed *a, Ref r,
                       int depth, uint32_t *param)
{
    *param = 0;
    if (ref_is_const(r)) return constant_answers(o, by, s, a, r);
    if (ref_is_param(r)) *param = ref_index(r) + 1;
    if (!ref_is_ins(r) || !depth) return true;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    uint32_t inner;
    Ref from = {in->a};
    if (in->op == OP_ALLOCA) return answers_address(a);
    // A condition as a number.
    if (in->op == OP_ZEXT && a->offset < 0 && mtype_size(ref_type(s->unit, s->func, from)) == 1)
        return answers(a, 0) || answers(a, 1);
    if (in->op != OP_PHI && in->op != OP_SELECT) return true;
    Operands ops = ins_operands(s->unit, s->func, in);
    bool any = false;
    for (uint32_t i = in->op == OP_SELECT; i < ops.count && !any; i++)
        any = may_answer(o, by, s, a, ops.refs[i], depth - 1, &inner);
    for (uint32_t i = 0; i < ops.more_count && !any; i++)
        any = may_answer(o, by, s, a, (Ref){ops.more[i * ops.more_step]}, depth - 1, &inner);
    return any;
}

static bool has_all_callers(const Frequency *o, FuncId f)
{
    const Program *p = o->facts->program;
    if (p->funcs.at[f.id].flags & PROG_INTERNAL) return true;
    for (uint32_t i = 1; i < p->funcs.len; i++)
        if (program_is_main(o->facts->program, (FuncId){i})) return true;
    return false;
}

static bool possible(Frequency *o, FuncId f, const Needed *needed, uint32_t count, int depth)
{
    CallsOf calls = {0};
    bool all = depth && !program_is_main(o->facts->program, f) && has_all_callers(o, f) &&
               callers_of(o, f, &calls) && calls.len;
    bool some = !all;
    for (uint32_t i = 0; i < calls.len && !some; i++) {
        FuncId by = calls.at[i].by;
        const Shape *s = frequency_shape(o, by);
        const Ins *in = func_ins(s->unit, s->func, calls.at[i].ins);
        Needed up[MAX_NEEDED];
        uint32_t ups = 0;
        some = true;
        for (uint32_t k = 0; k < count && some; k++) {
            uint32_t param;
            if (needed[k].param >= in->c) continue;
            Ref r = {*func_extra(s->unit, s->func, in->b + needed[k].param)};
            some = may_answer(o, by, s, &needed[k], r, CHOICES_DEEP, &param);
            if (!some || !param) continue;
            up[ups] = needed[k];
            up[ups++].param = param - 1;
        }
        if (some && ups) some = possible(o, by, up, ups, depth - 1);
    }
    vec_free(&calls);
    return some;
}

bool callers_give(Frequency *o, FuncId f, const Finding *x)
{
    return !x->grounds->needed.len || possible(o, f, x->grounds->needed.at, x->grounds->needed.len, CALLERS_GIVE_DEEP);
}
