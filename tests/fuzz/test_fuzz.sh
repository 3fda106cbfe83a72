#!/usr/bin/env bash
# A fixed small share of the fuzzing: changed units, specs, build databases, baselines,
# suppressions, histories and sources. No crash, no hang, no status that is not documented, nothing
# written outside.
# long_fuzz.sh does the same for hours.
set -u
. "$ROOT/tests/fuzz/inputs.sh"
cd "$TMP" || exit 1
fuzz_inputs || { echo "the inputs could not be made"; exit 1; }
bad=0
for kind in $kinds; do
    case $kind in source-*) count=12 ;; spec) count=60 ;; *) count=150 ;; esac
    [ -z "${SAN:-}" ] || count=$((count / 3))
    fuzz_kind "$kind" $count 1 >out 2>&1 || { cat out; bad=1; }
done
# The watch itself: a secret that is kept elsewhere is a file outside.
mkdir -p below && cd below || exit 1
"$fuzz" cache-index --count 1 --state "$TMP/elsewhere" ../in/cache-index/* >out 2>&1 && { echo "writing outside was not seen"; bad=1; }
grep -q 'writes outside of the working directory' out || { cat out; bad=1; }
exit $bad
