#!/usr/bin/env bash
# The first few kills of long_kill.sh.
KILLS=5 exec "$ROOT/tests/fuzz/long_kill.sh"
