#!/usr/bin/env bash
# One cause, one finding: what a macro, a copied slip or a misunderstood function does in many functions is told
# once in what people read, with all its places; whoever settles one of them leaves the rest.
set -u
bad=0
bad() { echo "$*"; bad=1; }
cd "$TMP" || exit 1

cat >shared.h <<'C'
#include <stdlib.h>
#include <string.h>
struct table { int (*open)(int), (*close)(int), (*read)(int), (*write)(int); };
int trace(const char *);
#define CALL(name, arg) \
    char *log = strdup(#name); \
    if (!log) return -1; \
    if (!t->name) return -2; \
    trace(log); \
    free(log); \
    return t->name(arg)
struct conn { int state; char *host; };
int matches(const char *, const char *);
struct conn *conn_new(void);
C
cat >macro.c <<'C'
#include "shared.h"
int do_open(struct table *t, int n)
{
    CALL(open, n);
}
int do_close(struct table *t, int n)
{
    CALL(close, n);
}
int do_read(struct table *t, int n)
{
    CALL(read, n);
}
int do_write(struct table *t, int n)
{
    CALL(write, n);
}
C
# The same slip three times, with other names; and two places that only begin alike.
cat >slip.c <<'C'
#include "shared.h"
int mount_of(const char *a, const char *key)
{
    char *mount = strdup(a);
    if (matches(mount, key)) return 1;
    free(mount);
    return 0;
}
int volume_of(const char *a, const char *word)
{
    char *volume = strdup(a);
    if (matches(volume, word)) return 1;
    free(volume);
    return 0;
}
int drive_of(const char *a, const char *name)
{
    char *drive = strdup(a);
    if (matches(drive, name)) return 1;
    free(drive);
    return 0;
}
int few(const char *a, int n)
{
    char *text = strdup(a);
    if (n < 0) return 1;
    free(text);
    return 0;
}
int many(const char *a, int n)
{
    char *text = strdup(a);
    if (n < 0) return 1;
    free(text);
    return 0;
}
int none(const char *a, int n)
{
    char *text = strdup(a);
    if (n < 0) return 1;
    free(text);
    return 0;
}
C
# Callers that do not know that they own what a function of the program gives them.
cat >callee.c <<'C'
#include "shared.h"
struct conn *conn_new(void)
{
    struct conn *c = malloc(sizeof *c);
    if (c) c->state = 0;
    return c;
}
int first(void)
{
    struct conn *c = conn_new();
    return c ? c->state : 0;
}
int second(void)
{
    struct conn *c = conn_new();
    return c ? 1 : 0;
}
int third(void)
{
    struct conn *c = conn_new();
    return c ? 2 : 0;
}
C
check() { "$STANCH" check --no-cache --no-record "$@" 2>err; }
count() { # how many findings each cause has
    python3 - "$1" <<'P'
import collections, json, sys
causes = collections.Counter(f.get('cause', f['id']) for f in json.load(open(sys.argv[1]))['findings'])
print(*sorted(causes.values()))
P
}

check --format=json -o macro.json macro.c
[ "$(count macro.json)" = 4 ] || bad "one macro, $(count macro.json)"
check --format=json -o slip.json slip.c
[ "$(count slip.json)" = '1 1 1 3' ] || bad "one slip and three others: $(count slip.json)"
check --format=json -o callee.json callee.c
[ "$(count callee.json)" = 3 ] || bad "one callee: $(count callee.json)"

# Scripts get each of them, whole, with the id of the first.
check --each --format=json -o each.json macro.c
cmp -s macro.json each.json || bad "JSON is not what --each tells"
[ "$(grep -c '"fingerprint"' macro.json)" -eq 4 ] || bad "json: not each"
check --format=gcc macro.c | grep -c 'warning: ' | grep -qx 4 || bad "gcc: not each"
check --format=gitlab macro.c | grep -o '"fingerprint"' | wc -l | grep -qx 4 || bad "gitlab: not each"
check --format=sarif macro.c >sarif
python3 - <<'P' || bad "sarif: not each, or without the cause"
import json, sys
results = json.load(open('sarif'))['runs'][0]['results']
first, *others = [r['properties'] for r in results]
sys.exit(len(results) != 4 or 'cause' in first or any(o['cause'] != first['id'] for o in others))
P

check macro.c >text
grep -q "note: the same happens in 3 other functions" text || bad "text: not counted"
for f in do_close do_read do_write; do grep -q "note: the same in '$f'" text || bad "text: $f"; done
grep -q '^1 finding (1 leak)' text || bad "text: $(tail -1 text)"
for n in 1 2 3 4; do sed "s/do_/do_$n/" macro.c >macro$n.c; done
check macro?.c >text
grep -q '12 more places like these are left out' text || bad "text: places are not left out"
check -v macro?.c >text
[ "$(grep -c "note: the same in 'do_" text)" -eq 15 ] || bad "text -v: not all places"
check --format=html macro.c | grep -q '"kind":"same"' || bad "html: places"
check --each macro.c | tail -1 | grep -q "^4 findings" || bad "text: --each"

# A comment settles one, of which another speaks then; a baseline knows each, so that a new one shows.
sed '4s|$| // stanch: ignore[leak] reason|' macro.c >settled.c
check --format=json -o settled.json settled.c
[ "$(count settled.json)" = 3 ] || bad "settled: $(count settled.json)"
check --write-baseline base.json macro.c >/dev/null
[ "$(grep -c fingerprint base.json)" -eq 4 ] || bad "the baseline does not hold each"
cat >>macro.c <<'C'
int do_more(struct table *t, int n)
{
    CALL(open, n);
}
C
check --baseline base.json --format=json -o new.json macro.c
python3 - <<'P' || bad "a known member hides a new one"
import json, sys
f, = json.load(open('new.json'))['findings']
sys.exit(f['function'] != 'do_more' or 'cause' in f)
P
exit $bad
