// Private to src/lower: what its files share while one module is translated.
#ifndef LOWER_LOWER_INT_H
#define LOWER_LOWER_INT_H

#include "base/map.h"
#include "lower/llvm.h"
#include "lower/lower.h"

typedef struct {
    uint64_t size; // bytes between elements of an array of this type; 0 unknown
    LLVMTypeRef type;
    MType mtype;
} TypeInfo;

// A field address met while lowering, named at the end when all source types are known. Nodes form
// chains: `joined` to the node before it in the same address computation (s->a.b), or merely
// following it, which tells the source type of an anonymous struct.
typedef struct {
    uint32_t parent; // node; 0 none
    bool joined;
    LLVMTypeRef type; // the struct
    uint32_t index;   // its element
    Name name;        // when resolved
    TypeId elem;      // source type of the field, when resolved
} FieldNode;

typedef struct {
    uint32_t ins; // from the function's start
    LLVMValueRef phi;
} PendingPhi;

typedef struct {
    LLVMMetadataRef node;
    TypeId type;
} PendingType;

typedef struct {
    uint32_t param, local; // parameter number, LocalId
} Spill;

typedef enum { SYMBOL_GLOBAL = 1, SYMBOL_FUNC = 2 } SymbolKind;

// One module being lowered.
typedef struct Lower {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    Unit *u;
    UnitBuilder *b;
    Arena *arena;
    char *why; // a refusal
    bool cxx;
    uint32_t pointer_bits;
    uint32_t dbg_kind;
    uint32_t opaque_count; // distinguishes opaque constants
    LLVMBuilderRef folder; // computes with constants, inserts nothing; made when needed
    LLVMMetadataRef empty_expression;
    Map marks; // variable of a record that keeps a position -> its number (mark.c)
    VEC(LLVMMetadataRef) mark_nodes;

    Map type_infos; // LLVMTypeRef -> index of infos
    VEC(TypeInfo) infos;
    Map symbols;     // LLVMValueRef -> kind << 32 | id
    Map consts;      // LLVMValueRef -> Ref bits, or CONST_NEEDS_CODE
    Map intrinsics;  // intrinsic id -> Intrinsic
    Map blocks_kept; // LLVMBasicBlockRef -> number, of functions with block addresses

    // debug information
    Map di_types, di_files, di_scopes; // metadata -> TypeId, FileId, Name of the scope
    VEC(PendingType) type_queue;
    VEC(PendingType) basic_types; // signedness is read at the end
    TypeId void_type;
    VEC(FieldNode) fields; // from 1
    Map field_keys;

    struct {
        uint32_t noreturn, returns_twice, nonnull, noalias, byval, sret, memory, cold, nounwind;
    } attrs; // attribute kinds

    // one function
    LLVMValueRef fn;
    uint32_t func; // UFuncId
    uint32_t first_ins, first_extra, first_local, first_var;
    Map values;     // LLVMValueRef -> Ref bits
    Map blocks;     // LLVMBasicBlockRef -> number
    Map vars;       // DILocalVariable -> VarId
    Map scopes;     // DIScope -> number
    Map locs;       // DILocation -> LocId
    Map phi_consts; // constants that enter phis -> number
    Map phi_code;   // predecessor block and constant -> Ref bits
    Map ins_fields; // field and index instructions -> FieldNode
    VEC(PendingPhi) phis;
    U32s phi_stamp;
    U32s param_vars;   // by parameter: its variable was found
    VEC(Spill) spills; // parameters kept in local objects
    LLVMMetadataRef last_loc;
    LocId last_loc_id;
    LLVMMetadataRef store_loc; // of the mark just met (mark.c)
    uint32_t store_local;
    U32s mark_vars; // by local as marks count them: its VarId
    LocId loc;      // of the LLVM instruction being lowered
    uint32_t block;
} Lower;

#define CONST_NEEDS_CODE 0 // in Lower.consts: a Ref of 0 is none, so it is free

