// SARIF 2.1.0 (OASIS standard), as GitHub code scanning and other viewers read it.
//
// Files below the root are relative to %SRCROOT%, which is left without a value: whoever reads
// the log knows where the sources are, and the bytes do not depend on the machine.
#include "report/emit.h"
#include "report/report.h"
#include "report/witness.h"

// doc/rules.md: the section of a rule is its help.
static const char rules_page[] =
#include "rules.md.inc"
    ;

// Lines before and after the place of a finding that go with it.
enum { CONTEXT_LINES = 2 };

typedef struct {
    Emit e;
    const Findings *fs;
    const ReportOptions *o;
    Arena *arena;
} Sarif;

static const char *level_of(Rule rule, Level level)
{
    if (rule_is_note(rule) || level == LEVEL_AUDIT) return "note";
    return level == LEVEL_SURE ? "error" : "warning";
}

static void message(Emit *e, const char *key, const char *text)
{
    emit_open(e, key, '{');
    emit_text(e, "text", text);
    emit_close(e, '}');
}

// GitHub sorts and filters alerts by this.
static const char *precision_of(Level level)
{
    return level == LEVEL_SURE ? "high" : level == LEVEL_LIKELY ? "medium" : "low";
}

// Of a rule: that of its least certain result.
static Level worst_level(const Findings *fs, Rule r)
{
    Level worst = LEVEL_SURE;
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (f->rule == r && finding_shown(f) && finding_level(f) > worst) worst = finding_level(f);
    }
    return worst;
}

// The rule's section of rules.md, without its heading.
static const char *rule_page(Arena *a, const RuleInfo *info)
{
    const char *head = arena_printf(a, "\n## %s\n\n", info->word), *at = strstr(rules_page, head);
    if (!at) die("rule_page: doc/rules.md has no section '%s'", info->word);
    at += strlen(head);
    const char *end = strstr(at, "\n## ");
    return arena_strndup(a, at, end ? (size_t)(end - at) : strlen(at));
}

static void rule(Sarif *s, Rule r)
{
    const RuleInfo *info = rule_info(r);
    Emit *e = &s->e;
    Arena *a = s->arena;
    emit_open(e, NULL, '{');
    emit_text(e, "id", info->word);
    emit_text(e, "name", info->title);
    message(e, "shortDescription", info->brief);
    message(e, "fullDescription", info->help);
    emit_text(e, "helpUri",
              *STANCH_HOME ? arena_printf(a, "%s/doc/rules.md#%s", STANCH_HOME, info->word)
                           : arena_printf(a, "https://cwe.mitre.org/data/definitions/%u.html", info->cwe));
    emit_open(e, "defaultConfiguration", '{');
    emit_text(e, "level", level_of(r, LEVEL_SURE));
    emit_close(e, '}');
    emit_open(e, "help", '{');
    emit_text(e, "text",
              arena_printf(a,
                           "%s\n\nIf a finding is a false positive, write "
                           "'// stanch: ignore[%s] REASON' on or above the line.",
                           info->help, info->word));
    emit_text(e, "markdown", rule_page(a, info));
    emit_close(e, '}');
    emit_open(e, "properties", '{');
    emit_open(e, "tags", '[');
    if (info->severity) emit_text(e, NULL, "security");
    emit_text(e, NULL, "memory");
    emit_text(e, NULL, arena_printf(a, "external/cwe/cwe-%u", info->cwe));
    emit_close(e, ']');
    emit_text(e, "precision", precision_of(worst_level(s->fs, r)));
    if (info->severity) emit_text(e, "security-severity", info->severity);
    emit_close(e, '}');
    emit_close(e, '}');
}

// RFC 3986: everything but unreserved characters and the slash is percent-encoded.
static char *uri_of(Arena *a, const char *path)
{
    Chars text = {0};
    for (const char *p = path; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            strchr("-._~/+", c)) {
            vec_push(&text, *p);
        } else {
            static const char hex[] = "0123456789ABCDEF";
            vec_push(&text, '%');
            vec_push(&text, hex[c >> 4]);
            vec_push(&text, hex[c & 15]);
        }
    }
    char *uri = arena_strndup(a, text.at ? text.at : "", text.len);
    vec_free(&text);
    return uri;
}

