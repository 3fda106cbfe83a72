// What others can call by name in a linked program or library.
//
// A symbol of a unit is hidden where every program and shared library that was linked with the unit
// is known to leave it out of its dynamic symbols, and no object without a unit asks for it: then only
// the code of that program or library calls it, or who is given its address. Errs towards visible: of a
// shared library whose symbols are not known all are, and so are those of archives that nothing linked.
#include "link/link_int.h"

typedef struct {
    const LinkInfo *info;
    Names *names; // of exported and needed symbols
    Map exports;  // step and Name -> 1
    Bits needed;  // by Name
} Lists;

static bool step_shows(const Lists *l, uint32_t step, Name name)
{
    const LinkStep *s = &l->info->steps[step];
    if (!s->exports_known) return s->kind != LINK_PROGRAM;
    return name.id && map_get(&l->exports, map_pair(step, name.id));
}

static bool is_visible(const Lists *l, const Unit *u, const Symbol *s, const U32s *holders)
{
    // A static function may still have another name that is visible: that one is asked for itself.
    if (s->linkage == LINK_INTERNAL) return false;
    Name name = name_find(l->names, name_text(u->names, s->name));
    if (name.id && bits_has(&l->needed, name.id)) return true;
    vec_each (i, holders)
        if (step_shows(l, holders->at[i], name)) return true;
    return false;
}

static void hide_in_unit(const Lists *l, Arena *a, const Unit *u, const U32s *holders, Hidden *into)
{
    into->funcs = bits_new(a, u->funcs.len);
    into->globals = bits_new(a, u->globals.len);
    for (uint32_t i = 1; i < u->funcs.len; i++) {
        Symbol s = symbol_of_func(u, i);
        if (s.defined && s.name.id && !is_visible(l, u, &s, holders)) bits_add(&into->funcs, i);
    }
    for (uint32_t i = 1; i < u->globals.len; i++) {
        Symbol s = symbol_of_global(u, i);
        if (s.defined && s.name.id && !is_visible(l, u, &s, holders)) bits_add(&into->globals, i);
    }
    into->known = true;
}

Hidden *find_hidden(Arena *a, const LinkInfo *info, const U32s *holders, const Bits *open)
{
    Hidden *all = arena_array_of(a, Hidden, info->unit_count);
    Lists l = {.info = info, .names = names_new()};
    for (uint32_t s = 0; s < info->step_count; s++)
        for (uint32_t i = 0; i < info->steps[s].export_count; i++)
            map_set(&l.exports, map_pair(s, name_of(l.names, info->steps[s].exports[i]).id), 1);
    for (uint32_t i = 0; i < info->needed_count; i++) name_of(l.names, info->needed[i]);
    l.needed = bits_new(a, names_count(l.names));
    for (uint32_t i = 0; i < info->needed_count; i++) bits_add(&l.needed, name_find(l.names, info->needed[i]).id);
    for (uint32_t u = 0; u < info->unit_count; u++) {
        bool closed = holders[u].len != 0;
        vec_each (i, &holders[u]) closed = closed && !bits_has(open, holders[u].at[i]);
        if (closed) hide_in_unit(&l, a, info->units[u], &holders[u], &all[u]);
    }
    map_free(&l.exports);
    names_free(l.names);
    return all;
}

void mark_hidden(Program *p, const Hidden *all)
{
    // A name that one unit shows is shown: of inline functions each unit has a copy.
    Arena *scratch = arena_new("exports");
    Bits funcs = bits_new(scratch, p->funcs.len), globals = bits_new(scratch, p->globals.len);
    for (uint32_t u = 0; u < p->unit_count; u++) {
        const Hidden *h = &all[p->unit_number[u]];
        const Unit *unit = p->units[u];
        for (uint32_t i = 1; i < unit->funcs.len; i++) {
            Symbol s = symbol_of_func(unit, i);
            if (s.defined && !(h->known && bits_has(&h->funcs, i))) bits_add(&funcs, p->func_of[u][i].id);
        }
        for (uint32_t i = 1; i < unit->globals.len; i++) {
            Symbol s = symbol_of_global(unit, i);
            if (s.defined && !(h->known && bits_has(&h->globals, i))) bits_add(&globals, p->global_of[u][i].id);
        }
    }
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if ((p->funcs.at[f].flags & PROG_DEFINED) && !bits_has(&funcs, f)) p->funcs.at[f].flags |= PROG_HIDDEN;
    for (uint32_t g = 1; g < p->globals.len; g++)
        if ((p->globals.at[g].flags & PROG_DEFINED) && !bits_has(&globals, g)) p->globals.at[g].flags |= PROG_HIDDEN;
    arena_free(scratch);
}
