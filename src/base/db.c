#include "base/db.h"

#include "base/below.h"

#include <errno.h>
#include <string.h>

// Some hundred bytes for each finding of a run, or entry of the cache.
enum { DB_BYTES = 256 << 20 };

static int fill(sqlite3 *db, const char *bytes, size_t len)
{
    if (len < 100 || memcmp(bytes, "SQLite format 3", 16) != 0) return SQLITE_NOTADB;
    unsigned char *own = sqlite3_malloc64(len);
    if (!own) return SQLITE_NOMEM;
    memcpy(own, bytes, len);
    own[18] = own[19] = 1; // there is no write-ahead log here
    return sqlite3_deserialize(db, "main", own, (sqlite3_int64)len, (sqlite3_int64)len,
                               SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
}

sqlite3 *db_load(int dir, const char *name, int *status)
{
    size_t len = 0;
    errno = 0;
    char *bytes = below_read(dir, name, DB_BYTES, &len);
    if (!bytes && errno != ENOENT) {
        *status = SQLITE_CANTOPEN;
        return NULL;
    }
    sqlite3 *db = NULL;
    *status = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL);
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_TRUSTED_SCHEMA};
    for (int i = 0; *status == SQLITE_OK && i < 3; i++)
        *status = sqlite3_db_config(db, off[i], 0, NULL);
    if (*status == SQLITE_OK) *status = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    // An empty file is what an interrupted first run of an earlier version left.
    if (*status == SQLITE_OK && len) *status = fill(db, bytes, len);
    if (*status == SQLITE_OK)
        *status = sqlite3_exec(db, "pragma temp_store=memory; select count(*) from sqlite_master;",
                               NULL, NULL, NULL);
    mem_free(bytes);
    if (*status == SQLITE_OK) return db;
    sqlite3_close(db);
    return NULL;
}

int db_store(int dir, const char *name, sqlite3 *db)
{
    sqlite3_int64 len = 0;
    unsigned char *bytes = sqlite3_serialize(db, "main", &len, 0);
    if (!bytes) return ENOMEM;
    int error = below_write(dir, name, bytes, (size_t)len);
    sqlite3_free(bytes);
    return error;
}
