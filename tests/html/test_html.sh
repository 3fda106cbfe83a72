#!/usr/bin/env bash
# The HTML report in a real browser. Reports are made from hand-made findings by test_html, the
# C program beside this script; browser.js drives headless Chromium.
#   SHOTS=DIR: also writes screenshots there.
set -eu
for tool in chromium node; do
    command -v $tool >/dev/null || { echo "$tool is missing: run tools/deps"; exit 1; }
done
for kind in sample hostile many empty; do
    "$ROOT/$B/tests/html/test_html" $kind "$TMP/$kind.html"
done
# A history of three runs, in a project with a hostile name: one finding, a second, the first is fixed.
project="$TMP/<img src=x onerror=alert(1)>"
mkdir -p "$project"
leak() { printf '#include <stdlib.h>\nint %s(int n) { char *p = malloc(9); if (!p || n > 3) return 1; free(p); return 0; }\n' "$1"; }
(
    cd "$project"
    leak one >"a<b>.c" && "$STANCH" check -q "a<b>.c" || true
    leak two >>"a<b>.c" && "$STANCH" check -q "a<b>.c" || true
    leak two >"a<b>.c" && "$STANCH" check -q "a<b>.c" || true
    "$STANCH" history --format=html -o "$TMP/history.html"
    mkdir none && cd none && "$STANCH" history --format=html -o "$TMP/nohistory.html"
) >/dev/null 2>&1
node "$ROOT/tests/html/browser.js" "$TMP"
