// The tables, the sets, and the two functions that decide.
#include "base/demangle.h"
#include "doubt/doubt.h"

#include <string.h>

_Static_assert(DOUBT_COUNT <= DOUBT_WORDS * 64 && ASSUME_COUNT <= 64, "rows are bits of words");

static const char *const level_words[LEVEL_COUNT] = {"sure", "likely", "audit"};
static const char *const impact_words[IMPACT_COUNT] = {"recurs", "memory-short", "once", "at-exit"};

static const DoubtInfo rows[DOUBT_COUNT] = {
#define TRUTH(id, word, cap, join, sentence, test) {word, AXIS_TRUTH, LEVEL_##cap, sentence},
#define IMPACT(id, word, cap, join, sentence, test)
#include "doubt/doubts.def"
#undef TRUTH
#undef IMPACT
#define TRUTH(id, word, cap, join, sentence, test)
#define IMPACT(id, word, cap, join, sentence, test) {word, AXIS_IMPACT, IMPACT_##cap, sentence},
#include "doubt/doubts.def"
#undef TRUTH
#undef IMPACT
};

typedef struct {
    const char *word, *sentence;
} AssumptionInfo;

static const AssumptionInfo assumptions[ASSUME_COUNT] = {
#define ASSUMPTION(id, word, sentence, test) {word, sentence},
#include "doubt/assumptions.def"
#undef ASSUMPTION
};

const char *level_word(Level l)
{
    return level_words[l];
}

static bool find_word(const char *const *words, uint32_t count, const char *word, uint32_t *found)
{
    for (*found = 0; *found < count; ++*found)
        if (strcmp(word, words[*found]) == 0) return true;
    return false;
}

bool level_find(const char *word, Level *level)
{
    uint32_t found;
    if (!find_word(level_words, LEVEL_COUNT, word, &found)) return false;
    *level = (Level)found;
    return true;
}

const char *impact_word(Impact i)
{
    return impact_words[i];
}

bool impact_find(const char *word, Impact *impact)
{
    uint32_t found;
    if (!find_word(impact_words, IMPACT_COUNT, word, &found)) return false;
    *impact = (Impact)found;
    return true;
}

const DoubtInfo *doubt_info(DoubtId id)
{
    return &rows[id];
}

const char *assumption_word(AssumptionId id)
{
    return assumptions[id].word;
}

const char *assumption_sentence(AssumptionId id)
{
    return assumptions[id].sentence;
}

// ---- Rows as bits.

static uint64_t bit_of(DoubtId id)
{
    return (uint64_t)1 << id % 64;
}

static bool has(const DoubtRows *r, DoubtId id)
{
    return r->words[id / 64] & bit_of(id);
}

static void set(DoubtRows *r, DoubtId id)
{
    r->words[id / 64] |= bit_of(id);
}

