// The unit: one translation unit in our own terms.
//
// Comes in: what src/lower makes of LLVM bitcode, or the text form (tests), or the binary form
// (cache). Goes out: flat tables that every later stage reads and none changes. Promised: a unit
// that passed unit_check has every index in range, every block ended by its one terminator, phis
// that agree with the predecessors, and operands defined in the same function, so no later stage
// checks again. doc/unit.md is the reference of the IR and of the text form.
//
// All tables are arrays of plain 32-bit words: the binary form is their bytes behind a header
// with a checksum. Entry 0 of types, funcs, globals, consts, vars, locals, locs and files is
// "none", so that id 0 always means none.
//
// A function's instructions, blocks, locals, variables and extra words are ranges of the unit's
// tables; a Ref to an instruction, a BlockId, LocalId and VarId inside a function count from the
// function's own range (LocalId and VarId from 1), so that facts about a function are arrays of
// the function's size.
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include "base/diag.h"
#include "base/name.h"
#include "base/out.h"
#include "base/vec.h"

typedef enum {
#define OP(name, text, form) OP_##name,
#include "unit/ops.def"
#undef OP
    OP_COUNT
} Op;

// What an opaque instruction computes (calcs.def).
typedef enum {
#define CALC(name, text) CALC_##name,
#include "unit/calcs.def"
#undef CALC
    CALC_COUNT
} Calc;

typedef enum {
    FORM_NONE,
    FORM_A,
    FORM_AB,
    FORM_ABC,
    FORM_FIELD,
    FORM_INDEX,
    FORM_PART,
    FORM_SETPART,
    FORM_LOCAL,
    FORM_VAR,
    FORM_CALL,
    FORM_OPAQUE,
    FORM_INVOKE,
    FORM_PHI,
    FORM_JUMP,
    FORM_BRANCH,
    FORM_SWITCH,
    FORM_GOTO,
} OpForm;

DEFINE_ID(TypeId);   // source type from debug information, in Unit.types
DEFINE_ID(UFuncId);  // function of one unit, in Unit.funcs
DEFINE_ID(UGlobalId); // global of one unit, in Unit.globals
DEFINE_ID(LocId);    // source position, in Unit.locs
DEFINE_ID(FileId);   // source file, in Unit.files
DEFINE_ID(BlockId);  // block of one function, from 0; see BLOCK_NONE
DEFINE_ID(LocalId);  // local object of one function, from 1
DEFINE_ID(VarId);    // source variable of one function, from 1

#define BLOCK_NONE UINT32_MAX

// An operand: two bits of kind, thirty of index.
//
//   31 30 29                                   0
//   [kind][ index                              ]
//
// kind 0: none (index 0) or parameter number + 1; 1: result of the function's instruction;
// 2: constant in Unit.consts.
typedef struct {
    uint32_t bits;
} Ref;

enum { REF_PARAM = 0, REF_INS = 1, REF_CONST = 2 };

static inline Ref ref_none(void) { return (Ref){0}; }
static inline Ref ref_param(uint32_t i) { return (Ref){i + 1}; }
static inline Ref ref_ins(uint32_t i) { return (Ref){(uint32_t)REF_INS << 30 | i}; }
static inline Ref ref_const(uint32_t i) { return (Ref){(uint32_t)REF_CONST << 30 | i}; }
static inline bool ref_is_none(Ref r) { return r.bits == 0; }
static inline bool ref_is_param(Ref r) { return r.bits != 0 && r.bits >> 30 == REF_PARAM; }
static inline bool ref_is_ins(Ref r) { return r.bits >> 30 == REF_INS; }
static inline bool ref_is_const(Ref r) { return r.bits >> 30 == REF_CONST; }
static inline uint32_t ref_index(Ref r) // parameter number, instruction or constant index
{
    return r.bits >> 30 == REF_PARAM ? r.bits - 1 : r.bits & 0x3fffffff;
}
static inline bool ref_same(Ref a, Ref b) { return a.bits == b.bits; }

