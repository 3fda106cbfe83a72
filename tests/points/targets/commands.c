// Dispatch tables: two sets of commands with one signature, and a fallback beside them.
#include <stdio.h>
#include <string.h>
typedef int (*Command)(int argc, char **argv);
static int do_add(int argc, char **argv) { return argc + (argv[0] != 0); }
static int do_list(int argc, char **argv) { return argc - (argv[0] != 0); }
static int do_quit(int argc, char **argv) { return -(argc + (argv[0] != 0)); }
static int debug_dump(int argc, char **argv) { return puts(argv[0]) + argc; }
static int debug_trace(int argc, char **argv) { return puts(argv[0]) - argc; }
static int unknown_command(int argc, char **argv) { return argc ? puts(argv[0]) : 1; }
struct entry {
    const char *name;
    Command run;
    int flags;
};
static const struct entry commands[] = {{"add", do_add, 0}, {"list", do_list, 1}, {"quit", do_quit, 0}};
static const struct entry debug[] = {{"dump", debug_dump, 0}, {"trace", debug_trace, 0}};
static Command fallback = unknown_command;
static int dispatch(const char *name, int argc, char **argv)
{
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argc, argv); // CALLS do_add, do_list, do_quit
    return fallback(argc, argv); // CALLS unknown_command
}
static int dispatch_debug(const char *name, int argc, char **argv)
{
    for (const struct entry *e = debug; e < debug + 2; e++)
        if (strcmp(e->name, name) == 0) return e->run(argc, argv); // CALLS debug_dump, debug_trace
    return 0;
}
static int first(int argc, char **argv) { return commands[0].run(argc, argv); } // CALLS do_add, do_list, do_quit
int main(int argc, char **argv)
{
    return dispatch(argv[0], argc, argv) + dispatch_debug(argv[0], argc, argv) + first(argc, argv);
}