// module.c
void lower_refuse(Lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// value.c: types and operands
const TypeInfo *lower_type(Lower *l, LLVMTypeRef t);
MType lower_mtype(Lower *l, LLVMTypeRef t);
MType lower_mtype_of(Lower *l, LLVMValueRef v);
Ref lower_value(Lower *l, LLVMValueRef v);       // may emit instructions for a constant
Ref lower_value_quiet(Lower *l, LLVMValueRef v); // never emits; function addresses are not "taken"
Ref lower_callee(Lower *l, LLVMValueRef v);
Ref lower_int(Lower *l, uint32_t bits, int64_t value);
Ref lower_opaque(Lower *l, MType t); // a constant unlike all others
Ref lower_undef(Lower *l, MType t);
// The bytes of a constant that holds no address, its type's size of them, into zeroed `into`; false
// when it holds one or cannot be read (bytes.c).
bool lower_const_bytes(Lower *l, LLVMValueRef v, uint8_t *into);
// The bytes of an array of numbers as they lie in memory; null when it is no such constant.
const uint8_t *lower_raw_numbers(LLVMValueRef v, size_t *len);
bool lower_needs_code(Lower *l, LLVMValueRef v);
// The initial content of a global (init.c).
void lower_init(Lower *l, Global *g, LLVMValueRef init);
// The symbol behind casts and constant offsets; null when there is none.
LLVMValueRef lower_base_symbol(Lower *l, LLVMValueRef v, int64_t *offset);
uint32_t lower_symbol(Lower *l, LLVMValueRef v, SymbolKind kind); // 0: not such a symbol

// ins.c
Ref lower_emit(Lower *l, Op op, MType t, uint32_t a, uint32_t b, uint32_t c, uint8_t flags);
Ref lower_emit_list(Lower *l, Op op, MType t, Ref callee, const Ref *args, uint32_t n,
                    uint8_t flags);
Ref lower_emit_calc(Lower *l, Calc calc, MType elem, MType t, const Ref *args, uint32_t n);
MType lower_ref_type(Lower *l, Ref r);
Ref lower_part(Lower *l, Ref aggregate, uint64_t offset, MType t);
Ref lower_set_part(Lower *l, Ref aggregate, Ref value, uint64_t offset, MType t);
void lower_map_reset(Map *m); // empties it, in time that fits its content
void lower_body(Lower *l, LLVMValueRef fn, uint32_t func);

// call.c
void lower_intrinsics_init(Lower *l);
void lower_call(Lower *l, LLVMValueRef call, LLVMOpcode opcode);

// type.c: debug types
uint32_t lower_md_operands(Lower *l, LLVMMetadataRef md, LLVMValueRef *into, uint32_t max);
LLVMMetadataRef lower_md(LLVMValueRef operand);
Name lower_md_name(Lower *l, LLVMValueRef operand);
TypeId lower_di_type(Lower *l, LLVMMetadataRef md);
void lower_di_types_finish(Lower *l);
// demangle.c: the name in the source of a symbol that C++ has made longer; others as they are.
Name lower_demangled(Lower *l, Name symbol);
Name lower_qualified(Lower *l, LLVMMetadataRef scope, Name name);
TypeId lower_strip(const Unit *u, TypeId t); // without const and typedefs
// The types of a subroutine: [0] is the result. Returns how many, 0 when unknown.
uint32_t lower_di_subroutine(Lower *l, LLVMMetadataRef subroutine, LLVMMetadataRef *into,
                             uint32_t max);

// field.c: names of fields
uint32_t lower_field_node(Lower *l, uint32_t parent, bool joined, LLVMTypeRef type, uint32_t index);
void lower_fields_finish(Lower *l);

// loc.c: positions, variables
FileId lower_file(Lower *l, LLVMMetadataRef file);
LocId lower_loc(Lower *l, LLVMValueRef ins);
LocId lower_loc_of(Lower *l, LLVMMetadataRef at);
LocId lower_loc_line(Lower *l, LLVMMetadataRef file, uint32_t line);
void lower_debug_call(Lower *l, LLVMValueRef call, bool declare);

// thread.c: ways out of a scope
void lower_thread_exits(Lower *l);

// mark.c: positions that mem2reg would lose
void lower_unset_locals(Lower *l);
void lower_marks_add(Lower *l);
bool lower_mark_met(Lower *l, LLVMMetadataRef var, LLVMValueRef call); // false: not a mark
void lower_mark_bound(Lower *l, uint32_t var);

#endif
