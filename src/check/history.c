// The history of a project's findings in SQLite: every run, and what was new and fixed in it.
//
// `open` holds what the last run left; a run adds what it found and was not there (new) and takes
// out what it looked at and did not find (fixed). A run over a few files only changes what it
// looked at. The file is a convenience: when it cannot be used, the analysis goes on without.
#include "base/below.h"
#include "base/db.h"
#include "base/file.h"
#include "check/check_int.h"
#include "check/history.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const char schema[] =
    "create table if not exists run (id integer primary key, time integer not null,"
    " title text not null, found integer not null, fresh integer not null,"
    " fixed integer not null, units integer not null, units_total integer not null,"
    " given_up integer not null);"
    "create table if not exists open (fingerprint text primary key, rule text not null,"
    " path text not null, line integer not null, function text not null, message text not null,"
    " run integer not null);"
    "create table if not exists change (run integer not null, fixed integer not null,"
    " rule text not null, path text not null, line integer not null, function text not null,"
    " message text not null);"
    "create index if not exists change_run on change (run);"
    "create table if not exists confirmed (fingerprint text primary key, verdict integer not null,"
    " why text not null, time integer not null);"
    "create temp table seen (fingerprint text primary key);";

// The project's directory is trusted, .stanch in it is not.
static int open_dir(const char *dir, bool make)
{
    Arena *a = arena_new("history");
    int parent = below_trust(path_dir(a, dir));
    int fd = parent >= 0 ? below_dir(parent, path_base(dir), make) : -1, error = errno;
    if (parent >= 0) close(parent);
    arena_free(a);
    errno = error;
    return fd;
}

static sqlite3 *open_db(int fd, const char **why)
{
    int status;
    sqlite3 *db = db_load(fd, "history.db", &status);
    if (!db) *why = status == SQLITE_CANTOPEN ? below_why(errno) : sqlite3_errstr(status);
    return db;
}

typedef struct {
    sqlite3 *db;
    bool failed;
} Db;

static sqlite3_stmt *prepare(Db *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (!db->failed && sqlite3_prepare_v2(db->db, sql, -1, &s, NULL) != SQLITE_OK)
        db->failed = true;
    return s;
}

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    sqlite3_bind_text(s, at, text ? text : "", -1, SQLITE_STATIC);
}

// Runs the statement once and makes it ready for the next row.
static void run_once(Db *db, sqlite3_stmt *s)
{
    if (db->failed) return;
    if (sqlite3_step(s) != SQLITE_DONE) db->failed = true;
    if (sqlite3_reset(s) != SQLITE_OK) db->failed = true;
}

static void run_sql(Db *db, const char *sql)
{
    if (!db->failed && sqlite3_exec(db->db, sql, NULL, NULL, NULL) != SQLITE_OK) db->failed = true;
}

static bool counts(const Finding *f)
{
    return f->state == FINDING_NEW || f->state == FINDING_KNOWN || f->state == FINDING_SAME;
}

// Rows of `open` that did not come back although the run looked at their place.
static uint32_t close_fixed(Db *db, const Findings *fs, const char *root, int64_t run)
{
    sqlite3_stmt *gone =
        prepare(db, "select fingerprint, path, function from open where fingerprint not in"
                    " (select fingerprint from seen) order by path, line, fingerprint");
    sqlite3_stmt *note = prepare(db, "insert into change select ?1, 1, rule, path, line, function,"
                                     " message from open where fingerprint = ?2");
    Arena *a = arena_new("history");
    VEC(const char *) fixed = {0};
    while (!db->failed) {
        int step = sqlite3_step(gone);
        if (step != SQLITE_ROW) {
            db->failed |= step != SQLITE_DONE;
            break;
        }
        const char *path = (const char *)sqlite3_column_text(gone, 1);
        const char *function = (const char *)sqlite3_column_text(gone, 2);
        if (path && function && findings_looked_at(fs, root, path, function))
            vec_push(&fixed, arena_strdup(a, (const char *)sqlite3_column_text(gone, 0)));
    }
    sqlite3_finalize(gone);
    sqlite3_stmt *drop = prepare(db, "delete from open where fingerprint = ?1");
    vec_each (i, &fixed) {
        if (db->failed) break;
        sqlite3_bind_int64(note, 1, run);
        bind_text(note, 2, fixed.at[i]);
        run_once(db, note);
        bind_text(drop, 1, fixed.at[i]);
        run_once(db, drop);
    }
    uint32_t count = fixed.len;
    sqlite3_finalize(note);
    sqlite3_finalize(drop);
    vec_free(&fixed);
    arena_free(a);
    return count;
}

