#!/usr/bin/env bash
# stanch spec check: status and messages for good, bad, missing and several files.
set -u
failed=0
expect() { # status pattern command...
    local want=$1 pattern=$2 out status
    shift 2
    out=$("$@" 2>&1)
    status=$?
    if [ "$status" -ne "$want" ] || ! grep -qF -- "$pattern" <<<"$out"; then
        echo "status $status, wanted $want with '$pattern': $*"
        echo "$out"
        failed=1
    fi
}
cd "$ROOT/tests/spec" || exit 1
expect 0 '' "$STANCH" spec check good/stack.own
expect 0 '' "$STANCH" spec check good/stack.own good/words.own
expect 2 "declarations.own:3:9: error: 'onw' is taken as a type; did you mean 'own'?" \
    "$STANCH" spec check bad/declarations.own
expect 2 '          ^' "$STANCH" spec check bad/declarations.own
expect 2 'No such file' "$STANCH" spec check "$TMP/nosuch.own"
expect 2 'no files' "$STANCH" spec check
# A wrong file does not hide the next one.
printf 'void f(own(nosuch) char *p);\n' >"$TMP/b.own"
expect 2 'b.own:1:12' "$STANCH" spec check bad/bytes.own "$TMP/b.own"
# The models' families are known.
printf 'own(file) FILE *my_open(const char *name) or null;\n' >"$TMP/c.own"
expect 0 '' "$STANCH" spec check "$TMP/c.own"
exit $failed
