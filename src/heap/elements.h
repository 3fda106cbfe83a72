// Elements of containers as cells of the state: see elements.c.
#ifndef HEAP_ELEMENTS_H
#define HEAP_ELEMENTS_H

#include "heap/heap.h"

enum {
    ELEMENTS_AT = 0x20000000,
    ELEMENTS_ROOM = 0x4000,        // bytes for the elements of one container
    ELEMENTS_MOST_OFFSET = 0x8000, // of a container in its block
    ELEMENTS_FIRST = 16,
    ELEMENTS_SIZE = 8,
    ELEMENTS_SLOT = 16,         // of a container that is asked by key
    ELEMENTS_ENDED = ELEMENTS_ROOM - 16, // the function that has ended the elements
    ELEMENTS_MOVED = ELEMENTS_ROOM - 24, // one of those below: what became of all addresses of elements
    ELEMENTS_OWNERS = ELEMENTS_ROOM - 8, // the elements that are asked by key are objects
    // Elements of a container that are shifted or added one by one, and words that are copied of one
    // that the caller filled.
    ELEMENTS_COUNTED = 64,
    ELEMENTS_UNSEEN = 8,
};

// In a caller's container, for the caller: they moved, unless there was room; they moved or ended.
enum { ELEMENTS_GROW = 1, ELEMENTS_END };

typedef struct {
    Work *w;
    State *s;
    uint32_t ins;
    Term base;
    int64_t region;
    uint32_t size;
} Elements;

typedef struct {
    const Elements *e;
    bool nested; // those of containers inside of elements instead
    VEC(uint64_t) keys, values;
} Cells;

MType elements_word(uint32_t bytes);
// False: it has no place for elements.
bool elements_find(Work *w, State *s, Term container, uint32_t ins, Elements *e);
// An offset of cells below an object, where the object lies at `home`: their place goes by the container's place in
// its block.
int64_t elements_moved(const Terms *t, Term home, int64_t offset);
// Whether a cell says that the elements were ended, for the caller to do it.
bool elements_is_ending(const Terms *t, int64_t offset, Term value);
// A block of the caller is gone, but what had ended in it before has still to be done.
void elements_keep_endings(Work *w, State *s, Term base, PMap before);
// The address of a byte of its cells.
Term elements_place(const Elements *e, int64_t offset);
Term elements_count(const Elements *e);
void elements_set_count(const Elements *e, Term n);
// Of the element with this number.
Term elements_at(const Elements *e, Term index, uint32_t stride);
// Bytes of what a pointer or reference of this type points to; 0: not known.
uint64_t elements_pointee_size(const Unit *u, TypeId type);
// Bytes of one element, by what is known of the member and the container.
uint32_t elements_size(const Elements *e, const SpecFunc *spec, const Unit *u, const Func *decl);
bool elements_collect(void *context, uint64_t key, uint64_t value);
// All cells of it.
Cells elements_cells(const Elements *e);
void elements_cells_free(Cells *c);
// All cells go; what they held may be lost.
void elements_drop(const Elements *e);
void elements_add(const Elements *e, Term x);
// Whether their number is known, and small.
bool elements_known(const Elements *e, int64_t *count);
// False where it is not known how many there are.
bool elements_prepend(const Elements *e, Term x);
// Only at the end. False elsewhere, or where it is not known how many there are.
bool elements_insert(const Elements *e, Term x, Term times, Term at);
// The cells of these bytes go; what they held may be `lost`, or lives on elsewhere.
void elements_forget(const Elements *e, int64_t from, int64_t bytes, bool lost);
void elements_copy(const Elements *to, const Elements *from);
void elements_swap(const Elements *a, const Elements *b);
// They were ended, but not one by one: nothing is claimed of what they held.
void elements_let_go_of(const Elements *e, bool nested);
// They stay; what they hold may be kept or released by whoever has an iterator.
void elements_show(const Elements *e);
// Whether the container came from the caller.
bool elements_are_callers(const Elements *e);
typedef enum { NOT_KEYED, KEYED, KEYED_OBJECTS } Keyed;
Keyed elements_keyed(const Elements *e);
// The address of the one that belongs to what `key`, the member's parameter `param`, points to.
Term elements_by_key(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term key);
// The second member of a pair becomes the element of the first; the element of a key goes. False: not known what happens.
bool elements_put(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term pair);
bool elements_remove(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term key);

// An opaque object gets another state; and which one it has.
void object_renew(Work *w, State *s, Term x, uint32_t ins, uint32_t number);
uint64_t object_state(const State *s, const Address *a);
// It is empty, as its class means it.
void object_clear(Work *w, State *s, Term x, uint32_t ins);
Term object_is_clear(Work *w, State *s, Term x, uint32_t ins);

#endif
