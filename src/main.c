// The command line: options only. What the commands do is in stage.c and in the modules.
#include "base/file.h"
#include "capture/capture.h"
#include "lsp/lsp.h"
#include "options.h"
#include "spec/spec.h"
#include "stage.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHECK = 1, RUN = 2, UNIT = 4, LINK = 8, SHOW = 16, SPEC = 32, HISTORY = 64, LSP = 128, CONFIRM = 256 };
enum { HELP = 1 << 20, VERSION = 1 << 21, RULES = 1 << 22 };
enum { REPORTS = CHECK | RUN | LINK, COMPILES = CHECK | RUN | UNIT | SHOW | SPEC };

static const CommandInfo commands[] = {
    {"check", CHECK,
     "check [OPTIONS] FILE... [-- CLANG FLAGS]\n"
     "stanch check [OPTIONS] -p DIR|compile_commands.json [FILE...]",
     "analyse files, or what a build database lists; without inputs, the last run's units again"},
    {"run", RUN, "run [OPTIONS] -- BUILD COMMAND",
     "observe a build, then analyse all that it compiled"},
    {"unit", UNIT, "unit FILE -o UNIT [-- CLANG FLAGS]\nstanch unit -- COMPILER ARGUMENTS",
     "one translation unit to an analysis object (.u: as text); or what a compiler command compiles"},
    {"link", LINK, "link [OPTIONS] UNIT|DIR...", "analyse units made elsewhere"},
    {"show", SHOW, "show WHAT [FUNCTION|FILE:LINE] [-p DIR | FILE... [-- CLANG FLAGS]]\nstanch show witness ID",
     "print what a stage understood; without inputs, of the last run"},
    {"spec", SPEC, "spec check FILE... | spec infer [-p DIR | FILE... [-- CLANG FLAGS]]",
     "check specification files; draft them from a program"},
    {"confirm", CONFIRM, "confirm [OPTIONS] [ID...]",
     "make witnessed findings of the last run happen, under AddressSanitizer: runs the project's code"},
    {"history", HISTORY, "history [-n N] [--format=text|html] [-o FILE]",
     "list the runs recorded here, newest first; html: findings over time"},
    {"lsp", LSP, "lsp", "serve an editor by the Language Server Protocol on standard input and output"},
    {"rules", RULES, "rules", "list the rules, with their CWE numbers"},
    {"help", HELP, "help [COMMAND]\nstanch help completion bash|zsh|fish",
     "say what a command does and takes; print a completion script"},
    {"version", VERSION, "version", "print the version"},
};

typedef enum {
    OPT_FORMAT,
    OPT_HISTORY_FORMAT,
    OPT_OUTPUT,
    OPT_JOBS,
    OPT_LEVEL,
    OPT_RULES,
    OPT_SPEC,
    OPT_NO_PROJECT_SPECS,
    OPT_BASELINE,
    OPT_WRITE_BASELINE,
    OPT_SUPPRESS,
    OPT_COLOR,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_NO_CACHE,
    OPT_CACHE_DIR,
    OPT_STORE,
    OPT_STATS,
    OPT_DATABASE,
    OPT_SINCE,
    OPT_CATEGORY,
    OPT_DOT,
    OPT_INDIRECT,
    OPT_COUNT,
    OPT_IMPACT,
    OPT_EACH,
    OPT_WITHOUT,
    OPT_NO_PRUNE,
    OPT_NO_FLOW_PRUNE,
    OPT_NO_RECORD,
    OPT_STDIO,
    OPT_OUT,
    OPT_HELP,
    OPT_VERSION,
} OptionId;

