// What is left of a path's conditions and steps when it is known which of them are needed: said once, a few in the
// headline.
#include "explain/explain.h"

#include "explain/limits.h"

#include <string.h>

// Said once is enough. A loop asks the same again, of other values: what the last round answered is
// what led to the loss.
static void drop_repeated(Finding *f)
{
    uint32_t kept = 0;
    vec_each (i, &f->when) {
        bool later = false;
        for (uint32_t k = i + 1; k < f->when.len && !later; k++)
            later = strcmp(f->when.at[k].text, f->when.at[i].text) == 0 ||
                    (pos_known(f->when.at[i].at) && pos_same(f->when.at[i].at, f->when.at[k].at) &&
                     f->when.at[i].part == f->when.at[k].part);
        if (!later) f->when.at[kept++] = f->when.at[i];
    }
    f->when.len = kept;
}

// What nobody has seen happen, or what the release asked.
static bool is_rare(const When *w)
{
    return (!w->expr && !w->answer) || w->decisive;
}

// Of many conditions a few are told, in their order: calls that fail before all others, as it is
// they that nobody has seen happen, and what the release asked; then those nearest to the loss.
static void keep_few_conditions(Finding *f, uint32_t most)
{
    uint32_t failures = 0, kept = 0;
    drop_repeated(f);
    vec_each (i, &f->when) failures += is_rare(&f->when.at[i]);
    uint32_t others = f->when.len - failures, room = failures < most ? most - failures : 0;
    vec_each (i, &f->when) {
        When when = f->when.at[i];
        // Of too many failures the last ones, which are nearest to the loss.
        bool other = !is_rare(&when), keep = other ? others <= room : failures <= most;
        if (other && !keep) others--;
        if (!other && failures > most) failures--;
        if (keep) f->when.at[kept++] = when;
    }
    f->when.len = kept;
}

static void drop_when(Finding *f, ToldChoice *t)
{
    for (uint32_t k = t->when; k < t->when + t->count; k++) f->when.at[k].text = NULL;
    t->count = 0;
}

static void drop_events(Finding *f, const ToldChoice *t)
{
    for (uint32_t k = t->event; t->event != UINT32_MAX && k <= t->event + t->more; k++) f->events.at[k].text = NULL;
}

static bool is_condition(const ToldChoice *t)
{
    return !t->of && t->at->kind == STORY_BRANCH;
}

// What a later branch implies is no condition of its own: `c != -1` before `c == 'x'`. It is a step of the path
// where something happens between the two.
static void drop_implied(Work *w, Finding *f, const ToldChoice *told, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool implied = false;
        uint32_t by = i;
        while (told[i].count && !implied && ++by < count) {
            PMap facts = NULL;
            if (!told[by].count || !is_condition(&told[i]) || !is_condition(&told[by])) continue;
            implied = cond_assume(&w->conds, &facts, told[by].at->a, told[by].at->flag) &&
                      cond_decide(&w->conds, facts, told[i].at->a) == (told[i].at->flag ? COND_TRUE : COND_FALSE);
        }
        if (!implied) continue;
        for (uint32_t k = told[i].when; k < told[i].when + told[i].count; k++) f->when.at[k].text = NULL;
        if (told[i].event != UINT32_MAX && told[by].event == told[i].event + 1) f->events.at[told[i].event].text = NULL;
    }
}

// A loop asks again what it asked in an earlier round, and the answer is another one: the last one led to the place.
static void drop_earlier_rounds(Work *w, Finding *f, Retell *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const ToldChoice *t = &r->told[i];
        if (!is_condition(t) || !t->count || t->again || t->fails) continue;
        if (!w->cfg->loop_of[func_block_of(w->unit, w->func, t->at->ins)]) continue;
        for (uint32_t k = i + 1; k < r->count; k++) {
            const ToldChoice *later = &r->told[k];
            bool same = is_condition(later) && later->count && later->at->ins == t->at->ins;
            if (!same || later->at->flag == t->at->flag || later->at->round == t->at->round) continue;
            drop_events(f, t);
            drop_when(f, &r->told[i]);
            break;
        }
    }
}

