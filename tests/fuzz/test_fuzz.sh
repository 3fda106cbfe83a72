#!/usr/bin/env bash
# A fixed small share of the fuzzing: changed units, specs, build databases, baselines,
# suppressions, histories and sources. No crash, no hang, no status that is not documented.
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
exit $bad
