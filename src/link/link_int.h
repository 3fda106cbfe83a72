// What the files of this module share.
#ifndef LINK_LINK_INT_H
#define LINK_LINK_INT_H

#include "base/bits.h"
#include "link/program.h"

typedef struct {
    uint32_t unit; // index in LinkInfo.units
    bool shared;   // part of a shared library that the program links
} UnitMember;

typedef VEC(UnitMember) Members;

// What a linker reads of a symbol; functions and globals look the same to it.
typedef struct {
    Name name;
    uint32_t linkage;
    bool defined; // code, content, or another name for such
    uint32_t alias;
    bool ifunc;
} Symbol;

Symbol symbol_of_func(const Unit *u, uint32_t i);
Symbol symbol_of_global(const Unit *u, uint32_t i);

// order.c: by source and content, whatever the order in which they were given.
void sort_units(const LinkInfo *info, U32s *units);
// `known` says that the members are what a linker really got.
Program *program_assemble(Arena *a, const char *name, const LinkInfo *info, const Members *members,
                          bool known);
// Fills calls, callers, order, sccs and address_taken, anew where they were filled before.
void program_find_calls(Program *p, Arena *a);
// exports.c: of a unit, the symbols that only what is linked with it can name.
typedef struct {
    bool known;
    Bits funcs, globals; // by UFuncId, UGlobalId
} Hidden;
// By unit. `holders`, by unit: the steps of programs and shared libraries that it is part of; `open`, by
// step: something that is not known is part of it too.
Hidden *find_hidden(Arena *a, const LinkInfo *info, const U32s *holders, const Bits *open);
// Sets PROG_HIDDEN.
void mark_hidden(Program *p, const Hidden *all);
// tests.c: whether the output of a link step is a test.
bool is_test_output(const char *path);
// By unit. `beside`, by step: it links a shared library that is no test; `archived`, by unit: it is in an
// archive that does not lie among the tests.
bool *find_tests(Arena *a, const LinkInfo *info, const U32s *holders, const Bits *beside, const Bits *archived);
// elsewhere.c: sets PROG_ENDS.
void mark_elsewhere(const Programs *programs);
// registrars.c: sets `asked` of functions, and `host`.
void mark_registrars(const Programs *programs);

#endif
