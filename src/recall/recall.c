#include "recall/recall_int.h"

#include "finding/grounds.h"
#include "finding/pack.h"
#include "recall/limits.h"

// Answers in place of a summary's hash.
static const Hash128 no_summary = {0, 1}, comes_later = {0, 2};

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
    callee_wait(callees, f);
    return m->summary[f.id];
}

// ---- keys

// The component by its functions' names and code.
static Hash128 component_code(const Recall *m, uint32_t scc)
{
    const Program *p = m->facts->program;
    ProgRange r = p->sccs.at[scc];
    Hash128 h = m->store->base;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = p->order.at[r.first + i];
        Hash128 words[] = {h, {stable_func(m->stable, f), r.count}, m->body[f.id]};
        h = hash128_bytes(words, sizeof words);
    }
    return h;
}

Hash128 object_key(Hash128 of, ObjectKind kind, uint32_t number)
{
    Hash128 words[] = {of, {kind, number}};
    return hash128_bytes(words, sizeof words);
}

void pack_hash(Pack *p, Hash128 *h)
{
    pack_u64(p, &h->high);
    pack_u64(p, &h->low);
}

// ---- questions and answers

// Answers to the questions behind p->at, as they are today, and noted like an evaluation's. False: one
// cannot be asked any more.
static bool answer(const Recall *m, Callees *callees, Pack *p, Pack *answers)
{
    uint32_t funcs = pack_len(p, 0, 8);
    for (uint32_t i = 0; i < funcs && !p->bad; i++) {
        uint64_t name = 0;
        pack_u64(p, &name);
        FuncId f = stable_find_func(m->stable, name);
        if (!f.id) return false;
        Hash128 said = answer_of(m, callees, f);
        pack_hash(answers, &said);
    }
    uint32_t globals = pack_len(p, 0, 20);
    for (uint32_t i = 0; i < globals && !p->bad; i++) {
        uint64_t name = 0;
        int64_t offset = 0;
        uint32_t bytes = 0, unit = 0;
        pack_u64(p, &name);
        pack_u32(p, &bytes);
        pack_i64(p, &offset);
        GlobalId g = stable_find_global(m->stable, name);
        if (!g.id) return false;
        const Unit *u;
        const Const *c = NULL;
        GlobalInit init = GLOBAL_INIT_UNKNOWN;
        if (bytes)
            init = facts_global_init(m->facts, callees->trace, g, offset, bytes, &u, &unit, &c);
        else if (facts_is_one_way(m->facts, callees->trace, g))
            init = GLOBAL_INIT_ZERO;
        uint64_t said = init_answer(m, init, unit, c);
        pack_u64(answers, &said);
    }
    uint32_t numbers = pack_len(p, 0, 8);
    for (uint32_t i = 0; i < numbers && !p->bad; i++) {
        int64_t number = 0;
        pack_i64(p, &number);
        bool said = facts_is_sentinel(m->facts, callees->trace, number);
        pack_bool(answers, &said);
    }
    uint32_t loads = pack_len(p, 0, 8);
    for (uint32_t i = 0; i < loads && !p->bad; i++) {
        uint64_t name = 0;
        pack_u64(p, &name);
        FuncId f = stable_find_func(m->stable, name);
        if (!f.id) return false;
        uint64_t said = facts_hash_in(m->facts, f);
        if (callees->trace) map_set(&callees->trace->hashes, f.id, 1);
        pack_u64(answers, &said);
    }
    return !p->bad && p->at == p->end;
}

