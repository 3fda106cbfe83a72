// Buffered output to a file descriptor or to memory, with errors remembered instead of lost: a
// full disk or a closed pipe shows in out_close, so no printf in between has to be checked.
//
// A file is written beside its final name and renamed when it is closed without error, so that
// no half-written file is left behind. A symbolic link keeps pointing to the file that is
// replaced. What is no plain file (/dev/stdout, /dev/null, a pipe) is written to directly.
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct Out Out;

Out *out_memory(void);
Out *out_fd(int fd);
// Null with errno set when the file beside it cannot be made.
Out *out_file(const char *path);

void out_text(Out *o, const char *s);
void out_bytes(Out *o, const void *bytes, size_t n);
void out_char(Out *o, char c);
void out_printf(Out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_vprintf(Out *o, const char *fmt, va_list ap);
// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void out_json(Out *o, const char *s);
// The same for n bytes that may hold zeros, with < > & as \u escapes: inside an HTML script
// element nothing in it can end the element.
void out_json_html(Out *o, const char *s, size_t n);
// Text with & < > " ' escaped for HTML and SVG. Control characters and bytes that are not UTF-8
// become U+FFFD.
void out_html(Out *o, const char *s, size_t n);

// Text for a terminal: control characters other than the tab, bytes that are not UTF-8 and the
// characters that reorder text (as in "Trojan Source") become U+FFFD.
void out_plain(Out *o, const char *s, size_t n);
// The same for a text of several lines.
void out_plain_lines(Out *o, const char *s, size_t n);
// From now on everything that is written goes through out_plain_lines: for output that holds
// other people's names at many places and no colours.
void out_guard(Out *o);

// Memory outputs: the text so far, zero-terminated; valid until the next write.
const char *out_content(Out *o, size_t *len);

// Flushes, renames a file into place, frees. Returns 0 or the first errno met; after an error
// the file beside the final name is gone and the final name untouched.
int out_close(Out *o);
// Gives up: a file's previous content stays.
void out_discard(Out *o);

#endif
