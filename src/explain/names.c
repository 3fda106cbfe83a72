// Terms in the program's own names: `n`, `p->next`, `fopen()`. Null where a term has no good name;
// a condition without one is left out of the words (it stays in the path that Z3 confirms).
#include "explain/explain.h"

#include "base/demangle.h"
#include "explain/limits.h"
#include "unit/types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// A term's text and, where known, its source type.
typedef struct {
    const char *text;
    TypeId type;
    bool simple; // needs no parentheses
} Named;

static Named name_term(Work *w, Term x, int depth);

const char *names_callee(const Work *w, uint32_t ins)
{
    if (ins >= w->func->ins_count) return NULL;
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (i->op != OP_CALL && i->op != OP_INVOKE) return NULL;
    Ref r = {i->a};
    if (!ref_is_const(r)) return NULL;
    const Const *c = &w->unit->consts.at[ref_index(r)];
    if (c->kind != CONST_FUNC) return NULL;
    return name_text(w->unit->names, w->unit->funcs.at[c->target].source);
}

static Named variable_of(Work *w, Term x)
{
    uint64_t *var = map_get(&w->name_of, x.id);
    if (!var || *var == 0) return (Named){0};
    if (*var > w->func->var_count) {
        const Local *l = &w->unit->locals.at[w->func->first_local + *var - w->func->var_count - 1];
        const char *name = name_text(w->unit->names, l->name);
        bool pointer = w->unit->types.at[plain_type(w->unit, l->type).id].kind == TYPE_POINTER;
        return *name && pointer ? (Named){name, l->type, true} : (Named){0};
    }
    const Var *v = &w->unit->vars.at[w->func->first_var + *var - 1];
    const char *text = name_text(w->unit->names, v->name);
    // Two underscores: a macro's own.
    return *text && strncmp(text, "__", 2) != 0 ? (Named){text, v->type, true} : (Named){0};
}

// The variable that has the value in the source; null: none that has a name there.
static const char *bound_name(const Work *w, uint32_t ins)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        if (in->op != OP_BIND || !in->b || !ref_is_ins((Ref){in->a}) || ref_index((Ref){in->a}) != ins) continue;
        const char *name = name_text(w->unit->names, w->unit->vars.at[w->func->first_var + in->b - 1].name);
        if (*name && strncmp(name, "__", 2) != 0) return name;
    }
    return NULL;
}

static const char *literal_of(const Work *w, Ref r)
{
    const Const *c = ref_is_const(r) ? &w->unit->consts.at[ref_index(r)] : NULL;
    const Global *g = c && c->kind == CONST_GLOBAL && !c->value ? &w->unit->globals.at[c->target] : NULL;
    return g && (g->flags & GLOBAL_STRING) && g->text.id ? name_text(w->unit->names, g->text) : NULL;
}

// An argument as the source has it, as far as that can be told from the code: a literal, a number, a variable.
static const char *argument_text(Work *w, Ref r)
{
    const Unit *u = w->unit;
    if (ref_is_param(r)) {
        const char *name = name_text(u->names, u->params.at[w->func->first_param + ref_index(r)].name);
        return *name ? name : NULL;
    }
    if (ref_is_const(r)) {
        const Const *c = &u->consts.at[ref_index(r)];
        if (c->kind == CONST_INT) return arena_printf(w->arena, "%lld", (long long)c->value);
        const char *text = literal_of(w, r);
        for (size_t i = 0; text && text[i]; i++)
            if (i >= LITERAL_BYTES || !isprint((unsigned char)text[i]) || text[i] == '"' || text[i] == '\\') return NULL;
        return text ? arena_printf(w->arena, "\"%s\"", text) : NULL;
    }
    if (!ref_is_ins(r)) return NULL;
    const char *name = bound_name(w, ref_index(r));
    const Ins *in = func_ins(u, w->func, ref_index(r));
    if (name || in->op != OP_LOAD || !ref_is_ins((Ref){in->a})) return name;
    const Ins *home = func_ins(u, w->func, ref_index((Ref){in->a}));
    if (home->op != OP_ALLOCA || !home->b) return NULL;
    name = name_text(u->names, u->locals.at[w->func->first_local + home->b - 1].name);
    return *name ? name : NULL;
}

