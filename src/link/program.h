// The program: units resolved into one name space, as a linker would.
//
// Comes in: units (never changed, never copied) and, where known, what the build linked. Goes
// out: for each linked binary or library a Program, which gives every function and every global
// a program-wide id, says which unit defines it, and holds the direct call graph with its
// strongly connected components. Promised: the same units, in any order, and the same link steps
// give the same ids;
// every function with code in a unit of a program has an id there, except copies that a linker
// drops (a weak definition beside a strong one, the second copy of an inline function), which are
// counted; id 0 is none.
//
// A use inside a unit is resolved through the unit's own table:
//
//     FuncId callee = program_func(p, unit_index, (UFuncId){c->target});
//     const Unit *u;
//     const Func *f = program_body(p, callee, &u);   // null: no code, ask the specs
//
// Types of different units are not merged.
#ifndef LINK_PROGRAM_H
#define LINK_PROGRAM_H

#include "base/map.h"
#include "unit/unit.h"

DEFINE_ID(FuncId);
DEFINE_ID(GlobalId);
DEFINE_ID(SccId); // from 1; callees before callers

// One call or invoke instruction.
typedef struct {
    uint32_t ins;  // instruction of the calling function
    FuncId callee; // 0: indirect
} CallSite;

typedef struct {
    uint32_t first, count;
} ProgRange;

typedef struct {
    Name name;         // symbol, in Program.names
    Name source;       // as in the source
    uint32_t unit;     // index in Program.units: of the definition, else of the first declaration
    UFuncId func;      // in that unit
    uint32_t flags;    // PROG_*
    FuncId resolver;   // PROG_IFUNC: who chooses the target at start
    ProgRange calls;   // in Program.calls, by instruction
    ProgRange callers; // in Program.callers, distinct, ascending
    SccId scc;
    // Parameters, by bit: in which plug-ins hand it functions of theirs; and, in a plug-in, those of which
    // it is known that the program which loads it calls them a few times.
    uint32_t asked, few;
} ProgFunc;

typedef struct {
    Name name, source;
    uint32_t unit;
    UGlobalId global;
    uint32_t flags; // PROG_*
    uint64_t size;  // the largest one where commons were merged
} ProgGlobal;

enum {
    PROG_DEFINED = 1,
    PROG_INTERNAL = 2, // static: known to its unit only
    PROG_ADDRESS_TAKEN = 4,
    PROG_WEAK = 8, // may be replaced when the program is loaded
    PROG_IFUNC = 16,
    PROG_SHARED = 32,     // comes from a shared library that the program links
    PROG_DUPLICATE = 64,  // strong, but an earlier strong definition has taken the name
    PROG_START = 128,     // run before main
    PROG_SAME_NAME = 256, // another function of the program has the same source name
    PROG_ENDS = 512, // without code here, and where another program of the run has it, it never
                     // comes back
    PROG_KEPT = 1024,   // run at the end of the process, or kept for users that are not seen
    PROG_HIDDEN = 2048, // of a linked program: nothing outside of the binary or library that it is
                        // part of can name it
};

typedef struct {
    const char *name; // of the binary or library; "" where link steps are unknown
    bool linked;      // a binary or a shared library; not an archive, nor what no link step names
    bool host;        // has functions with `asked`
    bool listed;      // a shared library of which it is known what it exports
    Names *names;
    const Unit **units;
    uint32_t unit_count;
    uint32_t *unit_number; // index of each unit in what link_programs was given
    bool *unit_fresh;      // not part of an earlier program: its findings are told here
    bool *unit_tests;      // only tests are linked with it
    FuncId **func_of;      // [unit][UFuncId]
    GlobalId **global_of;  // [unit][UGlobalId]
    VEC(ProgFunc) funcs;   // entry 0 is none
    VEC(ProgGlobal) globals;
    VEC(CallSite) calls;
    VEC(FuncId) callers;
    VEC(FuncId) address_taken; // ascending
    VEC(FuncId) order;         // all functions, callees before callers; components are together
    VEC(ProgRange) sccs;       // in order; entry 0 is none
    uint32_t duplicates;       // strong definitions beyond the first of their name
    uint32_t dropped;          // weak and inline copies that a linker drops
} Program;

