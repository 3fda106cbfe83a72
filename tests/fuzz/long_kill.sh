#!/usr/bin/env bash
# KILLS (50) runs are killed at random moments, SEED (1). What they leave behind never changes a
# later run: its report is the same bytes as one with an empty cache, and scratch is swept.
set -u
. "$ROOT/tests/fuzz/project.sh"
cd "$TMP" || exit 1
RANDOM=${SEED:-1}
make_project project
cp "$ROOT"/tests/leak/core/*.c project/src/
cd project || exit 1
"$STANCH" check --no-cache --level=audit --format=json -o ../cold.json src/*.c 2>/dev/null
[ -s ../cold.json ] || { echo "the cold run has no report"; exit 1; }
# How long a cold run takes, in milliseconds: kills fall in the first tenth past that.
begin=$(date +%s%N)
"$STANCH" check --level=audit -o /dev/null src/*.c 2>/dev/null
span=$((($(date +%s%N) - begin) / 1000000))
rm -rf .stanch
bad=0 killed=0
for i in $(seq 1 "${KILLS:-50}"); do
    # Every third begins without a cache; an edit makes the others do some work, too.
    [ $((i % 3)) -ne 0 ] || rm -rf .stanch
    touch -d "$i seconds ago" src/leaky.c
    echo "// $i" >>src/leaky.c
    setsid "$STANCH" check --level=audit -o /dev/null src/*.c >/dev/null 2>&1 </dev/null &
    pid=$!
    sleep "$(printf '0.%03d' $(((RANDOM * 32768 + RANDOM) % (span * 11 / 10 + 1) % 1000)))"
    # The group: clang and the lowering children too.
    kill -KILL -- -$pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
    [ $((i % 5)) -eq 0 ] || continue
    "$STANCH" check --level=audit --format=json -o ../warm.json src/*.c 2>../err
    cmp -s ../cold.json ../warm.json || { echo "after kill $i the report differs: $(head -3 ../err)"; bad=1; }
done
# A child of a killed run may hold its lock for a moment longer: its scratch goes with the next run.
for try in 1 2 3 4 5 6 7 8; do
    "$STANCH" check --level=audit -o /dev/null src/*.c 2>/dev/null
    left=$(find .stanch -path '*/tmp/*' -mindepth 2 2>/dev/null | head -3)
    [ -n "$left" ] || break
    sleep 1
done
[ -z "$left" ] || { echo "scratch is left: $left"; bad=1; }
[ $killed -gt 0 ] || { echo "no run was killed"; bad=1; }
[ -z "${SAY:-}" ] || echo "$killed runs killed, seed ${SEED:-1}"
exit $bad
