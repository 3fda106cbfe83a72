// The data of the HTML report: the findings and the sources they speak of, as one JSON value
// inside the page. The page's own script (page_*.js) draws everything from it.
//
// Sources are part of the report, once for each file, so that it can be mailed or kept. Whole
// files up to a few MB in all; of files beyond that only the lines around the events, and the
// page says so.
#include "report/html_int.h"

#include <stdlib.h>

enum {
    MAX_RUN = 400, // steps of a witness
    FILE_LIMIT = 2 << 20,  // larger files are cut to windows
    TOTAL_LIMIT = 8 << 20, // all files that come after this much are cut to windows
    WINDOW = 60,           // lines kept on each side of an event
};

typedef struct {
    Out *out;
    const ReportOptions *o;
    Arena *arena;
    VEC(const char *) paths; // absolute, sorted as shown, each once
    uint32_t budget;         // bytes of source left
} Page;

static void string(Page *p, const char *s)
{
    out_json_html(p->out, s, strlen(s));
}

// ,"key":"value"; nothing for a null value.
static void field(Page *p, const char *key, const char *value)
{
    if (!value) return;
    out_printf(p->out, ",\"%s\":", key);
    string(p, value);
}

static void note_path(Page *p, Pos pos)
{
    if (pos_known(pos)) vec_push(&p->paths, pos.path);
}

static int compare_paths(const void *a, const void *b, void *page)
{
    const Page *p = page;
    const char *left = *(const char *const *)a, *right = *(const char *const *)b;
    int order = strcmp(report_path(p->o, left), report_path(p->o, right));
    return order ? order : strcmp(left, right);
}

static void collect_paths(Page *p, const Findings *fs)
{
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (!finding_shown(f)) continue;
        note_path(p, f->alloc);
        note_path(p, f->lost);
        note_path(p, f->freed);
        vec_each (j, &f->events) note_path(p, f->events.at[j].pos);
    }
    vec_each (i, &fs->run.given_up) note_path(p, fs->run.given_up.at[i].pos);
    if (!p->paths.len) return;
    qsort_r(p->paths.at, p->paths.len, sizeof *p->paths.at, compare_paths, p);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < p->paths.len; i++)
        if (strcmp(p->paths.at[i], p->paths.at[kept - 1]) != 0)
            p->paths.at[kept++] = p->paths.at[i];
    p->paths.len = kept;
}

static uint32_t file_index(const Page *p, const char *path)
{
    uint32_t low = 0, high = p->paths.len;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        int order = compare_paths(&p->paths.at[mid], &path, (void *)p);
        if (order == 0) return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    die("report_html: no file '%s'", path);
}

// [file, line, column], or null.
static void position(Page *p, const char *key, Pos pos)
{
    if (pos_known(pos))
        out_printf(p->out, ",\"%s\":[%u,%u,%u]", key, file_index(p, pos.path), pos.line, pos.col);
}

static void part(Page *p, const Source *s, uint32_t first, uint32_t last, bool *more)
{
    out_printf(p->out, "%s{\"first\":%u,\"text\":", *more ? "," : "", first);
    *more = true;
    out_json_html(p->out, s->text + s->starts[first - 1], s->starts[last] - s->starts[first - 1]);
    out_char(p->out, '}');
}

