// What the grammar does not see: words that contradict each other or the types, and what follows
// from a declaration (defaults, harmlessness).
#include "spec/spec_int.h"

#include <string.h>

bool check_is_callback(const SpecType *type)
{
    return type->kind == SPEC_T_POINTER && type->to->kind == SPEC_T_FUNCTION;
}

SpecEffect check_default_effect(const SpecType *type)
{
    if (type->kind != SPEC_T_POINTER && type->kind != SPEC_T_REFERENCE) return SPEC_READS;
    const SpecType *to = type->to;
    if (to->is_const || to->kind == SPEC_T_FUNCTION) return SPEC_READS;
    // Putting an element into a container changes pointers in it, and so does taking one out.
    // Errs towards missing a leak, never towards a false one.
    return to->kind == SPEC_T_CONTAINER ? SPEC_CHANGES : SPEC_WRITES;
}

// int and the like, which cannot be pointers whatever a typedef says.
static bool is_arithmetic(const SpecTable *t, const SpecType *type)
{
    static const char *const words[] = {"char",   "short",   "int",      "long",
                                        "float",  "double",  "unsigned", "signed",
                                        "size_t", "ssize_t", "_Bool",    "bool"};
    if (type->kind != SPEC_T_BASE) return false;
    const char *text = name_text(t->names, type->name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (!strncmp(text, words[i], n) && (text[n] == 0 || text[n] == ' ')) return true;
    }
    return false;
}

static bool is_void(const SpecTable *t, const SpecType *type)
{
    return type->kind == SPEC_T_BASE && !strcmp(name_text(t->names, type->name), "void");
}

static bool mentions_var(const SpecType *type, Name var)
{
    if (!type) return false;
    if (type->kind == SPEC_T_VAR) return !var.id || type->name.id == var.id;
    if (type->kind == SPEC_T_CONTAINER && !var.id) return true;
    for (uint16_t i = 0; i < type->arg_count; i++)
        if (mentions_var(type->args[i], var)) return true;
    return mentions_var(type->to, var);
}

static const SpecType *container_behind(const SpecType *type)
{
    while (type && (type->kind == SPEC_T_POINTER || type->kind == SPEC_T_REFERENCE))
        type = type->to;
    return type && type->kind == SPEC_T_CONTAINER ? type : NULL;
}

int16_t check_default_in(const SpecFunc *f, uint16_t param)
{
    const SpecType *type = f->params[param].type;
    while (type->kind == SPEC_T_REFERENCE) type = type->to;
    if (type->kind != SPEC_T_VAR) return SPEC_NONE;
    for (uint16_t i = 0; i < f->param_count; i++) {
        const SpecType *c = container_behind(f->params[i].type);
        if (i != param && c && mentions_var(c, type->name)) return (int16_t)i;
    }
    const SpecType *c = container_behind(f->result_type);
    return c && mentions_var(c, type->name) ? SPEC_RETURN : SPEC_NONE;
}

typedef struct {
    const SpecTable *t;
    const SpecFunc *f;
    Lexer *lex;
    const Token *at;
    bool bad;
} RowCheck;

#define WRONG(c, ...) (lex_error((c)->lex, (c)->at, __VA_ARGS__), (c)->bad = true)

static const char *param_shown(const RowCheck *c, uint16_t i)
{
    const char *name = name_text(c->t->names, c->f->params[i].name);
    return *name ? name : "without a name";
}

static SpecRepr repr(const SpecTable *t, FamilyId id)
{
    return id.id ? t->families.at[id.id].repr : SPEC_POINTER;
}

