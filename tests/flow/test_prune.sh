#!/usr/bin/env bash
# Nothing that the evaluation alone finds is lost by leaving out what the value flow says does not
# matter.
set -u
files=("$ROOT"/tests/leak/core/[p-z]*.c "$ROOT"/tests/flow/*.c "$ROOT"/tests/points/*.c)
[ "${LONG:-}" ] && mapfile -t files < <(find "$ROOT"/tests/{leak,idiom,flow,points,own} -name '*.c' -o -name '*.cc' | sort)
cd "$TMP" || exit 1
python3 "$ROOT/tests/flow/prune.py" "$STANCH" "${files[@]}" >out || { cat out; exit 1; }
