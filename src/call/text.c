// Text that a library function makes by a format: which arguments it reads, whether it is empty,
// whether it stays in memory. And what is const on its way into a call.
#include "call/call_int.h"

#include <string.h>

// The content of the string literal at x; null for others.
const char *text_literal(const Work *w, Term x)
{
    Address a = x.id ? term_address(&w->terms, x) : (Address){0};
    if (!a.base.id || a.index.id || a.offset) return NULL;
    const TermNode *n = term_node(&w->terms, a.base);
    if (n->kind != T_GLOBAL) return NULL;
    const Program *p = w->facts->program;
    const Unit *u = p->units[p->globals.at[n->a].unit];
    const Global *g = &u->globals.at[p->globals.at[n->a].global.id];
    if ((g->flags & (GLOBAL_CONST | GLOBAL_ZERO | GLOBAL_DEFINED)) == (GLOBAL_CONST | GLOBAL_ZERO | GLOBAL_DEFINED) &&
        g->size == 1)
        return "";
    if (!(g->flags & GLOBAL_STRING) || !g->text.id) return NULL;
    return name_text(u->names, g->text);
}

// What stands for argument i in the format that is the last of the named ones: the letter of its
// conversion; 0 where there is none, or no format that is seen.
static char conversion(const Work *w, const CallArgs *args, uint32_t named, uint32_t i)
{
    if (named == 0 || named > args->count || i < named) return 0;
    const char *at = text_literal(w, args->at[named - 1]);
    for (uint32_t next = named; at && (at = strchr(at, '%'));) {
        at++;
        if (*at == '%') {
            at++;
            continue;
        }
        for (; *at && strchr("-+ #0123456789.*'hlLqjzt", *at); at++)
            if (*at == '*') next++;
        if (*at == '$') return 0; // numbered arguments
        if (next == i) return *at;
        next++;
    }
    return 0;
}

bool is_text(const Work *w, const CallArgs *args, uint32_t named, uint32_t i)
{
    return conversion(w, args, named, i) == 's';
}

// Whether argument i after a format is one whose memory is read or written: %s and %n, and not %p
// or a number.
bool text_uses(const Work *w, const SpecFunc *spec, const CallArgs *args, uint32_t i)
{
    if (!spec->variadic) return false;
    char c = conversion(w, args, spec->param_count, i);
    return c == 's' || c == 'n';
}

// Whether the call makes text that stays in memory. A descriptor that is printed there lives on in
// the text: as an argument of a program that is started, in the environment, as a name below
// /proc/self/fd. Errs towards a missed leak where the text is a message.
bool text_is_kept(const SpecFunc *f)
{
    bool keeps = false;
    for (uint32_t i = 0; i < f->param_count; i++)
        keeps |= f->params[i].place == SPEC_OUT || f->params[i].effect == SPEC_FILLS ||
                 f->params[i].effect == SPEC_WRITES;
    return keeps || f->result.gives == SPEC_OWN;
}

// Whether the format makes some text whatever the arguments are: its own, or a number's. One that is
// not seen is taken to make some, whoever gives it. Errs towards a missed leak.
bool text_is_made(const Work *w, const SpecFunc *spec, const CallArgs *args)
{
    // Behind it are the arguments, or a list of them.
    int32_t format = (int32_t)spec->param_count - (spec->variadic ? 1 : 2);
    const char *at = text_literal(w, format >= 0 && (uint32_t)format < args->count ? args->at[format] : (Term){0});
    if (!at) return true;
    while (at && *at) {
        if (*at++ != '%') return true;
        bool exact = false;
        for (; *at && strchr("-+ #0123456789.*'hlLqjzt$", *at); at++) exact |= *at == '.';
        if (*at && (strchr("%c", *at) || (!exact && strchr("diouxXeEfFgGaAp", *at)))) return true;
        if (*at) at++;
    }
    return false;
}

static TypeId type_at(Work *w, Ref address, int depth);

