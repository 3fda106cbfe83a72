// Keys, and recipes: which files a result was made from.
//
// A recipe's file is
//     magic, checksum of the rest, count of variants, then for each variant
//     object key, moment of recording, count of files, then for each file
//     mtime, ctime, size, inode, hash, length of the path, path
// Several variants, the newest first, so that going back and forth between two branches of a
// source tree hits.
#include "base/file.h"
#include "cache/cache_int.h"
#include "cache/limits.h"

#include <sys/stat.h>
#include <time.h>

static const uint64_t magic = 0x3165706963657273; // "srecipe1" in memory
static const int64_t settled = 2000000000;        // a file at rest for so long shows its changes

void cache_key_bytes(CacheKey *k, const void *bytes, size_t n)
{
    uint64_t len = n;
    vec_append(&k->bytes, (const char *)&len, sizeof len);
    vec_append(&k->bytes, (const char *)bytes, n);
}

void cache_key_text(CacheKey *k, const char *text)
{
    cache_key_bytes(k, text, strlen(text));
}

Hash128 cache_key_end(CacheKey *k)
{
    Hash128 h = hash128_bytes(k->bytes.at, k->bytes.len);
    vec_free(&k->bytes);
    return h;
}

int64_t cache_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool same_stamp(const FileStamp *a, const FileStamp *b)
{
    return a->mtime == b->mtime && a->ctime == b->ctime && a->size == b->size &&
           a->inode == b->inode;
}

// A change after `moment` cannot have left this stamp as it is.
static bool at_rest(const FileStamp *s, int64_t moment)
{
    return s->mtime + settled <= moment && s->ctime + settled <= moment;
}

static FileState *state_of(Cache *c, Name path)
{
    if (path.id >= c->files.len) vec_extend(&c->files, path.id + 1 - c->files.len);
    return &c->files.at[path.id];
}

