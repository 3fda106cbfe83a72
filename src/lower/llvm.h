// All of llvm-c that this module uses, and what differs between its versions.
#ifndef LOWER_LLVM_H
#define LOWER_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdint.h>

// DWARF tags that we tell apart; the numbers are the DWARF standard's.
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42,
    TAG_ATOMIC = 0x47,
};

// Operand numbers of debug information nodes, where llvm-c has no getter (LLVM 19,
// DebugInfoMetadata.h).
enum {
    DI_SCOPE = 1, // of types, namespaces, subprograms and lexical blocks
    DI_NAME = 2,
    DI_BASE_TYPE = 3, // derived and composite types
    DI_ELEMENTS = 4,  // composite types
    DI_SUBROUTINE_TYPES = 3,
    DI_SUBPROGRAM_TYPE = 4,
    DI_SUBPROGRAM_DECLARATION = 6,
    DI_VARIABLE_SCOPE = 0,
    DI_VARIABLE_NAME = 1,
    DI_VARIABLE_TYPE = 3,
    DI_UNIT_RETAINED_TYPES = 5,
    DI_OPERANDS_MAX = 24, // more than any debug information node has
};

// Debug information as calls of llvm.dbg.*: the records that replaced them have no getters.
static inline void llvm_show_debug_calls(LLVMModuleRef m)
{
    if (LLVMIsNewDbgInfoFormat(m)) LLVMSetIsNewDbgInfoFormat(m, 0);
}

#endif
