#!/usr/bin/env bash
# The rows of pcre.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libpcre) exec "$ROOT/tests/models/drive" pcre 60 "$(pkg-config --libs libpcre)"
