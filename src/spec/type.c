// Types as they are in C declarations, with ownership words and container arguments.
#include "spec/spec_int.h"

#include <stdio.h>
#include <string.h>

static SpecType *new_type(SpecTable *t, SpecTypeKind kind)
{
    SpecType *type = arena_new_of(t->arena, SpecType);
    type->kind = kind;
    return type;
}

static const SpecType *type_with_hold(SpecTable *t, const SpecType *type, SpecHold hold, FamilyId family)
{
    if (hold == SPEC_H_NONE) return type;
    SpecType *copy = arena_copy(t->arena, type, sizeof *type);
    copy->hold = hold;
    copy->family = hold == SPEC_H_OWN ? family : (FamilyId){0};
    return copy;
}

static bool one_of(const Token *t, const char *const *words)
{
    for (; *words; words++)
        if (parse_is_word(t, *words)) return true;
    return false;
}

// Words that say nothing about ownership. True when one was there; *is_const when it was const.
static bool qualifier(Parser *p, bool *is_const)
{
    static const char *const words[] = {"volatile", "restrict",  "__restrict", "__restrict__",
                                        "register", "extern",    "inline",     "_Noreturn",
                                        "_Nonnull", "_Nullable", NULL};
    if (parse_accept_word(p, "const")) {
        *is_const = true;
        return true;
    }
    if (!one_of(&p->tok, words)) return false;
    parse_next(p);
    return true;
}

// The words of which C makes its arithmetic types; several of them may be side by side.
static bool arithmetic(const Token *t)
{
    static const char *const words[] = {"void",     "char",  "short",    "int",
                                        "long",     "float", "double",   "signed",
                                        "unsigned", "_Bool", "_Complex", NULL};
    return one_of(t, words);
}

static bool tagged(const Token *t)
{
    static const char *const words[] = {"struct", "union", "enum", "class", NULL};
    return one_of(t, words);
}

static void append(Chars *text, const Token *t)
{
    if (text->len) vec_push(text, ' ');
    vec_append(text, t->text, t->len);
}

// stack<T, ...>: the arguments of a container.
static const SpecType *container_type(Parser *p, Name name, const Token *at, uint32_t depth)
{
    SpecTable *t = p->table;
    uint64_t *id = map_get(&t->container_by_name, name.id);
    if (!id) {
        parse_fail(p, at, "no container is called '%s'", name_text(t->names, name));
        return NULL;
    }
    SpecType *type = new_type(t, SPEC_T_CONTAINER);
    type->name = name;
    type->container.id = (uint32_t)*id;
    VEC(const SpecType *) args = {0};
    parse_expect(p, '<');
    do {
        Declared d = parse_held(p, depth + 1);
        if (p->failed) break;
        vec_push(&args, d.type);
    } while (args.len < SPEC_MAX_WHERES && parse_accept(p, ','));
    parse_expect(p, '>');
    uint32_t want = t->containers.at[*id].var_count;
    if (!p->failed && args.len != want)
        parse_fail(p, at, "container %s has %u type variable%s, not %u", name_text(t->names, name),
                   want, want == 1 ? "" : "s", args.len);
    type->arg_count = (uint16_t)args.len;
    type->args = arena_copy(t->arena, args.at, args.len * sizeof *args.at);
    vec_free(&args);
    return type;
}