static const OptionSpec options[] = {
    // Before the one that others have, for the completion of values.
    {OPT_HISTORY_FORMAT, 0, "format", "text|html", HISTORY, "a list, or a page"},
    {OPT_FORMAT, 0, "format", FORMAT_WORDS, REPORTS, "form of the report"},
    {OPT_OUTPUT, 'o', "output", "FILE", REPORTS | UNIT | SHOW | HISTORY, "write to FILE"},
    {OPT_JOBS, 'j', "jobs", "N", COMPILES | LINK, "work on N units, then on N functions, at once"},
    {OPT_LEVEL, 0, "level", "sure|likely|audit", REPORTS, "how sure a finding must be (likely)"},
    {OPT_IMPACT, 0, "impact", "recurs|memory-short|once|at-exit", REPORTS,
     "the least impact that is shown (memory-short)"},
    {OPT_RULES, 0, "rules", "[+-]RULE,...", REPORTS,
     "rules to add, to leave out, or the only ones"},
    {OPT_SPEC, 0, "spec", "FILE", REPORTS | SHOW, "read a specification file; may be repeated"},
    {OPT_NO_PROJECT_SPECS, 0, "no-project-specs", NULL, COMPILES | LINK,
     "leave out the specifications in .stanch"},
    {OPT_BASELINE, 0, "baseline", "FILE", REPORTS, "only findings that are not in FILE count"},
    {OPT_WRITE_BASELINE, 0, "write-baseline", "FILE", REPORTS, "write the findings as a baseline"},
    {OPT_SUPPRESS, 0, "suppress", "FILE", REPORTS, "read suppressions; may be repeated"},
    {OPT_COLOR, 0, "color", "auto|always|never", ~0u, "colours on a terminal"},
    {OPT_DATABASE, 'p', "database", "DIR|FILE", CHECK | SHOW | SPEC, "read compile_commands.json"},
    {OPT_SINCE, 0, "since", "REF", CHECK | RUN, "only what the change since a git revision brings"},
    {OPT_CATEGORY, 0, "category", "NAME", REPORTS, "sarif: keeps this analysis apart from others"},
    {OPT_DOT, 0, "dot", NULL, SHOW, "calls, cfg, flow, heap, project, slice and summary: for Graphviz"},
    {OPT_INDIRECT, 0, "indirect", NULL, SHOW, "calls: those through pointers, with their targets"},
    {OPT_COUNT, 'n', "number", "N", HISTORY, "list N runs (20; html: all)"},
    {OPT_QUIET, 'q', "quiet", NULL, ~0u, "findings and errors only"},
    {OPT_VERBOSE, 'v', "verbose", NULL, ~0u, "say more"},
    {OPT_NO_CACHE, 0, "no-cache", NULL, COMPILES | LINK, "neither read nor write .stanch"},
    {OPT_CACHE_DIR, 0, "cache-dir", "DIR", COMPILES | LINK | CONFIRM, "keep units in DIR (.stanch/cache)"},
    {OPT_STORE, 0, "store", "redis://HOST", CHECK | RUN | LINK,
     "share units and results with other machines"},
    {OPT_EACH, 0, "each", NULL, REPORTS, "findings of one cause one by one"},
    {OPT_WITHOUT, 0, "without", "ID,...", REPORTS,
     "switch doubts or assumptions off; may be repeated"},
    // For tests: everything is evaluated, whatever the value flow says; the first also in full,
    // without the evaluation's own economies.
    {OPT_NO_PRUNE, 0, "no-prune", NULL, REPORTS, NULL},
    {OPT_NO_FLOW_PRUNE, 0, "no-flow-prune", NULL, REPORTS, NULL},
    {OPT_NO_RECORD, 0, "no-record", NULL, CHECK | SHOW,
     "leave the history and the units of the last run as they are"},
    {OPT_OUT, 0, "out", "DIR", CONFIRM, "write the program to DIR, to attach it to a bug report"},
    {OPT_STDIO, 0, "stdio", NULL, LSP, NULL}, // editors say so; there is nothing else
    {OPT_STATS, 0, "stats", NULL, COMPILES | LINK, "time and memory by stage, to standard error"},
    {OPT_HELP, 'h', "help", NULL, ~0u, "this text"},
    {OPT_VERSION, 0, "version", NULL, ~0u, "the version"},
};

