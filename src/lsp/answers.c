// Findings as diagnostics, hovers and code actions.
#include "lsp/lsp_int.h"

#include "base/file.h"

#include <ctype.h>

json_t *json_text(const char *s)
{
    json_t *v = json_string(s);
    if (v) return v;
    char *plain = mem_strdup(s);
    for (char *p = plain; *p; p++)
        if (*p & 0x80) *p = '?';
    v = json_string(plain);
    mem_free(plain);
    return v ? v : json_null();
}

static json_t *position(uint32_t line, uint32_t chr)
{
    return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)chr);
}

json_t *place_range(LspPlace p)
{
    return json_pack("{s:o, s:o}", "start", position(p.line, p.from), "end",
                     position(p.line, p.to < p.from ? p.from : p.to));
}

const char *uri_of(Arena *a, Documents *docs, const char *path)
{
    const Document *d = document_at(docs, path);
    return d ? d->uri : path_to_uri(a, path);
}

// ---- diagnostics ----

static void add_text(Chars *into, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_text(Chars *into, const char *fmt, ...)
{
    Arena *a = arena_new("text");
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(a, fmt, ap);
    va_end(ap);
    vec_append(into, text, strlen(text));
    arena_free(a);
}

static json_t *take_text(Chars *text)
{
    vec_push(text, 0);
    json_t *v = json_text(text->at);
    vec_free(text);
    return v;
}

static json_t *related_of(const Found *f, Documents *docs)
{
    json_t *list = json_array();
    Arena *a = arena_new("related");
    for (uint32_t i = 0; i < f->step_count; i++) {
        const Step *s = &f->steps[i];
        if (s->folded) continue;
        json_array_append_new(list,
                              json_pack("{s:{s:o, s:o}, s:o}", "location", "uri",
                                        json_text(uri_of(a, docs, s->place.path)), "range",
                                        place_range(s->place), "message", json_text(s->text)));
    }
    arena_free(a);
    return list;
}

json_t *found_diagnostic(const Found *f, Documents *docs, bool related)
{
    Chars message = {0};
    bool sure = strcmp(f->level, "sure") == 0;
    add_text(&message, "%s%s%s%s", f->message, sure ? "" : " (", sure ? "" : f->level,
             sure ? "" : ")");
    for (uint32_t i = 0; i < f->step_count && !related; i++)
        if (!f->steps[i].folded)
            add_text(&message, "\n%s:%u: %s", path_base(f->steps[i].place.path),
                     f->steps[i].place.line + 1, f->steps[i].text);
    json_t *d = json_pack("{s:o, s:i, s:o, s:s, s:o}", "range", place_range(f->place), "severity",
                          found_severity(f), "code", json_text(f->rule), "source", "stanch",
                          "message", take_text(&message));
    if (f->cwe) {
        char *href = mem_printf("https://cwe.mitre.org/data/definitions/%u.html", f->cwe);
        json_object_set_new(d, "codeDescription", json_pack("{s:s}", "href", href));
        mem_free(href);
    }
    if (f->fingerprint)
        json_object_set_new(d, "data", json_pack("{s:s}", "fingerprint", f->fingerprint));
    if (related) json_object_set_new(d, "relatedInformation", related_of(f, docs));
    return d;
}

json_t *note_diagnostic(const Broken *b)
{
    Chars message = {0};
    add_text(&message, "not analysed: %s; what is shown here is from the last time it was",
             b->reason);
    LspPlace p = {.line = b->line};
    return json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", place_range(p), "severity", 3, "code",
                     "not-analysed", "source", "stanch", "message", take_text(&message));
}

// ---- hover ----

static void add_place(Chars *into, LspPlace p, Documents *docs, const char *what)
{
    if (!p.path) return;
    Arena *a = arena_new("place");
    add_text(into, "- [%s:%u](%s#L%u) %s\n", path_base(p.path), p.line + 1, uri_of(a, docs, p.path),
             p.line + 1, what);
    arena_free(a);
}

void found_hover(Chars *into, const Found *f, Documents *docs)
{
    add_text(into, "%s**%s** (%s) %s\n\n", into->len ? "\n---\n\n" : "", f->rule, f->level,
             f->message);
    for (uint32_t i = 0; i < f->step_count; i++)
        if (!f->steps[i].folded) add_place(into, f->steps[i].place, docs, f->steps[i].text);
    if (f->settle) add_text(into, "\nIf this is wrong: `%s`\n", f->settle);
}

// ---- code actions ----

// An edit of one place in one document.
static json_t *one_edit(const Document *d, uint32_t line, const char *text)
{
    LspPlace at = {.line = line};
    json_t *edit = json_pack("{s:o, s:o}", "range", place_range(at), "newText", json_text(text));
    json_t *changes = json_object();
    json_object_set_new(changes, d->uri, json_pack("[o]", edit));
    return json_pack("{s:o}", "changes", changes);
}

static void add_action(json_t *into, const char *title, json_t *edit, const json_t *diagnostic)
{
    json_t *action = json_pack("{s:s, s:s, s:o}", "title", title, "kind", "quickfix", "edit", edit);
    if (diagnostic)
        json_object_set_new(action, "diagnostics", json_pack("[O]", (json_t *)diagnostic));
    if (action) json_array_append_new(into, action);
}

// A comment on a line of its own above the place, indented like it. Not inside a macro, where it
// would swallow the continuation.
static void suppress(json_t *into, const Found *f, const Document *d, uint32_t line,
                     const json_t *diagnostic)
{
    const char *text = d->text.at;
    size_t n = d->text.len, at = text_line(text, n, line), indent = 0;
    if (at >= n) return;
    size_t before = at;
    while (before && (text[before - 1] == '\n' || text[before - 1] == '\r')) before--;
    if (before < at && before && text[before - 1] == '\\') return;
    size_t len = text_line_length(text, n, at);
    while (indent < len && isblank((unsigned char)text[at + indent])) indent++;
    bool crlf = at + len + 1 < n && text[at + len] == '\r' && text[at + len + 1] == '\n';
    char *comment = mem_printf("%.*s// stanch: ignore[%s] REASON%s\n", (int)indent, text + at,
                               f->rule, crlf ? "\r" : "");
    char *title = mem_printf("stanch: ignore this %s with a comment", f->rule);
    add_action(into, title, one_edit(d, line, comment), diagnostic);
    mem_free(title);
    mem_free(comment);
}

// Each entry offers what it can, or nothing.
static void (*const offers[])(json_t *, const Found *, const Document *, uint32_t,
                              const json_t *) = {suppress};

void found_actions(json_t *into, const Found *f, const Document *d, uint32_t line,
                   const json_t *diagnostic)
{
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++)
        offers[i](into, f, d, line, diagnostic);
}
