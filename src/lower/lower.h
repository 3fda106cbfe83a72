// LLVM bitcode to our own unit. The only module that includes llvm-c.
//
// Comes in: the bitcode of one translation unit, as clang 19 writes it with
// -O1 -Xclang -disable-llvm-passes -g (or -O0 -g); value names and debug information make the
// result richer but are not needed. Goes out: a Unit (unit/unit.h). Promised: any bitcode that
// LLVM accepts is lowered to a unit that passes unit_check, or refused with a reason; the same
// bytes give the same unit.
//
// What the promise cannot cover is a crash inside LLVM on damaged bitcode: the caller runs this
// in a child process. LLVM's own fatal errors come back as reasons.
//
// Choices that a reader of the unit should know:
//   * mem2reg is run, sroa is not: scalars whose address is not taken are values, structs and
//     arrays stay whole objects with their names.
//   * A `bind` is where the source assigns the variable, with that position; `bind x, none`
//     where its scope ends. Parameters and merges (phis) are bound without a position.
//   * Different ways out of a scope (return, break, end) are different paths, though clang merges
//     them for the scope's cleanup (thread.c).
//   * Blocks are in reverse post order; unreachable ones are left out.
//   * A global with GLOBAL_INIT_PARTIAL and GLOBAL_ZERO: unlisted pointers are null, unlisted
//     integers are unknown. A global with a text has no Init entries.
//   * A parameter that the ABI splits into two registers is two parameters here.
//   * Unknown intrinsics are `opaque`, or `asm` (may write what the arguments reach) when a
//     pointer is among the arguments: errs towards fewer findings.
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "unit/unit.h"

typedef struct {
    const char *language; // "c" or "c++"; null: guessed from the source's extension
    bool verify;          // run LLVM's verifier first (bitcode that is not from our own clang)
    bool keep_memory;     // do not run mem2reg
    bool exits;           // the process ends soon and LLVM's memory with it: do not free it
} LowerOptions;

// `source` is the main source file's path, as the unit shall name it; options may be null.
// Null with *why set (free it with mem_free) when the bitcode is refused.
Unit *lower_bitcode(const void *bytes, size_t len, const char *source, const LowerOptions *options,
                    char **why);

// Major version of the LLVM that is linked in, for cache keys: "19.1.7".
const char *lower_llvm_version(char into[16]);

#endif
