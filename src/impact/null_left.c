// Which pointers a function leaves null where memory is short: v->data = realloc(v->data, n).
//
// The block is lost in whoever called it, and so is the question what becomes of the null: that caller,
// or the next function that it gives the struct to, writes through it (what_follows.c). Only a realloc of what the
// place itself held is one; errs towards "goes on".
#include "impact/impact_int.h"

// Whether the value is what a realloc gave that took what the place held.
static bool is_exchanged(const Frequency *o, FuncId f, const Shape *s, Ref value, Ref place)
{
    const Program *p = o->facts->program;
    if (!ref_is_ins(value)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(value));
    if (in->op != OP_CALL) return false;
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    const SpecFunc *spec = callee.id ? facts_spec(o->facts, callee) : NULL;
    if (!spec || !spec->realloc || program_has_code(p, callee)) return false;
    int64_t at, from;
    Ref base = split_place(s, place, &at);
    for (uint32_t k = 0; k < spec->param_count && k < in->c; k++) {
        Ref taken = {*func_extra(s->unit, s->func, in->b + k)};
        if (spec->params[k].mode != SPEC_TAKE || !ref_is_ins(taken)) continue;
        const Ins *load = func_ins(s->unit, s->func, ref_index(taken));
        if (load->op == OP_LOAD && ref_same(split_place(s, (Ref){load->a}, &from), base) && from == at) return true;
    }
    return false;
}

static void add(Frequency *o, FuncId f, NullLeft left)
{
    NullLeft *n = arena_array_of(o->arena, NullLeft, 1);
    *n = left;
    n->next = o->left[f.id];
    o->left[f.id] = n;
}

static void add_stored(Frequency *o, FuncId f, const Shape *s, const Ins *store)
{
    int64_t offset;
    Ref base = split_place(s, (Ref){store->a}, &offset);
    if (ref_is_param(base) && is_exchanged(o, f, s, (Ref){store->b}, (Ref){store->a}))
        add(o, f, (NullLeft){.ins = ref_index((Ref){store->b}), .param = ref_index(base), .offset = offset});
}

static void add_called(Frequency *o, FuncId f, const Shape *s, uint32_t call)
{
    const Program *p = o->facts->program;
    const Ins *in = func_ins(s->unit, s->func, call);
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    if (!callee.id || !program_has_code(p, callee)) return;
    for (const NullLeft *n = nulls_left(o, callee); n; n = n->next) {
        int64_t offset;
        if (n->param >= in->c) continue;
        Ref base = split_place(s, (Ref){*func_extra(s->unit, s->func, in->b + n->param)}, &offset);
        if (!ref_is_param(base)) continue;
        add(o, f, (NullLeft){.ins = call, .param = ref_index(base), .offset = offset + n->offset,
                             .callee = callee, .inside = n});
    }
}

const NullLeft *nulls_left(Frequency *o, FuncId f)
{
    uint32_t count = o->facts->program->funcs.len;
    if (!o->left) {
        o->left = arena_array_of(o->arena, const NullLeft *, count);
        o->left_asked = bits_new(o->arena, count);
    }
    if (!bits_add(&o->left_asked, f.id)) return o->left[f.id];
    const Shape *s = frequency_shape(o, f);
    for (uint32_t i = 0; i < s->func->ins_count; i++) {
        const Ins *in = func_ins(s->unit, s->func, i);
        if (in->op == OP_STORE) add_stored(o, f, s, in);
        if (in->op == OP_CALL) add_called(o, f, s, i);
    }
    return o->left[f.id];
}
