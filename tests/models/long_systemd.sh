#!/usr/bin/env bash
# The rows of systemd.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libsystemd) exec "$ROOT/tests/models/drive" systemd 60 "$(pkg-config --libs libsystemd)"
