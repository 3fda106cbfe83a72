// Which units make which program: link steps read as the linker reads them.
#include "link/link_int.h"

typedef struct {
    const LinkInfo *info;
    Bits in;      // units already among the members
    Bits visited; // steps, against cycles and repetition
    Members members;
    U32s pool;   // units in archives: taken when they define what is missing
    U32s shared; // steps
    bool open;   // some input of these is not known
} Gather;

static void add_unit(Gather *g, uint32_t unit, bool shared)
{
    if (unit < g->info->unit_count && bits_add(&g->in, unit))
        vec_push(&g->members, ((UnitMember){unit, shared}));
}

// Inputs in command line order. `lazy`: only into the pool.
static void gather(Gather *g, uint32_t step, bool lazy)
{
    if (step >= g->info->step_count || !bits_add(&g->visited, step)) return;
    const LinkStep *s = &g->info->steps[step];
    g->open |= s->open;
    for (uint32_t i = 0; i < s->input_count; i++) {
        StepInput in = s->inputs[i];
        if (!in.is_step) {
            if (lazy)
                vec_push(&g->pool, in.index);
            else
                add_unit(g, in.index, false);
            continue;
        }
        if (in.index >= g->info->step_count) continue;
        switch (g->info->steps[in.index].kind) {
        case LINK_RELOCATABLE:
            gather(g, in.index, lazy);
            break;
        case LINK_ARCHIVE:
            gather(g, in.index, !in.whole && s->kind != LINK_ARCHIVE ? true : lazy);
            break;
        case LINK_SHARED:
            vec_push(&g->shared, in.index);
            break;
        case LINK_PROGRAM:
            break;
        }
    }
}

// The names a linker would look for, over functions and globals alike.
typedef struct {
    Names *names;
    VEC(uint8_t) state; // by Name: NEEDED, DEFINED
} WantedNames;

enum { NEEDED = 1, DEFINED = 2 };

static uint8_t *state_of(WantedNames *w, const Unit *u, Name name)
{
    Name n = name_of_n(w->names, name_text(u->names, name), name_len(u->names, name));
    if (n.id >= w->state.len) vec_extend(&w->state, n.id + 1 - w->state.len);
    return &w->state.at[n.id];
}

typedef Symbol (*SymbolOf)(const Unit *, uint32_t);

static bool defines(const Symbol *s)
{
    return s->defined && s->linkage != LINK_AVAILABLE;
}

static void note_unit(WantedNames *w, const Unit *u)
{
    const SymbolOf of[2] = {symbol_of_func, symbol_of_global};
    const uint32_t count[2] = {u->funcs.len, u->globals.len};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 1; i < count[k]; i++) {
            Symbol s = of[k](u, i);
            if (s.linkage == LINK_INTERNAL || !s.name.id) continue;
            *state_of(w, u, s.name) |= defines(&s) ? DEFINED : NEEDED;
        }
}

static bool is_wanted(WantedNames *w, const Unit *u)
{
    const SymbolOf of[2] = {symbol_of_func, symbol_of_global};
    const uint32_t count[2] = {u->funcs.len, u->globals.len};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 1; i < count[k]; i++) {
            Symbol s = of[k](u, i);
            if (s.linkage == LINK_INTERNAL || !s.name.id || !defines(&s)) continue;
            if (*state_of(w, u, s.name) == NEEDED) return true;
        }
    return false;
}

// Archive members as the linker takes them, but over all archives until nothing changes: the
// order of archives on the command line is no concern of ours, the build has linked.
static void take_from_pool(Gather *g)
{
    if (!g->pool.len) return;
    WantedNames w = {.names = names_new()};
    vec_each (i, &g->members) note_unit(&w, g->info->units[g->members.at[i].unit]);
    bool changed = true;
    while (changed) {
        changed = false;
        vec_each (i, &g->pool) {
            uint32_t unit = g->pool.at[i];
            if (unit >= g->info->unit_count || bits_has(&g->in, unit)) continue;
            const Unit *u = g->info->units[unit];
            if (!is_wanted(&w, u)) continue;
            add_unit(g, unit, false);
            note_unit(&w, u);
            changed = true;
        }
    }
    names_free(w.names);
    vec_free(&w.state);
}

// `open`: something that is not known is part of it; `beside`: a shared library that is no test is
// linked to it.
static Members members_of(Arena *a, const LinkInfo *info, uint32_t step, bool *open, bool *beside)
{
    Gather g = {
        .info = info,
        .in = bits_new(a, info->unit_count),
        .visited = bits_new(a, info->step_count),
    };
    gather(&g, step, false);
    take_from_pool(&g);
    *open = g.open;
    // Shared libraries last, each with the libraries it needs itself.
    for (uint32_t i = 0; i < g.shared.len; i++) {
        uint32_t lib = g.shared.at[i];
        *beside |= !is_test_output(info->steps[lib].name);
        if (bits_has(&g.visited, lib)) continue;
        Gather inner = {
            .info = info,
            .in = bits_new(a, info->unit_count),
            .visited = bits_new(a, info->step_count),
        };
        gather(&inner, lib, false);
        take_from_pool(&inner);
        bits_add(&g.visited, lib);
        vec_each (k, &inner.members) add_unit(&g, inner.members.at[k].unit, true);
        vec_append(&g.shared, inner.shared.at, inner.shared.len);
        vec_free(&inner.members);
        vec_free(&inner.pool);
        vec_free(&inner.shared);
    }
    vec_free(&g.pool);
    vec_free(&g.shared);
    return g.members;
}

