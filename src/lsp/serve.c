// The conversation: messages in and out, the life of the server, who answers what.
#include "lsp/lsp_int.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// The protocol's error codes.
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002,
    REQUEST_CANCELLED = -32800,
};

// ---- out ----

void send_message(Server *s, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text) return;
    size_t n = strlen(text);
    if ((uint64_t)s->queue.len + n > MAX_QUEUE) {
        s->failed = true; // nobody reads
    } else {
        char *header = mem_printf("Content-Length: %zu\r\n\r\n", n);
        vec_append(&s->queue, header, strlen(header));
        vec_append(&s->queue, text, n);
        mem_free(header);
    }
    mem_free(text);
}

void send_notification(Server *s, const char *method, json_t *params)
{
    send_message(s, json_pack("{s:s, s:o}", "method", method, "params", params));
}

void send_request(Server *s, Asked kind, uint32_t count, const char *method, json_t *params)
{
    if (s->pending.len >= MAX_PENDING) vec_clear(&s->pending); // it does not answer
    vec_push(&s->pending, ((Pending){++s->next_id, kind, count}));
    send_message(s, json_pack("{s:I, s:s, s:o}", "id", (json_int_t)s->next_id, "method", method,
                              "params", params));
}

void send_result(Server *s, json_t *id, json_t *result)
{
    send_message(s, json_pack("{s:O, s:o}", "id", id, "result", result));
}

void send_error(Server *s, json_t *id, int code, const char *text)
{
    send_message(s, json_pack("{s:O, s:{s:i, s:o}}", "id", id, "error", "code", code, "message",
                              json_text(text)));
}

void say(Server *s, int type, bool show, const char *fmt, ...)
{
    Arena *a = arena_new("say");
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(a, fmt, ap);
    va_end(ap);
    send_notification(s, show ? "window/showMessage" : "window/logMessage",
                      json_pack("{s:i, s:o}", "type", type, "message", json_text(text)));
    arena_free(a);
}

// ---- settings ----

static void read_settings(Server *s, Settings *into, const json_t *object)
{
    // Clients send either the section or an object that holds it.
    const json_t *inner = json_object_get(object, "stanch");
    Chars complaint = {0};
    settings_read(into, json_is_object(inner) ? inner : object, &complaint);
    vec_push(&complaint, 0);
    if (*complaint.at) say(s, LOG_WARNING, true, "stanch: settings: %s", complaint.at);
    vec_free(&complaint);
}

// The defaults first, then each folder.
static void ask_settings(Server *s)
{
    json_t *items = json_pack("[{s:s}]", "section", "stanch");
    vec_each (i, &s->folders)
        json_array_append_new(
            items, json_pack("{s:s, s:s}", "scopeUri", s->folders.at[i].uri, "section", "stanch"));
    send_request(s, ASKED_SETTINGS, s->folders.len, "workspace/configuration",
                 json_pack("{s:o}", "items", items));
}

static void settings_came(Server *s, const json_t *result, uint32_t folders)
{
    if (!json_is_array(result)) return;
    settings_free(&s->settings);
    read_settings(s, &s->settings, json_array_get(result, 0));
    for (uint32_t i = 0; i < folders && i < s->folders.len; i++) {
        settings_free(&s->folders.at[i].settings);
        read_settings(s, &s->folders.at[i].settings, json_array_get(result, i + 1));
    }
    forget_projects(s);
    publish(s);
    analyse_all(s);
}

static void settings_changed(Server *s, const json_t *params)
{
    if (s->can_configure) {
        ask_settings(s);
        return;
    }
    const json_t *all = json_object_get(params, "settings");
    if (!json_is_object(all)) return;
    Settings fresh = {0};
    read_settings(s, &fresh, all);
    settings_free(&s->settings);
    s->settings = fresh;
    vec_each (i, &s->folders) {
        settings_free(&s->folders.at[i].settings);
        settings_copy(&s->folders.at[i].settings, &s->settings);
    }
    forget_projects(s);
    publish(s);
    analyse_all(s);
}

// ---- folders ----

