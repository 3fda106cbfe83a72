// Questions about source types: what lies at a byte offset of one.
//
// In: a unit and a type of its table. Out: types of the same table; 0 is none. Types come from
// debug information, which may be missing or odd: every walk is bounded.
#ifndef UNIT_TYPES_H
#define UNIT_TYPES_H

#include "unit/unit.h"

// Without typedefs and qualifiers.
TypeId plain_type(const Unit *u, TypeId t);
// The member of a type at a byte offset, through nested structs and arrays: "a.b", "[2].c", "".
bool member_at(Arena *a, const Unit *u, TypeId type, uint64_t offset, const char **path,
               TypeId *member);
// The member of the innermost struct that begins at a byte offset, or whose element does; null where that is in a
// union, or in no struct.
const Elem *innermost_member(const Unit *u, TypeId type, uint64_t offset);
// Whether the offset lies in a union of several members.
bool in_union(const Unit *u, TypeId type, uint64_t offset);
// The bytes from the offset to the end of the array of numbers that it lies in, 0 where it lies in
// none. An array of one element, or without a size, may stand for a longer one.
uint64_t array_left(const Unit *u, TypeId type, uint64_t offset);
TypeId pointee(const Unit *u, TypeId type);
// const, maybe behind typedefs.
bool is_const_type(const Unit *u, TypeId type);
// Whether a parameter that points to this type promises to leave it to the caller: it is const. `const void` is no such promise, since a generic holder takes any element that way (g_value_take_boxed, a table's
// keys), unless the number of bytes follows (`sized`), as for a buffer. Errs towards missed leaks.
bool is_lent_type(const Unit *u, TypeId to, bool sized);
// As in a declaration without its name: "struct node *", "unsigned int", "char[16]".
const char *type_words(Arena *a, const Unit *u, TypeId type);

#endif
