#!/usr/bin/env bash
# Scripted sessions with `stanch lsp`, malformed ones among them.
exec python3 -B "$ROOT/tests/lsp/sessions.py"
