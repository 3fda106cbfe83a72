// The words of the text form and the rules about what may be left unsaid, for printer and parser.
#include "unit/unit_int.h"

const FlagWord unit_ins_words[] = {
    {"volatile", INS_VOLATILE}, {"atomic", INS_ATOMIC},     {"nsw", INS_NSW},
    {"nuw", INS_NUW},           {"noreturn", INS_NORETURN}, {"twice", INS_RETURNS_TWICE},
    {"musttail", INS_MUSTTAIL}, {"inbounds", INS_INBOUNDS}, {NULL, 0},
};

const FlagWord unit_func_words[] = {
    {"varargs", FUNC_VARARGS},
    {"noreturn", FUNC_NORETURN},
    {"twice", FUNC_RETURNS_TWICE},
    {"returns_nonnull", FUNC_RETURNS_NONNULL},
    {"malloclike", FUNC_NOALIAS_RETURN},
    {"readnone", FUNC_READNONE},
    {"readonly", FUNC_READONLY},
    {"ifunc", FUNC_IFUNC},
    {"cold", FUNC_COLD},
    {"address_taken", FUNC_ADDRESS_TAKEN},
    {"cxx", FUNC_CXX},
    {"constructor", FUNC_CONSTRUCTOR},
    {"nothrow", FUNC_NOTHROW},
    {"kept", FUNC_KEPT},
    {NULL, 0},
};

const FlagWord unit_param_words[] = {
    {"byval", PARAM_BYVAL},     {"sret", PARAM_SRET}, {"const", PARAM_CONST_POINTEE},
    {"nonnull", PARAM_NONNULL}, {"this", PARAM_THIS}, {NULL, 0},
};

const FlagWord unit_global_words[] = {
    {"const", GLOBAL_CONST},          {"thread", GLOBAL_THREAD},
    {"defined", GLOBAL_DEFINED},      {"zero", GLOBAL_ZERO},
    {"partial", GLOBAL_INIT_PARTIAL}, {"string", GLOBAL_STRING},
    {"static", GLOBAL_LOCAL_STATIC},  {"kept", GLOBAL_KEPT},
    {NULL, 0},
};

const FlagWord unit_type_words[] = {
    {"unsigned", TYPE_UNSIGNED},
    {"varargs", TYPE_VARARGS},
    {"declared", TYPE_DECLARED},
    {"base", TYPE_BASE_CLASS},
    {NULL, 0},
};

const char *const unit_linkage_words[LINK_AVAILABLE + 1] = {
    "external", "internal", "weak", "linkonce", "common", "available",
};

MType unit_const_natural(const Unit *u, uint32_t kind, MType want)
{
    switch ((ConstKind)kind) {
    case CONST_INT:
        return mtype_class(want) == MT_INT ? want : mtype(MT_INT, 32);
    case CONST_NULL:
    case CONST_GLOBAL:
    case CONST_FUNC:
    case CONST_BLOCK:
        return mtype(MT_PTR, u->pointer_bytes);
    default:
        return want;
    }
}

bool unit_op_spells_operand(Op op)
{
    return (op >= OP_EQ && op <= OP_SLE) || op == OP_SWITCH;
}

MType unit_operand_wants(const Unit *u, const Func *f, const Ins *ins, uint32_t i)
{
    MType ptr = mtype(MT_PTR, u->pointer_bytes), i64 = mtype(MT_INT, 64);
    switch ((Op)ins->op) {
    case OP_ALLOCA:
        return mtype(MT_INT, 32);
    case OP_STORE:
        return i == 0 ? ptr : ins->type;
    case OP_INDEX:
        return i == 0 ? ptr : i64;
    case OP_COPY:
        return i == 2 ? i64 : ptr;
    case OP_FILL:
        return i == 0 ? ptr : i == 1 ? mtype(MT_INT, 8) : i64;
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
    case OP_SWITCH:
        return ref_type(u, f, (Ref){ins->a}); // the spelled type
    case OP_SELECT:
        return i == 0 ? mtype(MT_INT, 1) : ins->type;
    case OP_BRANCH:
        return mtype(MT_INT, 1);
    case OP_RET:
        return f->result;
    case OP_PHI:
        return ins->type;
    case OP_SETPART:
        return i == 0 ? ins->type : mtype(MT_VOID, 0);
    case OP_CALL:
    case OP_INVOKE:
        return i == 0 ? ptr : mtype(MT_VOID, 0);
    default:
        if (ins->op >= OP_ADD && ins->op <= OP_XOR) return ins->type;
        return mtype(MT_VOID, 0);
    }
}

static bool plain_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

bool unit_text_plain(const char *s, size_t len)
{
    if (len == 0 || (s[0] >= '0' && s[0] <= '9')) return false;
    for (size_t i = 0; i < len; i++)
        if (!plain_char(s[i])) return false;
    return true;
}

bool unit_text_made_up(const char *s, char letter)
{
    if (s[0] != letter || !s[1]) return false;
    for (s++; *s; s++)
        if (*s < '0' || *s > '9') return false;
    return true;
}