enum {
    COMMANDS = sizeof commands / sizeof *commands,
    OPTIONS = sizeof options / sizeof *options,
};

static const Tables tables = {commands, COMMANDS, options, OPTIONS};

typedef struct {
    Arena *arena;
    Diag diag;
    Options o;
    const CommandInfo *command;
    Words words;   // what is no option
    bool dashes;   // "--" was seen
    Words behind;  // what follows it
    uint32_t runs; // history -n; 0: not given
    bool help, bad;
} Line;

// ---- help and mistakes ----

static void print_help(const CommandInfo *c)
{
    if (!c) {
        puts("stanch " STANCH_VERSION ": finds memory leaks in C and C++ programs\n");
        for (int i = 0; i < COMMANDS; i++)
            printf("  stanch %-8s %s\n", commands[i].name, commands[i].help);
        puts("\nstanch COMMAND --help says more.\n"
             "exit status: 0 nothing found, 1 findings, 2 usage or unusable input,\n"
             "             3 incomplete (some units or functions were given up and nothing was "
             "found),\n"
             "             4 the observed build failed, whatever was found");
        return;
    }
    printf("stanch %s\n\n%s\n\n", c->synopsis, c->help);
    if (c->bit == SHOW) {
        fputs("WHAT:", stdout);
        for (uint32_t i = 0; stage_show_word(i); i++) printf(" %s", stage_show_word(i));
        puts("\n");
    }
    for (int i = 0; i < OPTIONS; i++) {
        const OptionSpec *s = &options[i];
        if (!(s->commands & c->bit) || !s->help) continue;
        char left[80];
        snprintf(left, sizeof left, "%c%c%s--%s%s%s", s->letter ? '-' : ' ',
                 s->letter ? s->letter : ' ', s->letter ? ", " : "  ", s->name, s->value ? "=" : "",
                 s->value ? s->value : "");
        printf("  %-36s %s\n", left, s->help);
    }
}

// Edits (insert, remove, replace, swap of neighbours) from one word to another, for suggestions.
static uint32_t distance(const char *a, size_t n, const char *b)
{
    size_t m = strlen(b);
    if (n > 40 || m > 40) return 99;
    uint32_t d[42][42];
    for (size_t i = 0; i <= n; i++) d[i][0] = (uint32_t)i;
    for (size_t k = 0; k <= m; k++) d[0][k] = (uint32_t)k;
    for (size_t i = 1; i <= n; i++)
        for (size_t k = 1; k <= m; k++) {
            uint32_t best = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            if (d[i - 1][k] + 1 < best) best = d[i - 1][k] + 1;
            if (d[i][k - 1] + 1 < best) best = d[i][k - 1] + 1;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                d[i - 2][k - 2] + 1 < best)
                best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    return d[n][m];
}

typedef struct {
    const char *word;
    uint32_t distance;
} NearestWord;

static void guess(NearestWord *g, const char *text, size_t len, const char *word)
{
    uint32_t far = distance(text, len, word);
    if (far < g->distance) *g = (NearestWord){word, far};
}

static NearestWord no_guess(size_t len)
{
    return (NearestWord){NULL, len < 4 ? 2 : 3};
}

__attribute__((format(printf, 2, 3))) static void bad(Line *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(l->arena, fmt, ap);
    va_end(ap);
    diag_error(&l->diag, "%s", text);
    l->bad = true;
}

static void unknown_option(Line *l, const char *arg)
{
    size_t dashes = strspn(arg, "-"), len = strcspn(arg + dashes, "=");
    NearestWord g = no_guess(len);
    for (int i = 0; i < OPTIONS; i++)
        if (!l->command || options[i].commands & l->command->bit)
            guess(&g, arg + dashes, len, options[i].name);
    if (g.word)
        bad(l, "unknown option %.*s; did you mean --%s?", (int)(dashes + len), arg, g.word);
    else
        bad(l, "unknown option %.*s; see stanch%s%s --help", (int)(dashes + len), arg,
            l->command ? " " : "", l->command ? l->command->name : "");
}

