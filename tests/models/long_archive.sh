#!/usr/bin/env bash
# The rows of archive.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libarchive) exec "$ROOT/tests/models/drive" archive 60 "$(pkg-config --libs libarchive)"
