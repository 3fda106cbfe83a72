#!/usr/bin/env bash
# Random programs whose leaks and misuses are known from running them on all their inputs.
set -u
"$ROOT/tests/oracle/run" --count 2000 --seed 11 --keep "$TMP/kept"
