// Blocks that grow in place. A field that holds the caller's block is overwritten by what a failing
// realloc gave: v->data = realloc(v->data, n). The block was the function's to release, as it would
// have been where the call succeeds, and the field was its way to it: it is lost, whoever made it.
#include "walk/walk_int.h"

// The call that the stored value comes from, if it is one that exchanges a block; and the argument
// that it would have taken.
static const SpecFunc *exchanges(const Work *w, Ref value, Ref *taken)
{
    if (!ref_is_ins(value)) return NULL;
    const Ins *i = func_ins(w->unit, w->func, ref_index(value));
    if (i->op != OP_CALL) return NULL;
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){i->a});
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    if (!spec || !spec->realloc || program_has_code(w->facts->program, f)) return NULL;
    for (uint32_t p = 0; p < spec->param_count && p < i->c; p++)
        if (spec->params[p].mode == SPEC_TAKE && spec->params[p].place == SPEC_ITSELF) {
            *taken = (Ref){*func_extra(w->unit, w->func, i->b + p)};
            return spec;
        }
    return NULL;
}

void growth_overwrites(Work *w, State *s, uint32_t ins, Term address, Term value)
{
    Terms *t = &w->terms;
    const Ins *store = func_ins(w->unit, w->func, ins);
    Ref from = {store->b}, taken;
    Address home = term_address(t, address);
    if (!term_is_zero(t, value) || !home.base.id || home.index.id) return;
    const SpecFunc *spec = exchanges(w, from, &taken);
    if (!spec) return;
    Term old = mem_load(w, s, address, t->pointer_bits / 8, mtype(MT_INT, t->pointer_bits), ins);
    if (term_kind(t, old) != T_INPUT || !term_same(old, operand(w, s, taken)) ||
        pmap_get(s->escaped, old.id, NULL) ||
        held_elsewhere(w, s, func_block_of(w->unit, w->func, ins), ins, old,
                       cell_key(home.base, home.offset)))
        return;
    if (!cond_assume(&w->conds, &s->facts, term_eq(t, old, term_null(t)), false)) return;
    uint32_t call = ref_index(from);
    ObjInfo info = {.family = spec->result.family,
                    .allocator = names_callee(w, call),
                    .pos = pos_of_ins(w, call),
                    .doubt = DOUBT_CALLERS_BLOCK,
                    .believed = "the caller's block, which an earlier call obtained"};
    Term block = obj_new(w, s, call, made(MADE_EARLIER, 0), &info, t->pointer_bits);
    cond_assume(&w->conds, &s->facts, term_eq(t, block, term_null(t)), false);
    mem_store(w, s, address, t->pointer_bits / 8, block, ins);
}