void pack_trace(const Recall *m, const Trace *t, Pack *p)
{
    pack_len(p, t->funcs.len, 8);
    for (uint32_t i = 0; i < t->funcs.len; i++) {
        uint64_t name = stable_func(m->stable, (FuncId){(uint32_t)t->funcs.entries[i].key});
        pack_u64(p, &name);
    }
    pack_len(p, t->reads.len, 20);
    vec_each (i, &t->reads) {
        GlobalRead *g = &t->reads.at[i];
        uint64_t name = stable_global(m->stable, g->global);
        pack_u64(p, &name);
        pack_u32(p, &g->bytes);
        pack_i64(p, &g->offset);
    }
    pack_len(p, t->numbers.len, 8);
    for (uint32_t i = 0; i < t->numbers.len; i++) {
        int64_t number = (int64_t)t->numbers.entries[i].key;
        pack_i64(p, &number);
    }
    pack_len(p, t->hashes.len, 8);
    for (uint32_t i = 0; i < t->hashes.len; i++) {
        uint64_t name = stable_func(m->stable, (FuncId){(uint32_t)t->hashes.entries[i].key});
        pack_u64(p, &name);
    }
}

bool result_of(const Recall *m, Callees *callees, Hash128 code, const char *questions, size_t len, Hash128 *result)
{
    Pack p = {.reading = true, .at = questions, .end = questions + len}, answers = {0};
    bool ok = answer(m, callees, &p, &answers);
    Hash128 words[] = {code, hash128_bytes(questions, len),
                       hash128_bytes(answers.out.at, answers.out.len)};
    *result = hash128_bytes(words, sizeof words);
    vec_free(&answers.out);
    return ok;
}

// ---- taking

static void forget(Recall *m, FuncId f)
{
    const Results *s = &m->results;
    m->summary[f.id] = (Hash128){0};
    summary_free((Summary *)s->summaries[f.id]);
    s->summaries[f.id] = NULL;
    if (s->found[f.id]) findings_free(s->found[f.id]);
    s->found[f.id] = NULL;
}

// Numbers of instructions are those of the function.
bool findings_fit(const Program *p, FuncId id, const Findings *found)
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

bool recall_evaluates(const Recall *m, FuncId f)
{
    return program_has_code(m->facts->program, f) && facts_matters(m->facts, f);
}

static bool take_result(Recall *m, Arena *arena, uint32_t scc, Hash128 result)
{
    const Results *s = &m->results;
    const Program *prog = m->facts->program;
    size_t len;
    char *bytes = m->store->get(m->store->context, object_key(result, OBJECT_RESULT, 0), &len);
    if (!bytes) return false;
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .context = &m->context};
    ProgRange r = prog->sccs.at[scc];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r.count && !p.bad; i++) {
        FuncId f = prog->order.at[r.first + i];
        if (!recall_evaluates(m, f)) continue;
        pack_hash(&p, &m->summary[f.id]);
        m->at[f.id] = result;
        if (r.count > 1) pack_hash(&p, &m->at[f.id]);
        Summary *sum = arena_new_of(arena, Summary);
        sum->func = f;
        s->summaries[f.id] = sum;
        p.arena = arena;
        pack_closed(&p, sum);
        Findings *found = s->found[f.id] = findings_new();
        found->without = s->without;
        p.arena = found->arena;
        pack_findings(&p, found, pack_place);
        if (!p.bad && !findings_fit(prog, f, found)) p.bad = true;
        count++;
    }
    bool ok = !p.bad && p.at == p.end && count;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = prog->order.at[r.first + i];
        if (!ok)
            forget(m, f);
        else
            m->closed[f.id] = recall_evaluates(m, f);
    }
    mem_free(bytes);
    if (ok) m->recalled += count;
    return ok;
}

static bool any_is_evaluated(const Recall *m, uint32_t scc)
{
    const Program *p = m->facts->program;
    ProgRange r = p->sccs.at[scc];
    for (uint32_t i = 0; i < r.count; i++)
        if (recall_evaluates(m, p->order.at[r.first + i])) return true;
    return false;
}

uint32_t recall_claim_ms(const Recall *m, uint32_t scc)
{
    const Program *p = m->facts->program;
    ProgRange r = p->sccs.at[scc];
    uint64_t ms = CLAIM_MS;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = p->order.at[r.first + i];
        if (recall_evaluates(m, f)) ms += program_body(p, f, NULL)->ins_count / CLAIM_INS_PER_MS;
    }
    return ms < MOST_CLAIM_MS ? (uint32_t)ms : MOST_CLAIM_MS;
}

