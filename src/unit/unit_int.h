// Shared by the files of this module only.
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
    T(runs)                                                                                        \
    T(funcs)                                                                                       \
    T(params)                                                                                      \
    T(blocks)                                                                                      \
    T(ins)                                                                                         \
    T(extra)                                                                                       \
    T(locals)                                                                                      \
    T(vars)                                                                                        \
    T(annotations)                                                                                 \
    T(constructors)                                                                                \
    T(bytes)

// All flags that mean something; a unit with others is refused, so that the text form is complete.
enum {
    UNIT_TYPE_FLAGS = TYPE_UNSIGNED | TYPE_VARARGS | TYPE_DECLARED | TYPE_BASE_CLASS,
    UNIT_ELEM_FLAGS = TYPE_BASE_CLASS,
    UNIT_PARAM_FLAGS = 31,
    UNIT_FUNC_FLAGS = 16383,
    UNIT_GLOBAL_FLAGS = 255,
};

// What is wrong with the body of function `id`, whose ranges are known to lie inside the tables;
// null when nothing is. `scratch` is reused from one function to the next.
typedef struct {
    U32s stamp, phi_stamp, phi_value; // by block
    U32s pred_first, preds, succs;
    Arena *arena;
} BodyScratch;
const char *unit_check_body(const Unit *u, uint32_t id, Arena *a, BodyScratch *scratch);
bool unit_check_mtype(uint32_t bits);

// Words of the text form, shared by printer and parser so that they cannot drift apart. A list
// ends with a null word.
typedef struct {
    const char *text;
    uint32_t bit;
} FlagWord;
extern const FlagWord unit_ins_words[], unit_func_words[], unit_param_words[], unit_global_words[],
    unit_type_words[];
extern const char *const unit_linkage_words[LINK_AVAILABLE + 1];

// What a constant's type is when the text does not say: `want` is what its place expects
// (0: nothing known). 0 when the type has to be spelled out.
MType unit_const_natural(const Unit *u, uint32_t kind, MType want);
// What the place of an operand expects: value number i of the instruction, in order.
MType unit_operand_wants(const Unit *u, const Func *f, const Ins *ins, uint32_t i);
// Comparisons and switch are written with the type of what they compare, not of the result.
bool unit_op_spells_operand(Op op);
// A name that needs no quotes as a label: letters, digits, _ . $; not a digit in front.
bool unit_text_plain(const char *s, size_t len);
// One of p7, l7, v7: the labels that the printer makes up.
bool unit_text_made_up(const char *s, char letter);

// For checks that return what is wrong, or null.
#define CHECK(call)                                                                                \
    do {                                                                                           \
        const char *wrong_ = (call);                                                               \
        if (wrong_) return wrong_;                                                                 \
    } while (0)

#endif
