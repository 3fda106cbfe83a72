#include "recall/recall.h"

#include "finding/grounds.h"
#include "finding/pack.h"
#include "recall/limits.h"

// The bytes: a checksum of the rest, then entries, each with its component's name and its length.
// Every entry stands for itself, so that those which are still good are copied as they are.

enum { HEAD = sizeof(Hash128) };

typedef struct {
    const char *bytes;
    size_t len;
    bool owned;
} Entry;

struct Recall {
    const Facts *facts;
    Results results;
    Arena *arena;
    Stable *stable;
    PackSummary context;
    Map known;        // component name -> address of its entry's length, in bytes of others
    Chars *pool;      // where new entries go in the end; may be null
    Hash128 *body;    // by FuncId with code
    Hash128 *summary; // by FuncId: of its content, once its component is done
    Entry *entries;   // by SccId, of this run
    _Atomic uint32_t recalled;
};

// Answers in place of a summary's hash.
static const Hash128 no_summary = {0, 1}, comes_later = {0, 2};

static bool same_hash(Hash128 a, Hash128 b)
{
    return a.high == b.high && a.low == b.low;
}

// What was read of a constant global, as a number that survives an edit elsewhere.
static uint64_t init_answer(const Recall *m, GlobalInit init, uint32_t unit, const Const *c)
{
    return init == GLOBAL_INIT_CONST ? stable_const(m->stable, unit, c) : init;
}

// What an evaluation in this place is told of the function.
static Hash128 answer_of(const Recall *m, Callees *callees, FuncId f)
{
    if (!callee_has_started(callees, f)) return comes_later;
    if (!program_has_code(m->facts->program, f)) return no_summary;
    callee_summary(callees, f); // it may have to be waited for
    return m->summary[f.id];
}

// ---- entries

static uint64_t component_name(const Recall *m, uint32_t scc)
{
    const Program *p = m->facts->program;
    ProgRange r = p->sccs.at[scc];
    uint64_t name = r.count;
    for (uint32_t i = 0; i < r.count; i++)
        name = hash_mix(name, stable_func(m->stable, p->order.at[r.first + i]));
    return name;
}

static Hash128 component_body(const Recall *m, uint32_t scc)
{
    const Program *p = m->facts->program;
    ProgRange r = p->sccs.at[scc];
    Hash128 h = m->body[p->order.at[r.first].id];
    for (uint32_t i = 1; i < r.count; i++) {
        Hash128 next = m->body[p->order.at[r.first + i].id];
        h.high = hash_mix(h.high, next.high);
        h.low = hash_mix(h.low, next.low);
    }
    return h;
}

static void pack_hash(Pack *p, Hash128 *h)
{
    pack_u64(p, &h->high);
    pack_u64(p, &h->low);
}

static bool reads_are_the_same(const Recall *m, Callees *callees, Pack *p)
{
    uint32_t funcs = pack_len(p, 0, 24);
    for (uint32_t i = 0; i < funcs && !p->bad; i++) {
        uint64_t name = 0;
        Hash128 answer = {0};
        pack_u64(p, &name);
        pack_hash(p, &answer);
        FuncId f = stable_find_func(m->stable, name);
        if (!f.id || !same_hash(answer, answer_of(m, callees, f))) return false;
    }
    uint32_t globals = pack_len(p, 0, 28);
    for (uint32_t i = 0; i < globals && !p->bad; i++) {
        uint64_t name = 0, answer = 0;
        int64_t offset = 0;
        uint32_t bytes = 0, unit = 0;
        pack_u64(p, &name);
        pack_u32(p, &bytes);
        pack_i64(p, &offset);
        pack_u64(p, &answer);
        GlobalId g = stable_find_global(m->stable, name);
        if (!g.id) return false;
        const Unit *u;
        const Const *c = NULL;
        GlobalInit init = facts_global_init(m->facts, NULL, g, offset, bytes, &u, &unit, &c);
        if (init_answer(m, init, unit, c) != answer) return false;
    }
    uint32_t numbers = pack_len(p, 0, 9);
    for (uint32_t i = 0; i < numbers && !p->bad; i++) {
        int64_t number = 0;
        bool answer = false;
        pack_i64(p, &number);
        pack_bool(p, &answer);
        if (facts_is_sentinel(m->facts, NULL, number) != answer) return false;
    }
    return !p->bad;
}

