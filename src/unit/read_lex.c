// The tokens of the text form.
#include "unit/read_int.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '.' || c == '$';
}

static bool is_file_char(char c)
{
    return is_word_char(c) || c == '~' || c == '+' || c == '-' || c == '/';
}

static int hex(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// False after a message when the digits do not fit.
static bool digits(UnitReader *r, uint64_t *n)
{
    UnitLexer *l = &r->lex;
    *n = 0;
    for (; is_digit(*l->p); l->p++) {
        uint64_t digit = (uint64_t)(*l->p - '0');
        if (*n > (UINT64_MAX - digit) / 10) return ut_error(r, &l->tok, "number too large");
        *n = *n * 10 + digit;
    }
    return true;
}

static bool digits32(UnitReader *r, uint32_t *n)
{
    uint64_t wide;
    if (!digits(r, &wide)) return false;
    if (wide > UINT32_MAX) return ut_error(r, &r->lex.tok, "number too large");
    *n = (uint32_t)wide;
    return true;
}

// Behind the opening quote.
static bool string(UnitReader *r)
{
    UnitLexer *l = &r->lex;
    const char *end = l->p;
    while (*end && *end != '"' && *end != '\n')
        end += *end == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
    if (*end != '"') return ut_error(r, &l->tok, "string without an end");
    char *text = arena_alloc(r->a, (size_t)(end - l->p) + 1);
    size_t n = 0;
    for (; l->p < end; l->p++) {
        if (*l->p != '\\') {
            text[n++] = *l->p;
        } else if (l->p[1] == '\\' || l->p[1] == '"') {
            text[n++] = *++l->p;
        } else if (l->p[1] == 'x' && hex(l->p[2]) >= 0 && hex(l->p[3]) >= 0) {
            text[n++] = (char)(hex(l->p[2]) * 16 + hex(l->p[3]));
            l->p += 3;
        } else {
            return ut_error(r, &l->tok, "an escape is \\\\, \\\" or \\x with two digits");
        }
    }
    l->p++;
    l->tok.text = text;
    l->tok.len = n;
    return true;
}

static void word(UnitLexer *l, bool (*is_part)(char))
{
    l->tok.text = l->p;
    while (is_part(*l->p)) l->p++;
    l->tok.len = (size_t)(l->p - l->tok.text);
}

static void skip_blanks(UnitLexer *l)
{
    for (;; l->p++) {
        if (*l->p == '#')
            while (*l->p && *l->p != '\n') l->p++;
        if (*l->p == '\n') {
            l->line++;
            l->line_text = l->p + 1;
            l->fresh_line = true;
        } else if (*l->p != ' ' && *l->p != '\t' && *l->p != '\r') {
            return;
        }
    }
}

static void begin(UnitLexer *l)
{
    skip_blanks(l);
    l->tok = (Tok){.at = l->p,
                   .line = l->line,
                   .line_text = l->line_text,
                   .starts_line = l->fresh_line,
                   .text = l->p};
    l->fresh_line = false;
}

// Behind the semicolon: file:line:col or file:line:col/scope.
static bool position(UnitReader *r)
{
    UnitLexer *l = &r->lex;
    while (*l->p == ' ') l->p++;
    word(l, is_file_char);
    if (l->tok.len == 0 || *l->p != ':' || !is_digit(l->p[1]))
        return ut_error(r, &l->tok, "a position is FILE:LINE:COL");
    l->p++;
    if (!digits32(r, &l->tok.file_line)) return false;
    if (*l->p != ':' || !is_digit(l->p[1]))
        return ut_error(r, &l->tok, "a position is FILE:LINE:COL");
    l->p++;
    if (!digits32(r, &l->tok.file_col)) return false;
    if (*l->p != '/') return true;
    l->p++;
    return digits32(r, &l->tok.scope);
}

static bool token(UnitReader *r)
{
    UnitLexer *l = &r->lex;
    Tok *t = &l->tok;
    char c = *l->p;
    if (!c) {
        t->kind = TOK_END;
        t->starts_line = true;
        return true;
    }
    if (is_digit(c) || (c == '-' && is_digit(l->p[1]))) {
        t->kind = TOK_NUMBER;
        t->negative = c == '-';
        l->p += t->negative;
        if (!digits(r, &t->number)) return false;
        if (is_word_char(*l->p)) return ut_error(r, t, "a number ends in a letter");
        t->len = (size_t)(l->p - t->text);
        return true;
    }
    if (is_word_char(c)) {
        t->kind = TOK_WORD;
        word(l, is_word_char);
        t->label_next = *l->p == ':';
        return true;
    }
    l->p++;
    switch (c) {
    case '"':
        t->kind = TOK_STRING;
        return string(r);
    case ';':
        t->kind = TOK_POSITION;
        return position(r);
    case '%':
        t->kind = TOK_VALUE;
        word(l, is_word_char);
        return t->len ? true : ut_error(r, t, "%% without a label");
    case '@':
        t->kind = TOK_SYMBOL;
        if (*l->p == '"') {
            l->p++;
            if (!string(r)) return false;
        } else {
            word(l, is_word_char);
            if (!t->len) return ut_error(r, t, "@ without a name");
        }
        if (*l->p != '~') return true;
        l->p++;
        return digits(r, &t->number) &&
               (t->number <= UINT32_MAX || ut_error(r, t, "number too large"));
    default:
        t->kind = TOK_MARK;
        t->mark = c;
        if (strchr("=,:(){}*+-~", c)) return true;
        return ut_error(r, t, "unexpected character");
    }
}

void ut_next(UnitReader *r)
{
    begin(&r->lex);
    if (!token(r)) r->lex.tok.kind = TOK_BAD;
}

void ut_next_file_label(UnitReader *r)
{
    begin(&r->lex);
    if (!is_file_char(*r->lex.p)) {
        ut_next(r);
        return;
    }
    r->lex.tok.kind = TOK_WORD;
    word(&r->lex, is_file_char);
}

bool ut_error(UnitReader *r, const Tok *at, const char *fmt, ...)
{
    if (r->errors++ >= MOST_ERRORS) return false;
    va_list ap;
    va_start(ap, fmt);
    const char *what = arena_vprintf(r->a, fmt, ap);
    va_end(ap);
    diag_error_at(r->diag, r->file, at->line, (uint32_t)(at->at - at->line_text) + 1, at->line_text,
                  "%s", what);
    return false;
}
