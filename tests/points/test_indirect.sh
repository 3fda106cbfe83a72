#!/usr/bin/env bash
# The evaluation takes the targets of calls through pointers.
set -u
cd "$TMP" || exit 1
"$STANCH" check --no-cache --impact=at-exit --format=gcc "$ROOT/tests/points/indirect.c" >out 2>err
grep -q 'indirect.c:2[3-6]:.*leak' out || { echo "the lost object is not reported"; cat out err; exit 1; }
[ "$(grep -c 'warning:' out)" = 1 ] || { echo "one report expected"; cat out err; exit 1; }
