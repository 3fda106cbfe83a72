// Shared by the files of this module only.
#ifndef RECALL_RECALL_INT_H
#define RECALL_RECALL_INT_H

#include "recall/recall.h"

#include <stdatomic.h>

typedef enum { OBJECT_QUESTIONS, OBJECT_RESULT, OBJECT_SUMMARIES, OBJECT_CLAIM, OBJECT_READ, OBJECT_REPLAYS } ObjectKind;

// A summary as bytes, while its component is evaluated round by round; null: none.
typedef struct {
    char *bytes;
    size_t len;
} Kept;

struct Recall {
    const Facts *facts;
    Results results;
    const RecallStore *store;
    Arena *arena;
    Stable *stable;
    PackSummary context;
    Hash128 *body;         // by FuncId with code
    Hash128 *summary;      // by FuncId: of its content, once its component is done
    Hash128 *at;           // by FuncId: code, questions and answers under which its summary is kept
    Kept *kept;            // by FuncId
    bool *has_way;         // by FuncId, of closed ones in a recursion: there is a way out
    uint32_t *lists;       // by FuncId, of a round: lists of questions that were found
    _Atomic bool *closed;  // by FuncId
    uint32_t *questions;   // by SccId: lists that were found, while it is not done
    _Atomic uint32_t recalled;
    VEC(Summary *) replaced;
    Map written;     // GlobalId -> a hash of its fields that are written
    bool written_is; // known
};

// The key of what comes of these questions and today's answers. False: a question is out of place.
bool result_of(const Recall *m, Callees *callees, Hash128 code, const char *questions, size_t len, Hash128 *result);
void pack_trace(const Recall *m, const Trace *t, Pack *p);
bool findings_fit(const Program *p, FuncId id, const Findings *found);
bool recall_evaluates(const Recall *m, FuncId f);
void drop_kept(Recall *m, FuncId f);

Hash128 object_key(Hash128 of, ObjectKind kind, uint32_t number);
void pack_hash(Pack *p, Hash128 *h);
// Puts what was packed, and frees it.
void recall_put(const Recall *m, Hash128 of, ObjectKind kind, uint32_t number, Pack *p);
// The same with one of several lists, of which `found` are there and `most` may be.
void recall_put_list(const Recall *m, Hash128 of, ObjectKind kind, uint32_t found, uint32_t most, Pack *list);

#endif
