// Declarations of functions: words before the type, the parameters with their words, and the
// clauses after the closing parenthesis.
#include "spec/spec_int.h"

#include <string.h>

// ---- Parameters meant by name or by number (#1 is the first).

void parse_mention(Parser *p, int16_t *slot, bool or_return)
{
    char b[64];
    Mention m = {slot, p->tok, or_return};
    if (parse_is(&p->tok, '#') && p->ahead.kind == TOK_INT) {
        parse_next(p);
        m.at = p->tok;
    } else if (p->tok.kind != TOK_NAME) {
        parse_fail(p, &p->tok, "expected a parameter's name before %s", parse_shown(&p->tok, b));
        return;
    }
    parse_next(p);
    *slot = 0;
    vec_push(&p->mentions, m);
}

int16_t parse_find_param(const Parser *p, const Token *at)
{
    const SpecFunc *f = &p->func;
    if (at->kind == TOK_INT)
        return at->value >= 1 && at->value <= f->param_count ? (int16_t)(at->value - 1) : SPEC_NONE;
    for (uint16_t i = 0; i < f->param_count; i++) {
        const char *name = name_text(p->table->names, p->params[i].name);
        if (*name && parse_is_word(at, name)) return (int16_t)i;
    }
    return SPEC_NONE;
}

static void resolve(Parser *p)
{
    char b[64];
    vec_each (i, &p->mentions) {
        Mention *m = &p->mentions.at[i];
        if (m->or_return && parse_is_word(&m->at, "return")) {
            *m->slot = SPEC_RETURN;
            continue;
        }
        *m->slot = parse_find_param(p, &m->at);
        if (*m->slot == SPEC_NONE && !p->failed) {
            parse_fail(p, &m->at, "no parameter is called %s", parse_shown(&m->at, b));
            p->failed = false; // the others are looked at too
            m->slot = NULL;
        }
    }
    vec_each (i, &p->mentions)
        if (!p->mentions.at[i].slot) p->failed = true;
}

// (n) or (n * size)
void parse_length(Parser *p, int16_t slots[2])
{
    parse_expect(p, '(');
    parse_mention(p, &slots[0], false);
    if (parse_accept(p, '*')) parse_mention(p, &slots[1], false);
    parse_expect(p, ')');
}

// ---- when (return >= 0)

int64_t parse_constant(Parser *p)
{
    char b[64];
    if (parse_accept_word(p, "null") || parse_accept_word(p, "NULL")) return 0;
    bool minus = parse_accept(p, '-');
    if (p->tok.kind != TOK_INT) {
        parse_fail(p, &p->tok, "expected a number or null before %s", parse_shown(&p->tok, b));
        return 0;
    }
    int64_t v = p->tok.value;
    parse_next(p);
    return minus ? (int64_t)(0 - (uint64_t)v) : v;
}

// Behind the word `when`.
void parse_condition(Parser *p, SpecCond *c)
{
    char b[64];
    parse_expect(p, '(');
    parse_mention(p, &c->subject, true);
    switch (p->tok.kind == TOK_PUNCT ? p->tok.punct : 0) {
    case P_EQ:
        c->op = SPEC_EQ;
        break;
    case P_NE:
        c->op = SPEC_NE;
        break;
    case '<':
        c->op = SPEC_LT;
        break;
    case P_LE:
        c->op = SPEC_LE;
        break;
    case '>':
        c->op = SPEC_GT;
        break;
    case P_GE:
        c->op = SPEC_GE;
        break;
    case '&':
        c->op = SPEC_MASK;
        break;
    default:
        parse_fail(p, &p->tok, "expected ==, !=, <, <=, >, >= or & before %s",
                   parse_shown(&p->tok, b));
    }
    parse_next(p);
    c->value = parse_constant(p);
    parse_expect(p, ')');
}

// ---- Values: what a result or an `out` parameter is.

SpecValue parse_plain_value(void)
{
    return (SpecValue){.param = SPEC_NONE, .in = SPEC_NONE};
}