// ---- one option ----

static uint32_t number(Line *l, const char *name, const char *text, uint32_t max)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < 1 || n > max) {
        bad(l, "%s needs a number from 1 to %u, not '%s'", name, max, text);
        return 1;
    }
    return (uint32_t)n;
}

static void bad_value(Line *l, const OptionSpec *s, const char *value)
{
    bad(l, "--%s is %s, not '%s'", s->name, s->value, value);
}

static void apply(Line *l, const OptionSpec *s, const char *value)
{
    Options *o = &l->o;
    switch ((OptionId)s->id) {
    case OPT_FORMAT:
        if (!format_find(value, &o->format)) bad_value(l, s, value);
        break;
    case OPT_HISTORY_FORMAT:
        if (!format_find(value, &o->format) || (o->format != FORMAT_TEXT && o->format != FORMAT_HTML))
            bad_value(l, s, value);
        break;
    case OPT_OUTPUT:
        o->output = value;
        break;
    case OPT_JOBS:
        o->jobs = number(l, "-j", value, 1024);
        break;
    case OPT_LEVEL:
        if (!level_find(value, &o->check.level)) bad_value(l, s, value);
        break;
    case OPT_IMPACT:
        if (!impact_find(value, &o->check.impact)) bad_value(l, s, value);
        break;
    case OPT_EACH:
        o->check.each = true;
        break;
    case OPT_WITHOUT: {
        const char *unknown;
        if (!without_add(&o->check.without, value, &unknown))
            bad(l, "there is no doubt or assumption '%.*s' (the ids are in --stats and in 'doubts' of the JSON report)",
                (int)strcspn(unknown, ","), unknown);
        break;
    }
    case OPT_RULES:
        if (!check_rules(value, &o->check.rules_off, &l->diag)) l->bad = true;
        break;
    case OPT_SPEC:
        vec_push(&o->specs, value);
        break;
    case OPT_NO_PROJECT_SPECS:
        o->no_project_specs = true;
        break;
    case OPT_BASELINE:
        o->check.baseline = value;
        break;
    case OPT_CATEGORY:
        o->category = value;
        break;
    case OPT_WRITE_BASELINE:
        o->write_baseline = value;
        break;
    case OPT_SUPPRESS:
        vec_push(&o->check.suppress_files, value);
        break;
    case OPT_COLOR:
        if (strcmp(value, "auto") == 0)
            o->color = COLOR_AUTO;
        else if (strcmp(value, "always") == 0)
            o->color = COLOR_ALWAYS;
        else if (strcmp(value, "never") == 0)
            o->color = COLOR_NEVER;
        else
            bad_value(l, s, value);
        break;
    case OPT_QUIET:
        o->quiet = l->diag.quiet = true;
        break;
    case OPT_VERBOSE:
        o->verbose = true;
        break;
    case OPT_NO_CACHE:
        o->no_cache = true;
        break;
    case OPT_NO_PRUNE:
        o->prune = PRUNE_NOTHING;
        break;
    case OPT_NO_FLOW_PRUNE:
        if (o->prune == PRUNE_ALL) o->prune = PRUNE_EFFORT;
        break;
    case OPT_NO_RECORD:
        o->no_record = true;
        break;
    case OPT_STDIO:
        break;
    case OPT_OUT:
        o->out_dir = value;
        break;
    case OPT_CACHE_DIR:
        o->cache_dir = value;
        break;
    case OPT_STORE:
        o->store = value;
        break;
    case OPT_STATS:
        o->stats = true;
        break;
    case OPT_DATABASE:
        o->database = value;
        break;
    case OPT_SINCE:
        o->since = value;
        break;
    case OPT_DOT:
        o->dot = true;
        break;
    case OPT_INDIRECT:
        o->indirect = true;
        break;
    case OPT_COUNT:
        l->runs = number(l, "-n", value, 1000000);
        break;
    case OPT_HELP:
        l->help = true;
        break;
    case OPT_VERSION:
        puts("stanch " STANCH_VERSION);
        exit(EXIT_CLEAN);
    }
}

