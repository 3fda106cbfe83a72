#!/usr/bin/env bash
# The rows of jsonc.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags json-c) exec "$ROOT/tests/models/drive" jsonc 60 "$(pkg-config --libs json-c)"
