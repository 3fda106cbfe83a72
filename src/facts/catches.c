// Which handlers take an exception, by the symbols of type information: the program's own names the
// bases of a type, and models say what those of a library's types are.
#include "facts/facts_int.h"

#include <string.h>

static GlobalId find_global(const Facts *f, const char *symbol)
{
    const Program *p = f->program;
    Name n = name_find(p->names, symbol);
    for (uint32_t g = 1; n.id && g < p->globals.len; g++)
        if (p->globals.at[g].name.id == n.id && (p->globals.at[g].flags & PROG_DEFINED)) return (GlobalId){g};
    return (GlobalId){0};
}

// Whether a handler for `caught` takes what is thrown: it is that type or one of its bases, which the type
// information names after its first two words.
static Caught catches(const Facts *f, Trace *trace, const char *thrown, const char *caught, int depth)
{
    enum { DEEPEST = 8, WORD = 8 };
    static const char info[] = "_ZTI", pointer[] = "_ZTIP";
    const char *base = NULL;
    if (!thrown || depth > DEEPEST) return CAUGHT_MAYBE;
    if (strcmp(thrown, caught) == 0) return CAUGHT;
    if (spec_exception(f->specs, thrown, &base))
        return base ? catches(f, trace, base, caught, depth + 1) : CAUGHT_NOT;
    // What a pointer points to is no base of it.
    if (strncmp(thrown, pointer, sizeof pointer - 1) == 0) return CAUGHT_MAYBE;
    GlobalId g = find_global(f, thrown);
    if (!g.id) return CAUGHT_MAYBE;
    Caught best = CAUGHT_NOT;
    for (int64_t at = 2 * WORD; at < (int64_t)f->program->globals.at[g.id].size; at += WORD) {
        const Unit *u;
        uint32_t unit;
        const Const *c = NULL;
        if (facts_global_init(f, trace, g, at, WORD, &u, &unit, &c) != GLOBAL_INIT_CONST || c->kind != CONST_GLOBAL)
            continue;
        const char *name = name_text(u->names, u->globals.at[c->target].name);
        if (strncmp(name, info, sizeof info - 1)) continue;
        Caught one = catches(f, trace, name, caught, depth + 1);
        if (one > best) best = one;
    }
    return best;
}

Caught facts_catches(const Facts *f, Trace *trace, const char *thrown, const char *caught)
{
    return catches(f, trace, thrown, caught, 0);
}
