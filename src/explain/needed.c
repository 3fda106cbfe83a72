// Which conditions of a path are needed for what is found at its end.
//
// A path makes many choices; a few of them matter. A choice is needed when a path that ends well is kept from
// the finding by that choice alone: it makes the other choice there, and none of those that are still told
// otherwise. Choices are given up one by one as long as that holds, the least telling ones first, so that what is left
// says when it happens and nothing else (a prime implicant over the paths that were walked). A block that is
// lost on every path has no condition.
//
// Requires: a function that was walked to its end: its exits, and which stories were joined (Work.ends,
// joined_stories). Gives: findings without the conditions and steps that are not needed. Where paths were
// dropped nothing is known of what is needed, and all stay: errs towards telling too much.
//
//        malloc -- n > 4 --+-- verbose --+             P   lost when n > 4, with and without verbose
//                          |             +-- P
//                          +-- !verbose -+             S   ends well when n <= 4
//             \--- n <= 4 ------------------- S
#include "explain/explain.h"

#include "base/hash.h"
#include "explain/limits.h"

// A choice of the path, as one bit of a mask.
typedef struct {
    ToldChoice *told;
    PMap facts; // of a condition: what it says
} Choose;

typedef struct {
    Work *w;
    Term heap;
    const ObjInfo *info; // of an object of this function's; or null
    Choose choices[CHOICES_WEIGHED];
    uint32_t count;
    uint32_t events[EVENTS_WEIGHED]; // choices that are calls that fail
    uint32_t event_count;
    Map conflicts; // condition and its truth -> mask of the choices that it contradicts
    Map joined;    // story -> index in Work.joined_stories of the newest that was joined to it, and 1
    Map at_end;    // index in Work.ends -> mask likewise
    Map bad;       // stories that end with the finding
    Map ways;      // index in Work.joined_stories -> the ways into the join that may end well, WAY_*
    uint64_t looked;
} Weigh;

static Term bare(const Work *w, Term x, bool *truth)
{
    while (term_kind(&w->terms, x) == T_NOT) {
        x = (Term){term_node(&w->terms, x)->a};
        *truth = !*truth;
    }
    return x;
}

// Whether the two conditions speak of a common value.
static bool is_about_same(const Work *w, Term x, Term y)
{
    const TermNode *a = term_node(&w->terms, x), *b = term_node(&w->terms, y);
    if (a->kind < T_EQ || a->kind > T_SLT || b->kind < T_EQ || b->kind > T_SLT) return false;
    return a->a == b->a || a->a == b->b || a->b == b->a ||
           (a->b == b->b && !term_is_int(&w->terms, (Term){a->b}, NULL));
}

static uint64_t conflicts_of_condition(Weigh *k, Term cond, bool truth)
{
    Work *w = k->w;
    bool fresh;
    cond = bare(w, cond, &truth);
    uint64_t key = (uint64_t)cond.id << 1 | truth, mask = 0;
    const uint64_t *known = map_at(&k->conflicts, key, 0, &fresh);
    if (!fresh) return *known;
    for (uint32_t i = 0; i < k->count; i++) {
        const Story *e = k->choices[i].told->at;
        if (e->kind != STORY_BRANCH) continue;
        bool mine = e->flag, against;
        Term x = bare(w, e->a, &mine);
        PMap facts = k->choices[i].facts;
        if (term_same(x, cond))
            against = mine != truth;
        else
            against = is_about_same(w, x, cond) && !cond_assume(&w->conds, &facts, cond, truth);
        if (against) mask |= 1ull << i;
    }
    map_set(&k->conflicts, key, mask);
    return mask;
}

// Whether the call of the story brought the very block: in several ways it may.
static bool brings_it(const Weigh *k, const Story *e)
{
    if (!k->info || e->ins != k->info->ins) return false;
    for (const Story *at = e->prev; at && at->ins == e->ins; at = at->prev)
        if (at->kind == STORY_NEW && term_same(at->a, k->heap)) return true;
    return false;
}

