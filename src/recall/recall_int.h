// Shared by the files of this module only.
#ifndef RECALL_RECALL_INT_H
#define RECALL_RECALL_INT_H

#include "recall/recall.h"

#include <stdatomic.h>

typedef enum { OBJECT_QUESTIONS, OBJECT_RESULT, OBJECT_SUMMARIES, OBJECT_CLAIM, OBJECT_READ, OBJECT_REPLAYS } ObjectKind;

// Summaries of one component, as they were kept: the lengths, then the summaries in the component's order.
typedef struct {
    char *bytes;
    const char *first;
    uint32_t *len; // by place in the component; 0: not evaluated
} Opening;

struct Recall {
    const Facts *facts;
    Results results;
    const RecallStore *store;
    Arena *arena;
    Stable *stable;
    PackSummary context;
    Hash128 *body;         // by FuncId with code
    Hash128 *summary;      // by FuncId: of its content, once its component is done
    Hash128 *result;       // by SccId: code, questions and answers, where it was recalled
    _Atomic bool *closed;  // by FuncId
    uint32_t *questions;   // by SccId: lists that were found, while it is not done
    _Atomic uint32_t recalled;
    VEC(Opening) opening; // of components that were asked for, while a lock is held
    Map openings;         // SccId -> place there
    VEC(Summary *) replaced;
    Map written;     // GlobalId -> a hash of its fields that are written
    bool written_is; // known
};

Hash128 object_key(Hash128 of, ObjectKind kind, uint32_t number);
void pack_hash(Pack *p, Hash128 *h);
// Puts what was packed, and frees it.
void recall_put(const Recall *m, Hash128 of, ObjectKind kind, uint32_t number, Pack *p);
// The same with one of several lists, of which `found` are there and `most` may be.
void recall_put_list(const Recall *m, Hash128 of, ObjectKind kind, uint32_t found, uint32_t most, Pack *list);

#endif