static void add_folder(Server *s, const char *uri)
{
    Arena *a = arena_new("folder");
    const char *path = uri ? uri_to_path(a, uri) : NULL;
    if (path) {
        Folder f = {.uri = mem_strdup(uri), .path = mem_strdup(path_real(a, path))};
        settings_copy(&f.settings, &s->settings);
        vec_push(&s->folders, f);
    }
    arena_free(a);
}

static void free_folder(Folder *f)
{
    mem_free(f->uri);
    mem_free(f->path);
    settings_free(&f->settings);
}

static void remove_folder(Server *s, const char *uri)
{
    for (uint32_t i = 0; uri && i < s->folders.len; i++)
        if (strcmp(s->folders.at[i].uri, uri) == 0) {
            free_folder(&s->folders.at[i]);
            memmove(&s->folders.at[i], &s->folders.at[i + 1],
                    (s->folders.len - i - 1) * sizeof(Folder));
            s->folders.len--;
            return;
        }
}

static void each_folder(Server *s, const json_t *list, void (*act)(Server *, const char *))
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) act(s, json_string_value(json_object_get(one, "uri")));
}

static void folders_changed(Server *s, const json_t *params)
{
    const json_t *event = json_object_get(params, "event");
    each_folder(s, json_object_get(event, "removed"), remove_folder);
    each_folder(s, json_object_get(event, "added"), add_folder);
    if (s->can_configure) ask_settings(s);
    forget_projects(s);
    publish(s);
}

// ---- documents ----

