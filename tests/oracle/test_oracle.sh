#!/usr/bin/env bash
# Random programs whose leaks and misuses are known from running them: a small part of
# long_oracle.sh.
set -u
"$ROOT/tests/oracle/run" --count 60 --seed 1
