// What the files of this module share: a compiler command taken apart, and the collector that turns
// commands into jobs and links.
#ifndef CAPTURE_CAPTURE_INT_H
#define CAPTURE_CAPTURE_INT_H

#include "base/map.h"
#include "base/name.h"
#include "capture/capture.h"

typedef VEC(const char *) Words;

// ---- words.c ----

// How quotes and backslashes are read.
typedef enum {
    QUOTE_SHELL,    // as a POSIX shell: the "command" of a build database, CC="..."
    QUOTE_RESPONSE, // as GCC reads @file: a backslash escapes within quotes too
} Quoting;

// Appends the words of the text (copied into the arena). False when a quote is left open; the
// words so far are there.
bool words_split(Arena *a, const char *text, size_t len, Quoting quoting, Words *out);

// Replaces each @file word by the words in that file when the file, after symbolic links, is a
// regular file below `directory` or below `root` (may be null). Others are removed and counted:
// they could be any file of the machine. Nesting and sizes are bounded.
uint32_t words_expand(Arena *a, const char *directory, const char *root, Words *words);

// ---- flags.c ----

typedef enum {
    OPERAND_C,
    OPERAND_CXX,
    OPERAND_ASSEMBLER,
    OPERAND_OTHER,   // a language we do not read; `reason` names it
    OPERAND_HEADER,  // to be precompiled
    OPERAND_STDIN,   // "-"
    OPERAND_OBJECT,  // anything that only the linker reads: objects, archives, libraries
    OPERAND_LIBRARY, // the NAME of -lNAME
} OperandKind;

typedef struct {
    OperandKind kind;
    const char *text; // as written
    const char *reason;
    bool whole; // an archive there is linked with all its members
} Operand;

typedef enum { MODE_LINK, MODE_COMPILE, MODE_NO_OBJECT } CommandMode;

// A flag that survived. C and C++ sources of one command differ in what they may be given.
typedef struct {
    const char *text;
    bool c, cxx;
} Flag;

typedef struct {
    const char *directory; // absolute
    CommandMode mode;
    bool shared, partial;
    bool assembly;      // of MODE_NO_OBJECT: it ends with the assembler's source (-S)
    const char *output; // as written, or null
    VEC(Flag) flags;
    VEC(Operand) operands; // in order
    Words library_dirs;    // as written
    const Operand *forced; // what -x says of files that would follow; null when it says nothing
} Command;

// Takes argv[0..] apart: the compiler itself, behind launchers such as ccache, comes first. Never
// fails; what it does not know is dropped. Vectors are in the arena.
void command_parse(Arena *a, const char *directory, const Words *argv, Command *out);

// For files given on our own command line: what the file's name says it is.
OperandKind flags_language_of(const char *path, const char **reason);

// A linker's word that says whether archives are linked with all their members from there on.
void flags_whole_archive(const char *word, bool *whole);

// Whether clang may be given the source: false of one that clang would read as a response file.
bool flags_source_is_safe(const char *source);

// The flags of a command that the table does not have, each once, behind argv[0].
void flags_unknown(const Words *argv, Words *out);

// Is a flag of a job one that may be left out when clang refuses it for its target?
bool flags_is_machine(const char *flag);

typedef enum { TOOL_NONE, TOOL_COMPILER, TOOL_LAUNCHER, TOOL_AR, TOOL_LD, TOOL_AS } ToolKind;

// By the file's name alone: gcc-12, x86_64-linux-gnu-g++, c99, ccache, gcc-ar, ld ...
ToolKind tool_kind(const char *path);

// ---- collect.c ----

// An object file and what it was made from: a job, or another object that was put into an archive
// and taken out again.
typedef struct {
    Name path;
    uint32_t job;    // index + 1, 0 when not from a job
    Name stands_for; // else the other object
} Object;

typedef struct {
    Arena *a;
    Diag *d;
    Capture *out;
    Names *names;
    VEC(CaptureJob) jobs;
    VEC(CaptureSkip) skipped;
    VEC(CaptureLink) links;
    VEC(Object) objects;
    Map job_of;         // directory, source, language and flags as one name -> index + 1
    Map object_of;      // path -> index + 1
    Map link_of;        // output -> index + 1
    Map skip_of;        // source -> 1
    Map other_of;       // object that was made from a skipped source -> 1
    bool drop_vanished; // a source that does not exist is no job (and no error)
    Map assembly_of;        // path of an assembler's source -> index in assembled and 1
    VEC(Command) assembled; // each with one source
} Collector;

void collect_begin(Collector *c, Arena *a, Diag *d, Capture *out);
// The jobs of a command and, when it links, its link step.
void collect_command(Collector *c, const Command *command);
// One job by itself, with the command's flags; object may be null.
void collect_job(Collector *c, const Command *command, const char *source, CaptureLanguage language,
                 const char *object);
