// Making units: the empty one, the interned tables, and the small views that every walk over
// instructions uses.
#include "base/hash.h"
#include "base/map.h"
#include "unit/unit_int.h"

// The binary form is the tables' bytes, so no struct may have a hole.
_Static_assert(sizeof(Ins) == 20, "Ins has a hole");
_Static_assert(sizeof(Block) == 8, "Block has a hole");
_Static_assert(sizeof(Local) == 24, "Local has a hole");
_Static_assert(sizeof(Var) == 16, "Var has a hole");
_Static_assert(sizeof(Param) == 16, "Param has a hole");
_Static_assert(sizeof(Func) == 80, "Func has a hole");
_Static_assert(sizeof(Global) == 56, "Global has a hole");
_Static_assert(sizeof(Init) == 16, "Init has a hole");
_Static_assert(sizeof(DataRun) == 24, "DataRun has a hole");
_Static_assert(sizeof(Const) == 24, "Const has a hole");
_Static_assert(sizeof(Type) == 32, "Type has a hole");
_Static_assert(sizeof(Elem) == 24, "Elem has a hole");
_Static_assert(sizeof(Loc) == 16, "Loc has a hole");
_Static_assert(sizeof(Annotation) == 12, "Annotation has a hole");

Unit *unit_new(void)
{
    Unit *u = mem_alloc(sizeof *u);
    u->names = names_new();
    u->pointer_bytes = 8;
    vec_extend(&u->types, 1);
    vec_extend(&u->files, 1);
    vec_extend(&u->locs, 1);
    vec_extend(&u->consts, 1);
    vec_extend(&u->globals, 1);
    vec_extend(&u->funcs, 1);
    vec_extend(&u->locals, 1);
    vec_extend(&u->vars, 1);
    return u;
}

void unit_free(Unit *u)
{
    if (!u) return;
    names_free(u->names);
#define T(table) vec_free(&u->table);
    UNIT_TABLES(T)
#undef T
    mem_free(u);
}

static const struct {
    const char *text;
    OpForm form;
} ops[OP_COUNT] = {
#define OP(name, text, form) {text, FORM_##form},
#include "unit/ops.def"
#undef OP
};

const char *op_text(Op op)
{
    return (uint32_t)op < OP_COUNT ? ops[op].text : "?";
}

const char *calc_text(Calc c)
{
    static const char *const text[CALC_COUNT] = {
#define CALC(name, text) text,
#include "unit/calcs.def"
#undef CALC
    };
    return (uint32_t)c < CALC_COUNT ? text[c] : "?";
}

OpForm op_form(Op op)
{
    if ((uint32_t)op >= OP_COUNT) die("op_form: op %u", (uint32_t)op);
    return ops[op].form;
}

bool op_is_terminator(Op op)
{
    return op >= OP_INVOKE && op < OP_COUNT;
}

bool ins_has_result(const Ins *ins)
{
    return mtype_class(ins->type) != MT_VOID && ins->op != OP_STORE;
}

const char *type_kind_text(TypeKind k)
{
    static const char *const text[] = {
        [TYPE_NONE] = "none",       [TYPE_VOID] = "void",           [TYPE_INT] = "int",
        [TYPE_BOOL] = "bool",       [TYPE_FLOAT] = "float",         [TYPE_ENUM] = "enum",
        [TYPE_POINTER] = "pointer", [TYPE_REFERENCE] = "reference", [TYPE_ARRAY] = "array",
        [TYPE_STRUCT] = "struct",   [TYPE_UNION] = "union",         [TYPE_FUNC] = "func",
        [TYPE_CONST] = "const",     [TYPE_TYPEDEF] = "typedef",     [TYPE_OTHER] = "other",
    };
    return (uint32_t)k <= TYPE_OTHER ? text[k] : "?";
}

