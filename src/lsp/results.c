// The report of an analysis (doc/json.md), with positions as the client counts them.
#include "lsp/lsp_int.h"

#include "base/file.h"
#include "base/name.h"

#include <ctype.h>
#include <stdlib.h>

// ---- sources, for the columns ----

typedef struct {
    const char *path; // resolved
    char *text;       // null: cannot be read
    size_t len;
    U32s starts; // of its lines
} SourceText;

typedef struct {
    RunResults *r;
    const char *root;
    Units units;
    Names *names;
    VEC(SourceText) sources; // by Name
} ResultReader;

static SourceText load(ResultReader *rd, const char *file)
{
    SourceText s = {.path = path_real(rd->r->arena, path_join(rd->r->arena, rd->root, file))};
    s.text = file_read(s.path, MAX_SOURCE, &s.len);
    for (size_t at = 0; s.text;) {
        vec_push(&s.starts, (uint32_t)at);
        at += text_line_length(s.text, s.len, at);
        if (at >= s.len) break;
        at += 1u + (s.text[at] == '\r' && at + 1 < s.len && s.text[at + 1] == '\n');
    }
    return s;
}

static const SourceText *source(ResultReader *rd, const char *file)
{
    Name n = name_of(rd->names, file);
    if (n.id >= rd->sources.len) vec_extend(&rd->sources, n.id + 1 - rd->sources.len);
    if (!rd->sources.at[n.id].path) rd->sources.at[n.id] = load(rd, file);
    return &rd->sources.at[n.id];
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

// The word that begins at the column, or one character; without a column the whole line.
static void set_columns(LspPlace *p, const SourceText *s, uint32_t col, Units units)
{
    if (!s->text || p->line >= s->starts.len) return;
    const char *line = s->text + s->starts.at[p->line];
    size_t n = text_line_length(s->text, s->len, s->starts.at[p->line]), from = 0, to = n;
    if (col) {
        from = col - 1 < n ? col - 1 : n;
        for (to = from; to < n && in_word(line[to]);) to++;
        if (to == from && to < n) to++;
    } else {
        while (from < n && isblank((unsigned char)line[from])) from++;
    }
    p->from = text_units(line, from, units);
    p->to = text_units(line, to, units);
}

// ---- members ----

static const char *text_of(ResultReader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_string(v) ? arena_strdup(rd->r->arena, json_string_value(v)) : NULL;
}

static uint32_t number_of(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    json_int_t n = json_integer_value(v);
    return json_is_integer(v) && n > 0 && n < INT32_MAX ? (uint32_t)n : 0;
}

static LspPlace place_of(ResultReader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    const char *file = json_string_value(json_object_get(v, "file"));
    uint32_t line = number_of(v, "line");
    if (!file || !*file || !line) return (LspPlace){0};
    const SourceText *s = source(rd, file);
    LspPlace p = {.path = s->path, .line = line - 1};
    set_columns(&p, s, number_of(v, "column"), rd->units);
    return p;
}

static void read_steps(ResultReader *rd, Found *f, const json_t *path)
{
    size_t i, n = json_array_size(path);
    f->steps = arena_array_of(rd->r->arena, Step, n);
    json_t *event;
    json_array_foreach(path, i, event)
    {
        Step s = {.text = text_of(rd, event, "text"),
                  .place = place_of(rd, event, "place"),
                  .folded = json_is_true(json_object_get(event, "folded"))};
        if (s.text && s.place.path) f->steps[f->step_count++] = s;
    }
}

static void read_finding(ResultReader *rd, const json_t *o)
{
    Found f = {.rule = text_of(rd, o, "rule"),
               .level = text_of(rd, o, "level"),
               .message = text_of(rd, o, "message"),
               .fingerprint = text_of(rd, o, "fingerprint"),
               .function = text_of(rd, o, "function"),
               .allocator = text_of(rd, o, "allocator"),
               .variable = text_of(rd, o, "variable"),
               .settle = text_of(rd, o, "settle"),
               .cwe = number_of(o, "cwe"),
               .place = place_of(rd, o, "place"),
               .allocation = place_of(rd, o, "allocation"),
               .freed = place_of(rd, o, "freed")};
    if (!f.rule || !f.level || !f.message || !f.place.path) return;
    f.lost = strstr(f.rule, "leak") != NULL;
    read_steps(rd, &f, json_object_get(o, "path"));
    vec_push(&rd->r->found, f);
}

// ---- the report ----

RunResults *results_new(void)
{
    RunResults *r = mem_alloc(sizeof *r);
    r->arena = arena_new("results");
    return r;
}

void results_free(RunResults *r)
{
    if (!r) return;
    arena_free(r->arena);
    vec_free(&r->found);
    vec_free(&r->broken);
    mem_free(r);
}

void results_add_broken(RunResults *r, const char *path, const char *reason)
{
    Broken b = {arena_strdup(r->arena, path), arena_strdup(r->arena, reason), 0};
    vec_push(&r->broken, b);
}

RunResults *results_read(const char *json, size_t n, const char *root, Units units)
{
    json_error_t error;
    json_t *top = json_loadb(json, n, 0, &error), *findings = json_object_get(top, "findings");
    if (!json_is_array(findings)) {
        json_decref(top);
        return NULL;
    }
    ResultReader rd = {.r = results_new(), .root = root, .units = units, .names = names_new()};
    size_t i;
    json_t *one;
    json_array_foreach(findings, i, one) if (rd.r->found.len < MAX_FINDINGS) read_finding(&rd, one);
    json_array_foreach(json_object_get(json_object_get(top, "run"), "failed"), i, one)
    {
        const char *file = json_string_value(json_object_get(one, "file"));
        const char *reason = json_string_value(json_object_get(one, "reason"));
        if (file && reason) results_add_broken(rd.r, source(&rd, file)->path, reason);
    }
    vec_each (k, &rd.sources) {
        mem_free(rd.sources.at[k].text);
        vec_free(&rd.sources.at[k].starts);
    }
    vec_free(&rd.sources);
    names_free(rd.names);
    json_decref(top);
    return rd.r;
}

// "PATH:12:3: error: TEXT", the first for the path.
static bool compiler_said(Broken *b, Arena *a, const char *errors, size_t n)
{
    size_t len = strlen(b->path);
    for (const char *p = errors, *end = errors + n; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop) stop = end;
        if ((size_t)(stop - p) > len && memcmp(p, b->path, len) == 0 && p[len] == ':') {
            char *line = arena_strndup(a, p + len + 1, (size_t)(stop - p) - len - 1), *at;
            unsigned long number = strtoul(line, &at, 10);
            char *text = strstr(at, "error: ");
            if (at != line && text && number && number < INT32_MAX) {
                b->line = (uint32_t)number - 1;
                b->reason = text + 7;
                return true;
            }
        }
        p = stop + 1;
    }
    return false;
}