// What a register holds: class and size. Integers count bits, all others bytes; an aggregate or
// vector too large for the field has size 0 (unknown).
typedef struct {
    uint16_t bits; // class << 13 | size
} MType;

typedef enum { MT_VOID, MT_INT, MT_PTR, MT_FLOAT, MT_AGG, MT_VEC } MClass;

enum { MTYPE_SIZE_MAX = (1 << 13) - 1 };

static inline MType mtype(MClass c, uint32_t size)
{
    return (MType){(uint16_t)((uint32_t)c << 13 | (size > MTYPE_SIZE_MAX ? 0 : size))};
}
static inline MClass mtype_class(MType t) { return (MClass)(t.bits >> 13); }
static inline uint32_t mtype_size(MType t) { return t.bits & MTYPE_SIZE_MAX; }
// Bytes in memory; 0 when unknown.
static inline uint32_t mtype_bytes(MType t)
{
    return mtype_class(t) == MT_INT ? (mtype_size(t) + 7) / 8 : mtype_size(t);
}

typedef struct {
    uint8_t op;    // Op
    uint8_t flags; // INS_*
    MType type;    // of the result; of the stored value for STORE
    uint32_t a, b, c; // by the op's form: Ref bits or raw
    uint32_t loc;     // LocId; 0 none
} Ins;

enum {
    INS_VOLATILE = 1, // load, store, copy, fill
    INS_ATOMIC = 2,   // load, store: part of an atomic operation
    INS_NSW = 4,      // add, sub, mul, shl: signed overflow is undefined
    INS_NUW = 8,
    INS_NORETURN = 16,     // call: does not come back (attribute at the call or the callee)
    INS_RETURNS_TWICE = 32, // call: setjmp and the like
    INS_MUSTTAIL = 64,
    INS_INBOUNDS = 128, // field, index: stays inside the object
};

typedef struct {
    uint32_t first, count; // instructions, from the function's start; the last one terminates
} Block;

// A local object (alloca).
typedef struct {
    Name name;      // source variable, 0: temporary
    TypeId type;
    uint64_t size;  // bytes of one element; the alloca's count operand multiplies it
    LocId loc;      // declaration
    uint32_t align;
} Local;

// A source variable, from debug information.
typedef struct {
    Name name;
    TypeId type;
    LocId loc;
    uint32_t param; // number + 1 when it is a parameter, else 0
} Var;

typedef struct {
    Name name;     // source name, may be 0
    TypeId type;   // source type
    MType mtype;
    uint16_t flags; // PARAM_*
    uint32_t byval_size; // PARAM_BYVAL: the callee gets a copy of so many bytes
} Param;

enum {
    PARAM_BYVAL = 1,
    PARAM_SRET = 2,          // address for the returned struct
    PARAM_CONST_POINTEE = 4, // declared pointer to const, but to `const void` only before a size
    PARAM_NONNULL = 8,
    PARAM_THIS = 16, // C++ this
};

typedef enum { LINK_EXTERNAL, LINK_INTERNAL, LINK_WEAK, LINK_LINKONCE, LINK_COMMON, LINK_AVAILABLE } Linkage;

// Ranges point into the unit's tables. A declaration has no blocks.
typedef struct {
    Name name;    // symbol
    Name source;  // as in the source (C++: qualified name without parameters), equals name in C
    LocId loc;
    TypeId type;  // function type; its first element is the result
    MType result;
    uint16_t flags;   // FUNC_*
    uint32_t linkage; // Linkage
    uint32_t first_param, param_count;
    uint32_t first_block, block_count;
    uint32_t first_ins, ins_count;
    uint32_t first_extra, extra_count;
    uint32_t first_local, local_count; // LocalId n is locals[first_local + n - 1]
    uint32_t first_var, var_count;     // VarId n is vars[first_var + n - 1]
    uint32_t alias; // UFuncId this symbol is another name for; 0 none
    uint32_t comdat; // Name; 0 none
} Func;

