// What the files of this module share.
#ifndef CACHE_CACHE_INT_H
#define CACHE_CACHE_INT_H

#include "base/map.h"
#include "base/name.h"
#include "cache/cache.h"

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

typedef enum { ENTRY_OBJECT, ENTRY_RECIPE } EntryKind;

typedef struct {
    EntryKind kind;
    Hash128 key;
    uint64_t size;
    bool used_only; // size unknown: it was there before
} Touched;

struct Cache {
    char *dir; // DIR/v1; null: holds nothing
    uint64_t limit;
    Diag *diag;
    bool read_only, read_only_said;
    bool rebuild; // the index may miss entries: an interrupted run was found
    char *scratch;
    int scratch_lock; // descriptor, -1 none
    Names *paths;
    VEC(FileState) files; // by Name in paths
    VEC(Touched) touched;
    CacheCounts counts;
};

const char *cache_kind_dir(EntryKind kind);
// DIR/v1/objects/ab/cdef; free with mem_free.
char *cache_path(const Cache *c, EntryKind kind, Hash128 key);
bool cache_write_entry(Cache *c, EntryKind kind, Hash128 key, const void *bytes, size_t len);
void cache_touch(Cache *c, EntryKind kind, Hash128 key, uint64_t size, bool used_only);
// Writes what was touched into the index and keeps the limit.
void cache_index_update(Cache *c);

#endif
