#!/usr/bin/env bash
# The rows of bzip2.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" bzip2 60 "-lbz2"
