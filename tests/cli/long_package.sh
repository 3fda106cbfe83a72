#!/usr/bin/env bash
# make deb: builds, lintian has nothing to say, the same sources give the same bytes, and what is in
# the package passes its own test.
set -u
bad=0
say() { echo "$1"; [ $# -lt 2 ] || sed 's/^/    /' "$2"; bad=1; }
"$ROOT/tools/deps" "$ROOT/tests/cli/packages" >/dev/null || exit 1
version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")
"$ROOT/tools/deb" "$version" "$TMP/one" >"$TMP/log" 2>&1 || say 'make deb' "$TMP/log"
"$ROOT/tools/deb" "$version" "$TMP/another/place" >"$TMP/log" 2>&1 || say 'make deb again' "$TMP/log"
cmp "$TMP"/one/stanch_*.deb "$TMP"/another/place/stanch_*.deb || say 'two builds give two packages'
dpkg-deb -x "$TMP"/one/stanch_[0-9]*.deb "$TMP/root" || say 'the package cannot be unpacked'
cd "$ROOT" || exit 1
mkdir "$TMP/autopkgtest"
unset STANCH_MODELS STANCH_PRELOAD
AUTOPKGTEST_TMP=$TMP/autopkgtest PATH=$TMP/root/usr/bin:$PATH packaging/debian/tests/example >"$TMP/log" 2>&1 ||
    say 'the test of the package' "$TMP/log"
exit $bad
