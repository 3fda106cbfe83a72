#!/usr/bin/env bash
# The rows of gio.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags gio-2.0 gio-unix-2.0) exec "$ROOT/tests/models/drive" gio 50 "$(pkg-config --libs gio-2.0 gio-unix-2.0)"
