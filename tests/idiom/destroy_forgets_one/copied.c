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
