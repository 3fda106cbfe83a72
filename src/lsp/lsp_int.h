// What the files of the language server share.
#ifndef LSP_INT_H
#define LSP_INT_H

#include "base/mem.h"
#include "base/vec.h"
#include "lsp/lsp.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

// Bounds, each with what it trades.
enum {
    MAX_HEADER = 4096,     // of one header line; a longer one is no header
    MAX_BODY = 64 << 20,   // of one message; a larger one is skipped and answered with an error
    MAX_QUEUE = 256 << 20, // output that the client does not read; beyond it we end
    MAX_REPORT = 64 << 20, // JSON of one analysis; a larger report is an error
    MAX_ERRORS = 64 << 10, // messages of one child that are kept
    MAX_SOURCE = 64 << 20, // a source file that is read for its columns
    MAX_DOCUMENTS = 10000, // open at once; further ones are not followed
    MAX_EDITS = 20000,     // since the last save of one document; beyond it lines are not adjusted
    MAX_FINDINGS = 5000,   // shown; the report is ranked, so the first matter most
    MAX_PENDING = 1000,    // requests of ours without an answer; beyond it they are forgotten
    MAX_PATIENCE = 2,      // analyses of a project cancelled in a row; the next may finish
};

// ---- frame.c: messages in a stream of bytes ----

typedef enum {
    FRAME_NONE, // more bytes are needed
    FRAME_BODY,
    FRAME_BAD, // `reason` says why; what follows is read on
} FrameKind;

typedef struct {
    Chars bytes;
    uint32_t at;     // read up to here
    uint64_t length; // of the body that the header announces
    bool has_length, bad_header;
    bool in_body;  // the header is complete
    bool lost;     // out of step: looking for the next header
    uint64_t skip; // bytes of a body that nobody reads, still to come
    const char *reason;
} MessageFrame;

void frame_feed(MessageFrame *f, const char *bytes, size_t n);
// The body is valid until the next call.
FrameKind frame_next(MessageFrame *f, const char **body, size_t *len);
void frame_free(MessageFrame *f);

// ---- text.c: positions, paths ----

// What `character` of a position counts.
typedef enum { UNITS_UTF16, UNITS_UTF8 } Units;

// The first byte of a line (from 0), or `n` when there are fewer. Lines end with \n, \r\n or \r.
size_t text_line(const char *text, size_t n, uint32_t line);
// Bytes of the line that begins at `start`, without its end.
size_t text_line_length(const char *text, size_t n, size_t start);
// Units in n bytes. A byte that is not UTF-8 counts one: editors show a replacement for it.
uint32_t text_units(const char *s, size_t n, Units units);
// Bytes of `s` that the first `count` units take, at most n.
size_t text_bytes(const char *s, size_t n, uint32_t count, Units units);
// Of a position, which may lie beyond the end of its line or of the text.
size_t text_offset(const char *text, size_t n, uint32_t line, uint32_t character, Units units);

// The absolute path of a file: URI, or null for anything else.
char *uri_to_path(Arena *a, const char *uri);
char *path_to_uri(Arena *a, const char *path);
// With symbolic links resolved as far as the path exists.
char *path_real(Arena *a, const char *path);
bool path_inside(const char *dir, const char *path);

// ---- documents ----

// Lines [from, to) became `count` lines.
typedef struct {
    uint32_t from, to, count;
} LineEdit;

typedef struct {
    char *uri, *path; // as the client spells it; resolved
    Chars text;
    VEC(LineEdit) edits; // since it was opened or saved
    bool lost_edits;     // there were too many
} Document;

typedef VEC(Document) Documents;

Document *document_find(Documents *d, const char *uri);
Document *document_at(Documents *d, const char *path);
void document_open(Documents *d, const char *uri, const char *path, const char *text, size_t len);
// contentChanges of didChange; false when they make no sense. Each edit is handed to `moved`.
bool document_change(Document *d, const json_t *changes, Units units, void *context,
                     void (*moved)(void *context, const char *path, LineEdit e));