void parse_value_of(Parser *p, SpecValue *v, SpecGives gives)
{
    v->gives = gives;
    v->deref = parse_accept(p, '*');
    parse_mention(p, &v->param, false);
}

// Behind `returns`: p, *p, inside p, ref of p, static, null, a number, own(family).
static void returned(Parser *p)
{
    SpecFunc *f = &p->func;
    Token at = p->tok;
    if (parse_accept(p, P_GE)) {
        f->bounded = true;
        f->least = parse_constant(p);
        if (parse_accept(p, P_LE)) f->limited = true, f->most = parse_constant(p);
        if (f->limited && f->most < f->least) parse_fail(p, &at, "no number is both");
        return;
    }
    if (parse_accept(p, P_NE)) {
        f->never = parse_constant(p);
        if (!parse_accept_word(p, "unless")) parse_fail(p, &p->tok, "expected 'unless'");
        parse_condition(p, &f->unless[0]);
        if (parse_accept_word(p, "or")) parse_condition(p, &f->unless[1]);
        return;
    }
    if (f->case_count == SPEC_MAX_CASES) {
        parse_fail(p, &at, "too many cases of the result");
        return;
    }
    // Into the place of a case at once, because mentions point there; an unconditional one is
    // moved to the result when all is resolved.
    SpecValue *v = &p->cases[f->case_count++];
    *v = parse_plain_value();
    if (parse_accept_word(p, "inside")) {
        parse_value_of(p, v, SPEC_INSIDE);
    } else if (parse_accept_word(p, "ref")) {
        if (!parse_accept_word(p, "of")) parse_fail(p, &p->tok, "expected 'of' after 'ref'");
        parse_value_of(p, v, SPEC_REF_OF);
    } else if (parse_accept_word(p, "static")) {
        v->gives = SPEC_STATIC;
    } else if (parse_accept_word(p, "null") || parse_accept_word(p, "NULL")) {
        v->gives = SPEC_NULL;
    } else if (p->tok.kind == TOK_INT || parse_is(&p->tok, '-')) {
        v->gives = SPEC_NULL;
        v->number = parse_constant(p);
    } else if (parse_accept_word(p, "own")) {
        v->gives = SPEC_OWN;
        v->family = parse_family(p, FAMILY_HEAP);
        v->deep = parse_accept_word(p, "deep");
    } else {
        parse_value_of(p, v, SPEC_ALIAS);
    }
    if (!p->failed && parse_accept_word(p, "when")) parse_condition(p, &v->when);
}

// The one `returns` without a condition is the result itself; the cases keep their order.
static void settle_result(Parser *p, const Token *at)
{
    SpecFunc *f = &p->func;
    uint16_t kept = 0;
    bool settled = f->result.gives == SPEC_OWN;
    for (uint16_t i = 0; i < f->case_count; i++) {
        SpecValue v = p->cases[i];
        if (v.when.op == SPEC_ALWAYS) {
            if (settled) {
                parse_fail(p, at, "the result is said twice; give one of them a condition");
                return;
            }
            settled = true;
            int16_t in = f->result.in;
            f->result = v;
            f->result.in = in;
        } else {
            p->cases[kept++] = v;
        }
    }
    f->case_count = kept;
    // T pop(...) hands the element over as the instance owns it; ref T top(...) only shows it.
    const SpecType *type = f->result_type;
    while (type->kind == SPEC_T_REFERENCE) type = type->to;
    if (!settled && !p->ref_result && type->kind == SPEC_T_VAR) f->result.gives = SPEC_POLY;
}

// ---- Clauses after the parameters.

