// Files named by hand, and compile_commands.json (the format of the Clang project: an array of
// objects with "directory", "file", "command" or "arguments", and perhaps "output").
#include "base/file.h"
#include "capture/capture_int.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>

// The Linux kernel's database has 30 MB.
enum { COMPDB_BYTES = 1 << 30 };

static void user_env(const char *values[CAPTURE_ENV_COUNT])
{
    for (int i = 0; i < CAPTURE_ENV_COUNT; i++) values[i] = getenv(capture_env_names[i]);
}

static void add_file(Collector *c, const Command *command, const char *file)
{
    const char *path = collect_path(c->a, command->directory, file), *reason;
    OperandKind kind = flags_language_of(path, &reason);
    if (command->forced) {
        kind = command->forced->kind;
        reason = command->forced->reason;
    }
    struct stat st;
    if (strcmp(file, "-") == 0)
        diag_error(c->d, "standard input is not read: give the source a file");
    else if (stat(path, &st) != 0)
        diag_error(c->d, "%s: %s", file, strerror(errno));
    else if (S_ISDIR(st.st_mode))
        diag_error(c->d, "%s: a directory, not a source file (-p takes a build directory)", file);
    else if (!S_ISREG(st.st_mode))
        // A source is read more than once: by clang, for the cache's key, and for the report.
        diag_error(c->d, "%s: not a regular file: give the source a file of its own", file);
    else if (kind == OPERAND_C || kind == OPERAND_CXX)
        return collect_job(c, command, path, kind == OPERAND_C ? CAPTURE_C : CAPTURE_CXX, NULL);
    else if (reason) {
        diag_warn(c->d, "%s: skipped, %s is not analysed", file, reason);
        return collect_skip(c, path, kind, reason);
    } else
        diag_error(c->d, "%s: not a C or C++ source file by its name (-x c says so)", file);
    c->out->counts.unusable++;
}

bool capture_files(Arena *a, Diag *d, const char *const *files, uint32_t file_count,
                   const char *const *flags, uint32_t flag_count, Capture *out)
{
    Collector c;
    collect_begin(&c, a, d, out);
    const char *cwd = path_cwd(a);
    Words argv = {0};
    vec_push(&argv, "clang");
    for (uint32_t i = 0; i < flag_count; i++) vec_push(&argv, flags[i]);
    uint32_t dropped = words_expand(a, cwd, NULL, &argv);
    if (dropped) diag_warn(d, "%u response files outside this directory were left out", dropped);
    Words unknown = {0};
    flags_unknown(&argv, &unknown);
    vec_each (i, &unknown)
        diag_warn(d, "the flag %s is not known and is left out", unknown.at[i]);
    vec_free(&unknown);
    const char *env[CAPTURE_ENV_COUNT];
    user_env(env);
    Command command;
    // Without the files: a last flag that lacks its value must not take one of them.
    command_parse(a, cwd, &argv, &command);
    command_add_env(a, &command, env);
    vec_each (i, &command.operands)
        diag_error(d, "%s is no flag: a source goes before the --", command.operands.at[i].text);
    for (uint32_t i = 0; i < file_count; i++) add_file(&c, &command, files[i]);
    out->counts.commands = file_count;
    vec_free(&argv);
    collect_end(&c);
    return out->jobs.len > 0;
}

bool capture_command(Arena *a, Diag *d, const char *const *argv, uint32_t argc, Capture *out)
{
    Collector c;
    collect_begin(&c, a, d, out);
    c.drop_vanished = true;
    const char *cwd = path_cwd(a), *env[CAPTURE_ENV_COUNT];
    Words words = {0};
    for (uint32_t i = 0; i < argc; i++) vec_push(&words, argv[i]);
    words_expand(a, cwd, NULL, &words);
    user_env(env);
    Command command;
    command_parse(a, cwd, &words, &command);
    command_add_env(a, &command, env);
    vec_free(&words);
    collect_command(&c, &command);
    out->counts.commands = 1;
    collect_end(&c);
    return true;
}

// The text of line `line`, for the caret; the text is zero-terminated.
static const char *line_text(const char *text, int line)
{
    while (--line > 0) {
        const char *next = strchr(text, '\n');
        if (!next) break;
        text = next + 1;
    }
    return text;
}

static const char *text_of(Arena *a, const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);
    return json_is_string(v) ? arena_strdup(a, json_string_value(v)) : NULL;
}

