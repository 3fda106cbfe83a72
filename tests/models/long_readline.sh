#!/usr/bin/env bash
# The rows of readline.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" readline 60 "-lreadline"
