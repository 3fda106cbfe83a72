// Tuning of what is kept from run to run.
#ifndef RECALL_LIMITS_H
#define RECALL_LIMITS_H

enum {
    // Bytes that one program, or the pool of a run, may keep; what does not fit is evaluated again.
    MOST_BYTES = 512 << 20,
    // Types of types that tell two types of the same name apart.
    TYPE_ROUNDS = 6,
};

#endif
