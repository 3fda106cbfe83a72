// Names and contents that survive an edit elsewhere, for the memory of earlier runs (recall.h).
//
// Numbers of functions, globals, constants, types and lines all shift when a file is edited. Here
// a function or global is a hash of its name (a string literal one of its text), a position is a
// function and the lines from its start, and a function's content is a hash in which all of these
// are in this form. Two runs in which everything that an evaluation reads has the same stable
// form evaluate alike, and what they say differs in nothing but the positions, which are put back
// from the present program.
#ifndef RECALL_STABLE_H
#define RECALL_STABLE_H

#include "base/hash.h"
#include "facts/facts.h"
#include "finding/finding.h"
#include "recall/lines.h"

typedef struct Stable Stable;

Stable *stable_new(const Facts *facts);
void stable_free(Stable *s);

// The name of a function or global, never 0, and back (0: there is none of that name).
uint64_t stable_func(const Stable *s, FuncId f);
uint64_t stable_global(const Stable *s, GlobalId g);
FuncId stable_find_func(const Stable *s, uint64_t name);
GlobalId stable_find_global(const Stable *s, uint64_t name);
// What is seen of it without its code or content: name, flags, declared types, what the whole
// program says about it.
uint64_t stable_func_seen(const Stable *s, FuncId f);
uint64_t stable_global_seen(const Stable *s, GlobalId g);
// That, and its first content.
uint64_t stable_global_content(const Stable *s, GlobalId g);
// A constant of a unit, as an initialiser holds it.
uint64_t stable_const(const Stable *s, uint32_t unit, const Const *c);

// The code of a function with code, the targets of its calls through pointers, and what else is
// known of its calls. Not for several threads at once, as all above are.
Hash128 stable_body(Stable *s, FuncId f);

typedef struct {
    uint64_t func; // 0: the path and line as they are
    LinePlace in;  // from the function's first line
} StablePlace;
StablePlace stable_place(const Stable *s, Pos pos);
// False: the function is gone.
bool stable_pos(const Stable *s, StablePlace place, Pos *pos);

#endif