enum {
    FUNC_VARARGS = 1,
    FUNC_NORETURN = 2,
    FUNC_RETURNS_TWICE = 4,
    FUNC_RETURNS_NONNULL = 8,
    FUNC_NOALIAS_RETURN = 16, // declared malloc-like
    FUNC_READNONE = 32,
    FUNC_READONLY = 64,
    FUNC_IFUNC = 128,   // alias names the resolver
    FUNC_COLD = 256,
    FUNC_ADDRESS_TAKEN = 512, // used other than as a callee in this unit
    FUNC_CXX = 1024,
    FUNC_CONSTRUCTOR = 2048, // run before main
    FUNC_NOTHROW = 4096,
    FUNC_KEPT = 8192, // run at the end of the process, or kept for users that are not seen
};

typedef struct {
    Name name, source;
    LocId loc;
    TypeId type;
    uint64_t size;
    uint32_t linkage;
    uint32_t flags; // GLOBAL_*
    uint32_t first_init, init_count;
    Name text;      // a string literal's content when short, else 0
    uint32_t alias; // UGlobalId; 0 none
    uint32_t comdat; // Name; 0 none
    uint32_t pad;    // no byte of a table is left undefined: the binary form is its bytes
} Global;

enum {
    GLOBAL_CONST = 1,
    GLOBAL_THREAD = 2,
    GLOBAL_DEFINED = 4,       // has an initialiser here
    GLOBAL_ZERO = 8,          // bytes without an Init entry are zero
    GLOBAL_INIT_PARTIAL = 16, // integers were left out of a large initialiser (pointers never are)
    GLOBAL_STRING = 32,
    GLOBAL_LOCAL_STATIC = 64, // static inside a function
    GLOBAL_KEPT = 128,        // kept for users that are not seen
};

// A scalar at an offset of a global's initial content.
typedef struct {
    uint64_t offset;
    uint32_t value; // Ref bits (a constant)
    uint32_t type;  // MType bits
} Init;

// Bytes of a global's initial content that no Init tells (numbers of GLOBAL_INIT_PARTIAL, long
// strings, what is no scalar); zero where an Init stands. By global, then offset; no overlap.
// Only who runs the program reads them.
typedef struct {
    uint64_t offset;
    uint32_t global;       // UGlobalId
    uint32_t first, count; // in Unit.bytes
    uint32_t pad;
} DataRun;

typedef enum {
    CONST_NONE,
    CONST_INT,     // value, width in type
    CONST_NULL,
    CONST_UNDEF,   // undef, poison
    CONST_GLOBAL,  // address of globals[target] + value
    CONST_FUNC,    // address of funcs[target]
    CONST_BLOCK,   // address of block `value` of funcs[target]
    CONST_ZERO,    // all bytes zero: aggregate, vector, float
    CONST_OPAQUE,  // what we do not model
    CONST_FLOAT,   // f32, f64: value has its bits
    CONST_BYTES,   // target, value: place and number of its bytes in Unit.bytes (a wide integer,
                   // f80, a vector, an aggregate without addresses)
} ConstKind;

typedef struct {
    uint32_t kind;
    uint32_t type; // MType bits
    uint32_t target;
    uint32_t pad;
    int64_t value; // integers sign-extended from their width
} Const;

// Source types. Elements of structs and unions have names and offsets; a pointer's, array's or
// qualified type's element 0 is what it is made of; a function's element 0 is the result.
typedef enum {
    TYPE_NONE,
    TYPE_VOID,
    TYPE_INT,
    TYPE_BOOL,
    TYPE_FLOAT,
    TYPE_ENUM,
    TYPE_POINTER,
    TYPE_REFERENCE, // C++ & and &&
    TYPE_ARRAY,
    TYPE_STRUCT,    // also class
    TYPE_UNION,
    TYPE_FUNC,
    TYPE_CONST,     // qualifier over element 0
    TYPE_TYPEDEF,   // name for element 0
    TYPE_OTHER,
} TypeKind;

