#!/usr/bin/env bash
# The rows of jansson.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags jansson) exec "$ROOT/tests/models/drive" jansson 60 "$(pkg-config --libs jansson)"
