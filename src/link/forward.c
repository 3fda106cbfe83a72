// What the library's functions call that a program has replaced. The library's operator delete[] is
// a call of operator delete: where the program has an operator delete of its own, a call of the one
// is a call of the other. Specs say so (`forwards to`).
#include "link/link_int.h"
#include "link/specs.h"

enum { FORWARDS_DEEP = 4 }; // delete[] with a size, delete[], delete

// By name: the first definition that other units see.
static Map defined_functions(const Program *p)
{
    Map of = {0};
    for (uint32_t f = p->funcs.len; f-- > 1;) {
        const ProgFunc *pf = &p->funcs.at[f];
        if (pf->flags & PROG_DEFINED && !(pf->flags & (PROG_INTERNAL | PROG_DUPLICATE)))
            map_set(&of, pf->name.id, f);
    }
    return of;
}

static FuncId target_of(const Program *p, const SpecTable *t, const Map *defined, FuncId f)
{
    if (p->funcs.at[f.id].flags & PROG_DEFINED) return f;
    const SpecFunc *spec = program_spec(p, t, f);
    for (int i = 0; i < FORWARDS_DEEP && spec && spec->forwards.id; i++) {
        const char *to = name_text(spec_names(t), spec->forwards);
        Name name = name_find(p->names, to);
        const uint64_t *g = name.id ? map_get(defined, name.id) : NULL;
        if (g) return (FuncId){(uint32_t)*g};
        spec = spec_find(t, to, NULL);
    }
    return f;
}

static void forward(Program *p, Arena *a, const SpecTable *t)
{
    Map defined = defined_functions(p);
    FuncId *to = mem_alloc(p->funcs.len * sizeof *to);
    bool any = false;
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        to[f] = target_of(p, t, &defined, (FuncId){f});
        if (to[f].id == f) continue;
        any = true;
        p->funcs.at[to[f].id].flags |= p->funcs.at[f].flags & PROG_ADDRESS_TAKEN;
    }
    for (uint32_t u = 0; any && u < p->unit_count; u++)
        for (uint32_t k = 1; k < p->units[u]->funcs.len; k++)
            p->func_of[u][k] = to[p->func_of[u][k].id];
    mem_free(to);
    map_free(&defined);
    if (any) program_find_calls(p, a);
}

void programs_forward(Programs *programs, Arena *a, const SpecTable *t)
{
    vec_each (i, programs) forward(programs->at[i], a, t);
}
