#!/usr/bin/env bash
# The rows of zstd.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libzstd) exec "$ROOT/tests/models/drive" zstd 60 "$(pkg-config --libs libzstd)"
