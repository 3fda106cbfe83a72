#!/usr/bin/env bash
# As test_random.sh, with many more units.
SEEDS="${SEEDS:-26 2000}" exec "$ROOT/tests/cli/test_random.sh"
