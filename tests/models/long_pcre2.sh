#!/usr/bin/env bash
# The rows of pcre2.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libpcre2-8) exec "$ROOT/tests/models/drive" pcre2 60 "$(pkg-config --libs libpcre2-8)"
