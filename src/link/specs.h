// Which specification describes a function of the program.
//
// Comes in: a linked program and the specs. Goes out: for each function the one declaration that
// is meant, the same for every stage. A function of the program's own may bear the name of a
// library's: one that takes a pointer where the spec has a number, or the other way round, is not
// the one that the spec describes.
#ifndef LINK_SPECS_H
#define LINK_SPECS_H

#include "link/program.h"
#include "spec/spec.h"

// Null: none.
const SpecFunc *program_spec(const Program *p, const SpecTable *t, FuncId f);
// Of a library's variable that holds a function (xmlFree): null where the program itself says what it
// holds.
const SpecFunc *program_variable_spec(const Program *p, const SpecTable *t, GlobalId g);

// forward.c: a library function may only call another one, which the program has replaced (operator
// delete[] where the program has an operator delete): its calls become calls of the program's.
void programs_forward(Programs *programs, Arena *a, const SpecTable *t);

#endif
