// Other names of a function that is declared already: `alias fopen64, my_fopen = fopen;`. They share
// its row, so that what is corrected there is corrected for all of them.
//
// A fortified form has further parameters between those of the plain function. It is declared with its
// list: a bare name is the old function's parameter, one with a type is new and only borrowed.
//
//     alias __snprintf_chk(s, size, int flag, size_t slen, format) = snprintf;
#include "spec/spec_int.h"

#include <string.h>

typedef struct {
    Name name; // of the old parameter, or of the new one
    Token at;
    const SpecType *type; // new ones
} Listed;

typedef struct {
    Name name;
    Token at;
} Fresh;

typedef VEC(Listed) ListedVec;
typedef VEC(Fresh) FreshVec;

static void parse_list(Parser *p, ListedVec *list)
{
    do {
        if (parse_accept(p, P_DOTS)) break;
        Listed l = {.at = p->tok};
        if (p->tok.kind == TOK_NAME && (parse_is(&p->ahead, ',') || parse_is(&p->ahead, ')'))) {
            l.name = parse_name(p, "a parameter's name");
        } else {
            const SpecType *base = parse_base(p, 0);
            if (p->failed) return;
            Declared d = parse_declarator(p, base, false, 0);
            l.type = d.type;
            if (d.name.kind == TOK_NAME)
                l.name = name_of_n(p->table->names, d.name.text, d.name.len);
        }
        if (list->len == SPEC_MAX_PARAMS)
            parse_fail(p, &l.at, "more than %d parameters", SPEC_MAX_PARAMS);
        else
            vec_push(list, l);
    } while (!p->failed && parse_accept(p, ','));
    parse_expect(p, ')');
}

static void move(const int16_t *to, int16_t *slot)
{
    if (*slot >= 0) *slot = to[*slot];
}

static void move_pair(const int16_t *to, int16_t pair[2])
{
    move(to, &pair[0]);
    move(to, &pair[1]);
}

static void move_value(const int16_t *to, SpecValue *v)
{
    move(to, &v->when.subject);
    if (v->gives == SPEC_ALIAS || v->gives == SPEC_INSIDE || v->gives == SPEC_REF_OF)
        move(to, &v->param);
    move(to, &v->in);
}

static void move_param(const int16_t *to, SpecParam *x)
{
    move(to, &x->in);
    move(to, &x->to);
    move_pair(to, x->length);
    move(to, &x->when.subject);
    move_value(to, &x->value);
}

// Every index of a parameter in the declaration means its new place.
static void renumber(SpecTable *t, SpecFunc *f, const int16_t *to)
{
    move_value(to, &f->result);
    if (f->case_count) {
        SpecValue *cases = arena_copy(t->arena, f->cases, f->case_count * sizeof *cases);
        for (uint16_t i = 0; i < f->case_count; i++) move_value(to, &cases[i]);
        f->cases = cases;
    }
    if (f->copy_count) {
        SpecCopy *copies = arena_copy(t->arena, f->copies, f->copy_count * sizeof *copies);
        for (uint16_t i = 0; i < f->copy_count; i++) {
            move(to, &copies[i].from);
            move(to, &copies[i].to);
            move_pair(to, copies[i].length);
        }
        f->copies = copies;
    }
    move_pair(to, f->size);
    move(to, &f->measures);
    move(to, &f->removes);
    move(to, &f->same);
    move_pair(to, f->compares);
    for (int i = 0; i < 3; i++) move(to, &f->element[i]);
    move(to, &f->realloc_frees.subject);
    move(to, &f->noreturn_when.subject);
    for (int i = 0; i < 2; i++) move(to, &f->unless[i].subject);
    move_param(to, &f->rest);
}

