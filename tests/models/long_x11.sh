#!/usr/bin/env bash
# The rows of x11.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags x11) exec xvfb-run -a -s "-screen 0 640x480x24 -noreset" "$ROOT/tests/models/drive" x11 60 "$(pkg-config --libs x11)"
