#!/usr/bin/env bash
# The rows of event.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libevent) exec "$ROOT/tests/models/drive" event 60 "$(pkg-config --libs libevent)"
