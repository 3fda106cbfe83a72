// Terms as access paths, for the dumps: Sparrow's anchors (section 4.2), (ret | arg1 | global)
// (* | .f)*. The value of a path is written as the path, the location that it points to with a star
// behind it: `arg1*.next` is what is in the next field of what the first argument points to.
//
// In: a table of terms that speaks of one function, and the program for names and types. Out: a
// text for every term; those that have no path are described. Objects made inside are o1, o2, ...
// in the order in which they are first named; their fields have names once somebody has said what
// type they are of (anchor_learn).
#ifndef SHOW_ANCHOR_H
#define SHOW_ANCHOR_H

#include "heap/heap.h"
#include "unit/types.h"

// A source type and the unit whose table it is in; {null, 0}: unknown.
typedef struct {
    const Unit *unit;
    TypeId type;
} Typed;

typedef struct {
    Arena *arena; // of the texts
    const Program *program;
    const Unit *unit;
    const Func *func;
    const Terms *terms;
    bool source;      // parameters by their own names, and C's arrows in place of stars
    Map learnt;       // base term -> index in `types`
    VEC(Typed) types; // of the objects that bases point to
    Map numbers;      // HEAP term -> number
} Anchors;

void anchors_free(Anchors *a);

const char *anchor_value(Anchors *a, Term x);
// The cell at an offset of a home (State.mem: a base or ADDR(base, index, 0)).
const char *anchor_cell(Anchors *a, Term home, int64_t offset);
// The location that a base stands for.
const char *anchor_location(Anchors *a, Term base);
// "x != 0", "x in [1, 9]".
const char *anchor_guard(Anchors *a, Term x, const Range *r);
uint32_t anchor_number(Anchors *a, Term heap);

// What a type's member at an offset is called after a path: ".next", "", "[2].name", ".+24". Of an
// address with a symbolic part `index` says so.
const char *anchor_field(Anchors *a, Typed object, Term index, int64_t offset, Typed *member);
Typed typed_pointee(Typed pointer);
// What the base points to, as far as known.
Typed anchor_object(Anchors *a, Term base);
void anchor_learn(Anchors *a, Term base, Typed object);
Typed anchor_param(const Anchors *a, uint32_t number);
Typed anchor_result(const Anchors *a);
const char *anchor_global(const Anchors *a, Term global);

// A string of Graphviz.
void dot_quoted(Out *o, const char *text);

#endif
