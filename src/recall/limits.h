// Tuning of what is kept from run to run.
#ifndef RECALL_LIMITS_H
#define RECALL_LIMITS_H

enum {
    // Lists of questions for the same code. More cost a look each where nothing is found; fewer make
    // a function forget that is asked in turn what two versions of a callee lead it to ask.
    MOST_QUESTIONS = 6,
    // Types of types that tell two types of the same name apart.
    TYPE_ROUNDS = 6,
};

#endif
