// Between the files that read the text form: lexer, top level, bodies. ut_: unit text.
#ifndef UNIT_READ_INT_H
#define UNIT_READ_INT_H

#include "base/map.h"
#include "unit/unit_int.h"

typedef enum {
    TOK_END,
    TOK_WORD,     // text
    TOK_NUMBER,   // number, negative
    TOK_STRING,   // text, escapes resolved
    TOK_VALUE,    // %text
    TOK_SYMBOL,   // @text, number: which one of that name (0 when not said)
    TOK_POSITION, // ; text:line:col/scope
    TOK_MARK,     // mark
    TOK_BAD,      // a message was given
} TokKind;

typedef struct {
    TokKind kind;
    char mark;
    bool negative;
    bool starts_line; // first token of its line
    bool label_next;  // a colon follows at once
    const char *text;
    size_t len;
    uint64_t number;
    uint32_t file_line, file_col, scope; // of a position
    const char *at, *line_text;
    uint32_t line;
} Tok;

typedef struct {
    const char *p, *line_text;
    uint32_t line;
    bool fresh_line;
    Tok tok; // the current token
} UnitLexer;

typedef struct {
    uint32_t place; // of the definition, UINT32_MAX until it is met
    Tok tok;        // of the first use
} BlockLabel;

typedef struct {
    Unit *u;
    UnitBuilder *b;
    Arena *a;
    Diag *diag;
    const char *file;
    UnitLexer lex;
    uint32_t errors;
    Names *labels;   // of types, files, values, blocks: not the unit's own names
    Map types;       // label -> TypeId
    Map type_uses;   // label -> index into uses
    VEC(Tok) uses;   // first use of a type
    Map files;       // label -> FileId
    Map symbols;     // (name, which) -> kind << 32 | id
    Map ops, mtypes; // label -> Op; label -> MType bits + 1 (0: no type)
    Map values;      // (function, label) -> Ref bits
    // of the function being read
    uint32_t func;
    VEC(Tok) pending; // uses of values before their definition
    Map block_of;     // label -> index into blocks
    VEC(BlockLabel) blocks;
    Map locals, vars; // label -> number
} UnitReader;

enum { SYMBOL_FUNC = 1, SYMBOL_GLOBAL = 2, MOST_ERRORS = 20 };

void ut_next(UnitReader *r);
// As ut_next, but the token is a file's label, which may hold more letters than a word.
void ut_next_file_label(UnitReader *r);

// Says what is wrong at a token; always false.
bool ut_error(UnitReader *r, const Tok *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool ut_tok_is(const UnitReader *r, const char *word);
bool ut_tok_is_mark(const UnitReader *r, char mark);
bool ut_mark(UnitReader *r, char mark);
// These expect a token of a kind, take it and go on; false after a message.
bool ut_u32(UnitReader *r, uint32_t *n);
bool ut_u64(UnitReader *r, uint64_t *n);
bool ut_name(UnitReader *r, Name *name);      // a string
uint32_t ut_tok_label(UnitReader *r);         // the current token's text as a label
bool ut_tok_mtype(UnitReader *r, MType *t);   // whether the current token is a type; takes nothing
bool ut_tok_calc(UnitReader *r, Calc *c, MType *elem); // the current token as `fadd` or `extract.f32`
bool ut_type_label(UnitReader *r, TypeId *t); // "type LABEL" after the word; resolved at the end
bool ut_tok_flag(UnitReader *r, const FlagWord *list, uint32_t *flags); // takes the word when it is one
LocId ut_tok_position(UnitReader *r);                                   // the current position token
// A constant: [TYPE] number, null, @symbol ...; *is_const tells whether there was one.
bool ut_const(UnitReader *r, MType want, Ref *ref, bool *is_const);

// The body of function r->func, the current token being its brace.
bool ut_body(UnitReader *r);

#endif
