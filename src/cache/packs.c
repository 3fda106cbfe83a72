// Results of the evaluation: tens of thousands of small objects, many to a file.
//
// A file for each would cost an inode, a rename and a row of the index each, and a run over a large
// program reads them all. So what a run stores is collected and written as one pack, which is never
// changed afterwards:
//
//     record, seal, record, seal, ...       in the order in which they were stored
//     key, place, length of each record     sorted by key: the only part that every run reads
//     magic, sequence, count, seal          of the list above
//
// A record is read when it is asked for and believed when its own seal fits, which covers its key. In
// several packs the one with the highest sequence counts. Small packs are joined when their number
// grows (each byte is copied at most log n times); when all of them pass their limit, what this run
// has used is written as one, and the rest goes. Packs are files of their own, read by descriptor: a
// run that removes one takes nothing from another run that has it open.
//
// Without a directory, or with a secret that is good for this run only, packs stay in memory: the
// programs of one run share results through them.
#include "base/below.h"
#include "base/file.h"
#include "base/siphash.h"
#include "cache/cache_int.h"
#include "cache/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t magic = 0x31736b6361707473; // "stpacks1" in memory

typedef struct {
    uint64_t magic, sequence, count;
    Seal seal;
} Footer;

// ---- looking things up ----

static int by_key(const void *x, const void *y)
{
    const PackEntry *a = x, *b = y;
    int order = hash128_order(a->key, b->key);
    if (order) return order;
    return a->at < b->at ? -1 : a->at > b->at;
}

