#!/usr/bin/env bash
# 1,000 mutated messages; with SAN=1 the sanitizers watch.
exec python3 -B "$ROOT/tests/lsp/mutate.py" 1000 1