// Of options of one name the one that the command has.
static const OptionSpec *find_option(const CommandInfo *c, const char *arg, const char **value)
{
    const OptionSpec *other = NULL;
    *value = NULL;
    for (int i = 0; i < OPTIONS; i++) {
        const OptionSpec *s = &options[i];
        if (arg[1] == '-') {
            size_t n = strlen(s->name);
            if (strncmp(arg + 2, s->name, n) != 0 || (arg[2 + n] && arg[2 + n] != '=')) continue;
            if (arg[2 + n]) *value = arg + 3 + n;
            if (!c || s->commands & c->bit) return s;
            if (!other) other = s;
            continue;
        }
        if (s->letter && arg[1] == s->letter && (!arg[2] || s->value)) {
            if (arg[2]) *value = arg + 2;
            return s;
        }
    }
    return other;
}

static void take_option(Line *l, char **argv, int argc, int *i)
{
    const char *arg = argv[*i], *value;
    const OptionSpec *s = find_option(l->command, arg, &value);
    if (!s) {
        unknown_option(l, arg);
        return;
    }
    if (l->command && !(s->commands & l->command->bit)) {
        bad(l, "stanch %s has no option %s", l->command->name, arg);
        return;
    }
    if (!s->value && value) {
        bad(l, "--%s takes no value", s->name);
        return;
    }
    if (s->value && !value) {
        if (*i + 1 >= argc || strcmp(argv[*i + 1], "--") == 0) {
            bad(l, "%s needs %s", arg, s->value);
            return;
        }
        value = argv[++*i];
    }
    apply(l, s, value);
}

static void find_command(Line *l, const char *word)
{
    NearestWord g = no_guess(strlen(word));
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(word, commands[i].name) == 0) {
            l->command = &commands[i];
            return;
        }
        guess(&g, word, strlen(word), commands[i].name);
    }
    if (g.word)
        bad(l, "unknown command '%s'; did you mean '%s'?", word, g.word);
    else if (file_exists(word))
        bad(l, "unknown command '%s'; to analyse the file: stanch check %s", word, word);
    else
        bad(l, "unknown command '%s'; see stanch --help", word);
}

static void read_line(Line *l, int argc, char **argv)
{
    for (int i = 1; i < argc && !l->bad; i++) {
        if (strcmp(argv[i], "--") == 0) {
            l->dashes = true;
            for (i++; i < argc; i++) vec_push(&l->behind, argv[i]);
        } else if (argv[i][0] == '-' && argv[i][1]) {
            take_option(l, argv, argc, &i);
        } else if (!l->command) {
            find_command(l, argv[i]);
        } else {
            vec_push(&l->words, argv[i]);
        }
    }
}

// ---- where things are ----

static uint32_t processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (uint32_t)n : 1;
}

// The first that exists of places seen from the executable's directory.
static const char *beside(Arena *a, const char *self, const char *const *places)
{
    const char *dir = path_dir(a, self);
    for (; *places; places++) {
        const char *path = path_join(a, dir, *places);
        if (file_exists(path)) return path;
    }
    return NULL;
}

static void find_places(Line *l)
{
    static const char *const models[] = {"../models", "../share/stanch/models", NULL};
    static const char *const plugin[] = {"stanch-lower.so", "../lib/stanch/stanch-lower.so", NULL};
    char *self = realpath("/proc/self/exe", NULL);
    l->o.self = self ? arena_strdup(l->arena, self) : "/proc/self/exe";
    free(self);
    const char *named = getenv("STANCH_MODELS");
    l->o.models = named && *named ? named : beside(l->arena, l->o.self, models);
    l->o.plugin = beside(l->arena, l->o.self, plugin);
    l->o.root = path_cwd(l->arena);
    l->o.check.root = l->o.root;
}

