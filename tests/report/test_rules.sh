#!/usr/bin/env bash
# doc/rules.md has a section for every rule of rules.def and for nothing else; in each, the first example is
# reported with that rule and no other, the second is clean, and the suppression that the section shows
# silences the finding.
set -u
page=$ROOT/doc/rules.md
bad=0
say() { echo "$1"; bad=1; }
rules=$(sed -nE 's/^RULE\([A-Z_]+, "([a-z-]+)".*/\1/p' "$ROOT/src/finding/rules.def")
[ "$(wc -w <<<"$rules")" -ge 7 ] || say "rules.def was not understood"
[ "$(sed -nE 's/^## //p' "$page" | sort)" = "$(sort <<<"$rules")" ] || say "the sections are not the rules"
example() { # rule, which
    awk -v rule="$1" -v which="$2" '
        /^## / { inside = $2 == rule }
        !inside { next }
        /^```$/ && code { code = 0; next }
        /^```c$/ { code = 1; count++; next }
        code && count == which' "$page"
}
found() { # file: the rules of its findings
    (cd "$TMP" && "$STANCH" check --no-cache --impact=at-exit --level=likely --format=gcc "$1") | sed -nE 's/.*\[([a-z-]+)\]$/\1/p' | sort -u
}
for rule in $rules; do
    example "$rule" 1 >"$TMP/bad.c"
    example "$rule" 2 >"$TMP/good.c"
    [ -s "$TMP/bad.c" ] && [ -s "$TMP/good.c" ] || { say "$rule has no two examples"; continue; }
    [ "$(found bad.c)" = "$rule" ] || say "$rule: the first example is reported as '$(found bad.c)'"
    [ -z "$(found good.c)" ] || say "$rule: the second example is reported as '$(found good.c)'"
    section=$(awk -v rule="$rule" '/^## / { inside = $2 == rule } inside' "$page")
    for part in '**Fix.**' "// stanch: ignore[$rule] REASON"; do
        grep -qF -- "$part" <<<"$section" || say "$rule: the section lacks $part"
    done
    line=$(cd "$TMP" && "$STANCH" check --no-cache --impact=at-exit --format=gcc bad.c | sed -nE "s/^bad.c:([0-9]+):.*\[$rule\]$/\1/p" | head -1)
    sed -E "${line:-1}s,( *//.*)?\$, // stanch: ignore[$rule] an example," "$TMP/bad.c" >"$TMP/quiet.c"
    [ -z "$(found quiet.c)" ] || say "$rule: the suppression does not silence it"
done
exit $bad