// `strcmp(key, "a") != 0` before `strcmp(key, "b") == 0`: of one text both cannot be equal, and a chain of such tests is
// told by the last.
static void drop_other_texts(Finding *f, Work *w, Retell *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = i + 1; k < r->count && r->told[i].count; k++) {
            if (!r->told[k].count || !names_is_other_text(w, r->told[i].at, r->told[k].at)) continue;
            drop_events(f, &r->told[i]);
            drop_when(f, &r->told[i]);
        }
}

static void close_gaps(Finding *f)
{
    uint32_t kept = 0;
    vec_each (i, &f->when)
        if (f->when.at[i].text) f->when.at[kept++] = f->when.at[i];
    f->when.len = kept, kept = 0;
    vec_each (i, &f->events)
        if (f->events.at[i].text) f->events.at[kept++] = f->events.at[i];
    f->events.len = kept;
}

// The event before it that is still told; or null.
static const Event *event_before(const Finding *f, uint32_t event)
{
    while (event-- > 0)
        if (f->events.at[event].text) return &f->events.at[event];
    return NULL;
}

static bool is_told(const Finding *f, const ToldChoice *t)
{
    bool any = false;
    for (uint32_t k = t->when; k < t->when + t->count; k++) any |= f->when.at[k].text != NULL;
    return any;
}

static bool is_told_elsewhere(const Finding *f, const Retell *r, const ToldChoice *t)
{
    bool any = false;
    for (uint32_t i = 0; i < r->count && !any; i++) any = &r->told[i] != t && is_told(f, &r->told[i]);
    return any;
}

// That a call succeeds is what everybody expects, and no condition. What a callee asked is one where nothing comes of it
// that is asked later.
static void drop_weak(Finding *f, const Retell *r)
{
    bool later = false;
    for (uint32_t i = r->count; i-- > 0;) {
        const ToldChoice *t = &r->told[i];
        bool weak = t->succeeds || (t->test && later) || (t->guard && is_told_elsewhere(f, r, t));
        for (uint32_t k = t->when; weak && k < t->when + t->count; k++) f->when.at[k].text = NULL;
        later |= is_told(f, t);
    }
}

// Not weighed: whatever was decided since the block is there. What a bystander asked is told where it fails alone, as a
// logger asks for its level; so is what was asked before the block was there.
static bool is_kept(const Retell *r, const ToldChoice *t)
{
    if ((t->aside || t->early) && !t->fails) return false;
    return r->weighed ? t->needed : !t->early && !t->aside && !t->test && !t->nameless;
}

// Whether a condition says already why the call returned what it did.
static bool call_says_why(const Retell *r, const ToldChoice *turn)
{
    if (!turn->of) return false;
    uint32_t call = r->told[turn->of - 1].at->ins;
    for (uint32_t i = 0; i < r->count; i++) {
        const ToldChoice *t = &r->told[i];
        if (!t->of && t->at->ins == call && t->count && is_kept(r, t) && !t->test) return true;
    }
    return false;
}

// What the callee asked is said in the caller's words where it has some: of a number that stands for an enumerator it has
// none.
static void settle_words(Work *w, Finding *f, Retell *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        ToldChoice *left = &r->told[i];
        for (uint32_t k = 0; left->left && k < r->count; k++) {
            ToldChoice *t = &r->told[k];
            if (!is_condition(t) || t->at->ins != left->at->ins || !is_told(f, t)) continue;
            bool same = t->count == 1 && left->count == 1 && strcmp(f->when.at[t->when].text, f->when.at[left->when].text) == 0;
            bool number = names_is_enumerator(w, t->at->a);
            if (same || number) drop_events(f, t); // the step inside says it
            drop_when(f, number ? t : left);
            if (!number) break;
        }
    }
}

// What a callee left alone is a step of the path also where the callee had no other choice, and then a condition only
// where there is none that says more.
static void settle_left_alone(Finding *f, const Retell *r)
{
    bool other = false;
    for (uint32_t i = 0; i < r->count; i++) other |= is_told(f, &r->told[i]) && (!r->told[i].left || is_kept(r, &r->told[i]));
    for (uint32_t i = r->count; i-- > 0;) {
        ToldChoice *t = &r->told[i];
        if (!t->left || is_kept(r, t)) continue;
        if (other) drop_when(f, t);
        other |= is_told(f, t);
    }
}