static void artifact(Sarif *s, const char *path)
{
    const char *shown = report_path(s->o, path);
    emit_open(&s->e, "artifactLocation", '{');
    if (*shown == '/') {
        emit_text(&s->e, "uri", arena_printf(s->arena, "file://%s", uri_of(s->arena, shown)));
    } else {
        emit_text(&s->e, "uri", uri_of(s->arena, shown));
        emit_text(&s->e, "uriBaseId", "%SRCROOT%");
    }
    emit_close(&s->e, '}');
}

// What the region covers: up to its end, or to the end of the line.
static void snippet(Sarif *s, Pos p, uint32_t width)
{
    const Source *src = source_of(s->o->sources, p.path);
    size_t n, from = p.col ? p.col - 1 : 0;
    const char *line = src->hidden ? NULL : source_line(src, p.line, &n);
    if (!line || from >= n) return;
    size_t len = width && from + width < n ? width : n - from;
    message(&s->e, "snippet", arena_strndup(s->arena, line + from, len));
}

// The lines around it.
static void context_region(Sarif *s, Pos p)
{
    const Source *src = source_of(s->o->sources, p.path);
    if (src->hidden || !p.line || p.line > src->lines) return;
    uint32_t first = p.line > CONTEXT_LINES ? p.line - CONTEXT_LINES : 1;
    uint32_t last = p.line + CONTEXT_LINES < src->lines ? p.line + CONTEXT_LINES : src->lines;
    uint32_t from = src->starts[first - 1];
    emit_open(&s->e, "contextRegion", '{');
    emit_number(&s->e, "startLine", first);
    emit_number(&s->e, "endLine", last);
    message(&s->e, "snippet", arena_strndup(s->arena, src->text + from, src->starts[last] - from));
    emit_close(&s->e, '}');
}

static void physical(Sarif *s, Pos p, uint32_t width, bool context)
{
    emit_open(&s->e, "physicalLocation", '{');
    artifact(s, p.path);
    emit_open(&s->e, "region", '{');
    emit_number(&s->e, "startLine", p.line);
    if (p.col) emit_number(&s->e, "startColumn", report_column(s->o, p));
    if (p.col && width)
        emit_number(&s->e, "endColumn", report_column(s->o, (Pos){p.path, p.line, p.col + width}));
    snippet(s, p, p.col ? width : 0);
    emit_close(&s->e, '}');
    if (context) context_region(s, p);
    emit_close(&s->e, '}');
}

// The members of a location object.
static void location(Sarif *s, Pos p, uint32_t width, const char *text)
{
    physical(s, p, width, false);
    if (text) message(&s->e, "message", text);
}

static void related(Sarif *s, uint32_t *id, Pos p, const char *text)
{
    if (!pos_known(p)) return;
    emit_open(&s->e, NULL, '{');
    emit_number(&s->e, "id", ++*id);
    location(s, p, 0, text);
    emit_close(&s->e, '}');
}

static void logical(Sarif *s, const char *function)
{
    if (!*function) return;
    emit_open(&s->e, "logicalLocations", '[');
    emit_open(&s->e, NULL, '{');
    emit_text(&s->e, "fullyQualifiedName", function);
    emit_text(&s->e, "kind", "function");
    emit_close(&s->e, '}');
    emit_close(&s->e, ']');
}

static bool on_path(const Event *e)
{
    return pos_known(e->pos) && e->kind != EVENT_ALSO && e->kind != EVENT_PART;
}