// Which of the command's sources the entry is about: the one it names, else the first.
static const Operand *entry_operand(Arena *a, const Command *command, const char *source)
{
    const Operand *first = NULL;
    vec_each (i, &command->operands) {
        const Operand *o = &command->operands.at[i];
        if (o->kind == OPERAND_OBJECT || o->kind == OPERAND_LIBRARY) continue;
        if (!first) first = o;
        if (strcmp(collect_path(a, command->directory, o->text), source) == 0) return o;
    }
    return first;
}

// Null or what is wrong with the entry.
static const char *add_entry(Collector *c, const char *root, const json_t *entry)
{
    Arena *a = c->a;
    if (!json_is_object(entry)) return "is not an object";
    const char *directory = text_of(a, entry, "directory");
    const char *file = text_of(a, entry, "file");
    const char *text = text_of(a, entry, "command");
    const json_t *arguments = json_object_get(entry, "arguments");
    if (!file || !*file) return "has no \"file\"";
    directory = path_join(a, root, directory ? directory : ".");
    Words argv = {0};
    if (json_is_array(arguments)) {
        size_t i;
        json_t *word;
        json_array_foreach(arguments, i, word) if (json_is_string(word))
            vec_push(&argv, arena_strdup(a, json_string_value(word)));
    } else if (text) {
        if (!words_split(a, text, strlen(text), QUOTE_SHELL, &argv)) {
            vec_free(&argv);
            return "has an open quote in its \"command\"";
        }
    }
    if (!argv.len) {
        vec_free(&argv);
        return "has neither \"command\" nor \"arguments\"";
    }
    uint32_t dropped = words_expand(a, directory, root, &argv);
    Command command;
    command_parse(a, directory, &argv, &command);
    vec_free(&argv);
    const char *env[CAPTURE_ENV_COUNT];
    user_env(env);
    command_add_env(a, &command, env);
    const char *source = collect_path(a, directory, file);
    if (dropped)
        diag_warn(c->d, "%s: %u response files outside the build tree were left out", source,
                  dropped);
    if (command.mode == MODE_NO_OBJECT) {
        c->out->counts.preprocessed++;
        return NULL;
    }
    const char *reason = NULL, *output = text_of(a, entry, "output");
    const Operand *o = entry_operand(a, &command, source);
    OperandKind kind = o ? o->kind : flags_language_of(source, &reason);
    if (o) reason = o->reason;
    if (!output && command.mode == MODE_COMPILE) output = command.output;
    if (kind == OPERAND_HEADER || kind == OPERAND_STDIN)
        c->out->counts.preprocessed++;
    else if (kind == OPERAND_ASSEMBLER || kind == OPERAND_OTHER)
        collect_skip(c, source, kind, reason);
    else
        collect_job(c, &command, source, kind == OPERAND_CXX ? CAPTURE_CXX : CAPTURE_C,
                    output ? path_join(a, directory, output) : NULL);
    return NULL;
}

bool capture_compdb(Arena *a, Diag *d, const char *path, Capture *out)
{
    *out = (Capture){0};
    const char *file = file_is_dir(path) ? arena_printf(a, "%s/compile_commands.json", path) : path;
    size_t len;
    char *text = file_read(file, COMPDB_BYTES, &len);
    if (!text) {
        diag_error(d, "%s: %s", file, strerror(errno));
        return false;
    }
    json_error_t error;
    json_t *root = json_loadb(text, len, 0, &error);
    if (!root || !json_is_array(root)) {
        if (root)
            diag_error(d, "%s: a compile_commands.json is an array of objects", file);
        else if (error.line > 0)
            diag_error_at(d, file, (uint32_t)error.line,
                          error.column > 0 ? (uint32_t)error.column : 1,
                          line_text(text, error.line), "%s", error.text);
        else
            diag_error(d, "%s: %s", file, error.text);
        json_decref(root);
        mem_free(text);
        return false;
    }
    Collector c;
    collect_begin(&c, a, d, out);
    const char *dir = path_dir(a, path_join(a, path_cwd(a), file));
    size_t i;
    json_t *entry;
    json_array_foreach(root, i, entry)
    {
        out->counts.commands++;
        const char *wrong = add_entry(&c, dir, entry);
        if (!wrong) continue;
        out->counts.unusable++;
        diag_warn(d, "%s: entry %zu %s", file, i + 1, wrong);
    }
    collect_end(&c);
    json_decref(root);
    mem_free(text);
    if (!out->jobs.len) diag_error(d, "%s: no C or C++ compilation in it", file);
    return out->jobs.len > 0;
}
