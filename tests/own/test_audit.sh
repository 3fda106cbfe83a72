#!/bin/bash
# The sound mode: every leak and double free that is marked in the suite is told at --level=audit.
set -u
"$ROOT/tests/leak/run" --audit >"$TMP/audit" || { cat "$TMP/audit"; exit 1; }
