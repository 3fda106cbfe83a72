#!/usr/bin/env bash
# Runs over the cache: a second run equals a cold one, changes are seen, damage and interruption
# do no harm.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
N=6
mkdir src
for i in $(seq $N); do
    printf '#include "common.h"\n#include <stdio.h>\nint f%d(int x) { return x + K; }\n' "$i" >src/f$i.c
done
echo '#define K 1' >src/common.h
find src -type f -exec touch -d '1 hour ago' {} +
ir() { "$STANCH" show ir "$@" src/f*.c 2>err; }
made() { # units that had to be made in a run
    "$STANCH" show units --stats "$@" src/f*.c 2>&1 >/dev/null | sed -nE 's/^cache +.* ([0-9]+) stored.*/\1/p'
}

ir --no-cache >cold || bad "cold run: $(cat err)"
ir >first
cmp -s cold first || bad "the run that fills the cache differs"
ir >second
cmp -s cold second || bad "the second run differs"
[ "$(made)" = 0 ] || bad "an unchanged run makes units"
touch src/f1.c
[ "$(made)" = 0 ] || bad "a touched file of the same content is made anew"
sed -i 's/x + K/x - K/' src/f2.c
[ "$(made)" = 1 ] || bad "one changed file should make one unit"
echo '#define K 2' >src/common.h
[ "$(made)" = $N ] || bad "a changed header should make all units"
ir --no-cache >cold
ir >again
cmp -s cold again || bad "after changes the cached run differs"
made_with_flag=$("$STANCH" show units --stats src/f1.c -- -DOTHER 2>&1 | sed -nE 's/.* ([0-9]+) stored.*/\1/p')
[ "$made_with_flag" = 1 ] || bad "other flags should make another unit"

# A header that the build writes while it is read answers no later run, but this run's units are there.
echo '#define K 3' >src/common.h && touch -d '1 hour' src/common.h
"$STANCH" check -q src/f*.c >now 2>err
"$STANCH" show ir >last 2>err || bad "units of a header from the future are not remembered: $(cat err)"
ir --no-cache >cold
cmp -s cold last || bad "what is remembered of the last run differs"
[ "$(made)" = $N ] || bad "a header from the future should make all units"
touch -d '1 hour ago' src/common.h

# Findings are kept too, and found anew when a spec or an option changes.
mkdir leak && cd leak || exit 1
printf '%s\n' '#include <stdlib.h>' 'void *get(int);' 'void drop(void *);' \
    'int f(int c) { char *p = malloc(10); if (!p) return 1; if (c < 0) return 2; free(p); return 0; }' \
    'int g(int c) { char *p = get(c); return p != 0; }' >x.c
stored() { sed -nE '/^cache/s/.* ([0-9]+) stored.*/\1/p' err; }
"$STANCH" check --stats x.c >first 2>err
[ $? -eq 1 ] && [ "$(stored)" = 2 ] || bad "a leak: $(cat first err)"
"$STANCH" check --stats x.c >second 2>err
[ $? -eq 1 ] && [ "$(stored)" = 0 ] && cmp -s first second || bad "kept findings: $(cat second err)"
"$STANCH" check --no-cache x.c >second 2>err
cmp -s first second || bad "kept findings differ from cold ones"
echo 'own void *get(int);' >get.own
"$STANCH" check --stats --spec get.own x.c >second 2>err
[ "$(stored)" = 1 ] && grep -q "x.c:5:.*from get" second || bad "a new spec is not seen: $(cat second err)"
echo 'own void get(;' >get.own
for i in 1 2; do
    "$STANCH" check --spec get.own x.c >second 2>err
    grep -q '^get.own:1:' err || bad "round $i: a wrong spec is not told: $(cat err)"
done
find .stanch/cache/v1/objects -type f | while read -r f; do truncate -s -1 "$f"; done
"$STANCH" check x.c >second 2>err
cmp -s first second || bad "damaged findings: $(cat second err)"
cd .. || exit 1

