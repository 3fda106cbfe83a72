#!/usr/bin/env bash
# The rows of gcrypt.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" gcrypt 90 "-lgcrypt"
