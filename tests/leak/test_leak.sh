#!/usr/bin/env bash
# The leak and idiom tests that are held today: those named in tests/leak/ready.
set -u
"$ROOT/tests/leak/selftest" || { echo "tests/leak/selftest failed"; exit 1; }
grep -qE '^[^#]*[^#[:space:]]' "$ROOT/tests/leak/ready" || exit 0
exec "$ROOT/tests/leak/run"
