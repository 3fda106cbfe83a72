// Symbolic terms: hash-consed, so that equal terms have equal ids; simplified when made.
//
// A term is an integer of 1 to 64 bits or an address (as wide as a pointer). What the program's
// inputs are is known by where they come from: parameter number i, the first content of a cell of
// memory (Sparrow's explore addresses: INPUT(p, 8) is what stood in p->f on entry), the result of
// a call. Their ids depend on the place and the loop iteration alone, never on the path that met
// them, so that states of different paths can be compared.
//
// An address is a base plus bytes: ADDR(base, symbolic bytes or none, constant bytes). A base is
// any term that is not itself an ADDR or an INT; a base alone stands for offset 0.
#ifndef LOGIC_TERM_H
#define LOGIC_TERM_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>

typedef enum {
#define TERM(name, text) T_##name,
#include "logic/terms.def"
#undef TERM
    T_COUNT
} TermKind;

DEFINE_ID(Term); // 0 is none

// Fields by kind:
//   INT     value
//   LOCAL   a: LocalId, c: iteration     GLOBAL  a: GlobalId     FUNC  a: FuncId
//   HEAP    a: instruction, b: number within the call, c: iteration
//   PARAM   a: number
//   INPUT   a: base term, value: byte offset; b: symbolic offset term or none
//   RESULT  a: instruction, b: number within it, c: iteration
//   HAVOC   a: instruction that may have written, b: base term, c: iteration, value: offset
//   LOOP    a: header block, c: iteration    (how often the loop went round)
//   MERGE   a: block, b: what differs (a key of the state), c: iteration, value: sub-key
//   ADDR    a: base, b: symbolic bytes or none, value: constant bytes
//   ITE     a ? b : c        PARTS  a: aggregate or none, b: piece, value: byte offset
//   others  a, b: operands
typedef struct {
    uint8_t kind;
    uint8_t width; // bits
    uint8_t depth; // nesting, bounded
    uint8_t flags; // TERM_*
    uint32_t a, b, c;
    int64_t value;
} TermNode;

enum {
    TERM_HAS_BASE = 1,   // mentions something that may be an address
    TERM_LOCAL_ONLY = 2, // mentions what only this activation knows (locals, its own results)
    TERM_HAS_HEAP = 4,   // mentions a HEAP base
};

// A node never changes once it is made. When the array grows, the places that it leaves stay
// readable until terms_settle, so a `const TermNode *` from term_node outlives the making of terms.
typedef struct {
    VEC(TermNode) nodes;
    VEC(TermNode *) left; // former places of the nodes
    uint64_t *slots; // number of a node, and above it the upper half of its hash; 0 none
    uint32_t slot_count;
    uint32_t pointer_bits;
} Terms;

void terms_init(Terms *t, uint32_t pointer_bits);
void terms_free(Terms *t);
// No more terms are made, and nobody holds a pointer to a node: gives back the places that nodes have left, and what only
// the making of terms needs.
void terms_settle(Terms *t);
// For terms that were read: whether the node is one that this table could have made, with parts that
// come before it. All nodes before it must have passed.
bool term_is_sound(const Terms *t, uint32_t id);

static inline const TermNode *term_node(const Terms *t, Term x)
{
    return &t->nodes.at[x.id];
}
static inline TermKind term_kind(const Terms *t, Term x)
{
    return (TermKind)t->nodes.at[x.id].kind;
}
static inline bool term_same(Term x, Term y)
{
    return x.id == y.id;
}
static inline uint32_t term_width(const Terms *t, Term x)
{
    return t->nodes.at[x.id].width;
}

// Made as given, without simplification.
Term term_raw(Terms *t, TermNode n);
Term term_int(Terms *t, uint32_t width, int64_t value);
static inline Term term_null(Terms *t)
{
    return term_int(t, t->pointer_bits, 0);
}
bool term_is_int(const Terms *t, Term x, int64_t *value);
bool term_is_zero(const Terms *t, Term x);

Term term_leaf(Terms *t, TermKind kind, uint32_t width, uint32_t a, uint32_t b, uint32_t c,
               int64_t value);

// Simplified. `width` is that of the operands, of the result for conversions.
Term term_binary(Terms *t, TermKind kind, Term a, Term b);
Term term_sub(Terms *t, Term a, Term b);
Term term_convert(Terms *t, TermKind kind, Term a, uint32_t width);
Term term_not(Terms *t, Term a); // of a one-bit term
Term term_eq(Terms *t, Term a, Term b);
Term term_ult(Terms *t, Term a, Term b);
Term term_slt(Terms *t, Term a, Term b);
Term term_ite(Terms *t, Term c, Term a, Term b);
// base + constant; base + index * scale.
Term term_field(Terms *t, Term base, int64_t bytes);
Term term_index(Terms *t, Term base, Term index, int64_t scale);
// Aggregates: a chain of pieces.
Term term_setpart(Terms *t, Term agg, Term piece, int64_t offset);
// Term 0 when the piece at that offset is unknown.
// The same for a struct that is small enough to travel in a register of this width.
Term term_tile(Terms *t, Term agg, Term piece, int64_t offset, uint32_t width);
Term term_part(const Terms *t, Term agg, int64_t offset);

// An address taken apart. For an INT the base is none and offset the value.
typedef struct {
    Term base;
    Term index; // symbolic bytes or none
    int64_t offset;
} Address;
Address term_address(const Terms *t, Term x);

// Whether the base is an object that cannot be null.
bool term_is_object(const Terms *t, Term base);
// Calls `visit` for every base mentioned in x that may be an address.
void term_each_base(const Terms *t, Term x, void (*visit)(void *, Term), void *context);

// Whether x or some part of it passes the test. Only so many parts are looked at: a larger term
// counts as one that does not.
bool term_any(const Terms *t, Term x, bool (*test)(void *, Term), void *context);

const char *term_kind_text(TermKind k);

#endif
