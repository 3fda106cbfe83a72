// Parameters of declared functions, with the words before and after their types.
#include "spec/spec_int.h"

#include <string.h>

typedef struct {
    bool mode, place, effect; // said already
    bool own, deep;
    FamilyId family;
} SaidWords;

SpecParam parse_fresh_param(void)
{
    return (SpecParam){.in = SPEC_NONE,
                       .to = SPEC_NONE,
                       .length = {SPEC_NONE, SPEC_NONE},
                       .count = 1,
                       .value = parse_plain_value()};
}

static void once(Parser *p, bool *said, const Token *at, const char *group)
{
    char b[64];
    if (*said) parse_fail(p, at, "%s: only one of %s", parse_shown(at, b), group);
    *said = true;
}

// One word before a parameter's type. False when it is none.
static bool param_word(Parser *p, SpecParam *x, SaidWords *s)
{
    static const struct {
        const char *word;
        enum { MODE, PLACE, EFFECT } group;
        int value;
    } words[] = {
        {"own", MODE, SPEC_TAKE},
        {"hold", MODE, SPEC_HOLD},
        {"keep", MODE, SPEC_KEEP},
        {"ref", MODE, SPEC_REF},
        {"in", PLACE, SPEC_IN},
        {"out", PLACE, SPEC_OUT},
        {"inout", PLACE, SPEC_INOUT},
        {"reads", EFFECT, SPEC_READS},
        {"renews", EFFECT, SPEC_RENEWS},
        {"clears", EFFECT, SPEC_CLEARS},
        {"writes", EFFECT, SPEC_WRITES},
        {"fills", EFFECT, SPEC_FILLS},
        {"changes", EFFECT, SPEC_CHANGES},
        {"empties", EFFECT, SPEC_EMPTIES},
    };
    Token at = p->tok;
    if (parse_accept_word(p, "deep")) {
        s->deep = true;
        return true;
    }
    if (parse_accept_word(p, "nonnull")) {
        x->nonnull = true;
        return true;
    }
    if (parse_accept_word(p, "opaque")) {
        x->opaque = true;
        return true;
    }
    if (parse_accept_word(p, "calls")) {
        x->called = true;
        return true;
    }
    if (parse_accept_word(p, "once")) {
        x->once = true;
        return true;
    }
    if (parse_accept_word(p, "starts")) {
        x->starts = true;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!parse_is_word(&at, words[i].word)) continue;
        parse_next(p);
        if (words[i].group == PLACE) {
            once(p, &s->place, &at, "in, out and inout");
            x->place = (SpecPlace)words[i].value;
            return true;
        }
        if (words[i].group == EFFECT) {
            once(p, &s->effect, &at, "reads, renews, clears, writes, fills, changes and empties");
            x->effect = (SpecEffect)words[i].value;
            if (x->effect == SPEC_FILLS && parse_is(&p->tok, '(')) parse_length(p, x->length);
            return true;
        }
        once(p, &s->mode, &at, "own, hold, keep, ref, ref+ and ref-");
        x->mode = (SpecMode)words[i].value;
        if (x->mode == SPEC_REF && parse_accept(p, '+')) x->mode = SPEC_REF_INC;
        if (x->mode == SPEC_REF && parse_accept(p, '-')) x->mode = SPEC_REF_DEC;
        s->own = x->mode == SPEC_TAKE;
        if (x->mode != SPEC_REF && x->mode != SPEC_KEEP)
            s->family = parse_family(p, (FamilyId){s->own ? 1 : 0});
        return true;
    }
    return false;
}

static void param_clauses(Parser *p, SpecParam *x)
{
    while (!p->failed) {
        if (parse_accept_word(p, "when")) {
            parse_condition(p, &x->when);
        } else if (parse_accept_word(p, "or")) {
            if (parse_accept_word(p, "null"))
                x->or_null = true;
            else if (parse_accept_word(p, "inside"))
                x->or_inside = true;
            else
                parse_fail(p, &p->tok, "a parameter may only have 'or null' or 'or inside'");
        } else if (parse_accept_word(p, "in")) {
            parse_mention(p, &x->in, true);
        } else if (parse_accept_word(p, "to")) {
            parse_mention(p, &x->to, false);
        } else if (parse_accept_word(p, "inside")) {
            parse_value_of(p, &x->value, SPEC_INSIDE);
        } else if (parse_accept_word(p, "of")) {
            parse_value_of(p, &x->value, SPEC_REF_OF);
        } else if (parse_accept_word(p, "static")) {
            x->value.gives = SPEC_STATIC;
        } else if (parse_accept_word(p, "else")) {
            if (!parse_accept_word(p, "null"))
                parse_fail(p, &p->tok, "only 'else null' has a meaning");
            x->else_null = true;
        } else if (parse_accept_word(p, "then")) {
            if (parse_accept_word(p, "null"))
                x->then_null = true;
            else if (parse_accept_word(p, "positive"))
                x->then_positive = true;
            else if (parse_accept(p, P_GE))
                x->bounded = true, x->least = parse_constant(p);
            else
                parse_fail(p, &p->tok,
                           "only 'then null', 'then positive' and 'then >= N' have a meaning");
        } else {
            break;
        }
    }
}

