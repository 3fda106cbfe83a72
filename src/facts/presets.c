// A function of one file may count on what its callers do before they call it: `ready = 1;
// send_stored ();`. Looked at by itself it would be followed for other values too, and what it does
// then never happens.
#include "facts/presets.h"

#include <stddef.h>

static bool preset_by(const Program *p, uint32_t unit, const Unit *u, const Ins *store, Preset *out)
{
    Ref to = {store->a}, value = {store->b};
    if (!ref_is_const(to) || !ref_is_const(value)) return false;
    const Const *g = &u->consts.at[ref_index(to)], *v = &u->consts.at[ref_index(value)];
    if (g->kind != CONST_GLOBAL || g->value || v->kind != CONST_INT ||
        mtype_class(store->type) != MT_INT || mtype_size(store->type) > 64)
        return false;
    *out = (Preset){program_global(p, unit, (UGlobalId){g->target}), mtype_size(store->type),
                    v->value};
    return out->global.id != 0;
}

// The stores in front of the call, back to whatever else may write a global.
static uint32_t before_call(const Program *p, FuncId by, uint32_t call, Preset out[MAX_PRESETS])
{
    const Unit *u;
    const Func *f = program_body(p, by, &u);
    const Block *b = func_block(u, f, func_block_of(u, f, call));
    uint32_t count = 0;
    for (uint32_t i = call; i-- > b->first && count < MAX_PRESETS;) {
        const Ins *in = func_ins(u, f, i);
        if (in->op == OP_BIND || in->op == OP_LOAD || in->op == OP_FIELD) continue;
        Preset x;
        if (in->op != OP_STORE || !preset_by(p, p->funcs.at[by.id].unit, u, in, &x)) break;
        bool later = false; // the last store is the one that counts
        for (uint32_t k = 0; k < count; k++) later |= out[k].global.id == x.global.id;
        if (!later) out[count++] = x;
    }
    return count;
}

static bool has_preset(const Preset *all, uint32_t count, const Preset *x)
{
    for (uint32_t i = 0; i < count; i++)
        if (all[i].global.id == x->global.id && all[i].bits == x->bits && all[i].value == x->value)
            return true;
    return false;
}

uint32_t presets_of(const Program *p, FuncId f, Preset out[MAX_PRESETS])
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (!(pf->flags & PROG_INTERNAL) || (pf->flags & PROG_ADDRESS_TAKEN)) return 0;
    uint32_t count = 0;
    bool first = true;
    for (uint32_t i = 0; i < pf->callers.count && (first || count); i++) {
        FuncId by = p->callers.at[pf->callers.first + i];
        if (!program_has_code(p, by)) return 0;
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t k = 0; k < calls.count && (first || count); k++) {
            const CallSite *c = &p->calls.at[calls.first + k];
            if (c->callee.id != f.id) continue;
            Preset here[MAX_PRESETS];
            uint32_t found = before_call(p, by, c->ins, here), kept = 0;
            for (uint32_t n = 0; n < (first ? found : count); n++)
                if (first)
                    out[kept++] = here[n];
                else if (has_preset(here, found, &out[n]))
                    out[kept++] = out[n];
            count = kept;
            first = false;
        }
    }
    return count;
}
