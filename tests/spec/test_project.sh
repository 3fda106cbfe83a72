#!/usr/bin/env bash
# A specification that comes with the project and replaces a model or code is told in every report.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
mkdir .stanch
printf '%s\n' '#include <stdlib.h>' 'void *get(void) { return malloc(4); }' \
    'int f(int c) { char *p = malloc(10); if (!p) return 1; if (c < 0) return 2; free(p); return 0; }' 'int g(void) { return get() != 0; }' >x.c
"$STANCH" check x.c >cold 2>&1
[ $? = 1 ] || bad "the leak is not found: $(cat cold)"
told() { # what, pattern: in every format, cold and from the cache
    for format in text gcc json sarif html; do
        for round in 1 2; do
            "$STANCH" check -q --format=$format x.c >out 2>&1
            grep -q "$2" out || bad "$1: $format, round $round, does not tell: $(head -c 2000 out)"
        done
    done
    "$STANCH" check x.c >out 2>&1
    grep -q 'no-project-specs leaves it out' out || bad "$1: how to leave it out is not told: $(cat out)"
}
echo 'void *malloc(unsigned long);' >.stanch/a.own
told 'a model' 'malloc.*\|"function": "malloc"'
"$STANCH" check x.c >out 2>&1
grep -q "a.own.*replaces the shipped model of 'malloc'" out || bad "a model: $(cat out)"
"$STANCH" check --no-project-specs x.c >out 2>&1
[ $? = 1 ] && cmp -s out cold || bad "--no-project-specs: $(cat out)"
echo 'void *get(void);' >.stanch/a.own
told 'code' 'get'
"$STANCH" check --format=gcc x.c >out 2>&1
grep -q "a.own:1:.*replaces the code of 'get'" out || bad "code: $(cat out)"
echo 'void *"ma*"(unsigned long);' >.stanch/a.own
"$STANCH" check x.c >out 2>&1
grep -q "replaces the shipped model of .*'malloc'" out || bad "a pattern: $(cat out)"
# What says something new, and what the user names, is nobody's replacement.
echo 'own void *other(int);' >.stanch/a.own
"$STANCH" check x.c >out 2>&1
cmp -s out cold || bad "a spec of an unknown function: $(diff cold out)"
echo 'void *malloc(unsigned long);' >mine.own && rm .stanch/a.own
"$STANCH" check --spec mine.own x.c >out 2>&1
grep -q 'replaces' out && bad "--spec is called the project's: $(cat out)"
exit $fail
