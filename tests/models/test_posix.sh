#!/usr/bin/env bash
# The rows of posix.own against the C library.
exec "$ROOT/tests/models/drive" posix 80 "-lm -ldl -lpthread -lcrypt -lresolv"
