// What stanch says about bad input: one line like a compiler's, with the position where there is
// one and a caret where the text is at hand. Control characters in it do not reach the terminal.
// Nothing here ends the program; the counts decide the exit status.
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    bool quiet; // -q: warnings are counted, not printed
    bool color; // errors and warnings in colour on standard error
    uint32_t errors, warnings;
    const char *program; // what a message without a position begins with, "stanch" when null
} Diag;

void diag_error(Diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_warn(Diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void diag_note(Diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// With a position; `line_text` (may be null, need not end in zero before a newline) is shown with
// a caret under `col`. line and col count from 1.
void diag_error_at(Diag *d, const char *file, uint32_t line, uint32_t col, const char *line_text,
                   const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void diag_warn_at(Diag *d, const char *file, uint32_t line, uint32_t col, const char *line_text,
                  const char *fmt, ...) __attribute__((format(printf, 6, 7)));

// What another program said, as it is but for what could act on a terminal. Ends its last line.
void diag_relay(const char *text, size_t len);

#endif
