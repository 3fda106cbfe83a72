// The table: what was declared, and which declaration speaks of a function.
#include "base/below.h"
#include "base/demangle.h"
#include "base/file.h"
#include "spec/spec_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SpecTable *spec_new(Names *names)
{
    SpecTable *t = mem_alloc(sizeof *t);
    t->names = names;
    t->arena = arena_new("spec");
    vec_push(&t->families, (SpecFamily){0});
    vec_push(&t->containers, (SpecContainer){0});
    FamilyId heap = table_family(t, name_of(names, "heap"));
    t->families.at[heap.id].declared = true;
    return t;
}

void spec_free(SpecTable *t)
{
    if (!t) return;
    vec_free(&t->shipped);
    vec_free(&t->funcs);
    vec_free(&t->patterns);
    vec_free(&t->elements);
    vec_free(&t->families);
    vec_free(&t->containers);
    map_free(&t->exact[0]);
    map_free(&t->exact[1]);
    map_free(&t->family_by_name);
    map_free(&t->container_by_name);
    map_free(&t->vars);
    map_free(&t->computes);
    map_free(&t->exceptions);
    mem_free(t->dense);
    mem_free(t->pattern_shapes);
    mem_free(t->element_shapes);
    arena_free(t->arena);
    mem_free(t);
}

void spec_verbose(SpecTable *t, bool on)
{
    t->verbose = on;
}

FamilyId table_family(SpecTable *t, Name name)
{
    bool fresh;
    uint64_t *at = map_at(&t->family_by_name, name.id, t->families.len, &fresh);
    FamilyId id = {(uint32_t)*at};
    if (fresh) vec_push(&t->families, ((SpecFamily){.name = name}));
    return id;
}

// Patterns are few; one with the same text is replaced where it is.
static uint32_t find_pattern(const SpecTable *t, const SpecFunc *f)
{
    vec_each (i, &t->patterns) {
        const SpecFunc *old = t->funcs.at[t->patterns.at[i]];
        if (old && !old->elements && old->name.id == f->name.id && old->origin == f->origin) return t->patterns.at[i];
    }
    return UINT32_MAX;
}

void table_add_func(SpecTable *t, const SpecFunc *f, Lexer *lex, const Token *at)
{
    if (f->elements) {
        vec_push(&t->elements, t->funcs.len);
        // Its code counts, where an earlier pattern says something else.
        if (f->elements == SPEC_ELEMENTS_WALKED && f->pattern) vec_push(&t->patterns, t->funcs.len);
        vec_push(&t->funcs, arena_copy(t->arena, f, sizeof *f));
        return;
    }
    Map *exact = &t->exact[f->origin];
    uint32_t old = UINT32_MAX;
    if (f->pattern) {
        old = find_pattern(t, f);
    } else {
        uint64_t *known = map_get(exact, f->name.id);
        if (known) old = (uint32_t)*known;
    }
    const SpecFunc *before = old != UINT32_MAX ? t->funcs.at[old] : NULL, *other = NULL;
    if (before && f->origin == SPEC_FROM_MODEL && !f->pattern && before->param_count != f->param_count) {
        other = before;
        before = NULL;
    }
    if (before) {
        if (before->file == f->file)
            lex_warn(lex, at, "'%s' is declared twice; line %u no longer counts",
                     name_text(t->names, f->name), before->line);
        t->funcs.at[old] = NULL;
    } else if (f->origin == SPEC_FROM_USER && !f->pattern) {
        uint64_t *model = map_get(&t->exact[SPEC_FROM_MODEL], f->name.id);
        if (model) before = t->funcs.at[*model];
    }
    if (before && before->file != f->file && t->verbose)
        diag_note(lex->diag, "%s:%u: '%s' replaces the declaration at %s:%u", f->file, f->line,
                  name_text(t->names, f->name), before->file, before->line);
    uint32_t index = t->funcs.len;
    SpecFunc *kept = arena_copy(t->arena, f, sizeof *f);
    kept->project = t->in_project;
    kept->other = other;
    t->has_project |= t->in_project;
    vec_push(&t->funcs, kept);
    if (f->origin == SPEC_FROM_MODEL && !f->pattern) vec_push(&t->shipped, f->name);
    if (f->pattern)
        vec_push(&t->patterns, index);
    else
        map_set(exact, f->name.id, index);
}