static void code_flow(Sarif *s, const Finding *f)
{
    uint32_t known = 0;
    vec_each (i, &f->events) known += on_path(&f->events.at[i]);
    if (!known) return;
    Emit *e = &s->e;
    emit_open(e, "codeFlows", '[');
    emit_open(e, NULL, '{');
    emit_open(e, "threadFlows", '[');
    emit_open(e, NULL, '{');
    emit_open(e, "locations", '[');
    vec_each (i, &f->events) {
        const Event *v = &f->events.at[i];
        if (!on_path(v)) continue;
        bool essential = v->kind == EVENT_ALLOC || v->kind == EVENT_LOST || v->kind == EVENT_USE;
        emit_open(e, NULL, '{');
        emit_open(e, "location", '{');
        location(s, v->pos, v->width, v->text);
        emit_close(e, '}');
        emit_number(e, "nestingLevel", v->depth);
        emit_text(e, "importance",
                  v->folded   ? "unimportant"
                  : essential ? "essential"
                              : "important");
        emit_close(e, '}');
    }
    emit_close(e, ']');
    emit_close(e, '}');
    emit_close(e, ']');
    emit_close(e, '}');
    emit_close(e, ']');
}

static void doubt(void *context, const DoubtNote *n)
{
    Sarif *s = context;
    const DoubtInfo *info = doubt_info(n->id);
    emit_open(&s->e, NULL, '{');
    emit_text(&s->e, "id", info->word);
    emit_text(&s->e, "axis", info->axis == AXIS_TRUTH ? "truth" : "impact");
    emit_text(&s->e, "text", doubt_text(s->arena, n));
    if (pos_known(n->place)) location(s, n->place, 0, NULL);
    emit_close(&s->e, '}');
}

static void properties(Sarif *s, const Finding *f)
{
    static const char *const stage_names[] = {"eval", "flow", "own"};
    Emit *e = &s->e;
    emit_open(e, "properties", '{');
    const char *condition = finding_condition(s->arena, f);
    emit_text(e, "condition", condition ? condition : "always");
    emit_text(e, "level", level_word(finding_level(f)));
    emit_text(e, "precision", precision_of(finding_level(f)));
    emit_text(e, "impact", impact_word(finding_impact(f)));
    emit_open(e, "doubts", '[');
    doubt_each(&f->doubts, doubt, s);
    emit_close(e, ']');
    emit_text(e, "cwe", arena_printf(s->arena, "CWE-%u", f->cwe));
    emit_number(e, "merged", f->merged);
    emit_open(e, "stages", '[');
    for (uint32_t i = 0; i < 3; i++)
        if (f->stages >> i & 1) emit_text(e, NULL, stage_names[i]);
    emit_close(e, ']');
    emit_text(e, "settle", finding_settle(s->arena, f));
    emit_text(e, "id", finding_id(s->arena, f));
    if (f->speaker) emit_text(e, "cause", finding_id(s->arena, f->speaker));
    emit_witness(e, f, s->o, s->arena);
    emit_close(e, '}');
}

