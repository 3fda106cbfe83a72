#!/usr/bin/env bash
# The rows of udev.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libudev) exec "$ROOT/tests/models/drive" udev 60 "$(pkg-config --libs libudev)"
