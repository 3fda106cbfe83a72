#!/usr/bin/env bash
# make install: what is installed works from its place, by itself; make uninstall takes all of it away.
set -u
bad=0
say() { echo "$1"; [ $# -lt 2 ] || sed 's/^/    /' "$2"; bad=1; }
# Built already: nothing is compiled here.
install() { make -s -C "$ROOT" "$1" B="$B" SAN="${SAN:-}" PREFIX=/opt/stanch DESTDIR="$TMP/root" >"$TMP/log" 2>&1 || say "make $1" "$TMP/log"; }
install install
top=$TMP/root/opt/stanch
for f in bin/stanch bin/stanch-cc lib/stanch/stanch-lower.so libexec/stanch/stanch-shim libexec/stanch/stanch-preload.so \
    share/man/man1/stanch.1 share/man/man1/stanch-cc.1 share/man/man5/stanch-spec.5 share/stanch/models/libc.own \
    share/bash-completion/completions/stanch share/zsh/site-functions/_stanch share/fish/vendor_completions.d/stanch.fish; do
    [ -s "$top/$f" ] || say "$f is not installed"
done
# One version, wherever it is told.
version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
[ "$("$top/bin/stanch" version)" = "stanch $version" ] || say 'the version'
grep -q "stanch $version" "$top/share/man/man1/stanch.1" || say 'the version of the man page'
grep -rq '@VERSION@' "$top" && say 'a version was not filled in'
mkdir "$TMP/work" && cd "$TMP/work" || exit 1
unset STANCH_MODELS STANCH_PRELOAD CC
export XDG_CACHE_HOME=$TMP/cache
printf '#include <stdlib.h>\nint leaks(int n) { char *p = malloc(n); return p ? 1 : 0; }\n' >a.c
gcc=$(PATH=/usr/bin:/bin type -P gcc)
"$top/bin/stanch" run --no-cache -- sh -c "$gcc -c a.c" >out 2>&1
[ $? = 1 ] && grep -q 'a.c:2:' out || say 'an observed build, the compiler by absolute path' out
"$top/bin/stanch-cc" "$gcc" -c a.c && "$top/bin/stanch" link --no-cache a.o.unit >out 2>&1
[ $? = 1 ] && grep -q 'a.c:2:' out || say 'the launcher' out
grep -q 'warning: the models' out && say 'the models were not found' out
install uninstall
find "$TMP/root" -type f >left
[ ! -s left ] || say 'uninstall leaves files' left
exit $bad