static void forget(const Results *s, FuncId f)
{
    summary_free((Summary *)s->summaries[f.id]);
    s->summaries[f.id] = NULL;
    if (s->found[f.id]) findings_free(s->found[f.id]);
    s->found[f.id] = NULL;
}

// Numbers of instructions are those of the function.
static bool findings_fit(const Program *p, FuncId id, const Findings *found)
{
    const Func *f = program_body(p, id, NULL);
    vec_each (i, &found->all) {
        const Finding *x = found->all.at[i];
        if (x->grounds->made_by > f->ins_count || x->grounds->lost_by > f->ins_count ||
            x->grounds->failed_call > f->ins_count)
            return false;
    }
    return true;
}

bool recall_component(Recall *m, Callees *callees, Arena *arena, uint32_t scc)
{
    const Results *s = &m->results;
    const Program *prog = m->facts->program;
    const uint64_t *known = map_get(&m->known, component_name(m, scc));
    if (!known) return false;
    uint32_t len;
    const char *bytes = (const char *)(uintptr_t)*known;
    memcpy(&len, bytes, sizeof len);
    bytes += sizeof len;
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .context = &m->context};
    Hash128 body = {0};
    pack_hash(&p, &body);
    if (!same_hash(body, component_body(m, scc)) || !reads_are_the_same(m, callees, &p))
        return false;
    ProgRange r = prog->sccs.at[scc];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r.count && !p.bad; i++) {
        FuncId f = prog->order.at[r.first + i];
        if (!program_has_code(prog, f) || !facts_matters(m->facts, f)) continue;
        pack_hash(&p, &m->summary[f.id]);
        Summary *sum = arena_new_of(arena, Summary);
        sum->func = f;
        s->summaries[f.id] = sum;
        p.arena = arena;
        pack_summary(&p, sum);
        pack_reached(&p, sum);
        pack_error_calls(&p, sum);
        Findings *found = s->found[f.id] = findings_new();
        found->without = s->without;
        p.arena = found->arena;
        pack_findings(&p, found, pack_place);
        if (!p.bad && !findings_fit(prog, f, found)) p.bad = true;
        count++;
    }
    if (p.bad || p.at != p.end) {
        for (uint32_t i = 0; i < r.count; i++) forget(s, prog->order.at[r.first + i]);
        return false;
    }
    m->entries[scc] = (Entry){bytes, len, false};
    m->recalled += count;
    return true;
}

void recall_note(Recall *m, Callees *callees, uint32_t scc)
{
    const Results *s = &m->results;
    const Program *prog = m->facts->program;
    Trace *t = callees->trace;
    callees->trace = NULL; // what is asked from here on is no part of it
    Pack p = {.context = &m->context};
    Hash128 body = component_body(m, scc);
    pack_hash(&p, &body);
    pack_len(&p, t->funcs.len, 24);
    for (uint32_t i = 0; i < t->funcs.len; i++) {
        FuncId f = {(uint32_t)t->funcs.entries[i].key};
        uint64_t name = stable_func(m->stable, f);
        Hash128 answer = answer_of(m, callees, f);
        pack_u64(&p, &name);
        pack_hash(&p, &answer);
    }
    pack_len(&p, t->reads.len, 28);
    vec_each (i, &t->reads) {
        GlobalRead *g = &t->reads.at[i];
        uint64_t name = stable_global(m->stable, g->global);
        uint64_t answer = init_answer(m, g->init, g->unit, g->constant);
        pack_u64(&p, &name);
        pack_u32(&p, &g->bytes);
        pack_i64(&p, &g->offset);
        pack_u64(&p, &answer);
    }
    pack_len(&p, t->numbers.len, 9);
    for (uint32_t i = 0; i < t->numbers.len; i++) {
        int64_t number = (int64_t)t->numbers.entries[i].key;
        bool answer = t->numbers.entries[i].value;
        pack_i64(&p, &number);
        pack_bool(&p, &answer);
    }
    ProgRange r = prog->sccs.at[scc];
    bool any = false;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = prog->order.at[r.first + i];
        if (!s->summaries[f.id]) continue;
        uint32_t start = p.out.len;
        pack_hash(&p, &m->summary[f.id]);
        pack_summary(&p, (Summary *)s->summaries[f.id]);
        char *content = p.out.at + start;
        m->summary[f.id] = hash128_bytes(content + HEAD, p.out.len - start - HEAD);
        memcpy(content, &m->summary[f.id].high, sizeof(uint64_t));
        memcpy(content + sizeof(uint64_t), &m->summary[f.id].low, sizeof(uint64_t));
        pack_reached(&p, (Summary *)s->summaries[f.id]);
        pack_error_calls(&p, (Summary *)s->summaries[f.id]);
        pack_findings(&p, s->found[f.id], pack_place);
        any = true;
    }
    if (any)
        m->entries[scc] = (Entry){p.out.at, p.out.len, true};
    else
        vec_free(&p.out);
}

