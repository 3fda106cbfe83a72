// What a symbolic walk of a function cannot leave out by looking at the function alone: whatever
// changes the state by more than a value. Calls, what writes memory, what may touch a block that
// was released, ends of scopes, bindings of pointers and returns.
#include "project/project.h"

static bool is_plain(const Bits *plain, Ref r)
{
    if (ref_is_ins(r)) return bits_has(plain, ref_index(r));
    return ref_is_const(r);
}

Bits project_plain(Arena *a, const Unit *u, const Func *f)
{
    Bits plain = bits_new(a, f->ins_count);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        bool step = in->op == OP_FIELD || in->op == OP_INDEX;
        if (in->op == OP_ALLOCA || (step && is_plain(&plain, (Ref){in->a}))) bits_add(&plain, i);
    }
    return plain;
}

bool project_is_plain(const Bits *plain, Ref r)
{
    return is_plain(plain, r);
}

// Whether the value may be an address, in whatever clothes.
static bool may_be_pointer(const Unit *u, const Func *f, Ref r)
{
    MType m = ref_type(u, f, r);
    if (mtype_class(m) == MT_PTR || mtype_class(m) == MT_AGG) return true;
    return mtype_class(m) == MT_INT && mtype_size(m) >= u->pointer_bytes * 8;
}

static bool any_pointer(const Unit *u, const Func *f, const Ins *in)
{
    for (uint32_t k = 0; k < in->c; k++)
        if (may_be_pointer(u, f, (Ref){*func_extra(u, f, in->b + k)})) return true;
    return false;
}

bool project_needs(const Unit *u, const Func *f, const Bits *plain, uint32_t ins)
{
    const Ins *in = func_ins(u, f, ins);
    switch ((Op)in->op) {
    case OP_LOAD:
        return (in->flags & INS_VOLATILE) || !is_plain(plain, (Ref){in->a});
    case OP_OPAQUE:
        return any_pointer(u, f, in);
    case OP_BIND:
        return ref_is_none((Ref){in->a}) || mtype_class(ref_type(u, f, (Ref){in->a})) == MT_PTR;
    case OP_NOP: // the position of a return statement
    case OP_STORE:
    case OP_COPY:
    case OP_FILL:
    case OP_LIFE_START:
    case OP_LIFE_END:
    case OP_VA_START:
    case OP_VA_COPY:
    case OP_VA_ARG:
    case OP_LANDING:
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
    case OP_GOTO:
    case OP_RET:
    case OP_RESUME:
        return true;
    default:
        return false;
    }
}
