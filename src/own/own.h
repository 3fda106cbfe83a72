// Ownership inference: who must free.
//
// Comes in: a linked program and the specs. Goes out: for each function an interface (what each
// parameter takes or borrows, what the result owns, which containers own their elements), findings
// of stage STAGE_OWN, and draft specs. The model is Clouseau's (Heine and Lam, "Static Detection of
// Leaks in Polymorphic Containers"): every object has exactly one owning pointer; each statement
// gives 0-1 constraints over the ownership of pointers at program points; what cannot be satisfied
// is a potential leak or a potential double delete.
//
// Promised: findings do not depend on time or on addresses; a function that is too large is given
// up aloud; cost grows with the sum of the live ranges of pointers, near-linearly in practice.
//
// Levels: violations in which a closed container instance takes part (one that only specified
// container functions touch) are `sure` when the statements in conflict lie on one path and the
// evaluation comes to them. Others go by the priority of the constraint that is violated: facts and
// scopes on one path are `likely` where the evaluation gave up (elsewhere it has seen all paths and
// tells them itself); beliefs and fields are `likely` where enough callers agree;
// violations that rest on merged paths, on borrowing or on memory are `audit`. At audit the list is
// complete under these assumptions: the specs are right, the program is memory-safe, no pointer is
// forged from an integer, and functions without code or spec hand out no memory and free none.
#ifndef OWN_OWN_H
#define OWN_OWN_H

#include "eval/eval.h"
#include "finding/finding.h"
#include "link/belief.h"
#include "link/program.h"
#include "spec/spec.h"

typedef struct {
    const SpecTable *specs;
    bool audit;    // also the violations that only --level=audit shows
    bool discover; // as if the user had specified no container, and with counts of how functions
                   // are used: for own_print_specs
    Map *said;     // own_print_specs: names that were printed for another program; may be null
} OwnOptions;

typedef struct Own Own;

Own *own_new(const Program *p, const OwnOptions *o);
void own_free(Own *o);
// Infers all interfaces, callees before callers; findings of fresh units go to `into` (may be
// null).
void own_run(Own *o, Findings *into);

// After own_run and the evaluation of the same program: sure findings at places that no path comes
// to are no longer sure, and those that the evaluation could have contradicted are likely only where
// it gave up.
void own_settle(Own *o, const Eval *e);

// After own_run: what call sites say of functions with neither code nor spec. Lives as long as o.
const Beliefs *own_beliefs(const Own *o);

// After own_run. `stanch show owners F`: the interface and the solution inside the function.
void own_print_owners(Out *out, Own *o, FuncId f);
// `stanch spec infer`: routines where ownership goes into memory, drafts for them, and the
// interfaces of allocators and releasers; then what usage makes us believe of functions that have
// neither code nor spec. All of it can be read by `stanch spec check`.
void own_print_specs(Out *out, Own *o);

#endif