// takes p when (...): the same as a word before the parameter.
static void mode_clause(Parser *p, SpecMode mode)
{
    char b[64];
    Token at = p->tok;
    if (parse_is(&p->tok, '#') && p->ahead.kind == TOK_INT) {
        parse_next(p);
        at = p->tok;
    }
    int16_t i = at.kind == TOK_NAME || at.kind == TOK_INT ? parse_find_param(p, &at) : SPEC_NONE;
    if (i == SPEC_NONE) {
        parse_fail(p, &at, "no parameter is called %s", parse_shown(&at, b));
        return;
    }
    parse_next(p);
    SpecParam *x = &p->params[i];
    if (x->mode != SPEC_REF && x->mode != SPEC_BY_TYPE && x->mode != mode)
        parse_fail(p, &at, "%s has another ownership word already", parse_shown(&at, b));
    x->mode = mode;
    x->called = false;
    if (mode == SPEC_TAKE && !x->family.id) x->family.id = 1;
    if (parse_accept_word(p, "in")) parse_mention(p, &x->in, true);
    if (parse_accept_word(p, "when")) parse_condition(p, &x->when);
}

static void where_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    SpecTable *t = p->table;
    parse_expect(p, '{');
    while (!p->failed && !parse_is(&p->tok, '}')) {
        Token at = p->tok;
        bool own = parse_accept_word(p, "own_type");
        if (!own && !parse_accept_word(p, "ref_type"))
            parse_fail(p, &at, "expected ref_type(T) or own_type(T)");
        parse_expect(p, '(');
        Token var_at = p->tok;
        Name var = parse_name(p, "a type variable");
        parse_expect(p, ')');
        if (p->failed) return;
        if (!map_get(&t->vars, var.id))
            parse_fail(p, &var_at, "'%s' is no type variable", name_text(t->names, var));
        if (f->where_count == SPEC_MAX_WHERES) parse_fail(p, &at, "too many conditions");
        if (p->failed) return;
        p->wheres[f->where_count++] = (SpecWhere){var, own};
        if (!parse_accept(p, ',') && !parse_accept(p, ';')) break;
    }
    parse_expect(p, '}');
}

static void copies_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    if (f->copy_count == SPEC_MAX_COPIES) {
        parse_fail(p, &p->tok, "too many copies");
        return;
    }
    SpecCopy *c = &p->copies[f->copy_count++];
    *c = (SpecCopy){SPEC_NONE, SPEC_NONE, {SPEC_NONE, SPEC_NONE}};
    parse_mention(p, &c->from, false);
    if (!p->failed && !parse_accept_word(p, "to")) parse_fail(p, &p->tok, "expected 'to'");
    if (!p->failed) parse_mention(p, &c->to, true);
    if (!p->failed && parse_is(&p->tok, '(')) parse_length(p, c->length);
}

static const struct {
    const char *word;
    SpecElements does;
    int params;
} element_words[] = {
    {"make", SPEC_ELEMENTS_MAKE, 0},     {"drop", SPEC_ELEMENTS_DROP, 0},
    {"copy", SPEC_ELEMENTS_COPY, 1},     {"move", SPEC_ELEMENTS_MOVE, 1},
    {"add", SPEC_ELEMENTS_ADD, 1},       {"prepend", SPEC_ELEMENTS_PREPEND, 1},
    {"at", SPEC_ELEMENTS_AT, 1},         {"first", SPEC_ELEMENTS_FIRST, 0},
    {"last", SPEC_ELEMENTS_LAST, 0},     {"end", SPEC_ELEMENTS_END, 0},
    {"key", SPEC_ELEMENTS_KEY, 1},       {"pop", SPEC_ELEMENTS_POP, 0},
    {"count", SPEC_ELEMENTS_COUNT, 0},   {"empty", SPEC_ELEMENTS_EMPTY, 0},
    {"stay", SPEC_ELEMENTS_STAY, 0},     {"any", SPEC_ELEMENTS_ANY, 0},
    {"insert", SPEC_ELEMENTS_INSERT, 1}, {"swap", SPEC_ELEMENTS_SWAP, 1},
    {"erase", SPEC_ELEMENTS_ERASE, 1},   {"fill", SPEC_ELEMENTS_FILL, 1},
    {"resize", SPEC_ELEMENTS_RESIZE, 1}, {"construct", SPEC_ELEMENTS_CONSTRUCT, 1},
    {"destroy", SPEC_ELEMENTS_DESTROY, 1}, {"shift", SPEC_ELEMENTS_SHIFT, 0},
    {"shown", SPEC_ELEMENTS_SHOWN, 0},   {"put", SPEC_ELEMENTS_PUT, 1},
    {"remove", SPEC_ELEMENTS_REMOVE, 1},
};

