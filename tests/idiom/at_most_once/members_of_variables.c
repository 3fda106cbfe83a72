// Structs of functions are the data of a thread, so that other code could find the functions, and what is called
// through a struct from there is not known. The members' names tell it, also where the struct is a variable and not
// behind a pointer: the plug-in's opener is not what tells of each line. But what was once set by the variable's name and
// is called for each line through a pointer is lost for each line.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct teller {
    const char *name;
    int (*tell)(char *from, char *to);
};

struct plugin {
    const char *name;
    int (*open)(char *name, char *to);
    int (*line)(char *from, char *to);
};

static struct teller teller;
static struct plugin plugin;
static pthread_key_t tellers, plugins;

static int opened(char *name, char *to) {
    char *copy = malloc(200); // LEAK opened ONCE because RUNS_ONCE
    if (copy == NULL) return -1;
    if (strlen(name) > 199) return -1; // LOST opened
    strcpy(to, strcpy(copy, name));
    free(copy);
    return 0;
}

static int each_line(char *name, char *to) {
    char *copy = malloc(200); // LEAK each_line
    if (copy == NULL) return -1;
    if (strlen(name) > 199) return -1; // LOST each_line
    strcpy(to, strcpy(copy, name));
    free(copy);
    return 0;
}

static void begin(char *name, char *to) {
    plugin.open = opened;
    plugin.line = each_line;
    pthread_key_create(&tellers, NULL);
    pthread_key_create(&plugins, NULL);
    pthread_setspecific(plugins, &plugin);
    if (plugin.open(name, to)) exit(1);
}

static void tell_all(FILE *f) {
    static char from[1000], to[1000];
    while (fgets(from, sizeof from, f)) {
        struct plugin *p = pthread_getspecific(plugins);
        memcpy(&teller, pthread_getspecific(tellers), sizeof teller);
        teller.tell(from, to);
        p->line(from, to);
        puts(to);
    }
}

int main(int argc, char **argv) {
    static char to[1000];
    if (argc < 2) return 1;
    begin(argv[1], to);
    tell_all(stdin);
    return 0;
}
