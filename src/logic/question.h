// What is asked about a path: can all its facts hold at once? The facts as one flat list of nodes,
// operands first, in which each term occurs once. Two procedures read it: search.h looks for
// numbers that make all of them hold, solve.h asks Z3.
//
// Of an unknown that no composed fact mentions the quick procedure (cond.h) knows all there is:
// facts about it are left out.
#ifndef LOGIC_QUESTION_H
#define LOGIC_QUESTION_H

#include "logic/cond.h"

typedef struct {
    uint8_t kind; // TermKind; T_UNDEF for all unknowns
    uint8_t width;
    bool fixed;       // no unknown in it
    uint32_t a, b, c; // operands, as numbers of nodes; 0 none
    int64_t number;   // of an INT its value, of an ADDR the constant bytes
    Term term;        // of which this is the node
} AskedNode;

typedef struct {
    uint32_t node;
    const Range *range;
} AskedFact;

typedef struct {
    VEC(AskedNode) nodes; // 0 is unused
    VEC(AskedFact) facts;
    VEC(uint32_t) sums; // nodes of kind ADD that must not wrap: sums of sizes
    Map index;          // term -> node
} Question;

// False when no fact is composed: then the quick procedure has said all there is to say.
bool question_pose(Question *q, const Conds *c, PMap facts);
void question_free(Question *q);

#endif
