#!/usr/bin/env bash
# The rows of libc.own against the C library.
exec "$ROOT/tests/models/drive" libc 80 "-lm -ldl -lpthread"
