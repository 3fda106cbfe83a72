#!/usr/bin/env bash
# Nothing that a project is made of acts on the terminal: names of files, quoted lines, names of functions, what
# clang says. Neither control characters (C0, C1, DEL) nor what reorders text, nor bytes that are no UTF-8.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
esc=$'\033[31m' c1=$'\302\233' bidi=$'\342\200\256' raw=$'\233' del=$'\177' bell=$'\a'
ugly="x$esc$c1$bidi$raw$del$bell"
clean() { # what: the output holds none of them
    LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]' out && bad "$1: $(head -c 1500 out | cat -v)"
    iconv -f utf-8 -t utf-8 out >/dev/null 2>&1 || bad "$1: not UTF-8: $(cat -v out | head -20)"
}
try() { # what, arguments
    local what=$1
    shift
    "$STANCH" "$@" >out 2>&1 </dev/null
    [ -s out ] || bad "$what: says nothing"
    clean "$what"
}
mkdir "d$ugly" .stanch
printf 'void *malloc(unsigned long); int g(int n) { char *p = malloc(8); /* %s */\n return n; }\n' "$ugly" >"$ugly.c"
printf 'int broken(void) { return "%s" %s; }\n' "$ugly" "$ugly" >broken.c
printf '#error %s\n#include "no/%s.h"\n' "$ugly" "$ugly" >error.c
printf 'int h(void) __asm__("h%s"); int h(void) { static int s; return s; } int k(void) { return h(); }\n' '\033[31m\302\233' >asm.c
try 'a file that is not there' check "no$ugly.c"
try 'a directory' check "d$ugly"
for format in text gcc json sarif; do try "a finding, $format" check --format=$format "$ugly.c"; done
try 'what clang says' check broken.c error.c
try 'an unknown word' "$ugly"
try 'an unknown option' check "--$ugly"
try 'a thing to show' show "$ugly"
for what in units ir calls heap; do try "show $what" show $what "$ugly.c" asm.c; done
printf 'int f(%s);\nown own %s\n' "$ugly" "$ugly" >".stanch/$ugly.own"
try 'a wrong spec' check "$ugly.c"
try 'spec check' spec check ".stanch/$ugly.own" "no$ugly.own"
rm ".stanch/$ugly.own"
printf '// stanch: ignore[%s]\nint y; // stanch: ignore[leak %s\n' "$ugly" "$ugly" >sup.c
try 'a wrong suppression' check sup.c
try 'a build database' check -p "d$ugly"
printf '[{"directory": ".", "file": "%s.c", "command": "cc %s"}]' 'a\u001b[31m\u009b\u202e' 'a\u001b[31m\u009b' >"d$ugly/compile_commands.json"
try 'an entry of a build database' check -p "d$ugly"
printf '%s' "$ugly" >"$ugly.unit"
try 'a unit' link "$ugly.unit" "no$ugly.unit"
printf '%s' "$ugly" >base.json
try 'a baseline' check --baseline base.json "$ugly.c"
try 'the history' history
# The progress line, on a terminal.
if command -v script >/dev/null; then
    rm -rf .stanch
    script -qec "'$STANCH' check --color=never '$ugly.c'" typescript >/dev/null 2>&1 </dev/null
    LC_ALL=C sed -e 's/\r//g' -e 's/\x1b\[K//g' -e '/^Script /d' typescript >out
    clean 'the progress line'
fi
exit $fail