bool doubt_rows_same(DoubtRows a, DoubtRows b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static DoubtRows both(DoubtRows a, DoubtRows b)
{
    for (uint32_t w = 0; w < DOUBT_WORDS; w++) a.words[w] &= b.words[w];
    return a;
}

static DoubtRows either(DoubtRows a, DoubtRows b)
{
    for (uint32_t w = 0; w < DOUBT_WORDS; w++) a.words[w] |= b.words[w];
    return a;
}

static DoubtRows minus(DoubtRows a, DoubtRows b)
{
    for (uint32_t w = 0; w < DOUBT_WORDS; w++) a.words[w] &= ~b.words[w];
    return a;
}

static bool any(DoubtRows r)
{
    uint64_t found = 0;
    for (uint32_t w = 0; w < DOUBT_WORDS; w++) found |= r.words[w];
    return found;
}

// Those of an axis, of which truth comes first.
static DoubtRows of_axis(Axis axis)
{
    DoubtRows r;
    for (uint32_t w = 0; w < DOUBT_WORDS; w++) {
        uint32_t first = w * 64;
        uint64_t truth = DOUBT_TRUTH_COUNT <= first        ? 0
                         : DOUBT_TRUTH_COUNT - first >= 64 ? ~(uint64_t)0
                                                           : bit_of(DOUBT_TRUTH_COUNT) - 1;
        r.words[w] = axis == AXIS_TRUTH ? truth : ~truth;
    }
    return r;
}

// The rows that merged paths must all have.
enum { ANY, ALL };
#define TRUTH(id, word, cap, join, sentence, test)                                                 \
    | (DOUBT_##id / 64 == HERE ? (uint64_t)(join) << DOUBT_##id % 64 : 0)
#define IMPACT TRUTH
static const DoubtRows all_rows = {{
#define HERE 0
    0
#include "doubt/doubts.def"
    ,
#undef HERE
#define HERE 1
    0
#include "doubt/doubts.def"
#undef HERE
}};
#undef TRUTH
#undef IMPACT

static bool is_word(const char *row, const char *word, size_t len)
{
    return strlen(row) == len && strncmp(row, word, len) == 0;
}

bool doubt_find(const char *word, size_t len, DoubtId *id)
{
    for (uint32_t i = 0; i < DOUBT_COUNT; i++)
        if (is_word(rows[i].word, word, len)) {
            *id = (DoubtId)i;
            return true;
        }
    return false;
}

bool without_add(Without *w, const char *words, const char **bad)
{
    for (const char *p = words; *p;) {
        size_t n = strcspn(p, ",");
        DoubtId id;
        bool found = doubt_find(p, n, &id);
        if (found) set(&w->doubts, id);
        for (uint32_t i = 0; i < ASSUME_COUNT && !found; i++)
            if (is_word(assumptions[i].word, p, n)) {
                w->assumptions |= (uint64_t)1 << i;
                found = true;
            }
        if (!found) {
            *bad = p;
            return false;
        }
        p += n + (p[n] == ',');
    }
    return true;
}

bool without_doubt(const Without *w, DoubtId id)
{
    return has(&w->doubts, id);
}

// ---- Sets.

void doubt_note(Arena *a, Doubts *d, const DoubtNote *like)
{
    if (has(&d->rows, like->id)) return;
    set(&d->rows, like->id);
    DoubtNote *n = arena_new_of(a, DoubtNote);
    *n = *like;
    n->prev = d->notes;
    d->notes = n;
}

void doubt_add(Arena *a, Doubts *d, DoubtId id, Pos place, const char *argument)
{
    doubt_note(a, d, &(DoubtNote){.id = id, .place = place, .argument = argument});
}

void doubt_withdraw(Doubts *d, DoubtId id)
{
    d->rows.words[id / 64] &= ~bit_of(id);
}

bool doubt_has(const Doubts *d, DoubtId id)
{
    return has(&d->rows, id);
}

typedef struct {
    Arena *arena;
    Doubts *into;
} Into;

static void add_note(void *context, const DoubtNote *n)
{
    const Into *i = context;
    doubt_note(i->arena, i->into, n);
}

// A note that was withdrawn has no bit; of a row that came back after that only the newest counts.
void doubt_each(const Doubts *d, void (*visit)(void *context, const DoubtNote *n), void *context)
{
    const DoubtNote *found[DOUBT_COUNT];
    uint32_t count = 0;
    Doubts left = *d;
    for (const DoubtNote *n = d->notes; n && any(left.rows); n = n->prev)
        if (doubt_has(&left, n->id)) {
            doubt_withdraw(&left, n->id);
            found[count++] = n;
        }
    while (count-- > 0) visit(context, found[count]);
}

// Those of an axis that merged paths must all have.
static DoubtRows all_of(Axis axis)
{
    return both(of_axis(axis), all_rows);
}

// Drops them unless both have one of them.
static void drop_unless_both(DoubtRows *a, DoubtRows *b, Axis axis)
{
    DoubtRows all = all_of(axis);
    if (any(both(*a, all)) && any(both(*b, all))) return;
    *a = minus(*a, all);
    *b = minus(*b, all);
}

void doubt_join(Arena *a, Doubts *into, const Doubts *other)
{
    Doubts theirs = *other;
    drop_unless_both(&into->rows, &theirs.rows, AXIS_TRUTH);
    drop_unless_both(&into->rows, &theirs.rows, AXIS_IMPACT);
    if (any(minus(theirs.rows, into->rows))) doubt_each(&theirs, add_note, &(Into){a, into});
    // Of summary cases the rows alone are kept.
    into->rows = either(into->rows, theirs.rows);
}

// Of truth those that either of two merged paths may bring.
static DoubtRows blurring(void)
{
    return minus(of_axis(AXIS_TRUTH), all_rows);
}

bool doubt_blurs(const Doubts *d)
{
    return any(both(d->rows, blurring()));
}

void doubt_drop_blur(Doubts *d)
{
    d->rows = minus(d->rows, blurring());
}

void doubt_vouch(Doubts *into, const Doubts *other)
{
    if (!doubt_blurs(other)) doubt_drop_blur(into);
    for (Axis axis = AXIS_TRUTH; axis <= AXIS_IMPACT; axis++)
        if (!any(both(other->rows, all_of(axis)))) into->rows = minus(into->rows, all_of(axis));
}

static uint32_t cap_of(const Doubts *d, Axis axis)
{
    uint32_t cap = 0;
    if (!any(both(d->rows, of_axis(axis)))) return 0;
    for (uint32_t i = 0; i < DOUBT_COUNT; i++)
        if (rows[i].axis == axis && rows[i].cap > cap && doubt_has(d, (DoubtId)i))
            cap = rows[i].cap;
    return cap;
}

void doubt_elsewhere(Doubts *into, const Doubts *other)
{
    if (cap_of(other, AXIS_IMPACT) < cap_of(into, AXIS_IMPACT))
        into->rows = minus(into->rows, minus(of_axis(AXIS_IMPACT), other->rows));
    if (!doubt_has(other, DOUBT_NOT_PASSED)) doubt_withdraw(into, DOUBT_NOT_PASSED);
}

void doubt_of_callee(Arena *a, Doubts *into, const Doubts *callee, Pos call, const char *name)
{
    for (uint32_t i = 0; i < DOUBT_COUNT; i++)
        if (doubt_has(callee, (DoubtId)i))
            doubt_note(a, into, &(DoubtNote){.id = (DoubtId)i, .place = call, .callee = name});
}

// ---- What they come to.

Level doubt_truth(const Doubts *d)
{
    return (Level)cap_of(d, AXIS_TRUTH);
}

Impact doubt_impact(const Doubts *d)
{
    return (Impact)cap_of(d, AXIS_IMPACT);
}

typedef struct {
    Axis axis;
    uint32_t cap;
    const DoubtNote *first;
} Strongest;

static void note_strongest(void *context, const DoubtNote *n)
{
    Strongest *s = context;
    if (!s->first && rows[n->id].axis == s->axis && rows[n->id].cap == s->cap) s->first = n;
}

const DoubtNote *doubt_strongest(const Doubts *d, Axis axis)
{
    Strongest s = {axis, cap_of(d, axis), NULL};
    if (s.cap) doubt_each(d, note_strongest, &s);
    return s.first;
}

const char *doubt_text(Arena *a, const DoubtNote *n)
{
    const char *sentence = rows[n->id].sentence, *hole = strstr(sentence, "%s");
    const char *argument = n->argument ? n->argument : "something";
    const char *text =
        hole ? arena_printf(a, "%.*s%s%s", (int)(hole - sentence), sentence, argument, hole + 2)
             : sentence;
    return n->callee ? arena_printf(a, "in '%s': %s", demangle_plain(a, n->callee), text) : text;
}
