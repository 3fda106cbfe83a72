#!/usr/bin/env bash
# A plug-in calls a function of the program that loads it: where that never comes back, nothing
# behind the call is run, in whatever order the two are linked; where it does, what is lost is told.
set -u
cd "$TMP" || exit 1
fail=0
cat >host.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void die(int status) { exit(status); }
void fatal(const char *why) { fprintf(stderr, "%s\n", why); die(1); }
void no_memory(const char *where) { fatal(where); }
void complain(const char *where) { fprintf(stderr, "%s\n", where); }
int main(void) { return 0; }
END
cat >plugin.c <<'END'
#include <stdlib.h>
#include <string.h>
void no_memory(const char *), complain(const char *);
struct pair { char *a, *b; };
struct pair *ends(const char *a, const char *b) {
    struct pair *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->a = strdup(a);
    p->b = strdup(b);
    if (!p->a || !p->b) {
        no_memory("ends");
        return NULL;
    }
    return p;
}
struct pair *goes_on(const char *a) {
    struct pair *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->a = p->b = strdup(a);
    if (!p->a) {
        complain("goes_on");
        return NULL;
    }
    return p;
}
END
host='cc -c host.c && cc -rdynamic -o host host.o'
plugin='cc -fPIC -c plugin.c && cc -shared -o plugin.so plugin.o'
for build in "$host && $plugin" "$plugin && $host"; do
    rm -rf .stanch
    "$STANCH" run -q --level=likely --format=json -o out.json -- sh -c "$build" >log 2>&1
    got=$(python3 -c '
import json
for f in json.load(open("out.json"))["findings"]: print(f["function"], f["level"])')
    [ "$got" = "goes_on sure" ] || { echo "$build: $got"; fail=1; }
done
exit $fail
