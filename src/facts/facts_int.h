// Shared by the files of this module only.
#ifndef FACTS_FACTS_INT_H
#define FACTS_FACTS_INT_H

#include "facts/facts.h"

void marks_find(Marks *m, Arena *a, const Program *p);
// Members of containers. Needs specs.
void members_find(Facts *f, Arena *a);
// By FuncId, the functions with code that may come back. Needs spec_of and points.
Bits may_return_find(Arena *a, const Facts *f);

// Fills one_way. Needs written and may_return. `ours`: no code that is not here knows their names.
void one_way_find(Facts *f, Arena *a, const Bits *ours);
// Fills set_loads. Needs all else.
void set_fields_find(Facts *f);
// Fills end_loads.
void queue_ends_find(Facts *f, Arena *a);
// Fills lengths. Needs specs.
void lengths_find(Facts *f);
void facts_note_length(Facts *f, FuncId func, uint32_t ins, LengthBeside beside);
// The bases of an exception's type, at most BASES_MOST, which the type information names after its first two
// words, or a model. False: nothing is known of it.
bool bases_of(const Facts *f, Trace *trace, const char *type, const char **bases, uint32_t *count);
// Fills odd_throws. Needs specs.
void handlers_find(Facts *f);
void facts_note_odd_throw(Facts *f, FuncId func, uint32_t ins);
void facts_note_set_load(Facts *f, FuncId func, uint32_t ins);
void facts_note_load(Facts *f, FuncId func, uint32_t ins, QueueEnd end);

#endif
