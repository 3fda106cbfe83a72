#!/usr/bin/env bash
# Random valid units through the whole analysis: no crash, no hang, the same bytes for -j1 and -j2.
#   SEEDS="FIRST LAST": others than the few of every run (long_random.sh)
set -u
read -r first last <<<"${SEEDS:-1 25}"
bad=0
for seed in $(seq "$first" "$last"); do
    unit=$TMP/r.u
    "$ROOT/tests/cli/random_unit" "$seed" >"$unit" || { echo "random_unit $seed failed"; exit 1; }
    timeout 60 "$STANCH" link --no-cache -j1 --level=audit --format=json "$unit" >"$TMP/a" 2>"$TMP/a.err"
    status=$?
    case $status in
    0 | 1 | 3) ;;
    *)
        echo "tests/cli/random_unit $seed: status $status"
        head -20 "$TMP/a.err"
        bad=1
        continue ;;
    esac
    # A second run costs as much again: every fifth will do.
    [ $((seed % 5)) -eq 0 ] || continue
    timeout 60 "$STANCH" link --no-cache -j2 --level=audit --format=json "$unit" >"$TMP/b" 2>/dev/null
    cmp -s "$TMP/a" "$TMP/b" || { echo "tests/cli/random_unit $seed: -j1 and -j2 differ"; bad=1; }
done
exit $bad
