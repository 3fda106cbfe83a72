#!/usr/bin/env bash
# The value flow proves nothing freed that the evaluation finds leaked.
set -u
files=("$ROOT"/tests/leak/core/[a-o]*.c "$ROOT"/tests/leak/doubt/far_jump.c)
[ "${LONG:-}" ] && files=("$ROOT"/tests/leak/*/*.c "$ROOT"/tests/idiom/*/*.c)
cd "$TMP" || exit 1
python3 "$ROOT/tests/flow/agree.py" "$STANCH" "${files[@]}" >out || { cat out; exit 1; }
grep -q "'freed': [1-9]" out || { echo "nothing is freed"; cat out; exit 1; }
