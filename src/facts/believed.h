// Allocators that the callers make us believe in.
//
// Requires: specs of the program's functions, and points. Gives: a specification for functions with
// neither code nor spec, and for pointers to functions of which nobody says what they hold (a global, one
// field of one struct), that hand out a block which the caller owns: their results end, in several
// functions, in one and the same release; and the calls that pass something to such a release. Promises: what
// is known is not touched; of the releases nothing follows but that a block of these allocators is not lost.
//
// What rests on such a specification says so (SpecFunc.belief) and is `likely` at most.
#ifndef FACTS_BELIEVED_H
#define FACTS_BELIEVED_H

#include "facts/facts.h"

// Fills spec_of where it has nothing, and call_specs. Needs specs and points.
void believed_find(Facts *f, Arena *a);

#endif