// Adds the run's findings to `open`; returns how many were new.
static uint32_t add_found(Db *db, const Findings *fs, const char *root, int64_t run)
{
    sqlite3_stmt *seen = prepare(db, "insert or ignore into seen values (?1)");
    sqlite3_stmt *add = prepare(db, "insert or ignore into open values (?1, ?2, ?3, ?4, ?5, ?6,"
                                    " ?7)");
    sqlite3_stmt *move = prepare(db, "update open set path = ?2, line = ?3, message = ?4"
                                     " where fingerprint = ?1");
    sqlite3_stmt *note = prepare(db, "insert into change values (?1, 0, ?2, ?3, ?4, ?5, ?6)");
    Arena *a = arena_new("history");
    uint32_t fresh = 0;
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (db->failed || !counts(f)) continue;
        Pos p = finding_place(f);
        const char *path = p.path ? path_below(root, p.path) : "", *message = finding_message(a, f);
        bind_text(seen, 1, f->fingerprint);
        run_once(db, seen);
        const char *words[] = {f->fingerprint, rule_info(f->rule)->word, path};
        for (int k = 0; k < 3; k++) bind_text(add, k + 1, words[k]);
        sqlite3_bind_int64(add, 4, p.line);
        bind_text(add, 5, f->function);
        bind_text(add, 6, message);
        sqlite3_bind_int64(add, 7, run);
        run_once(db, add);
        if (sqlite3_changes(db->db) == 0) {
            bind_text(move, 1, f->fingerprint);
            bind_text(move, 2, path);
            sqlite3_bind_int64(move, 3, p.line);
            bind_text(move, 4, message);
            run_once(db, move);
            continue;
        }
        fresh++;
        sqlite3_bind_int64(note, 1, run);
        bind_text(note, 2, rule_info(f->rule)->word);
        bind_text(note, 3, path);
        sqlite3_bind_int64(note, 4, p.line);
        bind_text(note, 5, f->function);
        bind_text(note, 6, message);
        run_once(db, note);
    }
    sqlite3_finalize(seen);
    sqlite3_finalize(add);
    sqlite3_finalize(move);
    sqlite3_finalize(note);
    arena_free(a);
    return fresh;
}

bool history_record(const Findings *fs, const char *dir, const char *root, const char *title,
                    int64_t now, Diag *d)
{
    int fd = open_dir(dir, true), lock = fd >= 0 ? below_lock(fd, "history.lock") : -1;
    if (lock < 0) {
        diag_warn(d, "the history in '%s' cannot be written: %s", dir, below_why(errno));
        if (fd >= 0) close(fd);
        return false;
    }
    const char *why;
    Db db = {.db = open_db(fd, &why)};
    if (!db.db) {
        diag_warn(d, "cannot open the history '%s/history.db': %s", dir, why);
        close(lock);
        close(fd);
        return false;
    }
    run_sql(&db, schema);
    run_sql(&db, "begin immediate");
    sqlite3_stmt *add = prepare(&db, "insert into run values (null, ?1, ?2, 0, 0, 0, ?3, ?4, ?5)");
    sqlite3_bind_int64(add, 1, now);
    bind_text(add, 2, title);
    sqlite3_bind_int64(add, 3, fs->run.units_analysed);
    sqlite3_bind_int64(add, 4, fs->run.units_total);
    sqlite3_bind_int64(add, 5, fs->run.given_up.len);
    run_once(&db, add);
    sqlite3_finalize(add);
    int64_t run = sqlite3_last_insert_rowid(db.db);
    uint32_t fresh = add_found(&db, fs, root, run), fixed = close_fixed(&db, fs, root, run);
    uint32_t found = 0;
    vec_each (i, &fs->all) found += counts(fs->all.at[i]);
    sqlite3_stmt *set =
        prepare(&db, "update run set found = ?2, fresh = ?3, fixed = ?4 where id = ?1");
    sqlite3_bind_int64(set, 1, run);
    sqlite3_bind_int64(set, 2, found);
    sqlite3_bind_int64(set, 3, fresh);
    sqlite3_bind_int64(set, 4, fixed);
    run_once(&db, set);
    sqlite3_finalize(set);
    run_sql(&db, "commit");
    int error = db.failed ? 0 : db_store(fd, "history.db", db.db);
    if (db.failed || error)
        diag_warn(d, "cannot write the history: %s",
                  error ? below_why(error) : sqlite3_errmsg(db.db));
    sqlite3_close(db.db);
    close(lock);
    close(fd);
    return !db.failed && !error;
}

