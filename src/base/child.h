// Another program, in a child process with limits: what it prints is read to the end, and it is
// killed when it takes too long.
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/mem.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

typedef struct {
    int what; // RLIMIT_...
    rlim_t soft, hard;
} ChildLimit;

typedef struct {
    const char *dir;         // it runs there
    const char *const *argv; // the first word is its path
    char *const *env;
    const ChildLimit *limits; // cores are never written, whatever these say
    uint32_t limit_count;
    int seconds;           // by the clock, for it and all that it leaves behind with the pipe open
    uint32_t most;         // bytes that are kept of what it prints
    bool errors_only;      // its standard output goes nowhere
    bool group;            // a process group of its own: what it has started ends with it
    void (*hold)(int how); // called last before the program starts; or null
    int how;
} ChildStart;

typedef struct {
    int error; // errno; 0: there was a process
    bool timed_out;
    int status;       // as wait tells it: CHILD_NO_DIR and CHILD_NO_PROGRAM with a message
    const char *text; // what it printed; '?' for a zero byte
} ChildEnd;

enum { CHILD_NO_DIR = 126, CHILD_NO_PROGRAM = 127 };

ChildEnd child_run(Arena *a, const ChildStart *s);

// The signals that ask a process to end (interrupt, terminate, hang up), but for those that it was
// started to ignore, as by nohup. A blocked signal waits even where it is ignored.
void signals_of_end(sigset_t *set);
// Lets them wait in this thread while something on the disk is half done; `before` is the mask to go
// back to with signals_release, which delivers what has come meanwhile.
void signals_hold(sigset_t *before);
void signals_release(const sigset_t *before);

#endif