void collect_skip(Collector *c, const char *source, OperandKind kind, const char *reason);
// A call of ar or ld.
void collect_ar(Collector *c, const char *directory, const Words *argv);
void collect_ld(Collector *c, const char *directory, const Words *argv);
// The command that made the assembler's source, as if it had gone on to the object; null: nobody was seen to.
const Command *collect_assembled(const Collector *c, const char *source);
// An object made from what is not analysed: it is known where it comes from.
void collect_other(Collector *c, const char *object);
// unseen.c: what was linked and not seen to be made, of a build that began at `since` (seconds) in
// `root`. Archives are looked into; the rest is said.
void collect_unseen(Collector *c, const char *root, int64_t since);
// Sorts and moves the result into the Capture.
void collect_end(Collector *c);

// Adds a link step under its output's name, replacing or (append) extending an earlier one; link.c
// makes them, collect.c keeps them.
void collect_link(Collector *c, CaptureLink link, bool append);
const CaptureLink *collect_find_link(const Collector *c, const char *output);
// The object that this one is a copy of, or the path itself; valid until collect_end.
const char *collect_original(const Collector *c, const char *object);
void collect_copy(Collector *c, const char *copy, const char *original);
// `path` below `directory`, normalised unless symbolic links make that another file.
const char *collect_path(Arena *a, const char *directory, const char *path);
// The link step of a compiler command; objects[i] stands in for operand i where it is a source.
void link_command(Collector *c, const Command *command, const char *const *objects);

// ---- elf.c ----

typedef enum {
    ELF_TAKES,   // loads what is preloaded; also scripts, and files that cannot be read
    ELF_IGNORES, // static, or with other rights: does not load it, but what it starts may
    ELF_BREAKS,  // would fail or complain: another C library or machine, AddressSanitizer
} ElfFit;

ElfFit elf_fit(const char *path);

// ---- symbols.c ----

// Sorts the names into the arena, each once; the words are used up.
CaptureNames names_sorted(Arena *a, Words *names);

// ---- build.c, wrap.c, record.c and preload.c ----

// The variables that reach a compiler besides its argv.
#define CAPTURE_ENV_COUNT 3
extern const char *const capture_env_names[CAPTURE_ENV_COUNT];

// Adds the directories of CPATH, C_INCLUDE_PATH and CPLUS_INCLUDE_PATH to a command, in the order
// of capture_env_names; null where not set.
void command_add_env(Arena *a, Command *command, const char *const *values);

// A directory of shims bears this file; such directories are taken out of PATH before the real
// tool runs.
#define SHIM_MARK ".stanch-shims"
// In a directory of shims for a compiler given by its path: the file that holds that path.
#define SHIM_REAL ".real"
// The log in the directory that STANCH_CAPTURE_DIR names.
#define SHIM_LOG "log"
// The environment of a build under observation.
#define SHIM_ENV_DIR    "STANCH_CAPTURE_DIR"
#define SHIM_ENV_ROOT   "STANCH_CAPTURE_ROOT"   // where the build was started
#define SHIM_ENV_PARENT "STANCH_CAPTURE_PARENT" // id of the record of a compiler script around us
#define SHIM_ENV_SEEN   "STANCH_CAPTURE_SEEN"   // scripts that led to us, with colons between
#define SHIM_ENV_PROBE  "STANCH_CAPTURE_PROBE"  // the library says that it was loaded, and ends
enum { PRELOAD_PROBE_STATUS = 42 };

// One call of a tool as the preloaded library or a shim saw it.
typedef struct {
    const char *id, *parent; // parent: the call within which this one was made, or ""
    // By a shim or a script: a tool of the same kind that it starts tells more.
    bool through;
    const char *directory;
    const char *env[CAPTURE_ENV_COUNT]; // null where not set
    Words argv;
} Record;

// Appends one record to the log, whole or not at all.
bool record_write(const char *log, const Record *r);
// The same to the log in this directory, with response files read below the directory of the call
// or `root`.
bool record_call(Arena *a, const char *log_dir, const char *root, Record *r);
const char *record_id(Arena *a);
bool record_is_script(const char *path);
typedef VEC(Record) Records;
// False when the log ends within a record; the complete ones are there.
bool records_read(Arena *a, const char *text, size_t len, Records *out);

// Makes the directory of shims for the tools that PATH holds, or for those of them that load no
// preloaded library: symbolic links to `self`. *dir is null where there is no such tool. False after
// a message.
bool shims_make(Arena *a, Diag *d, const char *self, bool preloaded, const char **dir);
// The shim for the one tool with this path; null when there is no such tool or no shim can be made.
const char *shims_make_for(Arena *a, const char *self, bool preloaded, const char *tool);

#endif
