#!/usr/bin/env bash
# The rows of libxml2.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libxml-2.0) exec "$ROOT/tests/models/drive" libxml2 60 "$(pkg-config --libs libxml-2.0)"