// Interning: the map's key is a hash of the entry. Two different entries with one hash are told
// apart by trying the next seed, so a collision costs time and is never wrong.
struct UnitBuilder {
    Unit *u;
    Map consts, locs, files, bytes;
};

static uint32_t intern_const(UnitBuilder *b, const Const *c, uint32_t at)
{
    for (uint64_t seed = 0;; seed++) {
        bool fresh;
        uint64_t *v = map_at(&b->consts, hash_bytes(c, sizeof *c, seed), at, &fresh);
        if (fresh || memcmp(&b->u->consts.at[*v], c, sizeof *c) == 0) return (uint32_t)*v;
    }
}

static uint32_t intern_loc(UnitBuilder *b, const Loc *l, uint32_t at)
{
    for (uint64_t seed = 0;; seed++) {
        bool fresh;
        uint64_t *v = map_at(&b->locs, hash_bytes(l, sizeof *l, seed), at, &fresh);
        if (fresh || memcmp(&b->u->locs.at[*v], l, sizeof *l) == 0) return (uint32_t)*v;
    }
}

UnitBuilder *unit_builder_new(Unit *u)
{
    UnitBuilder *b = mem_alloc(sizeof *b);
    b->u = u;
    for (uint32_t i = 1; i < u->consts.len; i++) intern_const(b, &u->consts.at[i], i);
    for (uint32_t i = 1; i < u->locs.len; i++) intern_loc(b, &u->locs.at[i], i);
    for (uint32_t i = 1; i < u->files.len; i++) {
        bool fresh;
        map_at(&b->files, u->files.at[i].path.id, i, &fresh);
    }
    return b;
}

void unit_builder_free(UnitBuilder *b)
{
    if (!b) return;
    map_free(&b->consts);
    map_free(&b->locs);
    map_free(&b->files);
    map_free(&b->bytes);
    mem_free(b);
}

static int64_t sign_extend(int64_t value, uint32_t bits)
{
    if (bits == 0 || bits >= 64) return value;
    uint64_t sign = (uint64_t)1 << (bits - 1), mask = (sign << 1) - 1;
    return (int64_t)((((uint64_t)value & mask) ^ sign) - sign);
}

Ref unit_const(UnitBuilder *b, Const c)
{
    if (c.kind == CONST_NONE || c.kind > CONST_BYTES) die("unit_const: kind %u", c.kind);
    c.pad = 0;
    if (c.kind == CONST_INT) c.value = sign_extend(c.value, c.type & MTYPE_SIZE_MAX);
    Unit *u = b->u;
    uint32_t at = intern_const(b, &c, u->consts.len);
    if (at == u->consts.len) vec_push(&u->consts, c);
    if (at >= 1u << 30) die("more than 2^30 constants");
    return ref_const(at);
}

Ref unit_const_int(UnitBuilder *b, uint32_t bits, int64_t value)
{
    return unit_const(b,
                      (Const){.kind = CONST_INT, .type = mtype(MT_INT, bits).bits, .value = value});
}

Ref unit_const_null(UnitBuilder *b)
{
    return unit_const(b,
                      (Const){.kind = CONST_NULL, .type = mtype(MT_PTR, b->u->pointer_bytes).bits});
}

Ref unit_const_bytes(UnitBuilder *b, MType t, const void *bytes, uint32_t count)
{
    Unit *u = b->u;
    for (uint64_t seed = hash_bytes(bytes, count, t.bits);; seed++) {
        bool fresh;
        uint64_t *v = map_at(&b->bytes, seed, 0, &fresh);
        if (fresh) {
            Const c = {.kind = CONST_BYTES, .type = t.bits, .target = u->bytes.len, .value = count};
            vec_append(&u->bytes, bytes, count);
            Ref r = unit_const(b, c);
            *map_get(&b->bytes, seed) = ref_index(r);
            return r;
        }
        const Const *c = &u->consts.at[*v];
        if (c->type == t.bits && c->value == count &&
            memcmp(u->bytes.at + c->target, bytes, count) == 0)
            return ref_const((uint32_t)*v);
    }
}

