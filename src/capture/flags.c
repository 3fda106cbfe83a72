// A compiler's command line taken apart: which flags our clang is given, which files are sources
// and in which language, what the command writes. The table in flags.def decides; a word that is
// not in it and begins with a dash is dropped.
#include "base/file.h"
#include "capture/capture_int.h"

#include <ctype.h>

typedef enum { EXACT, JOINED, SEPARATE, EITHER, EQUALS } Shape;

typedef enum {
    KEEP,
    PATH,
    MACHINE,
    DROP,
    DEFINE,
    UNDEFINE,
    BUILTIN,
    INCLUDE_DIR,
    INCLUDE,
    IMACROS,
    INCLUDE_PCH,
    SYSROOT,
    NOSTDINC,
    STDLIB,
    WP,
    XPREPROCESSOR,
    XCLANG,
    STD,
    ANSI,
    LANGUAGE,
    PLAN9,
    FREESTANDING,
    C_ONLY,
    CXX_ONLY,
    PTHREAD,
    TARGET,
    COMPILE,
    NO_OBJECT,
    ASSEMBLY,
    OUTPUT,
    OPTIMIZE,
    PIC,
    SHARED,
    PARTIAL,
    LIBRARY_DIR,
    LIBRARY,
    WL,
    XLINKER,
    XARCH,
} FlagAction;

typedef struct {
    const char *name;
    Shape shape;
    FlagAction action;
} FlagRow;

static const FlagRow rows[] = {
#define FLAG(name, shape, action) {name, shape, action},
#include "capture/flags.def"
#undef FLAG
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool begins(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && strcmp(s + n - m, suffix) == 0;
}

static bool row_matches(const FlagRow *r, const char *word)
{
    size_t n = strlen(r->name);
    if (strncmp(word, r->name, n) != 0) return false;
    switch (r->shape) {
    case EXACT:
    case SEPARATE:
        return !word[n];
    case JOINED:
    case EITHER:
        return true;
    case EQUALS:
        return !word[n] || word[n] == '=';
    }
    return false;
}

// The row with the longest name, so that -include-pch is not read as -include with "-pch".
static const FlagRow *find_row(const char *word)
{
    const FlagRow *best = NULL;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].name[1] == word[1] && row_matches(&rows[i], word) &&
            (!best || strlen(rows[i].name) > strlen(best->name)))
            best = &rows[i];
    return best;
}

void flags_unknown(const Words *argv, Words *out)
{
    for (uint32_t i = 1; i < argv->len; i++) {
        const char *w = argv->at[i];
        if (w[0] != '-' || !w[1]) continue;
        const FlagRow *r = find_row(w);
        if (!r) {
            // Warnings, debug information, optimisation: nobody expects them to matter here.
            bool said = strchr("WwgOp", w[1]) != NULL;
            vec_each (k, out) said = said || strcmp(out->at[k], w) == 0;
            if (!said) vec_push(out, w);
        } else if (r->shape == SEPARATE || (r->shape == EITHER && !w[strlen(r->name)])) {
            i++; // its value
        }
    }
}

bool flags_is_machine(const char *flag)
{
    const FlagRow *r = flag[0] == '-' ? find_row(flag) : NULL;
    return r && r->action == MACHINE;
}

// ---- tools and languages ----

