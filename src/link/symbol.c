// Names to definitions, by the rules of ELF linkers: a strong definition beats a common one, that
// beats a weak one, and among equals the first in unit order wins. A definition in a shared
// library counts only where the program itself has none.
#include "base/file.h"
#include "link/limits.h"
#include "link/link_int.h"

#include <string.h>

typedef enum {
    RANK_DECLARED,
    RANK_AVAILABLE, // inline code whose real definition is elsewhere
    RANK_SHARED,
    RANK_WEAK,
    RANK_COMMON,
    RANK_STRONG,
} Rank;

// A strong definition, chained by symbol, because a name can have several.
typedef struct {
    uint32_t unit, index, next; // next: place in Space.strong + 1
} Strong;

typedef struct {
    uint32_t unit, index; // the winner; index 0: the name was not seen
    Rank rank;
    uint32_t strong_first, strong_last; // places in Space.strong + 1
    uint32_t strong_count;
} Winner;

// Functions and globals are resolved by the same code, one space after the other.
typedef struct {
    Program *p;
    bool known;
    const bool *shared; // by unit
    Symbol (*symbol)(const Unit *, uint32_t);
    VEC(Winner) winners; // by Name of the program
    VEC(Strong) strong;
    uint32_t **name;  // [unit][index] Name of the program; 0: not visible outside
    uint32_t **own;   // [unit][index] id made for this very definition or declaration
    uint32_t *counts; // entries by unit
} Space;

Symbol symbol_of_func(const Unit *u, uint32_t i)
{
    const Func *f = &u->funcs.at[i];
    return (Symbol){f->name, f->linkage, func_is_defined(f) || f->alias, f->alias,
                    (f->flags & FUNC_IFUNC) != 0};
}

Symbol symbol_of_global(const Unit *u, uint32_t i)
{
    const Global *g = &u->globals.at[i];
    bool defined = g->flags & GLOBAL_DEFINED || g->alias || g->linkage == LINK_COMMON;
    return (Symbol){g->name, g->linkage, defined, g->alias, false};
}

static Rank rank_of(const Symbol *s, bool shared)
{
    if (!s->defined) return RANK_DECLARED;
    switch ((Linkage)s->linkage) {
    case LINK_AVAILABLE:
        return RANK_AVAILABLE;
    case LINK_WEAK:
    case LINK_LINKONCE:
        return shared ? RANK_SHARED : RANK_WEAK;
    case LINK_COMMON:
        return shared ? RANK_SHARED : RANK_COMMON;
    case LINK_EXTERNAL:
    case LINK_INTERNAL:
        break;
    }
    return shared ? RANK_SHARED : RANK_STRONG;
}

static bool is_strong(const Symbol *s)
{
    return s->defined && s->linkage == LINK_EXTERNAL;
}

static bool is_winner(const Space *s, uint32_t unit, uint32_t index)
{
    const Winner *w = &s->winners.at[s->name[unit][index]];
    return w->unit == unit && w->index == index;
}

static void choose_winners(Space *s)
{
    Program *p = s->p;
    for (uint32_t i = 0; i < p->unit_count; i++) {
        const Unit *u = p->units[i];
        for (uint32_t k = 1; k < s->counts[i]; k++) {
            Symbol sym = s->symbol(u, k);
            if (sym.linkage == LINK_INTERNAL || sym.name.id == 0) continue;
            Name name =
                name_of_n(p->names, name_text(u->names, sym.name), name_len(u->names, sym.name));
            s->name[i][k] = name.id;
            if (name.id >= s->winners.len) vec_extend(&s->winners, name.id + 1 - s->winners.len);
            Winner *w = &s->winners.at[name.id];
            Rank rank = rank_of(&sym, s->shared[i]);
            if (w->index == 0 || rank > w->rank) w->unit = i, w->index = k, w->rank = rank;
            if (!is_strong(&sym)) continue;
            vec_push(&s->strong, ((Strong){i, k, 0}));
            if (w->strong_last)
                s->strong.at[w->strong_last - 1].next = s->strong.len;
            else
                w->strong_first = s->strong.len;
            w->strong_last = s->strong.len;
            w->strong_count++;
        }
    }
}

// How many leading directories two paths share.
static uint32_t shared_directories(const char *a, const char *b)
{
    uint32_t count = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/') count++;
    return count;
}

// Nobody said what is linked with what, and the name has several strong definitions: programs
// of one build usually keep to their directories. A wrong guess binds a call to a function
// with the same name in another program, which can err both ways.
static Strong nearest(const Space *s, const Winner *w, uint32_t unit)
{
    const Unit *user = s->p->units[unit];
    const char *path = name_text(user->names, user->source);
    Strong best = s->strong.at[w->strong_first - 1];
    uint32_t best_shared = 0;
    bool first = true;
    for (uint32_t at = w->strong_first; at; at = s->strong.at[at - 1].next) {
        const Strong *c = &s->strong.at[at - 1];
        if (c->unit == unit) return *c;
        const Unit *u = s->p->units[c->unit];
        uint32_t n = shared_directories(path, name_text(u->names, u->source));
        if (first || n > best_shared) best = *c, best_shared = n;
        first = false;
    }
    return best;
}

