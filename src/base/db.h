// A small SQLite database below a directory that a stranger may have filled (base/below.h). It is
// read whole and replaced whole: SQLite itself opens no file there. So no symbolic link is
// followed, and a planted rollback journal cannot make SQLite delete the file that it names.
#ifndef BASE_DB_H
#define BASE_DB_H

#include "base/mem.h"

#include <sqlite3.h>

// The database in memory, empty when there is no such file; triggers, views and what a schema could
// call are off. Null with *status an SQLite error (SQLITE_NOTADB: the file is no database) or, with
// SQLITE_CANTOPEN, errno.
sqlite3 *db_load(int dir, const char *name, int *status);
// Replaces the file. 0 or an errno.
int db_store(int dir, const char *name, sqlite3 *db);

#endif