static const char *uri_in(const json_t *params)
{
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static void did_open(Server *s, const json_t *params)
{
    const json_t *doc = json_object_get(params, "textDocument");
    const json_t *text = json_object_get(doc, "text");
    const char *uri = uri_in(params);
    Arena *a = arena_new("open");
    char *path = uri ? uri_to_path(a, uri) : NULL;
    if (path && json_is_string(text)) {
        path = path_real(a, path);
        document_open(&s->documents, uri, path, json_string_value(text), json_string_length(text));
        Project *p = project_for(s, path);
        struct stat st;
        bool changed = p && stat(path, &st) == 0 && (double)st.st_mtime > p->analysed;
        if (p && (!p->analysed || changed) && !p->due &&
            !(s->job.pid && s->running == (uint32_t)(p - s->projects.at)))
            analyse(s, p);
        publish(s);
    }
    arena_free(a);
}

static void moved(void *context, const char *path, LineEdit e)
{
    Server *s = context;
    vec_each (i, &s->projects) results_move(s->projects.at[i].results, path, e);
}

static void did_change(Server *s, const json_t *params)
{
    const char *uri = uri_in(params);
    Document *d = uri ? document_find(&s->documents, uri) : NULL;
    if (d && !document_change(d, json_object_get(params, "contentChanges"), s->units, s, moved))
        say(s, LOG_WARNING, false, "a change of %s that makes no sense", uri);
}

static void did_save(Server *s, const json_t *params)
{
    const char *uri = uri_in(params);
    Document *d = uri ? document_find(&s->documents, uri) : NULL;
    if (!d) return;
    document_saved(d);
    Project *p = project_for(s, d->path);
    if (p) analyse(s, p);
}

static void did_close(Server *s, const json_t *params)
{
    const char *uri = uri_in(params);
    if (!uri) return;
    document_close(&s->documents, uri);
    forget_projects(s);
    publish(s);
}

// ---- requests ----

static bool position_in(const json_t *p, uint32_t *line, uint32_t *chr)
{
    const json_t *l = json_object_get(p, "line"), *c = json_object_get(p, "character");
    json_int_t a = json_integer_value(l), b = json_integer_value(c);
    if (!json_is_integer(l) || !json_is_integer(c) || a < 0 || b < 0) return false;
    *line = a > INT32_MAX ? INT32_MAX : (uint32_t)a;
    *chr = b > INT32_MAX ? INT32_MAX : (uint32_t)b;
    return true;
}

// Whether the word at the place is one that may obtain memory: a call, or new.
static bool may_obtain(const Document *d, uint32_t line, uint32_t chr, Units units)
{
    const char *t = d->text.at;
    size_t n = d->text.len, at = text_offset(t, n, line, chr, units), from = at;
    while (from && (isalnum((unsigned char)t[from - 1]) || t[from - 1] == '_')) from--;
    while (at < n && (isalnum((unsigned char)t[at]) || t[at] == '_')) at++;
    if (at == from) return false;
    if (at - from == 3 && memcmp(t + from, "new", 3) == 0) return true;
    while (at < n && (t[at] == ' ' || t[at] == '\t')) at++;
    return at < n && t[at] == '(';
}

static void hover(Server *s, json_t *id, const json_t *params)
{
    const char *uri = uri_in(params);
    uint32_t line, chr;
    if (!uri || !position_in(json_object_get(params, "position"), &line, &chr)) {
        send_error(s, id, INVALID_PARAMS, "hover needs textDocument and position");
        return;
    }
    Document *d = document_find(&s->documents, uri);
    Chars text = {0};
    vec_each (i, &s->projects) {
        const RunResults *r = s->projects.at[i].results;
        for (uint32_t k = 0; d && r && k < r->found.len; k++) {
            const Found *f = &r->found.at[k];
            const LspPlace *ends[] = {&f->place, &f->allocation, &f->freed};
            for (int e = 0; e < 3; e++)
                if (ends[e]->path && ends[e]->line == line && strcmp(ends[e]->path, d->path) == 0) {
                    found_hover(&text, f, &s->documents);
                    break;
                }
        }
    }
    vec_push(&text, 0);
    // The child sees the saved text, so lines must be where they were.
    if (d && !d->edits.len && !d->lost_edits && may_obtain(d, line, chr, s->units)) {
        ask_about(s, id, d->path, line, text.at);
    } else {
        json_t *contents = json_pack("{s:{s:s, s:o}}", "contents", "kind", "markdown", "value",
                                     json_text(text.at));
        if (text.len == 1) {
            json_decref(contents);
            contents = json_null();
        }
        send_result(s, id, contents);
    }
    vec_free(&text);
}

// Whether the client asks for actions of a kind that we have.
static bool wants_quickfix(const json_t *context)
{
    const json_t *only = json_object_get(context, "only");
    if (!json_is_array(only)) return true;
    size_t i;
    json_t *kind;
    json_array_foreach(only, i, kind)
    {
        const char *k = json_string_value(kind);
        if (k && (!*k || strcmp(k, "quickfix") == 0)) return true;
    }
    return false;
}

// The client's diagnostic of a finding, which knows the line as it is now there.
static const json_t *diagnostic_of(const json_t *context, const Found *f, uint32_t *line)
{
    size_t i;
    json_t *one;
    uint32_t chr;
    json_array_foreach(json_object_get(context, "diagnostics"), i, one)
    {
        const char *print =
            json_string_value(json_object_get(json_object_get(one, "data"), "fingerprint"));
        const json_t *start = json_object_get(json_object_get(one, "range"), "start");
        if (print && f->fingerprint && strcmp(print, f->fingerprint) == 0 &&
            position_in(start, line, &chr))
            return one;
    }
    return NULL;
}

static void code_action(Server *s, json_t *id, const json_t *params)
{
    const char *uri = uri_in(params);
    const json_t *range = json_object_get(params, "range");
    const json_t *context = json_object_get(params, "context");
    uint32_t from, to, chr;
    if (!uri || !position_in(json_object_get(range, "start"), &from, &chr) ||
        !position_in(json_object_get(range, "end"), &to, &chr)) {
        send_error(s, id, INVALID_PARAMS, "codeAction needs textDocument and range");
        return;
    }
    json_t *actions = json_array();
    Document *d = document_find(&s->documents, uri);
    vec_each (i, &s->projects) {
        const RunResults *r = s->projects.at[i].results;
        for (uint32_t k = 0; d && r && wants_quickfix(context) && k < r->found.len; k++) {
            const Found *f = &r->found.at[k];
            bool here = f->place.path && strcmp(f->place.path, d->path) == 0;
            uint32_t line = f->place.line;
            const json_t *diagnostic = here ? diagnostic_of(context, f, &line) : NULL;
            bool allocated = f->allocation.path && strcmp(f->allocation.path, d->path) == 0 &&
                             f->allocation.line >= from && f->allocation.line <= to;
            if (diagnostic || (here && line >= from && line <= to))
                found_actions(actions, f, d, line, diagnostic);
            else if (allocated)
                found_actions(actions, f, d, f->allocation.line, NULL);
        }
    }
    send_result(s, id, actions);
}

static void execute(Server *s, json_t *id, const json_t *params)
{
    const char *command = json_string_value(json_object_get(params, "command"));
    if (!command || strcmp(command, "stanch.analyse") != 0) {
        send_error(s, id, INVALID_PARAMS, "the only command is stanch.analyse");
        return;
    }
    analyse_all(s);
    send_result(s, id, json_null());
}

// ---- the beginning and the end ----

static bool capable(const json_t *params, const char *group, const char *part, const char *what)
{
    const json_t *v = json_object_get(json_object_get(params, "capabilities"), group);
    if (part) v = json_object_get(v, part);
    return json_is_true(json_object_get(v, what));
}

static void choose_units(Server *s, const json_t *params)
{
    const json_t *general = json_object_get(json_object_get(params, "capabilities"), "general");
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(general, "positionEncodings"), i, one)
    {
        const char *name = json_string_value(one);
        if (name && strcmp(name, "utf-8") == 0) s->units = UNITS_UTF8;
    }
}

