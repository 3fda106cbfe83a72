#!/usr/bin/env bash
# The rows of lzma.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags liblzma) exec "$ROOT/tests/models/drive" lzma 60 "$(pkg-config --libs liblzma)"
