// What the files of this module share.
#ifndef CACHE_CACHE_INT_H
#define CACHE_CACHE_INT_H

#include "base/child.h"
#include "base/map.h"
#include "base/name.h"
#include "cache/cache.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    int64_t mtime, ctime; // nanoseconds
    uint64_t size, inode;
} FileStamp;

// What is known of one input file in this run.
typedef struct {
    bool looked, exists, hashed;
    FileStamp stamp;   // when looked
    int64_t looked_at; // nanoseconds
    Hash128 hash;      // of the content with this stamp
} FileState;

typedef enum { ENTRY_OBJECT, ENTRY_RECIPE, ENTRY_NAMED, ENTRY_RESULT, ENTRY_PACK } EntryKind;

typedef struct {
    EntryKind kind;
    Hash128 key;
    uint64_t size;
    bool used_only; // size unknown: it was there before
} Touched;

// packs.c
typedef struct {
    Hash128 key;
    uint64_t at; // of the record in its pack; its seal is behind it
    uint32_t len;
    uint32_t used; // in this run; 0 on disk
} PackEntry;

typedef struct {
    int fd;          // -1: in memory
    char name[33];
    uint64_t bytes, sequence;
    PackEntry *entries; // sorted by key
    uint32_t count;
    char *memory;
} PackFile;

typedef struct {
    pthread_mutex_t lock;
    bool opened;
    VEC(PackFile) files; // the newest last
    uint64_t sequence;   // of the newest
    uint64_t in_memory;  // bytes of packs that could not be written
    Chars fresh;         // what the next pack consists of
    VEC(PackEntry) fresh_entries;
    Map fresh_index;
    _Atomic uint32_t read, missed, stored;
} Packs;

// remote.c: the store that machines share. Any thread.
typedef struct Remote Remote;
typedef struct {
    uint32_t read, missed, stored, elsewhere, refused, failed;
} RemoteCounts;
// Null: *why.
Remote *remote_new(const char *url, const char **why);
void remote_free(Remote *m);
char *remote_get(Remote *m, EntryKind kind, Hash128 key, size_t *len);
void remote_put(Remote *m, EntryKind kind, Hash128 key, const void *bytes, size_t len);
bool remote_claim(Remote *m, Hash128 key, uint32_t ms);
RemoteCounts remote_counts(const Remote *m);

struct Cache {
    char *dir; // DIR/v1, for messages and scratch; null: holds nothing
    int fd;    // the same as a descriptor
    Hash128 secret; // what is read back must have been written by whoever knows this
    bool lasting;   // the secret is this user's and stays; else it is good for this run only
    uint64_t limit;
    Diag *diag;
    bool read_only, read_only_said;
    bool rebuild; // the index may miss entries: an interrupted run was found
    char *scratch;
    int scratch_lock, scratch_fd; // descriptors, -1 none
    bool scratch_wanted;          // by a caller, beyond the writing of one entry
    Names *paths;
    VEC(FileState) files; // by Name in paths
    VEC(Touched) touched;
    CacheCounts counts;
    Packs packs;
    Remote *remote; // null: none
};

const char *cache_kind_dir(EntryKind kind);
// The directory DIR/v1/objects/ab, and "cdef..." in `name`. -1 when there is none.
int cache_entry_dir(const Cache *c, EntryKind kind, Hash128 key, bool make, char name[33]);
void cache_remove_entry(const Cache *c, EntryKind kind, Hash128 key);
// Null as well when it was not written with our secret.
char *cache_read_entry(Cache *c, EntryKind kind, Hash128 key, size_t *len);
bool cache_write_entry(Cache *c, EntryKind kind, Hash128 key, const void *bytes, size_t len);
// The scratch directory for one write. It goes again at once where no caller wants it, so that a
// signal at any other time leaves nothing behind.
bool cache_scratch_begin(Cache *c, sigset_t *before);
void cache_scratch_end(Cache *c, const sigset_t *before);
void cache_touch(Cache *c, EntryKind kind, Hash128 key, uint64_t size, bool used_only);

// secret.c. The user's own secret, made when there is none; *lasting false: a fresh one, since no
// place for it can be had outside of `root` (may be null). *why says so then.
Hash128 cache_secret(const char *root, bool *lasting, const char **why);
// What follows an entry's bytes: a tag of them and, to be checked before they are read, of
// their number.
typedef struct {
    Hash128 content, size;
} Seal;
Seal cache_seal(Hash128 secret, EntryKind kind, Hash128 key, const void *bytes, size_t len);
// With null bytes only the size is compared.
bool cache_sealed(Hash128 secret, EntryKind kind, Hash128 key, const void *bytes, size_t len,
                  const Seal *seal);

// packs.c. At the end what was collected is written, or thrown away.
void cache_packs_init(Cache *c);
void cache_packs_end(Cache *c, bool store);

// Writes what was touched into the index and keeps the limit.
void cache_index_update(Cache *c);

#endif
