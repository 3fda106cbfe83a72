// stanch-cc: a compiler launcher. `stanch-cc gcc -c x.c -o x.o` runs the compiler, and when that went
// well has stanch make the unit beside the object: x.o.unit. For every build system that lets one put
// a word before the compiler: CMAKE_C_COMPILER_LAUNCHER, CC="stanch-cc gcc", Meson's native file.
//
// The build must not notice: output, status and signals are the compiler's, and a unit that cannot
// be made is a message, not a failure. A program of its own, because stanch itself takes twenty
// milliseconds to start, and a configure script calls the compiler a thousand times without an
// object coming of it.
#include "base/file.h"
#include "capture/capture_int.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_RUN = 126 };

// Runs the command to its end; its status as waitpid gives it.
static int run(char **argv)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "stanch-cc: %s: %s\n", argv[0], strerror(errno));
        _exit(errno == ENOENT ? NOT_FOUND : NOT_RUN);
    }
    if (pid < 0) {
        fprintf(stderr, "stanch-cc: no process: %s\n", strerror(errno));
        exit(NOT_RUN);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) exit(NOT_RUN);
    return status;
}

// Does an object come of the command that was made from C or C++?
static bool makes_objects(Arena *a, char **argv)
{
    Words words = {0};
    for (; *argv; argv++) vec_push(&words, *argv);
    const char *cwd = path_cwd(a);
    words_expand(a, cwd, NULL, &words);
    Command command;
    command_parse(a, cwd, &words, &command);
    vec_free(&words);
    if (command.mode == MODE_NO_OBJECT) return false;
    vec_each (i, &command.operands) {
        const Operand *o = &command.operands.at[i];
        if ((o->kind == OPERAND_C || o->kind == OPERAND_CXX) &&
            strncmp(path_base(o->text), "conftest.", 9) != 0)
            return true;
    }
    return false;
}

// stanch unit -q -- COMMAND, by the stanch beside us.
static void make_units(Arena *a, int argc, char **argv)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        fprintf(stderr, "stanch-cc: no unit: /proc is needed\n");
        return;
    }
    self[n] = 0;
    char **words = arena_array_of(a, char *, argc + 5);
    uint32_t w = 0;
    words[w++] = path_join(a, path_dir(a, self), "stanch");
    words[w++] = arena_strdup(a, "unit");
    words[w++] = arena_strdup(a, "--no-cache");
    words[w++] = arena_strdup(a, "--");
    for (int i = 1; i < argc; i++) words[w++] = argv[i];
    // Its status is no news to the build: what failed it says itself.
    run(words);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        puts("stanch-cc COMPILER ARGUMENTS...\n\n"
             "runs the compiler and makes the unit of each source beside its object (x.o.unit),\n"
             "for stanch link; see stanch-cc(1)");
        return argc < 2 ? 2 : 0;
    }
    int status = run(argv + 1);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    if (status == 0) {
        Arena *a = arena_new("stanch-cc");
        if (makes_objects(a, argv + 1)) make_units(a, argc, argv);
        arena_free(a);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_RUN;
}
