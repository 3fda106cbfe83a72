#!/usr/bin/env bash
# The rows of pam.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" pam 60 "-lpam -lpam_misc"