// The id a use of (unit, index) means.
static uint32_t resolve(const Space *s, uint32_t unit, uint32_t index)
{
    for (uint32_t hops = 0; hops < MAX_HOPS; hops++) {
        uint32_t name = s->name[unit][index];
        if (name) {
            const Winner *w = &s->winners.at[name];
            if (!s->known && w->strong_count > 1) {
                Strong c = nearest(s, w, unit);
                unit = c.unit, index = c.index;
            } else {
                unit = w->unit, index = w->index;
            }
        }
        if (s->own[unit][index]) return s->own[unit][index];
        Symbol sym = s->symbol(s->p->units[unit], index);
        if (!sym.alias || sym.alias >= s->counts[unit]) return 0;
        index = sym.alias;
    }
    return 0;
}

static void space_begin(Space *s, Arena *a, uint32_t (*count)(const Unit *))
{
    Program *p = s->p;
    s->counts = arena_array_of(a, uint32_t, p->unit_count);
    s->name = arena_array_of(a, uint32_t *, p->unit_count);
    s->own = arena_array_of(a, uint32_t *, p->unit_count);
    for (uint32_t i = 0; i < p->unit_count; i++) {
        s->counts[i] = count(p->units[i]);
        s->name[i] = arena_array_of(a, uint32_t, s->counts[i]);
        s->own[i] = arena_array_of(a, uint32_t, s->counts[i]);
    }
    vec_extend(&s->winners, 1);
    choose_winners(s);
}

// Whether this entry of the unit becomes a function or global of the program. Counts what is
// left out.
static bool deserves_id(Space *s, uint32_t unit, uint32_t index, uint32_t *flags)
{
    Symbol sym = s->symbol(s->p->units[unit], index);
    *flags = (s->shared[unit] ? PROG_SHARED : 0);
    bool other_name = sym.alias && !sym.ifunc;
    if (s->name[unit][index] == 0) {
        *flags |= PROG_INTERNAL;
        return !other_name;
    }
    if (is_winner(s, unit, index)) {
        if (sym.linkage == LINK_WEAK) *flags |= PROG_WEAK;
        return !other_name;
    }
    if (!sym.defined) return false;
    if (!is_strong(&sym)) {
        if (sym.linkage != LINK_AVAILABLE) s->p->dropped++;
        return false;
    }
    // A second strong definition keeps its code, so that nothing goes unseen.
    *flags |= PROG_DUPLICATE;
    if (!s->shared[unit]) s->p->duplicates++;
    return !other_name;
}

static Name copy_name(Program *p, const Unit *u, Name name)
{
    return name_of_n(p->names, name_text(u->names, name), name_len(u->names, name));
}

static uint32_t funcs_of(const Unit *u)
{
    return u->funcs.len;
}

static uint32_t globals_of(const Unit *u)
{
    return u->globals.len;
}

static FuncId add_func(Program *p, uint32_t unit, uint32_t index, uint32_t flags)
{
    const Unit *u = p->units[unit];
    const Func *f = &u->funcs.at[index];
    if (func_is_defined(f)) flags |= PROG_DEFINED;
    if (f->flags & FUNC_IFUNC) flags |= PROG_IFUNC;
    if (f->flags & FUNC_CONSTRUCTOR) flags |= PROG_START;
    if (f->flags & FUNC_KEPT) flags |= PROG_KEPT;
    vec_push(&p->funcs, ((ProgFunc){
                            .name = copy_name(p, u, f->name),
                            .source = copy_name(p, u, f->source.id ? f->source : f->name),
                            .unit = unit,
                            .func = {index},
                            .flags = flags,
                        }));
    return (FuncId){p->funcs.len - 1};
}

static void resolve_funcs(Space *s, Arena *a, Arena *scratch)
{
    Program *p = s->p;
    space_begin(s, scratch, funcs_of);
    vec_extend(&p->funcs, 1);
    for (uint32_t i = 0; i < p->unit_count; i++)
        for (uint32_t k = 1; k < s->counts[i]; k++) {
            uint32_t flags;
            if (deserves_id(s, i, k, &flags)) s->own[i][k] = add_func(p, i, k, flags).id;
        }
    p->func_of = arena_array_of(a, FuncId *, p->unit_count);
    for (uint32_t i = 0; i < p->unit_count; i++) {
        p->func_of[i] = arena_array_of(a, FuncId, s->counts[i]);
        for (uint32_t k = 1; k < s->counts[i]; k++) {
            FuncId id = {resolve(s, i, k)};
            // An alias that leads nowhere is a function without code.
            if (!id.id) id = add_func(p, i, k, 0), s->own[i][k] = id.id;
            p->func_of[i][k] = id;
            const Func *f = &p->units[i]->funcs.at[k];
            if (f->flags & FUNC_ADDRESS_TAKEN) p->funcs.at[id.id].flags |= PROG_ADDRESS_TAKEN;
        }
    }
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        ProgFunc *pf = &p->funcs.at[f];
        const Func *uf = &p->units[pf->unit]->funcs.at[pf->func.id];
        if (pf->flags & PROG_IFUNC && uf->alias < s->counts[pf->unit])
            pf->resolver = p->func_of[pf->unit][uf->alias];
    }
}

