// Commands to jobs: equal compiles are merged, the last writer of an object file owns it, and the
// result is put in an order that does not depend on how a build happened to run.
#include "base/file.h"
#include "capture/capture_int.h"

#include <stdlib.h>

void collect_begin(Collector *c, Arena *a, Diag *d, Capture *out)
{
    *c = (Collector){.a = a, .d = d, .out = out, .names = names_new()};
    *out = (Capture){0};
}

const char *collect_path(Arena *a, const char *directory, const char *path)
{
    const char *normal = path_join(a, directory, path);
    if (file_exists(normal)) return normal;
    // link/../x.c is not x.c when link leads elsewhere.
    const char *raw = path[0] == '/' ? path : arena_printf(a, "%s/%s", directory, path);
    return strstr(raw, "..") && file_exists(raw) ? raw : normal;
}

// Files that a build tool makes, and leaves behind, only to try the compiler. (A configure script
// removes its own; those are seen by not being there.)
static bool is_probe(const char *path)
{
    static const char *const parts[] = {"/CMakeFiles/CMakeTmp/", "/CMakeFiles/CMakeScratch/",
                                        "/CompilerIdC/",         "/CompilerIdCXX/",
                                        "/meson-private/",       "/share/cmake-",
                                        "/conftest."};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i])) return true;
    return false;
}

static void set_object(Collector *c, const char *path, uint32_t job, Name stands_for)
{
    Name name = name_of(c->names, path);
    bool fresh;
    uint64_t *at = map_at(&c->object_of, name.id, c->objects.len + 1, &fresh);
    if (fresh)
        vec_push(&c->objects, ((Object){name, job, stands_for}));
    else
        c->objects.at[*at - 1] = (Object){name, job, stands_for};
}

void collect_copy(Collector *c, const char *copy, const char *original)
{
    set_object(c, copy, 0, name_of(c->names, original));
}

const char *collect_original(const Collector *c, const char *object)
{
    Name name = name_find(c->names, object);
    uint64_t *at = name.id ? map_get(&c->object_of, name.id) : NULL;
    if (!at || !c->objects.at[*at - 1].stands_for.id) return object;
    return name_text(c->names, c->objects.at[*at - 1].stands_for);
}

static bool object_known(const Collector *c, const char *path)
{
    Name name = name_find(c->names, path);
    return name.id && map_get(&c->object_of, name.id);
}

void collect_job(Collector *c, const Command *command, const char *source, CaptureLanguage language,
                 const char *object)
{
    c->out->counts.compiles++;
    Chars key = {0};
    vec_append(&key, command->directory, strlen(command->directory) + 1);
    vec_append(&key, source, strlen(source) + 1);
    vec_push(&key, (char)('0' + language));
    Words flags = {0};
    vec_each (i, &command->flags) {
        const Flag *f = &command->flags.at[i];
        if (!(language == CAPTURE_CXX ? f->cxx : f->c)) continue;
        vec_push(&flags, f->text);
        vec_append(&key, f->text, strlen(f->text) + 1);
    }
    bool fresh;
    Name name = name_of_n(c->names, key.at, key.len);
    uint32_t job = (uint32_t)*map_at(&c->job_of, name.id, c->jobs.len + 1, &fresh);
    vec_free(&key);
    if (fresh) {
        uint32_t count = flags.len;
        vec_push(&flags, NULL);
        vec_keep(&flags, c->a);
        vec_push(&c->jobs,
                 ((CaptureJob){command->directory, source, language, flags.at, count, NULL, 0}));
    } else {
        c->out->counts.merged++;
        vec_free(&flags);
    }
    if (object) set_object(c, object, job, (Name){0});
}

void collect_skip(Collector *c, const char *source, OperandKind kind, const char *reason)
{
    bool fresh;
    map_at(&c->skip_of, name_of(c->names, source).id, 1, &fresh);
    if (!fresh) return;
    if (kind == OPERAND_ASSEMBLER)
        c->out->counts.assembler++;
    else
        c->out->counts.other++;
    vec_push(&c->skipped, ((CaptureSkip){source, reason}));
}

void collect_other(Collector *c, const char *object)
{
    map_set(&c->other_of, name_of(c->names, object).id, 1);
}

// Where gcc -c x/y.c without -o writes to: y.o in the working directory.
static const char *made_of_source(Arena *a, const char *source, const char *ending)
{
    const char *base = path_base(source), *dot = strrchr(base, '.');
    return arena_printf(a, "%.*s.%s", dot ? (int)(dot - base) : (int)strlen(base), base, ending);
}

