// Feeds changed inputs to stanch and watches it: no crash, no hang, no status that it does not
// document, nothing written outside of the working directory (outside.c).
//
//     fuzz KIND [--count N] [--seed S] [--only I] [--keep DIR] [--limit SECONDS] [--state DIR] FILE...
//
// KIND is a row of `kinds` below; the FILEs are the inputs to start from. Input I of seed S is always
// the same, so that a failure is repeated by `--seed S --only I`. stanch's own main runs in this
// process (it has no state outside of its stack), in a child that works off a batch: a child that
// dies costs one input and tells which. Prints one line of counts; status 1 when anything failed.
//
// With FUZZ_LIBFUZZER defined this file is instead an entry point for libFuzzer (make fuzz).
#include "mutate.h"
#include "outside.h"

#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int stanch_main(int argc, char **argv); // src/main.c

// ---- kinds of input ----

typedef struct {
    const char *word;
    MutateKind mutate;
    const char *file; // the name that the input gets below the working directory
    const char *const *commands[3]; // "@" stands for the file, "+" for the fixed unit
    void (*repair)(char *bytes, size_t len); // or null
} Kind;

// A binary unit whose checksum and length are right again: what a hostile writer would send.
// The layout is that of src/unit/binary.c.
static void repair_unit(char *bytes, size_t len)
{
    enum { LENGTH_AT = 16, CHECKSUM_AT = 24, CHECKED_FROM = 32 };
    if (len < CHECKED_FROM) return;
    uint64_t length = len, sum = hash_bytes(bytes + CHECKED_FROM, len - CHECKED_FROM, 0);
    memcpy(bytes + LENGTH_AT, &length, sizeof length);
    memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
}

#define COMMAND(...) ((const char *const[]){"stanch", __VA_ARGS__, NULL})
#define QUIETLY      "--no-cache", "-q", "-j1", "--level=audit", "-o", "/dev/null"

static const Kind kinds[] = {
    {"unit-text", MUTATE_TEXT, "x.u", {COMMAND("link", QUIETLY, "--format=html", "@")}, NULL},
    {"unit-binary",
     MUTATE_BINARY,
     "x.unit",
     {COMMAND("link", QUIETLY, "--format=sarif", "@")},
     repair_unit},
    {"spec",
     MUTATE_TEXT,
     "x.own",
     {COMMAND("spec", "check", "@"), COMMAND("link", QUIETLY, "--spec", "@", "+")},
     NULL},
    // Two ways through one option: the fixed unit's findings meet the file.
    {"baseline", MUTATE_TEXT, "x.json", {COMMAND("link", QUIETLY, "--baseline", "@", "+")}, NULL},
    {"suppress", MUTATE_TEXT, "x.txt", {COMMAND("link", QUIETLY, "--suppress", "@", "+")}, NULL},
    // The compiler is `true` (see test_fuzz.sh): flags are sorted out, then nothing comes of it.
    {"compdb", MUTATE_TEXT, "compile_commands.json", {COMMAND("check", QUIETLY, "-p", "@")}, NULL},
    {"history",
     MUTATE_BINARY,
     ".stanch/history.db",
     {COMMAND("history"), COMMAND("link", "-q", "-o", "/dev/null", "+")},
     NULL},
    // Objects and recipes of the cache have a seal, which tests/cache damages; the index has none.
    {"cache-index",
     MUTATE_BINARY,
     ".stanch/cache/v1/index.db",
     {COMMAND("check", "-q", "-j1", "-o", "/dev/null", "leaky.c")}, // its unit is cached at once
     NULL},
    {"source-c", MUTATE_TEXT, "x.c", {COMMAND("check", QUIETLY, "--format=html", "@")}, NULL},
    {"source-cxx", MUTATE_TEXT, "x.cc", {COMMAND("check", QUIETLY, "--format=json", "@")}, NULL},
};

static const Kind *kind_find(const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0) return &kinds[i];
    return NULL;
}

static bool write_input(const char *path, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return false;
    bool ok = write(fd, bytes, len) == (ssize_t)len;
    return close(fd) == 0 && ok;
}

enum { STATUS_COUNT = 4 }; // that stanch documents for each of its commands

