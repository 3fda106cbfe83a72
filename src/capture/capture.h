// capture: from source files, a compile_commands.json or a build command to compile jobs and link
// steps, and from one job to bitcode and the list of files it was made from.
//
// What comes in is not trusted. The compiler that a build names is never run by the analysis: a
// job is always compiled by our own clang, in a cleaned environment, with flags taken from the
// table in flags.def and nothing else. (While a build is observed the build itself runs its
// compiler, as it would without us.)
//
// What goes out is deterministic: jobs are sorted by source, then object, then flags, and links by
// output, whatever the order in which a parallel build happened to run.
//
// Knows only base.
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>

typedef enum { CAPTURE_C, CAPTURE_CXX } CaptureLanguage;

// One translation unit to compile. Strings and arrays live in the arena of the Capture.
typedef struct {
    const char *directory; // absolute: where the command ran, relative flags mean this
    const char *source;    // absolute
    CaptureLanguage language;
    const char **flags; // allow-listed, one argv element each; null after the last
    uint32_t flag_count;
    // The object files (absolute) which a build wrote from this source with these flags. Empty
    // where the build does not say. Several for libtool's foo.o and .libs/foo.o. A command that
    // compiles and links at once gets a made-up name "OUTPUT//SOURCE", which its link step lists.
    const char **objects;
    uint32_t object_count;
} CaptureJob;

// A file that a build compiles and that stanch cannot analyse.
typedef struct {
    const char *source; // absolute
    const char *reason; // "assembler", "Fortran", "Objective-C", ...
} CaptureSkip;

typedef enum {
    CAPTURE_PROGRAM,
    CAPTURE_SHARED,
    CAPTURE_ARCHIVE,
    CAPTURE_PARTIAL, // ld -r: several objects made into one
} CaptureLinkKind;

typedef enum {
    CAPTURE_IN_OBJECT,  // path
    CAPTURE_IN_ARCHIVE, // path
    CAPTURE_IN_SHARED,  // path
    CAPTURE_IN_LIBRARY, // the NAME of -lNAME, when no -L directory holds the file
} CaptureInputKind;

typedef struct {
    CaptureInputKind kind;
    const char *path; // absolute; for CAPTURE_IN_LIBRARY the bare name
    bool whole;       // an archive, with all its members
} CaptureInput;

// Symbols: sorted, each once.
typedef struct {
    const char **names;
    uint32_t count;
} CaptureNames;

// One link step. An output that a build wrote several times has its last link here; several
// `ar r` calls for one archive are one step with all members.
typedef struct {
    const char *output; // absolute
    CaptureLinkKind kind;
    CaptureInput *inputs; // in command line order
    uint32_t input_count;
    // Of a program or shared library that is there when the build has ended: what others can reach in
    // it by name.
    CaptureNames exports;
    bool exports_known;
    bool open; // has an object that is not analysed, and nobody knows whom that calls
} CaptureLink;

typedef struct {
    uint32_t commands;     // observed or listed
    uint32_t compiles;     // sources compiled, before equal ones were merged
    uint32_t merged;       // equal compiles that became one job
    uint32_t preprocessed; // -E, -M, -S, -fsyntax-only, precompiled headers: no jobs
    uint32_t vanished;     // sources that no longer exist, and a configure script's probes
    uint32_t assembler;    // skipped
    uint32_t other;        // skipped: other languages
    uint32_t unusable;     // entries or records that could not be understood; each was said
    uint32_t unseen;       // files that were linked and not seen to be made; said in sum
} CaptureCounts;

typedef struct {
    VEC(CaptureJob) jobs;
    VEC(CaptureSkip) skipped;
    VEC(CaptureLink) links; // empty: unknown, as for files and compile_commands.json
    CaptureNames needed;    // by linked objects that are not analysed: assembler, other languages
    CaptureCounts counts;
    bool observed;    // a build was run
    int build_status; // its exit status as a shell would give it: 128 + n when killed by signal n
} Capture;

// All three fill *out, whose memory lives in `a`, and return false only when there is nothing to
// go on with (the message is given; exit status 2). Single bad entries are said and left out.

