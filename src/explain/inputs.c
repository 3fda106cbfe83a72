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

void explain_inputs(Work *w, const State *s, Finding *f)
{
    if (finding_level(f) != LEVEL_SURE) return;
    uint32_t count = 0;
    for (const Story *e = s->story; e; e = e->prev) count += e->kind == STORY_BRANCH;
    if (count > CHOICES_MAX) {
        f->grounds->no_model = true;
        return;
    }
    vec_extend(&f->grounds->choices, count);
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_BRANCH) f->grounds->choices.at[--count] = (PathChoice){e->ins, e->flag};
    Model m = {0};
    f->grounds->no_model = !model_find(w->solver, &w->conds, s->facts, &m);
    vec_each (i, &m) {
        PathInput p = {.value = (int64_t)m.at[i].value};
        if (f->grounds->inputs.len < INPUTS_MAX && input_path(w, m.at[i].term, &p)) vec_push(&f->grounds->inputs, p);
    }
    vec_free(&m);
}