static void initialize(Server *s, json_t *id, const json_t *params)
{
    if (!json_is_object(params)) {
        send_error(s, id, INVALID_PARAMS, "initialize needs parameters");
        return;
    }
    s->state = READY;
    json_int_t parent = json_integer_value(json_object_get(params, "processId"));
    s->parent = parent > 0 && parent < INT32_MAX ? (pid_t)parent : 0;
    choose_units(s, params);
    s->can_related = capable(params, "textDocument", "publishDiagnostics", "relatedInformation");
    s->can_progress = capable(params, "window", NULL, "workDoneProgress");
    s->can_configure = capable(params, "workspace", NULL, "configuration");
    read_settings(s, &s->settings, json_object_get(params, "initializationOptions"));
    const json_t *folders = json_object_get(params, "workspaceFolders");
    if (json_is_array(folders))
        each_folder(s, folders, add_folder);
    else
        add_folder(s, json_string_value(json_object_get(params, "rootUri")));
    json_t *sync =
        json_pack("{s:b, s:i, s:{s:b}}", "openClose", 1, "change", 2, "save", "includeText", 0);
    json_t *folder_support =
        json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications", 1);
    json_t *can = json_pack("{s:s, s:o, s:b, s:{s:[s]}, s:{s:[s]}, s:o}", "positionEncoding",
                            s->units == UNITS_UTF8 ? "utf-8" : "utf-16", "textDocumentSync", sync,
                            "hoverProvider", 1, "codeActionProvider", "codeActionKinds", "quickfix",
                            "executeCommandProvider", "commands", "stanch.analyse", "workspace",
                            folder_support);
    send_result(s, id,
                json_pack("{s:o, s:{s:s, s:s}}", "capabilities", can, "serverInfo", "name",
                          "stanch", "version", STANCH_VERSION));
}

static void initialized(Server *s, const json_t *params)
{
    (void)params;
    if (s->can_configure) ask_settings(s);
}

static void shutdown_server(Server *s, json_t *id, const json_t *params)
{
    (void)params;
    s->state = DOWN;
    cancel_analysis(s);
    cancel_ask(s, REQUEST_CANCELLED, "the server is shutting down");
    send_result(s, id, json_null());
}

static void cancel(Server *s, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");
    if (s->ask_id && json_equal(id, s->ask_id)) cancel_ask(s, REQUEST_CANCELLED, "cancelled");
}

static void progress_cancel(Server *s, const json_t *params)
{
    char *token = mem_printf("stanch-%u", s->progress);
    const char *given = json_string_value(json_object_get(params, "token"));
    if (given && strcmp(given, token) == 0) cancel_analysis(s);
    mem_free(token);
}