// The choices of the path that this step of another one contradicts.
static uint64_t conflicts_of(Weigh *k, const Story *e)
{
    uint64_t mask = e->kind == STORY_BRANCH ? conflicts_of_condition(k, e->a, e->flag) : 0;
    // The other side of the same branch, whatever values are compared there.
    bool branch = e->kind == STORY_BRANCH && func_ins(k->w->unit, k->w->func, e->ins)->op == OP_BRANCH;
    for (uint32_t i = 0; branch && i < k->count; i++) {
        const Story *mine = k->choices[i].told->at;
        if (mine->kind == STORY_BRANCH && mine->ins == e->ins && mine->round == e->round && mine->flag != e->flag) mask |= 1ull << i;
    }
    if (e->kind != STORY_CALL) return mask;
    for (uint32_t i = 0; i < k->count; i++) {
        const Story *mine = k->choices[i].told->at;
        if (mine->ins != e->ins || mine->round != e->round) continue;
        bool other = mine->kind == STORY_CALL && mine->b.id != e->b.id && !brings_it(k, e);
        if (other || (mine->kind == STORY_BRANCH && e->b.id == CALL_SUCCEEDS)) mask |= 1ull << i;
    }
    return mask;
}

// The choices that what is known at the end of a path contradicts: the way of a call that does not fail is no step.
static uint64_t conflicts_of_end(Weigh *k, uint32_t end)
{
    Work *w = k->w;
    bool fresh;
    uint64_t *known = map_at(&k->at_end, end, 0, &fresh), mask = 0;
    if (!fresh) return *known;
    for (uint32_t i = 0; i < k->count; i++) {
        const Story *e = k->choices[i].told->at;
        if (e->kind != STORY_BRANCH) continue;
        if (cond_decide(&w->conds, w->ends.at[end].facts, e->a) == (e->flag ? COND_FALSE : COND_TRUE)) mask |= 1ull << i;
    }
    map_set(&k->at_end, end, mask);
    return mask;
}

// Going back from the ends that are well.
typedef struct {
    const Story *at;
    bool born, differs;
    uint32_t met; // of the calls that fail: those that fail on this path too
} Back;

typedef VEC(Back) Backs;

static void push_back(Map *seen, Backs *todo, Back b)
{
    bool fresh;
    uint64_t *marks = map_at(seen, (uint64_t)(uintptr_t)b.at, 0, &fresh);
    uint64_t mark = 1ull << (b.born + 2 * b.differs + 4 * b.met);
    if (*marks & mark) return;
    *marks |= mark;
    vec_push(todo, b);
}

// That a call fails is an event: a path that never comes to the call does not have it, nor what leads there to tell.
static uint32_t met_at(const Weigh *k, const Story *e)
{
    uint32_t met = 0;
    for (uint32_t n = 0; n < k->event_count; n++) {
        const Story *mine = k->choices[k->events[n]].told->at;
        bool same = mine->kind == e->kind && mine->ins == e->ins && mine->round == e->round && mine->flag == e->flag;
        if (same && (e->kind == STORY_BRANCH ? term_same(mine->a, e->a) : mine->b.id == e->b.id)) met |= 1u << n;
    }
    return met;
}

// Whether a whole path that ends well contradicts the choice, and none of the others that are active.
static bool is_against(const Weigh *k, const Back *b, uint64_t active, uint64_t choice)
{
    uint64_t missed = 0;
    for (uint32_t n = 0; n < k->event_count; n++)
        if (!(b->met >> n & 1)) missed |= 1ull << k->events[n];
    return b->born && !(missed & active & ~choice) && b->differs;
}

enum { WAY_LOOKED = 1, WAY_KEPT = 2, WAY_DROPPED = 4 };

typedef struct {
    Work *w;
    Term heap;
} Seek;

static bool cell_is_other(void *context, uint64_t key, uint64_t cell)
{
    const Seek *k = context;
    (void)key;
    return !explain_mentions(k->w, cell_term(cell), k->heap);
}

// Whether the block is held by memory on this way into a join, or nobody claims anything of it.
static bool is_safe_way(Work *w, const JoinedWay *way, Term heap)
{
    State s = {.objs = way->objs};
    ObjState o = obj_get(&s, heap);
    if (o.status != OBJ_ALLOCATED || (o.flags & OBJF_ESCAPED)) return true;
    return !pmap_each(way->mem, cell_is_other, &(Seek){w, heap});
}