// "strcmp(key, "Servers")": a literal says which of several alike tests it is. Without one "f()".
static const char *call_text(Work *w, uint32_t ins)
{
    const char *callee = names_callee(w, ins), *list = "";
    bool literal = false;
    if (!callee) return NULL;
    const Ins *in = func_ins(w->unit, w->func, ins);
    for (uint32_t i = 0; i < in->c && i < ARGUMENTS_TOLD; i++) {
        const char *text = argument_text(w, (Ref){*func_extra(w->unit, w->func, in->b + i)});
        literal |= text && *text == '"';
        list = arena_printf(w->arena, "%s%s%s", list, i ? ", " : "", text ? text : "...");
    }
    return arena_printf(w->arena, "%s(%s)", callee, literal && in->c <= ARGUMENTS_TOLD ? list : "");
}

// A part of a variable: "fd[1]", "conf.name".
static Named part_of_variable(Work *w, const char *name, TypeId of, uint64_t offset)
{
    const char *member;
    TypeId type;
    if (!*name || !member_at(w->arena, w->unit, of, offset, &member, &type)) return (Named){0};
    if (!*member) return (Named){name, type, true};
    const char *form = *member == '[' ? "%s%s" : "%s.%s";
    return (Named){arena_printf(w->arena, form, name, member), type, true};
}

// What is `offset` bytes into the global or the local that lives in memory.
static Named name_in_variable(Work *w, const TermNode *home, uint64_t offset)
{
    const Unit *u = w->unit;
    if (home->kind == T_LOCAL) {
        if (!home->a || home->a > w->func->local_count) return (Named){0};
        const Local *l = &u->locals.at[w->func->first_local + home->a - 1];
        return part_of_variable(w, name_text(u->names, l->name), l->type, offset);
    }
    const Program *p = w->facts->program;
    const ProgGlobal *g = &p->globals.at[home->a];
    const char *name = name_text(p->names, g->source);
    if (offset == 0 && g->size <= 8) return (Named){name, {0}, true};
    if (p->units[g->unit] != u) return (Named){0};
    return part_of_variable(w, name, u->globals.at[g->global.id].type, offset);
}

// What is `offset` bytes after the pointer: "u->name".
static Named name_member(Work *w, Named pointer, uint64_t offset)
{
    const Unit *u = w->unit;
    const char *member;
    TypeId type;
    if (!pointer.text) return (Named){0};
    const Type *y = &u->types.at[plain_type(u, pointer.type).id];
    if ((y->kind != TYPE_POINTER && y->kind != TYPE_REFERENCE) || y->elem_count == 0)
        return (Named){0};
    TypeId pointee = u->elems.at[y->first_elem].type;
    if (!member_at(w->arena, u, pointee, offset, &member, &type)) return (Named){0};
    if (!*member) return (Named){arena_printf(w->arena, "*%s", pointer.text), type, true};
    const char *form = pointer.simple ? "%s->%s" : "(%s)->%s";
    return (Named){arena_printf(w->arena, form, pointer.text, member), type, true};
}

static Named name_input(Work *w, const TermNode *n, int depth)
{
    Term base = {n->a};
    const TermNode b = *term_node(&w->terms, base);
    if (n->b || n->value < 0) return (Named){0};
    if (b.kind == T_GLOBAL || b.kind == T_LOCAL) return name_in_variable(w, &b, (uint64_t)n->value);
    return name_member(w, name_term(w, base, depth - 1), (uint64_t)n->value);
}

