// The last run's units, for `check` and `show` without inputs.
#include "base/file.h"
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void write_unit(Out *o, const MadeUnit *m)
{
    char key[33];
    hash128_text(m->object, key);
    out_printf(o, "unit %s %s\n", key, m->source);
}

// One that could not be made is remembered too, with the first line of the reason: it stays counted.
static void write_failed(Out *o, const MadeUnit *m)
{
    const char *why = m->reason ? m->reason : "";
    out_printf(o, "failed %zu %s %.*s\n", strlen(m->source), m->source, (int)strcspn(why, "\n"), why);
}

static void write_step(Out *o, const LinkStep *s)
{
    out_printf(o, "step %d %u %s\n", (int)s->kind, s->input_count, s->name);
    for (uint32_t k = 0; k < s->input_count; k++)
        out_printf(o, "in %d %d %u\n", s->inputs[k].is_step, s->inputs[k].whole, s->inputs[k].index);
    if (s->open) out_text(o, "open\n");
    if (s->exports_known) out_printf(o, "exports %u\n", s->export_count);
    for (uint32_t k = 0; k < s->export_count; k++) out_printf(o, "out %s\n", s->exports[k]);
}

void last_save(Run *r)
{
    if (!r->cache_path || r->o->no_record || r->o->input == INPUT_LAST) return;
    vec_each (i, &r->made)
        if (r->made.at[i].unit && !r->made.at[i].cached) return; // the cache cannot be written
    Out *o = out_memory();
    out_text(o, "stanch-last 2\n");
    // Unit files come before the made ones, as in r->units.
    vec_each (i, &r->owned)
        out_printf(o, "file %s\n", path_join(r->arena, r->o->root, r->owned_paths.at[i]));
    vec_each (i, &r->made)
        if (r->made.at[i].unit)
            write_unit(o, &r->made.at[i]);
        else
            write_failed(o, &r->made.at[i]);
    for (uint32_t i = 0; i < r->links.step_count; i++) write_step(o, &r->links.steps[i]);
    for (uint32_t i = 0; i < r->links.needed_count; i++) out_printf(o, "needed %s\n", r->links.needed[i]);
    size_t len;
    const char *text = out_content(o, &len);
    cache_put_named(r->cache, "last", text, len);
    out_close(o);
}

static bool load_key(Run *r, const char *hex, const char *source)
{
    unsigned long long high, low;
    if (strlen(source) == 0 || sscanf(hex, "%16llx%16llx", &high, &low) != 2) return false;
    size_t len;
    char *bytes = cache_get(r->cache, (Hash128){high, low}, &len);
    const char *why;
    Unit *u = bytes ? unit_read(bytes, len, &why) : NULL;
    mem_free(bytes);
    if (!u) return false;
    vec_push(&r->units, u);
    vec_push(&r->owned, u);
    vec_push(&r->owned_content, ((Hash128){high, low}));
    vec_push(&r->owned_paths, source);
    vec_push(&r->sources, source);
    return true;
}

static bool load_file(Run *r, const char *path)
{
    Hash128 content;
    Unit *u = unit_load(path, &content, r->d);
    if (!u) return false;
    vec_push(&r->units, u);
    vec_push(&r->owned, u);
    vec_push(&r->owned_content, content);
    vec_push(&r->owned_paths, path);
    vec_push(&r->sources, arena_strdup(r->arena, name_text(u->names, u->source)));
    return true;
}

static bool load_failed(Run *r, char *line)
{
    size_t length;
    int at = 0;
    if (sscanf(line, "%zu %n", &length, &at) < 1 || !at || length >= strlen(line + at) ||
        line[at + length] != ' ')
        return false;
    line[at + length] = 0;
    findings_failed_unit(r->findings, line + at, line + at + length + 1);
    return true;
}

// What is still to come of the step that is being read.
typedef struct {
    StepInput *inputs;
    const char **exports;
    uint32_t input_count, export_count;
} Rest;

// What its step says besides its inputs. The count of names cannot be larger than the text that has them.
static bool load_shown(Run *r, char *line, size_t left, Rest *rest)
{
    unsigned n;
    if (strncmp(line, "needed ", 7) == 0) {
        vec_push(&r->last_needed, line + 7);
        return true;
    }
    LinkStep *s = r->last_steps.len ? &vec_last(&r->last_steps) : NULL;
    if (s && strcmp(line, "open") == 0) return s->open = true;
    if (s && sscanf(line, "exports %u", &n) == 1 && n <= left && !s->exports_known) {
        s->exports = rest->exports = arena_array_of(r->arena, const char *, n);
        rest->export_count = n;
        return s->exports_known = true;
    }
    if (!s || strncmp(line, "out ", 4) != 0 || !rest->export_count) return false;
    rest->export_count--;
    rest->exports[s->export_count++] = line + 4;
    return true;
}

// One line; false when it makes no sense or its unit is gone. Numbers out of range do no harm:
// link_programs leaves them out.
static bool load_line(Run *r, char *line, size_t left, Rest *rest)
{
    int kind, is_step, whole, at = 0;
    unsigned n;
    if (strncmp(line, "unit ", 5) == 0 && strlen(line) > 38) {
        r->total++;
        return load_key(r, line + 5, line + 38);
    }
    if (strncmp(line, "file ", 5) == 0) {
        r->total++;
        return load_file(r, line + 5);
    }
    if (strncmp(line, "failed ", 7) == 0) {
        r->total++;
        return load_failed(r, line + 7);
    }
    if (sscanf(line, "in %d %d %u", &is_step, &whole, &n) == 3) {
        if (!rest->input_count) return false;
        LinkStep *s = &vec_last(&r->last_steps);
        rest->inputs[s->input_count++] = (StepInput){is_step != 0, whole != 0, n};
        rest->input_count--;
        return true;
    }
    if (sscanf(line, "step %d %u %n", &kind, &n, &at) >= 2 && at > 0 && kind >= 0 &&
        kind <= LINK_RELOCATABLE && n < 1u << 24) {
        *rest = (Rest){.inputs = arena_array_of(r->arena, StepInput, n), .input_count = n};
        vec_push(&r->last_steps, ((LinkStep){.name = line + at, .kind = (LinkKind)kind, .inputs = rest->inputs}));
        return true;
    }
    return load_shown(r, line, left, rest);
}

bool last_load(Run *r)
{
    size_t len;
    char *bytes = cache_get_named(r->cache, "last", &len);
    // The first form says nothing of what a link exports: that is unknown then.
    if (!bytes || (strncmp(bytes, "stanch-last 1\n", 14) != 0 && strncmp(bytes, "stanch-last 2\n", 14) != 0)) {
        diag_error(r->d, "no files are named and no earlier run is remembered in %s",
                   r->cache_path ? path_below(r->o->root, r->cache_path) : "a cache");
        mem_free(bytes);
        return false;
    }
    char *text = arena_strdup(r->arena, bytes);
    mem_free(bytes);
    Rest rest = {0};
    const char *last = text + strlen(text);
    for (char *line = strchr(text, '\n') + 1, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end) break;
        *end = 0;
        if (load_line(r, line, (size_t)(last - line), &rest)) continue;
        diag_error(r->d, "the last run's units are no longer in the cache; run it again");
        return false;
    }
    return true;
}