// By which ways into a join a path may end well. Where the join itself made an end of following the block, as it was held
// on one way and not on the other, the one without a holder is about to lose it, although what is joined ends well.
static uint64_t ways_into(Weigh *k, uint64_t n)
{
    bool fresh;
    uint64_t *ways = map_at(&k->ways, n, 0, &fresh);
    if (!fresh) return *ways;
    const JoinedStory *j = &k->w->joined_stories.at[n - 1];
    State after = {.objs = j->objs};
    bool heap = term_kind(&k->w->terms, k->heap) == T_HEAP, closed = heap && (obj_get(&after, k->heap).flags & OBJF_ESCAPED);
    *ways = WAY_LOOKED;
    if (!closed || is_safe_way(k->w, &j->kept, k->heap)) *ways |= WAY_KEPT;
    if (!closed || is_safe_way(k->w, &j->dropped, k->heap)) *ways |= WAY_DROPPED;
    return *ways;
}

// The call that brings the block brought nothing here, or something else.
static bool is_other_way(const Weigh *k, const Story *e)
{
    return k->info && e->kind == STORY_CALL && e->ins == k->info->ins && e->b.id != CALL_SUCCEEDS && e->b.id != CALL_FAILS;
}

// Whether a path that ends well contradicts the choice, and none of the active ones. No choice: contradicts none.
static bool ends_well_without(Weigh *k, uint64_t active, uint64_t choice)
{
    Work *w = k->w;
    Map seen = {0};
    Backs todo = {0};
    bool found = false, heap = term_kind(&w->terms, k->heap) == T_HEAP;
    vec_each (i, &w->ends) {
        const PathEnd *end = &w->ends.at[i];
        State s = {.objs = end->objs, .facts = end->facts};
        if (heap && obj_failed(w, &s, k->heap)) continue;
        uint64_t against = conflicts_of_end(k, i);
        if (against & active & ~choice) continue;
        if (end->story) push_back(&seen, &todo, (Back){end->story, !heap, !choice || (against & choice), 0});
    }
    while (todo.len && !found && k->looked <= WEIGHING_STEPS) {
        Back b = vec_pop(&todo);
        const Story *e = b.at;
        k->looked++;
        if (map_get(&k->bad, (uint64_t)(uintptr_t)e)) continue;
        const uint64_t *other = map_get(&k->joined, (uint64_t)(uintptr_t)e);
        uint64_t ways = WAY_KEPT;
        for (uint64_t n = other ? *other : 0; n && (ways & WAY_KEPT);) {
            const JoinedStory *j = &w->joined_stories.at[n - 1];
            ways = ways_into(k, n);
            if (ways & WAY_DROPPED) push_back(&seen, &todo, (Back){j->dropped.story, b.born, b.differs, b.met});
            n = j->before;
        }
        if (!(ways & WAY_KEPT)) continue;
        uint64_t against = conflicts_of(k, e);
        if (against & active & ~choice) continue;
        b.differs |= (against & choice) != 0;
        b.born |= (e->kind == STORY_NEW && term_same(e->a, k->heap)) || is_other_way(k, e);
        b.met |= met_at(k, e);
        if (!e->prev) {
            found = is_against(k, &b, active, choice);
        } else {
            b.at = e->prev;
            push_back(&seen, &todo, b);
        }
    }
    vec_free(&todo);
    map_free(&seen);
    return found;
}

static bool is_event(const ToldChoice *t)
{
    return !t->early && (t->fails || t->by_turn || t->answer);
}

// The least telling choices are given up first: those without words and those of bystanders, then those before the
// block was there, then calls that fail, then the others, the oldest first.
enum { WEIGHTS = 4 };

static uint32_t weight(const ToldChoice *t)
{
    if ((!t->count && !t->by_turn) || t->aside || t->test) return 0;
    if (t->early || t->left) return 1; // the caller's own words for it are better
    return is_event(t) ? 2 : 3;
}

// Calls whose failure is needed are what nobody has seen happen: with them the others are weighed again.
static void note_events(Weigh *k, uint64_t active)
{
    k->event_count = 0;
    for (uint32_t i = k->count; i-- > 0 && k->event_count < EVENTS_WEIGHED;)
        if ((active >> i & 1) && is_event(k->choices[i].told)) k->events[k->event_count++] = i;
}

