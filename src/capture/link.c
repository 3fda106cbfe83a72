// Link steps: out of compiler commands that link, and of calls of ar and ld.
#include "base/file.h"
#include "capture/capture_int.h"

#include <unistd.h>

static bool ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

typedef struct {
    Collector *c;
    const char *directory;
    const Words *library_dirs;
    VEC(CaptureInput) inputs;
} Links;

// libfoo.so is often a symbolic link to the libfoo.so.1.2 that the build linked.
static const char *linked_name(Links *l, const char *path)
{
    Arena *a = l->c->a;
    const char *at = path;
    for (int hops = 0; hops < 8; hops++) {
        if (collect_find_link(l->c, at)) return at;
        char target[4096];
        ssize_t n = readlink(at, target, sizeof target - 1);
        if (n <= 0) break;
        target[n] = 0;
        at = path_join(a, path_dir(a, at), target);
    }
    return path;
}

static void add_file(Links *l, const char *text, bool whole)
{
    static const char *const scripts[] = {"ld", "lds", "x", "map", "def", "res", "la", "txt", NULL};
    if (is_one_of(path_extension(text), scripts)) return;
    const char *path = collect_path(l->c->a, l->directory, text);
    CaptureInput in = {CAPTURE_IN_OBJECT, path, false};
    if (ends(path, ".a") || ends(path, ".lib")) {
        in.kind = CAPTURE_IN_ARCHIVE;
        in.whole = whole;
    } else if (ends(path, ".so") || strstr(path_base(path), ".so.") || ends(path, ".dylib")) {
        in.kind = CAPTURE_IN_SHARED;
    }
    if (in.kind == CAPTURE_IN_OBJECT)
        in.path = arena_strdup(l->c->a, collect_original(l->c, path));
    else
        in.path = linked_name(l, path);
    vec_push(&l->inputs, in);
}

static void add_library(Links *l, const char *name, bool whole)
{
    Arena *a = l->c->a;
    bool exact = name[0] == ':'; // -l:libx.a names the file
    for (uint32_t i = 0; i < l->library_dirs->len; i++) {
        const char *dir = path_join(a, l->directory, l->library_dirs->at[i]);
        for (int shared = 1; shared >= 0; shared--) {
            const char *file = exact
                                   ? arena_printf(a, "%s/%s", dir, name + 1)
                                   : arena_printf(a, "%s/lib%s.%s", dir, name, shared ? "so" : "a");
            if (!file_exists(file) && !collect_find_link(l->c, file)) continue;
            add_file(l, file, whole);
            return;
        }
    }
    vec_push(&l->inputs, ((CaptureInput){CAPTURE_IN_LIBRARY, arena_strdup(a, name), false}));
}

static void finish(Links *l, const char *output, CaptureLinkKind kind, bool append)
{
    if (!l->inputs.len) {
        vec_free(&l->inputs);
        return;
    }
    vec_keep(&l->inputs, l->c->a);
    CaptureLink link = {.output = path_join(l->c->a, l->directory, output),
                        .kind = kind,
                        .inputs = l->inputs.at,
                        .input_count = l->inputs.len};
    collect_link(l->c, link, append);
}

void link_command(Collector *c, const Command *command, const char *const *objects)
{
    Links l = {.c = c, .directory = command->directory};
    Words dirs = {command->library_dirs.at, command->library_dirs.len, 0};
    l.library_dirs = &dirs;
    bool any = false; // gcc -lm alone is a probe, not a program
    vec_each (i, &command->operands) {
        const Operand *o = &command->operands.at[i];
        any |= o->kind == OPERAND_OBJECT || objects[i];
        if (o->kind == OPERAND_OBJECT)
            add_file(&l, o->text, o->whole);
        else if (o->kind == OPERAND_LIBRARY)
            add_library(&l, o->text, o->whole);
        else if (objects[i])
            vec_push(&l.inputs, ((CaptureInput){CAPTURE_IN_OBJECT, objects[i], false}));
    }
    if (!any) vec_clear(&l.inputs);
    finish(&l, command->output ? command->output : "a.out",
           command->partial  ? CAPTURE_PARTIAL
           : command->shared ? CAPTURE_SHARED
                             : CAPTURE_PROGRAM,
           false);
}

