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
node "$ROOT/tests/html/browser.js" "$TMP"