// What was said before the type, put into the parameter.
static void apply_said(Parser *p, SpecParam *x, const SaidWords *s)
{
    x->family = s->family;
    x->deep = s->deep;
    if (!s->mode && x->place == SPEC_ITSELF && x->type) {
        const SpecType *type = x->type;
        while (type->kind == SPEC_T_REFERENCE) type = type->to;
        if (type->kind == SPEC_T_VAR) x->mode = SPEC_BY_TYPE;
    }
    if (x->place == SPEC_OUT || x->place == SPEC_INOUT) {
        if (s->own) {
            x->value.gives = SPEC_OWN;
            x->value.family = s->family;
            x->value.deep = s->deep;
            // What is in it before an `out` is nobody's business.
            if (x->place == SPEC_OUT) x->mode = SPEC_REF;
        } else if (x->value.gives == SPEC_PLAIN && x->type) {
            const SpecType *to = x->type->kind == SPEC_T_POINTER ? x->type->to : NULL;
            if (to && to->kind == SPEC_T_VAR) x->value.gives = SPEC_POLY;
            // inout ref char **p: moves on within what it pointed to.
            if (x->place == SPEC_INOUT) {
                x->value.gives = SPEC_INSIDE;
                x->value.param = (int16_t)(x - p->params);
                x->value.deref = true;
            }
        }
    }
    if (!s->effect)
        x->effect =
            x->place != SPEC_ITSELF || !x->type ? SPEC_READS : check_default_effect(x->type);
    if (x->mode == SPEC_REF && x->type && check_is_callback(x->type)) x->called = true;
}

// An ownership word misspelt reads like a type; say so where it helps.
const char *parse_near_word(const char *text, size_t len)
{
    static const char *const words[] = {"own",  "ref",   "hold",   "keep",  "out",    "inout",
                                        "deep", "reads", "writes", "fills", "changes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]), different = 0;
        if (n == len) {
            for (size_t k = 0; k < n; k++) different += words[i][k] != text[k];
            if (different == 1) return words[i];
            // Two neighbours exchanged.
            if (different == 2)
                for (size_t k = 0; k + 1 < n; k++)
                    if (words[i][k] == text[k + 1] && words[i][k + 1] == text[k] &&
                        words[i][k] != text[k])
                        return words[i];
        }
        if (n + 1 == len && !memcmp(words[i], text, n) && text[n] == 's') return words[i];
    }
    return NULL;
}

void parse_param(Parser *p)
{
    SpecFunc *f = &p->func;
    char b[64];
    Token at = p->tok;
    SaidWords s = {0};
    SpecParam *x = &f->rest;
    // `...` may have words before it, so what it is shows late: a parameter's place is used, and
    // given back.
    bool full = f->param_count == SPEC_MAX_PARAMS;
    if (!full) x = &p->params[f->param_count];
    *x = parse_fresh_param();
    while (!p->failed && param_word(p, x, &s)) {
    }
    if (p->failed) return;
    if (parse_accept(p, P_DOTS)) {
        f->variadic = true;
        apply_said(p, x, &s);
        f->rest = *x;
        f->rest.length[0] = f->rest.length[1] = SPEC_NONE;
        return;
    }
    if (full) {
        parse_fail(p, &at, "more than %d parameters", SPEC_MAX_PARAMS);
        return;
    }
    Token base_at = p->tok;
    const SpecType *base = parse_base(p, 1);
    if (p->failed) return;
    Declared d = parse_declarator(p, base, false, 1);
    if (p->failed) return;
    x->type = d.type;
    x->count = d.count ? d.count : 1;
    if (d.name.kind == TOK_NAME) {
        if (parse_find_param(p, &d.name) != SPEC_NONE)
            parse_fail(p, &d.name, "two parameters are called %s", parse_shown(&d.name, b));
        x->name = name_of_n(p->table->names, d.name.text, d.name.len);
    }
    param_clauses(p, x);
    apply_said(p, x, &s);
    f->param_count++;
    if (!p->failed && !parse_is(&p->tok, ',') && !parse_is(&p->tok, ')')) {
        const char *word = parse_near_word(base_at.text, base_at.len);
        if (word)
            parse_fail(p, &base_at, "%s is taken as a type; did you mean '%s'?",
                       parse_shown(&base_at, b), word);
        else
            parse_fail(p, &p->tok, "expected ',' or ')' before %s", parse_shown(&p->tok, b));
    }
}
