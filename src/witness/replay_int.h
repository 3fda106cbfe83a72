// Shared by the files of the replay: what one finding's runs know.
#ifndef WITNESS_REPLAY_INT_H
#define WITNESS_REPLAY_INT_H

#include "finding/grounds.h"
#include "unit/cfg.h"
#include "witness/replay.h"
#include "witness/witness_int.h"

// A choice that a run makes freely: what it can be, in the order in which it is tried.
typedef struct {
    int64_t options[OPTIONS_MAX];
    uint32_t count, pick;
    uint32_t bits;
    bool number;
    bool grows; // comparisons add the number that would have changed their outcome
} FreeChoice;

struct Replayed {
    const Facts *facts;
    const Finding *f;
    FuncId func;
    WitnessKept *read; // what is read is noted there; or null
    const Unit *u;
    const Func *body;
    const Cfg *cfg;

    VEC(FreeChoice) choices; // of the run under way; the first `kept` are settled by earlier ones
    uint32_t kept, made;
    bool tolerant;   // loops may take other rounds than the path's
    bool spent;      // no more choices are tried, though there are some
    uint32_t strays; // times that a choice was changed on which nothing was seen to depend

    VEC(PathInput) places; // of input blocks; value is not used
    uint32_t next;         // choice of the path that comes next
    uint32_t at;           // the outermost function's instruction under way
    uint32_t blocks;
    bool strayed;          // a branch went another way than the path's
    bool telling; // the run that showed it is made once more: it is not to stop for a better one
    bool obtained, passed; // the block was made; and after that the place of loss was passed
    uint64_t blame;        // free choices that led away from the path, by bit
    uint64_t making;       // those made by the call that obtains the block
    uint64_t between;      // those made from there on, until the loss is over
    uint64_t since;        // those that branches since the last choice of the path depended on
    const PathInput *fresh; // what the path says of the block that the call under way obtains
    Map results;           // instruction -> how often it was executed
    Map pointers;          // number that the model gave a pointer -> address
    Map origins;           // address -> index in `origin`
    VEC(Dependence) origin;
};

// search.c
uint64_t choice_bit(uint32_t index);
// Makes a choice among the options, or the one that an earlier run settled; returns its index.
uint32_t choose(Replayed *r, const int64_t *options, uint32_t n, uint32_t bits, bool grows);
int64_t chosen(const Replayed *r, uint32_t index);
Dependence choice_origin(uint32_t index, bool number);
// Whether one among the choices has another option.
bool search_has(const Replayed *r, uint64_t among);
// Small numbers for those among the choices that led to a wild access.
void search_smaller(Replayed *r, uint64_t among);
// Another option for what led away from the path, else for the last choice that has one; false
// when none has.
bool search_next(Replayed *r);
// From the beginning, with other rounds of loops; false when they were allowed already.
bool search_again(Replayed *r);
void search_free(Replayed *r);

// inputs.c
Value input_param(Machine *m, uint32_t param);

#endif
