#!/usr/bin/env bash
# Reports as the program writes them: the same bytes for any -j and below any directory, valid
# SARIF, and clear ends when the output or a named file cannot be used.
set -u
bad=0
say() { echo "$1"; bad=1; }
status() { # wanted status, words for the message; then the command
    local want=$1 words=$2
    shift 2
    "$@" >"$TMP/out" 2>"$TMP/err"
    local got=$?
    [ $got -eq "$want" ] || say "status $got, not $want: ${*:2}: $(cat "$TMP/err")"
    [ -z "$words" ] || grep -q -- "$words" "$TMP/err" || say "no '$words' from ${*:2}: $(cat "$TMP/err")"
}

make_project() {
    mkdir -p "$1/src"
    cp "$ROOT/tests/report/src/name.c" "$1/src/name.c"
    cat >"$1/src/other.c" <<'END'
#include <stdlib.h>
int other(int c)
{
    char *p = malloc(10);
    if (c > 3) return 1;
    free(p);
    return 0;
}
END
    echo '#include "missing.h"' >"$1/src/broken.c"
}
one="$TMP/one" two="$TMP/two/with blanks/ünder"
make_project "$one"
make_project "$two"
files=(src/name.c src/other.c src/broken.c)

# Byte for byte: -j1, -j2, another directory, a second run from the cache.
for format in text gcc json sarif html; do
    (cd "$one" && "$STANCH" check --format=$format -j1 "${files[@]}") >"$TMP/a" 2>/dev/null
    first=$?
    (cd "$one" && "$STANCH" check --format=$format -j2 "${files[@]}") >"$TMP/b" 2>/dev/null
    (cd "$two" && "$STANCH" check --format=$format -j2 --no-cache "${files[@]}") >"$TMP/c" 2>/dev/null
    [ $? -eq $first ] || say "$format: the status differs"
    cmp -s "$TMP/a" "$TMP/b" || say "$format: -j1 and -j2 differ"
    cmp -s "$TMP/a" "$TMP/c" || say "$format: the directory shows in the report: $(diff "$TMP/a" "$TMP/c" | head -5)"
    [ $format = gcc ] || [ -s "$TMP/a" ] || say "$format: nothing was written"
    if [ $format = sarif ]; then
        "$ROOT/tests/report/sarif_check" "$TMP/a" || bad=1
        grep -q 'src/broken.c' "$TMP/a" || say "sarif: the failed unit is not told"
    fi
done

cd "$one" || exit 1
# What was written with -o is what is printed.
"$STANCH" check --format=json -o "$TMP/o.json" src/name.c 2>/dev/null
"$STANCH" check --format=json src/name.c >"$TMP/p.json" 2>/dev/null
cmp -s "$TMP/o.json" "$TMP/p.json" || say "-o differs from standard output"

# Outputs that cannot be written: a message, status 2, nothing left behind.
status 2 'No space left' "$STANCH" check --format=html -o /dev/full src/name.c
[ -c /dev/full ] || say "/dev/full is no device any more"
status 2 'No such file' "$STANCH" check -o "$TMP/no/such/dir" src/name.c
status 2 'directory' "$STANCH" check -o "$TMP" src/name.c
"$STANCH" check --format=html src/name.c 2>"$TMP/err" >/dev/full
[ $? -eq 2 ] && grep -q 'No space left' "$TMP/err" || say "a full standard output is not told"
{ "$STANCH" check --format=html src/name.c 2>"$TMP/err"; echo $? >"$TMP/code"; } | :
[ "$(cat "$TMP/code")" = 2 ] && grep -q 'Broken pipe' "$TMP/err" || say "a closed pipe is not told: $(cat "$TMP/code" "$TMP/err")"
echo old >"$TMP/keep"
(ulimit -f 1 && trap '' XFSZ && "$STANCH" check --format=html -o "$TMP/keep" src/name.c) >/dev/null 2>"$TMP/err"
[ "$(cat "$TMP/keep")" = old ] || say "a failed report replaced the old one"
ls "$TMP"/keep.* 2>/dev/null && say "half a report was left behind"

# Files that the options name.
status 2 'no/such' "$STANCH" check --baseline no/such src/name.c
status 2 'no/such' "$STANCH" check --suppress no/such src/name.c
echo '{' >"$TMP/bad.json"
status 2 'bad.json' "$STANCH" check --baseline "$TMP/bad.json" src/name.c
status 2 'leek' "$STANCH" check --rules=-leek src/name.c

# A baseline of everything leaves nothing.
"$STANCH" check --write-baseline "$TMP/base.json" src/name.c src/other.c >/dev/null 2>&1
status 0 '' "$STANCH" check --baseline "$TMP/base.json" src/name.c src/other.c
grep -q '^no findings' "$TMP/out" || say "findings in spite of the baseline: $(cat "$TMP/out")"

# Suppressions that are none.
printf 'int x; // stanch: ignore[leak]\n' >src/comment.c
status 0 'gives no reason' "$STANCH" check src/comment.c
status 0 'matches nothing' "$STANCH" check src/comment.c

"$STANCH" history >"$TMP/history" 2>&1 || say "stanch history fails"
grep -q '^run 1 .*2 of 3 units analysed.*check' "$TMP/history" ||
    "$STANCH" history -n 100 | grep -q '^run 1 .*2 of 3 units analysed.*check' ||
    say "the first run is not in the history: $(tail -2 "$TMP/history")"
exit $bad
