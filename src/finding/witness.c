#include "finding/pack.h"

#include <stdio.h>

// Whoever adds a field to the record adds it to the walks below, and then its size here.
_Static_assert(sizeof(Witness) == 184 && sizeof(WitnessWord) == 32 && sizeof(WitnessCell) == 72 &&
                   sizeof(WitnessBlock) == 96 && sizeof(WitnessStep) == 136 &&
                   sizeof(WitnessEffect) == 48,
               "the walk over a witness must know all its fields");

// ---- every string and place of it

typedef struct {
    Arena *arena;
} TextKeeper;

static void keep_text(TextKeeper *k, const char **text)
{
    if (*text) *text = arena_strdup(k->arena, *text);
}

Witness *witness_copy(Arena *a, const Witness *from)
{
    TextKeeper k = {a};
    Witness *w = arena_copy(a, from, sizeof *from);
    w->args = arena_copy(a, from->args, from->arg_count * sizeof *from->args);
    w->cells = arena_copy(a, from->cells, from->cell_count * sizeof *from->cells);
    w->blocks = arena_copy(a, from->blocks, from->block_count * sizeof *from->blocks);
    w->steps = arena_copy(a, from->steps, from->step_count * sizeof *from->steps);
    w->words = arena_copy(a, from->words, from->word_count * sizeof *from->words);
    w->effects = arena_copy(a, from->effects, from->effect_count * sizeof *from->effects);
    keep_text(&k, &w->function);
    keep_text(&k, &w->symbol);
    keep_text(&k, &w->source);
    keep_text(&k, &w->at.path);
    keep_text(&k, &w->end.path);
    keep_text(&k, &w->result.name);
    for (uint32_t i = 0; i < w->arg_count + w->cell_count; i++) {
        WitnessCell *c = i < w->arg_count ? &w->args[i] : &w->cells[i - w->arg_count];
        keep_text(&k, &c->name);
        keep_text(&k, &c->type);
        keep_text(&k, &c->word.name);
    }
    for (uint32_t i = 0; i < w->block_count; i++) {
        WitnessBlock *b = &w->blocks[i];
        keep_text(&k, &b->name);
        keep_text(&k, &b->symbol);
        keep_text(&k, &b->type);
        keep_text(&k, &b->source);
        keep_text(&k, &b->made.path);
        keep_text(&k, &b->freed.path);
    }
    for (uint32_t i = 0; i < w->step_count; i++) {
        WitnessStep *s = &w->steps[i];
        keep_text(&k, &s->pos.path);
        keep_text(&k, &s->word.name);
        keep_text(&k, &s->function);
        keep_text(&k, &s->symbol);
        keep_text(&k, &s->source);
    }
    for (uint32_t i = 0; i < w->word_count; i++) keep_text(&k, &w->words[i].name);
    for (uint32_t i = 0; i < w->effect_count; i++) keep_text(&k, &w->effects[i].word.name);
    return w;
}

// ---- as bytes

static void pack_word(Pack *p, WitnessWord *x, const Witness *w)
{
    x->kind = (WordKind)pack_enum(p, x->kind, WORD_KIND_COUNT);
    pack_u32(p, &x->bits);
    pack_u32(p, &x->block);
    pack_i64(p, &x->value);
    pack_text(p, &x->name);
    bool named = x->kind == WORD_GLOBAL || x->kind == WORD_FUNCTION;
    if (x->bits > 64 || (x->kind == WORD_BLOCK) != (x->block != 0) || x->block > w->block_count ||
        named != (x->name != NULL))
        p->bad = true, *x = (WitnessWord){.bits = 64};
}

static void pack_cell(Pack *p, WitnessCell *c, const Witness *w)
{
    pack_text(p, &c->name);
    pack_text(p, &c->type);
    pack_u64(p, &c->offset);
    pack_bool(p, &c->is_signed);
    c->pass = (WitnessPass)pack_enum(p, c->pass, PASS_COUNT);
    pack_u64(p, &c->copied);
    pack_word(p, &c->word, w);
}

static void pack_range(Pack *p, uint32_t *first, uint32_t *count, uint32_t all)
{
    pack_u32(p, first);
    pack_u32(p, count);
    if (*first > all || *count > all - *first) p->bad = true, *first = *count = 0;
}

