#!/usr/bin/env bash
# Whole programs through the whole pipeline: the report in each format is the golden one
# (ACCEPT=1 tests/run report/test_golden rewrites them), with -j1 from the sources' own directory
# and with -j2 from a copy elsewhere. How many paths were merged into a finding is left out: it
# tells how the evaluation joins its states, not what is found.
set -u
golden=$ROOT/tests/report/golden
bad=0
one() { # name, directory below ROOT, files and flags
    local name=$1 from=$2 format copy=$TMP/$1/elsewhere
    shift 2
    mkdir -p "$copy"
    cp "$ROOT/$from"/*.[ch] "$copy/"
    for format in text gcc json html sarif; do
        (cd "$ROOT/$from" && "$STANCH" check --cache-dir "$TMP/$name/cache" -j1 --format=$format "$@") \
            >"$TMP/a" 2>&1
        (cd "$copy" && "$STANCH" check --cache-dir "$TMP/$name/cache2" -j2 --format=$format "$@") \
            >"$TMP/b" 2>&1
        if ! cmp -s "$TMP/a" "$TMP/b"; then
            echo "$name, $format: not the same elsewhere"
            diff "$TMP/a" "$TMP/b" | head -5
            bad=1
        fi
        # Of the page only the data is the program's; the rest is the same for all and has its own test.
        if [ $format = html ]; then
            sed -n '/<script type="application\/json" id="data">/,/<\/script>/p' "$TMP/a" >"$TMP/data"
            mv "$TMP/data" "$TMP/a"
        fi
        sed -E -e '/^  = seen on [0-9]+ paths/d' -e 's/("merged": ?)[0-9]+/\1N/g' "$TMP/a" >"$TMP/plain"
        if [ -n "${ACCEPT:-}" ]; then cp "$TMP/plain" "$golden/program_$name.$format"; fi
        if ! diff "$golden/program_$name.$format" "$TMP/plain" >"$TMP/diff"; then
            echo "$name, $format: not the golden report; ACCEPT=1 tests/run report/test_golden rewrites it"
            head -20 "$TMP/diff"
            bad=1
        fi
    done
    "$ROOT/tests/report/sarif_check" "$TMP/a" || bad=1
}
one confcat examples/confcat main.c conf.c read.c text.c -- -D_GNU_SOURCE
one name tests/report/src name.c
one misuse tests/leak/rules double_free.c mismatched_free.c
exit $bad