static Named name_term(Work *w, Term x, int depth)
{
    if (depth <= 0 || !x.id) return (Named){0};
    const TermNode n = *term_node(&w->terms, x);
    if (n.kind == T_INT) {
        if (n.width == w->terms.pointer_bits && n.value == 0) return (Named){"0", {0}, true};
        return (Named){arena_printf(w->arena, "%lld", (long long)n.value), {0}, true};
    }
    if (n.kind == T_PARAM) {
        if (n.a >= w->func->param_count) return (Named){0};
        const Param *p = &w->unit->params.at[w->func->first_param + n.a];
        const char *text = name_text(w->unit->names, p->name);
        if (*text) return (Named){text, p->type, true};
    }
    Named var = variable_of(w, x);
    if (var.text) return var;
    switch ((TermKind)n.kind) {
    case T_INPUT:
        return name_input(w, &n, depth);
    case T_ZEXT:
    case T_SEXT:
    case T_TRUNC:
        return name_term(w, (Term){n.a}, depth);
    case T_HEAP:
    case T_RESULT: {
        bool value = n.kind == T_HEAP || n.b == made(MADE_VALUE, 0);
        return (Named){value ? call_text(w, n.a) : NULL, {0}, true};
    }
    case T_GLOBAL: {
        const Program *p = w->facts->program;
        return (Named){
            arena_printf(w->arena, "&%s", name_text(p->names, p->globals.at[n.a].source)),
            {0},
            true};
    }
    case T_ADD: {
        Named a = name_term(w, (Term){n.a}, depth - 1);
        int64_t k;
        if (!a.text) return a;
        if (term_is_int(&w->terms, (Term){n.b}, &k))
            return (Named){arena_printf(w->arena, "%s %c %lld", a.text, k < 0 ? '-' : '+',
                                        (long long)(k < 0 ? -k : k)),
                           a.type, false};
        const TermNode less = *term_node(&w->terms, (Term){n.b});
        bool minus = less.kind == T_MUL && term_is_int(&w->terms, (Term){less.b}, &k) && k == -1;
        Named b = name_term(w, minus ? (Term){less.a} : (Term){n.b}, depth - 1);
        if (!b.text) return b;
        const char *form = !minus ? "%s + %s" : b.simple ? "%s - %s" : "%s - (%s)";
        return (Named){arena_printf(w->arena, form, a.text, b.text), a.type, false};
    }
    case T_MUL:
    case T_AND: {
        Named a = name_term(w, (Term){n.a}, depth - 1), b = name_term(w, (Term){n.b}, depth - 1);
        if (!a.text || !b.text) return (Named){0};
        char op = n.kind == T_MUL ? '*' : '&';
        return (Named){
            arena_printf(w->arena, a.simple ? "%s %c %s" : "(%s) %c %s", a.text, op, b.text),
            {0},
            false};
    }
    default:
        return (Named){0};
    }
}

const char *names_term(Work *w, Term x)
{
    return name_term(w, x, 5).text;
}

const char *names_variable(Work *w, Term home)
{
    const TermNode n = *term_node(&w->terms, home);
    const Program *p = w->facts->program;
    if (n.kind == T_GLOBAL) return name_text(p->names, p->globals.at[n.a].source);
    if (!n.a || n.a > w->func->local_count) return NULL;
    const char *text = name_text(w->unit->names, w->unit->locals.at[w->func->first_local + n.a - 1].name);
    return *text ? text : NULL;
}

const char *names_place(Work *w, Term address)
{
    Address at = term_address(&w->terms, address);
    if (!at.base.id || at.index.id || at.offset < 0) return NULL;
    const TermNode home = *term_node(&w->terms, at.base);
    if (at.offset == EMBEDDED_AT) // the handle of what is embedded there: all of it
        return home.kind == T_GLOBAL || home.kind == T_LOCAL ? names_variable(w, at.base) : names_term(w, at.base);
    if (at.offset > EMBEDDED_AT) at.offset -= EMBEDDED_AT;
    if (home.kind == T_GLOBAL || home.kind == T_LOCAL) return name_in_variable(w, &home, (uint64_t)at.offset).text;
    return name_member(w, name_term(w, at.base, 5), (uint64_t)at.offset).text;
}

