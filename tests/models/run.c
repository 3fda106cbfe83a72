// Runs the cases of a generated program against the rows of its model.
//
//   PROGRAM MODEL.own [NAME...]      in a scratch directory; NAME: only these rows
//
// Every case runs in a child, under AddressSanitizer and LeakSanitizer:
//   clean  all that the row says is released: no report, no leak, as many descriptors and timers as before.
//          Many cases share a child; when it reports something, they are run in halves until one is blamed.
//   lost   one thing that the row gives is not released: there must be a leak.
//   null   a parameter that the row says is never null is null: the child must die.
//   ends   a function that does not return must not.
// Prints what disagrees and closes with "N passed, N failed".
#include "run.h"

#include "spec/spec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

size_t __sanitizer_get_allocated_size(const volatile void *p);
int __sanitizer_get_ownership(const volatile void *p);

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "symbolize=0:exitcode=99:handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:"
           "allocator_may_return_null=1:leak_check_at_exit=0:detect_stack_use_after_return=0:"
           "detect_odr_violation=0:intercept_tls_get_addr=1";
}

enum { LEAKED = 7, TIMEOUT = 20, BATCH = 48, THINGS = 64, WORDS = 400 };

// Shared with the children.
typedef struct {
    int at;      // the case under way; -1: none, only the leak check is left
    bool wrong;  // what disagrees is in `words`
    bool returned;
    unsigned given;
    char words[WORDS];
} Shared;

typedef struct {
    void *p;
    Release *release;
} Thing;

static Shared *shared;
static Thing things[THINGS];
static unsigned thing_count;
static SpecTable *table;
static char lib[64];
static unsigned passed, failed;
static unsigned *given_of; // by case, learnt in the clean run
static char log_path[4096];

static void wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// ---- Things that are to be released.

void *mine(void *p, Release *release)
{
    if (thing_count == THINGS) abort();
    things[thing_count++] = (Thing){p, release};
    return p;
}

static bool strike(void *p)
{
    for (unsigned i = thing_count; i-- > 0;)
        if (things[i].p == p) {
            memmove(&things[i], &things[i + 1], (--thing_count - i) * sizeof *things);
            return true;
        }
    return false;
}

void *gone(void *p)
{
    strike(p);
    return p;
}

static void release_all(void)
{
    while (thing_count) {
        Thing t = things[--thing_count];
        t.release(t.p);
    }
}

void *block(size_t n) { return mine(calloc(1, n ? n : 1), free); }
void *slot(size_t n) { return block(n); }

char *S(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    return mine(strcpy(p, s), free);
}

wchar_t *W(const wchar_t *s)
{
    size_t n = 0;
    while (s[n]) n++;
    wchar_t *p = malloc((n + 1) * sizeof *p);
    return mine(memcpy(p, s, (n + 1) * sizeof *p), free);
}

// Every close of a recipe or a release comes here (ld --wrap): a descriptor that is closed already was
// taken by the library.
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    int status = __real_close(fd);
    if (status < 0 && errno == EBADF) wrong("a descriptor is closed twice");
    return status;
}

// ---- What the process holds beside memory.

