// What is analysed when: one child at a time for all projects, started when a document is opened
// or saved, ended when something newer is wanted.
//
// A save while its project is analysed cancels that analysis: its answer would be about the old
// text. Units compiled by then are in the cache. So that someone who saves more often than an
// analysis takes ever sees one, the third in a row may finish (MAX_PATIENCE).
#include "lsp/lsp_int.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum { TIMEOUT = 600, ASK_TIMEOUT = 30 }; // seconds

// Several files saved at once are one analysis.
static const double delay = 0.05;

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// ---- projects ----

const Folder *folder_of(const Server *s, const char *path)
{
    const Folder *best = NULL; // the innermost
    vec_each (i, &s->folders)
        if (path_inside(s->folders.at[i].path, path) &&
            (!best || strlen(s->folders.at[i].path) > strlen(best->path)))
            best = &s->folders.at[i];
    return best;
}

const Settings *settings_for(const Server *s, const char *folder)
{
    vec_each (i, &s->folders)
        if (folder && strcmp(s->folders.at[i].path, folder) == 0) return &s->folders.at[i].settings;
    return &s->settings;
}

Project *project_for(Server *s, const char *path)
{
    const Folder *f = folder_of(s, path);
    const Settings *settings = f ? &f->settings : &s->settings;
    Project p;
    if (settings->off || !project_locate(&p, path, f ? f->path : NULL, settings)) return NULL;
    vec_each (i, &s->projects)
        if (project_same(&s->projects.at[i], &p)) {
            project_free(&p);
            return &s->projects.at[i];
        }
    static const char *const kinds[] = {"the compilation database", "the units of the last run",
                                        "the file by itself"};
    say(s, LOG_INFO, false, "%s: %s%s%s", p.root, kinds[p.kind], p.input ? " " : "",
        p.input ? p.input : "");
    if (p.kind == PROJECT_LAST)
        say(s, LOG_INFO, false,
            "edits are not seen in the units of the last run; with a compile_commands.json they "
            "are");
    vec_push(&s->projects, p);
    return &vec_last(&s->projects);
}

static bool is_running(const Server *s, const Project *p)
{
    return s->job.pid && s->running == (uint32_t)(p - s->projects.at);
}

void analyse(Server *s, Project *p)
{
    p->due = now() + delay;
    if (!is_running(s, p) || s->job.cancelled || p->cancelled >= MAX_PATIENCE) return;
    p->cancelled++;
    job_cancel(&s->job);
}

void analyse_all(Server *s)
{
    vec_each (i, &s->documents) {
        Project *p = project_for(s, s->documents.at[i].path);
        if (p) analyse(s, p);
    }
    vec_each (i, &s->projects) analyse(s, &s->projects.at[i]);
}

static bool wanted(Server *s, const Project *p)
{
    vec_each (i, &s->folders)
        if (p->folder && strcmp(p->folder, s->folders.at[i].path) == 0)
            return !s->folders.at[i].settings.off;
    vec_each (i, &s->documents) {
        const Folder *f = folder_of(s, s->documents.at[i].path);
        if ((f && f->settings.off) || (!f && s->settings.off)) continue;
        Project of;
        if (!project_locate(&of, s->documents.at[i].path, f ? f->path : NULL,
                            f ? &f->settings : &s->settings))
            continue;
        bool same = project_same(&of, p);
        project_free(&of);
        if (same) return true;
    }
    return false;
}

void forget_projects(Server *s)
{
    uint32_t kept = 0;
    vec_each (i, &s->projects) {
        bool keep = wanted(s, &s->projects.at[i]);
        if (s->job.pid && s->running == i) {
            if (!keep) job_cancel(&s->job);
            keep = true; // goes when its child has ended
            s->running = kept;
        }
        if (keep)
            s->projects.at[kept++] = s->projects.at[i];
        else
            project_free(&s->projects.at[i]);
    }
    s->projects.len = kept;
}

// ---- what the client sees ----

static void show(Server *s, json_t *all, Arena *a, const Settings *settings, const char *path,
                 json_t *diagnostic)
{
    if (settings->open_only && !document_at(&s->documents, path)) {
        json_decref(diagnostic);
        return;
    }
    const char *uri = uri_of(a, &s->documents, path);
    json_t *list = json_object_get(all, uri);
    if (!list) {
        list = json_array();
        json_object_set_new(all, uri, list);
    }
    json_array_append_new(list, diagnostic);
}

static void send_diagnostics(Server *s, const char *uri, json_t *list)
{
    send_notification(s, "textDocument/publishDiagnostics",
                      json_pack("{s:s, s:O}", "uri", uri, "diagnostics", list));
}