void document_saved(Document *d);
void document_close(Documents *d, const char *uri);
void documents_free(Documents *d);
// Where a line is after an edit.
uint32_t line_moved(uint32_t line, LineEdit e);

// ---- job.c: a child ----

typedef struct {
    pid_t pid; // 0: none
    int out, err;
    Chars output, errors;
    uint32_t limit; // bytes of output
    double started, deadline;
    double kill_at; // after it was asked to end; 0: it was not
    bool cancelled, too_long, too_much;
    int status; // of waitpid, once it has ended
} Job;

double now(void);
// False after `*why` was set. The child gets no input and leads a process group.
bool job_start(Job *j, const char *const *argv, const char *directory, uint32_t limit,
               double seconds, const char **why);
void job_cancel(Job *j);
// Reads what there is; true when the child has ended and its output is complete.
bool job_step(Job *j);
// Milliseconds until it has to be looked at again, at most `most`.
int job_wait(const Job *j, int most);
// Ends the child if it still runs, and forgets its output.
void job_clear(Job *j);

// ---- settings.c ----

typedef VEC(char *) Texts;

typedef struct {
    char *level, *rules, *baseline, *database, *cache; // null: unsaid
    Texts flags, specs, suppress;
    uint32_t jobs, timeout; // 0: unsaid; seconds
    bool off, open_only;
} Settings;

// Reads one object; what has the wrong type is left out and named in `complaint` (empty: nothing).
void settings_read(Settings *s, const json_t *object, Chars *complaint);
void settings_copy(Settings *to, const Settings *from);
void settings_free(Settings *s);

// ---- results.c: what an analysis found ----

typedef struct {
    const char *path;        // resolved; null: unknown
    uint32_t line, from, to; // from 0, in the client's units
} LspPlace;

typedef struct {
    const char *text;
    LspPlace place;
    bool folded;
} Step;

typedef struct {
    const char *rule, *level, *message, *fingerprint, *function, *allocator, *variable, *settle;
    uint32_t cwe;
    bool lost; // a leak, not a misuse
    LspPlace place, allocation, freed;
    Step *steps;
    uint32_t step_count;
    bool stale; // of an earlier analysis: its file does not compile
} Found;

typedef struct {
    const char *path, *reason;
    uint32_t line;
} Broken;

typedef struct {
    Arena *arena;
    VEC(Found) found;
    VEC(Broken) broken; // units that were not analysed
} RunResults;

RunResults *results_new(void);
// The JSON report of an analysis that ran in `root`. Null when it is none.
RunResults *results_read(const char *json, size_t n, const char *root, Units units);
void results_add_broken(RunResults *r, const char *path, const char *reason);
// What the compiler said of the broken files, from the child's messages.
void results_explain(RunResults *r, const char *errors, size_t n);
// Findings of `old` that touch a file which is broken now and was not then are taken over.
void results_take_over(RunResults *r, const RunResults *old);
void results_move(RunResults *r, const char *path, LineEdit e);
void results_free(RunResults *r);
// DiagnosticSeverity, by rule and level; doc/editor.md has the table.
int found_severity(const Found *f);

// ---- project.c: what is analysed together ----

typedef enum {
    PROJECT_DATABASE, // a compile_commands.json
    PROJECT_LAST,     // the units of the last run
    PROJECT_FILE,     // one file by itself
} ProjectKind;

typedef struct {
    ProjectKind kind;
    char *root;   // where the child runs
    char *input;  // database or file; null for the last run
    char *folder; // the workspace folder that it belongs to, or null
    RunResults *results;
    char *trouble;      // why the last analysis said nothing, or null; said once
    double analysed;    // seconds since 1970, the start of the last complete analysis; 0: none
    double due;         // when to analyse it; 0: not asked for
    uint32_t cancelled; // in a row
} Project;

