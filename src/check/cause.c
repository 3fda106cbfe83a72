// One cause, one finding.
//
// A macro, an inline function, an allocator that callers misunderstand, or a slip that was copied makes the same
// finding in many functions. A person settles all of them at once, so they are told as one: the first
// in rank, with the places of the others. They stay findings of their own in every other respect (fingerprint,
// suppression, baseline, history): who settles one of them leaves the rest, of which then another speaks. Reports for
// scripts list each of them and name the first.
//
// Three things say that losses have one cause. All ask for the same rule, the same allocator and the same way in
// which the last pointer goes, and for the same level and impact.
//
//   one place      the block is obtained, decided about and lost at one and the same place of the function:
//                  all that is in the macro, or the call, that stands there, and its name is the same
//   one callee     an allocator of the program's own, whose result is kept in a variable of the same name and
//                  lost under the same condition
//   one condition  what decides asks the same functions or the same fields, whatever the variables are called
//
// The conditions of two functions are seldom alike by chance when they name a function or a field; `n < 0` says
// nothing. An allocation that fails is no such condition, but where the loss is by that very call
// (`p = realloc(p, n)`): each function has a clean-up of its own to mend.
//
// Errs towards telling them one by one: what is merged wrongly is a defect that is read past.
#include "check/check_int.h"
#include "check/limits.h"

#include <ctype.h>
#include <stdlib.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void add(Chars *key, const char *s, size_t n)
{
    vec_append(key, s, n);
}

static void add_text(Chars *key, const char *s)
{
    if (s) add(key, s, strlen(s));
    vec_push(key, '\n');
}

// ---- The shape of a condition.

static size_t end_of_literal(const char *s)
{
    size_t i = 1;
    while (s[i] && s[i] != s[0]) i += s[i] == '\\' && s[i + 1] ? 2 : 1;
    return i + (s[i] != 0);
}

static bool is_constant(const char *s, size_t n) // by the habit of writing them in capitals
{
    bool letter = false;
    for (size_t i = 0; i < n; i++) {
        if (islower((unsigned char)s[i])) return false;
        letter |= isupper((unsigned char)s[i]) != 0;
    }
    return letter && n > 1;
}

// The text with its variables left unnamed; functions, fields and constants keep their names. Whether there is a
// function or a field among them.
static bool add_shape(Chars *key, const char *text)
{
    bool telling = false;
    for (const char *s = text; *s;) {
        if (*s == '"' || *s == '\'') {
            s += end_of_literal(s);
            vec_push(key, '"');
        } else if (in_word(*s)) {
            size_t n = 0, after;
            while (in_word(s[n])) n++;
            for (after = n; s[after] == ' ';) after++;
            bool field = s > text && (s[-1] == '.' || (s[-1] == '>' && s > text + 1 && s[-2] == '-'));
            bool named = field || s[after] == '(' || is_constant(s, n) || isdigit((unsigned char)*s);
            telling |= field || s[after] == '(';
            if (named)
                add(key, s, n);
            else
                vec_push(key, '_');
            s += n;
        } else {
            if (!isspace((unsigned char)*s)) vec_push(key, *s);
            s++;
        }
    }
    return telling;
}

// ---- What says that two have one cause.

static bool same_place(Pos a, Pos b)
{
    return pos_known(a) && pos_same(a, b);
}

static bool is_of_path(const Event *e)
{
    return e->kind != EVENT_ALSO && e->kind != EVENT_PART && e->kind != EVENT_NOTE && e->kind != EVENT_SAME;
}

// The word in the source where all of it happens, which is not the allocator itself; or null.
static const char *one_word(Arena *a, const Finding *f, Sources *sources)
{
    if (!same_place(f->alloc, f->lost) || !f->alloc.col) return NULL;
    vec_each (i, &f->events) {
        const Event *e = &f->events.at[i];
        if (e->depth == 0 && is_of_path(e) && !same_place(e->pos, f->alloc)) return NULL;
    }
    size_t n, from = f->alloc.col - 1, to = from;
    const char *line = source_line(source_of(sources, f->alloc.path), f->alloc.line, &n);
    while (line && to < n && in_word(line[to])) to++;
    if (to == from) return NULL;
    const char *word = arena_strndup(a, line + from, to - from);
    return strcmp(word, f->allocator) == 0 ? NULL : word;
}

