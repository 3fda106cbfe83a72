// The run that showed a finding: for people with the source lines (stanch show witness), and as JSON.
#include "report/witness.h"

// ---- for people

typedef struct {
    Out *out;
    const ReportOptions *o;
    const Witness *w;
    Arena *arena;
    const char *path; // shown last
} WitnessText;

static void words(WitnessText *t, const char *s)
{
    out_plain(t->out, s, strlen(s));
}

static void place(WitnessText *t, Pos p)
{
    if (!pos_known(p)) return;
    words(t, report_path(t->o, p.path));
    out_printf(t->out, ":%u", p.line);
}

// "  parse.c:12 | if (n < 0)".
static void source(WitnessText *t, Pos p)
{
    if (!pos_known(p)) return;
    const Source *src = source_of(t->o->sources, p.path);
    size_t n;
    const char *s = source_line(src, p.line, &n);
    if (!s || src->hidden) return;
    while (n && (*s == ' ' || *s == '\t')) s++, n--;
    out_text(t->out, "  | ");
    out_plain(t->out, s, n < 100 ? n : 100);
}

static bool is_pointer(const WitnessCell *c)
{
    size_t n = c->type ? strlen(c->type) : 0;
    return n && c->type[n - 1] == '*';
}

static const char *value_of(WitnessText *t, const WitnessCell *c)
{
    if (is_pointer(c) && c->word.kind == WORD_NUMBER && !c->word.value) return "NULL";
    return witness_word_text(t->arena, t->w, &c->word);
}

static void cell(WitnessText *t, const char *indent, const WitnessCell *c, bool with_offset)
{
    out_text(t->out, indent);
    if (c->name)
        words(t, c->name);
    else
        out_printf(t->out, with_offset ? "byte %llu" : "argument", (unsigned long long)c->offset);
    out_text(t->out, " = ");
    words(t, value_of(t, c));
    if (c->type) {
        out_text(t->out, "  (");
        words(t, c->type);
        out_text(t->out, ")");
    }
    out_char(t->out, '\n');
}

static void inputs(WitnessText *t)
{
    const Witness *w = t->w;
    out_text(t->out, "inputs\n");
    for (uint32_t i = 0; i < w->arg_count; i++) cell(t, "  ", &w->args[i], false);
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind == MEMORY_INPUT || (b->kind == MEMORY_LIBRARY && b->count)) {
            out_printf(t->out, "  block %u", i + 1);
            if (b->name) {
                out_text(t->out, ", pointed to by ");
                words(t, b->name);
            }
            if (b->type) {
                out_text(t->out, ": ");
                words(t, b->type);
            }
            out_text(t->out, b->count ? "\n" : ", nothing in it is read\n");
        } else if (b->kind != MEMORY_GLOBAL || !b->count) {
            continue;
        }
        for (uint32_t k = 0; k < b->count; k++)
            cell(t, b->kind == MEMORY_GLOBAL ? "  global " : "    ", &w->cells[b->first + k], true);
    }
}

static void steps(WitnessText *t)
{
    const Witness *w = t->w;
    out_text(t->out, "\nsteps\n");
    for (uint32_t i = 0; i < w->step_count; i++) {
        const WitnessStep *s = &w->steps[i];
        out_printf(t->out, "  %*s", (int)(s->depth < 20 ? 2 * s->depth : 40), "");
        place(t, s->pos);
        out_text(t->out, pos_known(s->pos) ? "  " : "");
        if (s->kind == WITNESS_STEP_BRANCH) {
            out_text(t->out, s->taken ? "true" : "false");
        } else if (s->kind == WITNESS_STEP_SWITCH) {
            out_text(t->out, "switch on ");
            words(t, witness_word_text(t->arena, w, &s->word));
        } else {
            words(t, witness_call_text(t->arena, w, s));
        }
        source(t, s->pos);
        out_char(t->out, '\n');
        for (uint32_t k = 0; k < w->effect_count; k++) {
            const WitnessEffect *e = &w->effects[k];
            if (e->step != i) continue;
            out_printf(t->out, "  %*swrites ", (int)(s->depth < 20 ? 2 * s->depth : 40) + 4, "");
            words(t, witness_word_text(t->arena, w, &e->word));
            if (e->arg == EFFECT_RESULT)
                out_text(t->out, " to what it returns");
            else if (e->arg != EFFECT_ELSEWHERE)
                out_printf(t->out, " to what its argument %u points to", e->arg + 1);
            if (e->offset) out_printf(t->out, ", byte %llu", (unsigned long long)e->offset);
            out_char(t->out, '\n');
        }
    }
    if (w->left_out) out_printf(t->out, "  %u more decisions are not kept\n", w->left_out);
    if (w->cut) out_text(t->out, "  more calls or inputs are not kept\n");
}

