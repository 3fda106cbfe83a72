// The texts that are open in the editor, kept up with its edits.
//
// They are needed for code actions, which have to fit the text as it is there, and to move
// findings along with the lines while nothing has been saved.
#include "lsp/lsp_int.h"

Document *document_find(Documents *d, const char *uri)
{
    vec_each (i, d)
        if (strcmp(d->at[i].uri, uri) == 0) return &d->at[i];
    return NULL;
}

Document *document_at(Documents *d, const char *path)
{
    vec_each (i, d)
        if (strcmp(d->at[i].path, path) == 0) return &d->at[i];
    return NULL;
}

static void drop(Document *d)
{
    mem_free(d->uri);
    mem_free(d->path);
    vec_free(&d->text);
    vec_free(&d->edits);
}

static void set_text(Document *d, const char *text, size_t len)
{
    vec_clear(&d->text);
    vec_reserve(&d->text, (uint64_t)len + 1); // never null
    vec_append(&d->text, text, len);
}

void document_open(Documents *docs, const char *uri, const char *path, const char *text, size_t len)
{
    document_close(docs, uri);
    if (docs->len >= MAX_DOCUMENTS) return;
    Document d = {.uri = mem_strdup(uri), .path = mem_strdup(path)};
    set_text(&d, text, len);
    vec_push(docs, d);
}

void document_close(Documents *docs, const char *uri)
{
    vec_each (i, docs) {
        if (strcmp(docs->at[i].uri, uri) != 0) continue;
        drop(&docs->at[i]);
        docs->at[i] = vec_last(docs);
        docs->len--;
        return;
    }
}

void documents_free(Documents *docs)
{
    vec_each (i, docs) drop(&docs->at[i]);
    vec_free(docs);
}

void document_saved(Document *d)
{
    vec_clear(&d->edits);
    d->lost_edits = false;
}

// ---- edits ----

uint32_t line_moved(uint32_t line, LineEdit e)
{
    if (line < e.from) return line;
    if (line >= e.to) return line - (e.to - e.from) + e.count;
    return e.from;
}

static bool position(const json_t *p, uint32_t *line, uint32_t *chr)
{
    const json_t *l = json_object_get(p, "line"), *c = json_object_get(p, "character");
    if (!json_is_integer(l) || !json_is_integer(c)) return false;
    json_int_t a = json_integer_value(l), b = json_integer_value(c);
    if (a < 0 || b < 0) return false;
    *line = a > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)a;
    *chr = b > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)b;
    return true;
}

static uint32_t count_lines(const char *s, size_t n)
{
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += s[i] == '\n' || (s[i] == '\r' && (i + 1 == n || s[i + 1] != '\n'));
    return count;
}

// Lines are moved as whole ones: a line whose beginning is left alone stays where it is.
static LineEdit edit_of(const Document *d, size_t from, size_t to, uint32_t line, const char *text,
                        size_t len)
{
    uint32_t removed = count_lines(d->text.at + from, to - from), added = count_lines(text, len);
    bool whole = from == text_line(d->text.at, d->text.len, line);
    uint32_t first = whole ? line : line + 1;
    return (LineEdit){first, first + removed, added};
}

// Bytes [from, to) become `text`.
static LineEdit replace(Document *d, size_t from, size_t to, uint32_t line, const char *text,
                        size_t len)
{
    LineEdit e = edit_of(d, from, to, line, text, len);
    Chars joined = {0};
    vec_reserve(&joined, d->text.len - (to - from) + len + 1);
    vec_append(&joined, d->text.at, from);
    vec_append(&joined, text, len);
    vec_append(&joined, d->text.at + to, d->text.len - to);
    vec_free(&d->text);
    d->text = joined;
    return e;
}

// The whole text anew: what differs is the edit.
static LineEdit replace_all(Document *d, const char *text, size_t len)
{
    const char *old = d->text.at;
    size_t n = d->text.len, least = n < len ? n : len, front = 0, back = 0;
    while (front < least && old[front] == text[front]) front++;
    while (front && old[front - 1] != '\n') front--; // whole lines
    while (back < least - front && old[n - 1 - back] == text[len - 1 - back]) back++;
    return replace(d, front, n - back, count_lines(old, front), text + front, len - front - back);
}

static bool change(Document *d, const json_t *c, Units units, LineEdit *edit)
{
    const json_t *text = json_object_get(c, "text"), *range = json_object_get(c, "range");
    if (!json_is_string(text)) return false;
    const char *with = json_string_value(text);
    size_t len = json_string_length(text), n = d->text.len;
    if (!range) {
        *edit = replace_all(d, with, len);
        return true;
    }
    uint32_t line[2], chr[2];
    if (!position(json_object_get(range, "start"), &line[0], &chr[0]) ||
        !position(json_object_get(range, "end"), &line[1], &chr[1]))
        return false;
    size_t from = text_offset(d->text.at, n, line[0], chr[0], units);
    size_t to = text_offset(d->text.at, n, line[1], chr[1], units);
    if (to < from || n - (to - from) + len > MAX_BODY) return false;
    *edit = replace(d, from, to, line[0], with, len);
    return true;
}

bool document_change(Document *d, const json_t *changes, Units units, void *context,
                     void (*moved)(void *context, const char *path, LineEdit e))
{
    if (!json_is_array(changes)) return false;
    size_t i;
    json_t *c;
    json_array_foreach(changes, i, c)
    {
        LineEdit e;
        if (!change(d, c, units, &e)) return false;
        if (d->edits.len >= MAX_EDITS) d->lost_edits = true;
        if (e.to - e.from == e.count && !d->edits.len) {
            // Lines stay where they are; but there is an edit, which `edits` being empty denies.
            vec_push(&d->edits, ((LineEdit){0}));
        } else if (!d->lost_edits && e.to - e.from != e.count) {
            vec_push(&d->edits, e);
        }
        if (e.to - e.from != e.count) moved(context, d->path, e);
    }
    return true;
}
