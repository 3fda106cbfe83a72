#!/usr/bin/env bash
# Boost's owners and containers: findings against the marks, and the marks against AddressSanitizer.
# The cases are no .cc files, so that whatever walks through tests/ needs no Boost.
set -u
"$ROOT/tools/deps" "$ROOT/tests/cxx/packages"
for f in "$ROOT"/tests/cxx/boost/*.long; do
    cp "$f" "$TMP/$(basename "$f" .long).cc"
done
out=$("$ROOT/tests/leak/run" "$TMP"/*.cc) || { echo "$out"; exit 1; }
out=$("$ROOT/tests/cxx/asan" "$TMP"/*.cc) || { echo "$out"; exit 1; }
[ "${out%% *}" -ge 20 ] || { echo "only $out"; exit 1; }