static void check_param(RowCheck *c, uint16_t i)
{
    const SpecParam *x = &c->f->params[i];
    const SpecTable *t = c->t;
    bool owned = x->mode == SPEC_TAKE || x->mode == SPEC_HOLD || x->mode == SPEC_REF_INC ||
                 x->mode == SPEC_REF_DEC || x->value.gives == SPEC_OWN;
    SpecRepr r = repr(t, x->family);
    if (is_void(t, x->type)) WRONG(c, "parameter %s cannot be void", param_shown(c, i));
    if (x->place != SPEC_ITSELF && is_arithmetic(t, x->type))
        WRONG(c, "parameter %s is a number; in, out and inout need a pointer", param_shown(c, i));
    if (owned && x->place == SPEC_ITSELF && is_arithmetic(t, x->type) && r != SPEC_VALUE)
        WRONG(c, "parameter %s is a number; to own one it needs a family of values",
              param_shown(c, i));
    if (owned && r == SPEC_VALUE && x->place == SPEC_ITSELF && x->type->kind == SPEC_T_POINTER)
        WRONG(c, "family %s is one of values: parameter %s needs in, out or inout",
              name_text(t->names, t->families.at[x->family.id].name), param_shown(c, i));
    if (owned && r == SPEC_EMBEDDED && x->place == SPEC_ITSELF)
        WRONG(c, "family %s lives inside the caller's struct: parameter %s needs in or out",
              name_text(t->names, t->families.at[x->family.id].name), param_shown(c, i));
    if (owned && r == SPEC_POINTER && x->place != SPEC_ITSELF && x->type->kind == SPEC_T_POINTER &&
        is_arithmetic(t, x->type->to))
        WRONG(c, "parameter %s points to a number; to own one it needs a family of values",
              param_shown(c, i));
    if (x->in != SPEC_NONE && x->mode != SPEC_HOLD && x->mode != SPEC_KEEP &&
        x->mode != SPEC_BY_TYPE)
        WRONG(c, "'in' at parameter %s needs hold or keep", param_shown(c, i));
    else if (x->in == i)
        WRONG(c, "parameter %s cannot live in itself", param_shown(c, i));
    if (x->deep && x->mode != SPEC_TAKE && x->mode != SPEC_REF_DEC && x->mode != SPEC_HOLD &&
        x->value.gives != SPEC_OWN)
        WRONG(c, "'deep' at parameter %s needs own or ref-", param_shown(c, i));
    if (x->then_null && x->place != SPEC_IN)
        WRONG(c, "'then null' at parameter %s needs 'in'", param_shown(c, i));
    if (x->else_null && (x->place != SPEC_OUT || x->when.op == SPEC_ALWAYS))
        WRONG(c, "'else null' at parameter %s needs 'out' and a condition", param_shown(c, i));
    if (x->then_positive && x->effect != SPEC_FILLS)
        WRONG(c, "'then positive' at parameter %s needs 'fills'", param_shown(c, i));
    if (x->bounded && !(x->place == SPEC_OUT && owned && r == SPEC_VALUE))
        WRONG(c, "'then >=' at parameter %s needs 'out own' of a family of values",
              param_shown(c, i));
    if (x->or_null && x->place != SPEC_OUT && x->place != SPEC_INOUT)
        WRONG(c, "'or null' at parameter %s needs 'out'", param_shown(c, i));
    if (x->or_inside && !(x->place == SPEC_INOUT && owned))
        WRONG(c, "'or inside' at parameter %s needs 'inout own'", param_shown(c, i));
    if (x->value.gives != SPEC_PLAIN && x->place != SPEC_OUT && x->place != SPEC_INOUT)
        WRONG(c, "what parameter %s receives is said, but it is no 'out' parameter",
              param_shown(c, i));
    if (x->place == SPEC_IN && x->mode == SPEC_REF)
        WRONG(c, "'in' before parameter %s needs own, hold or ref-", param_shown(c, i));
    if (x->when.op != SPEC_ALWAYS && x->mode == SPEC_REF && x->place == SPEC_ITSELF && !x->then_positive)
        WRONG(c, "parameter %s is only borrowed; a condition says nothing", param_shown(c, i));
    if (x->to == i) WRONG(c, "parameter %s cannot be handed to itself", param_shown(c, i));
    if (x->to != SPEC_NONE && x->to != i && c->f->params[x->to].mode == SPEC_REF &&
        !c->f->params[x->to].called)
        WRONG(c, "parameter %s is handed to one that is neither called nor kept",
              param_shown(c, i));
}

