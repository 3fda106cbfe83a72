// Numbers for the unknowns of a question under which all its facts hold: a search from wrong
// numbers to better ones, one unknown at a time. Paths that are asked about can nearly always be
// taken, and such numbers show it at a fiftieth of what Z3 takes to find some.
//
// True is an answer, false is none. The same question gets the same answer on each run.
#ifndef LOGIC_SEARCH_H
#define LOGIC_SEARCH_H

#include "logic/question.h"

bool search_possible(const Question *q);
// The numbers found, by node of the question; room for all of them.
bool search_numbers(const Question *q, uint64_t *values);

// Smaller numbers where all facts hold with them too: those that are run with are indices and
// lengths. What is as wide as a pointer does not become 0.
void search_shrink(const Question *q, uint64_t *values);

#endif