// ---- what was made to happen

bool history_confirm(const char *dir, const char *fingerprint, Confirmed verdict, const char *why,
                     int64_t now, Diag *d)
{
    int fd = open_dir(dir, true), lock = fd >= 0 ? below_lock(fd, "history.lock") : -1;
    const char *trouble = lock < 0 ? below_why(errno) : NULL;
    Db db = {.db = trouble ? NULL : open_db(fd, &trouble)};
    if (db.db) {
        run_sql(&db, schema);
        sqlite3_stmt *s = prepare(&db, "insert or replace into confirmed values (?1, ?2, ?3, ?4)");
        if (!db.failed) {
            bind_text(s, 1, fingerprint);
            sqlite3_bind_int64(s, 2, verdict);
            bind_text(s, 3, why);
            sqlite3_bind_int64(s, 4, now);
        }
        run_once(&db, s);
        sqlite3_finalize(s);
        int error = db.failed ? 0 : db_store(fd, "history.db", db.db);
        if (db.failed) trouble = "it is damaged";
        if (error) trouble = below_why(error);
        sqlite3_close(db.db);
    }
    if (trouble) diag_warn(d, "the history in '%s' cannot be written: %s", dir, trouble);
    if (lock >= 0) close(lock);
    if (fd >= 0) close(fd);
    return !trouble;
}

// ---- reading

static const char *text_column(Arena *a, sqlite3_stmt *s, int at)
{
    const char *text = (const char *)sqlite3_column_text(s, at);
    return arena_strdup(a, text ? text : "");
}

// The next row; false at the end or when it cannot be read.
static bool next_row(Db *db, sqlite3_stmt *s)
{
    int step = db->failed ? SQLITE_DONE : sqlite3_step(s);
    db->failed |= step != SQLITE_ROW && step != SQLITE_DONE;
    return step == SQLITE_ROW;
}

static void read_changes(Db *db, Arena *a, HistoryRun *run)
{
    sqlite3_stmt *s = prepare(db, "select fixed, path, line, message, rule from change"
                                  " where run = ?1 order by fixed, path, line, rowid");
    if (!db->failed) sqlite3_bind_int64(s, 1, run->id);
    while (next_row(db, s))
        vec_push(&run->changes, ((HistoryChange){.fixed = sqlite3_column_int(s, 0),
                                                 .path = text_column(a, s, 1),
                                                 .line = sqlite3_column_int64(s, 2),
                                                 .message = text_column(a, s, 3),
                                                 .rule = text_column(a, s, 4)}));
    sqlite3_finalize(s);
}

