#!/usr/bin/env bash
# 2,000 programs of our generators, C and C++, and 500 of csmith (where it is installed), compiled with
# AddressSanitizer and interpreted: the same output, exit, misuses and leaks.
set -u
cd "$ROOT/tests/witness" || exit 1
failed=0
./run c --count "${C_COUNT:-1700}" --seed 2 -v || failed=1
./run cxx --count "${CXX_COUNT:-300}" --seed 2 -v || failed=1
./run csmith --count "${CSMITH_COUNT:-500}" --seed 1 -v || failed=1
exit $failed
