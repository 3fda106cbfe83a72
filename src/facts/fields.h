// Structs and fields of the whole program, by the names that the source gives them. For set_fields.c and
// queue_ends.c.
//
// Requires: units with the types of variables. Gives: hashes that are the same in all units, and the
// struct that a value of a function points to. Promises: what has no name is none (0), never a guess.
#ifndef FACTS_FIELDS_H
#define FACTS_FIELDS_H

#include "base/map.h"
#include "link/program.h"

// Of a struct, or of the elements of an array of them; 0: it is none, or has no name.
uint64_t fields_struct(const Unit *u, TypeId id);
// The type behind a pointer, and the struct there.
TypeId fields_behind(const Unit *u, TypeId id);
uint64_t fields_struct_behind(const Unit *u, TypeId id);
// The structs that parameters and variables of a function point to: Ref -> TypeId.
void fields_types(Map *types, const Unit *u, const Func *f);
// What is allocated and has no variable: it is of the type of the field that it is put into, of the
// function's result, of the parameter that it is passed as.
void fields_types_by_use(const Program *p, Map *types, FuncId id, const Unit *u, const Func *f);
// The struct that a value points to; none where it is not known.
TypeId fields_pointed(const Map *types, const Unit *u, const Func *f, Ref r, int depth);

typedef struct {
    uint64_t of;   // the struct's hash, 0: not known
    uint64_t key;  // the field's
    uint64_t name; // of all fields of its name
    Ref base;
} Field;

// Whether the address is that of a field with a name.
bool fields_at(const Map *types, const Unit *u, const Func *f, Ref address, Field *field);

#endif
