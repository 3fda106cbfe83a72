// A struct is copied as a whole. Fields that are given another value in the copy at once are not shared with it.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct machine {
    char *tokens;
    int *limits; // the copy gets none
    int *states; // made for the copy too
    char *title; // the copy has the same
    size_t count;
};

struct machine *machine_new(const char *tokens, size_t count)
{
    struct machine *m = calloc(1, sizeof *m); // OK
    if (!m)
        abort();
    m->tokens = strdup(tokens); // OK
    m->count = count;
    return m;
}

void machine_limits(struct machine *m)
{
    m->limits = calloc(m->count, sizeof *m->limits); // OK
}

void machine_states(struct machine *m)
{
    m->states = calloc(m->count, sizeof *m->states); // OK
}

void machine_title(struct machine *m, const char *title)
{
    m->title = strdup(title); // OK
}

struct machine *machine_copy(const struct machine *m)
{
    struct machine *twin = malloc(sizeof *twin); // OK
    if (!twin)
        abort();
    *twin = *m;
    twin->limits = NULL;
    twin->tokens = strdup(m->tokens);                        // OK
    twin->states = calloc(m->count, sizeof *twin->states); // OK
    return twin;
}

// limits and states are forgotten; title may belong to either of the two.
void machine_end(struct machine *m)
{
    free(m->tokens);
    free(m); // LEAK limits LIKELY because FIELD_FILLED
}

// One machine leads to another. What is released of the outer one is not a part of the inner one.
struct engine {
    struct engine *inner;
    char *words, *marks;
    char *notes; // nobody releases them
};

static void engine_end(struct engine *e)
{
    free(e->words);
    free(e->marks);
    if (e->inner) {
        engine_end(e->inner);
        free(e->inner); // LEAK notes LIKELY because FIELD_FILLED
    }
}

struct engine *engine_new(const char *words, const char *marks)
{
    struct engine *e = calloc(1, sizeof *e); // OK
    if (!e)
        abort();
    e->words = strdup(words); // OK
    e->marks = strdup(marks); // OK
    return e;
}

void engine_add(struct engine *e)
{
    struct engine *inner = malloc(sizeof *inner); // OK
    if (!inner)
        abort();
    *inner = *e;
    inner->inner = NULL;
    inner->notes = NULL;
    inner->words = strdup(e->words); // OK
    inner->marks = strdup(e->marks); // OK
    e->inner = inner;
}

void engine_note(struct engine *e, const char *text)
{
    if (!e->notes)
        e->notes = strdup(text); // OK
}

void engine_drop_inner(struct engine *e)
{
    if (e->inner && e->marks) {
        engine_end(e->inner);
        free(e->inner);
        e->inner = NULL;
    }
}

void engine_free(struct engine *e)
{
    engine_end(e);
    free(e);
}