static void files_changed(Server *s, const json_t *params)
{
    (void)params;
    analyse_all(s);
}

// ---- who answers what ----

static const struct {
    const char *method;
    void (*answer)(Server *, json_t *id, const json_t *params);
} requests[] = {
    {"shutdown", shutdown_server},
    {"textDocument/hover", hover},
    {"textDocument/codeAction", code_action},
    {"workspace/executeCommand", execute},
};

static const struct {
    const char *method;
    void (*take)(Server *, const json_t *params);
} notifications[] = {
    {"initialized", initialized},
    {"$/cancelRequest", cancel},
    {"window/workDoneProgress/cancel", progress_cancel},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didSave", did_save},
    {"textDocument/didClose", did_close},
    {"workspace/didChangeConfiguration", settings_changed},
    {"workspace/didChangeWorkspaceFolders", folders_changed},
    {"workspace/didChangeWatchedFiles", files_changed},
};

static void request(Server *s, json_t *id, const char *method, const json_t *params)
{
    bool begins = strcmp(method, "initialize") == 0;
    if (s->state == FRESH && !begins) {
        send_error(s, id, NOT_INITIALIZED, "the first request must be initialize");
    } else if (s->state == DOWN || (s->state == READY && begins)) {
        send_error(s, id, INVALID_REQUEST,
                   begins ? "initialize came a second time" : "the server is shutting down");
    } else if (begins) {
        initialize(s, id, params);
    } else {
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            if (strcmp(method, requests[i].method) == 0) {
                requests[i].answer(s, id, params);
                return;
            }
        send_error(s, id, METHOD_NOT_FOUND, "stanch does not have this method");
    }
}

static void notification(Server *s, const char *method, const json_t *params)
{
    if (strcmp(method, "exit") == 0) {
        s->done = true;
        s->status = s->state == DOWN ? 0 : 1;
        return;
    }
    if (s->state != READY) return;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (strcmp(method, notifications[i].method) == 0) {
            notifications[i].take(s, params);
            return;
        }
}

static void response(Server *s, const json_t *id, const json_t *message)
{
    vec_each (i, &s->pending) {
        if (!json_is_integer(id) || (json_int_t)s->pending.at[i].id != json_integer_value(id))
            continue;
        Pending p = s->pending.at[i];
        s->pending.at[i] = vec_last(&s->pending);
        s->pending.len--;
        if (s->state != READY) return;
        if (p.kind == ASKED_SETTINGS)
            settings_came(s, json_object_get(message, "result"), p.count);
        else if (p.kind == ASKED_PROGRESS && p.count == s->progress)
            progress_answered(s, !json_object_get(message, "error"));
        return;
    }
}

static void handle(Server *s, const char *body, size_t n)
{
    json_error_t error;
    json_t *message = json_loadb(body, n, 0, &error);
    json_t *id = json_object_get(message, "id");
    const json_t *version = json_object_get(message, "jsonrpc");
    const json_t *method = json_object_get(message, "method");
    bool id_fits = json_is_integer(id) || json_is_string(id);
    if (!message) {
        send_error(s, json_null(), PARSE_ERROR, error.text);
    } else if (!json_is_object(message) || !json_is_string(version) ||
               strcmp(json_string_value(version), "2.0") != 0 ||
               (method && !json_is_string(method)) || (id && method && !id_fits)) {
        send_error(s, id_fits ? id : json_null(), INVALID_REQUEST, "not a JSON-RPC 2.0 message");
    } else if (method && id) {
        request(s, id, json_string_value(method), json_object_get(message, "params"));
    } else if (method) {
        notification(s, json_string_value(method), json_object_get(message, "params"));
    } else if (json_object_get(message, "result") || json_object_get(message, "error")) {
        response(s, id, message);
    } else {
        send_error(s, id_fits ? id : json_null(), INVALID_REQUEST, "a message without a method");
    }
    json_decref(message);
}

// ---- the loop ----