const char *parse_elements_word(SpecElements does)
{
    for (size_t i = 0; i < sizeof element_words / sizeof *element_words; i++)
        if (element_words[i].does == does) return element_words[i].word;
    return "";
}

// elements add x, elements insert x times n at position
static void elements_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    char b[64];
    for (size_t i = 0; i < sizeof element_words / sizeof *element_words; i++) {
        if (!parse_accept_word(p, element_words[i].word)) continue;
        f->elements = element_words[i].does;
        if (element_words[i].params) parse_mention(p, &f->element[0], false);
        f->keyed = !p->failed && parse_accept_word(p, "keyed");
        if (f->elements == SPEC_ELEMENTS_ERASE && !p->failed && parse_accept_word(p, "to"))
            parse_mention(p, &f->element[1], false);
        if (f->elements != SPEC_ELEMENTS_INSERT) return;
        if (!p->failed && parse_accept_word(p, "times")) parse_mention(p, &f->element[1], false);
        if (!p->failed && parse_accept_word(p, "at")) parse_mention(p, &f->element[2], false);
        return;
    }
    parse_fail(p, &p->tok, "%s is nothing that happens to elements", parse_shown(&p->tok, b));
}

// counts down users calls 2 then watchers calls 3, counts up users
static void counts_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    bool down = parse_accept_word(p, "down");
    if (!down && !parse_accept_word(p, "up")) parse_fail(p, &p->tok, "expected 'up' or 'down'");
    f->elements = SPEC_ELEMENTS_COUNTS;
    do {
        if (f->count_count == (down ? SPEC_MAX_COUNTS : 1)) {
            parse_fail(p, &p->tok, "too many counts");
            return;
        }
        SpecCount *c = &f->counts[f->count_count++];
        *c = (SpecCount){parse_name(p, "the name of a member"), SPEC_NONE};
        if (!down || p->failed) continue;
        if (!parse_accept_word(p, "calls")) parse_fail(p, &p->tok, "expected 'calls'");
        if (!p->failed && (p->tok.kind != TOK_INT || p->tok.value > SPEC_MAX_SLOT))
            parse_fail(p, &p->tok, "expected the number of a virtual function");
        if (p->failed) return;
        c->slot = (int16_t)p->tok.value;
        parse_next(p);
    } while (!p->failed && parse_accept_word(p, "then"));
}

// runs manager with 3, runs invoker
static void runs_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    f->elements = SPEC_ELEMENTS_RUNS;
    f->counts[0] = (SpecCount){parse_name(p, "the name of a member"), SPEC_NONE};
    if (p->failed || !parse_accept_word(p, "with")) return;
    if (p->tok.kind != TOK_INT || p->tok.value > SPEC_MAX_SLOT) {
        parse_fail(p, &p->tok, "expected a number");
        return;
    }
    f->counts[0].slot = (int16_t)p->tok.value;
    parse_next(p);
}

static void noreturn_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    f->noreturn = SPEC_EXITS;
    if (parse_accept_word(p, "on")) {
        if (!parse_accept_word(p, "success")) parse_fail(p, &p->tok, "expected 'success'");
        f->noreturn_on_success = true;
    } else if (parse_accept_word(p, "when")) {
        parse_condition(p, &f->noreturn_when);
    } else {
        parse_fail(p, &p->tok,
                   "expected 'when' or 'on success'; a function that never returns has "
                   "the word noreturn before its type");
    }
}

static void or_clause(Parser *p)
{
    SpecFunc *f = &p->func;
    if (parse_accept_word(p, "null")) {
        f->fail = SPEC_OR_NULL;
    } else if (parse_accept_word(p, "negative")) {
        f->fail = SPEC_OR_NEGATIVE;
    } else if (parse_accept_word(p, "static")) {
        f->or_static = true;
    } else {
        f->fail = SPEC_OR_VALUE;
        f->fail_value = parse_constant(p);
    }
}

