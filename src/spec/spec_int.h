// Shared by the files of this module: tokens, the parser's state, the table.
#ifndef SPEC_SPEC_INT_H
#define SPEC_SPEC_INT_H

#include "base/map.h"
#include "spec/spec.h"

#include <string.h>

// Beyond these a declaration is refused; no real library comes near.
enum {
    SPEC_MAX_PARAMS = 64,
    SPEC_MAX_CASES = 16,
    SPEC_MAX_COPIES = 4,
    SPEC_MAX_WHERES = 16,
    SPEC_MAX_FIELDS = 256,
    SPEC_MAX_DEPTH = 40,    // nesting of types
    SPEC_MAX_ERRORS = 50,   // per file; then the rest is skipped
    SPEC_MAX_PATTERN = 255, // letters of a name with wildcards
    SPEC_MAX_NAME = 1 << 16,
};

typedef enum { TOK_END, TOK_NAME, TOK_STRING, TOK_INT, TOK_PUNCT, TOK_BAD } TokenKind;

// Punctuation is its character; these are the ones of two or three characters.
enum { P_EQ = 256, P_NE, P_LE, P_GE, P_AND, P_SCOPE, P_DOTS };

typedef struct {
    TokenKind kind;
    int punct;
    const char *text; // in the file; of a string without its quotes
    uint32_t len;
    uint32_t line, col;
    const char *line_text;
    int64_t value;
} Token;

typedef struct {
    const char *file;
    const char *pos, *end, *line_text;
    uint32_t line;
    uint32_t errors;
    Diag *diag;
} Lexer;

Token lex_next(Lexer *l);
// Says the message at the token, with its line and a caret.
void lex_error(Lexer *l, const Token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void lex_warn(Lexer *l, const Token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

// What tells at a glance that a declared name is not the one asked for: nearly all of them, for each
// function of a program.
typedef struct {
    char first;     // letter; 0: a wildcard
    bool qualified; // has "::"
    bool scoped;    // has it before the parameter list
    bool list;      // has a parameter list
} NameShape;

struct SpecTable {
    Names *names;
    Arena *arena;
    bool verbose;
    bool in_project; // what is added now came with the project
    bool has_project; // something did
    VEC(Name) shipped; // whole names that the models declare, in order
    VEC(SpecFunc *) funcs;         // null where a later one replaced it
    uint32_t live;                 // how many are not null
    SpecFunc **dense;              // without the nulls, in order; made anew after each file
    U32s patterns;                 // indices into funcs
    U32s elements;                 // likewise: those with an `elements` clause
    NameShape *pattern_shapes, *element_shapes; // of these, in their order; made anew after each file
    Map exact[2];                  // by SpecOrigin: Name to index in funcs
    VEC(SpecFamily) families;      // [0] unused
    VEC(SpecContainer) containers; // [0] unused
    Map family_by_name, container_by_name;
    Map vars;     // names declared by `type`
    Map computes; // Name -> Computes
    Map exceptions; // Name -> Name of the base; 0 none
};

// table.c
FamilyId table_family(SpecTable *t, Name name);
void table_add_func(SpecTable *t, const SpecFunc *f, Lexer *lex, const Token *at);
void table_settle(SpecTable *t);

// A name written in a declaration that means one of its parameters: resolved when all of them are
// known, because a parameter may speak of a later one.
typedef struct {
    int16_t *slot;
    Token at;
    bool or_return; // `return` is allowed
} Mention;

typedef struct {
    SpecTable *table;
    Lexer *lex;
    SpecOrigin origin;
    Token tok, ahead;
    bool failed;     // the current declaration is wrong; nothing more is said about it
    uint32_t braces; // open ones, for recovery
    VEC(Mention) mentions;

    bool ref_result; // the result has the word ref
    // The declaration under way. Fixed arrays, so that mentions can point into them.
    SpecFunc func;
    SpecParam params[SPEC_MAX_PARAMS];
    SpecValue cases[SPEC_MAX_CASES];
    SpecCopy copies[SPEC_MAX_COPIES];
    SpecWhere wheres[SPEC_MAX_WHERES];
} Parser;

// parse.c
void parse_text(SpecTable *t, Lexer *lex, SpecOrigin origin);
void parse_next(Parser *p);
void parse_fail(Parser *p, const Token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static inline bool parse_is(const Token *t, int punct) { return t->kind == TOK_PUNCT && t->punct == punct; }

// Every word of every declaration is compared with most words of the language: here, so that the compiler
// knows their lengths, and by the first letter first, which decides nearly always.
static inline bool parse_is_word(const Token *t, const char *word)
{
    return t->kind == TOK_NAME && *t->text == *word && strlen(word) == t->len && !memcmp(word, t->text, t->len);
}

bool parse_accept(Parser *p, int punct);
static inline bool parse_accept_word(Parser *p, const char *word)
{
    if (!parse_is_word(&p->tok, word)) return false;
    parse_next(p);
    return true;
}
void parse_expect(Parser *p, int punct);
Name parse_name(Parser *p, const char *what);
Name parse_string(Parser *p, const char *what);
// "(family)" behind own, hold, ref+ or ref-, or `otherwise`.
FamilyId parse_family(Parser *p, FamilyId otherwise);
// How a token is called in a message; one static text for each kind would lose its spelling.
const char *parse_shown(const Token *t, char buffer[64]);

// type.c
typedef struct {
    const SpecType *type;
    Token name;     // TOK_END when there is none
    uint16_t count; // elements of an array with a number; else 0
} Declared;

const SpecType *parse_base(Parser *p, uint32_t depth);
// What follows a base type: stars, a name, arrays, a function's parameters. With `function` the
// name may be quoted and the parenthesis behind it is left to the caller.
Declared parse_declarator(Parser *p, const SpecType *base, bool function, uint32_t depth);
// A type and a name behind `own` or `ref`, where these are said: the type says so too.
Declared parse_held(Parser *p, uint32_t depth);

// computes.c
void parse_computes(Parser *p);
void parse_exception(Parser *p);
void print_exceptions(Out *o, const SpecTable *t);
void print_computes(Out *o, const SpecTable *t);

// func.c
const char *parse_elements_word(SpecElements does);
void parse_func(Parser *p);
// A parameter meant by its name or number, in *slot once all parameters are known; `return` too where that may be.
void parse_mention(Parser *p, int16_t *slot, bool or_return);
int16_t parse_find_param(const Parser *p, const Token *at);
// (n) or (n * size)
void parse_length(Parser *p, int16_t slots[2]);
int64_t parse_constant(Parser *p);
void parse_condition(Parser *p, SpecCond *c);
void parse_value_of(Parser *p, SpecValue *v, SpecGives gives);
SpecValue parse_plain_value(void);

// param.c: one parameter; what none has said; the ownership word that a misspelt one may be.
void parse_param(Parser *p);
SpecParam parse_fresh_param(void);
const char *parse_near_word(const char *text, size_t len);

// alias.c
void parse_alias(Parser *p);

// check.c: what the grammar alone does not see. Fills in the defaults and the worked-out fields;
// false (with a message) when the declaration makes no sense.
bool check_func(const SpecTable *t, SpecFunc *f, SpecParam *params, Lexer *lex, const Token *at);
// Where an element of type T goes when the declaration does not say it.
int16_t check_default_in(const SpecFunc *f, uint16_t param);
// What a pointer of this type suffers when the declaration does not say it.
SpecEffect check_default_effect(const SpecType *type);
bool check_is_callback(const SpecType *type);

#endif
