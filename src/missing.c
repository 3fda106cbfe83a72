// Functions that a program calls, that some unit of the same build defines, and that are not part of
// the program as far as its link step is known: then a library was not seen to be made or linked,
// and what the program loses through it is not seen either.
#include "base/file.h"
#include "base/map.h"
#include "run.h"

enum { SAID_MAX = 3 };

static bool is_linked_program(const Run *r, const Program *p)
{
    for (uint32_t i = 0; i < r->links.step_count; i++)
        if (r->links.steps[i].kind == LINK_PROGRAM && strcmp(r->links.steps[i].name, p->name) == 0) return true;
    return false;
}

// Symbols with code that others may call: Name in `symbols` -> unit of the run + 1.
static void add_definitions(const Program *p, Names *symbols, Map *definition)
{
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const ProgFunc *pf = &p->funcs.at[f];
        if (!(pf->flags & PROG_DEFINED) || pf->flags & (PROG_INTERNAL | PROG_WEAK | PROG_SHARED))
            continue;
        bool fresh;
        map_at(definition, name_of(symbols, name_text(p->names, pf->name)).id,
               p->unit_number[pf->unit] + 1, &fresh);
    }
}

static void say_missing(Run *r, const Program *p, const Names *symbols, const Map *definition)
{
    uint32_t count = 0;
    const char *list = "";
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const ProgFunc *pf = &p->funcs.at[f];
        if (pf->flags & (PROG_DEFINED | PROG_INTERNAL | PROG_WEAK | PROG_IFUNC) || !pf->callers.count)
            continue;
        const char *symbol = name_text(p->names, pf->name);
        Name name = name_find(symbols, symbol);
        const uint64_t *unit = name.id ? map_get(definition, name.id) : NULL;
        if (!unit) continue;
        // A replacement for a function of the C library, which this program has from there.
        run_read_specs(r);
        if (spec_find(r->specs, symbol, name_text(p->names, pf->source))) continue;
        if (count++ < SAID_MAX)
            list = arena_printf(r->arena, "%s%s%s in %s", list, *list ? ", " : "",
                                name_text(p->names, pf->source),
                                path_below(r->o->root, r->sources.at[*unit - 1]));
    }
    if (!count) return;
    if (count > SAID_MAX) list = arena_printf(r->arena, "%s and %u more", list, count - SAID_MAX);
    diag_warn(r->d,
              "%s: calls %u function%s that this build compiles but was not seen to link into it: "
              "%s; it is analysed without %s",
              p->name, count, count == 1 ? "" : "s", list, count == 1 ? "it" : "them");
}

void missing_say(Run *r)
{
    if (r->programs.len < 2) return;
    Names *symbols = names_new();
    Map definition = {0};
    vec_each (i, &r->programs) add_definitions(r->programs.at[i], symbols, &definition);
    vec_each (i, &r->programs)
        if (is_linked_program(r, r->programs.at[i]))
            say_missing(r, r->programs.at[i], symbols, &definition);
    map_free(&definition);
    names_free(symbols);
}
