// What replays of findings gave. They run code, so what they depend on is the code of every function
// that a run entered and the first content of every global that it touched, not summaries:
//
//     read       under the code of the function and its findings: names of those functions and globals
//     replays    under the same, and their code and content today
#include "finding/pack.h"
#include "recall/limits.h"
#include "recall/recall_int.h"

// Which fields of globals the program writes, by global.
static void find_written(Recall *m)
{
    const Map *fields = &m->facts->written.fields;
    for (uint32_t i = 0; !m->written_is && i < fields->len; i++) {
        bool fresh;
        uint64_t key = fields->entries[i].key;
        *map_at(&m->written, key >> 32, 0, &fresh) ^= hash_mix(1, (uint32_t)key);
    }
    m->written_is = true;
}

static uint64_t global_today(Recall *m, GlobalId g)
{
    const Facts *f = m->facts;
    find_written(m);
    const uint64_t *fields = map_get(&m->written, g.id);
    uint64_t h = hash_mix(stable_global_content(m->stable, g), fields ? *fields : 0);
    return hash_mix(h, (uint64_t)bits_has(&f->constant_globals, g.id) << 1 | bits_has(&f->written.whole, g.id));
}

static Hash128 func_today(const Recall *m, FuncId f)
{
    if (program_has_code(m->facts->program, f)) return m->body[f.id];
    return (Hash128){stable_func_seen(m->stable, f), 1};
}

// The key of what came of reading these today; false: one is gone.
static bool today(Recall *m, Hash128 of, const char *names, size_t len, Hash128 *key)
{
    Pack p = {.reading = true, .at = names, .end = names + len}, answers = {0};
    bool all = true;
    uint32_t funcs = pack_len(&p, 0, 8);
    for (uint32_t i = 0; i < funcs && !p.bad && all; i++) {
        uint64_t name = 0;
        pack_u64(&p, &name);
        FuncId f = stable_find_func(m->stable, name);
        Hash128 said = f.id ? func_today(m, f) : (Hash128){0};
        pack_hash(&answers, &said);
        all = f.id != 0;
    }
    uint32_t globals = all ? pack_len(&p, 0, 8) : 0;
    for (uint32_t i = 0; i < globals && !p.bad && all; i++) {
        uint64_t name = 0;
        pack_u64(&p, &name);
        GlobalId g = stable_find_global(m->stable, name);
        uint64_t said = g.id ? global_today(m, g) : 0;
        pack_u64(&answers, &said);
        all = g.id != 0;
    }
    Hash128 words[] = {of, hash128_bytes(names, len), hash128_bytes(answers.out.at ? answers.out.at : "", answers.out.len)};
    *key = hash128_bytes(words, sizeof words);
    vec_free(&answers.out);
    return all && !p.bad && p.at == p.end;
}

Hash128 recall_replayed(Recall *m, FuncId f, Findings *found)
{
    Pack p = {.context = &m->context};
    pack_findings(&p, found, pack_place);
    Hash128 words[] = {m->store->base, {stable_func(m->stable, f), OBJECT_REPLAYS}, m->body[f.id],
                       hash128_bytes(p.out.at, p.out.len)};
    vec_free(&p.out);
    return hash128_bytes(words, sizeof words);
}

char *recall_find_replays(Recall *m, Hash128 of, Pack *p, uint32_t *lists)
{
    const RecallStore *s = m->store;
    for (*lists = 0; *lists < MOST_READ; ++*lists) {
        size_t len;
        char *names = s->get(s->context, object_key(of, OBJECT_READ, *lists), &len), *bytes = NULL;
        if (!names) return NULL;
        Hash128 key;
        if (today(m, of, names, len, &key)) bytes = s->get(s->context, object_key(key, OBJECT_REPLAYS, 0), &len);
        mem_free(names);
        if (!bytes) continue;
        *p = (Pack){.reading = true, .at = bytes, .end = bytes + len, .context = &m->context};
        return bytes;
    }
    return NULL;
}

Pack recall_pack(Recall *m)
{
    return (Pack){.context = &m->context};
}

static void pack_names(Pack *p, const Map *ids, uint64_t (*name)(const Recall *m, uint32_t id), const Recall *m)
{
    pack_len(p, ids->len, 8);
    for (uint32_t i = 0; i < ids->len; i++) {
        uint64_t n = name(m, (uint32_t)ids->entries[i].key);
        pack_u64(p, &n);
    }
}

static uint64_t func_name(const Recall *m, uint32_t id)
{
    return stable_func(m->stable, (FuncId){id});
}

static uint64_t global_name(const Recall *m, uint32_t id)
{
    return stable_global(m->stable, (GlobalId){id});
}

void recall_keep_replays(Recall *m, Hash128 of, uint32_t lists, const Map *funcs, const Map *globals, Pack *replays)
{
    Pack names = {0};
    Hash128 key;
    pack_names(&names, funcs, func_name, m);
    pack_names(&names, globals, global_name, m);
    if (today(m, of, names.out.at, names.out.len, &key)) {
        recall_put(m, key, OBJECT_REPLAYS, 0, replays);
        recall_put_list(m, of, OBJECT_READ, lists, MOST_READ, &names);
    }
    vec_free(&names.out);
    vec_free(&replays->out);
}
