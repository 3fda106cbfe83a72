#!/usr/bin/env bash
# What a plug-in hands over to the program that loads it is called when that program says so: while it starts up, or
# for every request. Both are seen in one build.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
cat >host.c <<'C'
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include "host.h"
struct entry { struct entry *next; const char *name; void *call; };
static struct entry *inits, *settings, *requests, *starts, *events;
static int (*latest)(const char *);
void register_init(const char *name, int (*call)(void)) {
    struct entry *e = malloc(sizeof *e);
    if (e != NULL)
        *e = (struct entry){inits, strdup(name), (void *)call}, inits = e;
}
void register_setting(const char *name, int (*call)(const char *)) {
    struct entry *e = malloc(sizeof *e);
    if (e != NULL)
        *e = (struct entry){settings, strdup(name), (void *)call}, settings = e;
}
void register_request(const char *name, int (*call)(const char *)) {
    struct entry *e = malloc(sizeof *e);
    if (e != NULL)
        *e = (struct entry){requests, strdup(name), (void *)call}, requests = e;
}
void register_latest(int (*call)(const char *)) { latest = call; }
static void add(struct entry **list, const char *name, void *call) {
    struct entry *e = malloc(sizeof *e);
    if (e == NULL)
        return;
    e->name = strdup(name);
    e->call = call;
    e->next = *list;
    *list = e;
}
void register_start(const char *name, void (*call)(void)) { add(&starts, name, (void *)call); }
void register_event(const char *name, int (*call)(const char *)) { add(&events, name, (void *)call); }
void for_each_name(int (*call)(const char *)) {
    for (struct entry *e = inits; e != NULL; e = e->next)
        call(e->name);
}
static void read_settings(char **words) {
    for (; *words != NULL; words++)
        for (struct entry *e = settings; e != NULL; e = e->next)
            if (strcmp(e->name, *words) == 0)
                ((int (*)(const char *))e->call)(*words);
}
static void serve(void) {
    struct pollfd p = {0, POLLIN, 0};
    while (poll(&p, 1, -1) > 0) {
        for (struct entry *e = requests; e != NULL; e = e->next)
            ((int (*)(const char *))e->call)(e->name);
        for (struct entry *e = events; e != NULL; e = e->next)
            ((int (*)(const char *))e->call)(e->name);
        if (latest != NULL)
            latest("now");
    }
}
int main(int count, char **words) {
    void *library = dlopen(words[count - 1], RTLD_NOW);
    if (library == NULL)
        return 1;
    void (*begin)(void) = (void (*)(void))dlsym(library, "begin");
    begin();
    read_settings(words);
    for (struct entry *e = inits; e != NULL; e = e->next)
        ((int (*)(void))e->call)();
    for (struct entry *e = starts; e != NULL; e = e->next)
        ((void (*)(void))e->call)();
    serve();
    return 0;
}
C
cat >host.h <<'C'
void register_init(const char *name, int (*call)(void));
void register_setting(const char *name, int (*call)(const char *));
void register_request(const char *name, int (*call)(const char *));
void register_latest(int (*call)(const char *));
void register_start(const char *name, void (*call)(void));
void register_event(const char *name, int (*call)(const char *));
void for_each_name(int (*call)(const char *));
C
leaks() { # NAME PARAMETERS EXPRESSION
    printf 'static int %s(%s) {\n    char *copy = strdup(%s);\n    return copy != NULL && copy[0] != 0;\n}\n' "$1" "$2" "$3"
}
{
    printf '#include <string.h>\n#include "host.h"\n'
    leaks at_init void '"x"'
    printf 'static int at_setting(const char *value) {\n    int n = 0;\n    for (; *value != 0; value++) {\n'
    printf '        char *copy = strdup(value);\n        n += copy != NULL && copy[0] == 32;\n    }\n    return n;\n}\n'
    leaks at_request 'const char *value' value
    leaks at_latest 'const char *value' value
    leaks at_event 'const char *value' value
    printf 'static void at_start(void) {\n    char *copy = strdup("x");\n    if (copy != NULL && copy[0] == 0)\n        strcpy(copy, "y");\n}\n'
    leaks at_name 'const char *value' value
    printf 'void begin(void) {\n    register_init("p", at_init);\n    register_setting("p", at_setting);\n'
    printf '    register_request("p", at_request);\n    register_latest(at_latest);\n    register_start("p", at_start);\n    register_event("p", at_event);\n    for_each_name(at_name);\n}\n'
} >plugin.c
"$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -ec \
    'cc -rdynamic -o host host.c -ldl; cc -shared -fPIC -o plugin.so plugin.c' >log 2>&1
got=$("$ROOT/tests/eval/impacts" out.json starts-up start | grep '^at_' | tr '\n' ';')
want='at_event recurs;at_init once;at_latest recurs;at_name recurs;at_request recurs;at_setting once start;at_start once;'
[ "$got" = "$want" ] || bad "both: $got
$(cat log)"
# Without the program nothing is known of the plug-in's callers.
rm -rf .stanch
"$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -ec 'cc -shared -fPIC -o plugin.so plugin.c' >log 2>&1
got=$("$ROOT/tests/eval/impacts" out.json starts-up start | grep -c ' recurs')
[ "$got" = 7 ] || bad "plug-in alone: $got
$(cat log)"
exit $fail