typedef struct {
    const char *name;
    Members members;
    Bits units;
    bool known;
    bool linked;  // a binary or a shared library
    bool listed;  // a shared library, and it is known what it exports
    bool dropped; // part of another one
} Plan;

typedef VEC(Plan) Plans;

static void add_plan(Plans *plans, Arena *a, const LinkInfo *info, const char *name,
                     Members members, bool known)
{
    Bits units = bits_new(a, info->unit_count);
    vec_each (i, &members) bits_add(&units, members.at[i].unit);
    vec_push(plans, ((Plan){.name = name, .members = members, .units = units, .known = known, .dropped = members.len == 0}));
}

static bool subset(const Bits *small, const Bits *large)
{
    for (uint32_t i = 0; i < bits_words(small->count); i++)
        if (small->words[i] & ~large->words[i]) return false;
    return true;
}

static void drop_subsets(Plans *plans)
{
    vec_each (i, plans)
        vec_each (k, plans) {
            Plan *small = &plans->at[i], *large = &plans->at[k];
            if (i == k || small->dropped || large->dropped) continue;
            if (small->members.len > large->members.len) continue;
            // Of equals the first stays.
            if (small->members.len == large->members.len && i < k) continue;
            if (subset(&small->units, &large->units)) small->dropped = true;
        }
}

static Members all_of_archive(Arena *a, const LinkInfo *info, uint32_t step)
{
    Gather g = {
        .info = info,
        .in = bits_new(a, info->unit_count),
        .visited = bits_new(a, info->step_count),
    };
    gather(&g, step, false);
    vec_free(&g.pool);
    vec_free(&g.shared);
    return g.members;
}

Programs link_programs(Arena *a, const LinkInfo *info)
{
    Arena *scratch = arena_new("link plan");
    Plans plans = {0};
    Bits covered = bits_new(scratch, info->unit_count), open = bits_new(scratch, info->step_count);
    Bits beside = bits_new(scratch, info->step_count), archived = bits_new(scratch, info->unit_count);
    U32s *holders = arena_array_of(scratch, U32s, info->unit_count);
    for (uint32_t s = 0; s < info->step_count; s++) {
        LinkKind kind = info->steps[s].kind;
        if (kind != LINK_PROGRAM && kind != LINK_SHARED) continue;
        bool anything = false, other = false;
        add_plan(&plans, scratch, info, info->steps[s].name, members_of(scratch, info, s, &anything, &other), true);
        Plan *plan = &vec_last(&plans);
        plan->linked = true;
        plan->listed = kind == LINK_SHARED && info->steps[s].exports_known && !anything;
        if (anything) bits_add(&open, s);
        if (other) bits_add(&beside, s);
        vec_each (i, &plan->members)
            if (!plan->members.at[i].shared) vec_push(&holders[plan->members.at[i].unit], s);
        bits_union(&covered, &plan->units);
    }
    // Archives whose members nobody asked for, or that no program links.
    for (uint32_t s = 0; s < info->step_count; s++) {
        if (info->steps[s].kind != LINK_ARCHIVE) continue;
        Members members = all_of_archive(scratch, info, s);
        bool fresh = false;
        vec_each (i, &members) {
            if (!bits_has(&covered, members.at[i].unit)) fresh = true;
            if (!is_test_output(info->steps[s].name)) bits_add(&archived, members.at[i].unit);
        }
        if (!fresh) {
            vec_free(&members);
            continue;
        }
        add_plan(&plans, scratch, info, info->steps[s].name, members, true);
        bits_union(&covered, &vec_last(&plans).units);
    }
    U32s left = {0};
    for (uint32_t u = 0; u < info->unit_count; u++)
        if (!bits_has(&covered, u)) vec_push(&left, u);
    sort_units(info, &left);
    Members rest = {0};
    vec_each (i, &left) vec_push(&rest, ((UnitMember){left.at[i], false}));
    vec_free(&left);
    if (rest.len) add_plan(&plans, scratch, info, "", rest, false);
    drop_subsets(&plans);

    const Hidden *hidden = find_hidden(scratch, info, holders, &open);
    const bool *tests = find_tests(scratch, info, holders, &beside, &archived);
    for (uint32_t u = 0; u < info->unit_count; u++) vec_free(&holders[u]);
    Programs programs = {0};
    Bits told = bits_new(scratch, info->unit_count);
    vec_each (i, &plans) {
        Plan *plan = &plans.at[i];
        if (!plan->dropped) {
            Program *p = program_assemble(a, plan->name, info, &plan->members, plan->known);
            p->linked = plan->linked;
            p->listed = plan->listed;
            if (p->linked) mark_hidden(p, hidden);
            for (uint32_t u = 0; u < p->unit_count; u++) {
                p->unit_fresh[u] = bits_add(&told, p->unit_number[u]);
                p->unit_tests[u] = tests[p->unit_number[u]];
            }
            vec_push(&programs, p);
        }
        vec_free(&plan->members);
    }
    if (programs.len > 1) mark_elsewhere(&programs);
    if (programs.len > 1) mark_registrars(&programs);
    vec_free(&plans);
    arena_free(scratch);
    return programs;
}

void programs_free(Programs *programs)
{
    vec_each (i, programs) program_free(programs->at[i]);
    vec_free(programs);
}
