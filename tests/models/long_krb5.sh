#!/usr/bin/env bash
# The rows of krb5.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" krb5 80 "-lkrb5 -lk5crypto -lcom_err"