// `when` after the parameters is the condition of everything that has none of its own.
static void condition_for_all(Parser *p, const Token *at)
{
    SpecCond *shared = NULL;
    for (uint16_t i = 0; i < p->func.param_count; i++) {
        SpecParam *x = &p->params[i];
        bool plain = (x->mode == SPEC_REF || x->mode == SPEC_BY_TYPE) && x->place == SPEC_ITSELF;
        if (plain || x->when.op != SPEC_ALWAYS) continue;
        if (!shared) {
            shared = &x->when;
            parse_condition(p, shared);
            if (p->failed) return;
        } else {
            Mention m = vec_last(&p->mentions);
            x->when = *shared;
            m.slot = &x->when.subject;
            vec_push(&p->mentions, m);
        }
    }
    if (!shared) parse_fail(p, at, "this condition concerns no parameter that is taken or given");
}

// "fails without memory", "fails on input"
static void fails_clause(Parser *p)
{
    bool without = parse_accept_word(p, "without");
    if ((without && parse_accept_word(p, "memory")) ||
        (!without && parse_accept_word(p, "on") && parse_accept_word(p, "input")))
        p->func.fails = without ? SPEC_FAILS_WITHOUT_MEMORY : SPEC_FAILS_ON_INPUT;
    else
        parse_fail(p, &p->tok, "only 'fails without memory' and 'fails on input' have a meaning");
}

// "throws _ZTISt9bad_alloc without memory", "throws once"
static void throws_clause(Parser *p)
{
    if (!parse_is_word(&p->tok, "without") && !parse_is_word(&p->tok, "once"))
        p->func.thrown = parse_name(p, "the symbol of a type");
    if (p->failed) return;
    bool without = parse_accept_word(p, "without");
    if (without ? parse_accept_word(p, "memory") : parse_accept_word(p, "once"))
        p->func.throws = without ? SPEC_THROWS_WITHOUT_MEMORY : SPEC_THROWS_ONCE;
    else
        parse_fail(p, &p->tok, "only 'throws without memory' and 'throws once' have a meaning");
}