// The project of a file: kind, root, input. `folder` may be null. False: it is none of ours.
bool project_locate(Project *p, const char *path, const char *folder, const Settings *s);
bool project_same(const Project *a, const Project *b);
void project_free(Project *p);
// The command line of its analysis; null after the last.
const char **project_command(const Project *p, const Settings *s, const char *self, Arena *a);
// The command line that tells of the allocation on a line (from 1).
const char **project_ask(const Project *p, const Settings *s, const char *self, const char *path,
                         uint32_t line, Arena *a);

// ---- answers.c: findings as the protocol's objects ----

json_t *json_text(const char *s); // never null: what is not UTF-8 is replaced
json_t *place_range(LspPlace p);
// As the client spells it when the file is open.
const char *uri_of(Arena *a, Documents *docs, const char *path);
// `related`: the client shows relatedInformation; else the path is part of the message.
json_t *found_diagnostic(const Found *f, Documents *docs, bool related);
json_t *note_diagnostic(const Broken *b);
// Markdown about the findings on a line, added to `into`.
void found_hover(Chars *into, const Found *f, Documents *docs);
// Code actions for a finding on a line of an open document.
void found_actions(json_t *into, const Found *f, const Document *d, uint32_t line,
                   const json_t *diagnostic);

// ---- the server ----

typedef struct {
    char *uri, *path; // path resolved
    Settings settings;
} Folder;

typedef enum { ASKED_SETTINGS, ASKED_PROGRESS, ASKED_OTHER } Asked;

// A request of ours that the client has not answered.
typedef struct {
    uint32_t id;
    Asked kind;
    uint32_t count; // ASKED_SETTINGS: folders that it named, the defaults first
} Pending;

typedef struct {
    const char *self;
    MessageFrame frame;
    int in, out;
    Chars queue; // output, sent up to `sent`
    uint32_t sent;
    enum { FRESH, READY, DOWN } state;
    bool done, failed; // the loop ends
    int status;
    pid_t parent; // the client's process; 0: unsaid
    double parent_look;

    Units units;
    bool can_related, can_progress, can_configure;
    Settings settings; // outside of all folders
    VEC(Folder) folders;
    Documents documents;
    VEC(Project) projects;
    VEC(Pending) pending;
    uint32_t next_id;
    json_t *shown; // URI -> diagnostics that the client has

    Job job;           // the analysis
    uint32_t running;  // its project
    double ran_since;  // seconds since 1970
    uint32_t progress; // number of its token
    bool progress_open;
    double progress_report; // when to say something

    Job ask;        // a hover's question
    json_t *ask_id; // of the request; null: none
    char *ask_text; // Markdown so far
} Server;

// serve.c
void send_message(Server *s, json_t *message); // takes the reference
void send_notification(Server *s, const char *method, json_t *params);
void send_request(Server *s, Asked kind, uint32_t count, const char *method, json_t *params);
void send_result(Server *s, json_t *id, json_t *result);
void send_error(Server *s, json_t *id, int code, const char *text);
enum { LOG_ERROR = 1, LOG_WARNING = 2, LOG_INFO = 3, LOG_DEBUG = 4 };
void say(Server *s, int type, bool show, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

// schedule.c: when what is analysed
const Settings *settings_for(const Server *s, const char *folder);
const Folder *folder_of(const Server *s, const char *path);
// The project of a file; made when it is new. Null: it has none.
Project *project_for(Server *s, const char *path);
void analyse(Server *s, Project *p); // soon, and anew when it is running
void analyse_all(Server *s);
void cancel_analysis(Server *s);
void publish(Server *s);
void forget_projects(Server *s); // that no folder and no open document asks for
void ask_about(Server *s, json_t *id, const char *path, uint32_t line, const char *text);
void cancel_ask(Server *s, int code, const char *why);
void progress_answered(Server *s, bool accepted);
// Starts what is due, reads what came.
void schedule(Server *s);
int schedule_wait(const Server *s, int most);

#endif
