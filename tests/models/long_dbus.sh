#!/usr/bin/env bash
# The rows of dbus.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags dbus-1) exec "$ROOT/tests/models/drive" dbus 60 "$(pkg-config --libs dbus-1)"
