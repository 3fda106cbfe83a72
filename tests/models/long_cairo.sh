#!/usr/bin/env bash
# The rows of cairo.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags cairo) exec "$ROOT/tests/models/drive" cairo 60 "$(pkg-config --libs cairo)"