static unsigned count_fds(void)
{
    unsigned n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static unsigned count_lines(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    unsigned lines = 0;
    char buffer[4096];
    for (ssize_t n; fd >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0;)
        for (ssize_t i = 0; i < n; i++) lines += buffer[i] == '\n';
    if (fd >= 0) close(fd);
    return lines;
}

// ---- Comparing a call with its row.

static void wrong(const char *fmt, ...)
{
    if (shared->wrong) return; // the first one tells most
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(shared->words, WORDS, fmt, ap);
    va_end(ap);
    shared->wrong = true;
}

void run_check(bool ok, const char *what)
{
    if (!ok) wrong("the recipe's own check fails: %s", what);
}

static int64_t extended(uint64_t v, unsigned size)
{
    if (size == 1) return (int8_t)v;
    if (size == 2) return (int16_t)v;
    if (size == 4) return (int32_t)v;
    return (int64_t)v;
}

static uint64_t bits(const void *value, size_t size)
{
    uint64_t v = 0;
    memcpy(&v, value, size < sizeof v ? size : sizeof v);
    return size < 8 ? (uint64_t)extended(v, (unsigned)size) : v;
}

void run_arg(Run *x, unsigned i, const void *value, size_t size)
{
    x->arg[i] = bits(value, size);
    x->arg_size[i] = (unsigned)size;
    if (i >= x->args) x->args = i + 1;
}

void run_slot(Run *x, unsigned i, size_t size)
{
    x->slot_size[i] = size > 8 ? 8 : (unsigned)size;
    void *p = (void *)x->arg[i];
    x->before[i] = p ? bits(p, x->slot_size[i]) : 0;
}

void run_before(Run *x)
{
    (void)x;
    errno = 0;
}

static bool holds(const Run *x, const SpecCond *c)
{
    if (c->op == SPEC_ALWAYS) return true;
    int64_t v = c->subject == SPEC_RETURN ? (int64_t)x->result : (int64_t)x->arg[c->subject];
    switch (c->op) {
    case SPEC_EQ: return v == c->value;
    case SPEC_NE: return v != c->value;
    case SPEC_LT: return v < c->value;
    case SPEC_LE: return v <= c->value;
    case SPEC_GT: return v > c->value;
    case SPEC_GE: return v >= c->value;
    case SPEC_MASK: return (v & c->value) != 0;
    case SPEC_ALWAYS: break;
    }
    return true;
}

static bool in_heap(uint64_t p) { return p && __sanitizer_get_ownership((void *)p); }
static bool dead(uint64_t p) { return __asan_address_is_poisoned((void *)p); }

// The heap block around an address, also inside it.
static bool block_around(uint64_t p, uint64_t *start, uint64_t *size)
{
    char name[64];
    void *at = NULL;
    size_t n = 0;
    const char *kind = __asan_locate_address((void *)p, name, sizeof name, &at, &n);
    *start = (uint64_t)at;
    *size = n;
    return kind && !strcmp(kind, "heap") && at;
}

static void check_inside(const Run *x, uint64_t p, uint64_t of, const char *what)
{
    (void)x;
    uint64_t start, size;
    if (block_around(of, &start, &size)) {
        if (p < start || p > start + size) wrong("%s does not point into the object that the row names", what);
    } else if (p - of + 65536 > 131072) {
        wrong("%s is far from the object that the row names", what);
    }
}

static void give(Run *x, uint64_t value, Release *release, const char *what)
{
    if (!release) {
        wrong("%s is given, but nobody is known who releases it", what);
        return;
    }
    if ((int)x->given++ == x->lose) return;
    mine((void *)value, release);
}

// A value that is handed out, as far as it is borrowed.
static void check_borrowed(Run *x, const SpecValue *v, uint64_t p, bool or_null, bool or_static, const char *what)
{
    uint64_t of = v->param >= 0 ? (v->deref ? x->before[v->param] : x->arg[v->param]) : 0;
    switch (v->gives) {
    case SPEC_ALIAS:
        if (p != of && !(or_null && !p)) wrong("%s is not the argument that the row names", what);
        return;
    case SPEC_INSIDE:
        if (!p && !or_null && of) wrong("%s is null", what);
        if (p && !(or_static && !in_heap(p))) check_inside(x, p, of, what);
        return;
    case SPEC_REF_OF:
        if (!p && !or_null) wrong("%s is null", what);
        if (p && in_heap(p) && dead(p)) wrong("%s is dead already", what);
        if (p && in_heap(p) && x->after_count < 8) x->after_all[x->after_count++] = p;
        return;
    case SPEC_STATIC:
        if (!p && !or_null) wrong("%s is null", what);
        if (p && x->alive_count < 8) x->alive[x->alive_count++] = p;
        return;
    case SPEC_NULL:
        if (p) wrong("%s is not null", what);
        return;
    case SPEC_PLAIN:
    case SPEC_POLY:
    case SPEC_OWN:
        return;
    }
}

static bool heap_like(FamilyId id)
{
    while (spec_family(table, id)->like.id) id = spec_family(table, id)->like;
    return id.id == 1;
}

static void check_fresh(Run *x, const SpecFunc *f, const SpecValue *v)
{
    uint64_t p = x->result;
    const SpecFamily *fam = spec_family(table, v->family);
    if (fam->arena || v->in != SPEC_NONE) {
        if (!p && fam->repr != SPEC_VALUE) wrong("the result is null");
        return;
    }
    if (!p && fam->repr != SPEC_VALUE) {
        wrong("the result is null");
        return;
    }
    if (v->family.id == 1 && !in_heap(p)) wrong("the result is not a block of malloc");
    if (heap_like(v->family) && in_heap(p) && f->size[0] != SPEC_NONE) {
        uint64_t want = x->arg[f->size[0]] * (f->size[1] != SPEC_NONE ? x->arg[f->size[1]] : 1);
        if (__sanitizer_get_allocated_size((void *)p) < want) wrong("the result is smaller than the row says");
        for (uint64_t i = 0; f->zeroed && i < want; i++)
            if (((char *)p)[i]) wrong("the result is not zeroed");
    }
    if (f->nonempty && !*(void **)p) wrong("the list is empty");
    give(x, p, x->c->release[0], "the result");
}

static bool has_failed(const Run *x, const SpecFunc *f)
{
    switch (f->fail) {
    case SPEC_OR_NULL: return !x->result;
    case SPEC_OR_NEGATIVE: return (int64_t)x->result < 0;
    case SPEC_OR_VALUE: return (int64_t)x->result == f->fail_value;
    case SPEC_NO_FAIL: break;
    }
    return false;
}

// Does the parameter receive what tells about a failure (GError **)?
static bool tells_failure(const SpecParam *p)
{
    const SpecType *type = p->type;
    if (p->place != SPEC_OUT || type->kind != SPEC_T_POINTER || type->to->kind != SPEC_T_POINTER) return false;
    type = type->to->to;
    return type->kind == SPEC_T_BASE && !strcmp(name_text(spec_names(table), type->name), failure_type);
}

// The recipe says that the call succeeds, or by `!` that it fails: the row must see it the same way.
static void check_outcome(const Run *x, const SpecFunc *f)
{
    static const char *const words[2][2] = {
        {"the call was to succeed, and the result says it failed (errno %d)",
         "the call was to fail, and the result says it did not"},
        {"the call was to succeed, and the row's conditions say it failed (errno %d)",
         "the call was to fail, and the row's conditions say it did not"}};
    if (f->realloc_frees.op != SPEC_ALWAYS && holds(x, &f->realloc_frees)) return;
    if (f->fail != SPEC_NO_FAIL) {
        if (has_failed(x, f) != x->c->fail) wrong(words[0][x->c->fail], errno);
        return;
    }
    bool conditions = false, success = false;
    for (unsigned i = 0; i < f->param_count; i++) {
        const SpecParam *p = &f->params[i];
        if (p->place != SPEC_OUT || p->when.op == SPEC_ALWAYS || p->when.subject != SPEC_RETURN) continue;
        // What may be there when the result is not 0 may as well be the message of a failure.
        if (!x->arg[i] || (p->or_null && p->when.op == SPEC_NE)) continue;
        conditions = true;
        success |= holds(x, &p->when) != tells_failure(p);
    }
    if (conditions && success == x->c->fail) wrong(words[1][x->c->fail], errno);
}

static void check_result(Run *x, const SpecFunc *f)
{
    const SpecValue *v = &f->result;
    for (unsigned i = 0; i < f->case_count; i++)
        if (holds(x, &f->cases[i].when)) {
            v = &f->cases[i];
            break;
        }
    if (f->nonnull && !x->result) wrong("the result is null");
    if (f->bounded && (int64_t)x->result < f->least)
        wrong("the result is %lld, less than the row says", (long long)x->result);
    if (f->limited && (int64_t)x->result > f->most)
        wrong("the result is %lld, more than the row says", (long long)x->result);
    if (f->realloc && f->realloc_frees.op != SPEC_ALWAYS && holds(x, &f->realloc_frees)) {
        if (x->result) wrong("the block was to be freed, and the result is not null");
        return;
    }
    if (has_failed(x, f)) return;
    if (v->gives == SPEC_OWN)
        check_fresh(x, f, v);
    else
        check_borrowed(x, v, x->result, f->fail == SPEC_OR_NULL, f->or_static, "the result");
}

static void take(const char *what, uint64_t p, bool must)
{
    if (!strike((void *)p) && must) wrong("%s is taken, but the recipe does not register it", what);
}

static void check_param(Run *x, const SpecFunc *f, unsigned i)
{
    const SpecParam *p = &f->params[i];
    uint64_t v = x->arg[i];
    char what[32];
    snprintf(what, sizeof what, "argument %u", i + 1);
    bool when = holds(x, &p->when);
    const SpecFamily *fam = p->family.id ? spec_family(table, p->family) : NULL;
    bool value = fam && fam->repr == SPEC_VALUE;
    if (p->place == SPEC_ITSELF) {
        bool taken = when && (p->mode == SPEC_TAKE || p->mode == SPEC_HOLD || p->mode == SPEC_REF_DEC);
        if (f->realloc && p->mode == SPEC_TAKE)
            taken = !has_failed(x, f) || (f->realloc_frees.op != SPEC_ALWAYS && holds(x, &f->realloc_frees));
        if (taken && (v || value)) {
            bool same = v == x->result && f->realloc;
            if (p->mode == SPEC_TAKE && in_heap(v) && !same) wrong("%s is taken, and still alive", what);
            // The home of what is held may be gone at once when the call fails.
            if (p->mode == SPEC_HOLD && !x->c->fail && v != x->result && !in_heap(v) && dead(v)) wrong("%s is held, and dead", what);
            // A thing that the recipe does not register would pass unseen.
            take(what, v, !same);
            if (same) gone((void *)v);
        } else if (p->mode == SPEC_REF_INC && when && v) {
            give(x, v, x->c->release[1 + i], what);
        } else if (v && !value && x->arg_size[i] == 8 && p->type && p->type->kind == SPEC_T_POINTER && dead(v)) {
            wrong("%s is borrowed, and dead", what);
        }
        if (p->then_positive && when && v && extended(bits((void *)v, x->slot_size[i]), x->slot_size[i]) <= 0)
            wrong("the number that %s points to is not positive", what);
        return;
    }
    if (!v) return;
    SpecRepr repr = p->value.family.id ? spec_family(table, p->value.family)->repr : fam ? fam->repr : SPEC_POINTER;
    uint64_t now = bits((void *)v, x->slot_size[i] ? x->slot_size[i] : 8);
    if (p->place == SPEC_IN) {
        if (!when || p->mode == SPEC_REF) return;
        take(what, repr == SPEC_EMBEDDED ? v : x->before[i], repr == SPEC_EMBEDDED || x->before[i]);
        if (p->then_null && now) wrong("what %s points to is not null", what);
        return;
    }
    if (p->value.gives == SPEC_OWN) {
        if (!when) return;
        if (p->place == SPEC_INOUT) strike((void *)x->before[i]);
        if (repr == SPEC_EMBEDDED) {
            give(x, v, x->c->release[1 + i], what);
            return;
        }
        for (unsigned k = 0; k < (p->count ? p->count : 1); k++) {
            uint64_t one = bits((char *)v + k * x->slot_size[i], x->slot_size[i]);
            if (p->bounded && (int64_t)one < p->least) wrong("what %s gives is less than the row says", what);
            if (!one && repr == SPEC_POINTER) {
                if (!p->or_null) wrong("what %s gives is null", what);
                continue;
            }
            if (p->value.family.id == 1 && !in_heap(one)) wrong("what %s gives is not a block of malloc", what);
            give(x, one, x->c->release[1 + i], what);
        }
        return;
    }
    if (p->value.gives == SPEC_INSIDE && p->value.param == (int)i) {
        if (now) check_inside(x, now, x->before[i], what);
    } else if (when && !has_failed(x, f)) {
        check_borrowed(x, &p->value, now, p->or_null || !now, false, what);
    }
}

void run_result(Run *x, const void *value, size_t size)
{
    const SpecFunc *f = x->f;
    int saved = errno;
    x->called = true;
    x->result = value ? bits(value, size) : 0;
    x->result_size = (unsigned)size;
    if (f->result_type->kind == SPEC_T_BASE && f->result.gives == SPEC_PLAIN && f->fail == SPEC_NO_FAIL &&
        size > 8)
        x->result = 0;
    errno = saved;
    if (f->noreturn && f->noreturn_when.op == SPEC_ALWAYS && !f->noreturn_on_success) {
        wrong("it returned");
        return;
    }
    if (f->noreturn && f->noreturn_when.op != SPEC_ALWAYS && holds(x, &f->noreturn_when)) wrong("it returned");
    check_outcome(x, f);
    for (unsigned i = 0; i < f->param_count; i++) check_param(x, f, i);
    check_result(x, f);
}

// ---- One case.

// Old copies of pointers on the stack and in registers would hide a leak.
static __attribute__((noinline)) void scrub(void)
{
    volatile char stack[65536];
    for (size_t i = 0; i < sizeof stack; i++) stack[i] = 0;
    __asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15", "memory");
}

static __attribute__((noinline)) void run_case(const Case *c, int lose, int null, unsigned *fds, unsigned *maps,
                                               unsigned *timers)
{
    Run x = {.c = c, .fn = c->fn, .form = c->form, .null = null, .lose = lose};
    x.f = spec_find(table, c->row, NULL);
    thing_count = 0;
    unsigned fds_before = count_fds(), maps_before = count_lines("/proc/self/maps");
    unsigned timers_before = count_lines("/proc/self/timers");
    shared->returned = false;
    c->run(&x);
    shared->returned = true;
    if (null >= 0) return;
    if (!x.called) wrong("the recipe did not call it");
    release_all();
    for (unsigned i = 0; i < x.alive_count; i++)
        if (x.alive[i] && in_heap(x.alive[i]) && dead(x.alive[i])) wrong("static storage was freed");
    for (unsigned i = 0; i < x.after_count; i++)
        if (!dead(x.after_all[i]) && !c->kept) wrong("what it lends outlives the argument that the row names");
    shared->given = x.given;
    *fds = count_fds() - fds_before;
    *timers = count_lines("/proc/self/timers") - timers_before;
    *maps = count_lines("/proc/self/maps") - maps_before;
    memset(&x, 0, sizeof x);
    memset(things, 0, sizeof things);
}

static void child_begins(void)
{
    int fd = open(log_path, O_CREAT | O_TRUNC | O_RDWR | O_APPEND, 0600);
    dup2(fd, 2);
    dup2(fd, 1);
    if (fd > 2) close(fd);
    alarm(TIMEOUT);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

// The first line of the child's report that says what it is about.
static void quote_log(char *to, size_t n)
{
    *to = 0;
    FILE *f = fopen(log_path, "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        char *found = strstr(line, "AddressSanitizer: ");
        if (!found) found = strstr(line, "leak of ");
        if (!found) continue;
        snprintf(to, n, "%.*s", (int)strcspn(found, "\n"), found);
        break;
    }
    if (f) fclose(f);
}

static void report(const Case *c, const char *mode, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void report(const Case *c, const char *mode, const char *fmt, ...)
{
    char text[600], quoted[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    quote_log(quoted, sizeof quoted);
    printf("%s.calls:%u: %s (%s): %s%s%s\n", lib, c->line, c->name, mode, text, *quoted ? ": " : "", quoted);
    failed++;
}

static void blame(const Case *c, const char *mode, int status)
{
    if (shared->wrong)
        report(c, mode, "%s", shared->words);
    else if (WIFSIGNALED(status))
        report(c, mode, "%s", WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
    else
        report(c, mode, "exit status %d", WEXITSTATUS(status));
}

// Runs some cases cleanly in one child. Each is counted once.
static void run_clean(const unsigned *which, unsigned count)
{
    while (count) {
        shared->at = 0;
        shared->wrong = false;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            child_begins();
            for (unsigned i = 0; i < count; i++) {
                unsigned fds = 0, maps, timers = 0;
                shared->at = (int)i;
                run_case(&cases[which[i]], -1, -1, &fds, &maps, &timers);
                if (fds) wrong("%d descriptors more than before", (int)fds);
                if (timers) wrong("%d timers more than before", (int)timers);
                given_of[which[i]] = shared->given;
                if (shared->wrong) _exit(1);
            }
            shared->at = -1;
            scrub();
            _exit(__lsan_do_recoverable_leak_check() ? LEAKED : 0);
        }
        int status = wait_for(pid), at = shared->at;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && at < 0) {
            passed += count;
            return;
        }
        if (at < 0 && WIFEXITED(status) && WEXITSTATUS(status) == LEAKED) {
            if (count == 1) {
                report(&cases[*which], "clean", "not all is released");
                return;
            }
            run_clean(which, count / 2);
            which += count / 2;
            count -= count / 2;
            continue;
        }
        if (at < 0) at = (int)count - 1;
        blame(&cases[which[at]], "clean", status);
        if (at > 0) run_clean(which, (unsigned)at); // their leaks are not known yet
        which += at + 1;
        count -= (unsigned)at + 1;
    }
}

// A mapping is no block of the heap: after two clean runs, which leave the process as it is, one that
// loses something leaves a mapping more.
static int run_lost_map(const Case *c, unsigned k)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child_begins();
        unsigned fds, maps[3], timers;
        run_case(c, -1, -1, &fds, &maps[0], &timers);
        run_case(c, -1, -1, &fds, &maps[1], &timers);
        run_case(c, (int)k, -1, &fds, &maps[2], &timers);
        _exit(!maps[1] && (int)maps[2] > 0 ? LEAKED : 0);
    }
    return wait_for(pid);
}

typedef struct {
    const Case *c;
    int lose;
    unsigned fds, maps, timers;
} Lost;

// On a stack of its own, which is gone before leaks are looked for: no old copy of a pointer is left there.
static void *lost_body(void *arg)
{
    Lost *l = arg;
    run_case(l->c, l->lose, -1, &l->fds, &l->maps, &l->timers);
    return NULL;
}

static void run_lost(const Case *c, unsigned k)
{
    shared->wrong = false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child_begins();
        Lost l = {.c = c, .lose = (int)k};
        pthread_t thread;
        if (pthread_create(&thread, NULL, lost_body, &l) || pthread_join(thread, NULL)) _exit(1);
        scrub();
        if ((int)l.fds > 0 || (int)l.timers > 0) _exit(LEAKED);
        _exit(__lsan_do_recoverable_leak_check() ? LEAKED : 0);
    }
    int status = wait_for(pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) status = run_lost_map(c, k);
    if (shared->wrong)
        blame(c, "lost", status);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == LEAKED)
        passed++;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        report(c, "lost", "what it gives (number %u) is not released, and there is no leak", k + 1);
    else
        blame(c, "lost", status);
}