static PackEntry *find_entry(const PackFile *f, Hash128 key)
{
    uint32_t low = 0, high = f->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        PackEntry *e = &f->entries[middle];
        int order = hash128_order(e->key, key);
        if (!order) return e;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static Hash128 record_seal(const Cache *c, Hash128 key, const void *bytes, size_t len)
{
    return cache_seal(c->secret, ENTRY_RESULT, key, bytes, len).content;
}

// The record with its seal behind it.
static char *read_record(const PackFile *f, const PackEntry *e)
{
    size_t n = (size_t)e->len + sizeof(Hash128);
    char *bytes = mem_alloc(n + 1);
    bool ok = true;
    if (f->memory)
        memcpy(bytes, f->memory + e->at, n);
    else
        ok = file_read_at(f->fd, bytes, n, e->at);
    if (!ok) {
        mem_free(bytes);
        return NULL;
    }
    return bytes;
}

// ---- the packs of earlier runs ----

// Its list must have been written with our secret: what is behind places and lengths is ours.
static bool load_pack(Cache *c, PackFile *f)
{
    struct stat st;
    Footer foot;
    if (fstat(f->fd, &st) != 0 || st.st_size < (off_t)sizeof foot ||
        !file_read_at(f->fd, (char *)&foot, sizeof foot, (uint64_t)st.st_size - sizeof foot))
        return false;
    uint64_t size = (uint64_t)st.st_size - sizeof foot;
    Hash128 subject = {foot.sequence, foot.count};
    if (foot.magic != magic || foot.count > size / sizeof *f->entries ||
        !cache_sealed(c->secret, ENTRY_PACK, subject, NULL, foot.count * sizeof *f->entries,
                      &foot.seal))
        return false;
    size_t n = foot.count * sizeof *f->entries;
    f->entries = mem_alloc(n + 1);
    f->count = (uint32_t)foot.count;
    f->sequence = foot.sequence;
    f->bytes = (uint64_t)st.st_size;
    bool ok = file_read_at(f->fd, (char *)f->entries, n, size - n) &&
              cache_sealed(c->secret, ENTRY_PACK, subject, f->entries, n, &foot.seal);
    // A file that was cut in the middle and put together again has all of that right.
    for (uint32_t i = 0; ok && i < f->count; i++)
        ok = f->entries[i].at <= size - n && f->entries[i].len <= size - n - f->entries[i].at;
    if (!ok) {
        mem_free(f->entries);
        f->entries = NULL;
    }
    return ok;
}

static int by_sequence(const void *x, const void *y)
{
    const PackFile *a = x, *b = y;
    if (a->sequence != b->sequence) return a->sequence < b->sequence ? -1 : 1;
    return strcmp(a->name, b->name);
}

// Once; the lock is held.
static void open_packs(Cache *c)
{
    Packs *p = &c->packs;
    if (p->opened) return;
    p->opened = true;
    int dir = c->dir && c->lasting ? below_dir(c->fd, "packs", false) : -1;
    if (dir < 0) return;
    Arena *a = arena_new("packs");
    for (const char **name = below_list(a, dir, ""); *name && p->files.len < 4 * MOST_PACKS;
         name++) {
        if (strlen(*name) != 32) continue;
        PackFile f = {.fd = below_open(dir, *name, O_RDONLY)};
        if (f.fd < 0) continue;
        snprintf(f.name, sizeof f.name, "%s", *name);
        if (load_pack(c, &f))
            vec_push(&p->files, f);
        else
            close(f.fd);
    }
    arena_free(a);
    close(dir);
    if (p->files.len) qsort(p->files.at, p->files.len, sizeof *p->files.at, by_sequence);
    if (p->files.len) p->sequence = vec_last(&p->files).sequence;
}

// ---- writing ----

typedef struct {
    int fd;
    int error;
    uint64_t at;
    Chars buffer;
    sigset_t before; // the mask of signals, see cache_scratch_begin
} Writer;

static void flush(Writer *w)
{
    if (!w->error) w->error = file_write_all(w->fd, w->buffer.at, w->buffer.len);
    vec_clear(&w->buffer);
}

static void put_bytes(Writer *w, const void *bytes, size_t n)
{
    vec_append(&w->buffer, (const char *)bytes, n);
    w->at += n;
    if (w->buffer.len >= COPY_BYTES) flush(w);
}

static bool writer_open(Cache *c, Writer *w)
{
    *w = (Writer){.fd = -1};
    if (!cache_scratch_begin(c, &w->before)) return false;
    unlinkat(c->scratch_fd, "pack", 0);
    w->fd = below_open(c->scratch_fd, "pack", O_RDWR | O_CREAT | O_EXCL);
    if (w->fd < 0) cache_scratch_end(c, &w->before);
    return w->fd >= 0;
}

// Ends the pack and puts it in its place. The entries are sorted already and become the file's.
static bool writer_end(Cache *c, Writer *w, PackEntry *entries, uint32_t count, PackFile *f)
{
    size_t n = count * sizeof *entries;
    Footer foot = {magic, ++c->packs.sequence, count, {{0}, {0}}};
    for (uint32_t i = 0; i < count; i++) entries[i].used = 0;
    foot.seal = cache_seal(c->secret, ENTRY_PACK, (Hash128){foot.sequence, count}, entries, n);
    *f = (PackFile){.fd = w->fd, .entries = entries, .count = count, .sequence = foot.sequence};
    put_bytes(w, entries, n);
    put_bytes(w, &foot, sizeof foot);
    flush(w);
    f->bytes = w->at;
    vec_free(&w->buffer);
    hash128_text(siphash(c->secret, &foot, sizeof foot), f->name);
    int dir = w->error ? -1 : below_dir(c->fd, "packs", true);
    bool ok = dir >= 0 && renameat(c->scratch_fd, "pack", dir, f->name) == 0;
    if (dir >= 0) close(dir);
    if (!ok) {
        unlinkat(c->scratch_fd, "pack", 0);
        close(w->fd);
    }
    cache_scratch_end(c, &w->before);
    return ok;
}

// Sorted, and of entries with the same key the last.
static uint32_t sort_entries(PackEntry *e, uint32_t count)
{
    if (count) qsort(e, count, sizeof *e, by_key);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept && hash128_same(e[kept - 1].key, e[i].key)) kept--;
        e[kept++] = e[i];
    }
    return kept;
}