// ar [--plugin X] KEYS [POSITION] [COUNT] ARCHIVE MEMBER...
void collect_ar(Collector *c, const char *directory, const Words *argv)
{
    uint32_t i = 1;
    Chars keys = {0};
    for (; i < argv->len && argv->at[i][0] == '-'; i++) {
        const char *w = argv->at[i];
        if (strcmp(w, "--plugin") == 0 || strcmp(w, "--target") == 0 || strcmp(w, "--output") == 0)
            i++;
        else if (w[1] != '-' && w[1] != 'X')
            vec_append(&keys, w + 1, strlen(w + 1));
    }
    if (!keys.len && i < argv->len) {
        vec_append(&keys, argv->at[i], strlen(argv->at[i]));
        i++;
    }
    vec_push(&keys, 0);
    bool adds = strchr(keys.at, 'r') || strchr(keys.at, 'q');
    bool extracts = !adds && strchr(keys.at, 'x');
    if (strpbrk(keys.at, "abi")) i++;
    if (strchr(keys.at, 'N')) i++;
    vec_free(&keys);
    if (i >= argv->len || (!adds && !extracts)) return;
    const char *archive = argv->at[i++];
    if (adds) {
        Words none = {0};
        Links l = {.c = c, .directory = directory, .library_dirs = &none};
        for (; i < argv->len; i++) add_file(&l, argv->at[i], false);
        finish(&l, archive, CAPTURE_ARCHIVE, true);
        return;
    }
    // libtool takes convenience archives apart and puts their members into a larger one.
    const CaptureLink *from = collect_find_link(c, path_join(c->a, directory, archive));
    if (!from) return;
    for (uint32_t m = 0; m < from->input_count; m++)
        collect_copy(c, path_join(c->a, directory, path_base(from->inputs[m].path)),
                     from->inputs[m].path);
}

void collect_ld(Collector *c, const char *directory, const Words *argv)
{
    // Options whose value is the next word.
    static const char *const valued[] = {"-A",
                                         "-b",
                                         "-e",
                                         "-f",
                                         "-F",
                                         "-G",
                                         "-h",
                                         "-m",
                                         "-R",
                                         "-T",
                                         "-u",
                                         "-y",
                                         "-Y",
                                         "-z",
                                         "-a",
                                         "-c",
                                         "-O",
                                         "-I",
                                         "-P",
                                         "-soname",
                                         "-rpath",
                                         "-rpath-link",
                                         "-dynamic-linker",
                                         "-Map",
                                         "-plugin",
                                         "-plugin-opt",
                                         "-Ttext",
                                         "-Tdata",
                                         "-Tbss",
                                         "--defsym",
                                         "--entry",
                                         "--script",
                                         "--version-script",
                                         "--dynamic-list",
                                         "--wrap",
                                         "--format",
                                         "--oformat",
                                         "--sysroot",
                                         "--section-start",
                                         "--retain-symbols-file",
                                         NULL};
    CaptureLinkKind kind = CAPTURE_PROGRAM;
    const char *output = "a.out";
    bool whole = false;
    Words dirs = {0};
    Links l = {.c = c, .directory = directory, .library_dirs = &dirs};
    for (uint32_t i = 1; i < argv->len; i++) {
        const char *w = argv->at[i];
        const char *next = i + 1 < argv->len ? argv->at[i + 1] : "";
        if (w[0] != '-') {
            if (*w) add_file(&l, w, whole);
        } else if (strcmp(w, "-r") == 0 || strcmp(w, "-i") == 0 ||
                   strcmp(w, "--relocatable") == 0) {
            kind = CAPTURE_PARTIAL;
        } else if (strcmp(w, "-shared") == 0 || strcmp(w, "--shared") == 0 ||
                   strcmp(w, "-Bshareable") == 0) {
            kind = CAPTURE_SHARED;
        } else if (strcmp(w, "-o") == 0 || strcmp(w, "--output") == 0) {
            output = next;
            i++;
        } else if (strncmp(w, "-o", 2) == 0) {
            output = w + 2;
        } else if (strncmp(w, "-L", 2) == 0 || strncmp(w, "-l", 2) == 0) {
            const char *value = w[2] ? w + 2 : next;
            i += !w[2];
            if (!*value) continue;
            if (w[1] == 'L')
                vec_push(&dirs, value);
            else
                add_library(&l, value, whole);
        } else if (is_one_of(w, valued)) {
            i++;
        } else {
            flags_whole_archive(w, &whole);
        }
    }
    if (*output)
        finish(&l, output, kind, false);
    else
        vec_free(&l.inputs);
    vec_free(&dirs);
}