// ---- the commands ----

static bool no_words_behind(Line *l)
{
    if (l->dashes) bad(l, "stanch %s takes nothing after --", l->command->name);
    return !l->dashes;
}

// "check -- -odd.c": without files before it the dashes end the options, and files follow, up to a
// second pair for clang's flags.
static void files_behind(Line *l)
{
    if (l->words.len || !l->behind.len) return;
    uint32_t n = 0;
    while (n < l->behind.len && strcmp(l->behind.at[n], "--") != 0) vec_push(&l->words, l->behind.at[n++]);
    l->dashes = n < l->behind.len;
    if (l->dashes) n++;
    memmove(l->behind.at, l->behind.at + n, (l->behind.len - n) * sizeof *l->behind.at);
    l->behind.len -= n;
}

static int run_check(Line *l)
{
    Options *o = &l->o;
    files_behind(l);
    if (o->database) {
        o->only = l->words;
        if (no_words_behind(l)) o->input = INPUT_DATABASE;
    } else if (!l->words.len) {
        if (no_words_behind(l)) o->input = INPUT_LAST;
    } else {
        o->input = INPUT_FILES;
        o->files = l->words;
        o->flags = l->behind;
    }
    if (o->since && o->input == INPUT_LAST)
        bad(l, "--since compiles the old revision too: give files, -p DIR or stanch run");
    return l->bad ? EXIT_UNUSABLE : stage_check(o, &l->diag);
}

static int run_build(Line *l)
{
    if (l->words.len)
        bad(l, "put the build command after --: stanch run -- %s", l->words.at[0]);
    else if (!l->behind.len)
        bad(l, "no build command; stanch run -- make");
    if (l->bad) return EXIT_UNUSABLE;
    l->o.input = INPUT_BUILD;
    vec_push(&l->behind, NULL);
    l->o.build = (char **)l->behind.at;
    return stage_check(&l->o, &l->diag);
}

static int run_unit(Line *l)
{
    if (!l->words.len && l->behind.len) {
        if (l->o.output) {
            bad(l, "the units of a compiler command are written next to its objects: no -o");
            return EXIT_UNUSABLE;
        }
        l->o.input = INPUT_COMMAND;
        l->o.flags = l->behind;
        return stage_unit_command(&l->o, &l->diag);
    }
    if (l->words.len != 1)
        bad(l, "stanch unit takes one source file");
    else if (!l->o.output)
        bad(l, "where to? stanch unit %s -o UNIT", l->words.at[0]);
    if (l->bad) return EXIT_UNUSABLE;
    l->o.input = INPUT_FILES;
    l->o.files = l->words;
    l->o.flags = l->behind;
    return stage_unit(&l->o, &l->diag);
}

static int run_link(Line *l)
{
    files_behind(l);
    if (!l->words.len) bad(l, "no units; see stanch link --help");
    if (!no_words_behind(l) || l->bad) return EXIT_UNUSABLE;
    l->o.input = INPUT_UNITS;
    l->o.files = l->words;
    return stage_check(&l->o, &l->diag);
}

// By its name alone: a program of the same name as a function often lies about.
static bool looks_like_input(const char *word)
{
    static const char *const ends[] = {"c",  "cc", "cpp", "cxx", "C",   "c++",
                                       "cp", "i",  "ii",  "u",   "unit"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(path_extension(word), ends[i]) == 0) return true;
    return false;
}