// ---- all of them

static void index_entries(Recall *m, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint64_t name;
        uint32_t len;
        if (size - at < sizeof name + sizeof len) return;
        memcpy(&name, bytes + at, sizeof name);
        at += sizeof name;
        memcpy(&len, bytes + at, sizeof len);
        if (size - at - sizeof len < len) return;
        map_set(&m->known, name, (uintptr_t)(bytes + at));
        at += sizeof len + len;
    }
}

// Bytes that were kept between runs may be damaged.
static bool is_whole(const char *bytes, size_t len)
{
    Hash128 sum;
    if (!bytes || len < HEAD) return false;
    memcpy(&sum, bytes, HEAD);
    return same_hash(sum, hash128_bytes(bytes + HEAD, len - HEAD));
}

static void append_entry(const Recall *m, uint32_t scc, Chars *out)
{
    const Entry *e = &m->entries[scc];
    uint64_t name = component_name(m, scc);
    uint32_t len = (uint32_t)e->len;
    vec_append(out, (const char *)&name, sizeof name);
    vec_append(out, (const char *)&len, sizeof len);
    vec_append(out, e->bytes, len);
}

Recall *recall_new(const Facts *facts, Results results, const char *bytes, size_t len, Chars *pool)
{
    Recall *m = mem_alloc(sizeof *m);
    const Program *p = facts->program;
    m->facts = facts;
    m->results = results;
    m->arena = arena_new("recall");
    m->pool = pool;
    m->stable = stable_new(facts);
    m->context = (PackSummary){m->stable, facts->specs, p};
    m->body = arena_array_of(m->arena, Hash128, p->funcs.len);
    m->summary = arena_array_of(m->arena, Hash128, p->funcs.len);
    m->entries = arena_array_of(m->arena, Entry, p->sccs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (program_has_code(p, (FuncId){f})) m->body[f] = stable_body(m->stable, (FuncId){f});
    if (pool) index_entries(m, pool->at, pool->len);
    // What this program itself left goes before what others did.
    if (is_whole(bytes, len)) index_entries(m, bytes + HEAD, len - HEAD);
    return m;
}

void recall_free(Recall *m)
{
    if (!m) return;
    for (uint32_t r = 1; r < m->facts->program->sccs.len; r++) {
        const Entry *e = &m->entries[r];
        if (!e->owned) continue;
        if (m->pool && e->len <= MOST_BYTES - m->pool->len) append_entry(m, r, m->pool);
        mem_free((char *)e->bytes);
    }
    map_free(&m->known);
    stable_free(m->stable);
    arena_free(m->arena);
    mem_free(m);
}

void recall_write(const Recall *m, Chars *out)
{
    Hash128 sum = {0};
    vec_append(out, (const char *)&sum, sizeof sum);
    for (uint32_t r = 1; r < m->facts->program->sccs.len; r++) {
        const Entry *e = &m->entries[r];
        // What does not fit is evaluated again.
        if (e->bytes && e->len <= MOST_BYTES - out->len) append_entry(m, r, out);
    }
    sum = hash128_bytes(out->at + HEAD, out->len - HEAD);
    memcpy(out->at, &sum, sizeof sum);
}

uint32_t recall_count(const Recall *m)
{
    return m->recalled;
}