// What counts: neither replaced nor, being a model's, hidden by the user's of the same name.
static bool is_live(const SpecTable *t, const SpecFunc *f)
{
    return f && (f->origin == SPEC_FROM_USER || f->pattern ||
                 !map_get(&t->exact[SPEC_FROM_USER], f->name.id));
}

// Of the names of these functions.
static NameShape *shapes_of(const SpecTable *t, const U32s *funcs)
{
    NameShape *shapes = mem_alloc((funcs->len + 1) * sizeof *shapes);
    vec_each (i, funcs) {
        const SpecFunc *f = t->funcs.at[funcs->at[i]];
        if (!f) continue;
        const char *name = name_text(t->names, f->name), *list = strchr(name, '('), *colons = strstr(name, "::");
        shapes[i] = (NameShape){.first = *name == '*' ? 0 : *name,
                                .qualified = colons,
                                .scoped = colons && (!list || colons < list),
                                .list = list};
    }
    return shapes;
}

void table_settle(SpecTable *t)
{
    mem_free(t->pattern_shapes);
    mem_free(t->element_shapes);
    t->pattern_shapes = shapes_of(t, &t->patterns);
    t->element_shapes = shapes_of(t, &t->elements);
    mem_free(t->dense);
    t->dense = mem_alloc((t->funcs.len + 1) * sizeof *t->dense);
    t->live = 0;
    vec_each (i, &t->funcs)
        if (is_live(t, t->funcs.at[i])) t->dense[t->live++] = t->funcs.at[i];
}

// What is derived of all declarations is for whoever adds files to make, when all are there.
static bool add_text(SpecTable *t, const char *file, const char *text, size_t len, SpecOrigin origin,
                     Diag *diag)
{
    if (len > SPEC_MAX_FILE) {
        diag_error(diag, "%s: a specification of more than %d MiB is not read", file,
                   SPEC_MAX_FILE >> 20);
        return false;
    }
    Lexer lex = {.file = arena_strdup(t->arena, file),
                 .pos = text,
                 .end = text + len,
                 .line_text = text,
                 .line = 1,
                 .diag = diag};
    parse_text(t, &lex, origin);
    return lex.errors == 0;
}

bool spec_add_text(SpecTable *t, const char *file, const char *text, size_t len, SpecOrigin origin,
                   Diag *diag)
{
    bool good = add_text(t, file, text, len, origin, diag);
    table_settle(t);
    return good;
}

static bool add_file(SpecTable *t, const char *path, SpecOrigin origin, Diag *diag)
{
    size_t len;
    char *text = file_read(path, SPEC_MAX_FILE, &len);
    if (!text) {
        diag_error(diag, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = add_text(t, path, text, len, origin, diag);
    mem_free(text);
    return good;
}

bool spec_add_file(SpecTable *t, const char *path, SpecOrigin origin, Diag *diag)
{
    bool good = add_file(t, path, origin, diag);
    table_settle(t);
    return good;
}

// The models may be links, as a package manager makes them; a project's files may not.
static bool add_dir(SpecTable *t, int dir, const char *path, SpecOrigin origin, Diag *diag)
{
    Arena *a = arena_new("specs");
    bool good = true;
    for (const char **name = below_list(a, dir, ".own"); *name; name++) {
        const char *file = arena_printf(a, "%s/%s", path, *name);
        if (origin == SPEC_FROM_MODEL) {
            good &= add_file(t, file, origin, diag);
            continue;
        }
        size_t len;
        char *text = below_read(dir, *name, SPEC_MAX_FILE, &len);
        if (text)
            good &= add_text(t, file, text, len, origin, diag);
        else
            diag_error(diag, "%s: %s", file, below_why(errno)), good = false;
        mem_free(text);
    }
    arena_free(a);
    table_settle(t);
    return good;
}

bool spec_add_dir(SpecTable *t, const char *path, SpecOrigin origin, Diag *diag)
{
    int dir = below_trust(path);
    if (dir < 0) return false;
    bool good = add_dir(t, dir, path, origin, diag);
    close(dir);
    return good;
}

bool spec_add_project(SpecTable *t, const char *root, Diag *diag)
{
    int trusted = below_trust(root);
    int dir = trusted >= 0 ? below_dir(trusted, ".stanch", false) : -1, error = errno;
    if (trusted >= 0) close(trusted);
    char *path = mem_printf("%s/.stanch", root);
    if (dir < 0 && error == ELOOP) diag_error(diag, "%s: %s", path, below_why(error));
    t->in_project = true;
    bool good = dir >= 0 && add_dir(t, dir, path, SPEC_FROM_USER, diag);
    t->in_project = false;
    if (dir >= 0) close(dir);
    mem_free(path);
    return good;
}

bool spec_has_project(const SpecTable *t)
{
    return t->has_project;
}

const SpecFunc *spec_project_replaces(const SpecTable *t, uint32_t i, const char **name)
{
    *name = i < t->shipped.len ? name_text(t->names, t->shipped.at[i]) : NULL;
    const SpecFunc *f = *name ? spec_find(t, *name, *name) : NULL;
    return f && f->project ? f : NULL;
}

int spec_check_files(const char *const *paths, uint32_t count, const char *models, Diag *diag)
{
    Names *names = names_new();
    SpecTable *t = spec_new(names);
    if (models) spec_add_dir(t, models, SPEC_FROM_MODEL, diag);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) good &= spec_add_file(t, paths[i], SPEC_FROM_USER, diag);
    spec_free(t);
    names_free(names);
    return good ? 0 : 2;
}

// ---- Looking up.

static uint32_t operator_end(const char *text, uint32_t i)
{
    // operator<, operator->, operator(), operator<<=: their signs are no brackets.
    if (strncmp(text + i, "operator", 8)) return i;
    uint32_t k = i + 8;
    static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "->"};
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
        if (!strncmp(text + k, signs[s], strlen(signs[s]))) return k + (uint32_t)strlen(signs[s]);
    // Template arguments may follow them: operator<<<char>.
    if (text[k] == '<' || text[k] == '>') return k + 1 + (text[k + 1] == '=');
    while (text[k] && strchr("=-!+*/%^&|~,[]", text[k])) k++;
    return k;
}