static int run_show(Line *l)
{
    Options *o = &l->o;
    const char *what = l->words.len ? l->words.at[0] : NULL, *selector = NULL;
    if (!what) {
        bad(l, "show what? see stanch show --help");
        return EXIT_UNUSABLE;
    }
    NearestWord g = no_guess(strlen(what));
    bool known = false;
    for (uint32_t i = 0; stage_show_word(i) && !known; i++) {
        known = strcmp(what, stage_show_word(i)) == 0;
        guess(&g, what, strlen(what), stage_show_word(i));
    }
    if (!known && g.word)
        bad(l, "'%s' is not a thing to show; did you mean '%s'?", what, g.word);
    else if (!known)
        bad(l, "'%s' is not a thing to show; see stanch show --help", what);
    uint32_t next = 1;
    if (next < l->words.len && !looks_like_input(l->words.at[next])) selector = l->words.at[next++];
    for (; next < l->words.len; next++) vec_push(&o->files, l->words.at[next]);
    if (o->database && o->files.len) bad(l, "either -p or files, not both: %s", o->files.at[0]);
    if (l->dashes && !o->files.len) bad(l, "flags after -- need files before it");
    if (o->dot && known && !stage_show_draws(what)) bad(l, "there is no --dot for %s", what);
    if (known && strcmp(what, "witness") == 0 && (o->database || o->files.len))
        bad(l, "show witness takes the id of a finding of the last run, nothing else");
    if (o->indirect && strcmp(what, "calls") != 0) bad(l, "--indirect is for calls");
    o->input = o->database ? INPUT_DATABASE : o->files.len ? INPUT_FILES : INPUT_LAST;
    o->flags = l->behind;
    int status = l->bad ? EXIT_UNUSABLE : stage_show(o, &l->diag, what, selector);
    vec_free(&o->files);
    return status;
}

static int infer_specs(Line *l)
{
    Options *o = &l->o;
    for (uint32_t i = 1; i < l->words.len; i++) vec_push(&o->files, l->words.at[i]);
    if (o->database && o->files.len) bad(l, "either -p or files, not both: %s", o->files.at[0]);
    if (l->dashes && !o->files.len) bad(l, "flags after -- need files before it");
    o->input = o->database ? INPUT_DATABASE : o->files.len ? INPUT_FILES : INPUT_LAST;
    o->flags = l->behind;
    int status = l->bad ? EXIT_UNUSABLE : stage_show(o, &l->diag, "infer", NULL);
    vec_free(&o->files);
    return status;
}

static int run_spec(Line *l)
{
    const char *verb = l->words.len ? l->words.at[0] : "";
    if (strcmp(verb, "infer") == 0) return infer_specs(l);
    if (strcmp(verb, "check") != 0)
        bad(l,
            *verb ? "stanch spec has no '%s'; there are: check, infer" : "stanch spec check FILE...",
            verb);
    else if (l->words.len < 2)
        bad(l, "no files; stanch spec check FILE...");
    if (l->bad) return EXIT_UNUSABLE;
    return spec_check_files(l->words.at + 1, l->words.len - 1, l->o.models, &l->diag);
}

enum { RUNS_LISTED = 20 };

static int run_history(Line *l)
{
    if (l->words.len) bad(l, "stanch history takes no '%s'", l->words.at[0]);
    if (l->bad) return EXIT_UNUSABLE;
    Out *out = l->o.output ? out_file(l->o.output) : out_fd(1);
    if (!out) {
        diag_error(&l->diag, "cannot write '%s': %s", l->o.output, strerror(errno));
        return EXIT_UNUSABLE;
    }
    const char *dir = path_join(l->arena, l->o.root, ".stanch");
    uint32_t runs = l->runs ? l->runs : l->o.format == FORMAT_HTML ? 0 : RUNS_LISTED;
    bool ok = l->o.format == FORMAT_HTML ? history_page(out, dir, path_base(l->o.root), runs, &l->diag)
                                         : history_print(out, dir, runs, &l->diag);
    int error = out_close(out);
    if (error && error != EPIPE)
        diag_error(&l->diag, "cannot write '%s': %s", l->o.output ? l->o.output : "standard output", strerror(error));
    return ok && (!error || error == EPIPE) ? EXIT_CLEAN : EXIT_UNUSABLE;
}