static uint64_t needed(Weigh *k)
{
    uint64_t active = k->count == CHOICES_WEIGHED ? UINT64_MAX : (1ull << k->count) - 1;
    k->event_count = 0;
    for (uint32_t least = 0; least < WEIGHTS; least++)
        for (uint32_t i = 0; i < k->count; i++)
            if (weight(k->choices[i].told) == least && !ends_well_without(k, active, 1ull << i)) active &= ~(1ull << i);
    note_events(k, active);
    for (uint32_t i = 0; k->event_count && i < k->count; i++)
        if ((active >> i & 1) && !is_event(k->choices[i].told) && !ends_well_without(k, active, 1ull << i))
            active &= ~(1ull << i);
    return active;
}

static void link_joined(Work *w, Map *joined)
{
    vec_each (i, &w->joined_stories) {
        JoinedStory *j = &w->joined_stories.at[i];
        bool fresh;
        uint64_t *newest = map_at(joined, (uint64_t)(uintptr_t)j->kept.story, 0, &fresh);
        j->before = (uint32_t)*newest;
        *newest = i + 1;
    }
}

// Whether the instruction is reached whatever the branch decides.
static bool comes_anyway(const Work *w, uint32_t branch, uint32_t ins)
{
    uint32_t from = func_block_of(w->unit, w->func, branch), to = func_block_of(w->unit, w->func, ins);
    return from == to ? branch > ins : explain_post_dominates(w->cfg, to, from);
}

// A step that leads to the place is told, also where another way leads to another place of the same loss.
static bool leads(const Work *w, const Retell *r, const ToldChoice *t)
{
    bool branch = t->at->kind == STORY_BRANCH || t->at->kind == STORY_TURN;
    return branch && !t->early && r->lost < w->func->ins_count &&
           op_is_terminator((Op)func_ins(w->unit, w->func, t->at->ins)->op) && !comes_anyway(w, t->at->ins, r->lost);
}

// Whether the choice is made in a loop that is over at the place. How often the loop ran says which of its blocks a
// variable holds afterwards.
static bool is_in_other_loop(const Work *w, const Story *e, uint32_t place)
{
    uint32_t loop = w->cfg->loop_of[func_block_of(w->unit, w->func, e->ins)];
    return loop && e->kind == STORY_BRANCH && !cfg_loop_has(w->cfg, loop, func_block_of(w->unit, w->func, place));
}

static bool is_of_same_call(const Weigh *k, Term base)
{
    const ObjInfo *info = k->info && term_kind(&k->w->terms, base) == T_HEAP ? obj_info(k->w, base) : NULL;
    return info && info->ins == k->info->ins;
}

// Whether the path loses at the same place what the same call brought instead: in another way, as a callee with two
// allocations does. It is the same mistake.
static bool is_in_its_place(const Weigh *k, const FoundAt *f, uint32_t lost)
{
    if (f->ins != lost || !is_of_same_call(k, f->base)) return false;
    const Story *e = f->story;
    while (e && !(e->kind == STORY_NEW && term_same(e->a, k->heap))) e = e->prev;
    return !e;
}

// In a later round: the branches that the place is control dependent on, up to the head of the loop.
static void need_way_there(Work *w, Retell *r)
{
    const ObjInfo *info = obj_info(w, r->heap);
    uint32_t target = func_block_of(w->unit, w->func, r->lost), loop = w->cfg->loop_of[func_block_of(w->unit, w->func, info->ins)];
    for (uint32_t i = r->count; i-- > 0;) {
        ToldChoice *t = &r->told[i];
        if (t->early || t->of || t->at->kind != STORY_BRANCH) continue;
        uint32_t from = func_block_of(w->unit, w->func, t->at->ins);
        if (loop && from == w->cfg->loops[loop - 1].header) return;
        if (from == target || explain_post_dominates(w->cfg, target, from)) continue;
        EdgeRange next = w->cfg->succ[from];
        bool governs = false;
        for (uint32_t k = 0; k < next.count; k++) governs |= explain_post_dominates(w->cfg, target, w->cfg->edges[next.first + k]);
        if (!governs) continue;
        t->needed = true;
        target = from;
    }
}

