#include "base/diag.h"

#include <stdio.h>
#include <string.h>

static void say(const Diag *d, const char *where, const char *kind, const char *paint,
                const char *fmt, va_list ap)
{
    // One line in one write, so that messages of parallel processes do not mix.
    char *text = mem_alloc(8192);
    vsnprintf(text, 8192, fmt, ap);
    if (d->color)
        fprintf(stderr, "\033[1m%s:\033[0m %s%s:\033[0m %s\n", where, paint, kind, text);
    else
        fprintf(stderr, "%s: %s: %s\n", where, kind, text);
    mem_free(text);
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
    int len = (int)strcspn(text, "\n");
    fprintf(stderr, "  %.*s\n  ", len, text);
    // Tabs are repeated, so that the caret stands under its column whatever the tab width.
    for (uint32_t i = 1; i < col && (int)i <= len; i++)
        fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
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