const SpecType *parse_base(Parser *p, uint32_t depth)
{
    SpecTable *t = p->table;
    char b[64];
    bool is_const = false;
    if (depth > SPEC_MAX_DEPTH) {
        parse_fail(p, &p->tok, "this type is nested too deeply");
        return NULL;
    }
    while (qualifier(p, &is_const)) {
    }
    Token at = p->tok;
    const SpecType *type = NULL;
    Chars text = {0};
    if (tagged(&p->tok)) {
        append(&text, &p->tok);
        parse_next(p);
        if (p->tok.kind != TOK_NAME)
            parse_fail(p, &p->tok, "expected a tag before %s", parse_shown(&p->tok, b));
        else
            append(&text, &p->tok);
        parse_next(p);
    } else if (arithmetic(&p->tok)) {
        while (arithmetic(&p->tok) || parse_is_word(&p->tok, "const")) {
            if (parse_is_word(&p->tok, "const"))
                is_const = true;
            else
                append(&text, &p->tok);
            parse_next(p);
        }
    } else if (p->tok.kind == TOK_NAME) {
        Name name = name_of_n(t->names, p->tok.text, p->tok.len);
        append(&text, &p->tok);
        parse_next(p);
        while (parse_is(&p->tok, P_SCOPE) && p->ahead.kind == TOK_NAME) {
            vec_append(&text, "::", 2);
            parse_next(p);
            vec_append(&text, p->tok.text, p->tok.len);
            parse_next(p);
        }
        if (parse_is(&p->tok, '<')) {
            type = container_type(p, name, &at, depth);
        } else if (map_get(&t->vars, name.id)) {
            SpecType *var = new_type(t, SPEC_T_VAR);
            var->name = name;
            type = var;
        }
    } else {
        parse_fail(p, &p->tok, "expected a type before %s", parse_shown(&p->tok, b));
    }
    if (!type && !p->failed) {
        SpecType *base = new_type(t, SPEC_T_BASE);
        base->name = name_of_n(t->names, text.at, text.len);
        type = base;
    }
    vec_free(&text);
    while (qualifier(p, &is_const)) {
    }
    if (type && is_const) {
        SpecType *copy = arena_copy(t->arena, type, sizeof *type);
        copy->is_const = true;
        type = copy;
    }
    return type;
}

static const SpecType *stars(Parser *p, const SpecType *type)
{
    for (uint32_t n = 0; !p->failed; n++) {
        bool reference = parse_is(&p->tok, '&') || parse_is(&p->tok, P_AND);
        if (!reference && !parse_is(&p->tok, '*')) break;
        if (n > SPEC_MAX_DEPTH) {
            parse_fail(p, &p->tok, "this type is nested too deeply");
            break;
        }
        parse_next(p);
        SpecType *pointer = new_type(p->table, reference ? SPEC_T_REFERENCE : SPEC_T_POINTER);
        pointer->to = type;
        for (bool more = true; more && !p->failed;) {
            if (parse_is_word(&p->tok, "own")) {
                parse_next(p);
                pointer->hold = SPEC_H_OWN;
                pointer->family = parse_family(p, FAMILY_HEAP);
            } else if (parse_is_word(&p->tok, "ref")) {
                parse_next(p);
                pointer->hold = SPEC_H_REF;
            } else {
                more = qualifier(p, &pointer->is_const);
            }
        }
        type = pointer;
    }
    return type;
}

// The parameters of a function type, after its opening parenthesis.
static const SpecType *function_type(Parser *p, const SpecType *result, uint32_t depth)
{
    SpecTable *t = p->table;
    SpecType *f = new_type(t, SPEC_T_FUNCTION);
    f->to = result;
    VEC(const SpecType *) args = {0};
    if (parse_is_word(&p->tok, "void") && parse_is(&p->ahead, ')')) parse_next(p);
    while (!p->failed && !parse_is(&p->tok, ')')) {
        if (parse_accept(p, P_DOTS)) {
            f->variadic = true;
            break;
        }
        Declared d = parse_held(p, depth + 1);
        if (p->failed) break;
        vec_push(&args, d.type);
        if (args.len > SPEC_MAX_PARAMS) parse_fail(p, &p->tok, "too many parameters");
        if (!parse_accept(p, ',')) break;
    }
    parse_expect(p, ')');
    f->arg_count = (uint16_t)args.len;
    f->args = arena_copy(t->arena, args.at, args.len * sizeof *args.at);
    vec_free(&args);
    return f;
}

