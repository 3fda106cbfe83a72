// What a person should read first, and how much of each finding.
#include "check/check_int.h"
#include "check/limits.h"

#include <stdlib.h>

static int flag(bool a, bool b) // true first
{
    return (int)b - (int)a;
}

// What can happen again and again first, what happens when the program ends last, and what globals
// still hold then behind what nobody will hold.
static int rarity(const Finding *f)
{
    return (int)finding_impact(f) * 2 + rule_is_note(f->rule);
}

// By impact; in it sure before likely; what happens on the main path or in a loop before rare error
// exits.
static int rank_order(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = rarity(f) - rarity(g);
    if (!c) c = (int)finding_level(f) - (int)finding_level(g);
    if (!c) c = flag(g->error_exit, f->error_exit);
    if (!c) c = flag(f->in_loop, g->in_loop);
    if (!c) c = flag(f->main_path, g->main_path);
    if (!c) c = pos_compare(finding_place(f), finding_place(g));
    return c ? c : finding_compare(f, g);
}

void check_rank(Findings *fs)
{
    if (fs->all.len) qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, rank_order);
}

// 0 is never folded; the higher, the sooner it goes.
static uint32_t dispensable(EventKind k)
{
    switch (k) {
    case EVENT_ALLOC:
    case EVENT_FREE:
    case EVENT_OVERWRITE:
    case EVENT_USE:
    case EVENT_LOST:
    case EVENT_ALSO:
    case EVENT_PART:
    case EVENT_SAME:
        return 0;
    case EVENT_SCOPE:
    case EVENT_BRANCH:
        return 1;
    case EVENT_SIBLING_FREE:
        return 2;
    case EVENT_CALL:
    case EVENT_STORE:
        return 3;
    case EVENT_RETURN:
    case EVENT_COUNT:
        break;
    case EVENT_NOTE: // that a call fails, most often
        return 2;
    }
    return 4;
}

// How far out the step is in the chain of callers that leads to the function, which comes first; 0: it is none, or the
// nearest caller.
static uint32_t caller_depth(const Finding *f, uint32_t i)
{
    uint32_t end = 0;
    while (end < f->events.len && f->events.at[end].kind == EVENT_CALL && !f->events.at[end].depth) end++;
    return i + 1 < end ? end - 1 - i : 0;
}

// Inside of calls: the call's own line stands for it, but for where the memory was obtained, where it was released at
// last, and for the branch by which a callee decided to release it or to leave it alone.
static bool is_inner_detail(const Finding *f, uint32_t i)
{
    const Event *e = &f->events.at[i];
    if (e->depth == 0) return false;
    bool asks = e->kind == EVENT_BRANCH || e->kind == EVENT_NOTE;
    bool leads = asks && i + 1 < f->events.len && f->events.at[i + 1].kind == EVENT_FREE;
    uint32_t call = i;
    while (call && f->events.at[call].depth) call--;
    leads |= asks && f->events.at[call].kind == EVENT_NOTE;
    bool innermost = e->kind == EVENT_FREE && (i + 1 == f->events.len || f->events.at[i + 1].depth <= e->depth);
    return !innermost && (e->kind == EVENT_FREE || (dispensable(e->kind) != 0 && !leads));
}

static void fold_one(Finding *f, uint32_t max)
{
    uint32_t shown = 0, same = 0;
    vec_each (i, &f->events) {
        Event *e = &f->events.at[i];
        bool other = e->kind == EVENT_SAME;
        // The first one counts them.
        e->folded = other ? same++ > SAME_LISTED : is_inner_detail(f, i);
        shown += !e->folded && !other;
    }
    // Then callers far out, and then the least telling steps, of those the ones in the middle, farthest from both ends.
    for (uint32_t i = 0; i < f->events.len && shown > max && caller_depth(f, i); i++) {
        shown -= !f->events.at[i].folded;
        f->events.at[i].folded = true;
    }
    for (uint32_t degree = 4; degree > 0 && shown > max; degree--)
        while (shown > max) {
            uint32_t best = UINT32_MAX, best_distance = 0;
            vec_each (i, &f->events) {
                const Event *e = &f->events.at[i];
                uint32_t left = i, right = f->events.len - 1 - i;
                uint32_t distance = left < right ? left : right;
                if (e->folded || dispensable(e->kind) != degree) continue;
                if (best == UINT32_MAX || distance > best_distance) {
                    best = i;
                    best_distance = distance;
                }
            }
            if (best == UINT32_MAX) break;
            f->events.at[best].folded = true;
            shown--;
        }
}

void check_fold(Findings *fs, uint32_t max_events)
{
    vec_each (i, &fs->all) fold_one(fs->all.at[i], max_events ? max_events : 10);
}

void check_filter(Findings *fs, const CheckOptions *o)
{
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        bool off = o->rules_off >> f->rule & 1;
        if (f->state != FINDING_NEW) continue;
        if (off || finding_level(f) > o->level)
            f->state = FINDING_BELOW;
        else if (o->concerns && !o->concerns(o->context, f))
            f->state = FINDING_ELSEWHERE;
        else if (finding_impact(f) > o->impact)
            f->state = FINDING_RARE;
    }
}

bool check_rules(const char *text, uint32_t *rules_off, Diag *d)
{
    bool bare = false;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, ",");
        char sign = *p == '+' || *p == '-' ? *p : 0;
        Rule rule;
        const char *word = p + (sign != 0);
        size_t len = n - (sign != 0);
        if (!rule_find(word, len, &rule)) {
            Arena *a = arena_new("rules");
            const char *all = "";
            for (int r = 0; r < RULE_COUNT; r++)
                all = arena_printf(a, "%s%s%s", all, r ? ", " : "", rule_info((Rule)r)->word);
            diag_error(d, "there is no rule '%.*s'; there are %s", (int)len, word, all);
            arena_free(a);
            return false;
        }
        // The first word without a sign turns all others off: "only these".
        if (!sign && !bare) {
            *rules_off = (1u << RULE_COUNT) - 1;
            bare = true;
        }
        if (sign == '-')
            *rules_off |= 1u << rule;
        else
            *rules_off &= ~(1u << rule);
        p += n + (p[n] == ',');
    }
    return true;
}

bool check_run(Findings *fs, const CheckOptions *o, Sources *sources, Diag *d)
{
    check_merge(fs);
    check_fingerprint(fs, sources);
    if (!check_suppress(fs, o, sources, d)) return false;
    check_filter(fs, o);
    if (!check_baseline(fs, o, d)) return false;
    check_rank(fs);
    check_quote(fs, sources);
    check_join(fs);
    check_cause(fs, o->each, sources);
    check_fold(fs, o->max_events);
    return true;
}
