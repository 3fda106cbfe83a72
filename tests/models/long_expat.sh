#!/usr/bin/env bash
# The rows of expat.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags expat) exec "$ROOT/tests/models/drive" expat 60 "$(pkg-config --libs expat)"