static void end(WitnessText *t)
{
    const Witness *w = t->w;
    out_text(t->out, "\nat the end\n");
    if (pos_known(w->end)) {
        out_text(t->out, "  it happens at ");
        place(t, w->end);
        source(t, w->end);
        out_char(t->out, '\n');
    } else if (w->has_result) {
        words(t, arena_printf(t->arena, "  %s() returns %s", w->function,
                              witness_word_text(t->arena, w, &w->result)));
        out_char(t->out, '\n');
    } else {
        words(t, arena_printf(t->arena, "  %s() returns", w->function));
        out_char(t->out, '\n');
    }
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        bool handle = b->kind == MEMORY_HANDLE;
        if (b->kind != MEMORY_HEAP && !handle && !b->is_freed) continue;
        if (handle) {
            words(t, arena_printf(t->arena, "  %s %llu", b->type ? b->type : "handle",
                                  (unsigned long long)b->size));
        } else {
            out_printf(t->out, "  %s %u", b->kind == MEMORY_HEAP ? "heap block" : "block", i + 1);
            if (!b->resource) out_printf(t->out, ", %llu bytes", (unsigned long long)b->size);
        }
        if (b->name && b->kind != MEMORY_INPUT) {
            out_text(t->out, ", from ");
            words(t, b->name);
            out_text(t->out, "()");
        }
        if (pos_known(b->made)) {
            out_text(t->out, " at ");
            place(t, b->made);
        }
        out_text(t->out, b->is_lost    ? ": allocated, and nothing leads to it"
                         : b->is_freed ? handle ? ": closed" : ": freed"
                                       : ": still reachable");
        if (b->is_freed && pos_known(b->freed)) {
            out_text(t->out, " at ");
            place(t, b->freed);
        }
        source(t, b->is_freed ? b->freed : b->made);
        out_char(t->out, '\n');
    }
}

void report_witness(Out *out, const Finding *f, const ReportOptions *o)
{
    WitnessText t = {out, o, f->witness, arena_new("witness"), NULL};
    Pos at = report_place(f);
    place(&t, at);
    out_text(out, ": ");
    words(&t, finding_message(t.arena, f));
    out_printf(out, " [%s] %s\n", rule_info(f->rule)->word, finding_id(t.arena, f));
    words(&t, finding_witnessed(t.arena, f));
    out_text(out, "\nthe run begins in ");
    words(&t, f->witness->function);
    out_text(out, "() at ");
    place(&t, f->witness->at);
    out_text(out, "\n\n");
    inputs(&t);
    steps(&t);
    end(&t);
    arena_free(t.arena);
}

const char *report_confirmed(Arena *a, const Finding *f)
{
    switch (f->confirmed) {
    case CONFIRM_CONFIRMED:
        return "confirmed: stanch confirm made it happen under AddressSanitizer";
    case CONFIRM_NOT:
    case CONFIRM_COULD_NOT:
        return arena_printf(a, "stanch confirm: %s%s%s", confirmed_word(f->confirmed),
                            f->confirmed_why && *f->confirmed_why ? ": " : "",
                            f->confirmed_why ? f->confirmed_why : "");
    default:
        return NULL;
    }
}

// ---- as JSON

typedef struct {
    Emit *e;
    const ReportOptions *o;
    const Witness *w;
    Arena *arena;
} Emitted;