static void pack_block(Pack *p, WitnessBlock *b, const Witness *w, PackPos pos)
{
    b->kind = (MemoryKind)pack_enum(p, b->kind, MEMORY_KIND_COUNT);
    pack_text(p, &b->name);
    pack_text(p, &b->symbol);
    pack_text(p, &b->type);
    pack_text(p, &b->source);
    pack_u64(p, &b->size);
    pack_u32(p, &b->before);
    pack_range(p, &b->first, &b->count, w->cell_count);
    pos(p, &b->made);
    pos(p, &b->freed);
    pack_bool(p, &b->is_freed);
    pack_bool(p, &b->is_lost);
    pack_bool(p, &b->resource);
}

static void pack_step(Pack *p, WitnessStep *s, const Witness *w, PackPos pos)
{
    s->kind = (WitnessStepKind)pack_enum(p, s->kind, WITNESS_STEP_COUNT);
    pack_u32(p, &s->depth);
    pos(p, &s->pos);
    pack_bool(p, &s->taken);
    pack_word(p, &s->word, w);
    s->how = (CallHow)pack_enum(p, s->how, CALL_HOW_COUNT);
    pack_text(p, &s->function);
    pack_text(p, &s->symbol);
    pack_text(p, &s->source);
    pack_u32(p, &s->nth);
    pack_u32(p, &s->through);
    if (s->through > w->block_count) p->bad = true, s->through = 0;
    bool *flags[] = {&s->fails, &s->returns, &s->floats, &s->fills_result, &s->obtains, &s->handles};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) pack_bool(p, flags[i]);
    pack_u32(p, &s->same_as);
    pack_u32(p, &s->takes);
    pack_u32(p, &s->keeps);
    pack_range(p, &s->first, &s->count, w->word_count);
}

#define pack_array(p, at, count, least)                                                            \
    do {                                                                                           \
        (count) = pack_len((p), (count), (least));                                                 \
        if ((p)->reading) (at) = arena_alloc((p)->arena, ((size_t)(count) + 1) * sizeof *(at));    \
    } while (0)

static void pack_whole(Pack *p, Witness *w, PackPos pos)
{
    pack_text(p, &w->function);
    pack_text(p, &w->symbol);
    pack_text(p, &w->source);
    if (!w->function || !w->symbol || !w->source) {
        p->bad = true;
        w->function = w->symbol = w->source = "";
    }
    pos(p, &w->at);
    pos(p, &w->end);
    // All lengths first: what refers to another list is checked against it.
    pack_array(p, w->args, w->arg_count, 30);
    pack_array(p, w->cells, w->cell_count, 30);
    pack_array(p, w->blocks, w->block_count, 30);
    pack_array(p, w->steps, w->step_count, 30);
    pack_array(p, w->words, w->word_count, 16);
    pack_array(p, w->effects, w->effect_count, 30);
    for (uint32_t i = 0; i < w->arg_count; i++) pack_cell(p, &w->args[i], w);
    for (uint32_t i = 0; i < w->cell_count; i++) pack_cell(p, &w->cells[i], w);
    for (uint32_t i = 0; i < w->block_count; i++) pack_block(p, &w->blocks[i], w, pos);
    for (uint32_t i = 0; i < w->step_count; i++) pack_step(p, &w->steps[i], w, pos);
    for (uint32_t i = 0; i < w->word_count; i++) pack_word(p, &w->words[i], w);
    for (uint32_t i = 0; i < w->effect_count; i++) {
        WitnessEffect *e = &w->effects[i];
        e->step = pack_enum(p, e->step, w->step_count);
        pack_u32(p, &e->arg);
        pack_u64(p, &e->offset);
        pack_word(p, &e->word, w);
    }
    pack_word(p, &w->result, w);
    pack_bool(p, &w->has_result);
    w->result_pass = (WitnessPass)pack_enum(p, w->result_pass, PASS_COUNT);
    pack_u32(p, &w->result_copied);
    pack_bool(p, &w->is_cxx);
    pack_bool(p, &w->cut);
    pack_u32(p, &w->left_out);
}

void pack_witness(Pack *p, Witness **w, PackPos pos)
{
    bool there = *w != NULL;
    pack_bool(p, &there);
    if (!there) return;
    if (p->reading) *w = arena_alloc(p->arena, sizeof **w);
    pack_whole(p, *w, pos);
}

// ---- in words

