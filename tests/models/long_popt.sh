#!/usr/bin/env bash
# The rows of popt.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags popt) exec "$ROOT/tests/models/drive" popt 60 "$(pkg-config --libs popt)"
