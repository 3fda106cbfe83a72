#!/usr/bin/env bash
# Every row of doubts.def and assumptions.def matters: with the row switched off the test that it names
# must fail, and with all rows in place it passes. A row is one of
#   leak/..., idiom/..., own/...   a file with marks, for tests/leak/run
#   ROOM/test_*.sh                 a script
#   ROOM/test_*.c                  a program that switches the row off itself (its text names it)
set -u
fail=0 rows=0
real=$STANCH
rows() {
    sed -E '/^\/\//d' "$ROOT/src/doubt/doubts.def" "$ROOT/src/doubt/assumptions.def" | tr '\n' ' ' |
        grep -oE '(TRUTH|IMPACT|ASSUMPTION)\([A-Z_]+, "[^"]*",[^)]*"[^"]*"\)' |
        sed -E 's/^[A-Z]+\(([A-Z_]+), "([^"]*)",.*"([^"]*)"\)$/\1 \2 \3/'
}
passes() { # test
    case $1 in
    *.sh) mkdir -p "$TMP/dir" && TMP=$TMP/dir bash "$ROOT/tests/$1" >"$TMP/out" 2>&1 </dev/null ;;
    *) "$ROOT/tests/leak/run" -j 1 "$ROOT/tests/$1" >"$TMP/out" 2>&1 ;;
    esac
}
# Adds the option to commands that take it.
cat >"$TMP/mutant" <<'END'
#!/bin/sh
case $1 in
check | run) command=$1; shift; exec "$REAL" "$command" --without="$WITHOUT" "$@" ;;
esac
exec "$REAL" "$@"
END
chmod +x "$TMP/mutant"
export REAL=$real
sound=" "
while read -r name id test; do
    rows=$((rows + 1))
    if [ -z "$test" ]; then
        echo "$id: no test holds it"; fail=1; continue
    fi
    case $test in
    */test_*.c)
        grep -q "DOUBT_$name\b" "$ROOT/tests/$test" && grep -q 'without' "$ROOT/tests/$test" ||
            { echo "$id: $test does not switch it off"; fail=1; }
        continue ;;
    esac
    case $sound in
    *" $test "*) ;;
    *)
        STANCH=$real passes "$test" || { echo "$id: $test fails as it is"; cat "$TMP/out"; fail=1; continue; }
        sound="$sound$test " ;;
    esac
    # What the row lets through the replay may still hold back: then it matters without that.
    if STANCH=$TMP/mutant WITHOUT=$id passes "$test" &&
        { ! STANCH=$TMP/mutant WITHOUT=undecided,refuted passes "$test" ||
            STANCH=$TMP/mutant WITHOUT=$id,undecided,refuted passes "$test"; }; then
        echo "$id: $test does not notice when it is switched off"; fail=1
    fi
done < <(rows)
[ "$rows" -gt 50 ] || { echo "only $rows rows were read"; fail=1; }
exit $fail
