#!/usr/bin/env bash
# The cost of one large function grows little faster than it: CPU time and memory of the analysis at
# 250, 1,000 and 4,000 (SIZES) states, allocations, loops, cases and fields. At most n^1.3, where it
# is more than half a second or 64 MiB, and never more than 5 s or 256 MiB. VERBOSE=1 prints all.
set -u
cd "$TMP" || exit 1
bad=0
cost() { # unit: CPU seconds and MiB of the analysis, from --stats
    (
        ulimit -t 60 -v 4194304
        "$STANCH" link --no-cache --stats "$1" 2>&1
    ) | awk '$1 == "total" {print $2, $4; found = 1} END {if (!found) print "999 9999"}'
}
for kind in goto alloc loops switch fields; do
    before=''
    for n in ${SIZES:-250 1000 4000}; do
        "$ROOT/tests/cli/large_function" $kind $n >$kind.c
        "$STANCH" unit $kind.c -o $kind.unit --no-cache || { echo "$kind $n: no unit"; bad=1; continue; }
        now=$(cost $kind.unit)
        [ -z "${VERBOSE:-}" ] || echo "$kind $n: $now"
        awk -v now="$now" -v before="$before" -v what="$kind $n" 'BEGIN {
            split(now, c); bad = c[1] > 5 || c[2] > 256
            if (split(before, b)) {
                t = log((c[1] > 0.5 ? c[1] : 0.5) / (b[1] > 0.5 ? b[1] : 0.5)) / log(4)
                m = log((c[2] > 64 ? c[2] : 64) / (b[2] > 64 ? b[2] : 64)) / log(4)
                bad = bad || t > 1.3 || m > 1.3
            }
            if (bad) printf "%s: %s s and MiB, before that %s\n", what, now, before
            exit bad
        }' || bad=1
        before=$now
    done
done
exit $bad