// gcc -S x.c: somebody may assemble it later.
static void note_assembly(Collector *c, const Command *command, uint32_t sources)
{
    vec_each (i, &command->operands) {
        const Operand *o = &command->operands.at[i];
        if (o->kind != OPERAND_C && o->kind != OPERAND_CXX) continue;
        const char *made = command->output && sources == 1 ? command->output : made_of_source(c->a, o->text, "s");
        Command one = *command;
        one.mode = MODE_COMPILE;
        memset(&one.operands, 0, sizeof one.operands);
        vec_push(&one.operands, *o);
        vec_keep(&one.operands, c->a);
        vec_push(&c->assembled, one);
        map_set(&c->assembly_of, name_of(c->names, collect_path(c->a, command->directory, made)).id, c->assembled.len);
    }
}

const Command *collect_assembled(const Collector *c, const char *source)
{
    Name name = name_find(c->names, source);
    const uint64_t *at = name.id ? map_get(&c->assembly_of, name.id) : NULL;
    return at ? &c->assembled.at[*at - 1] : NULL;
}

void collect_command(Collector *c, const Command *command)
{
    uint32_t sources = 0;
    vec_each (i, &command->operands) {
        OperandKind k = command->operands.at[i].kind;
        sources += k != OPERAND_OBJECT && k != OPERAND_LIBRARY;
    }
    if (command->mode == MODE_NO_OBJECT) {
        if (sources) c->out->counts.preprocessed++;
        if (command->assembly) note_assembly(c, command, sources);
        return;
    }
    const char **objects = arena_array_of(c->a, const char *, command->operands.len);
    bool header = false;
    vec_each (i, &command->operands) {
        const Operand *o = &command->operands.at[i];
        header |= o->kind == OPERAND_HEADER;
        if (o->kind == OPERAND_OBJECT || o->kind == OPERAND_LIBRARY) continue;
        if (o->kind == OPERAND_HEADER || o->kind == OPERAND_STDIN) {
            c->out->counts.preprocessed++;
            continue;
        }
        const char *source = collect_path(c->a, command->directory, o->text), *object;
        if (c->drop_vanished && (is_probe(source) || !file_exists(source))) {
            c->out->counts.vanished++;
            continue;
        }
        if (command->mode == MODE_LINK)
            object = arena_printf(
                c->a, "%s//%s",
                path_join(c->a, command->directory, command->output ? command->output : "a.out"),
                source);
        else if (command->output && sources == 1)
            object = path_join(c->a, command->directory, command->output);
        else
            object = path_join(c->a, command->directory, made_of_source(c->a, source, "o"));
        objects[i] = object;
        if (o->kind == OPERAND_ASSEMBLER || o->kind == OPERAND_OTHER) {
            collect_skip(c, source, o->kind, o->reason);
            collect_other(c, object);
        } else
            collect_job(c, command, source, o->kind == OPERAND_C ? CAPTURE_C : CAPTURE_CXX, object);
    }
    if (command->mode == MODE_LINK && !header) link_command(c, command, objects);
}

const CaptureLink *collect_find_link(const Collector *c, const char *output)
{
    Name name = name_find(c->names, output);
    uint64_t *at = name.id ? map_get(&c->link_of, name.id) : NULL;
    return at ? &c->links.at[*at - 1] : NULL;
}

void collect_link(Collector *c, CaptureLink link, bool append)
{
    bool fresh;
    uint64_t *at = map_at(&c->link_of, name_of(c->names, link.output).id, c->links.len + 1, &fresh);
    if (fresh) {
        vec_push(&c->links, link);
        return;
    }
    CaptureLink *old = &c->links.at[*at - 1];
    if (!append) {
        *old = link;
        return;
    }
    VEC(CaptureInput) inputs = {0};
    Map seen = {0};
    for (int half = 0; half < 2; half++) {
        const CaptureLink *from = half ? &link : old;
        for (uint32_t i = 0; i < from->input_count; i++) {
            map_at(&seen, name_of(c->names, from->inputs[i].path).id, 1, &fresh);
            if (fresh) vec_push(&inputs, from->inputs[i]);
        }
    }
    map_free(&seen);
    vec_keep(&inputs, c->a);
    old->inputs = inputs.at;
    old->input_count = inputs.len;
}

// ---- the end ----

static int compare_jobs(const void *left, const void *right)
{
    const CaptureJob *x = left, *y = right;
    int order = strcmp(x->source, y->source);
    if (!order) order = (x->object_count > 0) - (y->object_count > 0);
    if (!order && x->object_count) order = strcmp(x->objects[0], y->objects[0]);
    if (!order) order = strcmp(x->directory, y->directory);
    if (!order) order = (int)x->language - (int)y->language;
    for (uint32_t i = 0; !order && (x->flags[i] || y->flags[i]); i++) {
        if (!x->flags[i] || !y->flags[i]) return x->flags[i] ? 1 : -1;
        order = strcmp(x->flags[i], y->flags[i]);
    }
    return order;
}