static GlobalId add_global(Program *p, uint32_t unit, uint32_t index, uint32_t flags)
{
    const Unit *u = p->units[unit];
    const Global *g = &u->globals.at[index];
    if (g->flags & GLOBAL_DEFINED || g->linkage == LINK_COMMON) flags |= PROG_DEFINED;
    vec_push(&p->globals, ((ProgGlobal){
                              .name = copy_name(p, u, g->name),
                              .source = copy_name(p, u, g->source.id ? g->source : g->name),
                              .unit = unit,
                              .global = {index},
                              .flags = flags,
                              .size = g->size,
                          }));
    return (GlobalId){p->globals.len - 1};
}

static void resolve_globals(Space *s, Arena *a, Arena *scratch)
{
    Program *p = s->p;
    space_begin(s, scratch, globals_of);
    vec_extend(&p->globals, 1);
    for (uint32_t i = 0; i < p->unit_count; i++)
        for (uint32_t k = 1; k < s->counts[i]; k++) {
            uint32_t flags;
            if (deserves_id(s, i, k, &flags)) s->own[i][k] = add_global(p, i, k, flags).id;
        }
    p->global_of = arena_array_of(a, GlobalId *, p->unit_count);
    for (uint32_t i = 0; i < p->unit_count; i++) {
        p->global_of[i] = arena_array_of(a, GlobalId, s->counts[i]);
        for (uint32_t k = 1; k < s->counts[i]; k++) {
            GlobalId id = {resolve(s, i, k)};
            if (!id.id) id = add_global(p, i, k, 0), s->own[i][k] = id.id;
            p->global_of[i][k] = id;
            const Global *g = &p->units[i]->globals.at[k];
            ProgGlobal *pg = &p->globals.at[id.id];
            if (g->linkage == LINK_COMMON && g->size > pg->size) pg->size = g->size;
        }
    }
}

static void mark_same_names(Program *p)
{
    uint32_t *first = mem_alloc(names_count(p->names) * sizeof *first); // function by source name
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        uint32_t *one = &first[p->funcs.at[f].source.id];
        if (*one) p->funcs.at[*one].flags |= PROG_SAME_NAME, p->funcs.at[f].flags |= PROG_SAME_NAME;
        *one = f;
    }
    mem_free(first);
}

Program *program_assemble(Arena *a, const char *name, const LinkInfo *info, const Members *members,
                          bool known)
{
    Program *p = arena_new_of(a, Program);
    p->name = arena_strdup(a, name);
    p->names = names_new();
    p->unit_count = members->len;
    p->units = arena_array_of(a, const Unit *, members->len);
    p->unit_number = arena_array_of(a, uint32_t, members->len);
    p->unit_fresh = arena_array_of(a, bool, members->len);
    p->unit_tests = arena_array_of(a, bool, members->len);
    bool *shared = arena_array_of(a, bool, members->len);
    vec_each (i, members) {
        p->units[i] = info->units[members->at[i].unit];
        p->unit_number[i] = members->at[i].unit;
        p->unit_fresh[i] = true;
        shared[i] = members->at[i].shared;
    }
    Arena *scratch = arena_new("link");
    Space funcs = {.p = p, .known = known, .shared = shared, .symbol = symbol_of_func};
    resolve_funcs(&funcs, a, scratch);
    vec_free(&funcs.winners);
    vec_free(&funcs.strong);
    Space globals = {.p = p, .known = known, .shared = shared, .symbol = symbol_of_global};
    resolve_globals(&globals, a, scratch);
    vec_free(&globals.winners);
    vec_free(&globals.strong);
    arena_free(scratch);
    mark_same_names(p);
    vec_keep(&p->funcs, a);
    vec_keep(&p->globals, a);
    program_find_calls(p, a);
    return p;
}

Program *program_build(Arena *a, const char *name, const Unit *const *units, uint32_t unit_count)
{
    LinkInfo info = {.units = units, .unit_count = unit_count};
    U32s order = {0};
    for (uint32_t i = 0; i < unit_count; i++) vec_push(&order, i);
    sort_units(&info, &order);
    Members all = {0};
    vec_each (i, &order) vec_push(&all, ((UnitMember){order.at[i], false}));
    vec_free(&order);
    Program *p = program_assemble(a, name, &info, &all, false);
    vec_free(&all);
    return p;
}

void program_free(Program *p)
{
    names_free(p->names);
    p->names = NULL;
}

bool program_covers_all(const Program *p, uint32_t unit_count)
{
    // A unit is in a program once, so the count decides.
    return p->unit_count == unit_count;
}

const Func *program_decl(const Program *p, FuncId f, const Unit **u)
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (f.id == 0) return NULL;
    if (u) *u = p->units[pf->unit];
    return &p->units[pf->unit]->funcs.at[pf->func.id];
}

const Func *program_body(const Program *p, FuncId f, const Unit **u)
{
    const Func *decl = program_decl(p, f, u);
    return decl && func_is_defined(decl) ? decl : NULL;
}
