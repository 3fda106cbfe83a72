// Writes the program that runs a library's functions as its recipes say.
//
//   gen MODELS LIB DIR OUT.c     DIR holds LIB.calls (the recipes), LIB.h (headers and fixtures), undriven
//
// In: the rows of MODELS/LIB.own and the recipes; out: one C function for each recipe, which makes the
// arguments, calls the real function and hands all values to run.c. What is checked there comes from the
// row alone. Promised: a row without a recipe that `undriven` does not name is an error, and so is a recipe
// or an entry of `undriven` for which there is no row, or an entry for a function that has a recipe.
//
// doc/testing.md has the language of the recipes.
#include "base/file.h"
#include "base/map.h"
#include "spec/spec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 24 };

typedef struct {
    const char *key, *value;
} Pair;

typedef struct {
    const SpecFunc *f;
    const char *text; // as written, for messages
    bool fail;        // `!`: the call must fail
    bool alone;       // `@`: changes the process
    bool kept;        // `?`: the library keeps a way to what it gives, so that its loss cannot be seen
    char *setup, *after;
    char *within; // `[F]`: the whole is done by a function that F calls
    char *args[MAX_ARGS];
    uint32_t arg_count;
    const char *release; // `~`
    uint32_t line;
} Recipe;

typedef struct {
    Names *names;
    SpecTable *t;
    const char *lib, *dir, *failure;
    Arena *arena;
    Out *out;
    VEC(Pair) fixtures, releases;
    VEC(Recipe) recipes;
    Map driven, undriven, absent; // Name ids
    uint32_t errors, thunks;
    Map thunk_by_text;
} Gen;