// Behind a path and a target prefix, without the version: "/usr/bin/arm-eabi-gcc-12.1" is "gcc".
// *prefix is how many letters of the base name come before it.
static char *tool_word(const char *path, char buffer[64], size_t *prefix)
{
    const char *base = path_base(path);
    size_t n = strlen(base);
    if (n >= 4 && strcmp(base + n - 4, ".exe") == 0) n -= 4;
    size_t end = n;
    while (end && (isdigit((unsigned char)base[end - 1]) || base[end - 1] == '.')) end--;
    if (end && end < n && base[end - 1] == '-') n = end - 1;
    size_t start = n;
    while (start && base[start - 1] != '-') start--;
    if (n - start >= 64) start = n;
    memcpy(buffer, base + start, n - start);
    buffer[n - start] = 0;
    if (prefix) *prefix = start;
    return buffer;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

ToolKind tool_kind(const char *path)
{
    static const char *const compilers[] = {"gcc", "g++", "cc",   "c++",  "clang", "clang++",
                                            "c89", "c99", "c11",  "c17",  "tcc",   "pcc",
                                            "icc", "icx", "icpc", "icpx", NULL};
    static const char *const launchers[] = {"ccache", "sccache",    "distcc",
                                            "icecc",  "buildcache", NULL};
    static const char *const linkers[] = {"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", NULL};
    char buffer[64];
    const char *word = tool_word(path, buffer, NULL);
    if (is_one_of(word, compilers)) return TOOL_COMPILER;
    if (is_one_of(word, launchers)) return TOOL_LAUNCHER;
    if (strcmp(word, "ar") == 0) return TOOL_AR;
    if (strcmp(word, "as") == 0) return TOOL_AS;
    if (is_one_of(word, linkers)) return TOOL_LD;
    return TOOL_NONE;
}

static bool is_cxx_driver(const char *path)
{
    char buffer[64];
    const char *word = tool_word(path, buffer, NULL);
    return strstr(word, "++") || strcmp(word, "icpc") == 0 || strcmp(word, "icpx") == 0;
}

// A cross compiler says its target by its name. The host's own prefix says nothing new.
static const char *driver_target(Arena *a, const char *path)
{
    static const char *const machines[] = {
        "aarch64", "arm",     "i386",  "i486",  "i586",      "i686",        "mips",  "powerpc",
        "riscv32", "riscv64", "s390x", "sparc", "loongarch", "x86_64-w64-", "wasm32"};
    const char *base = path_base(path);
    char buffer[64];
    size_t prefix;
    tool_word(path, buffer, &prefix);
    if (prefix < 2) return NULL;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (begins(base, machines[i]))
            return arena_printf(a, "--target=%.*s", (int)prefix - 1, base);
    return NULL;
}

typedef struct {
    const char *name;
    OperandKind kind;
    const char *reason;
} NamedLanguage;

static const NamedLanguage extensions[] = {
    {"c", OPERAND_C, NULL},
    {"i", OPERAND_C, NULL},
    {"cc", OPERAND_CXX, NULL},
    {"cp", OPERAND_CXX, NULL},
    {"cxx", OPERAND_CXX, NULL},
    {"cpp", OPERAND_CXX, NULL},
    {"CPP", OPERAND_CXX, NULL},
    {"c++", OPERAND_CXX, NULL},
    {"C", OPERAND_CXX, NULL},
    {"ii", OPERAND_CXX, NULL},
    {"s", OPERAND_ASSEMBLER, "assembler"},
    {"S", OPERAND_ASSEMBLER, "assembler"},
    {"sx", OPERAND_ASSEMBLER, "assembler"},
    {"asm", OPERAND_ASSEMBLER, "assembler"},
    {"m", OPERAND_OTHER, "Objective-C"},
    {"mi", OPERAND_OTHER, "Objective-C"},
    {"mm", OPERAND_OTHER, "Objective-C++"},
    {"M", OPERAND_OTHER, "Objective-C++"},
    {"mii", OPERAND_OTHER, "Objective-C++"},
    {"f", OPERAND_OTHER, "Fortran"},
    {"F", OPERAND_OTHER, "Fortran"},
    {"for", OPERAND_OTHER, "Fortran"},
    {"f77", OPERAND_OTHER, "Fortran"},
    {"f90", OPERAND_OTHER, "Fortran"},
    {"F90", OPERAND_OTHER, "Fortran"},
    {"f95", OPERAND_OTHER, "Fortran"},
    {"f03", OPERAND_OTHER, "Fortran"},
    {"f08", OPERAND_OTHER, "Fortran"},
    {"d", OPERAND_OTHER, "D"},
    {"adb", OPERAND_OTHER, "Ada"},
    {"ads", OPERAND_OTHER, "Ada"},
    {"go", OPERAND_OTHER, "Go"},
    {"cu", OPERAND_OTHER, "CUDA"},
    {"hip", OPERAND_OTHER, "HIP"},
    {"cl", OPERAND_OTHER, "OpenCL"},
    {"h", OPERAND_HEADER, NULL},
    {"hh", OPERAND_HEADER, NULL},
    {"hpp", OPERAND_HEADER, NULL},
    {"hxx", OPERAND_HEADER, NULL},
    {"H", OPERAND_HEADER, NULL},
    {"h++", OPERAND_HEADER, NULL},
};

// The values of -x.
static const NamedLanguage languages[] = {
    {"c", OPERAND_C, NULL},
    {"cpp-output", OPERAND_C, NULL},
    {"c++", OPERAND_CXX, NULL},
    {"c++-cpp-output", OPERAND_CXX, NULL},
    {"c-header", OPERAND_HEADER, NULL},
    {"c++-header", OPERAND_HEADER, NULL},
    {"c++-system-header", OPERAND_HEADER, NULL},
    {"c++-user-header", OPERAND_HEADER, NULL},
    {"assembler", OPERAND_ASSEMBLER, "assembler"},
    {"assembler-with-cpp", OPERAND_ASSEMBLER, "assembler"},
    {"objective-c", OPERAND_OTHER, "Objective-C"},
    {"objective-c++", OPERAND_OTHER, "Objective-C++"},
    {"f77", OPERAND_OTHER, "Fortran"},
    {"f95", OPERAND_OTHER, "Fortran"},
    {"ada", OPERAND_OTHER, "Ada"},
    {"d", OPERAND_OTHER, "D"},
    {"go", OPERAND_OTHER, "Go"},
    {"cuda", OPERAND_OTHER, "CUDA"},
    {"cl", OPERAND_OTHER, "OpenCL"},
};

static const NamedLanguage *find_language(const NamedLanguage *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

OperandKind flags_language_of(const char *path, const char **reason)
{
    const NamedLanguage *l =
        find_language(extensions, sizeof extensions / sizeof *extensions, path_extension(path));
    *reason = l ? l->reason : NULL;
    return l ? l->kind : OPERAND_OBJECT;
}

// ---- one command ----

typedef struct {
    Arena *a;
    Command *c;
    const NamedLanguage *language; // of -x, for the files behind it
    bool cxx_driver, pic, optimized, gcc_headers;
    const char *std_c, *std_cxx; // the last one given
    FlagAction xclang;               // what the next -Xclang word is the value of, or KEEP
    Words includes;              // of -include, each once
    bool whole;                  // archives from here on are linked whole
} Parse;

// ---- values that are safe to hand on ----
//
// Clang's driver replaces every word that begins with @ by the words of that file, and the compiler
// proper, which gets most values as words of their own, does so once more: `-I@f` there is `-I`
// and `@f`, and the file may say `-load evil.so`. So no value that comes from a build may begin
// with @, nor with a dash, which could be read as an option.

// A file or directory: the same file, spelled so that it begins with neither.
static const char *safe_path(Arena *a, const char *value)
{
    return value[0] == '@' || value[0] == '-' ? arena_printf(a, "./%s", value) : value;
}

// The name of a macro or function, up to n bytes. Not what C calls an identifier in every detail:
// clang judges that.
static bool is_name(const char *s, size_t n)
{
    if (!n || isdigit((unsigned char)s[0])) return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '$' && !(s[i] & 0x80))
            return false;
    return true;
}

// Target and machine names, numbers.
static bool is_plain_value(const char *s)
{
    if (!isalnum((unsigned char)*s)) return false;
    for (const char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._+-", *c)) return false;
    return true;
}

bool flags_source_is_safe(const char *source)
{
    // Clang gives the base name to itself as a word of its own, and nothing can be put before it.
    return path_base(source)[0] != '@';
}

static void add_flag(Parse *p, const char *text, bool c, bool cxx)
{
    vec_push(&p->c->flags, ((Flag){text, c, cxx}));
}

static void add_joined(Parse *p, const char *name, const char *value)
{
    add_flag(p, arena_printf(p->a, "%s%s", name, value), true, true);
}

static void add_include(Parse *p, const char *name, const char *file)
{
    // The header is beside what was precompiled from it.
    size_t n = strlen(file);
    if (ends(file, ".gch") || ends(file, ".pch")) file = arena_strndup(p->a, file, n - 4);
    if (!*file) return;
    const char *text = arena_printf(p->a, "%s%s", name, safe_path(p->a, file));
    vec_each (i, &p->includes)
        if (strcmp(p->includes.at[i], text) == 0) return;
    vec_push(&p->includes, text);
    add_flag(p, text, true, true);
}

static void add_define(Parse *p, const char *value)
{
    // Promised in the design: code must not hide from us behind #ifndef __clang_analyzer__.
    if (begins(value, "__clang_analyzer__")) return;
    if (is_name(value, strcspn(value, "=("))) add_joined(p, "-D", value);
}

static void add_undefine(Parse *p, const char *value)
{
    if (is_name(value, strlen(value))) add_joined(p, "-U", value);
}

static void add_path(Parse *p, const char *name, const char *value)
{
    if (!*value || strcmp(value, "-") == 0) return;
    // Headers of GCC itself (its intrinsics above all) mean nothing to clang, which has its own.
    if (strstr(value, "/lib/gcc/") && (ends(value, "/include") || ends(value, "/include-fixed"))) {
        p->gcc_headers = true;
        return;
    }
    add_joined(p, name, safe_path(p->a, value));
}

// Standards that clang 19 knows; a newer one than these is read as the newest.
static void set_standard(Parse *p, const char *value)
{
    static const char *const c_known[] = {
        "c89",   "c90",   "iso9899:1990", "iso9899:199409", "c99",          "c9x",
        "c11",   "c1x",   "iso9899:1999", "iso9899:199x",   "iso9899:2011", "iso9899:201x",
        "c17",   "c18",   "iso9899:2017", "iso9899:2018",   "c23",          "c2x",
        "c2y",   "gnu89", "gnu90",        "gnu99",          "gnu9x",        "gnu11",
        "gnu1x", "gnu17", "gnu18",        "gnu23",          "gnu2x",        "gnu2y",
        NULL};
    static const char *const cxx_known[] = {"98", "03", "0x", "11", "1y", "14", "1z", "17",
                                            "2a", "20", "2b", "23", "2c", "26", NULL};
    if (begins(value, "c++") || begins(value, "gnu++")) {
        bool gnu = value[0] == 'g';
        const char *year = value + (gnu ? 5 : 3);
        p->std_cxx = arena_printf(p->a, "-std=%s%s", gnu ? "gnu++" : "c++",
                                  is_one_of(year, cxx_known) ? year : "26");
    } else if (is_one_of(value, c_known)) {
        p->std_c = arena_printf(p->a, "-std=%s", value);
    } else if (begins(value, "c") || begins(value, "gnu") || begins(value, "iso9899:")) {
        p->std_c = "-std=gnu23";
    }
}

// Only -D, -U and -I may come through -Wp, and -Xpreprocessor.
static void add_preprocessor(Parse *p, const char *word)
{
    if (begins(word, "-D")) add_define(p, word + 2);
    if (begins(word, "-U")) add_undefine(p, word + 2);
    if (begins(word, "-I")) add_path(p, "-I", word + 2);
}

void flags_whole_archive(const char *word, bool *whole)
{
    if (strcmp(word, "--whole-archive") == 0 || strcmp(word, "-whole-archive") == 0) *whole = true;
    if (strcmp(word, "--no-whole-archive") == 0 || strcmp(word, "-no-whole-archive") == 0) *whole = false;
}

static void add_comma_list(Parse *p, FlagAction action, const char *list)
{
    while (*list) {
        size_t n = strcspn(list, ",");
        const char *word = arena_strndup(p->a, list, n);
        if (action == WP) add_preprocessor(p, word);
        if (action == WL) {
            if (strcmp(word, "-r") == 0 || strcmp(word, "--relocatable") == 0) p->c->partial = true;
            if (strcmp(word, "-shared") == 0) p->c->shared = true;
            if (begins(word, "-l") && word[2])
                vec_push(&p->c->operands, ((Operand){OPERAND_LIBRARY, word + 2, NULL, p->whole}));
            if (word[0] != '-' && (ends(word, ".a") || ends(word, ".o")))
                vec_push(&p->c->operands, ((Operand){OPERAND_OBJECT, word, NULL, p->whole}));
            flags_whole_archive(word, &p->whole);
        }
        list += n + (list[n] == ',');
    }
}

static void add_xclang(Parse *p, const char *word)
{
    // CMake spells precompiled headers this way. Of all others nothing is kept: -load and
    // -plugin come through here.
    if (p->xclang == INCLUDE) add_include(p, "-include", word);
    if (p->xclang == INCLUDE_PCH) add_include(p, "-include", word);
    if (p->xclang == INCLUDE || p->xclang == INCLUDE_PCH)
        p->xclang = KEEP;
    else if (strcmp(word, "-include") == 0)
        p->xclang = INCLUDE;
    else if (strcmp(word, "-include-pch") == 0)
        p->xclang = INCLUDE_PCH;
}

static void act(Parse *p, const FlagRow *row, const char *word, const char *value)
{
    Command *c = p->c;
    switch (row->action) {
    case KEEP:
        if (!*value || is_plain_value(value)) add_joined(p, row->name, value);
        break;
    case PATH:
        add_path(p, row->name, value);
        break;
    case MACHINE:
        if (!*value || is_plain_value(value)) add_joined(p, row->name, value);
        break;
    case XLINKER:
        flags_whole_archive(value, &p->whole);
        break;
    case DROP:
    case XARCH:
        break;
    case DEFINE:
        add_define(p, value);
        break;
    case UNDEFINE:
        add_undefine(p, value);
        break;
    case INCLUDE_DIR:
        add_path(p, "-I", value);
        break;
    case INCLUDE:
    case INCLUDE_PCH:
        add_include(p, "-include", value);
        break;
    case IMACROS:
        add_include(p, "-imacros", value);
        break;
    case SYSROOT:
        add_path(p, "--sysroot=", value);
        break;
    case NOSTDINC: // decided at the end
        add_flag(p, "-nostdinc", true, true);
        break;
    case STDLIB:
        if (is_plain_value(value))
            add_flag(p, arena_printf(p->a, "-stdlib=%s", value), false, true);
        break;
    case WP:
    case WL:
        add_comma_list(p, row->action, value);
        break;
    case XPREPROCESSOR:
        add_preprocessor(p, value);
        break;
    case XCLANG:
        add_xclang(p, value);
        break;
    case STD:
        set_standard(p, value);
        break;
    case ANSI:
        p->std_c = "-std=c89";
        p->std_cxx = "-std=c++98";
        break;
    case LANGUAGE:
        p->language = find_language(languages, sizeof languages / sizeof *languages, value);
        break;
    case PLAN9:
        add_flag(p, "-fms-extensions", true, true);
        break;
    case FREESTANDING:
        add_flag(p, "-ffreestanding", true, true);
        break;
    case C_ONLY:
    case CXX_ONLY:
        if (!*value || is_plain_value(value))
            add_flag(p, word, row->action == C_ONLY, row->action == CXX_ONLY);
        break;
    case BUILTIN:
        if (is_name(value, strlen(value))) add_joined(p, row->name, value);
        break;
    case PTHREAD:
        add_flag(p, "-pthread", true, true);
        break;
    case TARGET:
        if (is_plain_value(value)) add_joined(p, "--target=", value);
        break;
    case COMPILE:
        if (c->mode == MODE_LINK) c->mode = MODE_COMPILE;
        break;
    case ASSEMBLY:
        c->assembly = true;
        c->mode = MODE_NO_OBJECT;
        break;
    case NO_OBJECT:
        c->mode = MODE_NO_OBJECT;
        break;
    case OUTPUT:
        c->output = value;
        break;
    case OPTIMIZE:
        p->optimized = strcmp(value, "0") != 0;
        break;
    case PIC:
        p->pic = true;
        break;
    case SHARED:
        c->shared = true;
        break;
    case PARTIAL:
        c->partial = true;
        break;
    case LIBRARY_DIR:
        if (*value) vec_push(&c->library_dirs, value);
        break;
    case LIBRARY:
        if (*value) vec_push(&c->operands, ((Operand){OPERAND_LIBRARY, value, NULL, p->whole}));
        break;
    }
}

static void add_operand(Parse *p, const char *word)
{
    Operand o = {OPERAND_OBJECT, word, NULL, p->whole};
    if (strcmp(word, "-") == 0) {
        o.kind = OPERAND_STDIN;
    } else if (p->language) {
        o.kind = p->language->kind;
        o.reason = p->language->reason;
    } else {
        o.kind = flags_language_of(word, &o.reason);
        // g++ reads .c as C++; a preprocessed .i too.
        if (o.kind == OPERAND_C && p->cxx_driver) o.kind = OPERAND_CXX;
    }
    vec_push(&p->c->operands, o);
}

// libtool compiles each source of a library twice, the second time with -fPIC -DPIC. PIC matters to
// assembler; without it the two are one job, which halves the work. Errs towards a missed leak in
// C code below #ifdef PIC.
static void finish_flags(Parse *p)
{
    VEC(Flag) kept = {0};
    vec_each (i, &p->c->flags) {
        Flag f = p->c->flags.at[i];
        if (p->pic && (strcmp(f.text, "-DPIC") == 0 || strcmp(f.text, "-DPIC=1") == 0)) continue;
        // With GCC's own headers named by hand (the Linux kernel does) clang still needs its own.
        if (p->gcc_headers && strcmp(f.text, "-nostdinc") == 0) f.text = "-nostdlibinc";
        vec_push(&kept, f);
    }
    if (p->std_c) vec_push(&kept, ((Flag){p->std_c, true, false}));
    if (p->std_cxx) vec_push(&kept, ((Flag){p->std_cxx, false, true}));
    // We always compile at -O1, see emit.c; a program built without optimisation must not see it.
    if (!p->optimized) vec_push(&kept, ((Flag){"-U__OPTIMIZE__", true, true}));
    vec_free(&p->c->flags);
    vec_keep(&kept, p->a);
    p->c->flags.at = kept.at;
    p->c->flags.len = kept.len;
    p->c->flags.cap = kept.cap;
}

// Behind ccache, distcc, libtool --mode=compile, env X=Y and the like.
static uint32_t find_compiler(const Words *argv)
{
    if (!argv->len || tool_kind(argv->at[0]) == TOOL_COMPILER) return 0;
    for (uint32_t i = 1; i < argv->len && i < 8; i++) {
        const char *w = argv->at[i], *reason;
        if (strcmp(w, "-c") == 0 || strcmp(w, "-o") == 0) break;
        if (w[0] == '-') continue;
        if (tool_kind(w) == TOOL_COMPILER) return i;
        if (flags_language_of(w, &reason) != OPERAND_OBJECT) break;
    }
    // ccache slang-cc x.c: whatever the launcher starts is the compiler.
    return argv->len > 1 && tool_kind(argv->at[0]) == TOOL_LAUNCHER && argv->at[1][0] != '-';
}

void command_parse(Arena *a, const char *directory, const Words *argv, Command *out)
{
    *out = (Command){.directory = directory, .mode = MODE_LINK};
    Parse p = {.a = a, .c = out};
    uint32_t first = find_compiler(argv);
    if (argv->len) {
        p.cxx_driver = is_cxx_driver(argv->at[first]);
        const char *target = driver_target(a, argv->at[first]);
        if (target) add_flag(&p, target, true, true);
    }
    for (uint32_t i = first + 1; i < argv->len; i++) {
        const char *word = argv->at[i];
        if (word[0] != '-' || !word[1]) {
            if (*word) add_operand(&p, word);
            continue;
        }
        const FlagRow *row = find_row(word);
        if (!row) continue;
        const char *value = word + strlen(row->name);
        if (row->shape == EQUALS && *value) value++;
        bool next = row->shape == SEPARATE || row->action == XARCH ||
                    ((row->shape == EITHER || row->shape == EQUALS) && !word[strlen(row->name)]);
        if (next) value = i + 1 < argv->len ? argv->at[++i] : "";
        if (next && !*value) continue;
        act(&p, row, word, value);
    }
    finish_flags(&p);
    if (p.language) {
        Operand forced = {p.language->kind, NULL, p.language->reason, false};
        out->forced = arena_copy(a, &forced, sizeof forced);
    }
    vec_keep(&out->operands, a);
    vec_keep(&out->library_dirs, a);
    vec_free(&p.includes);
}

const char *const capture_env_names[CAPTURE_ENV_COUNT] = {"CPATH", "C_INCLUDE_PATH",
                                                          "CPLUS_INCLUDE_PATH"};

void command_add_env(Arena *a, Command *command, const char *const *values)
{
    VEC(Flag) flags = {0};
    vec_append(&flags, command->flags.at, command->flags.len);
    for (int v = 0; v < CAPTURE_ENV_COUNT; v++) {
        for (const char *s = values[v]; s && *s;) {
            size_t n = strcspn(s, ":");
            const char *dir = safe_path(a, arena_strndup(a, s, n));
            if (n)
                vec_push(&flags, ((Flag){arena_printf(a, "%s%s", v ? "-isystem" : "-I", dir),
                                         v != 2, v != 1}));
            s += n + (s[n] == ':');
        }
    }
    vec_keep(&flags, a);
    command->flags.at = flags.at;
    command->flags.len = command->flags.cap = flags.len;
}