uint32_t global_runs(const Unit *u, uint32_t global, uint32_t *first)
{
    uint32_t low = 0, high = u->runs.len, n = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u->runs.at[middle].global < global)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low + n < u->runs.len && u->runs.at[low + n].global == global) n++;
    return n;
}

LocId unit_loc(UnitBuilder *b, FileId file, uint32_t line, uint32_t col, uint32_t scope)
{
    Unit *u = b->u;
    Loc l = {file.id, line, col, scope};
    uint32_t at = intern_loc(b, &l, u->locs.len);
    if (at == u->locs.len) vec_push(&u->locs, l);
    return (LocId){at};
}

FileId unit_file(UnitBuilder *b, const char *path)
{
    Unit *u = b->u;
    Name name = name_of(u->names, path);
    bool fresh;
    uint64_t *v = map_at(&b->files, name.id, u->files.len, &fresh);
    if (fresh) vec_push(&u->files, ((File){name, 0}));
    return (FileId){(uint32_t)*v};
}

#define SHAPE_NONE    {0, 0}
#define SHAPE_JUMP    {0, 0}
#define SHAPE_A       {1, 0}
#define SHAPE_FIELD   {1, 0}
#define SHAPE_PART    {1, 0}
#define SHAPE_LOCAL   {1, 0}
#define SHAPE_VAR     {1, 0}
#define SHAPE_BRANCH  {1, 0}
#define SHAPE_GOTO    {1, 0}
#define SHAPE_AB      {2, 0}
#define SHAPE_INDEX   {2, 0}
#define SHAPE_SETPART {2, 0}
#define SHAPE_ABC     {3, 0}
#define SHAPE_CALL    {1, 1}
#define SHAPE_INVOKE  {1, 1}
#define SHAPE_OPAQUE  {0, 1}
#define SHAPE_PHI     {0, 2}
#define SHAPE_SWITCH  {1, 2}
const OperandShape op_shapes[OP_COUNT] = {
#define OP(name, text, form) [OP_##name] = SHAPE_##form,
#include "unit/ops.def"
#undef OP
};

MType ref_type(const Unit *u, const Func *f, Ref r)
{
    if (ref_is_none(r)) return mtype(MT_VOID, 0);
    if (ref_is_param(r)) return u->params.at[f->first_param + ref_index(r)].mtype;
    if (ref_is_const(r)) return (MType){(uint16_t)u->consts.at[ref_index(r)].type};
    const Ins *ins = func_ins(u, f, ref_index(r));
    return ins_has_result(ins) ? ins->type : mtype(MT_VOID, 0);
}

uint32_t func_block_of(const Unit *u, const Func *f, uint32_t ins)
{
    uint32_t low = 0, high = f->block_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (func_block(u, f, middle)->first <= ins)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t block_successors(const Unit *u, const Func *f, uint32_t block, U32s *into)
{
    const Block *b = func_block(u, f, block);
    const Ins *t = func_ins(u, f, b->first + b->count - 1);
    uint32_t before = into->len;
    switch ((Op)t->op) {
    case OP_JUMP:
        vec_push(into, t->a);
        break;
    case OP_BRANCH:
        vec_push(into, t->b);
        vec_push(into, t->c);
        break;
    case OP_INVOKE:
        vec_append(into, func_extra(u, f, t->b + t->c), 2);
        break;
    case OP_SWITCH: {
        const uint32_t *x = func_extra(u, f, t->b);
        for (uint32_t i = 0; i < t->c; i++) vec_push(into, x[2 * i + 1]);
        vec_push(into, x[2 * t->c]);
        break;
    }
    case OP_GOTO:
        vec_append(into, func_extra(u, f, t->b), t->c);
        break;
    default:
        break;
    }
    return into->len - before;
}