static RecallAnswer absent(const Recall *m, Hash128 code, uint32_t scc, bool patient)
{
    const RecallStore *s = m->store;
    bool mine = !s->claim || !patient ||
                s->claim(s->context, object_key(code, OBJECT_CLAIM, 0), recall_claim_ms(m, scc));
    return mine ? RECALL_ABSENT : RECALL_ELSEWHERE;
}

RecallAnswer recall_component(Recall *m, Callees *callees, Arena *arena, uint32_t scc, bool patient)
{
    if (!any_is_evaluated(m, scc)) return RECALL_ABSENT;
    Hash128 code = component_code(m, scc);
    for (uint32_t n = 0; n < MOST_QUESTIONS; n++) {
        size_t len;
        char *questions =
            m->store->get(m->store->context, object_key(code, OBJECT_QUESTIONS, n), &len);
        m->questions[scc] = n;
        if (!questions) return absent(m, code, scc, patient);
        Hash128 result;
        bool known = result_of(m, callees, code, questions, len, &result) &&
                     take_result(m, arena, scc, result);
        mem_free(questions);
        if (known) return RECALL_TAKEN;
    }
    m->questions[scc] = MOST_QUESTIONS;
    return absent(m, code, scc, patient);
}

bool recall_is_closed(const Recall *m, FuncId f)
{
    return atomic_load_explicit(&m->closed[f.id], memory_order_acquire);
}

void recall_opened(Recall *m, FuncId id)
{
    const Program *prog = m->facts->program;
    ProgRange r = prog->sccs.at[prog->funcs.at[id.id].scc.id];
    for (uint32_t i = 0; i < r.count; i++)
        atomic_store_explicit(&m->closed[prog->order.at[r.first + i].id], false,
                              memory_order_release);
}

void recall_replaced(Recall *m, Summary *opened)
{
    if (opened) vec_push(&m->replaced, opened);
}

void drop_kept(Recall *m, FuncId f)
{
    mem_free(m->kept[f.id].bytes);
    m->kept[f.id] = (Kept){0};
}

bool recall_open(Recall *m, Arena *arena, FuncId id)
{
    Kept k = m->kept[id.id];
    if (!k.bytes) k.bytes = m->store->get(m->store->context, object_key(m->at[id.id], OBJECT_SUMMARIES, 0), &k.len);
    if (!k.bytes) return false;
    Pack p = {.reading = true, .at = k.bytes, .end = k.bytes + k.len, .arena = arena, .context = &m->context};
    p.bad = !hash128_same(hash128_bytes(k.bytes, k.len), m->summary[id.id]);
    Summary *sum = arena_new_of(arena, Summary);
    const Summary *closed = m->results.summaries[id.id];
    sum->func = id;
    if (!p.bad) pack_summary(&p, sum);
    sum->noisy = closed->noisy;
    sum->reached = closed->reached;
    sum->error_marks = closed->error_marks;
    sum->error_calls = closed->error_calls;
    sum->error_call_count = closed->error_call_count;
    bool ok = !p.bad && p.at == p.end && sum->error_count == closed->error_count;
    if (!m->kept[id.id].bytes) mem_free(k.bytes);
    if (!ok) {
        summary_free(sum);
        return false;
    }
    m->results.summaries[id.id] = sum;
    atomic_store_explicit(&m->closed[id.id], false, memory_order_release);
    return true;
}

// ---- noting

void recall_put(const Recall *m, Hash128 of, ObjectKind kind, uint32_t number, Pack *p)
{
    m->store->put(m->store->context, object_key(of, kind, number), p->out.at ? p->out.at : "",
                  p->out.len);
    vec_free(&p->out);
}

