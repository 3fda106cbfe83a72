#!/usr/bin/env bash
# The rows of glib.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags glib-2.0 gobject-2.0) exec "$ROOT/tests/models/drive" glib 60 "$(pkg-config --libs glib-2.0 gobject-2.0)"