static void complain(Gen *g, uint32_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void complain(Gen *g, uint32_t line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (line)
        fprintf(stderr, "%s.calls:%u: ", g->lib, line);
    else
        fprintf(stderr, "%s: ", g->lib);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    g->errors++;
}

static const char *text_of(const Gen *g, Name n) { return n.id ? name_text(g->names, n) : ""; }

static bool of_lib(const Gen *g, const SpecFunc *f)
{
    const char *base = path_base(f->file);
    size_t n = strlen(g->lib);
    return !strncmp(base, g->lib, n) && !strcmp(base + n, ".own");
}

// ---- Types as C, without what they say of ownership.

static void c_type(const Gen *g, Out *o, const SpecType *type)
{
    switch (type->kind) {
    case SPEC_T_POINTER:
    case SPEC_T_REFERENCE:
        if (type->to->kind == SPEC_T_FUNCTION) {
            out_text(o, "void *");
            return;
        }
        c_type(g, o, type->to);
        out_text(o, " *");
        if (type->is_const) out_text(o, "const");
        return;
    case SPEC_T_VAR:
        out_text(o, "void *");
        return;
    case SPEC_T_CONTAINER:
        out_text(o, text_of(g, spec_container(g->t, type->container)->name));
        return;
    case SPEC_T_FUNCTION:
        out_text(o, "void");
        return;
    case SPEC_T_BASE:
        if (type->is_const) out_text(o, "const ");
        out_text(o, text_of(g, type->name));
    }
}

static char *c_text(Gen *g, const SpecType *type)
{
    Out *o = out_memory();
    c_type(g, o, type);
    size_t n;
    const char *s = out_content(o, &n);
    char *kept = arena_strndup(g->arena, s, n);
    out_discard(o);
    return kept;
}

static char *without_const(Gen *g, const char *type)
{
    char *s = arena_strdup(g->arena, type);
    for (char *c; (c = strstr(s, "const "));) memmove(c, c + 6, strlen(c + 6) + 1);
    size_t n = strlen(s);
    if (n > 5 && !strcmp(s + n - 5, "const")) s[n - 5] = 0;
    return s;
}

static const char *looked_up(const Pair *pairs, uint32_t count, const char *key)
{
    for (uint32_t i = count; i-- > 0;)
        if (!strcmp(pairs[i].key, key)) return pairs[i].value;
    return NULL;
}

// ---- `_`: an argument that the parameter's type and words suggest.

static bool is_number(const char *type)
{
    static const char *const words[] = {"int", "long", "unsigned", "short", "char", "size_t",
                                        "ssize_t", "off_t", "mode_t", "uint32_t", "uint16_t",
                                        "uint64_t", "int64_t", "intmax_t", "time_t", "socklen_t",
                                        "gboolean", "gint", "guint", "gsize", "gssize", "gint64",
                                        "guint64", "glong", "gulong", "guint32", "guint16", "gint32",
                                        "uInt", "uLong", "z_size_t", "z_off_t", "sqlite3_int64",
                                        "sqlite3_uint64", "regoff_t", "double", "float"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (!strncmp(type, words[i], n) && (!type[n] || type[n] == ' ')) return !strchr(type, '*');
    }
    return false;
}

// How many bytes or elements a parameter that measures another one says; 0: it measures none.
static uint32_t measure(const SpecFunc *f, uint16_t i)
{
    const int16_t *pair = f->size;
    for (uint16_t k = 0; k <= f->param_count; k++) {
        if (pair[0] == i || pair[1] == i) return pair[1] == SPEC_NONE ? 64 : 8;
        if (k < f->param_count) pair = f->params[k].length;
    }
    return 0;
}

static const char *by_default(Gen *g, const SpecFunc *f, uint16_t i, uint32_t line)
{
    const SpecParam *x = &f->params[i];
    const char *type = c_text(g, x->type), *plain = without_const(g, type);
    const char *named = arena_printf(g->arena, "%s %s", plain, text_of(g, x->name));
    const char *found = looked_up(g->fixtures.at, g->fixtures.len, named);
    if (!found) found = looked_up(g->fixtures.at, g->fixtures.len, plain);
    bool pointer = x->type->kind == SPEC_T_POINTER && x->type->to->kind != SPEC_T_FUNCTION;
    if (pointer && (x->place == SPEC_OUT || x->place == SPEC_INOUT)) {
        const char *to = without_const(g, c_text(g, x->type->to));
        return arena_printf(g->arena, "(%s *)slot(%u * sizeof(%s))", to, x->count ? x->count : 1, to);
    }
    if (found) return found;
    if (pointer) {
        const char *to = without_const(g, c_text(g, x->type->to));
        if (x->effect == SPEC_FILLS && x->length[0] != SPEC_NONE)
            return arena_printf(g->arena, "(%s)block(64)", plain);
        if (!strcmp(to, "char")) return x->effect == SPEC_FILLS ? "B(256)" : "S(\"text\")";
        if (!strcmp(to, "unsigned char"))
            return x->effect == SPEC_FILLS ? "(unsigned char *)B(1024)" : "(unsigned char *)S(\"text\")";
        if (!strcmp(to, "wchar_t")) return x->effect == SPEC_FILLS ? "(wchar_t *)B(1024)" : "W(L\"text\")";
        if (!strcmp(to, "void")) return "(void *)B(256)";
        return arena_printf(g->arena, "(%s)block(sizeof(%s))", plain, to);
    }
    uint32_t n = measure(f, i);
    if (n) return arena_printf(g->arena, "%u", n);
    if (!strcmp(plain, "double") || !strcmp(plain, "float") || !strcmp(plain, "long double"))
        return arena_printf(g->arena, "(%s)0.5", plain);
    if (!strcmp(text_of(g, x->name), "c")) return "'a'";
    if (is_number(plain)) return arena_printf(g->arena, "(%s)1", plain);
    complain(g, line, "%s: no value is known for '%s'; write one instead of _", text_of(g, f->name), named);
    return "0";
}

// ---- Reading the recipes.

// Past a string, a character, or a bracketed text; past one character otherwise.
static const char *skip(const char *s)
{
    if (*s == '"' || *s == '\'') {
        char q = *s++;
        while (*s && *s != q) s += *s == '\\' && s[1] ? 2 : 1;
        return *s ? s + 1 : s;
    }
    if (*s == '(' || *s == '{' || *s == '[') {
        char end = *s == '(' ? ')' : *s == '{' ? '}' : ']';
        s++;
        while (*s && *s != end) s = skip(s);
        return *s ? s + 1 : s;
    }
    return s + 1;
}

static const char *blank(const char *s)
{
    while (isspace((unsigned char)*s)) s++;
    return s;
}

static char *trimmed(Gen *g, const char *from, const char *to)
{
    from = blank(from);
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return arena_strndup(g->arena, from, (size_t)(to - from));
}

static const char *name_end(const char *s)
{
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    return s;
}

static const SpecFunc *row(Gen *g, const char *from, const char *to, uint32_t line, bool aliases)
{
    const char *name = trimmed(g, from, to);
    const SpecFunc *f = spec_find(g->t, name, NULL);
    if (!f || !of_lib(g, f) || (f->alias_of.id && !aliases)) {
        complain(g, line, "'%s' is no row of models/%s.own", name, g->lib);
        return NULL;
    }
    return f;
}

static void read_names(Gen *g, const char *s, uint32_t line)
{
    while (*(s = blank(s))) {
        const char *end = name_end(s);
        if (end == s) {
            complain(g, line, "a name was expected: %s", s);
            return;
        }
        Recipe r = {.f = row(g, s, end, line, false), .line = line};
        if (r.f) {
            r.text = text_of(g, r.f->name);
            for (uint16_t i = 0; i < r.f->param_count && i < MAX_ARGS; i++) r.args[r.arg_count++] = "_";
            vec_push(&g->recipes, r);
        }
        s = end;
    }
}

static void read_call(Gen *g, const char *s, uint32_t line)
{
    Recipe r = {.line = line, .text = s};
    for (;; s = blank(s + 1)) {
        if (*s == '!')
            r.fail = true;
        else if (*s == '@')
            r.alone = true;
        else if (*s == '?')
            r.kept = true;
        else
            break;
    }
    if (*s == '[') {
        const char *end = skip(s);
        r.within = trimmed(g, s + 1, end - 1);
        s = blank(end);
    }
    if (*s == '{') {
        const char *end = skip(s);
        r.setup = trimmed(g, s + 1, end - 1);
        s = blank(end);
    }
    const char *end = name_end(s);
    r.f = row(g, s, end, line, false);
    if (!r.f) return;
    s = blank(end);
    if (*s != '(') {
        complain(g, line, "'(' was expected: %s", s);
        return;
    }
    end = skip(s) - 1;
    for (s = blank(s + 1); s < end;) {
        const char *stop = s;
        while (stop < end && *stop != ',') stop = skip(stop);
        if (r.arg_count == MAX_ARGS) {
            complain(g, line, "more than %d arguments", MAX_ARGS);
            return;
        }
        r.args[r.arg_count++] = trimmed(g, s, stop);
        s = blank(stop + (stop < end));
    }
    s = blank(end + 1);
    if (*s == '{') {
        end = skip(s);
        r.after = trimmed(g, s + 1, end - 1);
        s = blank(end);
    }
    if (*s == '~') {
        end = name_end(s = blank(s + 1));
        r.release = trimmed(g, s, end);
        s = blank(end);
    }
    if (*s) complain(g, line, "not understood: %s", s);
    if (r.arg_count != r.f->param_count && !(r.f->variadic && r.arg_count > r.f->param_count))
        complain(g, line, "%s has %u parameters, not %u", text_of(g, r.f->name), r.f->param_count, r.arg_count);
    else
        vec_push(&g->recipes, r);
}

static bool starts(const char *s, const char *word, const char **rest)
{
    size_t n = strlen(word);
    if (strncmp(s, word, n) || !isspace((unsigned char)s[n])) return false;
    *rest = s + n;
    return true;
}

static Pair pair_of(Gen *g, const char *s)
{
    const char *eq = strstr(s, " = ");
    if (!eq) die("%s.calls: ' = ' is missing: %s", g->lib, s);
    return (Pair){trimmed(g, s, eq), trimmed(g, eq + 3, eq + strlen(eq))};
}

static char *read_whole(Gen *g, const char *name)
{
    const char *path = arena_printf(g->arena, "%s/%s", g->dir, name);
    size_t n;
    char *s = file_read(path, 1 << 22, &n);
    if (!s) die("%s cannot be read", path);
    char *kept = arena_strndup(g->arena, s, n);
    mem_free(s);
    return kept;
}

static void read_calls(Gen *g)
{
    char *s = read_whole(g, arena_printf(g->arena, "%s.calls", g->lib));
    uint32_t line = 0;
    while (s) {
        char *end = strchr(s, '\n');
        if (end) *end = 0;
        line++;
        const char *from = blank(s), *rest;
        if (!*from || *from == '#') {
        } else if (starts(from, "fixture", &rest)) {
            vec_push(&g->fixtures, pair_of(g, rest));
        } else if (starts(from, "release", &rest)) {
            vec_push(&g->releases, pair_of(g, rest));
        } else if (starts(from, "failure", &rest)) {
            g->failure = trimmed(g, rest, rest + strlen(rest));
        } else if (strchr(from, '(')) {
            read_call(g, from, line);
        } else {
            read_names(g, from, line);
        }
        s = end ? end + 1 : NULL;
    }
}

// LIB: reason: NAME...   The reason `absent` is checked: the linker must not know the name.
static void read_undriven(Gen *g)
{
    char *s = read_whole(g, "undriven");
    bool mine = false, absent = false;
    while (s) {
        char *end = strchr(s, '\n');
        if (end) *end = 0;
        if (*s && *s != '#' && !isspace((unsigned char)*s)) {
            const char *colon = strchr(s, ':');
            if (!colon || !strchr(colon + 1, ':')) die("undriven: 'LIB: reason:' was expected: %s", s);
            mine = strlen(g->lib) == (size_t)(colon - s) && !strncmp(s, g->lib, strlen(g->lib));
            absent = !strncmp(blank(colon + 1), "absent:", 7);
        } else if (mine && *s != '#') {
            for (const char *n = blank(s); *n;) {
                const char *stop = n;
                while (*stop && !isspace((unsigned char)*stop)) stop++;
                const SpecFunc *f = row(g, n, stop, 0, true);
                if (f) {
                    if (map_get(&g->undriven, f->name.id)) complain(g, 0, "%s is twice in undriven", text_of(g, f->name));
                    map_set(&g->undriven, f->name.id, 1);
                    if (absent) map_set(&g->absent, f->name.id, 1);
                }
                n = blank(stop);
            }
        }
        s = end ? end + 1 : NULL;
    }
}

// ---- Who releases what.

static const char *release_of(Gen *g, const Recipe *r, const SpecType *type, FamilyId family, bool first)
{
    if (first && r->release) return r->release;
    const char *text = type ? without_const(g, c_text(g, type)) : "";
    const char *found = looked_up(g->releases.at, g->releases.len, text);
    if (found) return found;
    const SpecFamily *fam = family.id ? spec_family(g->t, family) : NULL;
    if (!fam) return NULL;
    found = looked_up(g->releases.at, g->releases.len, text_of(g, fam->name));
    if (found) return found;
    if (family.id == 1) return "free";
    const char *by = text_of(g, fam->by);
    if (*by && !*name_end(by)) return by;
    // "the matching _free function"
    const char *star = strstr(text, " *");
    if (star) {
        const char *name = arena_printf(g->arena, "%.*s_free", (int)(star - text), text);
        if (spec_find(g->t, name, NULL)) return name;
    }
    complain(g, r->line, "%s: nobody is known who releases '%s' of the family %s", text_of(g, r->f->name), text,
             text_of(g, fam->name));
    return NULL;
}

static bool by_value(const Gen *g, FamilyId family)
{
    return family.id && spec_family(g->t, family)->repr == SPEC_VALUE;
}

// A function of one pointer that calls the releasing one; its number.
static uint32_t thunk(Gen *g, const char *func, bool value)
{
    const char *text = arena_printf(g->arena, "%s%s", func, value ? "#" : "");
    Name key = name_of(g->names, text);
    uint64_t *known = map_get(&g->thunk_by_text, key.id);
    if (known) return (uint32_t)*known;
    uint32_t n = ++g->thunks;
    out_printf(g->out, "static void release_%u(void *p) { %s(%sp); }\n", n, func, value ? "(long)" : "");
    map_set(&g->thunk_by_text, key.id, n);
    return n;
}

// ---- Writing.

static bool mentioned_by_star(const SpecFunc *f, uint16_t i)
{
    if (f->result.deref && f->result.param == i) return true;
    for (uint16_t k = 0; k < f->case_count; k++)
        if (f->cases[k].deref && f->cases[k].param == i) return true;
    for (uint16_t k = 0; k < f->param_count; k++)
        if (f->params[k].value.deref && f->params[k].value.param == i) return true;
    return false;
}

static bool is_void(const Gen *g, const SpecFunc *f)
{
    return f->result_type->kind == SPEC_T_BASE && !strcmp(text_of(g, f->result_type->name), "void");
}

static const char *va_of(const Recipe *r)
{
    for (uint32_t i = 0; i < r->arg_count; i++)
        if (!strncmp(r->args[i], "va(", 3)) return r->args[i] + 2;
    return NULL;
}

static void write_case(Gen *g, const Recipe *r, uint32_t number)
{
    Out *o = g->out;
    const SpecFunc *f = r->f;
    const char *name = text_of(g, f->name), *va = va_of(r);
    out_printf(o, "#line %u \"%s.calls\"\n", r->line, g->lib);
    out_printf(o, "static void case_%u%s(Run *x%s) {\n", number, va ? "_list" : r->within ? "_within" : "", va ? ", ..." : "");
    if (va) out_text(o, "    va_list ap; va_start(ap, x);\n");
    if (r->setup) out_printf(o, "    %s\n", r->setup);
    for (uint32_t i = 0; i < r->arg_count; i++) {
        const char *text = r->args[i];
        if (!strncmp(text, "va(", 3)) {
            out_printf(o, "#define a%u ap\n", i);
            continue;
        }
        bool plain = !strcmp(text, "_");
        if (plain) text = by_default(g, f, (uint16_t)i, r->line);
        out_printf(o, "    __auto_type a%u = %s; ARG(x, %u, a%u);\n", i, text, i, i);
        if (i < f->param_count && (f->params[i].place != SPEC_ITSELF || mentioned_by_star(f, (uint16_t)i) || f->params[i].then_positive))
            out_printf(o, "    SLOT(x, %u, a%u);\n", i, i);
    }
    char list[MAX_ARGS * 6] = "";
    for (uint32_t i = 0; i < r->arg_count; i++) sprintf(list + strlen(list), "%sa%u", i ? ", " : "", i);
    bool none = is_void(g, f);
    out_text(o, "    BEFORE(x);\n");
    // Fortified forms: the arguments that only they have are -1, "unknown size".
    for (uint32_t k = 0, n = 0; k < spec_func_count(g->t); k++) {
        const SpecFunc *a = spec_func(g->t, k);
        if (a->alias_of.id != f->name.id || a->param_count == f->param_count) continue;
        char more[MAX_ARGS * 8] = "";
        for (uint16_t i = 0; i < a->param_count; i++) {
            uint16_t old = 0;
            while (old < f->param_count && f->params[old].name.id != a->params[i].name.id) old++;
            if (old < f->param_count)
                sprintf(more + strlen(more), "%sa%u", i ? ", " : "", old);
            else
                sprintf(more + strlen(more), "%s-1L", i ? ", " : "");
        }
        for (uint32_t i = f->param_count; i < r->arg_count; i++) sprintf(more + strlen(more), ", a%u", i);
        out_printf(o, "    if (x->form == %u) {\n", ++n);
        if (none)
            out_printf(o, "        ((void (*)())x->fn)(%s); RESULT_VOID(x);\n    }\n", more);
        else
            out_printf(o, "        __auto_type r = ((__typeof__((%s)(%s)) (*)())x->fn)(%s); RESULT(x, r);\n    }\n", name, list, more);
    }
    out_text(o, "    if (!x->form) {\n");
    if (none)
        out_printf(o, "        ((__typeof__(&*%s))(x->fn ? x->fn : (void *)%s))(%s); RESULT_VOID(x);\n", name, name, list);
    else
        out_printf(o, "        __auto_type r = ((__typeof__(&*%s))(x->fn ? x->fn : (void *)%s))(%s); RESULT(x, r);\n", name, name, list);
    if (r->after) out_printf(o, "        %s\n", r->after);
    out_text(o, "    }\n");
    for (uint32_t i = 0; i < r->arg_count; i++)
        if (!strncmp(r->args[i], "va(", 3)) out_printf(o, "#undef a%u\n", i);
    if (va) out_text(o, "    va_end(ap);\n");
    out_text(o, "}\n");
    if (r->within)
        out_printf(o, "static void case_%u(Run *x) { %s((void (*)(void *))case_%u_within, x); }\n", number, r->within, number);
    if (va) {
        const char *inside = trimmed(g, va + 1, va + strlen(va) - 1);
        out_printf(o, "static void case_%u(Run *x) { case_%u_list(x%s%s); }\n", number, number, *inside ? ", " : "", inside);
    }
}

static void write_row(Gen *g, const Recipe *r, uint32_t number, const SpecFunc *as, uint32_t form, uint32_t *releases)
{
    Out *o = g->out;
    const char *name = text_of(g, as->name);
    out_printf(o, "    {\"%s\", \"%s\", case_%u, ", name, text_of(g, r->f->name), number);
    if (as == r->f)
        out_text(o, "0");
    else
        out_printf(o, "(void *)alias_%s", name);
    out_printf(o, ", %u, %u, %d, %d, %d, {", form, r->line, r->fail, r->alone, r->kept);
    for (uint32_t i = 0; i <= r->f->param_count; i++) {
        if (releases[i])
            out_printf(o, "%srelease_%u", i ? ", " : "", releases[i]);
        else
            out_printf(o, "%s0", i ? ", " : "");
    }
    out_text(o, "}},\n");
}

// [0]: the result, [1 + i]: what parameter i gives.
static void releases_of(Gen *g, const Recipe *r, uint32_t *releases)
{
    const SpecFunc *f = r->f;
    memset(releases, 0, (MAX_ARGS + 1) * sizeof *releases);
    FamilyId family = {0};
    if (f->result.gives == SPEC_OWN) family = f->result.family;
    for (uint16_t k = 0; k < f->case_count && !family.id; k++)
        if (f->cases[k].gives == SPEC_OWN) family = f->cases[k].family;
    bool first = true;
    if (family.id && !spec_family(g->t, family)->arena) {
        const char *by = release_of(g, r, f->result_type, family, true);
        if (by) releases[0] = thunk(g, by, by_value(g, family));
        first = false;
    }
    for (uint16_t i = 0; i < f->param_count; i++) {
        const SpecParam *x = &f->params[i];
        bool more = x->mode == SPEC_REF_INC && x->place == SPEC_ITSELF;
        if (!more && x->value.gives != SPEC_OWN) continue;
        FamilyId fam = more ? x->family : x->value.family;
        bool embedded = fam.id && spec_family(g->t, fam)->repr == SPEC_EMBEDDED;
        const SpecType *type = more || embedded ? x->type : x->type->to;
        const char *by = release_of(g, r, type, fam, first);
        if (by) releases[1 + i] = thunk(g, by, by_value(g, fam));
        first = false;
    }
}

static void write_all(Gen *g)
{
    Out *o = g->out;
    out_printf(o, "#include \"%s.h\"\n", g->lib);
    // Other names of the rows, as far as the library has them.
    for (uint32_t k = 0; k < spec_func_count(g->t); k++) {
        const SpecFunc *a = spec_func(g->t, k);
        if (a->alias_of.id && of_lib(g, a) && map_get(&g->driven, a->alias_of.id))
            out_printf(o, "extern void alias_%s(void) __asm__(\"%s\") __attribute__((weak));\n",
                       text_of(g, a->name), text_of(g, a->name));
    }
    for (uint32_t k = 0; k < spec_func_count(g->t); k++) {
        const SpecFunc *f = spec_func(g->t, k);
        if (of_lib(g, f) && map_get(&g->absent, f->name.id))
            out_printf(o, "extern char absent_%s __asm__(\"%s\") __attribute__((weak));\n",
                       text_of(g, f->name), text_of(g, f->name));
    }
    vec_each (i, &g->recipes) write_case(g, &g->recipes.at[i], i);
    uint32_t (*releases)[MAX_ARGS + 1] = mem_alloc((g->recipes.len + 1) * sizeof *releases);
    out_text(o, "#line 1 \"generated\"\n");
    vec_each (i, &g->recipes) releases_of(g, &g->recipes.at[i], releases[i]);
    out_text(o, "const Case cases[] = {\n");
    vec_each (i, &g->recipes) {
        const Recipe *r = &g->recipes.at[i];
        write_row(g, r, i, r->f, 0, releases[i]);
        uint32_t form = 0;
        for (uint32_t k = 0; k < spec_func_count(g->t); k++) {
            const SpecFunc *a = spec_func(g->t, k);
            if (a->alias_of.id != r->f->name.id) continue;
            bool other = a->param_count != r->f->param_count;
            if (other) form++;
            if (map_get(&g->undriven, a->name.id)) continue;
            write_row(g, r, i, a, other ? form : 0, releases[i]);
        }
    }
    out_text(o, "    {0}};\nconst Absent absents[] = {\n");
    for (uint32_t k = 0; k < spec_func_count(g->t); k++) {
        const SpecFunc *f = spec_func(g->t, k);
        if (of_lib(g, f) && map_get(&g->absent, f->name.id))
            out_printf(o, "    {\"%s\", &absent_%s},\n", text_of(g, f->name), text_of(g, f->name));
    }
    out_text(o, "    {0}};\n");
    out_printf(o, "const char failure_type[] = \"%s\";\n", g->failure ? g->failure : "");
    out_text(o, "#ifndef WARM_UP\n#define WARM_UP\n#endif\nvoid warm_up(void) { WARM_UP; }\n");
    mem_free(releases);
}

static void account(Gen *g)
{
    vec_each (i, &g->recipes) map_set(&g->driven, g->recipes.at[i].f->name.id, 1);
    uint32_t rows = 0, driven = 0, aliases = 0, missing = 0;
    for (uint32_t k = 0; k < spec_func_count(g->t); k++) {
        const SpecFunc *f = spec_func(g->t, k);
        if (!of_lib(g, f)) continue;
        const char *name = text_of(g, f->name);
        if (f->alias_of.id) {
            aliases++;
            continue;
        }
        rows++;
        bool is = map_get(&g->driven, f->name.id), not = map_get(&g->undriven, f->name.id);
        driven += is;
        if (is && not) complain(g, 0, "%s has a recipe and is in undriven as well", name);
        if (!is && !not) {
            complain(g, 0, "%s has neither a recipe nor a reason in undriven", name);
            missing++;
        }
    }
    uint32_t percent = rows ? driven * 100 / rows : 0;
    printf("%s: %u rows (and %u other names of them), %u driven: %u %%\n", g->lib, rows, aliases, driven, percent);
    const char *least = getenv("LEAST");
    if (least && percent < (uint32_t)atoi(least))
        complain(g, 0, "%u %% of the rows are driven, at least %s %% are wanted", percent, least);
    (void)missing;
}

int main(int argc, char **argv)
{
    if (argc != 5) die("gen MODELS LIB DIR OUT.c");
    Gen g = {.names = names_new(), .lib = argv[2], .dir = argv[3], .arena = arena_new("gen")};
    g.t = spec_new(g.names);
    Diag diag = {0};
    char *path = mem_printf("%s/%s.own", argv[1], g.lib);
    if (!spec_add_file(g.t, path, SPEC_FROM_MODEL, &diag)) return 2;
    read_calls(&g);
    read_undriven(&g);
    account(&g);
    g.out = out_file(argv[4]);
    if (!g.out) die("%s cannot be written", argv[4]);
    write_all(&g);
    if (out_close(g.out)) die("%s cannot be written", argv[4]);
    mem_free(path);
    fflush(stdout);
    return g.errors ? 1 : 0;
}