static void read_runs(Db *db, Arena *a, uint32_t limit, History *h)
{
    sqlite3_stmt *s = prepare(db, "select id, time, title, found, fresh, fixed, units,"
                                  " units_total, given_up from run order by id desc limit ?1");
    if (!db->failed) sqlite3_bind_int64(s, 1, limit ? limit : INT32_MAX);
    while (next_row(db, s)) {
        HistoryRun run = {.id = sqlite3_column_int64(s, 0),
                          .time = sqlite3_column_int64(s, 1),
                          .title = text_column(a, s, 2),
                          .found = sqlite3_column_int(s, 3),
                          .fresh = sqlite3_column_int(s, 4),
                          .fixed = sqlite3_column_int(s, 5),
                          .units = sqlite3_column_int(s, 6),
                          .units_total = sqlite3_column_int(s, 7),
                          .given_up = sqlite3_column_int(s, 8)};
        read_changes(db, a, &run);
        vec_push(&h->runs, run);
    }
    sqlite3_finalize(s);
}

static void read_open(Db *db, Arena *a, History *h)
{
    sqlite3_stmt *s = prepare(db, "select open.path, open.line, open.message, open.rule, open.run, run.time"
                                  " from open left join run on run.id = open.run"
                                  " order by open.run, open.path, open.line, open.fingerprint");
    while (next_row(db, s))
        vec_push(&h->open, ((HistoryOpen){.what = {.path = text_column(a, s, 0),
                                                   .line = sqlite3_column_int64(s, 1),
                                                   .message = text_column(a, s, 2),
                                                   .rule = text_column(a, s, 3)},
                                          .run = sqlite3_column_int64(s, 4),
                                          .since = sqlite3_column_int64(s, 5)}));
    sqlite3_finalize(s);
}

bool history_read(const char *dir, uint32_t limit, Arena *a, History *h, Diag *d)
{
    *h = (History){0};
    int fd = open_dir(dir, false);
    if (fd < 0 && errno == ELOOP) diag_warn(d, "'%s': %s", dir, below_why(errno));
    if (fd < 0 || faccessat(fd, "history.db", F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
        if (fd >= 0) close(fd);
        return true;
    }
    const char *why;
    Db db = {.db = open_db(fd, &why)};
    close(fd);
    if (!db.db) {
        diag_error(d, "cannot read the history '%s/history.db': %s", dir, why);
        return false;
    }
    read_runs(&db, a, limit, h);
    read_open(&db, a, h);
    if (db.failed) diag_error(d, "cannot read the history: %s", sqlite3_errmsg(db.db));
    sqlite3_close(db.db);
    return !db.failed;
}

void history_free(History *h)
{
    vec_each (i, &h->runs) vec_free(&h->runs.at[i].changes);
    vec_free(&h->runs);
    vec_free(&h->open);
}

const char *history_time(Arena *a, int64_t seconds)
{
    char when[32] = "";
    time_t t = (time_t)seconds;
    struct tm tm;
    if (gmtime_r(&t, &tm)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    return arena_strdup(a, when);
}

static void plain(Out *o, const char *text)
{
    out_plain(o, text, strlen(text));
}

static void print_run(Out *o, Arena *a, const HistoryRun *r)
{
    out_printf(o, "run %lld  %s UTC  %d finding%s, %d new, %d fixed; %d of %d unit%s analysed", (long long)r->id,
               history_time(a, r->time), r->found, r->found == 1 ? "" : "s", r->fresh, r->fixed, r->units,
               r->units_total, r->units_total == 1 ? "" : "s");
    if (r->given_up) out_printf(o, "; %d functions given up", r->given_up);
    out_text(o, "  ");
    plain(o, r->title);
    out_char(o, '\n');
    vec_each (i, &r->changes) {
        const HistoryChange *c = &r->changes.at[i];
        out_text(o, c->fixed ? "    fixed " : "    new   ");
        plain(o, c->path);
        out_printf(o, ":%lld: ", (long long)c->line);
        plain(o, c->message);
        out_text(o, " [");
        plain(o, c->rule);
        out_text(o, "]\n");
    }
}

bool history_print(Out *o, const char *dir, uint32_t limit, Diag *d)
{
    Arena *a = arena_new("history");
    History h;
    bool ok = history_read(dir, limit, a, &h, d);
    if (ok && !h.runs.len) out_text(o, "no runs recorded\n");
    vec_each (i, &h.runs) print_run(o, a, &h.runs.at[i]);
    history_free(&h);
    arena_free(a);
    return ok;
}
