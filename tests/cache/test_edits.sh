#!/usr/bin/env bash
# Random edits: a run that remembers prints the bytes of one that does not; with `link` of unit files too.
python3 "$ROOT/tests/cache/edits.py" --stanch "$STANCH" --dir "$TMP/check" --count 9 --seed 3 2>/dev/null || exit 1
python3 "$ROOT/tests/cache/edits.py" --stanch "$STANCH" --dir "$TMP/link" --count 6 --seed 4 --link 2>/dev/null || exit 1
