#!/usr/bin/env bash
# Hundreds of random edits: programs made at random, and three that people wrote (GIVEN: directories with C files).
COUNT=${COUNT:-100}
python3 "$ROOT/tests/cache/edits.py" --stanch "$STANCH" --dir "$TMP/made" --count "$COUNT" --seed "${SEED:-7}" || exit 1
python3 "$ROOT/tests/cache/edits.py" --stanch "$STANCH" --dir "$TMP/link" --count $((COUNT / 2)) --seed "${SEED:-8}" --link || exit 1
[ -z "${GIVEN:-}" ] || python3 "$ROOT/tests/cache/edits.py" --stanch "$STANCH" --dir "$TMP/given" --count "$COUNT" \
    --seed "${SEED:-9}" --given $GIVEN || exit 1