// What was collected becomes a pack; the lock is held.
static void write_fresh(Cache *c)
{
    Packs *p = &c->packs;
    if (!p->fresh_entries.len) return;
    PackFile f;
    Writer w;
    uint32_t count = sort_entries(p->fresh_entries.at, p->fresh_entries.len);
    bool written = c->dir && c->lasting && !c->read_only && writer_open(c, &w);
    if (written) {
        put_bytes(&w, p->fresh.at, p->fresh.len);
        written = writer_end(c, &w, p->fresh_entries.at, count, &f);
    }
    if (written) {
        vec_free(&p->fresh);
    } else {
        f = (PackFile){.fd = -1, .entries = p->fresh_entries.at, .count = count, .memory = p->fresh.at};
        p->in_memory += p->fresh.len;
        p->fresh = (typeof(p->fresh)){0};
    }
    p->fresh_entries = (typeof(p->fresh_entries)){0};
    map_clear(&p->fresh_index);
    vec_push(&p->files, f);
}

// ---- joining packs ----

// Copies of the packs from `first` on what is wanted into one, the newest of each key.
static bool join_packs(Cache *c, uint32_t first, bool used_only)
{
    Packs *p = &c->packs;
    Writer w;
    if (!writer_open(c, &w)) return false;
    VEC(PackEntry) all = {0};
    Map seen = {0};
    for (uint32_t i = p->files.len; i-- > first && !w.error;) {
        const PackFile *f = &p->files.at[i];
        for (uint32_t k = 0; f->fd >= 0 && k < f->count; k++) {
            bool fresh;
            map_at(&seen, f->entries[k].key.low ^ f->entries[k].key.high, 1, &fresh);
            if (!fresh || (used_only && !f->entries[k].used)) continue;
            char *record = read_record(f, &f->entries[k]);
            if (!record) continue;
            PackEntry e = f->entries[k];
            e.at = w.at;
            put_bytes(&w, record, (size_t)e.len + sizeof(Hash128));
            mem_free(record);
            vec_push(&all, e);
        }
    }
    map_free(&seen);
    uint32_t count = sort_entries(all.at, all.len);
    PackFile f;
    if (!writer_end(c, &w, all.at, count, &f)) {
        vec_free(&all);
        return false;
    }
    int dir = below_dir(c->fd, "packs", false);
    for (uint32_t i = first; i < p->files.len; i++) {
        PackFile *old = &p->files.at[i];
        if (old->fd >= 0 && dir >= 0 && strcmp(old->name, f.name) != 0) unlinkat(dir, old->name, 0);
        if (old->fd >= 0) close(old->fd);
        mem_free(old->entries);
        mem_free(old->memory);
    }
    if (dir >= 0) close(dir);
    p->files.len = first;
    vec_push(&p->files, f);
    return true;
}

// Those at the end that are small beside the one before them: so their number stays logarithmic.
static void tidy(Cache *c)
{
    Packs *p = &c->packs;
    uint64_t total = 0;
    vec_each (i, &p->files) total += p->files.at[i].fd >= 0 ? p->files.at[i].bytes : 0;
    bool full = total > c->limit / 2;
    uint32_t first = p->files.len;
    for (uint64_t sum = 0; first && p->files.at[first - 1].fd >= 0; first--) {
        uint64_t bytes = p->files.at[first - 1].bytes;
        if (sum && (bytes >= PACK_BYTES || bytes >= 2 * sum) && p->files.len - first < MOST_PACKS)
            break;
        sum += bytes;
    }
    if (!full && (first + 1 >= p->files.len)) return;
    int lock = below_lock(c->fd, "packs.lock");
    if (lock < 0) return;
    join_packs(c, full ? 0 : first, full);
    close(lock);
}