static void emit_place(const Emitted *t, const char *key, Pos p)
{
    if (!pos_known(p)) return;
    emit_open(t->e, key, '{');
    emit_text(t->e, "file", report_path(t->o, p.path));
    emit_number(t->e, "line", p.line);
    emit_number(t->e, "column", p.col);
    emit_close(t->e, '}');
}

static void emit_word(const Emitted *t, const char *key, const WitnessWord *x)
{
    emit_text(t->e, key, witness_word_text(t->arena, t->w, x));
}

static void emit_cells(const Emitted *t, const char *key, const WitnessCell *c, uint32_t count)
{
    emit_open(t->e, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        emit_open(t->e, NULL, '{');
        emit_text(t->e, "name", c[i].name);
        emit_text(t->e, "type", c[i].type);
        if (key[0] == 'c') emit_number(t->e, "offset", c[i].offset);
        emit_number(t->e, "bits", c[i].word.bits);
        emit_word(t, "value", &c[i].word);
        emit_close(t->e, '}');
    }
    emit_close(t->e, ']');
}

static void emit_steps(const Emitted *t)
{
    static const char *const kinds[] = {"branch", "switch", "call"};
    static const char *const hows[] = {"code", "computed", "specification", "unknown"};
    const Witness *w = t->w;
    emit_open(t->e, "steps", '[');
    for (uint32_t i = 0; i < w->step_count; i++) {
        const WitnessStep *s = &w->steps[i];
        emit_open(t->e, NULL, '{');
        emit_text(t->e, "kind", kinds[s->kind]);
        emit_number(t->e, "depth", s->depth);
        emit_place(t, "place", s->pos);
        if (s->kind == WITNESS_STEP_BRANCH) emit_bool(t->e, "taken", s->taken);
        if (s->kind == WITNESS_STEP_SWITCH) emit_word(t, "value", &s->word);
        if (s->kind == WITNESS_STEP_CALL) {
            emit_text(t->e, "function", s->function);
            emit_text(t->e, "how", hows[s->how]);
            emit_number(t->e, "nth", s->nth);
            emit_bool(t->e, "fails", s->fails);
            emit_open(t->e, "arguments", '[');
            for (uint32_t k = 0; k < s->count; k++) emit_word(t, NULL, &w->words[s->first + k]);
            emit_close(t->e, ']');
            if (s->returns) emit_word(t, "result", &s->word);
        }
        emit_close(t->e, '}');
    }
    emit_close(t->e, ']');
}

void emit_witness(Emit *e, const Finding *f, const ReportOptions *o, Arena *a)
{
    static const char *const kinds[] = {"input", "global", "heap", "library", "handle"};
    const Witness *w = f->witness;
    if (f->confirmed != CONFIRM_NONE) {
        emit_open(e, "confirm", '{');
        emit_text(e, "verdict", confirmed_word(f->confirmed));
        emit_text(e, "reason", f->confirmed_why);
        emit_close(e, '}');
    }
    if (!w) return;
    Emitted t = {e, o, w, a};
    emit_open(e, "witness", '{');
    emit_text(e, "text", finding_witnessed(a, f));
    emit_text(e, "function", w->function);
    emit_place(&t, "place", w->at);
    emit_cells(&t, "arguments", w->args, w->arg_count);
    emit_open(e, "blocks", '[');
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind == MEMORY_GLOBAL && !b->count) continue;
        emit_open(e, NULL, '{');
        emit_number(e, "number", i + 1);
        emit_text(e, "kind", kinds[b->kind]);
        emit_text(e, "name", b->name);
        emit_text(e, "type", b->type);
        emit_number(e, b->kind == MEMORY_HANDLE ? "value" : "size", b->size);
        emit_cells(&t, "content", &w->cells[b->first], b->count);
        emit_place(&t, "made", b->made);
        emit_place(&t, "freed", b->freed);
        emit_bool(e, "lost", b->is_lost);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    emit_steps(&t);
    if (w->has_result) emit_word(&t, "result", &w->result);
    emit_place(&t, "end", w->end);
    emit_close(e, '}');
}