static void look(Cache *c, Name path)
{
    FileState *f = state_of(c, path);
    FileStamp old = f->stamp;
    bool was_hashed = f->hashed && at_rest(&old, f->looked_at);
    struct stat st;
    f->looked_at = cache_now();
    f->looked = true;
    f->exists = stat(name_text(c->paths, path), &st) == 0 && S_ISREG(st.st_mode);
    f->hashed = false;
    if (!f->exists) return;
    f->stamp = (FileStamp){
        .mtime = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
        .ctime = (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec,
        .size = (uint64_t)st.st_size,
        .inode = st.st_ino,
    };
    f->hashed = was_hashed && same_stamp(&old, &f->stamp);
}

static bool hash_content(Cache *c, Name path)
{
    FileState *f = state_of(c, path);
    if (f->hashed) return true;
    size_t len;
    char *text = file_read(name_text(c->paths, path), 0, &len);
    if (!text) return false;
    f->hash = hash128_bytes(text, len);
    f->hashed = true;
    mem_free(text);
    return true;
}

// ---- reading a recipe ----

typedef struct {
    Name path;
    FileStamp stamp;
    Hash128 hash;
} RecipeFile;

typedef struct {
    Hash128 object;
    int64_t recorded;
    uint32_t first, count; // in Recipe.files
} Variant;

typedef struct {
    VEC(Variant) variants;
    VEC(RecipeFile) files;
} Recipe;

typedef struct {
    const char *at, *end;
    bool bad;
} KeyReader;

static void take(KeyReader *r, void *into, size_t n)
{
    if (r->bad || (size_t)(r->end - r->at) < n) {
        r->bad = true;
        memset(into, 0, n);
        return;
    }
    memcpy(into, r->at, n);
    r->at += n;
}

static void parse(Cache *c, KeyReader *r, Recipe *into)
{
    uint32_t variants;
    take(r, &variants, sizeof variants);
    for (uint32_t v = 0; v < variants && !r->bad; v++) {
        Variant variant = {.first = into->files.len};
        take(r, &variant.object, sizeof variant.object);
        take(r, &variant.recorded, sizeof variant.recorded);
        take(r, &variant.count, sizeof variant.count);
        for (uint32_t i = 0; i < variant.count && !r->bad; i++) {
            RecipeFile f;
            uint32_t len;
            take(r, &f.stamp, sizeof f.stamp);
            take(r, &f.hash, sizeof f.hash);
            take(r, &len, sizeof len);
            if (r->bad || (size_t)(r->end - r->at) < len) {
                r->bad = true;
                break;
            }
            f.path = name_of_n(c->paths, r->at, len);
            r->at += len;
            vec_push(&into->files, f);
        }
        if (!r->bad) vec_push(&into->variants, variant);
    }
}

static Recipe recipe_read(Cache *c, Hash128 key)
{
    Recipe recipe = {0};
    size_t len;
    char *bytes = cache_read_entry(c, ENTRY_RECIPE, key, &len);
    if (!bytes) return recipe;
    uint64_t word;
    Hash128 sum;
    KeyReader r = {bytes, bytes + len, false};
    take(&r, &word, sizeof word);
    take(&r, &sum, sizeof sum);
    // A damaged recipe is none: the next cache_record replaces it.
    if (!r.bad && word == magic && hash128_same(sum, hash128_bytes(r.at, (size_t)(r.end - r.at)))) {
        parse(c, &r, &recipe);
        if (r.bad) vec_clear(&recipe.variants);
    }
    mem_free(bytes);
    return recipe;
}

static void recipe_free(Recipe *r)
{
    vec_free(&r->variants);
    vec_free(&r->files);
}

static void put(Chars *o, const void *bytes, size_t n)
{
    vec_append(o, (const char *)bytes, n);
}

static void recipe_write(Cache *c, Hash128 key, const Recipe *r)
{
    if (c->read_only) return;
    Chars o = {0};
    Hash128 sum = {0};
    put(&o, &magic, sizeof magic);
    put(&o, &sum, sizeof sum);
    uint32_t variants = r->variants.len < MAX_VARIANTS ? r->variants.len : MAX_VARIANTS;
    put(&o, &variants, sizeof variants);
    for (uint32_t v = 0; v < variants; v++) {
        const Variant *variant = &r->variants.at[v];
        put(&o, &variant->object, sizeof variant->object);
        put(&o, &variant->recorded, sizeof variant->recorded);
        put(&o, &variant->count, sizeof variant->count);
        for (uint32_t i = 0; i < variant->count; i++) {
            const RecipeFile *f = &r->files.at[variant->first + i];
            uint32_t len = (uint32_t)name_len(c->paths, f->path);
            put(&o, &f->stamp, sizeof f->stamp);
            put(&o, &f->hash, sizeof f->hash);
            put(&o, &len, sizeof len);
            put(&o, name_text(c->paths, f->path), len);
        }
    }
    size_t head = sizeof magic + sizeof sum;
    sum = hash128_bytes(o.at + head, o.len - head);
    memcpy(o.at + sizeof magic, &sum, sizeof sum);
    cache_write_entry(c, ENTRY_RECIPE, key, o.at, o.len);
    vec_free(&o);
}

// ---- asking and recording ----

// Whether the file is as recorded; *read says that this took reading it.
static bool is_as_recorded(Cache *c, const RecipeFile *f, int64_t recorded, bool *read)
{
    if (!state_of(c, f->path)->looked) look(c, f->path);
    const FileState *now = state_of(c, f->path);
    if (!now->exists || now->stamp.size != f->stamp.size) return false;
    if (same_stamp(&now->stamp, &f->stamp) && at_rest(&f->stamp, recorded)) return true;
    *read = true;
    return hash_content(c, f->path) && hash128_same(state_of(c, f->path)->hash, f->hash);
}

// What another machine made of files of the same paths and contents: the store has the paths under
// the recipe, and the object under these with the contents, as here.
static bool find_shared(Cache *c, Hash128 recipe, Hash128 *object, CachePaths *files)
{
    size_t len, size;
    char *list = c->remote ? remote_get(c->remote, ENTRY_RECIPE, recipe, &len) : NULL;
    if (!list) return false;
    int64_t started = cache_now();
    VEC(const char *) paths = {0};
    CacheKey contents = {0};
    cache_key_bytes(&contents, &recipe, sizeof recipe);
    bool ok = true;
    for (const char *at = list; ok && at < list + len; at += strlen(at) + 1) {
        Name path = name_of(c->paths, at);
        if (!state_of(c, path)->looked) look(c, path);
        ok = state_of(c, path)->exists && hash_content(c, path);
        if (!ok) break;
        cache_key_text(&contents, at);
        cache_key_bytes(&contents, &state_of(c, path)->hash, sizeof(Hash128));
        vec_push(&paths, name_text(c->paths, path));
    }
    *object = cache_key_end(&contents);
    char *unit = ok ? remote_get(c->remote, ENTRY_OBJECT, *object, &size) : NULL;
    Hash128 now;
    ok = unit && cache_record(c, recipe, paths.at, paths.len, started, &now) &&
         hash128_same(now, *object) && cache_write_entry(c, ENTRY_OBJECT, now, unit, size);
    for (uint32_t i = 0; ok && files && i < paths.len; i++) vec_push(files, paths.at[i]);
    vec_free(&paths);
    mem_free(unit);
    mem_free(list);
    return ok;
}

bool cache_find(Cache *c, Hash128 key, Hash128 *object, CachePaths *files)
{
    if (!c->dir) return false;
    Recipe r = recipe_read(c, key);
    bool found = false;
    for (uint32_t v = 0; v < r.variants.len && !found; v++) {
        Variant *variant = &r.variants.at[v];
        bool read = false;
        found = true;
        for (uint32_t i = 0; i < variant->count && found; i++)
            found = is_as_recorded(c, &r.files.at[variant->first + i], variant->recorded, &read);
        if (!found) continue;
        *object = variant->object;
        for (uint32_t i = 0; files && i < variant->count; i++)
            vec_push(files, name_text(c->paths, r.files.at[variant->first + i].path));
        if (!read) break;
        // So that the next run need not read again.
        variant->recorded = INT64_MAX;
        for (uint32_t i = 0; i < variant->count; i++) {
            RecipeFile *f = &r.files.at[variant->first + i];
            const FileState *now = state_of(c, f->path);
            f->stamp = now->stamp;
            if (now->looked_at < variant->recorded) variant->recorded = now->looked_at;
        }
        recipe_write(c, key, &r);
    }
    recipe_free(&r);
    if (found)
        cache_touch(c, ENTRY_RECIPE, key, 0, true);
    else if (!(found = find_shared(c, key, object, files)))
        c->counts.misses++;
    return found;
}

static void share_paths(Cache *c, Hash128 key, const char *const *paths, uint32_t count)
{
    Chars list = {0};
    for (uint32_t i = 0; i < count; i++) vec_append(&list, paths[i], strlen(paths[i]) + 1);
    if (list.len) remote_put(c->remote, ENTRY_RECIPE, key, list.at, list.len);
    vec_free(&list);
}

bool cache_record(Cache *c, Hash128 key, const char *const *paths, uint32_t count, int64_t started,
                  Hash128 *object)
{
    if (!c->dir || c->read_only) return false;
    Recipe old = recipe_read(c, key), r = {0};
    CacheKey contents = {0};
    cache_key_bytes(&contents, &key, sizeof key);
    bool ok = true;
    int64_t recorded = INT64_MAX;
    for (uint32_t i = 0; i < count && ok; i++) {
        Name path = name_of(c->paths, paths[i]);
        look(c, path); // anew: it may have changed since the run began
        FileState *f = state_of(c, path);
        // Touched while the command ran: which version was read is unknown.
        ok = f->exists && f->stamp.mtime < started && f->stamp.ctime < started &&
             hash_content(c, path);
        if (!ok) break;
        f = state_of(c, path);
        vec_push(&r.files, ((RecipeFile){path, f->stamp, f->hash}));
        cache_key_text(&contents, paths[i]);
        cache_key_bytes(&contents, &f->hash, sizeof f->hash);
        if (f->looked_at < recorded) recorded = f->looked_at;
    }
    *object = cache_key_end(&contents);
    if (ok) {
        // A change between the command's look at the file and ours would have shown in the times,
        // unless the clock did not tick: `started` is the moment that counts for being at rest.
        if (started < recorded) recorded = started;
        vec_push(&r.variants, ((Variant){*object, recorded, 0, count}));
        vec_each (v, &old.variants) {
            Variant variant = old.variants.at[v];
            if (hash128_same(variant.object, *object)) continue;
            uint32_t first = r.files.len;
            vec_append(&r.files, old.files.at + variant.first, variant.count);
            variant.first = first;
            vec_push(&r.variants, variant);
        }
        recipe_write(c, key, &r);
        if (c->remote) share_paths(c, key, paths, count);
    }
    recipe_free(&old);
    recipe_free(&r);
    return ok;
}