static void weigh(Weigh *k, Retell *r)
{
    Work *w = k->w;
    k->heap = r->heap;
    k->info = r->heap.id && term_kind(&w->terms, r->heap) == T_HEAP ? obj_info(w, r->heap) : NULL;
    k->count = 0;
    map_clear(&k->conflicts);
    map_clear(&k->at_end);
    map_clear(&k->bad);
    map_clear(&k->ways);
    for (uint32_t i = r->count; i-- > 0;) {
        ToldChoice *t = &r->told[i];
        t->leads = leads(w, r, t);
        t->needed = !t->early;
        if (t->of || t->at->kind == STORY_TURN || t->at->kind == STORY_THROW || k->count == CHOICES_WEIGHED) continue;
        // What is not told in any case stands for nothing.
        if (((t->early || t->aside) && !t->fails) || t->succeeds) {
            t->needed = false;
            continue;
        }
        Choose *c = &k->choices[k->count++];
        *c = (Choose){.told = t};
        if (t->at->kind == STORY_BRANCH) cond_assume(&w->conds, &c->facts, t->at->a, t->at->flag);
    }
    for (uint32_t i = 0; i < k->count / 2; i++) { // the oldest first
        Choose c = k->choices[i];
        k->choices[i] = k->choices[k->count - 1 - i];
        k->choices[k->count - 1 - i] = c;
    }
    // A variable that is overwritten here loses one block on this path and another one on that: it is the same mistake,
    // and how often a loop before it ran only tells the blocks apart.
    bool others = false;
    vec_each (i, &w->found_at) {
        const FoundAt *f = &w->found_at.at[i];
        bool same = f->ins == r->lost && ((r->finding->loss == LOSS_OVERWRITE && f->overwrites) || is_of_same_call(k, f->base));
        bool mine = term_same(f->base, r->heap);
        if (mine || is_in_its_place(k, f, r->lost)) map_set(&k->bad, (uint64_t)(uintptr_t)f->story, 1);
        others |= same && !mine;
    }
    uint64_t keep = needed(k);
    for (uint32_t i = 0; others && i < k->count; i++)
        if (is_in_other_loop(w, k->choices[i].told->at, r->lost)) keep &= ~(1ull << i);
    for (uint32_t i = 0; i < k->count; i++) k->choices[i].told->needed = (keep >> i & 1) || k->choices[i].told->own;
    // In a later round what leads to the place is needed: a round that goes elsewhere is followed no further, as it
    // changes nothing.
    bool again = false;
    if (r->later_round) need_way_there(w, r);
    for (uint32_t i = 0; i < r->count; i++) {
        again |= r->told[i].again && r->told[i].needed;
        r->told[i].needed |= again && r->told[i].leads;
    }
    // An exception is needed where the conditions alone do not keep a path from ending well.
    bool otherwise = ends_well_without(k, keep, 0);
    // Likewise the last branch that leads to the place, which what is known decided.
    ToldChoice *last = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        ToldChoice *t = &r->told[i];
        if (t->at->kind == STORY_THROW) t->needed = otherwise;
        if (t->at->kind == STORY_TURN && !t->of) t->needed = otherwise && !t->nameless;
        if (t->leads && t->count && !t->succeeds && !t->early && !t->aside && !t->of) last = t;
        if (t->needed && t->count && !t->succeeds && !t->early && !t->aside) otherwise = false;
    }
    if (last && otherwise) last->needed = true;
    r->weighed = k->looked <= WEIGHING_STEPS;
}

void explain_settle(Work *w)
{
    Weigh k = {.w = w};
    bool known = !w->gave_up && !w->dropped_states;
    if (w->retell.len && known) link_joined(w, &k.joined);
    vec_each (i, &w->retell) {
        if (known && k.looked <= WEIGHING_STEPS) weigh(&k, &w->retell.at[i]);
        explain_retell(w, &w->retell.at[i]);
    }
    map_free(&k.conflicts);
    map_free(&k.at_end);
    map_free(&k.bad);
    map_free(&k.ways);
    map_free(&k.joined);
}

void explain_found(Work *w, const State *s, Term base, uint32_t ins, Loss loss)
{
    vec_push(&w->found_at, ((FoundAt){s->story, base, ins, loss == LOSS_OVERWRITE}));
}