// stanch check FILE... [-- FLAGS]. Missing files are errors, said one by one; the others remain.
bool capture_files(Arena *a, Diag *d, const char *const *files, uint32_t file_count,
                   const char *const *flags, uint32_t flag_count, Capture *out);

// stanch check -p DIR|FILE.
bool capture_compdb(Arena *a, Diag *d, const char *path, Capture *out);

// One compiler command (stanch unit -- gcc -c x.c): its jobs, with the objects that they would write.
// A command that compiles nothing gives no jobs and true.
bool capture_command(Arena *a, Diag *d, const char *const *argv, uint32_t argc, Capture *out);

// stanch run -- argv. Runs the command with standard streams inherited and compiler shims in its
// way, waits for it, and reads what the shims saw. `argv` ends with null. A build that fails is
// no false: build_status says it and what was compiled until then is there.
bool capture_build(Arena *a, Diag *d, char *const *argv, Capture *out);

// What a linked program or library leaves to others to find by name; what an object needs of others.
// False where the file does not tell.
bool capture_exports(Arena *a, const char *path, CaptureNames *out);
bool capture_needed(Arena *a, const char *path, CaptureNames *out);

// main calls these before anything else: while a build is observed the stanch binary is also
// its cc, gcc, ar and so on, known by name and environment.
bool capture_is_shim(const char *argv0);
int capture_shim_main(int argc, char **argv);

// ---- one job to bitcode ----

// The clang to use: STANCH_CLANG, else clang-19 in PATH. Absolute; null after an error message.
const char *capture_find_clang(Arena *a, Diag *d);

// The complete argv for clang (null-terminated); deterministic, so it may go into a cache key.
// Annotations in the code arrive in llvm.global.annotations with these texts, for definitions and
// for declarations:
//   ownership_returns(ARGS)  "own.ret ARGS"      ownership_takes(ARGS)  "own.take ARGS"
//   ownership_holds(ARGS)    "own.hold ARGS"     __malloc__(ARGS)       "own.malloc ARGS"
// where ARGS are spelled as in the source ("malloc, 1"). GCC's malloc (free, n) in the spelling
// without underscores is carried over only by a second try, see emit.c.
const char **capture_clang_argv(Arena *a, const char *clang, const CaptureJob *job,
                                const char *bitcode, const char *deps);

typedef enum {
    CAPTURE_EMITTED,
    CAPTURE_FAILED,   // clang said no: `messages` has its errors
    CAPTURE_CRASHED,  // clang died of a signal
    CAPTURE_TOO_LONG, // a resource limit was met
    CAPTURE_NO_CLANG, // it could not be started
} CaptureEmitStatus;

typedef struct {
    CaptureEmitStatus status;
    const char *messages; // in `a`: what clang printed, at most 64 KiB, or why it did not run
} CaptureEmit;

// Runs clang for one job and waits. `bitcode` and `deps` are absolute paths of files to write; on
// any other status than CAPTURE_EMITTED neither is left behind. May be called from several threads
// at once, each with its own arena.
CaptureEmit capture_emit(Arena *a, const char *clang, const CaptureJob *job, const char *bitcode,
                         const char *deps);

// ---- containment ----
//
// What the child that compiles and lowers a unit may do (contain.c). Prepared once, before any child
// is there: a descriptor, or -1 where the system has no Landlock.
int contain_prepare(Arena *a, const CaptureJob *jobs, uint32_t count, const char *root,
                    const char *scratch, const char *clang);
// In the child; from then on for all that it starts. Never fails: what cannot be had is left out.
void contain_enter(int rules);
// The same for a program of the project that runs on request and is watched by LeakSanitizer: it reads
// the system's files and `dir`, and writes nothing.
int contain_prepare_hold(Arena *a, const char *dir);
void contain_hold(int rules);
// Which means are in use, for people.
const char *contain_words(int rules);

// The files that a unit was made from, the source first, absolute, without duplicates, from a
// dependency file in make syntax. False when the file cannot be read.
typedef struct {
    const char **paths;
    uint32_t count;
} CaptureDeps;
bool capture_read_deps(Arena *a, const char *deps, const char *directory, CaptureDeps *out);

#endif
