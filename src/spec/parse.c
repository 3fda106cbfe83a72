// The grammar's outer part: a file is a list of type variables, families, containers, aliases and
// functions. After an error the rest of the declaration is skipped, so that one run shows several.
#include "spec/spec_int.h"

#include <stdio.h>
#include <string.h>

const char *parse_shown(const Token *t, char buffer[64])
{
    if (t->kind == TOK_END) return "the end of the file";
    int n = t->len > 40 ? 40 : (int)t->len;
    snprintf(buffer, 64, t->kind == TOK_STRING ? "\"%.*s\"" : "'%.*s'", n, t->text);
    return buffer;
}

void parse_next(Parser *p)
{
    // A bad token ends the declaration; the lexer has said why.
    p->tok = p->ahead;
    if (p->tok.kind == TOK_BAD) p->failed = true;
    if (parse_is(&p->tok, '{')) p->braces++;
    if (parse_is(&p->tok, '}') && p->braces) p->braces--;
    if (p->tok.kind != TOK_END) p->ahead = lex_next(p->lex);
}

void parse_fail(Parser *p, const Token *at, const char *fmt, ...)
{
    if (p->failed) return;
    p->failed = true;
    char message[500];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    lex_error(p->lex, at, "%s", message);
}

bool parse_accept(Parser *p, int punct)
{
    if (!parse_is(&p->tok, punct)) return false;
    parse_next(p);
    return true;
}

void parse_expect(Parser *p, int punct)
{
    char b[64];
    // What follows an error is left to the recovery.
    if (p->failed) return;
    if (!parse_accept(p, punct))
        parse_fail(p, &p->tok, "expected '%c' before %s", punct, parse_shown(&p->tok, b));
}

Name parse_name(Parser *p, const char *what)
{
    char b[64];
    if (p->tok.kind != TOK_NAME) {
        parse_fail(p, &p->tok, "expected %s before %s", what, parse_shown(&p->tok, b));
        return (Name){0};
    }
    Name n = name_of_n(p->table->names, p->tok.text, p->tok.len);
    parse_next(p);
    return n;
}

FamilyId parse_family(Parser *p, FamilyId otherwise)
{
    if (!parse_is(&p->tok, '(')) return otherwise;
    parse_next(p);
    FamilyId id = {0};
    Token at = p->tok;
    if (!parse_accept_word(p, "any")) {
        Name name = parse_name(p, "a family's name");
        if (p->failed) return otherwise;
        id = table_family(p->table, name);
        if (!p->table->families.at[id.id].declared)
            parse_fail(p, &at, "no family is called '%s'; declare it with \"family %s;\"",
                       name_text(p->table->names, name), name_text(p->table->names, name));
    }
    parse_expect(p, ')');
    return id;
}

// type T, U;
static void parse_vars(Parser *p)
{
    do {
        Name n = parse_name(p, "a type variable");
        if (!p->failed) map_set(&p->table->vars, n.id, 1);
    } while (!p->failed && parse_accept(p, ','));
    parse_expect(p, ';');
}

Name parse_string(Parser *p, const char *what)
{
    char b[64];
    if (p->tok.kind != TOK_STRING || !p->tok.len) {
        parse_fail(p, &p->tok, "expected %s before %s", what, parse_shown(&p->tok, b));
        return (Name){0};
    }
    Name n = name_of_n(p->table->names, p->tok.text, p->tok.len);
    parse_next(p);
    return n;
}

// family file resource "file" by "fclose";
static void parse_family_item(Parser *p)
{
    SpecTable *t = p->table;
    Token at = p->tok;
    SpecFamily f = {.declared = true};
    char b[64];
    if (parse_is_word(&at, "any")) parse_fail(p, &at, "'any' stands for every family");
    f.name = parse_name(p, "a family's name");
    while (!p->failed && !parse_is(&p->tok, ';')) {
        if (p->tok.kind == TOK_STRING) {
            f.noun = parse_string(p, "a noun");
        } else if (parse_accept_word(p, "resource")) {
            f.resource = true;
        } else if (parse_accept_word(p, "arena")) {
            f.arena = true;
        } else if (parse_accept_word(p, "deep")) {
            f.deep = true;
        } else if (parse_accept_word(p, "runs")) {
            f.runs = true;
        } else if (parse_accept_word(p, "partial")) {
            f.partial = true;
        } else if (parse_accept_word(p, "scoped")) {
            f.scoped = true;
        } else if (parse_accept_word(p, "value")) {
            f.repr = SPEC_VALUE;
        } else if (parse_accept_word(p, "embedded")) {
            f.repr = SPEC_EMBEDDED;
        } else if (parse_accept_word(p, "by")) {
            f.by = p->tok.kind == TOK_STRING ? parse_string(p, "a function")
                                             : parse_name(p, "a function's name");
        } else if (parse_accept_word(p, "like")) {
            Token of = p->tok;
            Name n = parse_name(p, "a family's name");
            if (p->failed) return;
            f.like = table_family(t, n);
            if (!t->families.at[f.like.id].declared)
                parse_fail(p, &of, "no family is called '%s'", name_text(t->names, n));
        } else {
            parse_fail(p, &p->tok,
                       "expected resource, arena, deep, runs, partial, scoped, value, embedded, like, by "
                       "or a quoted noun before %s",
                       parse_shown(&p->tok, b));
        }
    }
    parse_expect(p, ';');
    if (p->failed) return;
    FamilyId id = table_family(t, f.name);
    for (FamilyId like = f.like; like.id; like = t->families.at[like.id].like)
        if (like.id == id.id) {
            parse_fail(p, &at, "family %s would be like itself", name_text(t->names, f.name));
            p->failed = false; // the declaration is complete; only its meaning is wrong
            return;
        }
    t->families.at[id.id] = f;
}

