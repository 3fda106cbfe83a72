// The index: size and last use of every entry, in SQLite, so that the cache stays below its
// limit. Nothing is ever looked up here on the way to an object; a damaged or missing index is
// made anew from the directories.
#include "base/below.h"
#include "base/db.h"
#include "cache/cache_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char schema[] =
    "create table if not exists entries(kind integer, key text, size integer, used integer,"
    " primary key(kind, key)) without rowid;";

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
    Arena *a = arena_new("scan");
    for (int kind = 0; kind < 2 && status == SQLITE_OK; kind++)
        for (int first = 0; first < 256 && status == SQLITE_OK; first++) {
            char dir[16];
            snprintf(dir, sizeof dir, "%s/%02x", cache_kind_dir((EntryKind)kind), (unsigned)first);
            int d = below_dir(c->fd, dir, false);
            if (d < 0) continue;
            for (const char **e = below_list(a, d, ""); *e && status == SQLITE_OK; e++) {
                struct stat file;
                if (strlen(*e) != 30 || fstatat(d, *e, &file, AT_SYMLINK_NOFOLLOW) != 0 ||
                    !S_ISREG(file.st_mode))
                    continue;
                char key[33];
                snprintf(key, sizeof key, "%02x%.30s", (unsigned)first, *e);
                status = upsert(st, (EntryKind)kind, key, (uint64_t)file.st_size,
                                (int64_t)file.st_mtime);
            }
            close(d);
        }
    arena_free(a);
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
        cache_remove_entry(c, dead.at[i].kind, dead.at[i].key);
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

// Locked, so that two runs do not lose each other's entries.
static int update(Cache *c, bool all)
{
    int status, lock = below_lock(c->fd, "index.lock");
    if (lock < 0) return SQLITE_BUSY;
    sqlite3 *db = db_load(c->fd, "index.db", &status);
    if (db) status = sqlite3_exec(db, schema, NULL, NULL, NULL);
    int before = db ? sqlite3_total_changes(db) : 0;
    int64_t now = cache_now() / 1000000000;
    if (all && status == SQLITE_OK) status = scan(c, db);
    if (status == SQLITE_OK) status = note_touched(c, db, now);
    if (status == SQLITE_OK) status = evict(c, db);
    if (status == SQLITE_OK && sqlite3_total_changes(db) != before &&
        db_store(c->fd, "index.db", db) != 0)
        status = SQLITE_IOERR;
    sqlite3_close(db);
    close(lock);
    return status;
}

static bool is_there(const Cache *c, const char *name)
{
    return faccessat(c->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void cache_index_update(Cache *c)
{
    bool all = c->rebuild || !is_there(c, "index.db") || is_there(c, "rescan");
    int status = update(c, all);
    if (status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR ||
        status == SQLITE_CANTOPEN) {
        diag_note(c->diag, "the cache's index was damaged and is made anew: %s/index.db", c->dir);
        unlinkat(c->fd, "index.db", 0);
        status = update(c, all = true);
    }
    // Entries that could not be noted are found again by the scan that this file asks for.
    if (status != SQLITE_OK)
        below_write(c->fd, "rescan", "", 0);
    else if (all)
        unlinkat(c->fd, "rescan", 0);
}
