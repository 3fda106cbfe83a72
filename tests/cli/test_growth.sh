#!/usr/bin/env bash
# Functions that are large in one direction are evaluated or given up aloud, within little time and
# memory: machines of gotos, allocations in a row, nested loops, long switches, wide structs. The first
# sizes of long_growth.sh are compared too.
set -u
cd "$TMP" || exit 1
bad=0
for kind in goto alloc loops switch fields; do
    "$ROOT/tests/cli/large_function" $kind 300 >$kind.c
    "$STANCH" unit $kind.c -o $kind.unit --no-cache || { echo "$kind: no unit"; bad=1; continue; }
    # Sanitizers reserve memory and are slow: their builds have the time only.
    (
        if [ -z "${SAN:-}" ]; then ulimit -t 10 -v 786432; else ulimit -t 120; fi
        "$STANCH" link --no-cache $kind.unit >$kind.out 2>&1
    )
    status=$?
    case $status in
    0) grep -q 'given up' $kind.out && { echo "$kind: given up, but the status is 0"; bad=1; } ;;
    3) grep -q 'given up' $kind.out || { echo "$kind: status 3, and nothing is said to be given up"; bad=1; } ;;
    *)
        echo "$kind: status $status: $(tail -3 $kind.out)"
        bad=1 ;;
    esac
done
if [ -z "${SAN:-}" ] && [[ $B != *-hard* ]]; then
    SIZES='250 1000' "$ROOT/tests/cli/long_growth.sh" || bad=1
fi
exit $bad
