// Functions that call each other in a circle, one evaluation of one of them at a time.
//
// What an evaluation depends on is the function's code, how it is evaluated, and what it is told: summaries of
// others as they are when it asks, those in the circle as the last evaluation has left them (none before the
// first). So a round in which a function is told what it was told in an earlier run comes to the same, and what
// it left then takes the place of what it would leave now, for those that come after it.
#include "recall/recall_int.h"

#include "finding/pack.h"
#include "recall/limits.h"

// Of one function as it is evaluated in a recursion; the key of a component has no such number.
static Hash128 round_code(const Recall *m, FuncId f, uint32_t round)
{
    Hash128 words[] = {m->store->base, {stable_func(m->stable, f), UINT64_MAX - round}, m->body[f.id]};
    return hash128_bytes(words, sizeof words);
}

// What one function asked, but for what it asked of the others in the circle, is asked by the component.
static void add_trace(const Recall *m, FuncId of, const Trace *t, Trace *all)
{
    const Program *p = m->facts->program;
    for (uint32_t i = 0; i < t->funcs.len; i++) {
        uint32_t f = (uint32_t)t->funcs.entries[i].key;
        if (p->funcs.at[f].scc.id != p->funcs.at[of.id].scc.id) map_set(&all->funcs, f, 1);
    }
    vec_each (i, &t->reads) {
        const GlobalRead *r = &t->reads.at[i];
        const Unit *u;
        uint32_t unit;
        const Const *c;
        if (r->bytes)
            facts_global_init(m->facts, all, r->global, r->offset, r->bytes, &u, &unit, &c);
        else
            facts_is_one_way(m->facts, all, r->global);
    }
    for (uint32_t i = 0; i < t->numbers.len; i++) facts_is_sentinel(m->facts, all, (int64_t)t->numbers.entries[i].key);
    for (uint32_t i = 0; i < t->hashes.len; i++) map_set(&all->hashes, t->hashes.entries[i].key, 1);
}

static bool take_round(Recall *m, Arena *arena, FuncId f, Hash128 result)
{
    const RecallStore *s = m->store;
    size_t len;
    Kept kept = {0};
    char *bytes = s->get(s->context, object_key(result, OBJECT_RESULT, 0), &len);
    if (bytes) kept.bytes = s->get(s->context, object_key(result, OBJECT_SUMMARIES, 0), &kept.len);
    if (!kept.bytes) {
        mem_free(bytes);
        return false;
    }
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .context = &m->context, .arena = arena};
    Hash128 hash = {0};
    bool way = false;
    pack_hash(&p, &hash);
    pack_bool(&p, &way);
    Summary *sum = arena_new_of(arena, Summary);
    sum->func = f;
    pack_closed(&p, sum);
    Findings *found = findings_new();
    found->without = m->results.without;
    p.arena = found->arena;
    pack_findings(&p, found, pack_place);
    bool ok = !p.bad && p.at == p.end && findings_fit(m->facts->program, f, found) &&
              hash128_same(hash128_bytes(kept.bytes, kept.len), hash);
    mem_free(bytes);
    if (!ok) {
        mem_free(kept.bytes);
        findings_free(found);
        return false;
    }
    summary_free((Summary *)m->results.summaries[f.id]);
    if (m->results.found[f.id]) findings_free(m->results.found[f.id]);
    drop_kept(m, f);
    m->results.summaries[f.id] = sum;
    m->results.found[f.id] = found;
    m->kept[f.id] = kept;
    m->summary[f.id] = hash;
    m->at[f.id] = result;
    m->has_way[f.id] = way;
    atomic_store_explicit(&m->closed[f.id], true, memory_order_release);
    return true;
}

bool recall_round(Recall *m, Callees *callees, Arena *arena, FuncId f, uint32_t round)
{
    const RecallStore *s = m->store;
    Hash128 code = round_code(m, f, round);
    Trace *all = callees->trace;
    bool known = false;
    m->lists[f.id] = 0;
    for (uint32_t n = 0; n < MOST_QUESTIONS && !known; n++) {
        size_t len;
        char *questions = s->get(s->context, object_key(code, OBJECT_QUESTIONS, n), &len);
        if (!questions) break;
        m->lists[f.id] = n + 1;
        Hash128 result;
        Trace asked = {0};
        callees->trace = &asked;
        known = result_of(m, callees, code, questions, len, &result) && take_round(m, arena, f, result);
        if (known) add_trace(m, f, &asked, all);
        trace_free(&asked);
        mem_free(questions);
    }
    callees->trace = all;
    if (known && round & ROUND_LAST) m->recalled++;
    return known;
}

// The key before its new summary is put down: it may have asked for its own.
void recall_note_round(Recall *m, Callees *callees, FuncId f, uint32_t round, Trace *all)
{
    const RecallStore *s = m->store;
    Trace *t = callees->trace;
    callees->trace = NULL;
    atomic_store_explicit(&m->closed[f.id], false, memory_order_release);
    Summary *sum = (Summary *)m->results.summaries[f.id];
    Pack result = {.context = &m->context}, summary = {.context = &m->context}, asked = {0};
    pack_trace(m, t, &asked);
    Hash128 key, code = round_code(m, f, round);
    bool known = result_of(m, callees, code, asked.out.at, asked.out.len, &key);
    pack_summary(&summary, sum);
    drop_kept(m, f);
    m->kept[f.id] = (Kept){summary.out.at, summary.out.len};
    m->summary[f.id] = hash128_bytes(summary.out.at, summary.out.len);
    m->at[f.id] = known ? key : (Hash128){0};
    bool way = sum->case_count != 0;
    pack_hash(&result, &m->summary[f.id]);
    pack_bool(&result, &way);
    pack_closed(&result, sum);
    pack_findings(&result, m->results.found[f.id], pack_place);
    if (known) {
        s->put(s->context, object_key(key, OBJECT_SUMMARIES, 0), summary.out.at, summary.out.len);
        recall_put(m, key, OBJECT_RESULT, 0, &result);
        recall_put_list(m, code, OBJECT_QUESTIONS, m->lists[f.id], MOST_QUESTIONS, &asked);
    } else {
        vec_free(&result.out);
        vec_free(&asked.out);
    }
    add_trace(m, f, t, all);
    callees->trace = all;
}

bool recall_has_way(const Recall *m, FuncId f, const Summary *sum)
{
    return recall_is_closed(m, f) ? m->has_way[f.id] : sum->case_count != 0;
}
