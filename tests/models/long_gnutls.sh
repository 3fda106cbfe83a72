#!/usr/bin/env bash
# The rows of gnutls.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" gnutls 80 "-lgnutls"
