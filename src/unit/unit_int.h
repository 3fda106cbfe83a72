// Shared by the files of this room only.
#ifndef UNIT_UNIT_INT_H
#define UNIT_UNIT_INT_H

#include "unit/unit.h"

// The tables in the order of the binary form.
#define UNIT_TABLES(T)                                                                             \
    T(types)                                                                                       \
    T(elems)                                                                                       \
    T(files)                                                                                       \
    T(locs)                                                                                        \
    T(consts)                                                                                      \
    T(globals)                                                                                     \
    T(inits)                                                                                       \
    T(funcs)                                                                                       \
    T(params)                                                                                      \
    T(blocks)                                                                                      \
    T(ins)                                                                                         \
    T(extra)                                                                                       \
    T(locals)                                                                                      \
    T(vars)                                                                                        \
    T(annotations)                                                                                 \
    T(constructors)

// All flags that mean something; a unit with others is refused, so that the text form is complete.
enum {
    UNIT_TYPE_FLAGS = TYPE_UNSIGNED | TYPE_VARARGS | TYPE_DECLARED | TYPE_BASE_CLASS,
    UNIT_ELEM_FLAGS = TYPE_BASE_CLASS,
    UNIT_PARAM_FLAGS = 31,
    UNIT_FUNC_FLAGS = 8191,
    UNIT_GLOBAL_FLAGS = 127,
};

// What is wrong with the body of function `id`, whose ranges are known to lie inside the tables;
// null when nothing is. `scratch` is reused from one function to the next.
typedef struct {
    U32s stamp, phi_stamp, phi_value; // by block
    U32s pred_first, preds, succs;
} BodyScratch;
const char *check_body(const Unit *u, uint32_t id, Arena *a, BodyScratch *scratch);
bool check_mtype(uint32_t bits);

#endif