// The last command's status; -1: one that is not documented.
static int run_one(const Kind *k, const char *fixed, char *bytes, size_t len)
{
    int status = -1;
    if (k->repair) k->repair(bytes, len);
    if (!write_input(k->file, bytes, len)) return -1;
    for (size_t c = 0; c < sizeof k->commands / sizeof *k->commands && k->commands[c]; c++) {
        char *argv[24];
        int argc = 0;
        for (; k->commands[c][argc]; argc++) {
            const char *word = k->commands[c][argc];
            word = strcmp(word, "@") == 0 ? k->file : strcmp(word, "+") == 0 ? fixed : word;
            argv[argc] = (char *)word;
        }
        argv[argc] = NULL;
        status = stanch_main(argc, argv);
        if (status < 0 || status >= STATUS_COUNT) return -1;
    }
    return status;
}

#ifdef FUZZ_LIBFUZZER

// One program for each kind: -DFUZZ_LIBFUZZER='"spec"'. The working directory must be a scratch one.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char *copy = mem_alloc(len + 1);
    memcpy(copy, data, len);
    const char *fixed = getenv("FUZZ_FIXED_UNIT");
    if (run_one(kind_find(FUZZ_LIBFUZZER), fixed ? fixed : "fixed.u", copy, len) < 0) abort();
    mem_free(copy);
    return 0;
}

#else

// ---- the watch ----

typedef struct {
    const Kind *kind;
    Corpus corpus;
    uint64_t seed;
    uint32_t count, first, limit; // limit: CPU seconds for one input
    const char *keep, *fixed;
    const char *state; // where stanch keeps what belongs to its user; null: in the working directory
    bool quiet;
} Job;

// Shared with the child at work.
typedef struct {
    _Atomic uint32_t at;      // the input that is being looked at
    _Atomic uint32_t slowest; // CPU milliseconds of the slowest one that ended
    _Atomic uint32_t ended[STATUS_COUNT]; // how many with which status
} Watch;

static void make_input(const Job *s, uint32_t index, Chars *out)
{
    Random r = {hash_mix(s->seed, index)};
    mutate(&r, &s->corpus, s->kind->mutate, out);
}

static uint32_t cpu_ms(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return (uint32_t)(((self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec +
                        children.ru_stime.tv_sec) *
                       1000) +
                      (self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec +
                       children.ru_stime.tv_usec) /
                          1000);
}

// Works off [from, to); ends with 0, or with 98 at an input whose status is wrong.
static _Noreturn void work(const Job *s, Watch *w, uint32_t from, uint32_t to)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    if (s->quiet) dup2(null, 2);
    outside_watch();
    Chars input = {0};
    uint32_t before = cpu_ms();
    for (uint32_t i = from; i < to; i++) {
        atomic_store(&w->at, i);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = s->limit}}, NULL);
        make_input(s, i, &input);
        vec_push(&input, 0); // a zero behind it, as file_read gives
        input.len--;
        int status = run_one(s->kind, s->fixed, input.at, input.len);
        if (status < 0) _exit(98);
        atomic_fetch_add(&w->ended[status], 1);
        uint32_t now = cpu_ms();
        if (now - before > atomic_load(&w->slowest)) atomic_store(&w->slowest, now - before);
        before = now;
    }
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    vec_free(&input);
    exit(0); // not _exit: a leak of our own is reported here
}

static void failed(const Job *s, uint32_t index, int status)
{
    char reason[64];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        snprintf(reason, sizeof reason, "more than %u s of CPU", s->limit);
    else if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == OUTSIDE_STATUS)
        snprintf(reason, sizeof reason, "writes outside of the working directory");
    else if (WEXITSTATUS(status) == 98)
        snprintf(reason, sizeof reason, "a status that is not documented");
    else
        snprintf(reason, sizeof reason, "ended with %d", WEXITSTATUS(status));
    printf("%s --seed %llu --only %u: %s\n", s->kind->word, (unsigned long long)s->seed, index,
           reason);
    if (!s->keep) return;
    Chars input = {0};
    make_input(s, index, &input);
    if (s->kind->repair) s->kind->repair(input.at, input.len);
    char path[PATH_MAX];
    const char *base = strrchr(s->kind->file, '/');
    snprintf(path, sizeof path, "%s/%s-%llu-%u-%s", s->keep, s->kind->word,
             (unsigned long long)s->seed, index, base ? base + 1 : s->kind->file);
    if (!write_input(path, input.at, input.len)) fprintf(stderr, "cannot write %s\n", path);
    vec_free(&input);
}