// ---- what others call ----

void cache_packs_init(Cache *c)
{
    pthread_mutex_init(&c->packs.lock, NULL);
}

void cache_packs_end(Cache *c, bool store)
{
    Packs *p = &c->packs;
    if (store) {
        bool any = p->fresh_entries.len;
        write_fresh(c);
        if (any && c->dir && c->lasting && !c->read_only) tidy(c);
    }
    vec_each (i, &p->files) {
        if (p->files.at[i].fd >= 0) close(p->files.at[i].fd);
        mem_free(p->files.at[i].entries);
        mem_free(p->files.at[i].memory);
    }
    vec_free(&p->files);
    vec_free(&p->fresh);
    vec_free(&p->fresh_entries);
    map_free(&p->fresh_index);
    pthread_mutex_destroy(&p->lock);
}

static char *get_here(Cache *c, Hash128 key, size_t *len)
{
    Packs *p = &c->packs;
    char *bytes = NULL;
    PackEntry found = {0};
    PackFile from = {.fd = -1};
    pthread_mutex_lock(&p->lock);
    open_packs(c);
    const uint64_t *fresh = map_get(&p->fresh_index, key.low ^ key.high);
    if (fresh && hash128_same(p->fresh_entries.at[*fresh].key, key)) {
        found = p->fresh_entries.at[*fresh];
        bytes = read_record(&(PackFile){.fd = -1, .memory = p->fresh.at}, &found);
    }
    for (uint32_t i = p->files.len; !bytes && i-- > 0;) {
        PackEntry *e = find_entry(&p->files.at[i], key);
        if (!e) continue;
        e->used = 1;
        found = *e;
        from = p->files.at[i];
        break;
    }
    pthread_mutex_unlock(&p->lock);
    // Descriptors and bytes of packs stay as long as the cache.
    if (!bytes && (from.fd >= 0 || from.memory)) bytes = read_record(&from, &found);
    if (bytes) {
        Hash128 seal;
        memcpy(&seal, bytes + found.len, sizeof seal);
        if (!hash128_same(seal, record_seal(c, key, bytes, found.len))) {
            mem_free(bytes);
            bytes = NULL;
        }
    }
    *len = bytes ? found.len : 0;
    if (bytes) bytes[found.len] = 0;
    return bytes;
}

static void put_here(Cache *c, Hash128 key, const void *bytes, size_t len)
{
    Packs *p = &c->packs;
    if (len > MOST_RECORD) return;
    Hash128 seal = record_seal(c, key, bytes, len);
    pthread_mutex_lock(&p->lock);
    open_packs(c);
    if (p->in_memory < MEMORY_BYTES) {
        p->stored++;
        PackEntry e = {.key = key, .at = p->fresh.len, .len = (uint32_t)len, .used = 1};
        vec_append(&p->fresh, (const char *)bytes, len);
        vec_append(&p->fresh, (const char *)&seal, sizeof seal);
        map_set(&p->fresh_index, key.low ^ key.high, p->fresh_entries.len);
        vec_push(&p->fresh_entries, e);
        if (p->fresh.len >= PACK_BYTES) write_fresh(c);
    }
    pthread_mutex_unlock(&p->lock);
}

// What another machine has made is kept here too: the next run need not ask.
char *cache_get_result(Cache *c, Hash128 key, size_t *len)
{
    char *bytes = get_here(c, key, len);
    if (!bytes && c->remote) {
        bytes = remote_get(c->remote, ENTRY_RESULT, key, len);
        if (bytes) put_here(c, key, bytes, *len);
    }
    atomic_fetch_add(bytes ? &c->packs.read : &c->packs.missed, 1);
    return bytes;
}

void cache_put_result(Cache *c, Hash128 key, const void *bytes, size_t len)
{
    put_here(c, key, bytes, len);
    if (c->remote) remote_put(c->remote, ENTRY_RESULT, key, bytes, len);
}
