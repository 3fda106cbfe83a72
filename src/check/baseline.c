// Baselines: the findings that are already known, so that only new ones count.
//
//     {"stanch_baseline": 1, "findings": [
//     {"fingerprint": "…", "rule": "leak", "path": "src/a.c", "function": "f", "message": "…"},
//     … ]}
//
// One finding a line, sorted, so that a baseline under version control gives small differences.
// Only the fingerprint is compared; the rest is for people.
#include "base/file.h"
#include "check/check_int.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

static int by_path(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = text_compare(finding_place(f).path, finding_place(g).path);
    if (!c) c = text_compare(f->function, g->function);
    return c ? c : strcmp(f->fingerprint, g->fingerprint);
}

static const char *shown_path(const char *root, const Finding *f)
{
    Pos p = finding_place(f);
    return p.path ? path_below(root, p.path) : "";
}

int baseline_write(const Findings *fs, const char *root, const char *path)
{
    Out *o = out_file(path);
    if (!o) return errno ? errno : EIO;
    VEC(Finding *) all = {0};
    vec_each (i, &fs->all) {
        FindingState s = fs->all.at[i]->state;
        if (s == FINDING_NEW || s == FINDING_KNOWN || s == FINDING_JOINED || s == FINDING_SAME)
            vec_push(&all, fs->all.at[i]);
    }
    if (all.len) qsort(all.at, all.len, sizeof *all.at, by_path);
    Arena *a = arena_new("baseline");
    out_text(o, "{\"stanch_baseline\": 1, \"findings\": [");
    vec_each (i, &all) {
        const Finding *f = all.at[i];
        out_printf(o, "%s\n{\"fingerprint\": \"%s\", \"rule\": \"%s\", \"path\": ", i ? "," : "",
                   f->fingerprint, rule_info(f->rule)->word);
        out_json(o, shown_path(root, f));
        out_text(o, ", \"function\": ");
        out_json(o, f->function);
        out_text(o, ", \"message\": ");
        out_json(o, finding_message(a, f));
        out_char(o, '}');
    }
    out_text(o, "\n]}\n");
    arena_free(a);
    vec_free(&all);
    return out_close(o);
}

static const char *member(json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static Finding *with_fingerprint(const Findings *fs, const char *fingerprint)
{
    // Sorted by fingerprint by the caller.
    uint32_t low = 0, high = fs->all.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int c = strcmp(fs->all.at[middle]->fingerprint, fingerprint);
        if (c == 0) return fs->all.at[middle];
        if (c < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int by_fingerprint(const void *a, const void *b)
{
    return strcmp((*(Finding *const *)a)->fingerprint, (*(Finding *const *)b)->fingerprint);
}

static void compare_one(Findings *fs, const char *root, json_t *entry, bool tell_fixed)
{
    const char *fingerprint = member(entry, "fingerprint");
    Finding *f = with_fingerprint(fs, fingerprint);
    if (f) {
        if (f->state == FINDING_NEW) f->state = FINDING_KNOWN;
        return;
    }
    const char *path = member(entry, "path"), *function = member(entry, "function");
    if (!tell_fixed || !findings_looked_at(fs, root, path, function)) return;
    Fixed fixed = {arena_strdup(fs->arena, member(entry, "rule")), arena_strdup(fs->arena, path),
                   arena_strdup(fs->arena, function),
                   arena_strdup(fs->arena, member(entry, "message")),
                   arena_strdup(fs->arena, fingerprint)};
    vec_push(&fs->fixed, fixed);
}

static bool compare(Findings *fs, const char *root, const char *file, bool tell_fixed, Diag *d)
{
    Arena *a = arena_new("baseline");
    const char *path = path_join(a, root, file);
    size_t len;
    char *text = file_read(path, 1u << 30, &len);
    if (!text) {
        diag_error(d, "cannot read the baseline '%s': %s", file, strerror(errno));
        arena_free(a);
        return false;
    }
    json_error_t error;
    json_t *top = json_loadb(text, len, 0, &error);
    json_t *entries = json_object_get(top, "findings");
    bool ok = false;
    if (!top)
        diag_error_at(d, file, error.line > 0 ? (uint32_t)error.line : 1,
                      error.column > 0 ? (uint32_t)error.column : 1, NULL, "%s", error.text);
    else if (json_integer_value(json_object_get(top, "stanch_baseline")) != 1 ||
             !json_is_array(entries))
        diag_error(d, "'%s' is not a baseline of this version of stanch", file);
    else
        ok = true;
    if (ok) {
        if (fs->all.len) qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, by_fingerprint);
        fs->has_baseline = fs->has_baseline || tell_fixed;
        size_t i;
        json_t *entry;
        json_array_foreach(entries, i, entry) compare_one(fs, root, entry, tell_fixed);
    }
    json_decref(top);
    mem_free(text);
    arena_free(a);
    return ok;
}

bool check_baseline(Findings *fs, const CheckOptions *o, Diag *d)
{
    const char *root = o->root ? o->root : "/";
    if (o->baseline && !compare(fs, root, o->baseline, true, d)) return false;
    return !o->since || compare(fs, root, o->since, false, d);
}
