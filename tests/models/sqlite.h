// Headers and fixtures for the recipes of sqlite.own.
#include "run.h"

#include <sqlite3.h>
#include <stdlib.h>

#define SETUP "create table t(a, b); insert into t values(1, 'text'); insert into t values(2, x'0102');"

static inline sqlite3 *db(void)
{
    sqlite3 *d;
    sqlite3_open(":memory:", &d);
    sqlite3_exec(d, SETUP, NULL, NULL, NULL);
    return OWN(d, sqlite3_close);
}
static inline sqlite3 *bare(void)
{
    sqlite3 *d;
    sqlite3_open(":memory:", &d);
    return OWN(d, sqlite3_close);
}
static inline sqlite3_stmt *of(sqlite3 *d, const char *sql)
{
    sqlite3_stmt *s;
    sqlite3_prepare_v2(d, sql, -1, &s, NULL);
    return OWN(s, sqlite3_finalize);
}
static inline sqlite3_stmt *statement(void) { return of(db(), "select a, b, ?1 as c from t where a = 1 or a = :name"); }
// One that stands on a row.
static inline sqlite3_stmt *stepped(void)
{
    sqlite3_stmt *s = statement();
    sqlite3_step(s);
    return s;
}
static inline sqlite3_value *value(void) { return OWN(sqlite3_value_dup(sqlite3_column_value(stepped(), 1)), sqlite3_value_free); }
static inline sqlite3_blob *blob(void)
{
    sqlite3_blob *b;
    sqlite3_blob_open(db(), "main", "t", "b", 1, 1, &b);
    return OWN(b, sqlite3_blob_close);
}
static inline sqlite3_backup *backup(void)
{
    sqlite3 *to = bare();
    return OWN(sqlite3_backup_init(to, "main", db(), "main"), sqlite3_backup_finish);
}
static inline void *memory(int n) { return OWN(sqlite3_malloc(n), sqlite3_free); }
static inline void drop_builder(void *p) { sqlite3_free(sqlite3_str_finish(p)); }
static inline sqlite3_str *builder(void)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    sqlite3_str_appendall(s, "text");
    return mine(s, drop_builder);
}
static inline sqlite3_mutex *mutex(void) { return OWN(sqlite3_mutex_alloc(SQLITE_MUTEX_FAST), sqlite3_mutex_free); }
static inline void *heap(size_t n) { return OWN(malloc(n), free); }
static inline int row(void *arg, int n, char **values, char **names) { return 0; }
static inline int stop(void *arg, int n, char **values, char **names) { return 1; }
static inline int never(void *arg) { return 0; }
static inline void never_void(void *arg) {}
static inline int busy(void *arg, int n) { return 0; }
static inline int compare(void *arg, int n, const void *a, int m, const void *b) { return n - m; }
static inline void user_func(sqlite3_context *c, int n, sqlite3_value **v) { sqlite3_result_null(c); }
static inline int authorizer(void *arg, int n, const char *a, const char *b, const char *c, const char *d) { return 0; }
static inline int trace(unsigned m, void *a, void *b, void *c) { return 0; }
static inline void update(void *arg, int op, const char *a, const char *b, sqlite3_int64 r) {}

// A function of the user, in which the recipe's call is made: contexts live only there.
static sqlite3_context *in_context;
static void (*context_body)(void *);
static void *context_arg;
static void context_func(sqlite3_context *c, int n, sqlite3_value **v)
{
    in_context = c;
    context_body(context_arg);
}
static inline void with_context(void (*body)(void *), void *arg)
{
    sqlite3 *d = db();
    context_body = body;
    context_arg = arg;
    sqlite3_create_function(d, "f", 1, SQLITE_UTF8, NULL, context_func, NULL, NULL);
    sqlite3_exec(d, "select f(a) from t limit 1", NULL, NULL, NULL);
}
static inline void no_final(sqlite3_context *c) {}
static inline void with_aggregate(void (*body)(void *), void *arg)
{
    sqlite3 *d = db();
    context_body = body;
    context_arg = arg;
    sqlite3_create_function(d, "f", 1, SQLITE_UTF8, NULL, NULL, context_func, no_final);
    sqlite3_exec(d, "select f(a) from (select a from t limit 1)", NULL, NULL, NULL);
}
static inline sqlite3_module *module(void) { return block(sizeof(sqlite3_module)); }
