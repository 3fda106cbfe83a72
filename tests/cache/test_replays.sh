#!/usr/bin/env bash
# What a replay gave is kept: after an edit elsewhere no run is made again. Where an edit changes code or a
# number that a run reads, it is; and the report, witnesses included, is that of a run that remembers nothing.
set -u
cd "$TMP" || exit 1
fail=0
write() { # the body of scale, the number in `limits`
    cat >low.c <<C
int limits[2] = {1, $2};
int scale(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += $1 + limits[1];
    return sum;
}
void set_limit(int n) { limits[0] = n; }
C
}
cat >top.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int scale(int n);
int first(int n)
{
    char *p = malloc(16);
    if (!p) return -1;
    printf("%d %p\n", scale(3), (void *)p);
    if (n > 2) return 1;
    free(p);
    return 0;
}
C
cat >other.c <<'C'
#include <stdlib.h>
int other(int n) { void *q = malloc(8); if (n) return 1; free(q); return 0; }
C
run() { "$STANCH" check --level=audit --impact=at-exit "$@" top.c low.c other.c 2>log; }
compare() {
    run --format=json >kept.json
    run --format=json --no-cache >cold.json
    cmp -s kept.json cold.json || { echo "$1: not what a run without memory says"; diff cold.json kept.json | head; fail=1; }
    grep -q '"witness"' cold.json || { echo "$1: nothing was witnessed"; fail=1; }
}
made() { run --stats --format=gcc | grep -c . >/dev/null; sed -nE 's/^results +([0-9]+) read, ([0-9]+) missed.*/\2/p' log; }
write i 5
compare start
[ "$(made)" = 0 ] || { echo 'something is missing from the memory of an unchanged program'; fail=1; }
sed -i 's/malloc(8)/malloc(9)/' other.c
compare 'an edit elsewhere'
write 'i * 2' 5
compare "a callee's code"
write 'i * 2' 7
compare "a global's content"
write i 5
compare 'back again'
[ "$(made)" = 0 ] || { echo 'what was known before is not known any more'; fail=1; }
exit $fail