static bool clause(Parser *p)
{
    SpecFunc *f = &p->func;
    Token at = p->tok;
    if (parse_accept_word(p, "returns")) {
        returned(p);
    } else if (parse_accept_word(p, "or")) {
        or_clause(p);
    } else if (parse_accept_word(p, "when")) {
        condition_for_all(p, &at);
    } else if (parse_accept_word(p, "in")) {
        parse_mention(p, &f->result.in, false);
    } else if (parse_accept_word(p, "size")) {
        parse_mention(p, &f->size[0], false);
        if (!p->failed && parse_accept(p, '*')) parse_mention(p, &f->size[1], false);
    } else if (parse_accept_word(p, "measures")) {
        parse_mention(p, &f->measures, false);
    } else if (parse_accept_word(p, "zeroed")) {
        f->zeroed = true;
    } else if (parse_accept_word(p, "nonempty")) {
        f->nonempty = true;
    } else if (parse_accept_word(p, "unexpected")) {
        f->unexpected = true;
    } else if (parse_accept_word(p, "letters")) {
        f->letters = true;
    } else if (parse_accept_word(p, "waits")) {
        f->waits = parse_accept_word(p, "always") ? SPEC_WAITS_ALWAYS : SPEC_WAITS;
    } else if (parse_accept_word(p, "sleeps")) {
        f->waits = SPEC_SLEEPS;
    } else if (parse_accept_word(p, "forks")) {
        f->forks = true;
    } else if (parse_accept_word(p, "ends")) {
        f->ends = parse_string(p, "what there is no more of");
    } else if (parse_accept_word(p, "forwards")) {
        if (!parse_accept_word(p, "to")) parse_fail(p, &p->tok, "expected 'to' after 'forwards'");
        f->forwards = parse_name(p, "a function's name");
    } else if (parse_accept_word(p, "tells")) {
        if (!parse_accept_word(p, "failure")) parse_fail(p, &p->tok, "expected 'failure' after 'tells'");
        f->tells_failure = true;
    } else if (parse_accept_word(p, "cleared")) {
        f->when_cleared = parse_constant(p);
        f->tells_cleared = true;
    } else if (parse_accept_word(p, "prints")) {
        f->prints = true;
    } else if (parse_accept_word(p, "fails")) {
        fails_clause(p);
    } else if (parse_accept_word(p, "throws")) {
        throws_clause(p);
    } else if (parse_accept_word(p, "counts")) {
        counts_clause(p);
    } else if (parse_accept_word(p, "runs")) {
        runs_clause(p);
    } else if (parse_accept_word(p, "withdraws")) {
        f->withdraws = true;
    } else if (parse_accept_word(p, "removes")) {
        parse_mention(p, &f->removes, false);
    } else if (parse_accept_word(p, "same")) {
        parse_mention(p, &f->same, false);
    } else if (parse_accept_word(p, "compares")) {
        parse_mention(p, &f->compares[0], false);
        if (!p->failed) parse_mention(p, &f->compares[1], false);
        f->differs = !p->failed && parse_accept_word(p, "not");
    } else if (parse_accept_word(p, "reserves")) {
        f->withdraws = f->reserves = true;
    } else if (parse_accept_word(p, "walked")) {
        f->elements = SPEC_ELEMENTS_WALKED;
    } else if (parse_accept_word(p, "inferred")) {
        f->inferred = true;
    } else if (parse_accept_word(p, "copies")) {
        copies_clause(p);
    } else if (parse_accept_word(p, "frees")) {
        if (parse_accept_word(p, "when")) {
            if (!f->realloc)
                parse_fail(p, &at, "'frees when' without a parameter belongs to realloc functions");
            parse_condition(p, &f->realloc_frees);
        } else {
            mode_clause(p, SPEC_TAKE);
        }
    } else if (parse_accept_word(p, "takes")) {
        mode_clause(p, SPEC_HOLD);
    } else if (parse_accept_word(p, "keeps")) {
        mode_clause(p, SPEC_KEEP);
    } else if (parse_accept_word(p, "noreturn")) {
        noreturn_clause(p);
    } else if (parse_accept_word(p, "elements")) {
        elements_clause(p);
    } else if (parse_accept_word(p, "where")) {
        where_clause(p);
    } else {
        return false;
    }
    return true;
}

// ---- The words before the type.

static bool result_word(Parser *p)
{
    SpecFunc *f = &p->func;
    if (parse_accept_word(p, "pure")) {
        f->pure = true;
    } else if (parse_accept_word(p, "inline")) {
        f->in_header = true;
    } else if (parse_accept_word(p, "twice")) {
        f->twice = true;
    } else if (parse_accept_word(p, "nonnull")) {
        f->nonnull = true;
    } else if (parse_accept_word(p, "realloc")) {
        f->realloc = true;
        f->result.gives = SPEC_OWN;
        f->result.family = FAMILY_HEAP;
        if (parse_is(&p->tok, '(')) f->result.family = parse_family(p, f->result.family);
    } else if (parse_accept_word(p, "own")) {
        f->result.gives = SPEC_OWN;
        f->result.family = parse_family(p, FAMILY_HEAP);
        f->result.deep = parse_accept_word(p, "deep");
    } else if (parse_accept_word(p, "ref")) {
        p->ref_result = true;
    } else if (parse_accept_word(p, "noreturn")) {
        f->noreturn = SPEC_EXITS;
        if (parse_accept(p, '(')) {
            if (parse_accept_word(p, "abort"))
                f->noreturn = SPEC_ABORTS;
            else if (parse_accept_word(p, "jump"))
                f->noreturn = SPEC_JUMPS;
            else if (parse_accept_word(p, "thread"))
                f->noreturn = SPEC_ENDS_THREAD;
            else if (!parse_accept_word(p, "exit"))
                parse_fail(p, &p->tok, "expected exit, abort, jump or thread");
            parse_expect(p, ')');
        }
    } else {
        return false;
    }
    return true;
}