// The source type of a pointer that came in, or that is read from a place with a type.
static TypeId pointer_type(Work *w, Ref r, int depth)
{
    if (ref_is_param(r)) return w->unit->params.at[w->func->first_param + ref_index(r)].type;
    if (!ref_is_ins(r) || !depth) return (TypeId){0};
    const Ins *i = func_ins(w->unit, w->func, ref_index(r));
    return i->op == OP_LOAD ? type_at(w, (Ref){i->a}, depth - 1) : (TypeId){0};
}

// The source type of what is at the address, as the debug information says.
static TypeId type_at(Work *w, Ref address, int depth)
{
    const Unit *u = w->unit;
    TypeId member = {0};
    const char *path;
    if (ref_is_const(address)) {
        const Const *c = &u->consts.at[ref_index(address)];
        if (c->kind != CONST_GLOBAL || c->value < 0) return (TypeId){0};
        TypeId type = u->globals.at[c->target].type;
        if (!c->value) return type;
        return type.id && member_at(w->arena, u, type, (uint64_t)c->value, &path, &member) ? member
                                                                                           : (TypeId){0};
    }
    const Ins *i = ref_is_ins(address) ? func_ins(u, w->func, ref_index(address)) : NULL;
    if (i && i->op == OP_FIELD && depth) {
        TypeId in = type_at(w, (Ref){i->a}, depth - 1);
        return in.id && member_at(w->arena, u, in, i->b, &path, &member) ? member : (TypeId){0};
    }
    return pointee(u, pointer_type(w, address, depth));
}

bool takes_const(Work *w, State *s, const Ins *call, uint32_t number)
{
    enum { DEPTH = 4 };
    const Unit *u = w->unit;
    TypeId func = pointee(u, input_type(w, operand(w, s, (Ref){call->a}), DEPTH));
    if (!func.id) func = pointee(u, pointer_type(w, (Ref){call->a}, 2 * DEPTH));
    const Type *t = &u->types.at[plain_type(u, func).id];
    if (!func.id || t->kind != TYPE_FUNC || number + 1 >= t->elem_count) return false;
    TypeId next = number + 2 < t->elem_count ? plain_type(u, u->elems.at[t->first_elem + 2 + number].type) : (TypeId){0};
    return is_lent_type(u, pointee(u, u->elems.at[t->first_elem + 1 + number].type), u->types.at[next.id].kind == TYPE_INT);
}

bool is_const_input(Work *w, Term x)
{
    enum { DEPTH = 4 };
    const Unit *u = w->unit;
    TermKind kind = term_kind(&w->terms, x);
    if (kind != T_PARAM && kind != T_INPUT) return false;
    return is_const_type(u, pointee(u, input_type(w, x, DEPTH)));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Whether the text is an expression of C: it has an operator or a call, and nowhere do two words follow each other.
static bool is_expression(const char *text)
{
    bool found = *text == '!' && is_word(text[1]);
    char before = 0; // the last one that is no space
    for (const char *c = text; *c; c++) {
        if (*c == ' ') continue;
        bool apart = c > text && c[-1] == ' ';
        if (is_word(*c) && apart && (is_word(before) || before == ')')) return false;
        if (strchr("%?;\"\n", *c)) return false;
        found |= (*c == '(' && !apart && is_word(before)) || (*c == '=' && before && strchr("=!<>", before)) ||
                 (*c == '>' && before == '-') || ((*c == '<' || *c == '>') && apart && c[1] == ' ') ||
                 (*c == '&' && before == '&') || (*c == '|' && before == '|');
        before = *c;
    }
    return found;
}

static bool is_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    return dot && dot > text && (dot[1] == 'c' || dot[1] == 'C' || dot[1] == 'h') && strlen(dot) <= 4;
}

// Whether the text compares something.
static bool is_comparison(const char *text)
{
    return *text == '!' || strstr(text, "==") || strstr(text, "!=") || strstr(text, " < ") || strstr(text, " > ") ||
           strstr(text, "<=") || strstr(text, ">=");
}

