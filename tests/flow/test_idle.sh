#!/usr/bin/env bash
# Which nodes the value flow calls idle, and that only they are left out of the evaluation.
# tests/leak/core/idle_nodes.c says what comes of it.
set -u
failed=0
cd "$TMP" || exit 1
file=$ROOT/tests/leak/core/idle_nodes.c
idle() { # function: lines of the file
    "$STANCH" show project "$1" --no-cache "${@:2}" "$file" |
        sed -n '/^idle by the value flow:/,$s/.*idle_nodes.c:\([0-9]*\):.*/\1/p' | sort -nu | tr '\n' ' '
}
line() { grep -n -m1 -- "$1" "$file" | cut -d: -f1; }
expect() { # function lines
    [ "$(idle "$1")" = "$2" ] || { echo "$1: idle are lines '$(idle "$1")', not '$2'"; failed=1; }
}
first=$(line 'printf("odd')
expect nothing_that_is_asked "$first $((first + 2)) $((first + 4)) $((first + 6)) $((first + 8)) "
expect print_spaces "$(line 'putchar(') "
expect set_nobody "$(line 'nobody\[1\] =') "
for f in set_test set_by_a_call read_through_a_pointer read_by_a_callee handed_over_by_value copied_elsewhere \
    read_as_bytes written_through_a_pointer ended_by_a_call kept_and_never_read only_printed printed_after_free; do
    expect $f ""
done
[ -z "$(idle print_spaces --no-flow-prune)" ] || { echo "idle with --no-flow-prune"; failed=1; }
told() { "$STANCH" check --no-cache -q --format=gcc --stats "$@" "$file" 2>err >out; sed -nE 's/.* ([0-9]+) stores and calls idle/\1/p' err; }
[ "$(told)" -ge 10 ] || { echo "not told by --stats:"; cat err; failed=1; }
[ "$(told --no-flow-prune)" = 0 ] || { echo "idle nodes with --no-flow-prune:"; cat err; failed=1; }
python3 "$ROOT/tests/flow/prune.py" "$STANCH" "$file" >out || { cat out; failed=1; }
exit $failed
