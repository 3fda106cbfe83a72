// The cache: bytes under a key, and recipes that say which bytes belong to a set of input files.
//
// Comes in: results that are costly to make, each under a 128-bit key that names everything the
// result depends on. Goes out: the same bytes in a later run. Promised: a reader sees a whole
// object or none (written beside, then renamed); an interrupted run, two runs at once, a full
// disk, a damaged index or a directory that cannot be written cost time, never a wrong result.
// Nothing is believed that was not written with this user's secret (secret.c), as the directory may
// have come with a repository; such an entry is none. No link is followed below the directory.
//
// A recipe is the direct mode of ccache: its key names the command (tool, flags, directory), its
// content lists the files that the command has read, with size, times, inode and hash of each, and
// the object that was made of exactly these contents. An unchanged file costs one stat in a run,
// however many recipes list it. A file is taken as unchanged without reading it only if it had not
// been touched for two seconds when it was recorded, since a change within one tick of the clock
// does not show. As in ccache, a new file that would now be found earlier on a search path is not
// noticed.
//
//   DIR/v1/objects/ab/cdef...   DIR/v1/recipes/ab/cdef...
//   DIR/v1/packs/...            results of the evaluation, many to a file
//   DIR/v1/index.db             sizes and last uses, to stay below the limit; can be rebuilt
//   DIR/v1/tmp/RUN/             scratch of one run, locked while it lives
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "base/diag.h"
#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct Cache Cache;

enum { CACHE_LIMIT_MIB = 2048 };

// Never null. The cache is in `below` ("" or a relative path) below `dir`; `dir` is trusted, what
// is below it is not. Where the directory cannot be made or written the cache still reads what is
// there; where `dir` is null it holds nothing but results for this run. The secret is not looked for
// within `root` (may be null), the project. `limit` in bytes, 0: the default. Belongs to one thread.
Cache *cache_open(const char *dir, const char *below, const char *root, uint64_t limit, Diag *d);
// Whether later runs can believe what this one stores.
bool cache_lasts(const Cache *c);
// Notes sizes and uses in the index, removes what was used longest ago when the limit is passed,
// removes the scratch directory.
void cache_close(Cache *c);
// After fork: forgets without touching the disk, which belongs to the parent.
void cache_forget(Cache *c);

// A directory for files that cache_put_file may take, on the same file system, until
// cache_scratch_done removes it with all that is in it. Null when the cache cannot be written.
// Callers hold the signals that end the process meanwhile (base/child.h); what a killed run leaves
// is removed by a later one.
const char *cache_scratch(Cache *c);
void cache_scratch_done(Cache *c);

// Keys. Parts are told apart by their lengths, so ("ab", "c") is not ("a", "bc").
typedef struct {
    Chars bytes;
} CacheKey;
void cache_key_text(CacheKey *k, const char *text);
void cache_key_bytes(CacheKey *k, const void *bytes, size_t n);
Hash128 cache_key_end(CacheKey *k); // frees the builder

// The bytes, to be freed with mem_free; null when there are none.
char *cache_get(Cache *c, Hash128 key, size_t *len);
void cache_put(Cache *c, Hash128 key, const void *bytes, size_t len);
// Moves a finished file into the cache. False when that failed and the file is still there.
bool cache_put_file(Cache *c, Hash128 key, const char *path);
void cache_drop(Cache *c, Hash128 key);
// The same for a file of a fixed name beside the objects, which is never evicted.
char *cache_get_named(Cache *c, const char *name, size_t *len);
void cache_put_named(Cache *c, const char *name, const void *bytes, size_t len);

// Small objects by the thousand: results of the evaluation. They are sealed like the others and share
// files (packs.c). Any thread may call these two. What one run stores under a key, all of it can be
// had in the same run, also without a directory.
char *cache_get_result(Cache *c, Hash128 key, size_t *len);
void cache_put_result(Cache *c, Hash128 key, const void *bytes, size_t len);

// Shares results and units with other machines through the store at `url` (redis://HOST[:PORT][/N];
// remote.c says what the environment holds). Called before anything is asked. False: *why says what
// is wrong with the address or the environment; that a server does not answer is no reason.
bool cache_share(Cache *c, const char *url, const char **why);
// Whether this run is to make what belongs to the key: false when another machine has said within its
// `ms` milliseconds that it does so. Any thread.
bool cache_claim(Cache *c, Hash128 key, uint32_t ms);

// The object that belongs to the recipe and to the present contents of its files. `files` (may be
// null) gets the paths, valid as long as the cache.
typedef VEC(const char *) CachePaths;
bool cache_find(Cache *c, Hash128 recipe, Hash128 *object, CachePaths *files);

// Nanoseconds since 1970.
int64_t cache_now(void);
// Says which files the command has read that was started at `started` (cache_now); *object is the
// key under which its result belongs. False when a file is gone or was changed meanwhile: then the
// result must not be stored there.
bool cache_record(Cache *c, Hash128 recipe, const char *const *paths, uint32_t count,
                  int64_t started, Hash128 *object);

typedef struct {
    uint32_t hits, misses, stored, evicted;
    uint32_t results_read, results_missed, results_stored;
    bool shared; // there is a store; of it:
    uint32_t store_read, store_missed, store_stored;
    uint32_t store_elsewhere; // claims that others had
    uint32_t store_refused;   // values that were not sealed with our secret
    uint32_t store_failed;    // no answer, or none that makes sense
} CacheCounts;
CacheCounts cache_counts(const Cache *c);

#endif