// The place where the loop around the block's making is asked whether it goes on; or that of the first step.
static Pos place_of_round(Work *w, const Retell *r)
{
    const Finding *f = r->finding;
    Pos first = f->events.len ? f->events.at[0].pos : (Pos){0};
    const ObjInfo *info = r->heap.id && term_kind(&w->terms, r->heap) == T_HEAP ? obj_info(w, r->heap) : NULL;
    if (!info || info->ins >= w->func->ins_count) return first;
    uint32_t loop = w->cfg->loop_of[func_block_of(w->unit, w->func, info->ins)];
    if (!loop) return first;
    const Block *b = func_block(w->unit, w->func, w->cfg->loops[loop - 1].header);
    Pos at = b->count ? explain_place_of_test(w, b->first + b->count - 1) : (Pos){0};
    return pos_known(at) ? at : first;
}

// What is overwritten by the loop that made it: that the loop runs again is the first condition, and what its header
// asks none beside it.
static void tell_later_round(Work *w, Finding *f, const Retell *r)
{
    static const char words[] = "the loop runs again";
    bool told = false;
    for (uint32_t i = 0; i < r->count; i++) {
        const ToldChoice *t = &r->told[i];
        if (t->again && is_told(f, t)) drop_when(f, &r->told[i]);
    }
    vec_each (i, &f->events) told |= f->events.at[i].text && strcmp(f->events.at[i].text, words) == 0;
    finding_when(f, "%s", words);
    for (uint32_t i = f->when.len - 1; i > 0; i--) {
        When when = f->when.at[i];
        f->when.at[i] = f->when.at[i - 1];
        f->when.at[i - 1] = when;
    }
    if (told) return;
    uint32_t at = 0;
    while (at < f->events.len && (f->events.at[at].kind == EVENT_ALLOC || f->events.at[at].kind == EVENT_CALL ||
                                  f->events.at[at].kind == EVENT_STORE || f->events.at[at].depth))
        at++;
    finding_event(f, EVENT_NOTE, place_of_round(w, r), "%s", words);
    for (uint32_t i = f->events.len - 1; i > at; i--) {
        Event e = f->events.at[i];
        f->events.at[i] = f->events.at[i - 1];
        f->events.at[i - 1] = e;
    }
}

void explain_retell(Work *w, Retell *r)
{
    Finding *f = r->finding;
    for (uint32_t i = r->count; i-- > 0;)
        if (r->told[i].follows && r->told[i].needed) r->told[i - 1].needed = true;
    for (uint32_t i = 0; i < r->count; i++) {
        ToldChoice *t = &r->told[i];
        if (t->of) t->needed = r->told[t->of - 1].needed;
        // That it gave what everybody expects is no step either.
        bool keep = is_kept(r, t) && !(t->at->kind == STORY_TURN && t->succeeds);
        if (t->left && !keep) continue;
        // The test of the result that follows says it all; of what succeeds nothing need be said.
        bool asked = t->test && !t->left && !t->fails;
        if (keep && t->by_turn && (t->generic || (asked && t->expected))) drop_events(f, t);
        // And what the call met says why it returned null.
        Turned turn;
        bool null = keep && t->of && t->at->kind == STORY_TURN && explain_turn(w, t->at, &turn) && turn.words;
        const Event *before = null && t->event != UINT32_MAX && call_says_why(r, t) ? event_before(f, t->event) : NULL;
        if (before && before == &f->events.at[r->told[t->of - 1].event]) drop_events(f, t);
        if (keep && !(t->test && t->by_turn) && !(t->at->kind == STORY_TURN && call_says_why(r, t))) continue;
        drop_when(f, t);
        if (!keep) drop_events(f, t);
    }
    settle_words(w, f, r);
    settle_left_alone(f, r);
    drop_earlier_rounds(w, f, r);
    drop_implied(w, f, r->told, r->count);
    drop_other_texts(f, w, r);
    drop_weak(f, r);
    if (r->later_round) tell_later_round(w, f, r);
    close_gaps(f);
    for (uint32_t i = f->events.len; i-- > 1;)
        if (strcmp(f->events.at[i].text, f->events.at[i - 1].text) == 0 && pos_same(f->events.at[i].pos, f->events.at[i - 1].pos))
            f->events.at[i].text = NULL;
    close_gaps(f);
    keep_few_conditions(f, MAX_WHEN + r->later_round);
}