// container stack<T> { own T *elem; };
static void parse_container(Parser *p)
{
    SpecTable *t = p->table;
    SpecContainer c = {0};
    VEC(Name) vars = {0};
    VEC(SpecField) fields = {0};
    Token at = p->tok;
    c.name = parse_name(p, "a container's name");
    if (p->tok.kind == TOK_PUNCT && p->tok.punct != '<')
        parse_fail(p, &p->tok, "a container has type variables: container %s<T>",
                   name_text(t->names, c.name));
    parse_expect(p, '<');
    do {
        Token var = p->tok;
        Name n = parse_name(p, "a type variable");
        if (p->failed) break;
        if (!map_get(&t->vars, n.id))
            parse_fail(p, &var, "'%s' is not declared; say \"type %s;\" before",
                       name_text(t->names, n), name_text(t->names, n));
        vec_each (i, &vars)
            if (vars.at[i].id == n.id)
                parse_fail(p, &var, "'%s' is named twice here", name_text(t->names, n));
        vec_push(&vars, n);
        if (vars.len > SPEC_MAX_WHERES) parse_fail(p, &var, "too many type variables");
    } while (!p->failed && parse_accept(p, ','));
    parse_expect(p, '>');
    // Known from here on, because a field may contain the container itself.
    uint32_t id = 0;
    if (!p->failed) {
        c.var_count = (uint16_t)vars.len;
        c.vars = arena_copy(t->arena, vars.at, vars.len * sizeof *vars.at);
        c.file = p->lex->file;
        uint64_t *old = map_get(&t->container_by_name, c.name.id);
        const SpecContainer *before = old ? &t->containers.at[*old] : NULL;
        if (before && before->var_count == c.var_count) {
            id = (uint32_t)*old;
            t->containers.at[id] = c;
        } else if (before && before->file == c.file) {
            // Functions that were read already speak of so many variables.
            parse_fail(p, &at, "container %s had %u type variables before",
                       name_text(t->names, c.name), before->var_count);
        } else {
            // Another file's container of the same name remains what its functions speak of.
            id = t->containers.len;
            vec_push(&t->containers, c);
            map_set(&t->container_by_name, c.name.id, id);
        }
    }
    if (parse_is(&p->tok, '{')) {
        parse_next(p);
        while (!p->failed && !parse_is(&p->tok, '}')) {
            Declared d = parse_held(p, 1);
            if (!p->failed) parse_expect(p, ';');
            if (p->failed) break;
            SpecField f = {.type = d.type};
            if (d.name.kind == TOK_NAME) f.name = name_of_n(t->names, d.name.text, d.name.len);
            vec_push(&fields, f);
            if (fields.len > SPEC_MAX_FIELDS) parse_fail(p, &d.name, "too many fields");
        }
        parse_expect(p, '}');
        parse_accept(p, ';');
    } else {
        parse_expect(p, ';');
    }
    if (!p->failed) {
        SpecContainer *home = &t->containers.at[id];
        home->field_count = (uint16_t)fields.len;
        home->fields = arena_copy(t->arena, fields.at, fields.len * sizeof *fields.at);
    }
    vec_free(&vars);
    vec_free(&fields);
}

// To the end of a declaration: its semicolon (inside braces they do not count), or a word at the
// beginning of a line, because there most likely a semicolon or a brace is missing.
static void recover(Parser *p)
{
    while (p->tok.kind != TOK_END && p->lex->errors <= SPEC_MAX_ERRORS) {
        if (p->tok.kind == TOK_NAME && p->tok.col == 1) break;
        bool last = p->braces == 0 && parse_is(&p->tok, ';');
        parse_next(p);
        if (last) break;
    }
    p->braces = 0;
    p->failed = p->tok.kind == TOK_BAD;
}

void parse_text(SpecTable *t, Lexer *lex, SpecOrigin origin)
{
    Parser *p = mem_alloc(sizeof *p);
    p->table = t;
    p->lex = lex;
    p->origin = origin;
    p->ahead = lex_next(lex);
    parse_next(p);
    while (p->tok.kind != TOK_END && lex->errors <= SPEC_MAX_ERRORS) {
        Token at = p->tok;
        if (p->failed) {
            recover(p);
            continue;
        }
        if (parse_accept(p, ';')) continue;
        if (parse_accept_word(p, "type"))
            parse_vars(p);
        else if (parse_accept_word(p, "family"))
            parse_family_item(p);
        else if (parse_accept_word(p, "container"))
            parse_container(p);
        else if (parse_accept_word(p, "alias"))
            parse_alias(p);
        else if (parse_accept_word(p, "computes"))
            parse_computes(p);
        else if (parse_accept_word(p, "exception"))
            parse_exception(p);
        else
            parse_func(p);
        // Every round eats at least one token, so that no input keeps us here.
        if (p->failed && p->tok.kind != TOK_END && p->tok.text == at.text) parse_next(p);
        if (p->failed) recover(p);
    }
    if (lex->errors > SPEC_MAX_ERRORS)
        diag_error(lex->diag, "%s: more than %d errors; the rest of the file is not read",
                   lex->file, SPEC_MAX_ERRORS);
    vec_free(&p->mentions);
    mem_free(p);
}
