// What the interpreter can compute by itself. The models say which library functions these are, so
// that no code of the analyzer spells a library function's name.
#ifndef SPEC_COMPUTES_H
#define SPEC_COMPUTES_H

#include "spec/spec.h"

typedef enum {
#define COMPUTES(name, word) COMPUTES_##name,
#include "spec/computes.def"
#undef COMPUTES
    COMPUTES_COUNT
} Computes;

// By the linker's name; COMPUTES_NONE when no model says so.
Computes spec_computes(const SpecTable *t, const char *symbol);
const char *spec_computes_word(Computes c);

#endif