static int compare_lines(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// lines: where events are, sorted.
static void file(Page *p, const char *path, const U32s *lines, int64_t compiled_at)
{
    const Source *s = source_of(p->o->sources, path);
    const char *doubt = source_doubt(s, lines->len ? vec_last(lines) : 0, compiled_at);
    bool whole = s->hidden || (s->len <= FILE_LIMIT && s->len <= p->budget), more = false;
    out_text(p->out, "{\"path\":");
    string(p, report_path(p->o, path));
    out_printf(p->out, ",\"lines\":%u,\"parts\":[", s->hidden ? 0 : s->lines);
    if (whole && s->lines && !s->hidden) {
        p->budget -= (uint32_t)s->len;
        part(p, s, 1, s->lines, &more);
    }
    for (uint32_t i = 0; !whole && i < lines->len;) {
        if (lines->at[i] > s->lines) break;
        uint32_t first = lines->at[i] > WINDOW ? lines->at[i] - WINDOW : 1, last = lines->at[i];
        for (; i < lines->len && lines->at[i] <= last + 2 * WINDOW + 1; i++) last = lines->at[i];
        last = last + WINDOW < s->lines ? last + WINDOW : s->lines;
        part(p, s, first, last, &more);
    }
    out_char(p->out, ']');
    if (doubt || !whole) {
        const char *cut =
            whole ? "" : "large file: only the lines around events are in this report";
        field(p, "note",
              arena_printf(p->arena, "%s%s%s", doubt ? doubt : "", doubt && *cut ? "; " : "", cut));
    }
    out_char(p->out, '}');
}

static void note_line(const Page *p, U32s *lines, Pos pos)
{
    if (pos_known(pos)) vec_push(&lines[file_index(p, pos.path)], pos.line);
}

static void files(Page *p, const Findings *fs)
{
    U32s *lines = mem_alloc((p->paths.len + 1) * sizeof *lines);
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (!finding_shown(f)) continue;
        note_line(p, lines, f->alloc);
        note_line(p, lines, f->lost);
        note_line(p, lines, f->freed);
        vec_each (j, &f->events) note_line(p, lines, f->events.at[j].pos);
    }
    out_text(p->out, ",\n\"files\":[");
    vec_each (i, &p->paths) {
        out_text(p->out, i ? ",\n" : "\n");
        if (lines[i].len) qsort(lines[i].at, lines[i].len, sizeof(uint32_t), compare_lines);
        file(p, p->paths.at[i], &lines[i], fs->run.compiled_at);
        vec_free(&lines[i]);
    }
    out_char(p->out, ']');
    mem_free(lines);
}

static void events(Page *p, const Finding *f)
{
    out_text(p->out, ",\"events\":[");
    vec_each (i, &f->events) {
        const Event *e = &f->events.at[i];
        out_printf(p->out, "%s{\"kind\":\"%s\",\"depth\":%u%s", i ? "," : "", event_word(e->kind),
                   e->depth, e->folded ? ",\"folded\":true" : "");
        position(p, "at", e->pos);
        field(p, "text", e->text ? e->text : "");
        out_char(p->out, '}');
    }
    out_char(p->out, ']');
}

static void heap(Page *p, const Finding *f)
{
    static const char *const kinds[HEAP_KIND_COUNT] = {"variable", "object", "null", "unknown"};
    if (!f->nodes.len) return;
    out_text(p->out, ",\"heap\":{\"nodes\":[");
    vec_each (i, &f->nodes) {
        const HeapNode *n = &f->nodes.at[i];
        out_printf(p->out, "%s{\"kind\":\"%s\"", i ? "," : "", kinds[n->kind]);
        field(p, "label", n->label);
        field(p, "detail", finding_node_detail(f->owner->arena, n));
        out_printf(p->out, "%s%s}", n->lost ? ",\"lost\":true" : "",
                   n->freed ? ",\"freed\":true" : "");
    }
    out_text(p->out, "],\"edges\":[");
    vec_each (i, &f->edges) {
        const HeapEdge *e = &f->edges.at[i];
        out_printf(p->out, "%s{\"from\":%u,\"to\":%u", i ? "," : "", e->from, e->to);
        field(p, "label", e->label);
        out_text(p->out, e->cut ? ",\"cut\":true}" : "}");
    }
    out_text(p->out, "]}");
}