// The name without its parameter list (unless `whole`) and result type, without the inline namespaces of the
// standard libraries and without ABI tags, so that one pattern fits all of them.
static char *plain_source(const char *source, bool whole)
{
    static const char *const noise[] = {"__cxx11::", "__1::", "[abi:cxx11]"};
    size_t len = strlen(source);
    char *out = mem_alloc(len + 1);
    uint32_t n = 0, depth = 0;
    bool in_list = false;
    for (uint32_t i = 0; i < len;) {
        uint32_t op = operator_end(source, i);
        if (op > i) {
            memcpy(out + n, source + i, op - i);
            n += op - i;
            i = op;
            continue;
        }
        bool skipped = false;
        for (size_t k = 0; k < sizeof noise / sizeof *noise && !skipped; k++) {
            size_t w = strlen(noise[k]);
            if (!strncmp(source + i, noise[k], w)) {
                i += (uint32_t)w;
                skipped = true;
            }
        }
        if (skipped) continue;
        if (source[i] == '<') depth++;
        if (source[i] == '>' && depth) depth--;
        // A demangled template function begins with its result type. (operator new and operator<<
        // <...> have a space of their own.)
        bool is_operator = n >= 8 && !memcmp(out + n - 8, "operator", 8);
        if (source[i] == ' ' && depth == 0 && !in_list && !is_operator && source[i + 1] != '<') {
            n = 0;
            i++;
            continue;
        }
        if (source[i] == '(' && depth == 0 && n > 0 &&
            strncmp(source + i, "(anonymous namespace)", 21)) {
            if (!whole) break;
            in_list = true;
        }
        if (!strncmp(source + i, "(anonymous namespace)", 21)) {
            memcpy(out + n, source + i, 21);
            n += 21;
            i += 21;
            continue;
        }
        out[n++] = source[i++];
    }
    out[n] = 0;
    return out;
}

// Where each opening bracket closes, so that `*` can step over what is nested: partner[i] is the
// index after the closing one, i + 1 for other letters, 0 for a closing bracket without partner
// inside the star's reach.
static void find_partners(const char *text, uint32_t len, uint32_t *partner)
{
    U32s open = {0};
    for (uint32_t i = 0; i < len; i++) partner[i] = i + 1;
    for (uint32_t i = 0; i < len; i++) {
        uint32_t op = operator_end(text, i);
        if (op > i) {
            i = op - 1;
            continue;
        }
        char c = text[i];
        if (c == '<' || c == '(') {
            vec_push(&open, i);
        } else if (c == '>' || c == ')') {
            while (open.len && text[vec_last(&open)] != (c == '>' ? '<' : '('))
                (void)vec_pop(&open);
            if (!open.len) continue;
            partner[vec_pop(&open)] = i + 1;
            partner[i] = 0;
        }
    }
    vec_free(&open);
}