// The declaration with the parameters of the list; false with a message when they do not fit.
static bool relist(Parser *p, SpecFunc *f, const ListedVec *list, const Token *at)
{
    SpecTable *t = p->table;
    int16_t to[SPEC_MAX_PARAMS];
    for (uint16_t i = 0; i < f->param_count; i++) to[i] = SPEC_NONE;
    SpecParam *params = arena_array_of(t->arena, SpecParam, list->len ? list->len : 1);
    vec_each (k, list) {
        const Listed *l = &list->at[k];
        if (l->type) {
            params[k] = (SpecParam){.name = l->name,
                                    .type = l->type,
                                    .effect = SPEC_READS,
                                    .in = SPEC_NONE,
                                    .to = SPEC_NONE,
                                    .length = {SPEC_NONE, SPEC_NONE},
                                    .count = 1,
                                    .value = {.param = SPEC_NONE, .in = SPEC_NONE}};
            continue;
        }
        uint16_t i = 0;
        while (i < f->param_count && f->params[i].name.id != l->name.id) i++;
        if (i == f->param_count || to[i] != SPEC_NONE) {
            parse_fail(p, &l->at,
                       i == f->param_count ? "'%s' is no parameter of '%s'"
                                           : "'%s' of '%s' is listed twice",
                       name_text(t->names, l->name), name_text(t->names, f->name));
            return false;
        }
        to[i] = (int16_t)k;
        params[k] = f->params[i];
    }
    for (uint16_t i = 0; i < f->param_count; i++)
        if (to[i] == SPEC_NONE) {
            parse_fail(p, at, "the parameter '%s' of '%s' is not in the list",
                       name_text(t->names, f->params[i].name), name_text(t->names, f->name));
            return false;
        }
    vec_each (k, list)
        if (!list->at[k].type) move_param(to, &params[k]);
    renumber(t, f, to);
    f->params = params;
    f->param_count = (uint16_t)list->len;
    return true;
}

void parse_alias(Parser *p)
{
    SpecTable *t = p->table;
    FreshVec fresh = {0};
    ListedVec list = {0};
    bool listed = false;
    do {
        Fresh n = {.at = p->tok};
        n.name = p->tok.kind == TOK_STRING ? parse_string(p, "a name")
                                           : parse_name(p, "a function's name");
        vec_push(&fresh, n);
    } while (!p->failed && parse_accept(p, ','));
    if (!p->failed && parse_accept(p, '(')) {
        listed = true;
        parse_list(p, &list);
    }
    if (!p->failed) parse_expect(p, '=');
    Token at = p->tok;
    Name old = {0};
    if (!p->failed)
        old = p->tok.kind == TOK_STRING ? parse_string(p, "a name")
                                        : parse_name(p, "a function's name");
    if (!p->failed) parse_expect(p, ';');
    if (!p->failed) {
        uint64_t *i = map_get(&t->exact[SPEC_FROM_USER], old.id);
        if (!i) i = map_get(&t->exact[SPEC_FROM_MODEL], old.id);
        if (!i) parse_fail(p, &at, "no function '%s' is declared before", name_text(t->names, old));
        SpecFunc f = i ? *t->funcs.at[*i] : (SpecFunc){0};
        if (i && (!listed || relist(p, &f, &list, &at))) {
            // The row itself, also where an alias is declared by way of another.
            if (!f.alias_of.id) f.alias_of = f.name;
            vec_each (k, &fresh) {
                f.name = fresh.at[k].name;
                f.quoted = fresh.at[k].at.kind == TOK_STRING;
                f.pattern = f.quoted && strchr(name_text(t->names, f.name), '*');
                f.origin = p->origin;
                f.file = p->lex->file;
                f.line = fresh.at[k].at.line;
                f.col = fresh.at[k].at.col;
                if (f.pattern)
                    parse_fail(p, &fresh.at[k].at, "an alias cannot be a pattern");
                else
                    table_add_func(t, &f, p->lex, &fresh.at[k].at);
            }
        }
    }
    vec_free(&fresh);
    vec_free(&list);
}
