// Where a load or a store of a function goes: which field of which struct, or which global. For lengths.c and
// values.c.
//
// Requires: units with the types of variables. Gives: the innermost struct around a scalar, by a hash that is the
// same in all units: its name and size, or for one without a name its members. Promises: what lies in a union, or
// whose struct is not known, is no place, never a guess.
#ifndef FACTS_PLACES_H
#define FACTS_PLACES_H

#include "base/hash.h"
#include "base/map.h"
#include "link/program.h"

typedef struct {
    uint64_t of;     // the struct's hash; 0: a global that is no struct
    uint32_t offset; // of the field in it
    uint32_t bytes;  // of the field
    GlobalId global; // where it lies in one
    Ref base;        // what the address is made of, and how far from it the struct begins
    int64_t from;
    TypeId type;     // of the scalar
    bool element;    // of an array that is itself a member, or of the struct
} Place;

typedef struct {
    const Program *p;
    Map shapes; // (unit, type) -> hash
    // Of one function:
    uint32_t unit;
    const Unit *u;
    const Func *f;
    Map types; // Ref -> TypeId of what it points to, as variables say
} Places;

void places_free(Places *k);
// From here on that function is asked for.
void places_enter(Places *k, FuncId f);
bool place_at(Places *k, Ref address, Place *place);
// The field at an offset in a variable of this type.
bool place_in(Places *k, uint32_t unit, TypeId type, uint64_t offset, Place *place);
// The hash of a struct; 0: it is none.
uint64_t place_shape(Places *k, uint32_t unit, TypeId type);
static inline uint64_t place_key(const Place *p)
{
    return p->of ? hash_mix(p->of, p->offset + 1) : map_pair(p->global.id, UINT32_MAX);
}
// Whether two places are of one struct.
bool places_beside(const Places *k, const Place *a, const Place *b);

#endif