static int run_confirm(Line *l)
{
    if (!no_words_behind(l)) return EXIT_UNUSABLE;
    return stage_confirm(&l->o, &l->diag, l->words.at, l->words.len);
}

static int run_lsp(Line *l)
{
    if (l->words.len) bad(l, "stanch lsp takes no '%s'", l->words.at[0]);
    if (!no_words_behind(l) || l->bad) return EXIT_UNUSABLE;
    return lsp_serve(&(LspOptions){.self = l->o.self, .in = 0, .out = 1});
}

static int run_rules(Line *l)
{
    if (l->words.len) bad(l, "stanch rules takes no '%s'", l->words.at[0]);
    if (l->bad) return EXIT_UNUSABLE;
    for (int r = 0; r < RULE_COUNT; r++) {
        const RuleInfo *i = rule_info((Rule)r);
        printf("%-16s CWE-%-4u %s\n", i->word, i->cwe, i->brief);
    }
    return EXIT_CLEAN;
}

static int run_help(Line *l)
{
    const char *word = l->words.len ? l->words.at[0] : NULL;
    if (word && strcmp(word, "completion") == 0) {
        if (l->words.len != 2 || !options_completion(&tables, l->words.at[1]))
            bad(l, "stanch help completion bash|zsh|fish");
    } else if (word && strcmp(word, "table") == 0) {
        options_table(&tables); // for the test of the man page
    } else {
        l->command = NULL;
        if (word) find_command(l, word);
        if (!l->bad) print_help(l->command);
    }
    return l->bad ? EXIT_UNUSABLE : EXIT_CLEAN;
}

static int run_command(Line *l)
{
    switch (l->command->bit) {
    case CHECK:
        return run_check(l);
    case RUN:
        return run_build(l);
    case UNIT:
        return run_unit(l);
    case LINK:
        return run_link(l);
    case SHOW:
        return run_show(l);
    case SPEC:
        return run_spec(l);
    case CONFIRM:
        return run_confirm(l);
    case LSP:
        return run_lsp(l);
    case RULES:
        return run_rules(l);
    case HELP:
        return run_help(l);
    case VERSION:
        puts("stanch " STANCH_VERSION);
        return EXIT_CLEAN;
    default:
        return run_history(l);
    }
}

// The command line as the history shows it.
static const char *title_of(Arena *a, int argc, char **argv)
{
    const char *title = "";
    for (int i = 1; i < argc && strlen(title) < 200; i++)
        title = arena_printf(a, "%s%s%s", title, i > 1 ? " " : "", argv[i]);
    return title;
}

int main(int argc, char **argv)
{
    if (argc > 0 && capture_is_shim(argv[0])) return capture_shim_main(argc, argv);
    mem_keep_freed();
    signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write
    signal(SIGXFSZ, SIG_IGN); // so is a file that may not grow
    Line l = {.arena = arena_new("command line"), .runs = 0};
    l.o.jobs = processors();
    l.o.check.level = LEVEL_LIKELY;
    l.o.check.impact = IMPACT_MEMORY_SHORT;
    read_line(&l, argc, argv);
    l.diag.color =
        l.o.color == COLOR_ALWAYS || (l.o.color == COLOR_AUTO && isatty(2) && !getenv("NO_COLOR"));
    int status = EXIT_UNUSABLE;
    if (!l.bad && (l.help || argc < 2)) {
        print_help(l.command);
        status = argc < 2 ? EXIT_UNUSABLE : EXIT_CLEAN;
    } else if (!l.bad && !l.command) {
        bad(&l, "no command; see stanch --help");
    } else if (!l.bad) {
        find_places(&l);
        l.o.title = title_of(l.arena, argc, argv);
        status = run_command(&l);
    }
    vec_free(&l.words);
    vec_free(&l.behind);
    vec_free(&l.o.specs);
    vec_free(&l.o.check.suppress_files);
    arena_free(l.arena);
    return status;
}
