// The index: size and last use of every entry, in SQLite, so that the cache stays below its
// limit. Nothing is ever looked up here on the way to an object; a damaged or missing index is
// made anew from the directories.
#include "base/file.h"
#include "cache/cache_int.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char schema[] =
    "create table if not exists entries(kind integer, key text, size integer, used integer,"
    " primary key(kind, key)) without rowid;";

static char *index_path(const Cache *c)
{
    return mem_printf("%s/index.db", c->dir);
}

static void remove_index(const Cache *c)
{
    char *path = index_path(c);
    unlink(path);
    mem_free(path);
    static const char *const more[] = {"-journal", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char *side = mem_printf("%s/index.db%s", c->dir, more[i]);
        unlink(side);
        mem_free(side);
    }
}

// No fsync: after a power failure the index may be broken, and is then rebuilt.
static sqlite3 *open_index(const Cache *c, int *status)
{
    char *path = index_path(c);
    sqlite3 *db = NULL;
    *status = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    mem_free(path);
    if (*status == SQLITE_OK) {
        sqlite3_busy_timeout(db, 5000);
        *status = sqlite3_exec(db, "pragma synchronous=off; pragma journal_mode=truncate;", NULL,
                               NULL, NULL);
    }
    if (*status == SQLITE_OK) *status = sqlite3_exec(db, "begin immediate;", NULL, NULL, NULL);
    if (*status == SQLITE_OK) *status = sqlite3_exec(db, schema, NULL, NULL, NULL);
    if (*status == SQLITE_OK) return db;
    sqlite3_close(db);
    return NULL;
}

static int upsert(sqlite3_stmt *st, EntryKind kind, const char *key, uint64_t size, int64_t used)
{
    sqlite3_bind_int(st, 1, (int)kind);
    sqlite3_bind_text(st, 2, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 3, (int64_t)size);
    sqlite3_bind_int64(st, 4, used);
    int status = sqlite3_step(st);
    sqlite3_reset(st);
    return status == SQLITE_DONE ? SQLITE_OK : status;
}

// Everything on disk that the index does not know.
static int scan(Cache *c, sqlite3 *db)
{
    sqlite3_stmt *st;
    int status =
        sqlite3_prepare_v2(db, "insert or ignore into entries values(?,?,?,?)", -1, &st, NULL);
    if (status != SQLITE_OK) return status;
    for (int kind = 0; kind < 2 && status == SQLITE_OK; kind++)
        for (int first = 0; first < 256 && status == SQLITE_OK; first++) {
            char *dir =
                mem_printf("%s/%s/%02x", c->dir, cache_kind_dir((EntryKind)kind), (unsigned)first);
            DIR *d = opendir(dir);
            mem_free(dir);
            if (!d) continue;
            for (struct dirent *e; (e = readdir(d)) && status == SQLITE_OK;) {
                struct stat file;
                if (strlen(e->d_name) != 30 || fstatat(dirfd(d), e->d_name, &file, 0) != 0)
                    continue;
                char key[33];
                snprintf(key, sizeof key, "%02x%.30s", (unsigned)first, e->d_name);
                status = upsert(st, (EntryKind)kind, key, (uint64_t)file.st_size,
                                (int64_t)file.st_mtime);
            }
            closedir(d);
        }
    sqlite3_finalize(st);
    return status;
}

static int64_t query_int(sqlite3 *db, const char *sql, int *status)
{
    sqlite3_stmt *st;
    int64_t n = 0;
    *status = sqlite3_prepare_v2(db, sql, -1, &st, NULL);
    if (*status != SQLITE_OK) return 0;
    int step = sqlite3_step(st);
    if (step == SQLITE_ROW)
        n = sqlite3_column_int64(st, 0);
    else if (step != SQLITE_DONE)
        *status = step;
    sqlite3_finalize(st);
    return n;
}

