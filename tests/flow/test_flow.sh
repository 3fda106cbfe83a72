#!/usr/bin/env bash
# Memory SSA, value-flow edges, slices, guards and verdicts in the dumps.
set -u
here=$ROOT/tests/flow
failed=0
has() { grep -qF -- "$2" "$1" || { echo "missing in $1: $2"; cat "$1"; failed=1; }; }
hasnt() { ! grep -qF -- "$2" "$1" || { echo "unwanted in $1: $2"; cat "$1"; failed=1; }; }
cd "$TMP" || exit 1

# The motivating example: chi at the store, mu at the load, the graph, both slices, the guards.
"$STANCH" show flow foo --no-cache "$ROOT/tests/points/motivating.c" >f || failed=1
has f 'a_2 = chi(a_1)'
has f 'mu(a_2)'
has f '%3 -> a_2'
has f 'a_2 -> %9'
has f '%9 -> released at line 16'
has f '%3 -> parameter 1 of bar at line 18'
"$STANCH" show slice motivating.c:13 --no-cache "$ROOT/tests/points/motivating.c" >s || failed=1
has s 'foo: allocation at line 13: freed'
has s 'foo %9 -> released at line 16  if c'
has s 'bar %r -> released at line 6  if !c'
has s 'released if true, lost if false'
"$STANCH" show slice --no-cache "$here/motivating_leak.c" >l || failed=1
has l 'foo: allocation at line 13: partly'
has l 'released if c, lost if !c'
hasnt l 'bar '
"$STANCH" show slice --dot --no-cache "$here/motivating_leak.c" >d || failed=1
has d 'digraph slice {'
has d '[label="c"];'

# Regions: overlapping ones are read and written together, own variables stand apart.
"$STANCH" show flow foo --no-cache "$here/regions.c" >r || failed=1
has r 'mu(v_2) mu(R(main:x, main:y)_1) mu(R(main:x, main:z)_1)'
has r 'w_3 = chi(w_2)'
has r 'R(main:x, main:z)_2 = chi(R(main:x, main:z)_1)'
has r 'R(main:x, main:y)_2 = chi(R(main:x, main:y)_1)'
has r 'R(main:z)_3 = chi(R(main:z)_2)'
# The CALL rule: memory goes into the callee and comes back, old versions go on.
"$STANCH" show flow main --no-cache "$here/regions.c" >c || failed=1
has c 'x_2 -> memory of foo at line 23'
has c 'x_3 = chi(x_2)'
has c 'x_2 -> x_3'
"$STANCH" show flow bar --no-cache "$here/regions.c" >b || failed=1
has b 'R(main:z)_2 -> memory of the callers'

# Recursion: inside, the cells of an earlier call are seen; outside they are dead.
"$STANCH" show flow even --no-cache "$here/recursive.c" >e || failed=1
has e 'R(outer:got, odd:mine)_3 = chi(R(outer:got, odd:mine)_1)'
"$STANCH" show flow outer --no-cache "$here/recursive.c" >o || failed=1
has o 'got_3 = chi(got_2)'
hasnt o 'mine'

# A function says in its name what its allocation is.
"$STANCH" show slice --no-cache "$here/verdicts.c" >v || failed=1
for word in freed partly never escapes; do
    grep -oE "^[a-z_]+: allocation at line [0-9]+: [a-z]+" v | grep "^${word}_" |
        grep -v ": $word\$" && { echo "another verdict is expected"; failed=1; }
done
[ "$(grep -cE '^rounds_may_lose(_in_memory)?: allocation at line [0-9]+: freed \(may\)$' v)" -eq 2 ] ||
    { echo "a value that a round may lose is called freed"; grep '^rounds' v; failed=1; }
grep -qE '^freed_after_rounds: allocation at line [0-9]+: freed$' v || { echo "not freed for sure"; grep ^freed_after v; failed=1; }
[ "$(grep -c ': allocation at line' v)" -ge 15 ] || { echo "sources are missing"; cat v; failed=1; }
has v 'released if !(k < 10) or k < 10 and n < 2, lost if k < 10 and !(n < 2)'
has v 'may live on into the next iteration'
grep -q '^freed_perhaps_behind_a_jump: .*: freed (may)$' v || { echo "a call may jump: that is not sure"; failed=1; }
grep -q '^freed_before_the_jump: .*: freed$' v || { echo "the jump comes behind the release"; failed=1; }
exit $failed