# Damage: cut, flipped and empty objects, recipes and index.
find .stanch/cache/v1/objects -type f | head -2 | while read -r f; do truncate -s 50 "$f"; done
find .stanch/cache/v1/objects -type f | sed -n 3,4p | while read -r f; do
    printf 'XXXX' | dd of="$f" bs=1 seek=200 conv=notrunc 2>/dev/null
done
find .stanch/cache/v1/objects -type f | sed -n 5p | while read -r f; do : >"$f"; done
find .stanch/cache/v1/recipes -type f | head -2 | while read -r f; do truncate -s 30 "$f"; done
ir >damaged || bad "damage gives status $?"
cmp -s cold damaged || bad "after damage the run differs"
echo garbage >.stanch/cache/v1/index.db
ir >damaged
cmp -s cold damaged || bad "with a damaged index the run differs"
grep -q 'made anew' err || bad "a damaged index is not mentioned: $(cat err)"
ir >damaged
[ ! -s err ] || bad "the index is still damaged: $(cat err)"

# Killed in the middle, several times; then interrupted politely.
rm -rf .stanch
for delay in 0.03 0.1 0.2 0.3; do
    "$STANCH" show ir -j2 src/f*.c >/dev/null 2>&1 &
    pid=$!
    sleep $delay
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
done
ir >killed
cmp -s cold killed || bad "after kill -9 the run differs"
rm -rf .stanch
# An interactive shell's Ctrl-C: background jobs of a script ignore SIGINT, so TERM stands for it. Whenever
# it comes, before, between or after the children, no scratch file stays, nor one of an observed build.
mkdir tmp
left() { ls -d .stanch/cache/v1/tmp/* tmp/stanch* 2>/dev/null; } # the build's own files are not ours
stop() { # DELAY COMMAND...: stanch, which gets the signal then
    local delay=$1 pid status
    shift
    TMPDIR=$PWD/tmp "$STANCH" "$@" >said 2>&1 &
    pid=$!
    sleep "$delay"
    kill -TERM $pid 2>/dev/null
    wait $pid
    status=$?
    [ $status -eq 143 ] || [ $status -le 1 ] || bad "SIGTERM after $delay s gives status $status: $* $(cat said)"
    [ -z "$(left)" ] || bad "SIGTERM after $delay s leaves: $* $(left)"
}
for delay in 0.004 0.012 0.02 0.04 0.08 0.2; do
    rm -rf .stanch
    stop $delay check -j2 src/f*.c
    stop $delay check -j2 --no-cache src/f*.c
done
for delay in 0.02 0.1 0.4; do stop $delay run --no-cache -- sh -c 'for f in src/f*.c; do gcc -c $f -o o.o; done; sleep 0.3'; done
ir >stopped
cmp -s cold stopped || bad "after SIGTERM the run differs"
# One that ignores the signal is not ended by it (nohup).
(trap '' TERM HUP; exec "$STANCH" show ir -j2 --no-cache src/f*.c) >ignored 2>&1 &
pid=$!
for delay in 0.02 0.05 0.1; do sleep $delay; kill -HUP $pid 2>/dev/null; kill -TERM $pid 2>/dev/null; done
wait $pid || bad "a signal that is ignored gives status $?"
cmp -s cold ignored || bad "with an ignored signal the run differs"

# Two at once.
rm -rf .stanch
ir >one & p1=$!
ir >two & p2=$!
wait $p1; s1=$?
wait $p2; s2=$?
[ "$s1$s2" = 00 ] || bad "two runs at once: status $s1 and $s2"
cmp -s cold one && cmp -s cold two || bad "two runs at once differ"

# A cache that cannot be made, or cannot be written.
echo file >notdir
ir --cache-dir=notdir >nocache || bad "status $? with an impossible cache"
cmp -s cold nocache || bad "with an impossible cache the run differs"
if [ "$(id -u)" -ne 0 ]; then
    chmod -R a-w .stanch
    ir >readonly || bad "status $? with a read-only cache"
    cmp -s cold readonly || bad "with a read-only cache the run differs"
    chmod -R u+w .stanch
fi
exit $fail