void parse_func(Parser *p)
{
    SpecTable *t = p->table;
    SpecFunc *f = &p->func;
    char b[64];
    *f = (SpecFunc){.origin = p->origin,
                    .file = p->lex->file,
                    .result = parse_plain_value(),
                    .size = {SPEC_NONE, SPEC_NONE},
                    .measures = SPEC_NONE,
                    .removes = SPEC_NONE,
                    .same = SPEC_NONE,
                    .compares = {SPEC_NONE, SPEC_NONE},
                    .element = {SPEC_NONE, SPEC_NONE, SPEC_NONE},
                    .rest = parse_fresh_param()};
    p->ref_result = false;
    vec_clear(&p->mentions);
    while (!p->failed && result_word(p)) {
    }
    if (p->failed) return;
    Token base_at = p->tok;
    const SpecType *base = parse_base(p, 1);
    if (p->failed) return;
    Declared d = parse_declarator(p, base, true, 1);
    if (p->failed) return;
    if (d.name.kind == TOK_END || (d.name.kind == TOK_STRING && !d.name.len)) {
        const char *word = parse_near_word(base_at.text, base_at.len);
        if (word)
            parse_fail(p, &base_at, "%s is taken as a type; did you mean '%s'?",
                       parse_shown(&base_at, b), word);
        else
            parse_fail(p, &p->tok, "expected a function's name before %s", parse_shown(&p->tok, b));
        return;
    }
    f->name = name_of_n(t->names, d.name.text, d.name.len);
    f->quoted = d.name.kind == TOK_STRING;
    f->pattern = f->quoted && memchr(d.name.text, '*', d.name.len);
    f->qualified = f->quoted && memmem(d.name.text, d.name.len, "::", 2);
    f->line = d.name.line;
    f->col = d.name.col;
    f->result_type = d.type;
    if (d.name.len > (f->pattern ? SPEC_MAX_PATTERN : SPEC_MAX_NAME))
        parse_fail(p, &d.name, "this name is too long");
    if (!p->failed && !parse_is(&p->tok, '(')) {
        const char *word = parse_near_word(base_at.text, base_at.len);
        if (word)
            parse_fail(p, &base_at, "%s is taken as a type; did you mean '%s'?",
                       parse_shown(&base_at, b), word);
    }
    parse_expect(p, '(');
    if (parse_is_word(&p->tok, "void") && parse_is(&p->ahead, ')')) parse_next(p);
    while (!p->failed && !parse_is(&p->tok, ')')) {
        parse_param(p);
        if (p->failed || !parse_accept(p, ',')) break;
        if (f->variadic) parse_fail(p, &p->tok, "nothing may follow '...'");
    }
    parse_expect(p, ')');
    while (!p->failed && clause(p)) {
    }
    if (!p->failed && !parse_is(&p->tok, ';'))
        parse_fail(p, &p->tok, "expected ';' or a clause before %s", parse_shown(&p->tok, b));
    if (p->failed) return;
    resolve(p);
    if (!p->failed) settle_result(p, &d.name);
    if (!p->failed) {
        f->params = p->params;
        f->cases = p->cases;
        f->copies = p->copies;
        f->wheres = p->wheres;
        if (check_func(t, f, p->params, p->lex, &d.name)) {
            f->params = arena_copy(t->arena, p->params, f->param_count * sizeof *f->params);
            f->cases = arena_copy(t->arena, p->cases, f->case_count * sizeof *f->cases);
            f->copies = arena_copy(t->arena, p->copies, f->copy_count * sizeof *f->copies);
            f->wheres = arena_copy(t->arena, p->wheres, f->where_count * sizeof *f->wheres);
            table_add_func(t, f, p->lex, &d.name);
        }
    }
    // The semicolon is there; only what the declaration means was wrong.
    p->failed = false;
    parse_next(p);
}
