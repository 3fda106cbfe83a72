// Writes JSON piece by piece, indented, members in the order of the calls. A null key is for
// elements of arrays.
//
//     Emit e = {.out = out};
//     emit_open(&e, NULL, '{');
//     emit_text(&e, "rule", "leak");
//     emit_close(&e, '}');
#ifndef REPORT_EMIT_H
#define REPORT_EMIT_H

#include "base/out.h"

typedef struct {
    Out *out;
    uint32_t depth;
    bool filled; // something was written at this depth
} Emit;

void emit_open(Emit *e, const char *key, char bracket); // '{' or '['
void emit_close(Emit *e, char bracket);
void emit_text(Emit *e, const char *key, const char *text); // null gives null
void emit_number(Emit *e, const char *key, uint64_t n);
void emit_bool(Emit *e, const char *key, bool b);

#endif
