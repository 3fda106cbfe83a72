// The findings of an analysis, kept in the cache: a run over the same units, link steps, specs and
// options has the same raw findings, so they need not be found again. What check makes of them
// (suppressions, baseline, ranking) is done anew in every run, since it reads other files.
//
// One walk over the fields serves both ways, so that writing and reading cannot disagree.
#include "base/file.h"
#include "run.h"

#include <dirent.h>
#include <sys/stat.h>

typedef struct {
    Chars out;
    const char *at, *end; // reading
    bool reading, bad;
    Arena *arena; // of what is read
} Io;

// Whoever adds a field to what is kept adds it to the walk below, and then its size here.
_Static_assert(sizeof(Finding) == 272 && sizeof(Event) == 56 && sizeof(When) == 16 &&
                   sizeof(HeapNode) == 32 && sizeof(HeapEdge) == 24 && sizeof(GivenUp) == 32,
               "the walk over a finding must know all its fields");

static void io_bytes(Io *io, void *p, size_t n)
{
    if (!io->reading) {
        vec_append(&io->out, (const char *)p, n);
    } else if (io->bad || (size_t)(io->end - io->at) < n) {
        io->bad = true;
        memset(p, 0, n);
    } else {
        memcpy(p, io->at, n);
        io->at += n;
    }
}

static void io_u32(Io *io, uint32_t *n)
{
    io_bytes(io, n, sizeof *n);
}

static void io_bool(Io *io, bool *b)
{
    uint32_t n = *b;
    io_u32(io, &n);
    *b = n != 0;
}

// An enumerator; what is out of range is damage.
static uint32_t io_enum(Io *io, uint32_t value, uint32_t count)
{
    io_u32(io, &value);
    if (value >= count) io->bad = true, value = 0;
    return value;
}

static void io_text(Io *io, const char **text)
{
    uint32_t len = *text && !io->reading ? (uint32_t)strlen(*text) : UINT32_MAX;
    io_u32(io, &len);
    if (!io->reading) {
        if (*text) vec_append(&io->out, *text, len);
        return;
    }
    *text = NULL;
    if (len == UINT32_MAX || io->bad) return;
    if ((size_t)(io->end - io->at) < len) {
        io->bad = true;
        return;
    }
    *text = arena_strndup(io->arena, io->at, len);
    io->at += len;
}

static void io_pos(Io *io, Pos *p)
{
    io_text(io, &p->path);
    io_u32(io, &p->line);
    io_u32(io, &p->col);
}

// The length of a list; reading makes room, zeroed. Each element takes four bytes at least, so a
// damaged length cannot ask for more than the object's own size.
#define io_len(io, v)                                                                              \
    do {                                                                                           \
        uint32_t len_ = (v)->len;                                                                  \
        io_u32((io), &len_);                                                                       \
        if ((io)->reading) {                                                                       \
            if (len_ > (size_t)((io)->end - (io)->at) / 4) (io)->bad = true, len_ = 0;             \
            vec_extend((v), len_);                                                                 \
        }                                                                                          \
    } while (0)

static void io_finding(Io *io, Finding *f)
{
    f->rule = (Rule)io_enum(io, f->rule, RULE_COUNT);
    f->level = (Level)io_enum(io, f->level, LEVEL_COUNT);
    io_u32(io, &f->cwe);
    io_u32(io, &f->stages);
    io_pos(io, &f->alloc);
    io_pos(io, &f->source);
    io_pos(io, &f->lost);
    io_pos(io, &f->freed);
    f->loss = (Loss)io_enum(io, f->loss, LOSS_COUNT);
    io_text(io, &f->function);
    if (!f->function) f->function = "";
    io_text(io, &f->allocator);
    io_text(io, &f->releaser);
    io_text(io, &f->variable);
    io_text(io, &f->resource);
    io_text(io, &f->settle_spec);
    io_bool(io, &f->error_exit);
    io_bool(io, &f->in_loop);
    io_bool(io, &f->main_path);
    io_u32(io, &f->merged);
    io_len(io, &f->when);
    vec_each (i, &f->when) {
        io_text(io, &f->when.at[i].text);
        io_bool(io, &f->when.at[i].expr);
    }
    io_len(io, &f->events);
    vec_each (i, &f->events) {
        Event *e = &f->events.at[i];
        e->kind = (EventKind)io_enum(io, e->kind, EVENT_COUNT);
        io_pos(io, &e->pos);
        io_text(io, &e->text);
        io_text(io, &e->cond);
        io_bool(io, &e->taken);
        io_u32(io, &e->depth);
    }
    io_len(io, &f->nodes);
    vec_each (i, &f->nodes) {
        HeapNode *n = &f->nodes.at[i];
        n->kind = (HeapKind)io_enum(io, n->kind, HEAP_KIND_COUNT);
        io_text(io, &n->label);
        io_text(io, &n->detail);
        io_bool(io, &n->lost);
        io_bool(io, &n->freed);
    }
    io_len(io, &f->edges);
    vec_each (i, &f->edges) {
        HeapEdge *e = &f->edges.at[i];
        e->from = io_enum(io, e->from, f->nodes.len);
        e->to = io_enum(io, e->to, f->nodes.len);
        io_text(io, &e->label);
        io_bool(io, &e->cut);
    }
}