static void stages(Page *p, const Finding *f)
{
    static const char *const words[] = {"symbolic evaluation", "value flow", "ownership"};
    const char *comma = "";
    out_text(p->out, ",\"stages\":[");
    for (uint32_t i = 0; i < 3; i++) {
        if (!(f->stages >> i & 1)) continue;
        out_printf(p->out, "%s\"%s\"", comma, words[i]);
        comma = ",";
    }
    out_char(p->out, ']');
}

// The headline without its condition, which the page shows in a place of its own.
static const char *headline(Page *p, const char *message, const char *cond)
{
    if (!cond) return message;
    const char *tail = arena_printf(p->arena, " when %s", cond);
    size_t n = strlen(message), m = strlen(tail);
    if (n <= m || strcmp(message + n - m, tail) != 0) return message;
    return arena_strndup(p->arena, message, n - m);
}

static bool has_path(const Page *p, const char *path)
{
    vec_each (i, &p->paths)
        if (strcmp(p->paths.at[i], path) == 0) return true;
    return false;
}

// What is known when a step of the witness is taken: values of calls, decisions, inputs at the start.
static void witness(Page *p, const Finding *f)
{
    const Witness *w = f->witness;
    if (!w) return;
    out_text(p->out, ",\"inputs\":[");
    bool first = true;
    for (uint32_t i = 0; i < w->arg_count + w->cell_count; i++) {
        const WitnessCell *c = i < w->arg_count ? &w->args[i] : &w->cells[i - w->arg_count];
        if (!c->name) continue;
        out_text(p->out, first ? "" : ",");
        first = false;
        string(p, arena_printf(p->arena, "%s = %s", c->name, witness_word_text(p->arena, w, &c->word)));
    }
    out_text(p->out, "],\"run\":[");
    for (uint32_t i = 0; i < w->step_count && i < MAX_RUN; i++) {
        const WitnessStep *s = &w->steps[i];
        const char *text = s->kind == WITNESS_STEP_BRANCH   ? s->taken ? "true" : "false"
                           : s->kind == WITNESS_STEP_SWITCH ? arena_printf(p->arena, "switch on %s",
                                                                   witness_word_text(p->arena, w, &s->word))
                                                    : witness_call_text(p->arena, w, s);
        out_printf(p->out, "%s{\"depth\":%u", i ? "," : "", s->depth);
        field(p, "text", text);
        // Other files are not drawn in for it.
        if (pos_known(s->pos) && has_path(p, s->pos.path)) position(p, "at", s->pos);
        out_char(p->out, '}');
    }
    out_text(p->out, "],\"left\":[");
    first = true;
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind != MEMORY_HEAP && b->kind != MEMORY_HANDLE) continue;
        const char *state = b->is_lost ? "allocated, and nothing leads to it" : b->is_freed ? "released" : "still reachable";
        out_text(p->out, first ? "" : ",");
        first = false;
        string(p, arena_printf(p->arena, "%s %u from %s(): %s", b->kind == MEMORY_HEAP ? "heap block" : "handle",
                               i + 1, b->name ? b->name : "?", state));
    }
    out_char(p->out, ']');
}

static void finding(Page *p, const Finding *f, uint32_t number)
{
    const char *message = finding_message(p->arena, f), *cond = finding_condition(p->arena, f);
    // Half of the fingerprint is enough to tell the findings of one report apart, and keeps
    // addresses short enough to paste.
    if (f->fingerprint[0])
        out_printf(p->out, "{\"id\":\"%.16s\"", f->fingerprint);
    else
        out_printf(p->out, "{\"id\":\"%u\"", number);
    out_printf(p->out,
               ",\"rule\":\"%s\",\"level\":\"%s\",\"impact\":\"%s\",\"cwe\":%u,\"count\":%u",
               rule_info(f->rule)->word, level_word(finding_level(f)),
               impact_word(finding_impact(f)), f->cwe, f->merged);
    field(p, "trust", report_trust(p->arena, f, p->o));
    field(p, "message", message);
    field(p, "title", headline(p, message, cond));
    field(p, "when", cond ? cond : "");
    field(p, "function", f->function ? f->function : "");
    position(p, "at", report_place(f));
    position(p, "from", f->alloc);
    position(p, "freed", f->freed);
    field(p, "settle", finding_settle(p->arena, f));
    field(p, "short", finding_id(p->arena, f));
    const char *told = finding_witnessed(p->arena, f), *real = report_confirmed(p->arena, f);
    if (told) field(p, "witnessed", told);
    if (real) field(p, "confirmed", real);
    witness(p, f);
    if (f->settle_spec) out_text(p->out, ",\"settleSpec\":true");
    stages(p, f);
    events(p, f);
    heap(p, f);
    out_char(p->out, '}');
}

