#!/usr/bin/env bash
# The rows of ldap.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=-DLDAP_DEPRECATED=1 exec "$ROOT/tests/models/drive" ldap 60 "-lldap -llber"
