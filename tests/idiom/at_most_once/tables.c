// Functions that are called through a table: where every such call is the last thing that the
// program does, or ends it on that result, a loss is likely only; where it goes on, it is sure.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct family {
    const char *name;
    int (*print)(int options);
    int (*follow)(const char *name);
    int (*check)(const char *name);
};

static int print_nodes(int options) {
    FILE *nodes = fopen("/proc/net/nodes", "r"); // OK likely: the program ends on that result
    FILE *links = fopen("/proc/net/links", "r"); // OK likely
    if (nodes == NULL || links == NULL) {
        puts("not configured");
        return 1;
    }
    printf("%d\n", options + fgetc(nodes) + fgetc(links));
    fclose(nodes);
    fclose(links);
    return 0;
}

static int follow_nodes(const char *name) {
    char *copy = strdup(name); // OK likely: whoever calls it ends the program
    if (copy == NULL)
        return -1;
    return puts(copy);
}

static int check_nodes(const char *name) {
    char *copy = strdup(name); // LEAK each
    if (copy == NULL)
        return -1;
    return puts(copy); // LOST each
}

static void on_signal(int number) {
    FILE *log = fopen("/tmp/log", "a"); // RESOURCE-LEAK signal
    if (log == NULL)
        return;
    fprintf(log, "%d\n", number);
} // LOST signal

static int list_nodes(const char *name) {
    char *copy = strdup(name); // LEAK listed
    if (copy == NULL)
        return -1;
    return puts(copy); // LOST listed
}

struct command {
    const char *name;
    int (*run)(const char *name);
};
struct commands {
    int count;
    const struct command *all;
};
static const struct command command_list[] = {{"list", list_nodes}, {NULL, NULL}};
static const struct commands commands = {1, command_list};
int serve(const struct commands *commands); // calls them, as often as it likes

static struct family nodes = {"nodes", print_nodes, follow_nodes, check_nodes};
static struct family none = {"none", NULL, NULL, NULL};
static struct family *families[] = {&nodes, &none, NULL};

static int print_all(const char *name, int options) {
    int result;
    for (struct family **f = families; *f != NULL; f++) {
        if (name != NULL && strcmp(name, (*f)->name) != 0)
            continue;
        if ((*f)->print == NULL)
            return 3;
        if ((result = (*f)->print(options)) != 0)
            return result;
    }
    return 0;
}

static void follow_all(const char *name) {
    for (struct family **f = families; *f != NULL; f++)
        if (strcmp(name, (*f)->name) == 0)
            exit((*f)->follow(name) < 0);
}

static int check_all(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++)
        for (struct family **f = families; *f != NULL; f++)
            if ((*f)->check != NULL)
                failed += (*f)->check(argv[i]) < 0;
    return failed;
}

int main(int argc, char **argv) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGHUP, &action, NULL);
    if (argc > 1)
        follow_all(argv[1]);
    if (argc == 1)
        return serve(&commands);
    if (argc == 2)
        return commands.all[0].run(argv[1]);
    if (check_all(argc, argv))
        return 2;
    return print_all(argc > 1 ? argv[1] : NULL, argc);
}
