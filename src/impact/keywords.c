// The settings of a file that is read once: what a keyword overwrites when it comes twice.
//
// The loop asks a call for the next line, and hands it a file that was opened by name, here or by
// callers that run once; and the place is met for one keyword, a constant text, alone. So a leak there
// happens as often as somebody has written the same setting again. A line that is lost whatever it
// says adds up with the file, and is none of these. Errs towards "often".
#include "impact/impact_int.h"

static bool has_text_param(const SpecFunc *spec)
{
    for (uint32_t i = 0; i < spec->param_count; i++) {
        const SpecType *t = spec->params[i].type;
        if (t && t->kind == SPEC_T_POINTER && t->to->is_const) return true;
    }
    return false;
}

// Whether the value is a resource that a library function has opened by a name.
static bool is_opened(Frequency *o, FuncId f, const Shape *s, Ref r, uint32_t depth)
{
    const Program *p = o->facts->program;
    if (!depth) return false;
    if (ref_is_param(r)) return all_callers_pass(o, f, ref_index(r), is_opened, depth - 1);
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op != OP_CALL) return false;
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    const SpecFunc *spec = callee.id ? facts_spec(o->facts, callee) : NULL;
    if (!spec || spec->result.gives != SPEC_OWN) return false;
    const SpecFamily *family = spec_family(o->facts->specs, spec->result.family);
    return family && family->resource && has_text_param(spec);
}

// The call whose result the value is, through comparisons.
static const Ins *asked_call(const Shape *s, Ref r, uint32_t depth)
{
    if (!ref_is_ins(r) || !depth) return NULL;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op == OP_CALL) return in;
    if (op_form((Op)in->op) != FORM_AB && in->op != OP_SEXT && in->op != OP_ZEXT) return NULL;
    return asked_call(s, (Ref){in->a}, depth - 1);
}

bool keywords_loop(Frequency *o, FuncId f, const Shape *s, uint32_t loop)
{
    for (uint32_t k = 0; k < s->cfg->order_count; k++) {
        uint32_t block = s->cfg->order[k];
        if (!options_in_loop(s->cfg, loop, block)) continue;
        const Block *b = func_block(s->unit, s->func, block);
        const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
        if (end->op != OP_BRANCH || (options_in_loop(s->cfg, loop, end->b) &&
                                     options_in_loop(s->cfg, loop, end->c)))
            continue;
        const Ins *call = asked_call(s, (Ref){end->a}, CHAIN_DEEP);
        for (uint32_t i = 0; call && i < call->c; i++)
            if (is_opened(o, f, s, (Ref){*func_extra(s->unit, s->func, call->b + i)},
                          CALLERS_OPEN_DEEP))
                return true;
    }
    return false;
}

// Whether the call finds something in a text, and says so by where it is.
static bool is_search(const Frequency *o, FuncId f, const Shape *s, const Ins *call)
{
    const Program *p = o->facts->program;
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){call->a});
    const SpecFunc *spec = callee.id ? facts_spec(o->facts, callee) : NULL;
    return spec && spec->result.gives == SPEC_INSIDE;
}

// Whether the call is given a constant text, and says 0 where the other is the same (*found false) or
// where it is in the other (*found true).
static bool compares_text(const Frequency *o, FuncId f, const Shape *s, Ref r, bool *found)
{
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op != OP_CALL) return false;
    *found = mtype_class(in->type) == MT_PTR;
    if (*found ? !is_search(o, f, s, in) : mtype_class(in->type) != MT_INT) return false;
    for (uint32_t k = 0; k < in->c; k++) {
        Ref arg = {*func_extra(s->unit, s->func, in->b + k)};
        if (!ref_is_const(arg)) continue;
        const Const *c = &s->unit->consts.at[ref_index(arg)];
        if (c->kind == CONST_GLOBAL && (s->unit->globals.at[c->target].flags & GLOBAL_STRING))
            return true;
    }
    return false;
}

static bool is_zero(const Shape *s, Ref r)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &s->unit->consts.at[ref_index(r)];
    return c->kind == CONST_NULL || (c->kind == CONST_INT && c->value == 0);
}

bool keywords_lead_to(const Frequency *o, FuncId f, const Shape *s, uint32_t block)
{
    for (uint32_t b = block; b != BLOCK_NONE && b != s->cfg->idom[b]; b = s->cfg->idom[b]) {
        uint32_t from = s->cfg->idom[b];
        if (from == BLOCK_NONE) break;
        const Block *k = func_block(s->unit, s->func, from);
        const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
        if (end->op != OP_BRANCH || !ref_is_ins((Ref){end->a})) continue;
        const Ins *test = func_ins(s->unit, s->func, ref_index((Ref){end->a}));
        if ((test->op != OP_EQ && test->op != OP_NE) || !is_zero(s, (Ref){test->b})) continue;
        bool found;
        if (!compares_text(o, f, s, (Ref){test->a}, &found)) continue;
        uint32_t to = (test->op == OP_EQ) != found ? end->b : end->c;
        if (s->cfg->pred[to].count == 1 &&
            cfg_dominates(s->cfg, to, block))
            return true;
    }
    return false;
}