// Whether the code of the allocator is there: the block is obtained further inside.
static bool is_own_allocator(const Finding *f)
{
    vec_each (i, &f->events)
        if (f->events.at[i].kind == EVENT_ALLOC && f->events.at[i].depth > 0) return true;
    return false;
}

static void begin_key(Chars *key, const Finding *f, const char *kind)
{
    vec_clear(key);
    add_text(key, kind);
    add_text(key, rule_info(f->rule)->word);
    add_text(key, f->allocator);
    add_text(key, f->resource);
    // One that is sure does not hide behind a likely one, nor what recurs behind what does not.
    add_text(key, level_word(finding_level(f)));
    add_text(key, impact_word(finding_impact(f)));
    vec_push(key, (char)('0' + f->loss));
}

// The key by which a finding is compared; false: nothing says what its cause is.
static bool cause_of(Arena *a, const Finding *f, Sources *sources, Chars *key)
{
    if (!rule_piles_up(f->rule) || !f->allocator || !pos_known(f->alloc) || f->callers) return false;
    const char *word = one_word(a, f, sources);
    if (word) {
        begin_key(key, f, "one place");
        add_text(key, word);
        return true;
    }
    bool telling = false;
    begin_key(key, f, "one condition");
    vec_each (i, &f->when) {
        const When *w = &f->when.at[i];
        telling |= add_shape(key, w->text);
        add_text(key, w->within);
        add_text(key, w->from);
        telling |= w->within || w->from;
    }
    bool short_of_memory = finding_impact(f) == IMPACT_MEMORY_SHORT && f->loss != LOSS_OVERWRITE;
    if (telling) return !short_of_memory;
    if (!is_own_allocator(f) || !f->variable || short_of_memory) return false;
    begin_key(key, f, "one callee");
    add_text(key, f->variable);
    vec_each (i, &f->when) add_text(key, f->when.at[i].text);
    return true;
}

// ---- Groups.

typedef struct {
    const char *key;
    Finding *finding;
    uint32_t rank;
} Keyed;

static int by_key(const void *a, const void *b)
{
    const Keyed *f = a, *g = b;
    int c = strcmp(f->key, g->key);
    return c ? c : (f->rank > g->rank) - (f->rank < g->rank);
}

// Those behind the first, of which one in its own function tells nothing of others.
static void tell(const Keyed *group, uint32_t count, bool each)
{
    Finding *into = group->finding;
    for (uint32_t i = 1; i < count; i++) group[i].finding->speaker = into;
    if (each) return;
    uint32_t functions = 0;
    const char *last = into->function;
    for (uint32_t i = 1; i < count; i++) {
        const char *function = group[i].finding->function;
        functions += strcmp(function, last) != 0 && strcmp(function, into->function) != 0;
        last = function;
    }
    into->same = count - 1;
    if (functions == count - 1)
        finding_event(into, EVENT_SAME, finding_place(into), "the same happens in %u other functions", functions);
    else
        finding_event(into, EVENT_SAME, finding_place(into), "the same happens at %u other places", count - 1);
    for (uint32_t i = 1; i < count; i++) {
        Finding *from = group[i].finding;
        from->state = FINDING_SAME;
        finding_event(into, EVENT_SAME, finding_place(from), "the same in '%s'", from->function);
    }
}

static bool in_several_functions(const Keyed *group, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(group[i].finding->function, group->finding->function) != 0) return true;
    return false;
}

void check_cause(Findings *fs, bool each, Sources *sources)
{
    Arena *a = arena_new("causes");
    VEC(Keyed) some = {0};
    Chars key = {0};
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (f->state == FINDING_NEW && cause_of(a, f, sources, &key))
            vec_push(&some, ((Keyed){arena_strndup(a, key.at, key.len), f, i}));
    }
    if (some.len) qsort(some.at, some.len, sizeof *some.at, by_key);
    for (uint32_t i = 0, next; i < some.len; i = next) {
        for (next = i + 1; next < some.len && strcmp(some.at[i].key, some.at[next].key) == 0;) next++;
        if (next - i >= SAME_CAUSE && in_several_functions(&some.at[i], next - i)) tell(&some.at[i], next - i, each);
    }
    vec_free(&key);
    vec_free(&some);
    arena_free(a);
}
