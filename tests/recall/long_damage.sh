#!/usr/bin/env bash
# Changed result objects with their checksum put right, COUNT of them (10,000), beginning with SEED (15).
set -u
ROUNDS=${COUNT:-10000} SEED=${SEED:-15} "$ROOT/$B/tests/recall/test_damage" >"$TMP/out" 2>&1 || { tail -20 "$TMP/out"; exit 1; }
