// A connection is closed. SQLite refuses that while statements are open, and says so in the result.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *name, sqlite3 **db);
int sqlite3_close(sqlite3 *db);
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **stmt, const char **tail);
int sqlite3_step(sqlite3_stmt *stmt);
int sqlite3_finalize(sqlite3_stmt *stmt);

// Nobody asks how it went: there is nothing that would make it fail.
int closed_without_a_look(const char *name)
{
    sqlite3 *db;
    if (sqlite3_open(name, &db)) { // OK
        sqlite3_close(db);
        return -1;
    }
    sqlite3_close(db);
    return 0;
}

int closed_on_one_way(const char *name)
{
    sqlite3 *db;
    if (sqlite3_open(name, &db)) // RESOURCE-LEAK failed
        return -1; // LOST failed
    sqlite3_close(db);
    return 0;
}

// Here the program says what it does about it.
int asks_how_it_went(const char *name)
{
    sqlite3 *db;
    if (sqlite3_open(name, &db) != 0) { // RESOURCE-LEAK refused
        sqlite3_close(db);
        return -1;
    }
    if (sqlite3_close(db) != 0)
        return -2; // LOST refused
    return 0;
}

// Where it cannot be prepared there is no statement.
int nothing_prepared(sqlite3 *db, int *found)
{
    sqlite3_stmt *stmt;
    int r = sqlite3_prepare_v2(db, "select 1", -1, &stmt, 0); // OK
    if (stmt == 0)
        return r;
    *found = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return 0;
}

int prepared_and_forgotten(sqlite3 *db)
{
    sqlite3_stmt *stmt;
    int r = sqlite3_prepare_v2(db, "select 1", -1, &stmt, 0); // LEAK prepared
    if (r != 0)
        return r;
    return sqlite3_step(stmt); // LOST prepared
}
