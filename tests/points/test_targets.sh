#!/usr/bin/env bash
# Targets of calls through pointers in dispatch tables, callbacks in structs, containers and vtables: at
# least twice as many exact sets as a match of type signatures finds.
set -u
cd "$TMP" || exit 1
"$ROOT/bench/indirect" -v >out 2>&1 || { cat out; exit 1; }
