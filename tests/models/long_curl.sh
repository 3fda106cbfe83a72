#!/usr/bin/env bash
# The rows of curl.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libcurl) exec "$ROOT/tests/models/drive" curl 60 "$(pkg-config --libs libcurl)"
