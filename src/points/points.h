// Who may point where: inclusion-based points-to analysis of a whole program (Andersen 1994).
//
// Comes in: a linked program and the specs. Goes out: for every pointer-like value the set of
// cells (object and byte offset) that it may point to, and for every call through a pointer its
// targets. Promised: the same program gives the same cells and sets; a set that lacks the unknown
// cell is complete for code that computes addresses as C allows (doc/points.md says what is left
// out); cost grows nearly linearly with the program.
//
// Objects are locals, globals, functions and one heap object for each allocation site, where the
// calls of an allocation wrapper count as sites of their own. Fields are told apart by their byte
// offset, elements of an array are not. Code that we do not see is one cell, POINTS_UNKNOWN: as a
// member of a set it stands for what that code owns and for all objects that have escaped to it
// (implicit pointees, as in Krogstie et al., CGO 2024), so that sets do not fill with everything
// that was ever handed out.
#ifndef POINTS_POINTS_H
#define POINTS_POINTS_H

#include "base/sbits.h"
#include "link/program.h"
#include "spec/spec.h"

typedef struct Points Points;
DEFINE_ID(ObjId);

enum { POINTS_UNKNOWN = 1 }; // the cell of code and memory that we do not see

typedef enum {
    POBJ_UNKNOWN,
    POBJ_LOCAL,   // func, index: LocalId
    POBJ_GLOBAL,  // index: GlobalId
    POBJ_STRINGS, // all string literals together
    POBJ_FUNC,    // func
    POBJ_HEAP,    // func, index: the calling instruction; which: what of the call gives it
    POBJ_BYVAL,   // func, index: parameter; the callee's copy of a struct
    POBJ_REST,    // func: its variable arguments
} ObjKind;

typedef struct {
    ObjKind kind;
    FuncId func;
    uint32_t index;
    int16_t which;  // POBJ_HEAP: SPEC_RETURN or the parameter through which it comes
    FuncId maker;   // POBJ_HEAP: the function called
    bool escaped;   // unknown code may read and write it
    bool collapsed; // its fields are one cell
} PointsObj;

Points *points_solve(const Program *p, const SpecTable *specs);
void points_free(Points *p);

// The cells that a value of the function may point to; null or empty: none. Ids are those of
// points_cell_*.
const SBits *points_set(const Points *p, FuncId f, Ref value);
// What may be stored in a cell.
const SBits *points_content(const Points *p, uint32_t cell);
ObjId points_cell_object(const Points *p, uint32_t cell);
uint32_t points_cell_offset(const Points *p, uint32_t cell);
// The cell is one place in memory while its function runs: a variable that is no array, of a
// function that is not recursive.
bool points_cell_is_single(const Points *p, uint32_t cell);
uint32_t points_cell_limit(const Points *p); // cells are below this
const PointsObj *points_object(const Points *p, ObjId o);
uint32_t points_object_count(const Points *p); // ids are 1 .. count
// The object's cells by offset, i from 0; 0 after the last.
uint32_t points_object_cell(const Points *p, ObjId o, uint32_t i);
// The heap object made by this call, by what of it (SPEC_RETURN or a parameter); id 0: none.
ObjId points_heap(const Points *p, FuncId caller, uint32_t ins, int16_t which);
// Calls of this function count as allocation sites of their own.
bool points_is_wrapper(const Points *p, FuncId f);
// The specification by which calls of this function are taken; null: by its code, or unknown.
const SpecFunc *points_spec(const Points *p, FuncId f);

bool points_may_alias(const Points *p, FuncId f, Ref a, FuncId g, Ref b);
// The functions that the call or invoke may reach, ascending, appended to `into`. False when code
// that we do not see may be among them.
bool points_callees(const Points *p, FuncId caller, uint32_t ins, U32s *into);

// The virtual functions of the classes whose objects a function of C++ makes (it stores their tables), appended.
void points_virtuals(const Program *prog, FuncId func, U32s *into);

// The components of the direct call graph, from 1 on, in an order that keeps callees before callers
// and has the targets of calls through pointers before their callers too (all of those that are
// complete, a few known ones of the others), and virtual functions before those that make objects with them,
// where that makes no cycle.
const SccId *points_order(const Points *p, Arena *a);

// "x", "f:x+8", "heap f:12", in the words of the dumps.
void points_print_cell(Out *o, const Points *p, uint32_t cell);
// `stanch show points F`: one line for each value that points somewhere, then the contents of the
// cells that they reach.
void points_print(Out *o, const Points *p, FuncId f);
// `stanch show calls --indirect`: one line for each call through a pointer, of `f` or of all.
void points_print_calls(Out *o, const Points *p, FuncId f);

typedef struct {
    uint32_t nodes, kept, constraints, objects, sweeps, collapsed;
    uint64_t steps; // work: what the solution has gone through, sets in blocks of 64
} PointsCounts;
PointsCounts points_counts(const Points *p);

#endif
