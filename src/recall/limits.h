// Tuning of what is kept from run to run.
#ifndef RECALL_LIMITS_H
#define RECALL_LIMITS_H

enum {
    // Lists of questions for the same code. More cost a look each where nothing is found; fewer make
    // a function forget that is asked in turn what two versions of a callee lead it to ask.
    MOST_QUESTIONS = 6,
    // Lists of what the replays of the same findings read, for the same reason.
    MOST_READ = 3,
    // How long others leave a component to a machine that has claimed it: so much and a millisecond for
    // so many instructions (the evaluation takes a tenth of that), and never more than a most. What a
    // machine that dies costs the others; shorter makes them do work twice.
    CLAIM_MS = 2000,
    CLAIM_INS_PER_MS = 4,
    MOST_CLAIM_MS = 120000,
    // Types of types that tell two types of the same name apart.
    TYPE_ROUNDS = 6,
};

#endif
