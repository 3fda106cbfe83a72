// Which paths go on alone where too many meet. What is joined may differ in its open objects, and
// of those nothing is claimed any more. So for each object that some path owns and has not released
// yet, one path stays as it is: the plainest on which the object is open. It is exact, whatever the
// others become; what is lost on it is lost. Objects that only a second path loses are missed.
#include "heap/heap.h"

typedef struct {
    Work *w;
    const State *s;
    Map *covered;   // objects that a chosen path has
    Reach outside;  // what the caller gets: it is not lost here
    bool adds, add; // some object is not covered yet; all of them are from now on
} Cover;

static bool cover_object(void *context, uint64_t key, uint64_t word)
{
    Cover *c = context;
    Term base = {(uint32_t)key};
    if ((word & 0xff) != OBJ_ALLOCATED || !is_open_object(c->w, base, word) ||
        map_get(c->covered, key) || reach_has(&c->outside, base) || obj_failed(c->w, c->s, base) ||
        facts_is_freed(c->w->facts, c->w->id, obj_info(c->w, base)->ins))
        return true;
    c->adds = true;
    if (c->add) map_set(c->covered, key, 1);
    return c->add;
}

static bool covers_more(Work *w, const State *s, Map *covered, bool add)
{
    if (!s->objs) return false;
    Cover c = {.w = w, .s = s, .covered = covered, .add = add};
    looked_at(w, pmap_size(s->objs));
    reach_exit(w, s, (Term){0}, &c.outside);
    pmap_each(s->objs, cover_object, &c);
    reach_free(&c.outside);
    return c.adds;
}

bool is_plainer(const State *a, const State *b)
{
    bool blurred_a = blur_of(a), blurred_b = blur_of(b);
    if (blurred_a != blurred_b) return !blurred_a;
    return (a->story ? a->story->length : 0) < (b->story ? b->story->length : 0);
}

static bool comes_first(const State *a, const State *b)
{
    return a->guesses != b->guesses ? a->guesses < b->guesses : is_plainer(a, b);
}

uint32_t cover_first(Work *w, States *states, uint32_t most, bool strict)
{
    Map covered = {0};
    uint32_t count = 0;
    bool more = true;
    while (count < most && more) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = count; i < states->len; i++)
            if ((best == UINT32_MAX || comes_first(&states->at[i], &states->at[best])) &&
                !(strict && doubt_has(&states->at[i].doubts, DOUBT_OVER_BUDGET)) &&
                covers_more(w, &states->at[i], &covered, false))
                best = i;
        more = best != UINT32_MAX;
        if (!more) continue;
        State chosen = states->at[best];
        covers_more(w, &chosen, &covered, true);
        for (uint32_t i = best; i > count; i--) states->at[i] = states->at[i - 1];
        states->at[count++] = chosen;
    }
    map_free(&covered);
    return count;
}