// `*` stands for any text in which brackets are balanced. All ways are followed at once (a set of
// pattern places for each letter), so that no pattern makes this slow.
static bool glob(const char *pattern, const char *text)
{
    size_t plen = strlen(pattern), len = strlen(text), head = strcspn(pattern, "*");
    if (plen > SPEC_MAX_PATTERN || len > SPEC_MAX_NAME) return false;
    if (strncmp(pattern, text, head)) return false;
    uint32_t *partner = mem_alloc((len + 1) * sizeof *partner);
    find_partners(text, (uint32_t)len, partner);
    typedef struct {
        uint64_t at[4];
    } Places;
    Places *reach = mem_alloc((len + 1) * sizeof *reach);
    reach[0].at[0] = 1;
    bool found = false;
    for (uint32_t i = 0; i <= len; i++) {
        for (uint32_t k = 0; k < plen; k++) {
            if (!(reach[i].at[k / 64] >> (k % 64) & 1)) continue;
            uint32_t next = k + 1;
            if (pattern[k] == '*') {
                reach[i].at[next / 64] |= (uint64_t)1 << (next % 64);
                if (i < len && partner[i]) reach[partner[i]].at[k / 64] |= (uint64_t)1 << (k % 64);
            } else if (i < len && pattern[k] == text[i]) {
                reach[i + 1].at[next / 64] |= (uint64_t)1 << (next % 64);
            }
        }
    }
    found = reach[len].at[plen / 64] >> (plen % 64) & 1;
    mem_free(reach);
    mem_free(partner);
    return found;
}

static const SpecFunc *exact(const SpecTable *t, SpecOrigin origin, const char *text)
{
    if (!text || !*text) return NULL;
    Name name = name_find(t->names, text);
    uint64_t *i = name.id ? map_get(&t->exact[origin], name.id) : NULL;
    return i ? t->funcs.at[*i] : NULL;
}

// The name that is asked for, in the forms that patterns are compared with.
typedef struct {
    const char *symbol, *source;
    char *bare;
    char *whole; // with its parameters, once that was needed
    bool tried;
    bool scoped; // `bare` has "::"
} SoughtName;

// `text` is what the part of the name before its parameter list is compared with.
static bool may_fit(NameShape s, const char *text, bool scoped)
{
    return text && (!s.first || s.first == *text) && (scoped || !s.scoped);
}

// A pattern with a parameter list. Most functions are recognised by the name before it already, so that
// their symbols need not be taken apart.
static bool fits_with_params(const char *pattern, SoughtName *a)
{
    char name[SPEC_MAX_PATTERN + 1];
    size_t len = strcspn(pattern, "(");
    if (len > SPEC_MAX_PATTERN || !a->bare) return false;
    memcpy(name, pattern, len);
    name[len] = 0;
    if (!glob(name, a->bare)) return false;
    if (!a->tried) {
        char *text = demangle(a->symbol);
        a->whole = plain_source(text ? text : a->source, true);
        a->tried = true;
        mem_free(text);
    }
    return glob(pattern, a->whole);
}

static bool fits_pattern(const char *pattern, NameShape shape, SoughtName *a)
{
    if (!shape.qualified) return glob(pattern, a->symbol);
    return shape.list ? fits_with_params(pattern, a) : glob(pattern, a->bare);
}

static const SpecFunc *by_pattern(const SpecTable *t, SpecOrigin origin, SoughtName *a)
{
    bool walked = false;
    for (uint32_t i = t->patterns.len; i-- > 0;) {
        NameShape shape = t->pattern_shapes[i];
        if (!may_fit(shape, shape.qualified ? a->bare : a->symbol, a->scoped)) continue;
        const SpecFunc *f = t->funcs.at[t->patterns.at[i]];
        if (!f || f->origin != origin || !fits_pattern(name_text(t->names, f->name), shape, a)) continue;
        if (!f->elements) return walked && !f->generic ? NULL : f;
        walked = true;
    }
    return NULL;
}

