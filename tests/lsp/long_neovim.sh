#!/usr/bin/env bash
# Debian's neovim, headless, on a program of 100,000 lines: open, edit, save, a new diagnostic with its
# related places within 2 s of CPU, the code action applied. PROGRAM=DIR FILE=PATH: another program,
# which has a compile_commands.json; the file is edited and then put back.
set -eu
cd "$ROOT"
tools/deps tests/lsp/packages-neovim
if [ -z "${PROGRAM:-}" ]; then
    PROGRAM=$TMP/program
    python3 -B tests/lsp/program.py "$PROGRAM"
    FILE=$PROGRAM/part50.c
fi
export PROGRAM FILE LIMIT=${LIMIT:-2} HOME=$TMP XDG_STATE_HOME=$TMP XDG_DATA_HOME=$TMP XDG_CACHE_HOME=$TMP
cd "$PROGRAM"
timeout 1800 nvim --headless -u NONE -i NONE -n -c "luafile $ROOT/tests/lsp/neovim.lua"
