#!/usr/bin/env bash
# The manifest of the VS Code extension.
exec python3 -B "$ROOT/tests/lsp/manifest.py"
