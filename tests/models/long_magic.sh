#!/usr/bin/env bash
# The rows of magic.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libmagic) exec "$ROOT/tests/models/drive" magic 60 "$(pkg-config --libs libmagic)"
