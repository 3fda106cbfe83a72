#include "base/diag.h"

#include "base/out.h"

#include <stdio.h>
#include <string.h>

// Everything that is said goes through here: one write, so that messages of parallel processes do
// not mix.
static void write_out(Out *o)
{
    size_t n;
    const char *text = out_content(o, &n);
    fwrite(text, 1, n, stderr);
    out_close(o);
}

// File names and other people's words may hold anything; on a terminal they must not act.
static void say(const Diag *d, const char *where, const char *kind, const char *paint,
                const char *fmt, va_list ap)
{
    char *text = mem_alloc(8192);
    vsnprintf(text, 8192, fmt, ap);
    Out *o = out_memory();
    if (d->color) out_text(o, "\033[1m");
    out_plain(o, where, strlen(where));
    out_printf(o, d->color ? ":\033[0m %s%s:\033[0m " : ": %s%s: ", d->color ? paint : "", kind);
    out_plain(o, text, strlen(text));
    out_char(o, '\n');
    write_out(o);
    mem_free(text);
}

void diag_relay(const char *text, size_t len)
{
    if (!len) return;
    Out *o = out_memory();
    out_plain_lines(o, text, len);
    if (text[len - 1] != '\n') out_char(o, '\n');
    write_out(o);
}

static const char red[] = "\033[1;31m", magenta[] = "\033[1;35m", cyan[] = "\033[1;36m";

static const char *program(const Diag *d)
{
    return d->program ? d->program : "stanch";
}

void diag_error(Diag *d, const char *fmt, ...)
{
    d->errors++;
    va_list ap;
    va_start(ap, fmt);
    say(d, program(d), "error", red, fmt, ap);
    va_end(ap);
}

void diag_warn(Diag *d, const char *fmt, ...)
{
    d->warnings++;
    if (d->quiet) return;
    va_list ap;
    va_start(ap, fmt);
    say(d, program(d), "warning", magenta, fmt, ap);
    va_end(ap);
}

void diag_note(Diag *d, const char *fmt, ...)
{
    if (d->quiet) return;
    va_list ap;
    va_start(ap, fmt);
    say(d, program(d), "note", cyan, fmt, ap);
    va_end(ap);
}

static void say_at(const Diag *d, const char *file, uint32_t line, uint32_t col, const char *text,
                   const char *kind, const char *paint, const char *fmt, va_list ap)
{
    char *where = mem_printf("%s:%u:%u", file, line, col);
    say(d, where, kind, paint, fmt, ap);
    mem_free(where);
    if (!text) return;
    size_t len = strcspn(text, "\n");
    Out *o = out_memory();
    out_text(o, "  ");
    out_plain(o, text, len);
    out_text(o, "\n  ");
    // Tabs are repeated, so that the caret is under its column whatever the tab width.
    for (uint32_t i = 1; i < col && i <= len; i++) out_char(o, text[i - 1] == '\t' ? '\t' : ' ');
    out_text(o, "^\n");
    write_out(o);
}

void diag_error_at(Diag *d, const char *file, uint32_t line, uint32_t col, const char *line_text,
                   const char *fmt, ...)
{
    d->errors++;
    va_list ap;
    va_start(ap, fmt);
    say_at(d, file, line, col, line_text, "error", red, fmt, ap);
    va_end(ap);
}

void diag_warn_at(Diag *d, const char *file, uint32_t line, uint32_t col, const char *line_text,
                  const char *fmt, ...)
{
    d->warnings++;
    if (d->quiet) return;
    va_list ap;
    va_start(ap, fmt);
    say_at(d, file, line, col, line_text, "warning", magenta, fmt, ap);
    va_end(ap);
}
