// Numbers for the unknowns of a path under which all its facts hold: what the witness runs with.
//
// Comes in: the facts of a path that can be taken. Goes out: a number for each unknown that some
// fact speaks of; the same for the same facts. False when neither the search nor Z3 (within its
// limit) finds any.
#ifndef LOGIC_MODEL_H
#define LOGIC_MODEL_H

#include "logic/solve.h"

typedef struct {
    Term term; // an unknown
    uint64_t value;
} ModelEntry;

typedef VEC(ModelEntry) Model;

bool model_find(Solver *s, const Conds *c, PMap facts, Model *into);

#endif