typedef struct {
    uint32_t kind;
    Name name;
    uint64_t size; // bytes; 0 unknown or incomplete
    uint32_t first_elem, elem_count;
    uint32_t flags; // TYPE_UNSIGNED, TYPE_VARARGS, TYPE_DECLARED (incomplete)
    uint32_t count; // array elements
} Type;

enum { TYPE_UNSIGNED = 1, TYPE_VARARGS = 2, TYPE_DECLARED = 4, TYPE_BASE_CLASS = 8 };

typedef struct {
    Name name;
    TypeId type;
    uint64_t offset;  // bits, so that bit fields have a place
    uint32_t bit_size; // of a bit field, else 0
    uint32_t flags;    // TYPE_BASE_CLASS
} Elem;

typedef struct {
    uint32_t file; // FileId
    uint32_t line, col;
    uint32_t scope; // VarId-independent lexical scope number inside the function; 0 unknown
} Loc;

typedef struct {
    Name path; // as given to the compiler, made absolute against the compilation directory
    // A #line directive names it and the compiler did not read it. It could be any file of the
    // machine, so its text is not shown.
    uint32_t foreign;
} File;

// Annotations that are in the code: ownership_*, malloc (dealloc, n), annotate("...").
typedef struct {
    uint32_t func;   // UFuncId
    uint32_t param;  // number + 1; 0: the function itself
    Name text;       // "own.ret malloc 1", as the attribute's words
} Annotation;

// Member order is the order in the binary form.
typedef struct Unit {
    Names *names;
    Name source;   // main source file
    Name language; // "c" or "c++"
    Name target;   // triple
    Name producer; // version of whoever lowered it
    uint32_t pointer_bytes;
    uint32_t flags;
    VEC(Type) types;
    VEC(Elem) elems;
    VEC(File) files;
    VEC(Loc) locs;
    VEC(Const) consts;
    VEC(Global) globals;
    VEC(Init) inits;
    VEC(DataRun) runs;
    VEC(Func) funcs;
    VEC(Param) params;
    VEC(Block) blocks;
    VEC(Ins) ins;
    U32s extra;
    VEC(Local) locals;
    VEC(Var) vars;
    VEC(Annotation) annotations;
    U32s constructors; // UFuncIds run before main, in order
    VEC(uint8_t) bytes; // content of runs and of CONST_BYTES
} Unit;

// A new unit has the none entries in place.
Unit *unit_new(void);
void unit_free(Unit *u);

const char *op_text(Op op);
const char *calc_text(Calc c);
OpForm op_form(Op op);
bool op_is_terminator(Op op);
// Whether the instruction defines a value: a store has a type (the stored value's) but no result.
bool ins_has_result(const Ins *ins);
const char *type_kind_text(TypeKind k);

// Interned constants, positions and files: equal ones get the same id while the unit is being
// built. A builder started on a unit that has some already finds those too. Integers are brought
// to their form (sign-extended from their width, so that i1 true is -1).
typedef struct UnitBuilder UnitBuilder;
UnitBuilder *unit_builder_new(Unit *u);
void unit_builder_free(UnitBuilder *b);
Ref unit_const(UnitBuilder *b, Const c);
Ref unit_const_int(UnitBuilder *b, uint32_t bits, int64_t value);
Ref unit_const_null(UnitBuilder *b);
// Equal bytes get the same id only when they are added through the same builder.
Ref unit_const_bytes(UnitBuilder *b, MType t, const void *bytes, uint32_t count);
LocId unit_loc(UnitBuilder *b, FileId file, uint32_t line, uint32_t col, uint32_t scope);
FileId unit_file(UnitBuilder *b, const char *path);

// Views.
static inline const Ins *func_ins(const Unit *u, const Func *f, uint32_t i)
{
    return &u->ins.at[f->first_ins + i];
}
static inline const uint32_t *func_extra(const Unit *u, const Func *f, uint32_t i)
{
    return &u->extra.at[f->first_extra + i];
}
static inline const Block *func_block(const Unit *u, const Func *f, uint32_t i)
{
    return &u->blocks.at[f->first_block + i];
}
static inline bool func_is_defined(const Func *f) { return f->block_count != 0; }