static int compare_skips(const void *left, const void *right)
{
    return strcmp(((const CaptureSkip *)left)->source, ((const CaptureSkip *)right)->source);
}

static int compare_links(const void *left, const void *right)
{
    return strcmp(((const CaptureLink *)left)->output, ((const CaptureLink *)right)->output);
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void give_objects(Collector *c)
{
    vec_each (i, &c->objects) {
        uint32_t job = c->objects.at[i].job;
        if (job) c->jobs.at[job - 1].object_count++;
    }
    vec_each (j, &c->jobs) {
        CaptureJob *job = &c->jobs.at[j];
        job->objects = arena_array_of(c->a, const char *, job->object_count + 1);
        job->object_count = 0;
    }
    vec_each (i, &c->objects) {
        if (!c->objects.at[i].job) continue;
        CaptureJob *job = &c->jobs.at[c->objects.at[i].job - 1];
        job->objects[job->object_count++] =
            arena_strdup(c->a, name_text(c->names, c->objects.at[i].path));
    }
    vec_each (j, &c->jobs) {
        CaptureJob *job = &c->jobs.at[j];
        if (job->object_count)
            qsort(job->objects, job->object_count, sizeof *job->objects, compare_texts);
    }
}

// A link that a configure script tried: nothing of ours in it, and its output is gone.
static bool is_stale(const Collector *c, const CaptureLink *link)
{
    if (is_probe(link->output)) return true;
    if (file_exists(link->output)) return false;
    for (uint32_t i = 0; i < link->input_count; i++)
        if (object_known(c, link->inputs[i].path) || collect_find_link(c, link->inputs[i].path))
            return false;
    return true;
}

// ---- what can be called by name

static bool is_from_job(const Collector *c, const char *path)
{
    Name name = name_find(c->names, collect_original(c, path));
    const uint64_t *at = name.id ? map_get(&c->object_of, name.id) : NULL;
    return at && c->objects.at[*at - 1].job;
}

// Of an archive of the system nothing is asked: it does not call the program by name.
static bool is_system(const char *path)
{
    return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0;
}

// What a linked object that is not analysed may call. Errs towards "anything".
static void add_needed(Collector *c, CaptureLink *link, Words *needed)
{
    for (uint32_t i = 0; i < link->input_count; i++) {
        const CaptureInput *in = &link->inputs[i];
        CaptureNames names;
        if (in->kind == CAPTURE_IN_ARCHIVE && !is_system(in->path) && !collect_find_link(c, in->path))
            link->open = true;
        if (in->kind != CAPTURE_IN_OBJECT || is_from_job(c, in->path) || collect_find_link(c, in->path)) continue;
        if (capture_needed(c->a, in->path, &names))
            vec_append(needed, names.names, names.count);
        else
            link->open = true;
    }
}

static void read_symbols(Collector *c)
{
    Words needed = {0};
    vec_each (i, &c->links) {
        CaptureLink *link = &c->links.at[i];
        if (is_stale(c, link)) continue;
        if (link->kind == CAPTURE_PROGRAM || link->kind == CAPTURE_SHARED)
            link->exports_known = capture_exports(c->a, link->output, &link->exports);
        add_needed(c, link, &needed);
    }
    c->out->needed = names_sorted(c->a, &needed);
}

void collect_end(Collector *c)
{
    Capture *out = c->out;
    read_symbols(c);
    give_objects(c);
    vec_append(&out->jobs, c->jobs.at, c->jobs.len);
    vec_append(&out->skipped, c->skipped.at, c->skipped.len);
    vec_each (i, &c->links) {
        if (is_stale(c, &c->links.at[i]))
            out->counts.vanished++;
        else
            vec_push(&out->links, c->links.at[i]);
    }
    vec_keep(&out->jobs, c->a);
    vec_keep(&out->skipped, c->a);
    vec_keep(&out->links, c->a);
    if (out->jobs.len) qsort(out->jobs.at, out->jobs.len, sizeof *out->jobs.at, compare_jobs);
    if (out->skipped.len)
        qsort(out->skipped.at, out->skipped.len, sizeof *out->skipped.at, compare_skips);
    if (out->links.len) qsort(out->links.at, out->links.len, sizeof *out->links.at, compare_links);
    vec_free(&c->jobs);
    vec_free(&c->skipped);
    vec_free(&c->links);
    vec_free(&c->objects);
    map_free(&c->job_of);
    map_free(&c->object_of);
    map_free(&c->link_of);
    map_free(&c->skip_of);
    map_free(&c->other_of);
    map_free(&c->assembly_of);
    vec_free(&c->assembled);
    names_free(c->names);
}
