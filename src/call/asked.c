// What a function says that is asked again about the same.
#include "call/call_int.h"

#include "base/hash.h"
#include "heap/elements.h"

static bool hash_cell(void *context, uint64_t key, uint64_t value)
{
    uint64_t *h = context;
    *h = hash_mix(*h, hash_mix(key, value));
    return true;
}

// Asked again about the same, a pure function says the same, and one that measures an argument says
// the same of that: what it is asked about are its arguments, or that one, and the blocks that they
// point to, as they are now.
Term asked_before(Work *w, const State *s, const SpecFunc *spec, const CallArgs *args, Term fresh)
{
    Terms *t = &w->terms;
    if (!spec->pure && spec->measures == SPEC_NONE) return fresh;
    uint64_t h = hash_mix((uint64_t)(uintptr_t)spec, term_width(t, fresh));
    for (uint32_t i = 0; i < args->count; i++) {
        if (!spec->pure && (int32_t)i != spec->measures) continue;
        Term x = args->at[i];
        h = hash_mix(h, x.id);
        Address a = x.id ? term_address(t, x) : (Address){0};
        Term base = a.base;
        if (!base.id) continue;
        uint64_t content = 0, first = (uint64_t)base.id << 32;
        pmap_get(s->contents, base.id, &content);
        h = hash_mix(h, content);
        pmap_range(s->contents, first, first | UINT32_MAX, hash_cell, &h);
        if (i < spec->param_count && spec->params[i].opaque) {
            h = hash_mix(h, object_state(s, &a));
            continue;
        }
        pmap_range(s->mem, first, first | UINT32_MAX, hash_cell, &h);
        if (s->flags & STATE_SYMBOLIC) h = hash_mix(h, pmap_print(s->mem));
    }
    bool is_new;
    return (Term){(uint32_t)*map_at(&w->asked, h, fresh.id, &is_new)};
}