static void read_in(Server *s)
{
    char buffer[65536];
    ssize_t n = read(s->in, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) { // the client is gone
        s->done = true;
        s->status = 1;
        return;
    }
    frame_feed(&s->frame, buffer, (size_t)n);
    const char *body;
    size_t len;
    for (FrameKind k; !s->done && (k = frame_next(&s->frame, &body, &len)) != FRAME_NONE;)
        if (k == FRAME_BODY)
            handle(s, body, len);
        else
            send_error(s, json_null(), PARSE_ERROR, s->frame.reason);
}

// Small enough not to block when poll says that there is room, so that a client which writes
// before it reads does not wait for us while we wait for it.
static void write_out(Server *s)
{
    size_t left = s->queue.len - s->sent;
    ssize_t n = write(s->out, s->queue.at + s->sent, left < 4096 ? left : 4096);
    if (n < 0 && errno != EINTR && errno != EAGAIN) s->failed = true;
    if (n > 0) s->sent += (uint32_t)n;
    if (s->sent == s->queue.len) {
        vec_clear(&s->queue);
        s->sent = 0;
    } else if (s->sent > 1 << 20) {
        memmove(s->queue.at, s->queue.at + s->sent, s->queue.len - s->sent);
        s->queue.len -= s->sent;
        s->sent = 0;
    }
}

static void look_for_parent(Server *s)
{
    if (!s->parent || now() < s->parent_look) return;
    s->parent_look = now() + 5;
    if (kill(s->parent, 0) != 0 && errno == ESRCH) s->failed = true;
}

static void turn(Server *s)
{
    enum { IN, OUT, JOB_OUT, JOB_ERR, ASK_OUT, ASK_ERR, FDS };
    struct pollfd fds[FDS];
    for (int i = 0; i < FDS; i++) fds[i] = (struct pollfd){.fd = -1};
    fds[IN] = (struct pollfd){.fd = s->in, .events = POLLIN};
    if (s->queue.len) fds[OUT] = (struct pollfd){.fd = s->out, .events = POLLOUT};
    if (s->job.pid) {
        fds[JOB_OUT] = (struct pollfd){.fd = s->job.out, .events = POLLIN};
        fds[JOB_ERR] = (struct pollfd){.fd = s->job.err, .events = POLLIN};
    }
    if (s->ask.pid) {
        fds[ASK_OUT] = (struct pollfd){.fd = s->ask.out, .events = POLLIN};
        fds[ASK_ERR] = (struct pollfd){.fd = s->ask.err, .events = POLLIN};
    }
    if (poll(fds, FDS, schedule_wait(s, s->parent ? 5000 : 60000)) < 0) return;
    if (fds[OUT].revents) write_out(s);
    if (fds[IN].revents) read_in(s);
    schedule(s);
    look_for_parent(s);
}

// What is still to be said, for a client that still reads.
static void flush(Server *s)
{
    double until = now() + 2;
    while (s->queue.len && !s->failed && now() < until) {
        struct pollfd fd = {.fd = s->out, .events = POLLOUT};
        if (poll(&fd, 1, 100) > 0) write_out(s);
    }
}

int lsp_serve(const LspOptions *o)
{
    Server *s = mem_alloc(sizeof *s);
    s->self = o->self;
    s->in = o->in;
    s->out = o->out;
    s->status = 1;
    s->shown = json_object();
    s->job = s->ask = (Job){.out = -1, .err = -1};
    while (!s->done && !s->failed) turn(s);
    flush(s);
    int status = s->failed ? 1 : s->status;
    job_clear(&s->job);
    job_clear(&s->ask);
    json_decref(s->ask_id);
    mem_free(s->ask_text);
    json_decref(s->shown);
    vec_each (i, &s->projects) project_free(&s->projects.at[i]);
    vec_free(&s->projects);
    vec_each (i, &s->folders) free_folder(&s->folders.at[i]);
    vec_free(&s->folders);
    vec_free(&s->pending);
    settings_free(&s->settings);
    documents_free(&s->documents);
    frame_free(&s->frame);
    vec_free(&s->queue);
    mem_free(s);
    return status;
}
