// What a generated program (gen.c) and the fixtures of a library (LIB.h) share with the runner (run.c).
//
// A recipe's function makes the arguments, each of which may be registered with the function that
// releases it, and calls the library. run.c then asks the row what has become of them: what was taken is
// struck off the list, what was given is added to it. At the end all that is left is released; a wrong row
// shows as a leak, as a double free, or by a value that is not what the row says.
#ifndef MODELS_RUN_H
#define MODELS_RUN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RUN_MAX_ARGS = 24 };

typedef void Release(void *p);

typedef struct Run Run;
typedef struct {
    const char *name;   // as it is called
    const char *row;    // the row's name
    void (*run)(Run *); // the recipe
    void *fn;           // another name of the row, null where the library does not have it
    unsigned form, line;
    bool fail, alone;
    bool kept; // the library keeps a way to what is given: its loss cannot be seen
    Release *release[RUN_MAX_ARGS + 1]; // [0]: of the result; [1 + i]: of what parameter i gives
} Case;

typedef struct {
    const char *name;
    const void *at; // must be null: the library does not have it
} Absent;

extern const Case cases[];
extern const Absent absents[];
extern const char failure_type[]; // `failure TYPE`: what an out parameter of this type gets tells of a failure
void warm_up(void);               // WARM_UP of LIB.h: what the library makes once and keeps

struct Run {
    const Case *c;
    void *fn;
    unsigned form;
    int null, lose; // the argument that is null instead; the given thing that is not released; -1
    const void *f;  // SpecFunc
    uint64_t arg[RUN_MAX_ARGS], before[RUN_MAX_ARGS]; // before: what an argument points to
    unsigned arg_size[RUN_MAX_ARGS], slot_size[RUN_MAX_ARGS];
    unsigned args, given;
    uint64_t result, after_all[8]; // pointers that must be dead when all is released
    unsigned result_size, after_count;
    uint64_t alive[8]; // and those that must not be
    unsigned alive_count, fds, timers, maps;
    bool called;
};

#define ARG(x, i, a)                                                                               \
    do {                                                                                           \
        if ((x)->null == (i)) memset(&(a), 0, sizeof(a));                                          \
        run_arg((x), (i), &(a), sizeof(a));                                                        \
    } while (0)
#define SLOT(x, i, a)     run_slot((x), (i), sizeof(*(a)))
#define BEFORE(x)         run_before(x)
#define RESULT(x, r)      run_result((x), &(r), sizeof(r))
#define RESULT_VOID(x)    run_result((x), NULL, 0)
#define CHECK(cond)       run_check((cond), #cond)

void run_arg(Run *x, unsigned i, const void *value, size_t size);
void run_slot(Run *x, unsigned i, size_t size);
void run_before(Run *x);
void run_result(Run *x, const void *value, size_t size);
void run_check(bool ok, const char *what);

// ---- For fixtures.

// Registers a thing with its release; returns it. Those made last are released first.
void *mine(void *p, Release *release);
// Takes it off the list: the recipe itself or the library releases it.
void *gone(void *p);
// Calling the release by another type than it has does no harm on the machines that we run on.
#define OWN(expr, func)                                                                            \
    ((__typeof__(expr))(intptr_t)mine((void *)(intptr_t)(expr), (Release *)(void *)(func)))
void *block(size_t n);     // n zero bytes, freed at the end
void *slot(size_t n);      // likewise, for an output
char *S(const char *s);    // a copy of the text
wchar_t *W(const wchar_t *s);
#define B(n) ((char *)block(n))

#endif
