// 0-1 constraints in order of priority.
//
// A variable is the ownership of one pointer at one program point. A constraint is a set of up to
// six variables with the table of their allowed values, 64 rows in one word: an assignment
// (a = b + c), an equality, a callee's interface are all the same to the solver.
//
//     rows of a = b + c over (a, b, c), bit 0 of the row number is a:  000, 011 (a,b), 101 (a,c)
//
// system_solve takes the constraints priority by priority (Heine and Lam, section 2.3); one that is
// inconsistent with those before it is a violation, is left out, and the rest goes on. Exact:
// propagation first, then search inside each connected component; the search is bounded by steps,
// and a component that exceeds them counts as consistent (errs towards a missed violation).
#ifndef CONSTRAINT_H
#define CONSTRAINT_H

#include "base/vec.h"

#include <stdbool.h>

enum { CON_VARS = 6 };

// Variables 0 and 1 are the constants; they connect nothing.
enum { VAR_ZERO = 0, VAR_ONE = 1 };

typedef struct {
    uint64_t rows; // bit r: row r is allowed; bit k of r is the value of vars[k]
    uint32_t vars[CON_VARS];
    uint8_t count;
    uint8_t prio;
    uint8_t kind;   // for the caller
    bool excluded;  // was inconsistent
    uint32_t place; // instruction to tell, for the caller
    uint32_t path;  // instruction that is passed when it matters, for the caller
    uint32_t value; // whose ownership, for the caller
} Constraint;

typedef struct {
    uint32_t con;
    uint32_t first_core, core_count; // in System.cores: the constraints that contradict it
    bool exact;                      // the core is a chain of forced values, not a whole component
} Violation;

typedef VEC(Constraint) Cons;

typedef struct {
    Cons cons;
    uint32_t var_count;
    U32s cores;
    VEC(Violation) violations;
    // Solver's own.
    int8_t *value;          // -1 open
    uint32_t *reason;       // constraint + 1
    uint32_t *first, *uses; // constraints by variable
    U32s trail;
    uint32_t *group; // union-find over variables
    bool *active;    // by constraint
    uint64_t steps;
    uint32_t next_prio;
} System;

void system_init(System *s);
void system_free(System *s);
uint32_t system_var(System *s);

typedef struct {
    uint8_t prio, kind;
    uint32_t place, value;
    uint32_t path; // 0: place
} ConTag;

static inline ConTag con_tag(uint8_t prio, uint8_t kind, uint32_t place, uint32_t value)
{
    return (ConTag){prio, kind, place, value, 0};
}

// Constants are folded away; a constraint that then holds always is not kept, one that never holds
// is kept with no rows.
void system_add(System *s, ConTag tag, uint64_t rows, uint32_t count, const uint32_t *vars);
void system_equal(System *s, ConTag tag, uint32_t a, uint32_t b);
void system_is(System *s, ConTag tag, uint32_t a, bool one);
// whole = part + rest
void system_split(System *s, ConTag tag, uint32_t whole, uint32_t part, uint32_t rest);
// a <= b
void system_at_most(System *s, ConTag tag, uint32_t a, uint32_t b);

// Takes the constraints of the priorities below prio_end that were not taken yet. All constraints
// must be there when it is first called.
void system_solve(System *s, uint32_t prio_end);
// Chooses the open values, non-owning where there is a choice; nothing is projected afterwards.
void system_settle(System *s);
bool system_value(const System *s, uint32_t var);
// -1: the constraints taken so far leave it open.
int system_forced(const System *s, uint32_t var);
// Variables with the same number are connected by constraints.
uint32_t system_component(System *s, uint32_t var);
// The rows over up to six variables of one component which extend to a solution.
uint64_t system_project(System *s, uint32_t count, const uint32_t *vars);

#endif
