// Beliefs: counts by parameter, verdicts by caller.
#include "link/belief.h"

#include "base/hash.h"

static uint64_t caller_key(FuncId caller, uint64_t param)
{
    return hash_mix(caller.id, param);
}

void beliefs_free(Beliefs *b)
{
    vec_free(&b->params);
    map_free(&b->param_of);
    map_free(&b->said);
}

void belief_add(Beliefs *b, FuncId callee, uint32_t param, FuncId caller, SiteVerdict verdict)
{
    bool fresh;
    uint64_t key = map_pair(callee.id, param);
    uint64_t *said = map_at(&b->said, caller_key(caller, key), 0, &fresh);
    if (*said >> verdict & 1) return;
    *said |= (uint64_t)1 << verdict;
    uint64_t *at = map_at(&b->param_of, key, b->params.len, &fresh);
    if (fresh) vec_push(&b->params, ((BeliefParam){.param = key}));
    BeliefCounts *c = &b->params.at[*at].counts;
    c->count[verdict]++;
    b->any |= verdict == SITE_KEPT && c->count[verdict] >= 2;
    b->any |= verdict == SITE_GONE && c->count[verdict] >= 3;
}

BeliefCounts belief_counts(const Beliefs *b, FuncId callee, uint32_t param, FuncId caller)
{
    uint64_t key = map_pair(callee.id, param), *at = map_get(&b->param_of, key);
    if (!at) return (BeliefCounts){0};
    BeliefCounts c = b->params.at[*at].counts;
    uint64_t *said = caller.id ? map_get(&b->said, caller_key(caller, key)) : NULL;
    for (uint32_t v = 0; said && v < SITE_VERDICTS; v++) c.count[v] -= *said >> v & 1;
    return c;
}

static bool is_void_pointer(const Program *p, FuncId f, uint32_t param)
{
    const Unit *u;
    const Func *decl = program_decl(p, f, &u);
    if (!decl || param >= decl->param_count) return true;
    const Type *type = &u->types.at[decl->type.id];
    TypeId id = u->params.at[decl->first_param + param].type;
    if (!id.id && param + 1 < type->elem_count) id = u->elems.at[type->first_elem + 1 + param].type;
    bool pointer = false;
    for (int i = 0; i < 16; i++) {
        const Type *t = &u->types.at[id.id];
        if (t->kind == TYPE_POINTER) {
            if (pointer) return false;
            pointer = true;
        } else if (t->kind != TYPE_TYPEDEF && t->kind != TYPE_CONST) {
            return t->kind == TYPE_VOID || t->kind == TYPE_NONE;
        }
        if (!t->elem_count) return true;
        id = u->elems.at[t->first_elem].type;
    }
    return true;
}

bool belief_takes_for(const Beliefs *b, const Program *p, FuncId callee, uint32_t param,
                      FuncId caller)
{
    return belief_takes(belief_counts(b, callee, param, caller)) &&
           !is_void_pointer(p, callee, param);
}
