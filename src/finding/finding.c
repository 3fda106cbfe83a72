#include "base/demangle.h"
#include "finding/grounds.h"

#include <ctype.h>
#include <string.h>

static const RuleInfo rules[RULE_COUNT] = {
#define RULE(name, word, title, cwe, class, severity, noun, undone, brief, help)                   \
    {word, title, cwe, RULE_##class, severity, noun, undone, brief, help},
#include "finding/rules.def"
#undef RULE
};

static const char *const event_words[EVENT_COUNT] = {
#define EVENT(name, word) word,
#include "finding/events.def"
#undef EVENT
};

const RuleInfo *rule_info(Rule r)
{
    return &rules[r];
}

Rule rule_of_loss(const char *noun)
{
    if (!noun) return RULE_LEAK;
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (r != RULE_LEAK && rules[r].class == RULE_LOSS && strcmp(rules[r].noun, noun) == 0)
            return (Rule)r;
    return RULE_RESOURCE_LEAK;
}

bool rule_find(const char *word, size_t len, Rule *rule)
{
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (strlen(rules[r].word) == len && memcmp(rules[r].word, word, len) == 0) {
            *rule = (Rule)r;
            return true;
        }
    return false;
}

const char *event_word(EventKind k)
{
    return event_words[k];
}

Findings *findings_new(void)
{
    Findings *fs = mem_alloc(sizeof *fs);
    fs->arena = arena_new("findings");
    return fs;
}

void findings_free(Findings *fs)
{
    if (!fs) return;
    vec_each (i, &fs->all) finding_drop(fs->all.at[i]);
    vec_free(&fs->all);
    vec_free(&fs->fixed);
    vec_free(&fs->run.failed);
    vec_free(&fs->run.given_up);
    vec_free(&fs->run.overrides);
    vec_free(&fs->run.sources);
    arena_free(fs->arena);
    mem_free(fs);
}

static const char *keep(Findings *fs, const char *s)
{
    return s ? arena_strdup(fs->arena, s) : NULL;
}

bool pos_same(Pos a, Pos b)
{
    return a.line == b.line && a.col == b.col &&
           strcmp(a.path ? a.path : "", b.path ? b.path : "") == 0;
}

static Pos keep_pos(Findings *fs, Pos p)
{
    p.path = keep(fs, p.path);
    return p;
}

Finding *finding_new(Findings *fs, Rule rule, const char *function, Pos alloc, Pos lost)
{
    Finding *f = arena_new_of(fs->arena, Finding);
    f->owner = fs;
    f->rule = rule;
    f->cwe = rules[rule].cwe;
    f->function = keep(fs, function ? function : "");
    f->alloc = keep_pos(fs, alloc);
    f->lost = keep_pos(fs, lost);
    f->merged = 1;
    f->grounds = arena_new_of(fs->arena, Grounds);
    vec_push(&fs->all, f);
    return f;
}

void finding_drop(Finding *f)
{
    vec_free(&f->when);
    vec_free(&f->events);
    vec_free(&f->nodes);
    vec_free(&f->edges);
    vec_free(&f->there);
    vec_free(&f->grounds->chain);
    vec_free(&f->grounds->inputs);
    vec_free(&f->grounds->choices);
}

void finding_doubt(Finding *f, DoubtId id, Pos place, const char *argument)
{
    if (without_doubt(&f->owner->without, id) || doubt_has(&f->doubts, id)) return;
    doubt_add(f->owner->arena, &f->doubts, id, keep_pos(f->owner, place),
              keep(f->owner, argument));
}

static void take_doubt(void *context, const DoubtNote *n)
{
    Finding *f = context;
    if (without_doubt(&f->owner->without, n->id) || doubt_has(&f->doubts, n->id)) return;
    DoubtNote kept = *n;
    kept.place = keep_pos(f->owner, n->place);
    kept.argument = keep(f->owner, n->argument);
    kept.callee = keep(f->owner, n->callee);
    doubt_note(f->owner->arena, &f->doubts, &kept);
}

void finding_doubts(Finding *f, const Doubts *d)
{
    doubt_each(d, take_doubt, f);
}

void finding_loser(Finding *f, const char *callee, Pos at)
{
    f->loser = keep(f->owner, callee);
    f->loser_at = keep_pos(f->owner, at);
}

void finding_source(Finding *f, Pos source)
{
    f->source = keep_pos(f->owner, source);
}

void finding_there(Finding *f, Pos alloc, Pos source)
{
    vec_push(&f->there, ((Brought){keep_pos(f->owner, alloc), keep_pos(f->owner, source)}));
}

void finding_names(Finding *f, const char *allocator, const char *variable)
{
    f->allocator = keep(f->owner, demangle_plain(f->owner->arena, allocator));
    f->variable = keep(f->owner, variable);
}

Event *finding_event(Finding *f, EventKind kind, Pos pos, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Event e = {.kind = kind,
               .pos = keep_pos(f->owner, pos),
               .text = demangle_plain(f->owner->arena, arena_vprintf(f->owner->arena, fmt, ap))};
    va_end(ap);
    vec_push(&f->events, e);
    return &vec_last(&f->events);
}

Event *finding_branch(Finding *f, Pos pos, const char *cond, bool taken)
{
    Event *e = finding_event(f, EVENT_BRANCH, pos, "%s", "");
    finding_retell_branch(f, e, cond, taken);
    return e;
}

void finding_retell_branch(Finding *f, Event *e, const char *cond, bool taken)
{
    e->text = arena_printf(f->owner->arena, "'%s' is %s", cond, taken ? "true" : "false");
    e->cond = keep(f->owner, cond);
    e->taken = taken;
}

static void add_when(Finding *f, bool expr, const char *fmt, va_list ap)
{
    When w = {.text = demangle_plain(f->owner->arena, arena_vprintf(f->owner->arena, fmt, ap)), .expr = expr};
    vec_push(&f->when, w);
}

void finding_when(Finding *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_when(f, false, fmt, ap);
    va_end(ap);
}

void finding_when_expr(Finding *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_when(f, true, fmt, ap);
    va_end(ap);
}

void finding_when_at(Finding *f, uint32_t first, Pos at, Pos label)
{
    for (uint32_t i = first; i < f->when.len; i++) {
        f->when.at[i].at = keep_pos(f->owner, at);
        f->when.at[i].part = i - first;
        f->when.at[i].label = keep_pos(f->owner, label);
    }
}

void finding_when_from(Finding *f, uint32_t first, const char *callee)
{
    for (uint32_t i = first; i < f->when.len; i++) f->when.at[i].from = arena_strdup(f->owner->arena, callee);
}

void finding_settle_spec(Finding *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    f->settle_spec = arena_vprintf(f->owner->arena, fmt, ap);
    va_end(ap);
}

const char *finding_node_detail(Arena *a, const HeapNode *n)
{
    if (n->detail || !n->made.line) return n->detail;
    return arena_printf(a, "line %u", n->made.line);
}

uint32_t finding_node(Finding *f, HeapKind kind, const char *label, const char *detail)
{
    HeapNode n = {.kind = kind, .label = keep(f->owner, label), .detail = keep(f->owner, detail)};
    vec_push(&f->nodes, n);
    return f->nodes.len - 1;
}

HeapEdge *finding_edge(Finding *f, uint32_t from, uint32_t to, const char *label)
{
    HeapEdge e = {.from = from, .to = to, .label = keep(f->owner, label)};
    vec_push(&f->edges, e);
    return &vec_last(&f->edges);
}

void findings_failed_unit(Findings *fs, const char *path, const char *reason)
{
    FailedUnit u = {keep(fs, path), keep(fs, reason)};
    vec_push(&fs->run.failed, u);
}

void findings_override(Findings *fs, const char *function, Pos pos, bool code)
{
    Override o = {keep(fs, function), keep_pos(fs, pos), code};
    vec_push(&fs->run.overrides, o);
}

void findings_given_up(Findings *fs, const char *function, Pos pos, const char *reason)
{
    GivenUp g = {keep(fs, function), keep_pos(fs, pos), keep(fs, reason)};
    vec_push(&fs->run.given_up, g);
}

void findings_source(Findings *fs, const char *path)
{
    vec_push(&fs->run.sources, keep(fs, path));
}

static CallStep keep_step(Findings *fs, const CallStep *from)
{
    CallStep s = *from;
    PathInput *inputs = arena_copy(fs->arena, s.inputs, s.input_count * sizeof *inputs);
    for (uint32_t i = 0; i < s.input_count; i++) inputs[i].global = keep(fs, inputs[i].global);
    s.inputs = inputs;
    s.choices = arena_copy(fs->arena, s.choices, s.choice_count * sizeof *s.choices);
    s.function = keep(fs, s.function);
    s.callee = keep(fs, s.callee);
    s.pos = keep_pos(fs, s.pos);
    return s;
}

void finding_called(Finding *f, const CallStep *step, bool shown)
{
    Grounds *g = f->grounds;
    vec_push(&g->chain, keep_step(f->owner, step));
    CallStep first = vec_last(&g->chain);
    memmove(g->chain.at + 1, g->chain.at, (g->chain.len - 1) * sizeof first);
    g->chain.at[0] = first;
    if (!shown || !pos_known(first.pos)) return;
    finding_event(f, EVENT_CALL, first.pos, "'%s' calls '%s'", first.function, first.callee);
    Event call = vec_last(&f->events);
    memmove(f->events.at + 1, f->events.at, (f->events.len - 1) * sizeof call);
    f->events.at[0] = call;
}

static void copy_grounds(Findings *into, Grounds *e, const Grounds *from)
{
    e->function = from->function;
    e->made_by = from->made_by;
    e->lost_by = from->lost_by;
    e->failed_call = from->failed_call;
    e->returns = from->returns;
    e->returned[0] = from->returned[0];
    e->returned[1] = from->returned[1];
    e->no_model = from->no_model;
    vec_append(&e->choices, from->choices.at, from->choices.len);
    vec_each (i, &from->inputs) {
        PathInput input = from->inputs.at[i];
        input.global = keep(into, input.global);
        vec_push(&e->inputs, input);
    }
    vec_each (i, &from->chain) vec_push(&e->chain, keep_step(into, &from->chain.at[i]));
}

Finding *finding_copy(Findings *into, const Finding *from)
{
    Finding *f = finding_new(into, from->rule, from->function, from->alloc, from->lost);
    finding_doubts(f, &from->doubts);
    f->cwe = from->cwe;
    f->stages = from->stages;
    f->freed = keep_pos(into, from->freed);
    f->loss = from->loss;
    f->allocator = keep(into, from->allocator);
    f->releaser = keep(into, from->releaser);
    f->partner = keep(into, from->partner);
    f->variable = keep(into, from->variable);
    f->resource = keep(into, from->resource);
    f->source = keep_pos(into, from->source);
    f->settle_spec = keep(into, from->settle_spec);
    f->error_exit = from->error_exit;
    f->in_loop = from->in_loop;
    f->main_path = from->main_path;
    copy_grounds(into, f->grounds, from->grounds);
    f->replay = from->replay;
    f->replay_text = keep(into, from->replay_text);
    f->witness = from->witness ? witness_copy(into->arena, from->witness) : NULL;
    f->again = from->again;
    f->confirmed = from->confirmed;
    f->confirmed_why = keep(into, from->confirmed_why);
    finding_loser(f, from->loser, from->loser_at);
    f->merged = from->merged;
    f->callers = from->callers;
    f->state = from->state;
    f->suppressed_by = keep(into, from->suppressed_by);
    memcpy(f->fingerprint, from->fingerprint, sizeof f->fingerprint);
    vec_each (i, &from->when) {
        const When *old = &from->when.at[i];
        When w = {keep(into, old->text), old->expr, false, false, keep_pos(into, old->at), old->part, keep_pos(into, old->label),
                  old->from ? keep(into, old->from) : NULL, old->within ? keep(into, old->within) : NULL};
        vec_push(&f->when, w);
    }
    vec_each (i, &from->there) finding_there(f, from->there.at[i].alloc, from->there.at[i].source);
    vec_each (i, &from->events) {
        Event e = from->events.at[i];
        e.pos = keep_pos(into, e.pos);
        e.label = keep_pos(into, e.label);
        e.text = keep(into, e.text);
        e.cond = keep(into, e.cond);
        vec_push(&f->events, e);
    }
    vec_each (i, &from->nodes) {
        const HeapNode *n = &from->nodes.at[i];
        finding_node(f, n->kind, n->label, n->detail);
        vec_last(&f->nodes).lost = n->lost;
        vec_last(&f->nodes).freed = n->freed;
        vec_last(&f->nodes).made = keep_pos(into, n->made);
    }
    vec_each (i, &from->edges) {
        const HeapEdge *e = &from->edges.at[i];
        finding_edge(f, e->from, e->to, e->label)->cut = e->cut;
    }
    return f;
}

void findings_append(Findings *into, const Findings *from)
{
    vec_each (i, &from->all) finding_copy(into, from->all.at[i]);
    const RunFacts *r = &from->run;
    vec_each (i, &r->failed)
        findings_failed_unit(into, r->failed.at[i].path, r->failed.at[i].reason);
    vec_each (i, &r->given_up) {
        const GivenUp *g = &r->given_up.at[i];
        findings_given_up(into, g->function, g->pos, g->reason);
    }
    vec_each (i, &r->sources) findings_source(into, r->sources.at[i]);
    into->run.units_total += r->units_total;
    into->run.units_analysed += r->units_analysed;
    into->run.functions += r->functions;
}

static bool has_call(const char *text)
{
    bool any = false;
    for (const char *p = strchr(text, '('); p && !any; p = strchr(p + 1, '(')) {
        const char *before = p;
        while (before > text && before[-1] == ' ') before--;
        any = before > text && (isalnum((unsigned char)before[-1]) || before[-1] == '_');
    }
    return any;
}

char *finding_condition(Arena *a, const Finding *f)
{
    if (!f->when.len) return NULL;
    char *text = arena_strdup(a, "");
    vec_each (i, &f->when) {
        const When *w = &f->when.at[i];
        const char *between = i == 0 ? "" : i + 1 < f->when.len ? ", " : " and ";
        // Of several tests of one result the last says whose it is.
        bool again = w->from && i + 1 < f->when.len && f->when.at[i + 1].from && strcmp(w->from, f->when.at[i + 1].from) == 0;
        bool named = !w->from || again || strstr(w->text, w->from) || has_call(w->text);
        text = named ? arena_printf(a, "%s%s%s", text, between, w->text)
                     : arena_printf(a, "%s%s%s (from %s())", text, between, w->text, w->from);
        if (w->within) text = arena_printf(a, "%s in %s", text, w->within);
    }
    return text;
}

// "memory from strdup", "memory"; `noun` in place of memory.
static const char *origin(Arena *a, const Finding *f, const char *noun)
{
    return f->allocator ? arena_printf(a, "%s from %s", noun, f->allocator) : noun;
}

// The same, with the variable where no function is known.
static const char *subject(Arena *a, const Finding *f, const char *noun)
{
    if (f->allocator || !f->variable) return origin(a, f, noun);
    return arena_printf(a, "%s held by '%s'", noun, f->variable);
}

static const char *holder(Arena *a, const Finding *f)
{
    if (f->variable) return arena_printf(a, "'%s'", f->variable);
    return subject(a, f, "memory");
}

static const char *loss_text(Arena *a, const Finding *f)
{
    const char *what = origin(a, f, "memory");
    switch (f->loss) {
    case LOSS_OVERWRITE:
        if (!f->variable) return arena_printf(a, "%s leaks: its last pointer is overwritten", what);
        return arena_printf(a, "'%s' is overwritten while it still owns %s", f->variable, what);
    case LOSS_OWNER:
        if (!f->variable) return arena_printf(a, "%s leaks: its owner is freed", what);
        return arena_printf(a, "'%s' leaks %s: its owner is freed", f->variable, what);
    case LOSS_CONTAINER:
        return arena_printf(a, "%s leaks: its container drops it", what);
    case LOSS_UNUSED:
        return arena_printf(a, "%s leaks: the result of the call is not used", what);
    case LOSS_AT_END:
        return arena_printf(a, "%s is not freed before main returns", subject(a, f, "memory"));
    default:
        if (!f->variable) return arena_printf(a, "%s leaks", what);
        return arena_printf(a, "'%s' leaks %s", f->variable, what);
    }
}

// Of what is no memory: "file 'f' from fopen is never closed".
static const char *resource_text(Arena *a, const Finding *f, const RuleInfo *rule)
{
    const char *noun = f->resource ? f->resource : rule->noun;
    if (f->variable) noun = arena_printf(a, "%s '%s'", noun, f->variable);
    const char *form =
        f->loss == LOSS_AT_END ? "%s is not %s before main returns" : "%s is never %s";
    if (f->loss == LOSS_HELD) return arena_printf(a, "%s is still held on return", origin(a, f, noun));
    return arena_printf(a, form, origin(a, f, noun), rule->undone);
}

static const char *wrong_release(Arena *a, const Finding *f, const char *what)
{
    if (!f->releaser) return arena_printf(a, "%s is released by the wrong function", what);
    return arena_printf(a, "%s is released with %s%s%s", what, f->releaser, f->partner ? " instead of " : "",
                        f->partner ? f->partner : "");
}

// What is misused: "'p'", "descriptor 'fd'", "memory from f".
static const char *misused(Arena *a, const Finding *f)
{
    if (!f->resource) return holder(a, f);
    return f->variable ? arena_printf(a, "%s '%s'", f->resource, f->variable) : origin(a, f, f->resource);
}

static const char *misuse_text(Arena *a, const Finding *f)
{
    const char *gone = f->resource ? rule_info(RULE_RESOURCE_LEAK)->undone : rule_info(RULE_LEAK)->undone;
    switch (f->rule) {
    case RULE_DOUBLE_FREE:
        return arena_printf(a, "%s is %s twice", misused(a, f), gone);
    case RULE_USE_AFTER_FREE:
        return arena_printf(a, "%s is used after it was %s", misused(a, f), gone);
    case RULE_INVALID_FREE:
        return arena_printf(a,
                            f->cwe == 761 ? "%s is freed but points inside a block"
                                          : "%s is freed but was not allocated",
                            f->variable ? holder(a, f) : "a pointer");
    case RULE_MISMATCHED_FREE:
        // The variable names it better than "memory", which a stream is not.
        if (f->variable) return wrong_release(a, f, origin(a, f, arena_printf(a, "'%s'", f->variable)));
        return wrong_release(a, f, subject(a, f, "memory"));
    default:
        die("misuse_text: no misuse");
    }
}

char *finding_message(Arena *a, const Finding *f)
{
    const RuleInfo *rule = rule_info(f->rule);
    const char *text;
    if (rule->class == RULE_MISUSE)
        text = misuse_text(a, f);
    else if (rule->class == RULE_HELD)
        text = arena_printf(a, "%s is still held when the program ends", subject(a, f, "memory"));
    else
        text = f->rule == RULE_LEAK ? loss_text(a, f) : resource_text(a, f, rule);
    const char *cond = finding_condition(a, f);
    return cond ? arena_printf(a, "%s when %s", text, cond) : arena_strdup(a, text);
}

const char *confirmed_word(Confirmed c)
{
    static const char *const words[CONFIRM_COUNT] = {"not tried", "confirmed", "not confirmed",
                                                     "could not run"};
    return words[c];
}

const char *finding_id(Arena *a, const Finding *f)
{
    return arena_printf(a, "%.*s", SHORT_ID, f->fingerprint);
}

const char *finding_witnessed(Arena *a, const Finding *f)
{
    if (f->replay != REPLAY_WITNESSED) return NULL;
    const char *with = f->replay_text ? f->replay_text : "";
    return arena_printf(a, "confirmed by replay%s%s", *with ? " with " : "", with);
}

char *finding_settle(Arena *a, const Finding *f)
{
    if (f->settle_spec) return arena_strdup(a, f->settle_spec);
    return arena_printf(a, "// stanch: ignore[%s] REASON", rules[f->rule].word);
}

int findings_status(const Findings *fs)
{
    vec_each (i, &fs->all)
        if (finding_shown(fs->all.at[i]) && !rule_is_note(fs->all.at[i]->rule)) return 1;
    const RunFacts *r = &fs->run;
    bool incomplete = r->failed.len || r->given_up.len || r->units_analysed < r->units_total;
    return incomplete ? 3 : 0;
}
