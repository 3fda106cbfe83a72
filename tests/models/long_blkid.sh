#!/usr/bin/env bash
# The rows of blkid.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags blkid) exec "$ROOT/tests/models/drive" blkid 60 "$(pkg-config --libs blkid)"
