// Which handlers take an exception, by the symbols of type information: the program's own names the
// bases of a type, and models say what those of a library's types are.
#include "facts/facts_int.h"

#include "facts/limits.h"

#include <string.h>

static GlobalId find_global(const Facts *f, const char *symbol)
{
    const Program *p = f->program;
    Name n = name_find(p->names, symbol);
    for (uint32_t g = 1; n.id && g < p->globals.len; g++)
        if (p->globals.at[g].name.id == n.id && (p->globals.at[g].flags & PROG_DEFINED)) return (GlobalId){g};
    return (GlobalId){0};
}

const char *facts_type_symbol(const Unit *u, Ref r)
{
    static const char info[] = "_ZTI";
    const Const *c = ref_is_const(r) ? &u->consts.at[ref_index(r)] : NULL;
    if (!c || c->kind != CONST_GLOBAL) return NULL;
    const char *name = name_text(u->names, u->globals.at[c->target].name);
    return strncmp(name, info, sizeof info - 1) ? NULL : name;
}

bool bases_of(const Facts *f, Trace *trace, const char *type, const char **bases, uint32_t *count)
{
    enum { WORD = 8 };
    static const char pointer[] = "_ZTIP";
    const char *base = NULL;
    *count = 0;
    if (spec_exception(f->specs, type, &base)) {
        if (base) bases[(*count)++] = base;
        return true;
    }
    // What a pointer points to is no base of it.
    GlobalId g = strncmp(type, pointer, sizeof pointer - 1) ? find_global(f, type) : (GlobalId){0};
    for (int64_t at = 2 * WORD; g.id && *count < BASES_MOST && at < (int64_t)f->program->globals.at[g.id].size; at += WORD) {
        const Unit *u;
        uint32_t unit;
        const Const *c = NULL;
        if (facts_global_init(f, trace, g, at, WORD, &u, &unit, &c) != GLOBAL_INIT_CONST || c->kind != CONST_GLOBAL)
            continue;
        const char *name = facts_type_symbol(u, ref_const((uint32_t)(c - u->consts.at)));
        if (name) bases[(*count)++] = name;
    }
    return g.id != 0;
}

// Whether a handler for `caught` takes what is thrown: it is that type or one of its bases.
static Caught catches(const Facts *f, Trace *trace, const char *thrown, const char *caught, uint32_t depth)
{
    const char *bases[BASES_MOST];
    uint32_t count;
    if (!thrown || depth > BASES_FOLLOWED) return CAUGHT_MAYBE;
    if (strcmp(thrown, caught) == 0) return CAUGHT;
    if (!bases_of(f, trace, thrown, bases, &count)) return CAUGHT_MAYBE;
    Caught best = CAUGHT_NOT;
    for (uint32_t i = 0; i < count; i++) {
        Caught one = catches(f, trace, bases[i], caught, depth + 1);
        if (one > best) best = one;
    }
    return best;
}

Caught facts_catches(const Facts *f, Trace *trace, const char *thrown, const char *caught)
{
    return catches(f, trace, thrown, caught, 0);
}
