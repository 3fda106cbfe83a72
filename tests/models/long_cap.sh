#!/usr/bin/env bash
# The rows of cap.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libcap) exec "$ROOT/tests/models/drive" cap 60 "$(pkg-config --libs libcap)"