// The call whose answer, its argument or null, is null by this condition.
static bool gives_null(Work *w, Term cond, bool truth, uint32_t *call)
{
    const TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return gives_null(w, (Term){n.a}, !truth, call);
    // The argument itself may be null too in our eyes.
    if (n.kind == T_OR && truth)
        return gives_null(w, (Term){n.a}, true, call) || gives_null(w, (Term){n.b}, true, call);
    if (truth || n.kind != T_RESULT || n.width != 1 || n.b != made(MADE_GIVES, 0)) return false;
    *call = n.a;
    return true;
}

const char *names_gives_null(Work *w, Term cond, bool truth)
{
    uint32_t call;
    return gives_null(w, cond, truth, &call) ? names_callee(w, call) : NULL;
}

static const SpecFunc *model_of(const Work *w, uint32_t ins)
{
    const Ins *in = func_ins(w->unit, w->func, ins);
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){in->a});
    return f.id ? facts_spec(w->facts, f) : NULL;
}

// Whether the model says that the call obtains nothing: its null or -1 is then an answer and no failure.
static bool only_answers(const SpecFunc *spec)
{
    if (!spec || spec->inferred || spec->result.gives == SPEC_OWN) return false;
    for (uint32_t i = 0; i < spec->param_count; i++)
        if (spec->params[i].place != SPEC_ITSELF || spec->params[i].mode != SPEC_REF) return false;
    return true;
}

// A call that shows by its result that it failed, or that there is no more to come.
typedef struct {
    const char *name;   // null: there is none
    const char *answer; // what it returns, where that is no failure
    const char *ends;   // what there is no more of
} Failing;

static Failing failing(const Work *w, uint32_t call, bool equal, bool pointer)
{
    Failing f = {.name = names_callee(w, call)};
    const SpecFunc *spec = f.name ? model_of(w, call) : NULL;
    if (spec && spec->ends.id)
        f.ends = name_text(spec_names(w->facts->specs), spec->ends);
    else if (equal && only_answers(spec))
        f.answer = pointer ? "NULL" : "-1";
    return f;
}

// Whether the model says that 0 is success and anything else a failure.
static bool succeeds_with_zero(const SpecFunc *spec)
{
    bool zero = spec && spec->bounded && spec->limited && spec->least < 0 && spec->most == 0;
    for (uint32_t i = 0; spec && i < spec->param_count && !zero; i++) {
        const SpecCond *when = &spec->params[i].when;
        zero = when->op == SPEC_EQ && when->value == 0 && when->subject == SPEC_RETURN;
    }
    return zero && !spec->inferred;
}

static Failing failing_call(Work *w, Term cond, bool truth)
{
    const TermNode n = *term_node(&w->terms, cond);
    uint32_t call;
    if (gives_null(w, cond, truth, &call)) return failing(w, call, false, true);
    bool nonzero = !truth && n.kind == T_EQ && term_is_zero(&w->terms, (Term){n.b});
    if (!nonzero && (!truth || (n.kind != T_EQ && n.kind != T_SLT))) return (Failing){0};
    Term x = {n.a};
    while (term_kind(&w->terms, x) == T_SEXT || term_kind(&w->terms, x) == T_ZEXT)
        x = (Term){term_node(&w->terms, x)->a};
    const TermNode m = *term_node(&w->terms, x);
    int64_t k;
    if (!term_is_int(&w->terms, (Term){n.b}, &k)) return (Failing){0};
    bool shows = (n.kind == T_EQ && (k == 0 || k == -1)) || (n.kind == T_SLT && k == 0);
    if (!shows) return (Failing){0};
    if (m.kind == T_HEAP && !nonzero) {
        const ObjInfo *info = obj_info(w, x);
        return (Failing){.name = info ? info->allocator : NULL};
    }
    if (m.kind != T_RESULT || m.b != made(MADE_VALUE, 0)) return (Failing){0};
    // A plain result is a failure when it is a null pointer or a negative number.
    bool pointer = m.a < w->func->ins_count && mtype_class(func_ins(w->unit, w->func, m.a)->type) == MT_PTR;
    if (nonzero) {
        bool fails = !pointer && names_callee(w, m.a) && succeeds_with_zero(model_of(w, m.a));
        return fails ? failing(w, m.a, false, false) : (Failing){0};
    }
    if (n.kind == T_EQ && k == 0 && !pointer) return (Failing){0};
    return failing(w, m.a, n.kind == T_EQ, pointer);
}

