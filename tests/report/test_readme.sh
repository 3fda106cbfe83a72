#!/usr/bin/env bash
# The first finding in the README is what stanch prints for the program that stands there.
set -u
cd "$TMP" || exit 1
sed -n '/^```c$/,/^```$/p' "$ROOT/README.md" | sed '1d;$d' >load.c
sed -n '/^    \$ stanch check load.c$/,/^[^ ]/p' "$ROOT/README.md" | sed -e '1d' -e '/^[^ ]/d' -e 's/^    //' >wanted
[ -s load.c ] && [ -s wanted ] || { echo "the example was not found in README.md"; exit 1; }
"$STANCH" check --no-cache load.c >printed 2>&1
# The blank line in front of the next paragraph is no part of the report.
sed -i '$d' wanted
diff wanted printed || { echo "README.md shows something else than stanch prints"; exit 1; }
