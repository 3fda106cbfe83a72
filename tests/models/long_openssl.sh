#!/usr/bin/env bash
# The rows of openssl.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libssl libcrypto) exec "$ROOT/tests/models/drive" openssl 60 "$(pkg-config --libs libssl libcrypto)"