// Sends what differs from what the client has.
void publish(Server *s)
{
    json_t *all = json_object();
    Arena *a = arena_new("publish");
    vec_each (i, &s->projects) {
        const Project *p = &s->projects.at[i];
        const Settings *settings = settings_for(s, p->folder);
        if (!p->results || settings->off) continue;
        vec_each (k, &p->results->found) {
            const Found *f = &p->results->found.at[k];
            show(s, all, a, settings, f->place.path,
                 found_diagnostic(f, &s->documents, s->can_related));
        }
        vec_each (k, &p->results->broken)
            show(s, all, a, settings, p->results->broken.at[k].path,
                 note_diagnostic(&p->results->broken.at[k]));
    }
    arena_free(a);
    const char *uri;
    json_t *list, *empty = json_array();
    json_object_foreach(s->shown, uri, list) if (!json_object_get(all, uri))
        send_diagnostics(s, uri, empty);
    json_object_foreach(all, uri, list) if (!json_equal(list, json_object_get(s->shown, uri)))
        send_diagnostics(s, uri, list);
    json_decref(empty);
    json_decref(s->shown);
    s->shown = all;
}

// ---- progress ----

static void progress(Server *s, json_t *value)
{
    char token[32];
    snprintf(token, sizeof token, "stanch-%u", s->progress);
    send_notification(s, "$/progress", json_pack("{s:s, s:o}", "token", token, "value", value));
}

static void progress_begin(Server *s)
{
    s->progress++;
    s->progress_open = false;
    if (!s->can_progress) return;
    char token[32];
    snprintf(token, sizeof token, "stanch-%u", s->progress);
    send_request(s, ASKED_PROGRESS, s->progress, "window/workDoneProgress/create",
                 json_pack("{s:s}", "token", token));
}

void progress_answered(Server *s, bool accepted)
{
    if (!accepted || !s->job.pid || s->progress_open) return;
    s->progress_open = true;
    s->progress_report = now() + 1;
    progress(s, json_pack("{s:s, s:s, s:b}", "kind", "begin", "title", "stanch: analysing",
                          "cancellable", 1));
}

static void progress_step(Server *s)
{
    if (!s->progress_open || !s->job.pid || now() < s->progress_report) return;
    char text[32];
    snprintf(text, sizeof text, "%.0f s", now() - s->job.started);
    s->progress_report = now() + 1;
    progress(s, json_pack("{s:s, s:s}", "kind", "report", "message", text));
}

static void progress_end(Server *s, const char *message)
{
    if (s->progress_open) progress(s, json_pack("{s:s, s:s}", "kind", "end", "message", message));
    s->progress_open = false;
}

// ---- one analysis ----

static void start(Server *s, uint32_t number)
{
    Project *p = &s->projects.at[number];
    const Settings *settings = settings_for(s, p->folder);
    Arena *a = arena_new("command");
    const char **argv = project_command(p, settings, s->self, a), *why = "";
    p->due = 0;
    s->running = number;
    s->ran_since = wall_clock();
    if (job_start(&s->job, argv, p->root, MAX_REPORT,
                  settings->timeout ? settings->timeout : TIMEOUT, &why))
        progress_begin(s);
    else
        say(s, LOG_ERROR, true, "stanch cannot be started: %s", why);
    arena_free(a);
}

void cancel_analysis(Server *s)
{
    if (s->job.pid) s->projects.at[s->running].due = 0;
    job_cancel(&s->job);
}

// Said once, until something else is the matter or all is well again.
static void trouble(Server *s, Project *p, const char *text)
{
    if (p->trouble && strcmp(p->trouble, text) == 0) return;
    mem_free(p->trouble);
    p->trouble = mem_strdup(text);
    say(s, LOG_WARNING, true, "stanch: %s", text);
}

// The first message that is an error, for someone who has not seen the others.
static const char *first_error(const Job *j, Arena *a)
{
    static const char mark[] = "error: ";
    const char *at =
        j->errors.len ? memmem(j->errors.at, j->errors.len, mark, sizeof mark - 1) : NULL;
    if (!at) return "the analysis ended without a report";
    at += sizeof mark - 1;
    size_t left = (size_t)(j->errors.at + j->errors.len - at);
    const char *end = memchr(at, '\n', left);
    return arena_strndup(a, at, end ? (size_t)(end - at) : left);
}

static const char *what_failed(const Job *j, Arena *a)
{
    if (j->too_long) return "the analysis took too long and was ended (see the setting timeout)";
    if (j->too_much) return "the report is too large";
    if (WIFSIGNALED(j->status))
        return arena_printf(a, "the analysis ended with signal %d", WTERMSIG(j->status));
    return first_error(j, a);
}

