// What a path needs of its inputs, for the witness that runs it again: numbers under which all its
// facts hold, by where they come from, and the choices that it made.
#include "explain/explain.h"

#include "finding/grounds.h"
#include "logic/model.h"

enum { INPUTS_MAX = 200, CHOICES_MAX = 400 };

// Where an unknown comes from; false when that cannot be said (a symbolic index, a joined value).
static bool input_path(const Work *w, Term x, PathInput *p)
{
    const Terms *t = &w->terms;
    int64_t back[INPUT_DEPTH];
    uint32_t depth = 0;
    const TermNode *n = term_node(t, x);
    p->bits = n->width;
    while (n->kind == T_INPUT) {
        if (depth == INPUT_DEPTH || n->b) return false;
        back[depth++] = n->value;
        n = term_node(t, (Term){n->a});
    }
    switch ((TermKind)n->kind) {
    case T_PARAM:
        p->root = INPUT_PARAM;
        p->number = n->a;
        break;
    case T_GLOBAL: {
        const Program *program = w->facts->program;
        if (!depth) return false;
        p->root = INPUT_GLOBAL;
        p->global = arena_strdup(w->findings->arena,
                                 name_text(program->names, program->globals.at[n->a].name));
        break;
    }
    case T_HEAP:
    case T_RESULT:
        if (n->kind == T_HEAP && depth) return false;
        p->fresh = n->kind == T_HEAP;
        p->root = INPUT_RESULT;
        p->number = n->a;
        p->part = n->b;
        p->round = n->c;
        break;
    default:
        return false;
    }
    p->depth = depth;
    for (uint32_t i = 0; i < depth; i++) p->offsets[i] = back[depth - 1 - i];
    return true;
}

static bool is_choice(const Story *e)
{
    return e->kind == STORY_BRANCH || e->kind == STORY_TURN;
}

// In the order in which they were made; false: too many to be told.
static bool note_choices(const State *s, Arena *a, PathChoice **into, uint32_t *count)
{
    uint32_t n = 0;
    for (const Story *e = s->story; e; e = e->prev) n += is_choice(e);
    if (n > CHOICES_MAX) return false;
    *into = arena_array_of(a, PathChoice, n);
    *count = n;
    for (const Story *e = s->story; e; e = e->prev)
        if (is_choice(e))
            (*into)[--n] = (PathChoice){e->ins, e->flag, e->kind == STORY_TURN ? e->b.id : 0};
    return true;
}

typedef VEC(PathInput) PathInputs;

static bool note_inputs(Work *w, PMap facts, PathInputs *into)
{
    Model m = {0};
    bool found = model_find(w->solver, &w->conds, facts, &m);
    vec_each (i, &m) {
        PathInput p = {.value = (int64_t)m.at[i].value};
        if (into->len < INPUTS_MAX && input_path(w, m.at[i].term, &p)) vec_push(into, p);
    }
    vec_free(&m);
    return found;
}

void explain_inputs(Work *w, const State *s, Finding *f)
{
    if (finding_level(f) == LEVEL_AUDIT) return;
    PathChoice *choices;
    uint32_t count;
    if (!note_choices(s, w->arena, &choices, &count)) {
        f->grounds->no_model = true;
        return;
    }
    vec_append(&f->grounds->choices, choices, count);
    PathInputs inputs = {0};
    f->grounds->no_model = !note_inputs(w, s->facts, &inputs);
    vec_append(&f->grounds->inputs, inputs.at, inputs.len);
    vec_free(&inputs);
}

bool explain_replay(Work *w, const State *s, PMap facts, ErrorCall *into)
{
    PathInputs inputs = {0};
    bool found = note_inputs(w, facts, &inputs);
    if (!found && !solve_possible(w->solver, &w->conds, facts)) {
        vec_free(&inputs);
        return false;
    }
    bool few = note_choices(s, w->arena, &into->choices, &into->choice_count);
    into->no_model = !found || !few;
    into->inputs = arena_copy(w->arena, inputs.at, inputs.len * sizeof *inputs.at);
    into->input_count = inputs.len;
    vec_free(&inputs);
    return true;
}