const char *names_answer(const Work *w, Term cond, bool *modelled)
{
    const TermNode *n = term_node(&w->terms, cond);
    while (n->kind == T_NOT) n = term_node(&w->terms, (Term){n->a});
    if ((n->kind != T_EQ && n->kind != T_SLT) || !term_is_int(&w->terms, (Term){n->b}, NULL)) return NULL;
    const TermNode *x = term_node(&w->terms, unconverted(&w->terms, (Term){n->a}));
    if (x->kind != T_RESULT || x->b != made(MADE_VALUE, 0)) return NULL;
    const char *callee = names_callee(w, x->a);
    const SpecFunc *spec = callee ? model_of(w, x->a) : NULL;
    *modelled = spec != NULL;
    return spec && spec->ends.id ? NULL : callee;
}

// What a pure function says of its arguments is no event.
bool names_is_pure(const Work *w, Term cond)
{
    const TermNode *n = term_node(&w->terms, cond);
    while (n->kind == T_NOT) n = term_node(&w->terms, (Term){n->a});
    bool compares = n->kind == T_EQ || n->kind == T_ULT || n->kind == T_SLT;
    const TermNode *x = compares ? term_node(&w->terms, unconverted(&w->terms, (Term){n->a})) : NULL;
    const SpecFunc *spec = x && x->kind == T_RESULT && names_callee(w, x->a) ? model_of(w, x->a) : NULL;
    return spec && spec->pure;
}

bool names_is_modelled(const Work *w, uint32_t call)
{
    return names_callee(w, call) && model_of(w, call);
}

bool names_succeeds_with_zero(const Work *w, uint32_t call)
{
    return names_callee(w, call) && succeeds_with_zero(model_of(w, call));
}

const char *names_call(Work *w, uint32_t call)
{
    return call_text(w, call);
}

// The call of a pure function whose result is asked for zero; and whether it is.
static const Ins *compared_by(Work *w, const Story *e, bool *zero)
{
    if (e->kind == STORY_TURN) {
        const Ins *branch = func_ins(w->unit, w->func, e->ins);
        if (branch->op != OP_BRANCH || !ref_is_ins((Ref){branch->a})) return NULL;
        const Ins *test = func_ins(w->unit, w->func, ref_index((Ref){branch->a}));
        if ((test->op != OP_EQ && test->op != OP_NE) || !ref_is_ins((Ref){test->a}) || !ref_is_const((Ref){test->b})) return NULL;
        const Const *c = &w->unit->consts.at[ref_index((Ref){test->b})];
        *zero = e->flag == (test->op == OP_EQ);
        uint32_t call = ref_index((Ref){test->a});
        const SpecFunc *spec = c->kind == CONST_INT && !c->value && names_callee(w, call) ? model_of(w, call) : NULL;
        return spec && spec->pure ? func_ins(w->unit, w->func, call) : NULL;
    }
    if (e->kind != STORY_BRANCH || !names_is_pure(w, e->a)) return NULL;
    bool truth = e->flag;
    const TermNode *n = term_node(&w->terms, e->a);
    for (; n->kind == T_NOT; n = term_node(&w->terms, (Term){n->a})) truth = !truth;
    if (n->kind != T_EQ || !term_is_zero(&w->terms, (Term){n->b})) return NULL;
    *zero = truth;
    return func_ins(w->unit, w->func, term_node(&w->terms, unconverted(&w->terms, (Term){n->a}))->a);
}

