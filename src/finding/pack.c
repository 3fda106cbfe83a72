#include "finding/pack.h"

#include "finding/grounds.h"

// Whoever adds a field to what is kept adds it to the walk below, and then its size here.
_Static_assert(sizeof(Finding) == 400 && sizeof(Grounds) == 96 && sizeof(Event) == 72 &&
                   sizeof(When) == 72 &&
                   sizeof(HeapNode) == 48 && sizeof(HeapEdge) == 24 && sizeof(GivenUp) == 32 &&
                   sizeof(CallStep) == 72 && sizeof(PathInput) == 80 && sizeof(PathChoice) == 12,
               "the walk over a finding must know all its fields");

void pack_pos(Pack *p, Pos *pos)
{
    pack_text(p, &pos->path);
    pack_u32(p, &pos->line);
    pack_u32(p, &pos->col);
}

void pack_input(Pack *p, PathInput *x)
{
    x->root = (InputRoot)pack_enum(p, x->root, INPUT_ROOT_COUNT);
    pack_u32(p, &x->number);
    pack_u32(p, &x->part);
    pack_u32(p, &x->round);
    pack_bool(p, &x->fresh);
    x->depth = pack_enum(p, x->depth, INPUT_DEPTH + 1);
    pack_u32(p, &x->bits);
    for (uint32_t i = 0; i < x->depth; i++) pack_i64(p, &x->offsets[i]);
    pack_i64(p, &x->value);
    pack_text(p, &x->global);
}

void pack_choice(Pack *p, PathChoice *c)
{
    pack_u32(p, &c->ins);
    pack_bool(p, &c->taken);
    pack_u32(p, &c->to);
}

static void pack_step(Pack *p, CallStep *s, PackPos pos)
{
    pack_u32(p, &s->func);
    pack_u32(p, &s->ins);
    pack_text(p, &s->function);
    pack_text(p, &s->callee);
    pos(p, &s->pos);
    s->input_count = pack_len(p, s->input_count, 20);
    s->choice_count = pack_len(p, s->choice_count, 9);
    if (p->reading) {
        s->inputs = arena_array_of(p->arena, PathInput, s->input_count);
        s->choices = arena_array_of(p->arena, PathChoice, s->choice_count);
    }
    for (uint32_t i = 0; i < s->input_count; i++) pack_input(p, (PathInput *)&s->inputs[i]);
    for (uint32_t i = 0; i < s->choice_count; i++) pack_choice(p, (PathChoice *)&s->choices[i]);
    pack_bool(p, &s->no_model);
}

static void count_note(void *context, const DoubtNote *n)
{
    (void)n;
    ++*(uint32_t *)context;
}

typedef struct {
    Pack *p;
    PackPos pos;
} PackedDoubt;

static void pack_doubt(Pack *p, DoubtNote *n, PackPos pos)
{
    n->id = (DoubtId)pack_enum(p, n->id, DOUBT_COUNT);
    pos(p, &n->place);
    pack_text(p, &n->argument);
    pack_text(p, &n->callee);
}

static void write_doubt(void *context, const DoubtNote *n)
{
    PackedDoubt *d = context;
    DoubtNote copy = *n;
    pack_doubt(d->p, &copy, d->pos);
}

static void pack_doubts(Pack *p, Finding *f, PackPos pos)
{
    uint32_t count = 0;
    if (!p->reading) doubt_each(&f->doubts, count_note, &count);
    count = pack_len(p, count, 20);
    if (!p->reading) doubt_each(&f->doubts, write_doubt, &(PackedDoubt){p, pos});
    for (uint32_t i = 0; i < count && p->reading && !p->bad; i++) {
        DoubtNote n = {0};
        pack_doubt(p, &n, pos);
        doubt_note(f->owner->arena, &f->doubts, &n);
    }
}

static void pack_grounds(Pack *p, Grounds *e, PackPos pos)
{
    pack_u32(p, &e->made_by);
    pack_u32(p, &e->lost_by);
    pack_u32(p, &e->failed_call);
    pack_bool(p, &e->returns);
    pack_i64(p, &e->returned[0]);
    pack_i64(p, &e->returned[1]);
    pack_vec(p, &e->inputs, 20);
    vec_each (i, &e->inputs) pack_input(p, &e->inputs.at[i]);
    pack_vec(p, &e->choices, 9);
    vec_each (i, &e->choices) pack_choice(p, &e->choices.at[i]);
    pack_vec(p, &e->chain, 40);
    vec_each (i, &e->chain) pack_step(p, &e->chain.at[i], pos);
    pack_bool(p, &e->no_model);
}