// What a build linked. Units and steps are named by their place in the arrays; a step's inputs
// may be any other steps.
typedef enum { LINK_PROGRAM, LINK_SHARED, LINK_ARCHIVE, LINK_RELOCATABLE } LinkKind;

typedef struct {
    bool is_step; // else a unit
    bool whole;   // an archive under --whole-archive
    uint32_t index;
} StepInput;

typedef struct {
    const char *name;
    LinkKind kind;
    const StepInput *inputs;
    uint32_t input_count;
    // Of a binary or shared library: the symbols that others can find in it. Where they are not
    // known, a binary is taken to have none and a library all.
    const char *const *exports;
    uint32_t export_count;
    bool exports_known;
    bool open; // has an object without a unit that may call anything
} LinkStep;

typedef struct {
    const Unit *const *units;
    uint32_t unit_count;
    const LinkStep *steps;
    uint32_t step_count;
    // Symbols that linked objects without a unit ask for.
    const char *const *needed;
    uint32_t needed_count;
} LinkInfo;

typedef VEC(Program *) Programs;

// One program for each linked binary and each shared library; an archive's members are taken as
// the linker takes them, when they define what is missing; units of a shared library come last
// in every program that links it. Whatever no program took is in further programs: the
// archives with such members, and one of all that is left. A program whose units are all part
// of another one is left out. Without link steps there is one program of all units.
// Everything but Names lives in `a`; programs_free before the arena goes.
Programs link_programs(Arena *a, const LinkInfo *info);
void programs_free(Programs *programs);

// All units as one program. Where a name is defined twice (several programs in one directory
// tree, and nobody said what is linked) a unit's own definition is taken, then the one whose
// source shares the longest directory with the user's, then the first by source path and content.
Program *program_build(Arena *a, const char *name, const Unit *const *units, uint32_t unit_count);
void program_free(Program *p);
// True when no unit of a run of unit_count units is missing here.
bool program_covers_all(const Program *p, uint32_t unit_count);

static inline FuncId program_func(const Program *p, uint32_t unit, UFuncId f)
{
    return p->func_of[unit][f.id];
}
static inline GlobalId program_global(const Program *p, uint32_t unit, UGlobalId g)
{
    return p->global_of[unit][g.id];
}
// The function that an operand names: the callee of a direct call. 0: none.
FuncId program_callee(const Program *p, uint32_t unit, const Unit *u, Ref callee);
// The function that the system starts: `main`, as the linker sees it.
bool program_is_main(const Program *p, FuncId f);
// The same for one name in all programs of a run.
uint64_t program_name_key(const Program *p, FuncId f);
static inline bool program_has_code(const Program *p, FuncId f)
{
    return p->funcs.at[f.id].flags & PROG_DEFINED;
}
// The body, or null where there is none; *u is the unit of the body, else of a declaration.
const Func *program_body(const Program *p, FuncId f, const Unit **u);
// The declaration or definition that stands for the function.
const Func *program_decl(const Program *p, FuncId f, const Unit **u);

// Functions by symbol or by source name ("f", "ns::f"); "file.c:f" picks a static one. Returns
// how many; `into` gets them in ascending order.
uint32_t program_find(const Program *p, const char *text, U32s *into);
// The source name, with its file before it where two functions of the program share the name.
const char *program_label(const Program *p, Arena *a, FuncId f);
// Functions whose address the resolver of an ifunc mentions: what it may choose from.
void program_ifunc_targets(const Program *p, FuncId f, U32s *into);

// Strongly connected components of any graph given as adjacency: node n's successors are
// edges[first[n] .. first[n + 1]). Components come callees first (every edge leaves to the same
// or an earlier component), nodes inside one in ascending order. Iterative, so that depth is no
// matter of the stack. (Tarjan, SIAM J. Computing 1972.)
typedef struct {
    uint32_t *order; // nodes, component by component
    uint32_t *of;    // node -> component
    uint32_t *start; // component -> place in order; start[count] is the end
    uint32_t count;
} Components;
Components components_of(Arena *a, uint32_t nodes, const uint32_t *first, const uint32_t *edges);

// Graphviz of the direct call graph, or of what `from` reaches when it is not 0.
void program_print_dot(Out *o, const Program *p, FuncId from);
// One line a function: "f -> g, h, <indirect>".
void program_print_calls(Out *o, const Program *p, FuncId from);

#endif
