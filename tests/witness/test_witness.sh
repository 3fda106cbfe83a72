#!/usr/bin/env bash
# The interpreter against reality: a small part of long_witness.sh and what no generator writes.
set -u
cd "$ROOT/tests/witness" || exit 1
failed=0
./run language.c classes.cc misused.c --keep "$TMP" || failed=1
./run c --count 40 --seed 1 || failed=1
./run cxx --count 4 --seed 1 || failed=1
exit $failed