// Whether the function itself stores to a field of that name.
static bool stores_field(const Work *w, const Ins *field)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        const Ins *at = in->op == OP_STORE && ref_is_ins((Ref){in->a}) ? func_ins(w->unit, w->func, ref_index((Ref){in->a})) : NULL;
        if (at && at->op == OP_FIELD && at->b == field->b && at->c == field->c) return true;
    }
    return false;
}

// Whether the value came in, or stood in memory that the function itself gives no such value, and
// is no result of a call.
static bool is_found(const Work *w, Ref r, int depth)
{
    if (ref_is_param(r) || ref_is_const(r)) return true;
    if (!ref_is_ins(r) || !depth) return false;
    const Ins *i = func_ins(w->unit, w->func, ref_index(r));
    if (i->op == OP_LOAD) {
        const Ins *at = ref_is_ins((Ref){i->a}) ? func_ins(w->unit, w->func, ref_index((Ref){i->a})) : NULL;
        return !at || (at->op == OP_FIELD && !stores_field(w, at));
    }
    bool compares = i->op == OP_EQ || i->op == OP_NE || i->op == OP_ULT || i->op == OP_ULE || i->op == OP_SLT ||
                    i->op == OP_SLE || i->op == OP_AND || i->op == OP_XOR;
    if (!compares && i->op != OP_ZEXT && i->op != OP_SEXT) return false;
    return is_found(w, (Ref){i->a}, depth - 1) && (!compares || is_found(w, (Ref){i->b}, depth - 1));
}

// Whether every branch to the block asks for what came in or stood in memory.
static bool asks_what_is_found(const Work *w, uint32_t ins)
{
    enum { WAYS = 4, DEPTH = 8 };
    EdgeRange before = w->cfg->pred[func_block_of(w->unit, w->func, ins)];
    for (uint32_t i = 0; i < before.count; i++) {
        const Block *b = func_block(w->unit, w->func, w->cfg->edges[before.first + i]);
        const Ins *last = func_ins(w->unit, w->func, b->first + b->count - 1);
        if (last->op != OP_BRANCH || !is_found(w, (Ref){last->a}, DEPTH)) return false;
    }
    return before.count && before.count <= WAYS;
}

// Whether a message says that something was asserted, and then gives the text of an expression between its other
// parts: "%s:%d: assert failed: a != b: ".
static bool says_assertion(Work *w, const char *text)
{
    const char *from = strstr(text, "ssert");
    if (!from) from = strstr(text, "SSERT");
    while (from && (from = strpbrk(from, ":'`\""))) {
        from += 1 + strspn(from + 1, " ");
        size_t n = strcspn(from, ":'`\"");
        if (n && is_expression(arena_printf(w->arena, "%.*s", (int)n, from))) return true;
    }
    return false;
}

// Whether the call is given the text of an expression with this file and this line, or with the name
// of the function that it is in: what a macro that checks something reports when it does not hold. It comes
// back from that, and takes it to be impossible all the same. Beside the function's name the expression has to compare
// what callers pass or what stands in memory: that a call has failed is no such thing.
bool text_reports_check(Work *w, uint32_t ins, const CallArgs *args)
{
    enum { LINES = 12 }; // of a macro's arguments: its last one may be what is told
    uint32_t line = w->unit->locs.at[func_ins(w->unit, w->func, ins)->loc].line;
    const char *own = name_text(w->unit->names, w->func->name);
    bool here = false, file = false, function = false, expression = false, comparison = false;
    int64_t number;
    for (uint32_t i = 0; i < args->count; i++) {
        here |= line && args->at[i].id && term_is_int(&w->terms, args->at[i], &number) && number >= line && number <= (int64_t)line + LINES;
        const char *text = text_literal(w, args->at[i]);
        if (!text) continue;
        file |= is_file(text);
        bool named = *own && strcmp(text, own) == 0;
        function |= named;
        expression |= !named && line && says_assertion(w, text);
        if (named || !is_expression(text)) continue;
        expression = true;
        comparison |= is_comparison(text);
    }
    return (here && file && expression) || (function && comparison && asks_what_is_found(w, ins));
}