// A file by itself that does not compile has no report: that is no trouble, it is being typed.
static RunResults *results_of(Server *s, const Project *p)
{
    const Job *j = &s->job;
    RunResults *r = j->too_much || !j->output.len
                     ? NULL
                     : results_read(j->output.at, j->output.len, p->root, s->units);
    bool usual = WIFEXITED(j->status) && WEXITSTATUS(j->status) == 2 && !j->too_long;
    if (!r && usual && p->kind == PROJECT_FILE) {
        r = results_new();
        results_add_broken(r, p->input, "it cannot be compiled");
    }
    if (r && j->errors.len) results_explain(r, j->errors.at, j->errors.len);
    return r;
}

// Edits made since the save that it is about.
static void catch_up(Server *s, RunResults *r)
{
    vec_each (i, &s->documents) {
        const Document *d = &s->documents.at[i];
        vec_each (k, &d->edits) results_move(r, d->path, d->edits.at[k]);
    }
}

static void finish(Server *s)
{
    Project *p = &s->projects.at[s->running];
    if (s->job.cancelled) {
        progress_end(s, "cancelled");
        job_clear(&s->job);
        forget_projects(s); // it may have ended because nobody wants its project
        publish(s);
        return;
    }
    Arena *a = arena_new("finish");
    RunResults *r = results_of(s, p);
    if (r) {
        catch_up(s, r);
        results_take_over(r, p->results);
        results_free(p->results);
        p->results = r;
        p->analysed = s->ran_since;
        mem_free(p->trouble);
        p->trouble = NULL;
        publish(s); // who waits for the end has the findings then
        progress_end(s,
                     arena_printf(a, "%u finding%s", r->found.len, r->found.len == 1 ? "" : "s"));
    } else {
        const char *why = what_failed(&s->job, a);
        progress_end(s, "failed");
        trouble(s, p, why);
    }
    p->cancelled = 0;
    arena_free(a);
    job_clear(&s->job);
}

// ---- hover ----

void cancel_ask(Server *s, int code, const char *why)
{
    if (!s->ask_id) return;
    job_cancel(&s->ask);
    send_error(s, s->ask_id, code, why);
    json_decref(s->ask_id);
    s->ask_id = NULL;
}

static void answer_ask(Server *s, json_t *id, const char *text)
{
    send_result(s, id,
                *text ? json_pack("{s:{s:s, s:o}}", "contents", "kind", "markdown", "value",
                                  json_text(text))
                      : json_null());
}

// `text` is what is known already; the child may add to it.
void ask_about(Server *s, json_t *id, const char *path, uint32_t line, const char *text)
{
    cancel_ask(s, -32800, "another question came");
    Project *p = project_for(s, path);
    const Settings *settings = p ? settings_for(s, p->folder) : NULL;
    Arena *a = arena_new("ask");
    const char *why;
    job_clear(&s->ask);
    if (p && job_start(&s->ask, project_ask(p, settings, s->self, path, line + 1, a), p->root,
                       MAX_ERRORS, ASK_TIMEOUT, &why)) {
        s->ask_id = json_incref(id);
        mem_free(s->ask_text);
        s->ask_text = mem_strdup(text);
    } else {
        answer_ask(s, id, text);
    }
    arena_free(a);
}

static void finish_ask(Server *s)
{
    Job *j = &s->ask;
    if (s->ask_id) {
        bool ok = WIFEXITED(j->status) && !j->too_long && j->output.len;
        char *text = ok ? mem_printf("%s%s%.*s", s->ask_text, *s->ask_text ? "\n---\n\n" : "",
                                     (int)j->output.len, j->output.at)
                        : mem_strdup(s->ask_text);
        answer_ask(s, s->ask_id, text);
        mem_free(text);
        json_decref(s->ask_id);
        s->ask_id = NULL;
    }
    job_clear(j);
}

// ---- the clock ----

void schedule(Server *s)
{
    if (s->job.pid && job_step(&s->job)) finish(s);
    if (s->ask.pid && job_step(&s->ask)) finish_ask(s);
    progress_step(s);
    if (s->job.pid || s->state != READY) return;
    uint32_t next = UINT32_MAX; // the one that has waited longest
    vec_each (i, &s->projects) {
        const Project *p = &s->projects.at[i];
        if (p->due && (next == UINT32_MAX || p->due < s->projects.at[next].due)) next = i;
    }
    if (next != UINT32_MAX && s->projects.at[next].due <= now()) start(s, next);
}

int schedule_wait(const Server *s, int most)
{
    int wait = job_wait(&s->job, most);
    wait = job_wait(&s->ask, wait);
    if (s->job.pid) {
        if (s->progress_open && wait > 1000) wait = 1000;
        return wait;
    }
    vec_each (i, &s->projects) {
        if (!s->projects.at[i].due) continue;
        double ms = (s->projects.at[i].due - now()) * 1000 + 1;
        if (ms < wait) wait = ms < 1 ? 1 : (int)ms;
    }
    return wait;
}