static void run_facts(Page *p, const Findings *fs)
{
    out_text(p->out, ",\n\"failed\":[");
    vec_each (i, &fs->run.failed) {
        const FailedUnit *u = &fs->run.failed.at[i];
        out_printf(p->out, "%s{\"path\":", i ? "," : "");
        string(p, report_path(p->o, u->path));
        field(p, "reason", u->reason ? u->reason : "");
        out_char(p->out, '}');
    }
    out_text(p->out, "],\n\"givenUp\":[");
    vec_each (i, &fs->run.given_up) {
        const GivenUp *g = &fs->run.given_up.at[i];
        out_printf(p->out, "%s{\"function\":", i ? "," : "");
        string(p, g->function ? g->function : "");
        position(p, "at", g->pos);
        field(p, "reason", g->reason ? g->reason : "");
        out_char(p->out, '}');
    }
    out_text(p->out, "],\n\"overrides\":[");
    Pos pos;
    const char *text;
    for (uint32_t i = 0; (text = report_override(p->arena, fs, p->o, i, &pos)); i++) {
        out_text(p->out, i ? "," : "");
        string(p, text);
    }
    out_text(p->out, "],\n\"fixed\":[");
    vec_each (i, &fs->fixed) {
        const Fixed *x = &fs->fixed.at[i];
        out_printf(p->out, "%s{\"rule\":", i ? "," : "");
        string(p, x->rule);
        field(p, "path", x->path);
        field(p, "message", x->message);
        out_char(p->out, '}');
    }
    out_char(p->out, ']');
}

void report_html(Out *out, const Findings *fs, const ReportOptions *o)
{
    Out *json = out_memory();
    Page p = {.out = json, .o = o, .arena = arena_new("html"), .budget = TOTAL_LIMIT};
    ReportOptions stable = *o;
    stable.seconds = false; // the same bytes for the same findings
    const char *summary = report_summary(p.arena, fs, &stable);
    collect_paths(&p, fs);
    out_text(json, "{\"tool\":\"stanch " STANCH_VERSION "\"");
    field(&p, "summary", summary);
    field(&p, "level", level_word(o->level));
    field(&p, "impact", impact_word(o->impact));
    out_text(json, ",\n\"rules\":{");
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        const RuleInfo *info = rule_info((Rule)r);
        out_printf(json, "%s\"%s\":{\"brief\":", r ? "," : "", info->word);
        string(&p, info->brief);
        field(&p, "help", info->help);
        out_char(json, '}');
    }
    out_char(json, '}');
    files(&p, fs);
    uint32_t shown = 0;
    out_text(json, ",\n\"findings\":[");
    vec_each (i, &fs->all) {
        if (!finding_shown(fs->all.at[i])) continue;
        out_text(json, shown ? ",\n" : "\n");
        finding(&p, fs->all.at[i], ++shown);
    }
    out_char(json, ']');
    run_facts(&p, fs);
    out_text(json, "}\n");
    size_t len;
    const char *data = out_content(json, &len);
    html_page(out, arena_printf(p.arena, "stanch: %u finding%s", shown, shown == 1 ? "" : "s"),
              summary, data, len);
    out_discard(json);
    vec_free(&p.paths);
    arena_free(p.arena);
}
