// Text to tokens. Any byte sequence is accepted: what is no token becomes TOK_BAD, which the
// parser refuses with a message at its place.
#include "spec/spec_int.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// The line for a message: bounded, and without bytes that would act on a terminal. Null when the
// caret would stand too far to the right to be of use.
static char *shown_line(const Lexer *l, const Token *at)
{
    enum { FAR = 160, WIDTH = 200 };
    if (at->col > FAR) return NULL;
    const char *end = memchr(at->line_text, '\n', (size_t)(l->end - at->line_text));
    if (!end) end = l->end;
    size_t len = (size_t)(end - at->line_text);
    if (len > WIDTH) len = WIDTH;
    char *text = mem_alloc(len + 1);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)at->line_text[i];
        text[i] = c == '\t' ? '\t' : c < 32 || c >= 127 ? '?' : (char)c;
    }
    return text;
}

static void say(Lexer *l, const Token *at, bool error, const char *fmt, va_list ap)
{
    char message[600];
    vsnprintf(message, sizeof message, fmt, ap);
    char *text = shown_line(l, at);
    (error ? diag_error_at : diag_warn_at)(l->diag, l->file, at->line, at->col, text, "%s",
                                           message);
    mem_free(text);
}

void lex_error(Lexer *l, const Token *at, const char *fmt, ...)
{
    if (++l->errors > SPEC_MAX_ERRORS) return;
    va_list ap;
    va_start(ap, fmt);
    say(l, at, true, fmt, ap);
    va_end(ap);
}

void lex_warn(Lexer *l, const Token *at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(l, at, false, fmt, ap);
    va_end(ap);
}

static void new_line(Lexer *l)
{
    l->line++;
    l->line_text = l->pos;
}

// Spaces and comments. False at a comment without an end, which lies at `l->pos`.
static bool skip_blank(Lexer *l)
{
    while (l->pos < l->end) {
        char c = *l->pos;
        if (c == '\n') {
            l->pos++;
            new_line(l);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->pos++;
        } else if (c == '/' && l->pos + 1 < l->end && l->pos[1] == '/') {
            while (l->pos < l->end && *l->pos != '\n') l->pos++;
        } else if (c == '/' && l->pos + 1 < l->end && l->pos[1] == '*') {
            const char *p = l->pos + 2, *line_text = l->line_text;
            uint32_t line = l->line;
            for (;; p++) {
                if (p + 1 >= l->end) return false;
                if (p[0] == '*' && p[1] == '/') break;
                if (*p == '\n') {
                    line++;
                    line_text = p + 1;
                }
            }
            l->pos = p + 2;
            l->line = line;
            l->line_text = line_text;
        } else {
            break;
        }
    }
    return true;
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

static bool lex_int(Lexer *l, Token *t)
{
    const char *p = l->pos;
    uint64_t v = 0, base = 10;
    bool fits = true, digits = false;
    if (p + 1 < l->end && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    } else if (*p == '0') {
        base = 8;
    }
    for (; p < l->end && isxdigit((unsigned char)*p); p++) {
        uint64_t d = isdigit((unsigned char)*p) ? (uint64_t)(*p - '0')
                                                : (uint64_t)(tolower((unsigned char)*p) - 'a' + 10);
        if (d >= base) break;
        digits = true;
        if (v > (UINT64_MAX - d) / base) fits = false;
        v = v * base + d;
    }
    while (p < l->end && strchr("uUlL", *p) && *p) p++;
    if (p < l->end && is_name(*p)) digits = false;
    while (p < l->end && is_name(*p)) p++;
    t->len = (uint32_t)(p - l->pos);
    l->pos = p;
    // As C would convert it: 0xffffffffffffffff is -1.
    t->value = (int64_t)v;
    return fits && digits;
}

Token lex_next(Lexer *l)
{
    bool whole = skip_blank(l);
    Token t = {.kind = TOK_END, .text = l->pos, .line = l->line, .line_text = l->line_text};
    t.col = (uint32_t)(l->pos - l->line_text) + 1;
    if (!whole) {
        t.kind = TOK_BAD;
        lex_error(l, &t, "this comment has no end");
        l->pos = l->end;
        return t;
    }
    if (l->pos >= l->end) return t;
    char c = *l->pos;
    if (is_name_start(c)) {
        const char *p = l->pos;
        while (p < l->end && is_name(*p)) p++;
        t.kind = TOK_NAME;
        t.len = (uint32_t)(p - l->pos);
        l->pos = p;
        return t;
    }
    if (isdigit((unsigned char)c)) {
        t.kind = TOK_INT;
        if (!lex_int(l, &t)) {
            lex_error(l, &t, "this is no number that fits into 64 bits");
            t.kind = TOK_BAD;
        }
        return t;
    }
    if (c == '"') {
        const char *p = l->pos + 1;
        while (p < l->end && *p != '"' && *p != '\n' && (unsigned char)*p >= 32) p++;
        t.text = l->pos + 1;
        t.len = (uint32_t)(p - t.text);
        if (p < l->end && *p == '"') {
            t.kind = TOK_STRING;
            l->pos = p + 1;
        } else {
            t.kind = TOK_BAD;
            lex_error(l, &t, "this quoted name has no end on its line");
            while (p < l->end && *p != '\n') p++;
            l->pos = p;
        }
        return t;
    }
    static const struct {
        const char *text;
        int punct;
    } longer[] = {{"...", P_DOTS}, {"==", P_EQ},    {"!=", P_NE}, {"<=", P_LE},
                  {">=", P_GE},    {"::", P_SCOPE}, {"&&", P_AND}};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (c != longer[i].text[0]) continue;
        size_t n = strlen(longer[i].text);
        if ((size_t)(l->end - l->pos) >= n && !memcmp(l->pos, longer[i].text, n)) {
            t.kind = TOK_PUNCT;
            t.punct = longer[i].punct;
            t.len = (uint32_t)n;
            l->pos += n;
            return t;
        }
    }
    t.len = 1;
    if (c && strchr("(){}[]<>*&,;=+-#", c)) {
        t.kind = TOK_PUNCT;
        t.punct = c;
    } else {
        t.kind = TOK_BAD;
        if (c >= 32 && c < 127)
            lex_error(l, &t, "'%c' has no meaning here", c);
        else
            lex_error(l, &t, "a byte 0x%02x has no place in a specification", (unsigned char)c);
    }
    l->pos++;
    return t;
}
