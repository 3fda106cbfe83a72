#!/usr/bin/env bash
# `make run` shows the leaks that examples/confcat/README.md speaks of, and ends with status 0.
set -u
cd "$ROOT" || exit 1
tools/run-example "$STANCH" >"$TMP/out" 2>&1 || { echo "run-example failed"; cat "$TMP/out"; exit 1; }
bad=0
while read -r file text rule; do
    line=$(grep -n "// $text" "examples/confcat/$file" | cut -d: -f1)
    if ! grep -qE "^$file:$line:[0-9]+: warning: .*\[$rule\]" "$TMP/out"; then
        echo "no $rule at $file:$line ($text)"
        bad=1
    fi
done <<'LIST'
conf.c forgets leak
read.c forgets leak
read.c leaves resource-leak
LIST
exit $bad
