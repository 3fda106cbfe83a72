// Shared by the files of this module only.
#ifndef FACTS_FACTS_INT_H
#define FACTS_FACTS_INT_H

#include "facts/facts.h"

void marks_find(Marks *m, Arena *a, const Program *p);
// Members of containers. Needs specs.
void members_find(Facts *f, Arena *a);
// By FuncId, the functions with code that may come back. Needs spec_of and points.
Bits may_return_find(Arena *a, const Facts *f);

// Fills set_loads and set_in. Needs all else.
void set_fields_find(Facts *f);

#endif
