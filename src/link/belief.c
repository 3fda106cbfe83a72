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
