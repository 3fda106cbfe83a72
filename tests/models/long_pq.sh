#!/usr/bin/env bash
# The rows of pq.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libpq) exec "$ROOT/tests/models/drive" pq 60 "$(pkg-config --libs libpq)"
