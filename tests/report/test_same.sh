#!/usr/bin/env bash
# Real findings, many of them: the same bytes for -j1 and -j2, in one directory and in another, cold
# and from the cache.
set -u
bad=0
one=$TMP/one two="$TMP/two ö"
mkdir -p "$one/src" "$two/src"
cp "$ROOT"/tests/leak/rules/*.c "$ROOT"/tests/leak/core/{alias,errpath,loop,realloc,recursion,wrappers}.c "$one/src/"
cp "$one"/src/* "$two/src/"
run() { # name of the result, directory, options
    (cd "$2" && "$STANCH" check --level=audit "${@:3}" src/*.c) >"$TMP/$1" 2>"$TMP/$1.err"
    [ $? -eq 1 ] || { echo "${*:3}: nothing was found: $(head -3 "$TMP/$1.err")"; bad=1; }
}
for format in text json sarif; do
    run a "$one" -j1 --format=$format
    run b "$two" -j2 --format=$format
    for end in '' .err; do
        cmp -s "$TMP/a$end" "$TMP/b$end" && continue
        echo "$format$end differs:"
        diff "$TMP/a$end" "$TMP/b$end" | head -10
        bad=1
    done
done
run c "$two" -j2 --no-cache --format=sarif
cmp -s "$TMP/a" "$TMP/c" || { echo "cold and cached runs differ:"; diff "$TMP/a" "$TMP/c" | head -10; bad=1; }
exit $bad