// All value operands of an instruction, in order, those that are none left out: first refs, then
// more[0], more[more_step], ... (a call's arguments, a phi's values, a switch's cases).
typedef struct {
    Ref refs[3];
    uint32_t count;       // of refs
    const uint32_t *more; // further operands as Ref bits
    uint32_t more_count, more_step;
} Operands;
// By op: how many of a, b and c are values, and of those in the extra table the distance from one to the
// next (0: there are none).
typedef struct {
    uint8_t direct, step;
} OperandShape;
extern const OperandShape op_shapes[OP_COUNT];
static inline Operands ins_operands(const Unit *u, const Func *f, const Ins *ins)
{
    OperandShape s = op_shapes[ins->op];
    Operands o = {.more_step = s.step ? s.step : 1};
    if (s.direct > 0 && ins->a) o.refs[o.count++] = (Ref){ins->a};
    if (s.direct > 1 && ins->b) o.refs[o.count++] = (Ref){ins->b};
    if (s.direct > 2 && ins->c) o.refs[o.count++] = (Ref){ins->c};
    if (!s.step || !ins->c) return o;
    o.more_count = ins->c;
    o.more = func_extra(u, f, ins->b) + (ins->op == OP_PHI);
    return o;
}
// The k-th of all, k below count + more_count.
static inline Ref operand_at(const Operands *o, uint32_t k)
{
    return k < o->count ? o->refs[k] : (Ref){o->more[(k - o->count) * o->more_step]};
}
// The type of any operand.
MType ref_type(const Unit *u, const Func *f, Ref r);

// Successor blocks of a block, in order, without duplicates removed, appended to `into`; returns
// how many. A branch gives true before false, an invoke normal before unwind, a switch its cases
// before the default.
uint32_t block_successors(const Unit *u, const Func *f, uint32_t block, U32s *into);
// What an OPAQUE instruction computes, and the type of a vector's elements (void: no vector).
static inline Calc ins_calc(const Ins *i) { return (Calc)(i->a & 0xffff); }
static inline MType ins_calc_elem(const Ins *i) { return (MType){(uint16_t)(i->a >> 16)}; }
static inline uint32_t calc_word(Calc c, MType elem) { return (uint32_t)c | (uint32_t)elem.bits << 16; }
enum { LANDING_CLEANUP = 1 }; // LANDING: entered also for exceptions that no clause names
// The runs of a global: from *first, so many.
uint32_t global_runs(const Unit *u, uint32_t global, uint32_t *first);

// The block that the instruction is in.
uint32_t func_block_of(const Unit *u, const Func *f, uint32_t ins);

// The text form. unit_print_func prints one function (show ir).
void unit_print(Out *o, const Unit *u);
void unit_print_func(Out *o, const Unit *u, const Func *f);
// Pieces of one function, for the dumps of other stages: an instruction as one line without its
// end, an operand as it is in instructions.
typedef struct UnitPrinter UnitPrinter;
UnitPrinter *unit_printer_new(Out *o, const Unit *u, const Func *f);
void unit_printer_ins(UnitPrinter *p, uint32_t ins);
void unit_printer_ref(UnitPrinter *p, Ref r);
void unit_printer_free(UnitPrinter *p);
// Null after messages with positions when the text is not a unit. `file` names it in messages.
Unit *unit_parse(const char *text, const char *file, Diag *d);

// The binary form.
void unit_write(Out *o, const Unit *u);
// Null with a reason in *why (static text) when the bytes are not an intact, valid unit.
Unit *unit_read(const void *bytes, size_t len, const char **why);

// Null when the unit keeps its promises, else what is wrong (allocated in `a`).
const char *unit_check(const Unit *u, Arena *a);

#endif