// Where a list that is not among those that were found goes: after them, and when there is no
// room in place of one of them, which is then looked for anew.
void recall_put_list(const Recall *m, Hash128 of, ObjectKind kind, uint32_t found, uint32_t most, Pack *list)
{
    const RecallStore *store = m->store;
    for (uint32_t n = 0; n < found; n++) {
        size_t len;
        char *other = store->get(store->context, object_key(of, kind, n), &len);
        bool same = other && len == list->out.len && memcmp(other, list->out.at, len) == 0;
        mem_free(other);
        if (!same) continue;
        vec_free(&list->out);
        return;
    }
    if (found == most) found = (uint32_t)(hash_bytes(list->out.at, list->out.len, 0) % most);
    recall_put(m, of, kind, found, list);
}

// Summaries before the result, and both before the questions: whoever finds one finds all. Those of a
// recursion are there already (rounds.c).
void recall_note(Recall *m, Callees *callees, uint32_t scc)
{
    const Results *s = &m->results;
    const Program *prog = m->facts->program;
    Trace *t = callees->trace;
    callees->trace = NULL; // what is asked from here on is no part of it
    Pack result = {.context = &m->context}, summary = {.context = &m->context}, asked = {0};
    ProgRange r = prog->sccs.at[scc];
    bool any = false, all = true;
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = prog->order.at[r.first + i];
        Summary *sum = (Summary *)s->summaries[f.id];
        if (!sum) continue;
        if (r.count == 1) {
            pack_summary(&summary, sum);
            m->summary[f.id] = hash128_bytes(summary.out.at, summary.out.len);
        }
        pack_hash(&result, &m->summary[f.id]);
        if (r.count > 1) pack_hash(&result, &m->at[f.id]);
        pack_closed(&result, sum);
        pack_findings(&result, s->found[f.id], pack_place);
        any = true;
        all = all && (r.count == 1 || m->at[f.id].high || m->at[f.id].low);
        if (!m->closed[f.id]) drop_kept(m, f);
    }
    Hash128 key, code = component_code(m, scc);
    if (any && all) pack_trace(m, t, &asked);
    if (any && all && result_of(m, callees, code, asked.out.at, asked.out.len, &key)) {
        if (r.count == 1) recall_put(m, key, OBJECT_SUMMARIES, 0, &summary);
        recall_put(m, key, OBJECT_RESULT, 0, &result);
        recall_put_list(m, code, OBJECT_QUESTIONS, m->questions[scc], MOST_QUESTIONS, &asked);
    } else {
        vec_free(&summary.out);
        vec_free(&result.out);
        vec_free(&asked.out);
    }
}

// ---- all of them

Recall *recall_new(const Facts *facts, Results results, const RecallStore *store)
{
    Recall *m = mem_alloc(sizeof *m);
    const Program *p = facts->program;
    m->facts = facts;
    m->results = results;
    m->store = store;
    m->arena = arena_new("recall");
    m->stable = stable_new(facts);
    m->context = (PackSummary){m->stable, facts->specs, p};
    m->body = arena_array_of(m->arena, Hash128, p->funcs.len);
    m->summary = arena_array_of(m->arena, Hash128, p->funcs.len);
    m->at = arena_array_of(m->arena, Hash128, p->funcs.len);
    m->kept = arena_array_of(m->arena, Kept, p->funcs.len);
    m->has_way = arena_array_of(m->arena, bool, p->funcs.len);
    m->lists = arena_array_of(m->arena, uint32_t, p->funcs.len);
    m->questions = arena_array_of(m->arena, uint32_t, p->sccs.len);
    m->closed = arena_alloc(m->arena, p->funcs.len * sizeof *m->closed);
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (program_has_code(p, (FuncId){f})) m->body[f] = stable_body(m->stable, (FuncId){f});
    return m;
}

void recall_free(Recall *m)
{
    if (!m) return;
    stable_free(m->stable);
    for (uint32_t f = 1; f < m->facts->program->funcs.len; f++) mem_free(m->kept[f].bytes);
    vec_each (i, &m->replaced) summary_free(m->replaced.at[i]);
    vec_free(&m->replaced);
    map_free(&m->written);
    arena_free(m->arena);
    mem_free(m);
}

uint32_t recall_count(const Recall *m)
{
    return m->recalled;
}
