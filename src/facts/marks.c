// Numbers that stand for pointers, and globals that carry one from function to function: what the
// whole program says about them.
#include "facts/facts_int.h"

static uint32_t global_of(const Program *p, uint32_t unit, const Unit *u, Ref r)
{
    if (!ref_is_const(r) || u->consts.at[ref_index(r)].kind != CONST_GLOBAL) return 0;
    return program_global(p, unit, (UGlobalId){u->consts.at[ref_index(r)].target}).id;
}

static bool pointer_number(const Unit *u, const Func *f, Ref r, int64_t *number)
{
    if (ref_is_ins(r) && func_ins(u, f, ref_index(r))->op == OP_INTTOPTR)
        r = (Ref){func_ins(u, f, ref_index(r))->a};
    else if (ref_is_none(r) || mtype_class(ref_type(u, f, r)) != MT_PTR)
        return false;
    if (!ref_is_const(r) || u->consts.at[ref_index(r)].kind != CONST_INT) return false;
    *number = u->consts.at[ref_index(r)].value;
    return *number != 0;
}

static void note_number(Marks *m, const Unit *u, const Func *f, Ref r)
{
    int64_t number;
    if (pointer_number(u, f, r, &number)) map_set(&m->sentinels, (uint64_t)number, 1);
}

// `writer` by GlobalId: the number of the function that was last seen to write it.
static void look_through(Marks *m, const Program *p, uint32_t unit, const Unit *u, const Func *f,
                         uint32_t number, uint32_t *writer)
{
    U32s reads = {0};
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        uint32_t g =
            in->op == OP_LOAD || in->op == OP_STORE ? global_of(p, unit, u, (Ref){in->a}) : 0;
        if (g && in->op == OP_LOAD) vec_push(&reads, g);
        if (g && in->op == OP_STORE) writer[g] = number;
        if ((in->op >= OP_EQ && in->op <= OP_SLE) || in->op == OP_INTTOPTR || in->op == OP_BIND)
            continue;
        Operands o = ins_operands(u, f, in);
        for (uint32_t n = 0; n < o.count; n++) note_number(m, u, f, o.refs[n]);
        for (uint32_t n = 0; n < o.more_count; n++)
            note_number(m, u, f, (Ref){o.more[n * o.more_step]});
    }
    vec_each (i, &reads)
        if (writer[reads.at[i]] != number) bits_add(&m->handed_on, reads.at[i]);
    vec_free(&reads);
}

void marks_find(Marks *m, Arena *a, const Program *p)
{
    Arena *scratch = arena_new("marks");
    uint32_t *writer = arena_array_of(scratch, uint32_t, p->globals.len), number = 0;
    m->handed_on = bits_new(a, p->globals.len);
    for (uint32_t k = 0; k < p->unit_count; k++) {
        const Unit *u = p->units[k];
        vec_each (i, &u->inits) {
            const Init *init = &u->inits.at[i];
            Ref r = {init->value};
            if (mtype_class((MType){(uint16_t)init->type}) != MT_PTR || !ref_is_const(r)) continue;
            const Const *c = &u->consts.at[ref_index(r)];
            if (c->kind == CONST_INT && c->value) map_set(&m->sentinels, (uint64_t)c->value, 1);
        }
        vec_each (f, &u->funcs) look_through(m, p, k, u, &u->funcs.at[f], ++number, writer);
    }
    arena_free(scratch);
}