static void result(Sarif *s, const Finding *f)
{
    Emit *e = &s->e;
    Pos place = report_place(f);
    emit_open(e, NULL, '{');
    emit_text(e, "ruleId", rule_info(f->rule)->word);
    emit_number(e, "ruleIndex", f->rule);
    emit_text(e, "level", level_of(f->rule, finding_level(f)));
    // What the baseline has is not shown, so that all that is shown is new.
    if (s->fs->has_baseline) emit_text(e, "baselineState", "new");
    message(e, "message", finding_message(s->arena, f));
    emit_open(e, "locations", '[');
    if (pos_known(place)) {
        emit_open(e, NULL, '{');
        physical(s, place, report_width(f), true);
        logical(s, f->function);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    if (pos_known(f->alloc) || pos_known(f->freed)) {
        uint32_t id = 0;
        emit_open(e, "relatedLocations", '[');
        related(s, &id, f->alloc, "allocated here");
        related(s, &id, f->freed, "first freed here");
        vec_each (i, &f->events) {
            const Event *also = &f->events.at[i];
            if (pos_known(also->pos) && !on_path(also))
                related(s, &id, also->pos, also->text);
        }
        emit_close(e, ']');
    }
    code_flow(s, f);
    // The second is the key by which GitHub follows an alert from commit to commit.
    emit_open(e, "partialFingerprints", '{');
    emit_text(e, "stanch/v1", f->fingerprint);
    emit_text(e, "primaryLocationLineHash", arena_printf(s->arena, "%s:1", f->fingerprint));
    emit_close(e, '}');
    properties(s, f);
    emit_close(e, '}');
}

static void notification(Sarif *s, const char *level, const char *text, const char *path, Pos p)
{
    emit_open(&s->e, NULL, '{');
    emit_text(&s->e, "level", level);
    message(&s->e, "message", text);
    if (path || pos_known(p)) {
        emit_open(&s->e, "locations", '[');
        emit_open(&s->e, NULL, '{');
        if (pos_known(p)) {
            location(s, p, 0, NULL);
        } else {
            emit_open(&s->e, "physicalLocation", '{');
            artifact(s, path);
            emit_close(&s->e, '}');
        }
        emit_close(&s->e, '}');
        emit_close(&s->e, ']');
    }
    emit_close(&s->e, '}');
}

static void invocation(Sarif *s)
{
    const RunFacts *r = &s->fs->run;
    Emit *e = &s->e;
    emit_open(e, "invocations", '[');
    emit_open(e, NULL, '{');
    // Success means: there is something to read. What was left out is in the notifications.
    emit_bool(e, "executionSuccessful", r->units_analysed > 0 || r->units_total == 0);
    emit_open(e, "toolExecutionNotifications", '[');
    vec_each (i, &r->failed) {
        const FailedUnit *u = &r->failed.at[i];
        notification(s, "error", arena_printf(s->arena, "not analysed: %s", u->reason), u->path,
                     (Pos){0});
    }
    vec_each (i, &r->given_up) {
        const GivenUp *g = &r->given_up.at[i];
        notification(s, "warning",
                     arena_printf(s->arena, "'%s' was given up: %s", g->function, g->reason), NULL,
                     g->pos);
    }
    Pos pos;
    const char *text;
    for (uint32_t i = 0; (text = report_override(s->arena, s->fs, s->o, i, &pos)); i++)
        notification(s, "warning", text, NULL, pos);
    emit_close(e, ']');
    emit_close(e, '}');
    emit_close(e, ']');
}

void report_sarif(Out *out, const Findings *fs, const ReportOptions *o)
{
    Sarif s = {{.out = out}, fs, o, arena_new("sarif")};
    Emit *e = &s.e;
    emit_open(e, NULL, '{');
    emit_text(e, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    emit_text(e, "version", "2.1.0");
    emit_open(e, "runs", '[');
    emit_open(e, NULL, '{');
    emit_open(e, "tool", '{');
    emit_open(e, "driver", '{');
    emit_text(e, "name", "stanch");
    emit_text(e, "version", STANCH_VERSION);
    emit_text(e, "semanticVersion", STANCH_VERSION);
    if (*STANCH_HOME) emit_text(e, "informationUri", STANCH_HOME);
    emit_open(e, "rules", '[');
    for (uint32_t r = 0; r < RULE_COUNT; r++) rule(&s, r);
    emit_close(e, ']');
    emit_close(e, '}');
    emit_close(e, '}');
    // GitHub keeps the runs of different categories apart; the last part, a run's own id, is left empty.
    emit_open(e, "automationDetails", '{');
    emit_text(e, "id", o->category ? arena_printf(s.arena, "stanch/%s/", o->category) : "stanch/");
    emit_close(e, '}');
    emit_text(e, "columnKind", "unicodeCodePoints");
    emit_open(e, "originalUriBaseIds", '{');
    emit_open(e, "%SRCROOT%", '{');
    message(e, "description", "The directory in which stanch was run.");
    emit_close(e, '}');
    emit_close(e, '}');
    invocation(&s);
    emit_open(e, "results", '[');
    vec_each (i, &fs->all) {
        if (finding_shown(fs->all.at[i])) result(&s, fs->all.at[i]);
        arena_reset(s.arena);
    }
    emit_close(e, ']');
    emit_close(e, '}');
    emit_close(e, ']');
    emit_close(e, '}');
    arena_free(s.arena);
}
