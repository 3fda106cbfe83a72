#!/usr/bin/env bash
# The rows of ncurses.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
exec "$ROOT/tests/models/drive" ncurses 60 "-lform -lmenu -lpanel -lncurses -ltinfo"
