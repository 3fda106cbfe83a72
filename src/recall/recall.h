// The memory of earlier runs: what the evaluation of a component gave, with all that it had read,
// so that it need not be evaluated again where it would read the same.
//
// For each component of the call graph there are three kinds of small objects, which are never
// changed once they are written:
//
//     questions   under the code (stable.h) of the component: of whom it asked a summary, which
//                 constants it read. Answers decide what is asked next, so there may be several
//                 lists; each has a number.
//     result      under the code, the questions, and today's answers to them: a summary by the hash of
//                 its content, a constant by its value. Raw findings, the hashes of the component's own
//                 summaries, and what is read after the run.
//     summaries   under the same: cases and terms, read only when a caller has to be evaluated.
//
// Where functions call each other in a circle, a third of an editor may be one component. So each evaluation
// of one of its functions (there are several rounds) has these objects too, under the function's own
// code and what it asked, of the others in the circle as well: their summaries as they were at that moment. An edit
// in the circle costs those of its functions that are told something else, round by round. What an evaluation
// is told is all that it depends on, so the rounds come to what they would come to without memory.
//
// So an edit costs the functions edited and those callers that see a difference in their summaries,
// not all callers of callers; and of what is not evaluated only the result is read. All keys begin
// with one that names this build, the specs and the options (RecallStore.base).
//
// Whatever else an evaluation reads must become part of this: of the code's hash, or of what is
// noted in the Trace. A test edits programs at random and compares with runs without memory.
#ifndef RECALL_RECALL_H
#define RECALL_RECALL_H

#include "base/hash.h"
#include "base/pack.h"
#include "recall/stable.h"
#include "summary/summary.h"

typedef struct Recall Recall;

// Bytes under a key. Any thread may call these; bytes that `get` gives are whole, and freed with
// mem_free.
typedef struct {
    void *context;
    Hash128 base;
    char *(*get)(void *context, Hash128 key, size_t *len);
    void (*put)(void *context, Hash128 key, const void *bytes, size_t len);
    // False: somebody else has said within his `ms` milliseconds that he evaluates it. May be null.
    bool (*claim)(void *context, Hash128 key, uint32_t ms);
} RecallStore;

// How a function of a recursion is evaluated; bits.
enum { ROUND_LAST = 1, ROUND_SILENT = 2 };

typedef enum {
    RECALL_TAKEN,
    RECALL_ABSENT,    // it has to be evaluated
    RECALL_ELSEWHERE, // another machine is about to; ask again
} RecallAnswer;

// Where results stand, by FuncId; whoever is evaluating or recalling a component writes its own.
typedef struct {
    const Summary **summaries; // null: not yet, or no code
    Findings **found;          // raw findings
    Without without; // of the findings, see finding.h
} Results;

Recall *recall_new(const Facts *facts, Results results, const RecallStore *store);
void recall_free(Recall *m);
// Puts the component's findings in place, and summaries that are still closed: what callers read is
// not in them. What is made lives in `arena`. `callees` answers as it would for an evaluation. With
// `patient` the component may be left to another machine.
RecallAnswer recall_component(Recall *m, Callees *callees, Arena *arena, uint32_t scc,
                              bool patient);
// Likewise one evaluation of a function of a recursion, which `round` tells from its others. What it asked
// is added to callees->trace, the component's. Not where the component's summaries are made anew for recall_open.
bool recall_round(Recall *m, Callees *callees, Arena *arena, FuncId f, uint32_t round);
// Notes what was evaluated with callees->trace, and adds that to the component's `all`.
void recall_note_round(Recall *m, Callees *callees, FuncId f, uint32_t round, Trace *all);
// Whether the function's summary has a way out, opened or not.
bool recall_has_way(const Recall *m, FuncId f, const Summary *sum);
// Milliseconds after which a machine that has claimed the component counts as gone.
uint32_t recall_claim_ms(const Recall *m, uint32_t scc);
// Notes what was evaluated with callees->trace.
void recall_note(Recall *m, Callees *callees, uint32_t scc);
// Whether the function's summary is closed.
bool recall_is_closed(const Recall *m, FuncId f);
// Puts the function's summary in place. Not for two threads at once. False: it cannot be had any more,
// and the component has to be evaluated; recall_opened says that it was.
bool recall_open(Recall *m, Arena *arena, FuncId f);
void recall_opened(Recall *m, FuncId f);
// One that was opened before another of its component could not be: it is still read, and another takes its place.
void recall_replaced(Recall *m, Summary *opened);
// Functions that were taken from memory.
uint32_t recall_count(const Recall *m);

// What came of the replays of a function's findings (replays.c), as bytes. The key of these findings;
// the bytes that were kept for it, to be read by `p` and then freed with mem_free (null: none, or the
// runs would read something else today), and how many lists of what was read are there; a Pack to write with; and
// to keep what was written: `funcs` and `globals` by id are what the runs read. Not for several threads at once.
Hash128 recall_replayed(Recall *m, FuncId f, Findings *found);
char *recall_find_replays(Recall *m, Hash128 of, Pack *p, uint32_t *lists);
Pack recall_pack(Recall *m);
void recall_keep_replays(Recall *m, Hash128 of, uint32_t lists, const Map *funcs, const Map *globals, Pack *replays);

// pack_summary.c: a summary both ways. p->context is a PackSummary.
typedef struct {
    const Stable *stable;
    const SpecTable *specs;
    const Program *program;
} PackSummary;
void pack_summary(Pack *p, Summary *sum);
// What is known of a closed one.
void pack_closed(Pack *p, Summary *sum);
// A position relative to the function in which it lies.
void pack_place(Pack *p, Pos *pos);

#endif
