#!/usr/bin/env bash
# The rows of uuid.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags uuid) exec "$ROOT/tests/models/drive" uuid 60 "$(pkg-config --libs uuid)"