void results_explain(RunResults *r, const char *errors, size_t n)
{
    vec_each (i, &r->broken) compiler_said(&r->broken.at[i], r->arena, errors, n);
}

// ---- over time ----

static bool same_path(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static bool touches(const Found *f, const char *path)
{
    if (same_path(f->place.path, path) || same_path(f->allocation.path, path)) return true;
    for (uint32_t i = 0; i < f->step_count; i++)
        if (same_path(f->steps[i].place.path, path)) return true;
    return false;
}

static bool is_there(const RunResults *r, const Found *f)
{
    vec_each (i, &r->found)
        if (same_path(r->found.at[i].fingerprint, f->fingerprint ? f->fingerprint : ""))
            return true;
    return false;
}

static const char *copy_text(Arena *a, const char *s)
{
    return s ? arena_strdup(a, s) : NULL;
}

static LspPlace copy_place(Arena *a, LspPlace p)
{
    p.path = copy_text(a, p.path);
    return p;
}

static Found copy_found(Arena *a, const Found *f)
{
    Found c = *f;
    c.rule = copy_text(a, f->rule);
    c.level = copy_text(a, f->level);
    c.message = copy_text(a, f->message);
    c.fingerprint = copy_text(a, f->fingerprint);
    c.function = copy_text(a, f->function);
    c.allocator = copy_text(a, f->allocator);
    c.variable = copy_text(a, f->variable);
    c.settle = copy_text(a, f->settle);
    c.place = copy_place(a, f->place);
    c.allocation = copy_place(a, f->allocation);
    c.freed = copy_place(a, f->freed);
    c.steps = arena_array_of(a, Step, f->step_count);
    for (uint32_t i = 0; i < f->step_count; i++)
        c.steps[i] = (Step){copy_text(a, f->steps[i].text), copy_place(a, f->steps[i].place),
                            f->steps[i].folded};
    c.stale = true;
    return c;
}

void results_take_over(RunResults *r, const RunResults *old)
{
    if (!old) return;
    vec_each (i, &old->found) {
        const Found *f = &old->found.at[i];
        bool hidden = false;
        vec_each (k, &r->broken) hidden = hidden || touches(f, r->broken.at[k].path);
        if (hidden && !is_there(r, f)) vec_push(&r->found, copy_found(r->arena, f));
    }
}

static void move(LspPlace *p, const char *path, LineEdit e)
{
    if (same_path(p->path, path)) p->line = line_moved(p->line, e);
}

void results_move(RunResults *r, const char *path, LineEdit e)
{
    if (!r) return;
    vec_each (i, &r->found) {
        Found *f = &r->found.at[i];
        move(&f->place, path, e);
        move(&f->allocation, path, e);
        move(&f->freed, path, e);
        for (uint32_t k = 0; k < f->step_count; k++) move(&f->steps[k].place, path, e);
    }
    vec_each (i, &r->broken)
        if (same_path(r->broken.at[i].path, path))
            r->broken.at[i].line = line_moved(r->broken.at[i].line, e);
}

int found_severity(const Found *f)
{
    bool sure = strcmp(f->level, "sure") == 0, audit = strcmp(f->level, "audit") == 0;
    if (strcmp(f->rule, "leak-at-exit") == 0) return 4;
    return (f->lost ? 2 : 1) + (sure ? 0 : audit ? 2 : 1);
}
