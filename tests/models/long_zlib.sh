#!/usr/bin/env bash
# The rows of zlib.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags zlib) exec "$ROOT/tests/models/drive" zlib 60 "$(pkg-config --libs zlib)"