const char *witness_ordinal(Arena *a, uint32_t n)
{
    static const char *const words[] = {"",      "first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth", "tenth"};
    if (n && n < sizeof words / sizeof *words) return words[n];
    const char *end = n % 10 == 1 && n % 100 != 11   ? "st"
                      : n % 10 == 2 && n % 100 != 12 ? "nd"
                      : n % 10 == 3 && n % 100 != 13 ? "rd"
                                                     : "th";
    return arena_printf(a, "%u%s", n, end);
}

static const char *with_offset(Arena *a, const char *text, int64_t offset)
{
    return offset ? arena_printf(a, "%s + %lld", text, (long long)offset) : text;
}

const char *witness_word_text(Arena *a, const Witness *w, const WitnessWord *x)
{
    switch (x->kind) {
    case WORD_NUMBER:
        return arena_printf(a, "%lld", (long long)x->value);
    case WORD_BLOCK: {
        const WitnessBlock *b = &w->blocks[x->block - 1];
        const char *what = b->kind == MEMORY_HEAP      ? "heap block"
                           : b->kind == MEMORY_LIBRARY ? "library storage"
                                                       : "block";
        return with_offset(a, arena_printf(a, "%s %u", what, x->block), x->value);
    }
    case WORD_GLOBAL:
        return with_offset(a, arena_printf(a, "&%s", x->name), x->value);
    case WORD_FUNCTION:
        return arena_printf(a, "%s()", x->name);
    case WORD_LOCAL:
        return "a local variable";
    default:
        return "?";
    }
}

const char *witness_call_text(Arena *a, const Witness *w, const WitnessStep *s)
{
    const char *text = arena_printf(a, "%s(", s->function ? s->function : "a function pointer");
    for (uint32_t i = 0; i < s->count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "",
                            witness_word_text(a, w, &w->words[s->first + i]));
    text = arena_printf(a, "%s)", text);
    if (s->returns) text = arena_printf(a, "%s = %s", text, witness_word_text(a, w, &s->word));
    if (s->fails) text = arena_printf(a, "%s, it fails (%s call)", text, witness_ordinal(a, s->nth));
    if (s->how == CALL_UNKNOWN) text = arena_printf(a, "%s, not seen by the analysis", text);
    return text;
}

static bool points(const WitnessCell *c)
{
    if (c->word.kind != WORD_NUMBER) return true;
    size_t n = c->type ? strlen(c->type) : 0;
    return n && c->type[n - 1] == '*';
}

const char *witness_words(Arena *a, const Witness *w)
{
    enum { MOST = 6 };
    Out *o = out_memory();
    uint32_t shown = 0;
    for (uint32_t i = 0; i < w->arg_count && shown < MOST; i++) {
        const WitnessCell *c = &w->args[i];
        if (!c->name || c->pass == PASS_COPY || c->pass == PASS_OTHER) continue;
        bool null = c->word.kind == WORD_NUMBER && c->word.value == 0;
        if (points(c) && !null) continue; // any will do
        out_printf(o, "%s%s = %s", shown++ ? ", " : "", c->name,
                   points(c) ? "NULL" : witness_word_text(a, w, &c->word));
    }
    for (uint32_t i = 0; i < w->block_count && shown < MOST; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind != MEMORY_GLOBAL) continue;
        for (uint32_t k = 0; k < b->count && shown < MOST; k++) {
            const WitnessCell *c = &w->cells[b->first + k];
            bool null = c->word.kind == WORD_NUMBER && c->word.value == 0;
            if (!c->name || (points(c) && !null)) continue;
            out_printf(o, "%s%s = %s", shown++ ? ", " : "", c->name,
                       points(c) ? "NULL" : witness_word_text(a, w, &c->word));
        }
    }
    for (uint32_t i = 0; i < w->step_count && shown < MOST; i++) {
        const WitnessStep *s = &w->steps[i];
        if (s->kind != WITNESS_STEP_CALL || !s->fails || !s->function) continue;
        // Where it is called once, no number is needed.
        bool once = s->nth == 1;
        for (uint32_t k = i + 1; once && k < w->step_count; k++)
            once = !w->steps[k].symbol || strcmp(w->steps[k].symbol, s->symbol) != 0;
        out_printf(o, "%s%s() failing", shown++ ? ", " : "", s->function);
        if (!once) out_printf(o, " the %s time", witness_ordinal(a, s->nth));
    }
    const char *text = arena_strdup(a, out_content(o, NULL));
    out_discard(o);
    return text;
}
