#!/usr/bin/env bash
# What the marks of tests/cxx say is what AddressSanitizer and LeakSanitizer see.
set -u
out=$("$ROOT/tests/cxx/asan") || { echo "$out"; exit 1; }
# A change of how cases are written must not make them disappear.
[ "${out%% *}" -ge 300 ] || { echo "only $out"; exit 1; }