static void io_facts(Io *io, Findings *fs)
{
    io_u32(io, &fs->run.functions);
    io_bytes(io, &fs->run.step_budget, sizeof fs->run.step_budget);
    io_len(io, &fs->run.given_up);
    vec_each (i, &fs->run.given_up) {
        GivenUp *g = &fs->run.given_up.at[i];
        io_text(io, &g->function);
        io_pos(io, &g->pos);
        io_text(io, &g->reason);
    }
}

// ---- the key ----

// True when there are any.
static bool key_of_specs(Run *r, CacheKey *k, const char *dir)
{
    bool any = false;
    struct dirent **list;
    int n = scandir(dir, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (strcmp(path_extension(list[i]->d_name), "own") == 0) {
            size_t len;
            char *text = file_read(path_join(r->arena, dir, list[i]->d_name), 0, &len);
            cache_key_text(k, list[i]->d_name);
            any = true;
            cache_key_bytes(k, text ? text : "", text ? len : 0);
            mem_free(text);
        }
        mem_free(list[i]);
    }
    if (n >= 0) mem_free(list);
    return any;
}

bool keep_key(Run *r, Hash128 *key)
{
    if (!r->cache_path || r->owned.len || !r->o->models) return false;
    CacheKey k = {0};
    cache_key_text(&k, "findings " STANCH_VERSION);
    struct stat self = {0};
    stat(r->o->self, &self);
    int64_t build[3] = {self.st_size, self.st_mtim.tv_sec, self.st_mtim.tv_nsec};
    cache_key_bytes(&k, build, sizeof build);
    uint32_t options[3] = {r->o->check.level, r->o->check.rules_off, r->o->no_prune};
    cache_key_bytes(&k, options, sizeof options);
    bool ok = true;
    vec_each (i, &r->made) {
        if (!r->made.at[i].unit) continue;
        ok = ok && r->made.at[i].cached;
        cache_key_bytes(&k, &r->made.at[i].object, sizeof r->made.at[i].object);
    }
    for (uint32_t i = 0; i < r->step_count; i++) {
        const LinkStep *s = &r->steps[i];
        cache_key_text(&k, s->name);
        cache_key_bytes(&k, &s->kind, sizeof s->kind);
        for (uint32_t n = 0; n < s->input_count; n++) {
            uint32_t in[3] = {s->inputs[n].is_step, s->inputs[n].whole, s->inputs[n].index};
            cache_key_bytes(&k, in, sizeof in);
        }
    }
    ok = key_of_specs(r, &k, r->o->models) && ok;
    cache_key_text(&k, "user");
    r->user_specs = key_of_specs(r, &k, path_join(r->arena, r->o->root, ".stanch"));
    r->user_specs = r->user_specs || r->o->specs.len != 0;
    vec_each (i, &r->o->specs) {
        size_t len;
        char *text = file_read(r->o->specs.at[i], 0, &len);
        cache_key_bytes(&k, text ? text : "", text ? len : 0);
        mem_free(text);
    }
    *key = cache_key_end(&k);
    return ok;
}

// ---- both ways ----

void keep_write(Run *r, Hash128 key)
{
    Io io = {0};
    Hash128 sum = {0};
    io_bytes(&io, &sum, sizeof sum);
    io_facts(&io, r->findings);
    io_len(&io, &r->findings->all);
    vec_each (i, &r->findings->all) io_finding(&io, r->findings->all.at[i]);
    sum = hash128_bytes(io.out.at + sizeof sum, io.out.len - sizeof sum);
    memcpy(io.out.at, &sum, sizeof sum);
    cache_put(r->cache, key, io.out.at, io.out.len);
    vec_free(&io.out);
}

bool keep_read(Run *r, Hash128 key)
{
    size_t len;
    char *bytes = cache_get(r->cache, key, &len);
    if (!bytes) return false;
    Findings *read = findings_new();
    Io io = {.reading = true, .at = bytes, .end = bytes + len, .arena = read->arena};
    Hash128 sum, is = {0};
    io_bytes(&io, &sum, sizeof sum);
    if (!io.bad) is = hash128_bytes(io.at, (size_t)(io.end - io.at));
    if (sum.high != is.high || sum.low != is.low) io.bad = true;
    if (!io.bad) io_facts(&io, read);
    uint32_t count = 0;
    io_u32(&io, &count);
    for (uint32_t i = 0; i < count && !io.bad; i++)
        io_finding(&io, finding_new(read, RULE_LEAK, LEVEL_SURE, "", (Pos){0}, (Pos){0}));
    if (!io.bad) {
        findings_append(r->findings, read);
        r->findings->run.step_budget = read->run.step_budget;
    }
    findings_free(read);
    mem_free(bytes);
    if (io.bad) cache_drop(r->cache, key);
    return !io.bad;
}
