// Z3 behind one header: confirms that a path can be taken. The quick procedure (cond.h) has already
// let the path through; here its facts are put together as bit vectors, so that what follows only
// from several of them at once (x < y, y < z, z < x; masks; wrap-around) is seen. Where numbers
// that make them true can be guessed, Z3 is not asked.
//
// Effort is limited by Z3's own count of steps, so that answers do not depend on the machine's
// load; where it gives up, the path counts as possible.
#ifndef LOGIC_SOLVE_H
#define LOGIC_SOLVE_H

#include "logic/question.h"

typedef struct Solver Solver;

Solver *solver_new(void); // costs nothing before the first question
void solver_free(Solver *s);
bool solve_possible(Solver *s, const Conds *c, PMap facts);
bool solve_ask(Solver *s, const Question *q); // Z3 alone
// The numbers of a model, by node; false when Z3 finds none within its limit.
bool solve_numbers(Solver *s, const Question *q, uint64_t *values);
uint64_t solver_questions(const Solver *s);

#endif
