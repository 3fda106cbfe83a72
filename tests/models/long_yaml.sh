#!/usr/bin/env bash
# The rows of yaml.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags yaml-0.1) exec "$ROOT/tests/models/drive" yaml 60 "$(pkg-config --libs yaml-0.1)"