static void run_null(const Case *c, unsigned param)
{
    shared->wrong = shared->returned = false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child_begins();
        unsigned fds, maps, timers;
        run_case(c, -1, (int)param, &fds, &maps, &timers);
        _exit(0);
    }
    wait_for(pid);
    if (shared->returned)
        report(c, "null", "argument %u may be null", param + 1);
    else
        passed++;
}

static void run_end(const Case *c, const SpecFunc *f)
{
    shared->wrong = shared->returned = false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child_begins();
        unsigned fds, maps, timers;
        run_case(c, -1, -1, &fds, &maps, &timers);
        _exit(3);
    }
    int status = wait_for(pid);
    bool aborted = WIFSIGNALED(status);
    if (shared->returned || shared->wrong)
        report(c, "ends", "it returned");
    else if (f->noreturn == SPEC_ABORTS && !aborted)
        report(c, "ends", "it ended the program, but not by a signal");
    else
        passed++;
}

static bool is_absent(const Case *c) { return !c->fn && strcmp(c->name, c->row); }

static bool chosen(const Case *c, char **names)
{
    if (!*names) return true;
    for (; *names; names++)
        if (!strcmp(*names, c->name) || !strcmp(*names, c->row)) return true;
    return false;
}

static void *shared_memory(size_t n)
{
    return mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    warm_up();
    Names *names = names_new();
    table = spec_new(names);
    Diag diag = {0};
    if (!spec_add_file(table, argv[1], SPEC_FROM_MODEL, &diag)) return 2;
    const char *base = strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1];
    snprintf(lib, sizeof lib, "%.*s", (int)strcspn(base, "."), base);
    if (!getcwd(log_path, sizeof log_path - 8)) return 2;
    strcat(log_path, "/log");
    unsigned count = 0, skipped = 0;
    while (cases[count].name) count++;
    shared = shared_memory(sizeof *shared);
    given_of = shared_memory((count + 1) * sizeof *given_of);
    for (const Absent *a = absents; a->name; a++)
        if (a->at) {
            printf("%s: %s is in undriven as absent, and the library has it\n", lib, a->name);
            failed++;
        }
    unsigned batch[BATCH], n = 0;
    for (unsigned i = 0; i < count; i++) {
        const Case *c = &cases[i];
        if (is_absent(c)) skipped++;
        if (is_absent(c) || !chosen(c, argv + 2)) continue;
        const SpecFunc *f = spec_find(table, c->row, NULL);
        bool ends = f->noreturn && !c->fail;
        if (ends) {
            run_end(c, f);
            continue;
        }
        if (c->alone) {
            run_clean(&i, 1);
            continue;
        }
        batch[n++] = i;
        if (n == BATCH) {
            run_clean(batch, n);
            n = 0;
        }
    }
    run_clean(batch, n);
    for (unsigned i = 0; i < count; i++) {
        const Case *c = &cases[i];
        if (is_absent(c) || !chosen(c, argv + 2)) continue;
        for (unsigned k = 0; k < given_of[i] && !c->kept; k++) run_lost(c, k);
        const SpecFunc *f = spec_find(table, c->row, NULL);
        bool first = !i || strcmp(cases[i - 1].row, c->row);
        for (unsigned k = 0; first && !c->fail && !c->form && k < f->param_count; k++)
            if (f->params[k].nonnull) run_null(c, k);
    }
    if (skipped) printf("%s: %u cases of names that this version of the library does not have\n", lib, skipped);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