static uint32_t run_all(const Job *s, Watch *w)
{
    enum { BATCH = 100 };
    uint32_t failures = 0;
    for (uint32_t from = s->first; from < s->first + s->count;) {
        uint32_t to = from + BATCH < s->first + s->count ? from + BATCH : s->first + s->count;
        fflush(NULL);
        pid_t child = fork();
        if (child < 0) die("fork: %s", strerror(errno));
        if (!child) work(s, w, from, to);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        if (status) {
            uint32_t at = atomic_load(&w->at);
            failed(s, at, status);
            failures++;
            to = at + 1;
        }
        from = to;
    }
    return failures;
}

static void add_seed(Corpus *c, const char *path)
{
    size_t len;
    char *bytes = file_read(path, 1 << 20, &len);
    if (!bytes) {
        fprintf(stderr, "fuzz: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    vec_push(c, ((Seed){bytes, len, path}));
}

static void make_directories(const char *path)
{
    char made[PATH_MAX];
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
        snprintf(made, sizeof made, "%.*s", (int)(slash - path), path);
        mkdir(made, 0700);
    }
}

static _Noreturn void usage(void)
{
    fprintf(stderr, "usage: fuzz KIND [--count N] [--seed S] [--only I] [--keep DIR] [--limit "
                    "SECONDS] [--fixed UNIT] [--loud] FILE...\nkinds:");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        fprintf(stderr, " %s", kinds[i].word);
    fprintf(stderr, "\n");
    exit(2);
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    uint64_t n = text ? strtoull(text, &end, 10) : 0;
    if (!text || errno || *end || end == text) usage();
    return n;
}

int main(int argc, char **argv)
{
    Job s = {.count = 100, .seed = 1, .limit = 20, .fixed = "fixed.u", .quiet = true};
    if (argc < 2 || !(s.kind = kind_find(argv[1]))) usage();
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0)
            s.count = (uint32_t)number(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0)
            s.seed = number(argv[++i]);
        else if (strcmp(argv[i], "--only") == 0)
            s.first = (uint32_t)number(argv[++i]), s.count = 1;
        else if (strcmp(argv[i], "--limit") == 0)
            s.limit = (uint32_t)number(argv[++i]);
        else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
            s.keep = argv[++i];
        else if (strcmp(argv[i], "--fixed") == 0 && i + 1 < argc)
            s.fixed = argv[++i];
        else if (strcmp(argv[i], "--state") == 0 && i + 1 < argc)
            s.state = argv[++i];
        else if (strcmp(argv[i], "--loud") == 0)
            s.quiet = false;
        else if (argv[i][0] == '-')
            usage();
        else
            add_seed(&s.corpus, argv[i]);
    }
    if (!s.corpus.len) usage();
    make_directories(s.kind->file);
    // What stanch keeps for a user, and what does not fit elsewhere, is in the working directory too.
    char here[PATH_MAX - 8], place[PATH_MAX];
    if (!getcwd(here, sizeof here)) die("getcwd: %s", strerror(errno));
    snprintf(place, sizeof place, "%s/state", here);
    setenv("XDG_STATE_HOME", s.state ? s.state : place, 1);
    setenv("TMPDIR", here, 1);
    Watch *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED) die("mmap: %s", strerror(errno));
    uint32_t failures = run_all(&s, w);
    printf("%s: %u inputs, seed %llu, %u failed, slowest %.1f s; status", s.kind->word, s.count,
           (unsigned long long)s.seed, failures, atomic_load(&w->slowest) / 1000.0);
    for (int i = 0; i < STATUS_COUNT; i++) printf(" %d: %u", i, atomic_load(&w->ended[i]));
    printf("\n");
    vec_each (i, &s.corpus) mem_free(s.corpus.at[i].bytes);
    vec_free(&s.corpus);
    return failures != 0;
}

#endif