// Whether the two are the same value by how the code comes to them: what lies between is not asked.
static bool is_same_way(const Work *w, Ref a, Ref b, int depth)
{
    if (a.bits == b.bits) return true;
    if (!depth || !ref_is_ins(a) || !ref_is_ins(b)) return false;
    const Ins *x = func_ins(w->unit, w->func, ref_index(a)), *y = func_ins(w->unit, w->func, ref_index(b));
    if (x->op != y->op || (x->op != OP_LOAD && x->op != OP_FIELD && x->op != OP_INDEX)) return false;
    if (x->op == OP_FIELD && x->b != y->b) return false;
    if (x->op == OP_INDEX && (x->c != y->c || !is_same_way(w, (Ref){x->b}, (Ref){y->b}, depth - 1))) return false;
    return is_same_way(w, (Ref){x->a}, (Ref){y->a}, depth - 1);
}

bool names_is_other_text(Work *w, const Story *a, const Story *b)
{
    enum { DEPTH = 6 };
    bool a_zero = false, b_zero = false;
    const Ins *x = compared_by(w, a, &a_zero), *y = x ? compared_by(w, b, &b_zero) : NULL;
    if (!y || a_zero || !b_zero || x->a != y->a || x->c != 2 || y->c != 2) return false;
    for (uint32_t i = 0; i < 2; i++) {
        Ref p = {*func_extra(w->unit, w->func, x->b + i)}, q = {*func_extra(w->unit, w->func, y->b + i)};
        Ref other = {*func_extra(w->unit, w->func, x->b + 1 - i)}, same = {*func_extra(w->unit, w->func, y->b + 1 - i)};
        const char *one = literal_of(w, p), *two = literal_of(w, q);
        if (one && two && strcmp(one, two) != 0 && is_same_way(w, other, same, DEPTH)) return true;
    }
    return false;
}

const char *names_failure(Work *w, Term cond, bool truth)
{
    const TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return names_failure(w, (Term){n.a}, !truth);
    Failing f = failing_call(w, cond, truth);
    if (!f.name) return NULL;
    if (f.ends) return arena_printf(w->arena, "%s() has no more %s", f.name, f.ends);
    return f.answer ? arena_printf(w->arena, "%s() returns %s", f.name, f.answer)
                    : arena_printf(w->arena, "%s() fails", f.name);
}

bool names_condition(Work *w, Term cond, bool truth, Finding *f)
{
    TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return names_condition(w, (Term){n.a}, !truth, f);
    const char *failure = names_failure(w, cond, truth);
    if (failure) {
        finding_when(f, "%s", failure);
        return true;
    }
    if (n.kind == T_AND && truth) {
        bool a = names_condition(w, (Term){n.a}, true, f),
             b = names_condition(w, (Term){n.b}, true, f);
        return a || b;
    }
    if (n.kind == T_OR && !truth) {
        bool a = names_condition(w, (Term){n.a}, false, f),
             b = names_condition(w, (Term){n.b}, false, f);
        return a || b;
    }
    const char *text = names_comparison(w, cond, truth);
    if (!text) return false;
    finding_when_expr(f, "%s", text);
    return true;
}

// Whether the other text is about the variable too.
static bool names_same(const char *name, const char *text)
{
    size_t n = strlen(name);
    for (const char *p = text; n && (p = strstr(p, name)); p++) {
        bool before = p == text || p[-1] == ' ' || p[-1] == '(', after = !p[n] || p[n] == ' ' || p[n] == ')';
        if (before && after) return !isdigit((unsigned char)*name) && *name != '-';
    }
    return false;
}

// The operator between the sides of the comparison, which are turned round where a number comes first.
static const char *operator_of(const Work *w, TermNode n, bool truth, Term *a, Term *b)
{
    *a = (Term){n.a}, *b = (Term){n.b};
    if (n.kind == T_EQ) return truth ? "==" : "!=";
    if (!term_is_int(&w->terms, *a, NULL)) return truth ? "<" : ">=";
    *a = (Term){n.b}, *b = (Term){n.a};
    return truth ? ">" : "<=";
}

