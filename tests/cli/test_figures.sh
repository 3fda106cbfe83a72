#!/usr/bin/env bash
# bench/figures: what it takes, what it says when something is missing, and its status.
set -u
fail=0
complain() { echo "FAIL: $*"; fail=1; }
figures=$ROOT/bench/figures
export BENCH_SRC=$TMP/src BENCH_WORK=$TMP/work
unset MEASURE MEASURE_DATA

"$figures" --help >"$TMP/help" 2>&1 || complain "--help ended with $?"
for section in $(sed -n 's/^SECTION: \(.*\) (all.*/\1/p' "$TMP/help"); do
    grep -q "def $section(self)" "$figures" || complain "--help names $section, which is not there"
done
grep -q '^SECTION: .* growth' "$TMP/help" || complain "--help names no sections"

for words in 'nothing' '-n' '-n 0' '-n many' '--quick --slow'; do
    # shellcheck disable=SC2086
    "$figures" $words >"$TMP/out" 2>"$TMP/err"
    status=$?
    [ $status -eq 2 ] || complain "'$words' ended with $status"
    [ ! -s "$TMP/out" ] && grep -q 'bench/figures \[' "$TMP/err" || complain "'$words' gets no usage"
done

STANCH=$TMP/none "$figures" suite >"$TMP/out" 2>"$TMP/err" && complain "it runs without a binary"
grep -q 'is not there' "$TMP/err" || complain "a missing binary is not told"

# A corpus that is not at hand is told and fails nothing; a bar that does not hold does.
"$figures" suite >"$TMP/out" 2>&1 || complain "suite ended with $? without its corpus"
grep -q 'not at hand' "$TMP/out" || complain "a missing corpus is not told"
"$figures" --quick indirect >"$TMP/out" 2>&1 || complain "indirect ended with $?"
grep -q '^indirect calls.* yes$' "$TMP/out" || complain "indirect does not hold"
STANCH=$(type -P true) "$figures" indirect >"$TMP/out" 2>&1
[ $? -eq 1 ] || complain "a bar that does not hold has another status than 1"
grep -q ' NO$' "$TMP/out" || complain "a bar that does not hold is not told"

# What it drives takes the units of a run from the cache.
mkdir -p "$TMP/one" && cd "$TMP/one" || exit 1
printf '#include <stdlib.h>\nint f(int n) { char *p = malloc(9); if (n) return 1; free(p); return 0; }\n' >x.c
"$STANCH" check -q x.c >/dev/null
"$ROOT/bench/flow" --prune . >"$TMP/out" 2>&1 || complain "bench/flow --prune ended with $?: $(cat "$TMP/out")"
grep -q '^\.: 1 findings' "$TMP/out" || complain "bench/flow --prune sees no units: $(cat "$TMP/out")"
if [ "$B" = build ]; then # its driver is made without sanitizers
    "$ROOT/bench/flow" --no-growth -n 1 x.c@. >"$TMP/out" 2>&1 || complain "bench/flow ended with $?: $(cat "$TMP/out")"
    grep -q '1 of 1 units, 2 lines' "$TMP/out" && grep -q ' 1 partly' "$TMP/out" || complain "bench/flow sees no units: $(cat "$TMP/out")"
fi
exit $fail
