// What a block holds where no cell says it: one word for the whole block, and further words for
// parts of it, each from a start up to the next. A copy or fill of unknown length changes what
// follows its start, never what comes before it: the fields of a header in front of a buffer keep
// what they held.
//
//     contents[base]                     everything that no part covers
//     contents[cell_key(base, start)]    from there up to the start of the next part
#include "heap/heap.h"

#include "heap/limits.h"

uint64_t content_word(const State *s, ContentKind kind, uint32_t ins)
{
    return (uint64_t)s->iter << 32 | (uint64_t)(ins & 0x1fffffff) << 3 | kind;
}

typedef struct {
    uint64_t word;
    bool found;
} Last;

static bool note_last(void *context, uint64_t key, uint64_t word)
{
    (void)key;
    *(Last *)context = (Last){word, true};
    return true;
}

bool content_at(const State *s, Term base, int64_t offset, uint64_t *word)
{
    Last last = {0};
    pmap_range(s->contents, cell_key(base, INT32_MIN), cell_key(base, offset), note_last, &last);
    if (last.found) *word = last.word;
    return last.found || pmap_get(s->contents, base.id, word);
}

typedef VEC(uint64_t) Keys;

static bool note_key(void *context, uint64_t key, uint64_t word)
{
    (void)word;
    Keys *keys = context;
    vec_push(keys, key);
    return true;
}

// Gives the number of parts that begin in the range.
static uint32_t drop_parts(Work *w, State *s, Term base, int64_t first, int64_t last)
{
    Keys keys = {0};
    pmap_range(s->contents, cell_key(base, first), cell_key(base, last), note_key, &keys);
    vec_each (i, &keys) s->contents = pmap_drop(w->arena, s->contents, keys.at[i]);
    uint32_t count = keys.len;
    vec_free(&keys);
    return count;
}

void content_forget(Work *w, State *s, Term base)
{
    drop_parts(w, s, base, INT32_MIN, INT32_MAX);
    s->contents = pmap_drop(w->arena, s->contents, base.id);
}

void content_set(Work *w, State *s, Term base, uint64_t word)
{
    drop_parts(w, s, base, INT32_MIN, INT32_MAX);
    s->contents = pmap_set(w->arena, s->contents, base.id, word);
}

static uint32_t count_parts(const State *s, Term base)
{
    Keys keys = {0};
    pmap_range(s->contents, cell_key(base, INT32_MIN), cell_key(base, INT32_MAX), note_key, &keys);
    uint32_t count = keys.len;
    vec_free(&keys);
    return count;
}

void content_set_part(Work *w, State *s, Term base, int64_t offset, int64_t bytes, uint64_t word)
{
    int64_t end = bytes > 0 && bytes < INT32_MAX - offset ? offset + bytes : INT32_MAX;
    // Errs, in a block that is written in too many parts: all of it is taken to have changed.
    bool few = count_parts(s, base) < CONTENT_PARTS;
    if (!few && content_kind(word) < CONTENT_HAVOC)
        word = content_word(s, CONTENT_SCRIBBLE, (uint32_t)(word >> 3 & 0x1fffffff));
    if (!few || (offset <= 0 && end == INT32_MAX)) {
        content_set(w, s, base, word);
        return;
    }
    uint64_t before = 0, after = CONTENT_INITIAL;
    bool said = content_at(s, base, offset - 1, &before);
    content_at(s, base, end, &after);
    drop_parts(w, s, base, offset, end == INT32_MAX ? end : end - 1);
    if (!said || before != word)
        s->contents = pmap_set(w->arena, s->contents, cell_key(base, offset), word);
    if (end != INT32_MAX && after != word)
        s->contents = pmap_set(w->arena, s->contents, cell_key(base, end), after);
}