static void check_result(RowCheck *c)
{
    const SpecFunc *f = c->f;
    const SpecTable *t = c->t;
    bool none = is_void(t, f->result_type);
    bool number = is_arithmetic(t, f->result_type);
    if (f->tells_failure && f->result.gives != SPEC_STATIC)
        WRONG(c, "%s", "'tells failure' needs 'returns static'");
    if (none && (f->result.gives != SPEC_PLAIN || f->case_count || f->fail || f->nonnull))
        WRONG(c, "a void function has no result to speak of");
    for (uint16_t i = 0; i <= f->case_count; i++) {
        const SpecValue *v = i < f->case_count ? &f->cases[i] : &f->result;
        if (v->gives != SPEC_OWN) continue;
        SpecRepr r = repr(t, v->family);
        if (!v->family.id)
            WRONG(c, "a result cannot be of any family");
        else if (number && r != SPEC_VALUE)
            WRONG(c, "the result is a number; to own one it needs a family of values");
        else if (r == SPEC_EMBEDDED)
            WRONG(c, "a family that lives inside the caller's struct cannot be a result");
    }
    if (f->prints && (!f->bounded || f->param_count < (f->variadic ? 1u : 2u)))
        WRONG(c, "'prints' needs a format before '...' or a list, and 'returns >='");
    if (f->or_static && f->result.gives != SPEC_INSIDE)
        WRONG(c, "'or static' needs a result that is inside an argument");
    if (f->bounded && (none || f->result_type->kind != SPEC_T_BASE))
        WRONG(c, "'returns >=' needs a number as the result");
    for (uint16_t i = 0; i < f->case_count; i++)
        if (f->cases[i].when.subject == SPEC_RETURN)
            WRONG(c, "which result comes cannot depend on the result");
    if (f->result.in != SPEC_NONE && f->result.gives != SPEC_OWN)
        WRONG(c, "'in' after the parameters needs an owned result");
    if (f->zeroed && f->result.gives != SPEC_OWN && f->case_count == 0)
        WRONG(c, "'zeroed' needs an owned result");
    if (f->nonempty && (f->result.gives != SPEC_OWN || f->zeroed))
        WRONG(c, "'nonempty' needs an owned result that is not zeroed");
}

static void check_whole(RowCheck *c)
{
    const SpecFunc *f = c->f;
    uint16_t taken = 0;
    for (uint16_t i = 0; i < f->param_count; i++)
        taken += f->params[i].mode == SPEC_TAKE && f->params[i].place == SPEC_ITSELF;
    if (f->realloc && taken != 1) WRONG(c, "a realloc function has exactly one own parameter");
    if (f->pure) {
        bool effect = f->result.gives == SPEC_OWN || f->noreturn || f->copy_count;
        for (uint16_t i = 0; i < f->param_count; i++) {
            const SpecParam *x = &f->params[i];
            effect |= x->mode != SPEC_REF || x->place != SPEC_ITSELF || x->effect >= SPEC_FILLS;
        }
        if (effect) WRONG(c, "a pure function changes nothing, but this one does");
    }
    for (int i = 0; i < 2; i++)
        if (f->unless[i].op != SPEC_ALWAYS && f->unless[i].subject == SPEC_RETURN)
            WRONG(c, "what the result depends on cannot be the result");
    if (f->noreturn_when.subject == SPEC_RETURN && f->noreturn_when.op != SPEC_ALWAYS)
        WRONG(c, "whether it returns cannot depend on the result");
    for (uint16_t i = 0; i < f->where_count; i++) {
        bool used = mentions_var(f->result_type, f->wheres[i].var);
        for (uint16_t k = 0; k < f->param_count; k++)
            used |= mentions_var(f->params[k].type, f->wheres[i].var);
        if (!used)
            WRONG(c, "'where' speaks of %s, which the declaration does not mention",
                  name_text(c->t->names, f->wheres[i].var));
    }
}

static bool harmless_param(const SpecParam *x)
{
    return x->mode == SPEC_REF && x->place == SPEC_ITSELF && x->effect <= SPEC_WRITES &&
           !x->called && x->to == SPEC_NONE;
}

static bool is_harmless(const SpecFunc *f)
{
    if (f->noreturn || f->twice || f->realloc || f->copy_count) return false;
    if (f->result.gives == SPEC_OWN || f->result.gives == SPEC_POLY) return false;
    for (uint16_t i = 0; i < f->case_count; i++)
        if (f->cases[i].gives == SPEC_OWN) return false;
    for (uint16_t i = 0; i < f->param_count; i++)
        if (!harmless_param(&f->params[i])) return false;
    return !f->variadic || harmless_param(&f->rest);
}

bool check_func(const SpecTable *t, SpecFunc *f, SpecParam *params, Lexer *lex, const Token *at)
{
    RowCheck c = {t, f, lex, at, false};
    for (uint16_t i = 0; i < f->param_count; i++) check_param(&c, i);
    check_result(&c);
    check_whole(&c);
    if (c.bad) return false;
    f->generic = mentions_var(f->result_type, (Name){0});
    for (uint16_t i = 0; i < f->param_count; i++) {
        SpecParam *x = &params[i];
        f->generic |= mentions_var(x->type, (Name){0});
        if (x->mode == SPEC_BY_TYPE && x->in == SPEC_NONE) x->in = check_default_in(f, i);
    }
    f->harmless = is_harmless(f);
    return true;
}
