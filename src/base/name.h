// Interned strings. Equal text gives the same Name; Name 0 is the empty string. Names are given
// in order of first appearance, so iteration by id is deterministic. A table belongs to one thread
// at a time.
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include "base/vec.h"

DEFINE_ID(Name);

typedef struct Names Names;

Names *names_new(void);
void names_free(Names *n);
Name name_of(Names *n, const char *text);
Name name_of_n(Names *n, const char *text, size_t len);
Name name_printf(Names *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// Looks without adding: Name 0 when the text was never interned.
Name name_find(const Names *n, const char *text);
// Zero-terminated; stays valid and in place as long as the table lives.
const char *name_text(const Names *n, Name name);
size_t name_len(const Names *n, Name name);
uint32_t names_count(const Names *n);

// A table read back from storage, without hashing a single text (that is put off until somebody
// asks for a text rather than for a name): lens[i] bytes and a zero for each name, one behind
// the other. Null when the n bytes are not that, or name 0 is not empty.
Names *names_load(const uint32_t *lens, uint32_t count, const char *bytes, size_t n);

#endif