const SpecFunc *spec_find(const SpecTable *t, const char *symbol, const char *source)
{
    // LLVM marks names that must not be mangled further with a \1.
    if (symbol && *symbol == 1) symbol++;
    if (!symbol) symbol = "";
    char *bare = source && *source ? plain_source(source, false) : NULL;
    SoughtName asked = {symbol, source, bare, NULL, false, bare && strstr(bare, "::")};
    const SpecFunc *f = NULL;
    for (int origin = SPEC_FROM_USER; origin >= SPEC_FROM_MODEL && !f; origin--) {
        f = exact(t, (SpecOrigin)origin, symbol);
        if (!f) f = exact(t, (SpecOrigin)origin, source);
        if (!f) f = exact(t, (SpecOrigin)origin, bare);
        if (!f) f = by_pattern(t, (SpecOrigin)origin, &asked);
    }
    mem_free(bare);
    mem_free(asked.whole);
    return f;
}

const SpecFunc *spec_find_elements(const SpecTable *t, const char *symbol, const char *demangled)
{
    const SpecFunc *found = NULL;
    char *bare = demangled ? plain_source(demangled, false) : NULL,
         *whole = demangled ? plain_source(demangled, true) : NULL;
    bool scoped = whole && strstr(whole, "::");
    for (uint32_t i = t->elements.len; i-- > 0 && !found;) {
        NameShape shape = t->element_shapes[i];
        const char *text = !shape.qualified ? symbol : shape.list ? whole : bare;
        if (!may_fit(shape, text, scoped)) continue;
        const SpecFunc *f = t->funcs.at[t->elements.at[i]];
        const char *name = name_text(t->names, f->name);
        if (f->pattern ? glob(name, text) : strcmp(name, text) == 0) found = f;
    }
    mem_free(bare);
    mem_free(whole);
    return found;
}

bool spec_beats_code(const SpecFunc *f)
{
    return (f->origin == SPEC_FROM_USER && !f->inferred) || ((f->pattern || f->qualified || f->in_header) && !f->generic);
}

bool spec_rearranges(const SpecFunc *f, uint32_t param)
{
    for (uint32_t k = 0; k < f->copy_count; k++)
        if (f->copies[k].from == (int32_t)param && f->copies[k].to == (int32_t)param) return true;
    return false;
}

const Names *spec_names(const SpecTable *t)
{
    return t->names;
}

uint32_t spec_func_count(const SpecTable *t)
{
    return t->live;
}

const SpecFunc *spec_func(const SpecTable *t, uint32_t i)
{
    if (i >= t->live) die("spec_func: %u of %u", i, t->live);
    return t->dense[i];
}

uint32_t spec_family_count(const SpecTable *t)
{
    return t->families.len - 1;
}

const SpecFamily *spec_family(const SpecTable *t, FamilyId id)
{
    if (id.id >= t->families.len) die("spec_family: no family %u", id.id);
    return &t->families.at[id.id];
}

FamilyId spec_family_find(const SpecTable *t, const char *name)
{
    Name n = name_find(t->names, name);
    uint64_t *i = n.id ? map_get(&t->family_by_name, n.id) : NULL;
    return (FamilyId){i ? (uint32_t)*i : 0};
}

// `like` may form chains, never a cycle: the parser refuses one.
static FamilyId root(const SpecTable *t, FamilyId id)
{
    while (t->families.at[id.id].like.id) id = t->families.at[id.id].like;
    return id;
}

bool spec_family_fits(const SpecTable *t, FamilyId got, FamilyId taken)
{
    if (!got.id || !taken.id || got.id == taken.id) return true;
    return root(t, got).id == root(t, taken).id;
}

const char *spec_family_noun(const SpecTable *t, FamilyId id)
{
    Name noun = t->families.at[id.id < t->families.len ? id.id : 0].noun;
    return noun.id ? name_text(t->names, noun) : "memory";
}

uint32_t spec_container_count(const SpecTable *t)
{
    return t->containers.len - 1;
}

const SpecContainer *spec_container(const SpecTable *t, ContainerId id)
{
    if (id.id >= t->containers.len) die("spec_container: no container %u", id.id);
    return &t->containers.at[id.id];
}

ContainerId spec_container_find(const SpecTable *t, const char *name)
{
    Name n = name_find(t->names, name);
    uint64_t *i = n.id ? map_get(&t->container_by_name, n.id) : NULL;
    return (ContainerId){i ? (uint32_t)*i : 0};
}