static void pack_finding(Pack *p, Finding *f, PackPos pos)
{
    f->rule = (Rule)pack_enum(p, f->rule, RULE_COUNT);
    pack_doubts(p, f, pos);
    pack_u32(p, &f->cwe);
    pack_u32(p, &f->stages);
    pos(p, &f->alloc);
    pos(p, &f->source);
    pos(p, &f->lost);
    pos(p, &f->freed);
    pos(p, &f->loser_at);
    pack_text(p, &f->loser);
    f->loss = (Loss)pack_enum(p, f->loss, LOSS_COUNT);
    pack_text(p, &f->function);
    if (!f->function) f->function = "";
    pack_text(p, &f->allocator);
    pack_text(p, &f->releaser);
    pack_text(p, &f->partner);
    pack_text(p, &f->variable);
    pack_text(p, &f->resource);
    pack_text(p, &f->settle_spec);
    pack_bool(p, &f->error_exit);
    pack_bool(p, &f->in_loop);
    pack_bool(p, &f->main_path);
    pack_grounds(p, f->grounds, pos);
    f->replay = (Replay)pack_enum(p, f->replay, REPLAY_COUNT);
    pack_text(p, &f->replay_text);
    pack_witness(p, &f->witness, pos);
    pack_bool(p, &f->again);
    pack_u32(p, &f->merged);
    pack_vec(p, &f->when, 6);
    vec_each (i, &f->when) {
        pack_text(p, &f->when.at[i].text);
        pack_bool(p, &f->when.at[i].expr);
        pos(p, &f->when.at[i].at);
        pack_u32(p, &f->when.at[i].part);
        pos(p, &f->when.at[i].label);
        pack_text(p, &f->when.at[i].from);
        pack_text(p, &f->when.at[i].within);
    }
    pack_vec(p, &f->there, 8);
    vec_each (i, &f->there) {
        pos(p, &f->there.at[i].alloc);
        pos(p, &f->there.at[i].source);
    }
    pack_vec(p, &f->events, 20);
    vec_each (i, &f->events) {
        Event *e = &f->events.at[i];
        e->kind = (EventKind)pack_enum(p, e->kind, EVENT_COUNT);
        pos(p, &e->pos);
        pack_text(p, &e->text);
        pack_text(p, &e->cond);
        pack_bool(p, &e->taken);
        pack_u32(p, &e->depth);
        pos(p, &e->label);
    }
    pack_vec(p, &f->nodes, 26);
    vec_each (i, &f->nodes) {
        HeapNode *n = &f->nodes.at[i];
        n->kind = (HeapKind)pack_enum(p, n->kind, HEAP_KIND_COUNT);
        pack_text(p, &n->label);
        pack_text(p, &n->detail);
        pos(p, &n->made);
        pack_bool(p, &n->lost);
        pack_bool(p, &n->freed);
    }
    pack_vec(p, &f->edges, 13);
    vec_each (i, &f->edges) {
        HeapEdge *e = &f->edges.at[i];
        e->from = pack_enum(p, e->from, f->nodes.len);
        e->to = pack_enum(p, e->to, f->nodes.len);
        pack_text(p, &e->label);
        pack_bool(p, &e->cut);
    }
}

void pack_findings(Pack *p, Findings *fs, PackPos pos)
{
    uint32_t known = p->reading ? fs->run.given_up.len : 0;
    uint32_t more = pack_len(p, fs->run.given_up.len, 12);
    if (p->reading) vec_extend(&fs->run.given_up, more);
    for (uint32_t i = known; i < fs->run.given_up.len; i++) {
        GivenUp *g = &fs->run.given_up.at[i];
        pack_text(p, &g->function);
        if (!g->function) g->function = "";
        pos(p, &g->pos);
        pack_text(p, &g->reason);
        if (!g->reason) g->reason = "";
    }
    uint32_t count = pack_len(p, fs->all.len, 80);
    for (uint32_t i = 0; i < count && !p->bad; i++)
        pack_finding(p,
                     p->reading ? finding_new(fs, RULE_LEAK, "", (Pos){0}, (Pos){0})
                                : fs->all.at[i],
                     pos);
}