const char *names_comparison(Work *w, Term cond, bool truth)
{
    const TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return names_comparison(w, (Term){n.a}, !truth);
    if (n.kind != T_EQ && n.kind != T_ULT && n.kind != T_SLT) {
        const char *text = names_term(w, cond);
        return text ? arena_printf(w->arena, "%s%s", truth ? "" : "!", text) : NULL;
    }
    Term a, b;
    const char *op = operator_of(w, n, truth, &a, &b);
    Named p = name_term(w, a, 5), q = name_term(w, b, 5);
    if (!p.text || !q.text) return NULL;
    // A variable that was set anew has the same name: compared with itself it says nothing.
    if (names_same(p.text, q.text)) return NULL;
    // A pointer against nothing reads best without the comparison.
    if (n.kind == T_EQ && term_is_zero(&w->terms, b)) {
        const Type *y = &w->unit->types.at[plain_type(w->unit, p.type).id];
        if (y->kind == TYPE_POINTER)
            return arena_printf(w->arena, "%s%s", truth ? "!" : "", p.text);
    }
    return arena_printf(w->arena, "%s %s %s", p.text, op, q.text);
}

bool names_is_enumerator(Work *w, Term cond)
{
    const TermNode *n = term_node(&w->terms, cond);
    while (n->kind == T_NOT) n = term_node(&w->terms, (Term){n->a});
    if (n->kind != T_EQ || !term_is_int(&w->terms, (Term){n->b}, NULL)) return false;
    Named left = name_term(w, (Term){n->a}, 5);
    return left.text && w->unit->types.at[plain_type(w->unit, left.type).id].kind == TYPE_ENUM;
}

// The comparison with "@" for a side that has no name: enough to find it in the source, which has the words.
const char *names_shape(Work *w, Term cond, bool truth)
{
    const TermNode n = *term_node(&w->terms, cond);
    if (n.kind == T_NOT) return names_shape(w, (Term){n.a}, !truth);
    if (n.kind != T_EQ && n.kind != T_ULT && n.kind != T_SLT) return truth ? "@ != 0" : "@ == 0";
    Term a, b;
    const char *op = operator_of(w, n, truth, &a, &b);
    const char *p = names_term(w, a), *q = names_term(w, b);
    if (p && q && names_same(p, q)) p = q = NULL;
    return arena_printf(w->arena, "%s %s %s", p ? p : "@", op, q ? q : "@");
}

// The opposite of a comparison in words: "n >= 4" of "n < 4".
const char *names_denied(Work *w, const char *text)
{
    static const char *const ops[][2] = {{" == ", " != "}, {" != ", " == "}, {" < ", " >= "},
                                         {" >= ", " < "},  {" > ", " <= "},  {" <= ", " > "}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const char *at = strstr(text, ops[i][0]);
        if (at)
            return arena_printf(w->arena, "%.*s%s%s", (int)(at - text), text, ops[i][1], at + strlen(ops[i][0]));
    }
    return text[0] == '!' ? text + 1 : arena_printf(w->arena, "!%s", text);
}

// "std::runtime_error" of the symbol of its type information.
static const char *type_of_symbol(Work *w, const char *symbol)
{
    static const char prefix[] = "typeinfo for ";
    char *text = symbol ? demangle(symbol) : NULL;
    bool fits = text && strncmp(text, prefix, sizeof prefix - 1) == 0;
    const char *type = fits ? arena_strdup(w->arena, text + sizeof prefix - 1) : NULL;
    mem_free(text);
    return type;
}

void names_throw(Work *w, uint32_t ins, const char *symbol, Finding *f)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    const Program *p = w->facts->program;
    FuncId callee = program_callee(p, w->unit_index, w->unit, (Ref){i->a});
    const SpecFunc *spec = callee.id ? facts_spec(w->facts, callee) : NULL;
    bool here = spec && spec->noreturn == SPEC_JUMPS;
    const char *type = type_of_symbol(w, symbol), *name = names_callee(w, ins);
    finding_event(f, EVENT_NOTE, pos_of_ins(w, ins), "%s%sthrows %s", here ? "" : name ? name : "the called function",
                  here ? "" : " ", type ? type : "an exception");
    if (!here && name && !program_has_code(p, callee)) finding_when(f, "%s throws", name);
}