// Is this word a parameter's name, or does it begin what is said about the parameter? `in` and
// `to` are good names for buffers; before a comma, the end or another clause they are names.
static bool is_name_here(const Parser *p)
{
    static const char *const clauses[] = {"when", "or",   "in",   "to", "inside", "static",
                                          "of",   "then", "else", NULL};
    if (p->tok.kind != TOK_NAME) return false;
    if (!one_of(&p->tok, clauses)) return true;
    return parse_is(&p->ahead, ',') || parse_is(&p->ahead, ')') || parse_is(&p->ahead, '[') ||
           parse_is(&p->ahead, ';') || one_of(&p->ahead, clauses);
}

Declared parse_held(Parser *p, uint32_t depth)
{
    SpecHold hold = SPEC_H_NONE;
    FamilyId family = FAMILY_HEAP;
    if (parse_accept_word(p, "own")) {
        hold = SPEC_H_OWN;
        family = parse_family(p, family);
    } else if (parse_accept_word(p, "ref")) {
        hold = SPEC_H_REF;
    }
    const SpecType *base = parse_base(p, depth);
    if (p->failed) return (Declared){0};
    Declared d = parse_declarator(p, base, false, depth);
    if (!p->failed) d.type = type_with_hold(p->table, d.type, hold, family);
    return d;
}

Declared parse_declarator(Parser *p, const SpecType *base, bool function, uint32_t depth)
{
    SpecTable *t = p->table;
    Declared d = {.type = stars(p, base)};
    if (depth > SPEC_MAX_DEPTH) parse_fail(p, &p->tok, "this type is nested too deeply");
    if (p->failed) return d;
    if (function) {
        if (p->tok.kind == TOK_NAME || p->tok.kind == TOK_STRING) {
            d.name = p->tok;
            parse_next(p);
        }
        return d;
    }
    if (parse_is(&p->tok, '(') && parse_is(&p->ahead, '*')) {
        parse_next(p);
        bool ignored = false;
        uint32_t levels = 0;
        while (parse_is(&p->tok, '*') || qualifier(p, &ignored)) {
            if (parse_accept(p, '*')) levels++;
            if (levels > 4) {
                parse_fail(p, &p->tok, "this type is nested too deeply");
                return d;
            }
        }
        if (p->tok.kind == TOK_NAME) {
            d.name = p->tok;
            parse_next(p);
        }
        parse_expect(p, ')');
        parse_expect(p, '(');
        if (p->failed) return d;
        d.type = function_type(p, d.type, depth);
        while (levels--) {
            SpecType *pointer = new_type(t, SPEC_T_POINTER);
            pointer->to = d.type;
            d.type = pointer;
        }
        return d;
    }
    if (is_name_here(p)) {
        d.name = p->tok;
        parse_next(p);
        if (parse_is(&p->tok, '(')) { // int f(int): a parameter of function type is a pointer
            parse_next(p);
            SpecType *pointer = new_type(t, SPEC_T_POINTER);
            pointer->to = function_type(p, d.type, depth);
            d.type = pointer;
            return d;
        }
    }
    // Only the first dimension is a pointer's; the others belong to the element.
    while (!p->failed && parse_accept(p, '[')) {
        uint16_t n = 0;
        if (p->tok.kind == TOK_INT) {
            if (p->tok.value > 0 && p->tok.value <= 1024) n = (uint16_t)p->tok.value;
            parse_next(p);
        } else if (!parse_is(&p->tok, ']')) {
            bool ignored = false;
            parse_accept_word(p, "static");
            while (qualifier(p, &ignored)) {
            }
            if (p->tok.kind == TOK_NAME || p->tok.kind == TOK_INT) parse_next(p);
        }
        parse_expect(p, ']');
        if (d.count == 0) {
            SpecType *pointer = new_type(t, SPEC_T_POINTER);
            pointer->to = d.type;
            d.type = pointer;
            d.count = n ? n : 1;
        }
    }
    return d;
}