static int note_touched(Cache *c, sqlite3 *db, int64_t now)
{
    sqlite3_stmt *fresh = NULL, *used = NULL;
    int status =
        sqlite3_prepare_v2(db, "insert or replace into entries values(?,?,?,?)", -1, &fresh, NULL);
    // One write a day is enough to know what was used longest ago; a run that changes nothing
    // then writes nothing.
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v2(
            db, "update entries set used=?4 where kind=?1 and key=?2 and used < ?4 - 86400", -1,
            &used, NULL);
    for (uint32_t i = 0; i < c->touched.len && status == SQLITE_OK; i++) {
        const Touched *t = &c->touched.at[i];
        char key[33];
        hash128_text(t->key, key);
        status = upsert(t->used_only ? used : fresh, t->kind, key, t->size, now);
    }
    sqlite3_finalize(fresh);
    sqlite3_finalize(used);
    return status;
}

// Oldest first, down to nine tenths, so that not every run has to evict.
static int evict(Cache *c, sqlite3 *db)
{
    int status;
    int64_t total = query_int(db, "select sum(size) from entries", &status);
    if (status != SQLITE_OK || total <= (int64_t)c->limit) return status;
    int64_t goal = (int64_t)(c->limit / 10 * 9);
    sqlite3_stmt *oldest, *gone;
    status = sqlite3_prepare_v2(db, "select kind, key, size from entries order by used, key", -1,
                                &oldest, NULL);
    if (status != SQLITE_OK) return status;
    status = sqlite3_prepare_v2(db, "delete from entries where kind=? and key=?", -1, &gone, NULL);
    VEC(Touched) dead = {0};
    while (status == SQLITE_OK && total > goal && sqlite3_step(oldest) == SQLITE_ROW) {
        unsigned long long high, low;
        const char *text = (const char *)sqlite3_column_text(oldest, 1);
        int64_t size = sqlite3_column_int64(oldest, 2);
        if (!text || strlen(text) != 32 || sscanf(text, "%16llx%16llx", &high, &low) != 2) {
            status = SQLITE_CORRUPT;
            break;
        }
        EntryKind kind = sqlite3_column_int(oldest, 0) ? ENTRY_RECIPE : ENTRY_OBJECT;
        vec_push(&dead, ((Touched){kind, {high, low}, (uint64_t)size, false}));
        total -= size;
    }
    sqlite3_finalize(oldest);
    for (uint32_t i = 0; i < dead.len && status == SQLITE_OK; i++) {
        char key[33];
        hash128_text(dead.at[i].key, key);
        char *path = cache_path(c, dead.at[i].kind, dead.at[i].key);
        unlink(path);
        mem_free(path);
        sqlite3_bind_int(gone, 1, (int)dead.at[i].kind);
        sqlite3_bind_text(gone, 2, key, -1, SQLITE_STATIC);
        int step = sqlite3_step(gone);
        if (step != SQLITE_DONE) status = step;
        sqlite3_reset(gone);
        c->counts.evicted++;
    }
    sqlite3_finalize(gone);
    vec_free(&dead);
    return status;
}

static int update(Cache *c, bool all)
{
    int status;
    sqlite3 *db = open_index(c, &status);
    if (!db) return status;
    int64_t now = cache_now() / 1000000000;
    if (all) status = scan(c, db);
    if (status == SQLITE_OK) status = note_touched(c, db, now);
    if (status == SQLITE_OK) status = evict(c, db);
    int end = sqlite3_exec(db, status == SQLITE_OK ? "commit;" : "rollback;", NULL, NULL, NULL);
    if (status == SQLITE_OK) status = end;
    sqlite3_close(db);
    return status;
}

// Entries that could not be noted are found again by the scan that this file asks for.
static void ask_for_scan(const Cache *c)
{
    char *path = mem_printf("%s/rescan", c->dir);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0) close(fd);
    mem_free(path);
}

void cache_index_update(Cache *c)
{
    char *path = index_path(c), *rescan = mem_printf("%s/rescan", c->dir);
    bool all = c->rebuild || !file_exists(path) || file_exists(rescan);
    int status = update(c, all);
    if (status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR) {
        diag_note(c->diag, "the cache's index was damaged and is made anew: %s", path);
        remove_index(c);
        status = update(c, all = true);
    }
    if (status != SQLITE_OK)
        ask_for_scan(c);
    else if (all)
        unlink(rescan);
    mem_free(path);
    mem_free(rescan);
}
