#!/usr/bin/env bash
# Only files that the compiler has read are quoted: a #line directive can name any file of the machine.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
mkdir secret p && cd p || exit 1
for i in $(seq 20); do echo "token-$i-of-the-secret"; done | tee ../secret/shadow >.env
printf '%s\n' 'char *copy(int n) { char *p = malloc(n); return p; } /* told in the header */' >used.h
ln -s ../secret/shadow link.h
leak() { printf 'void *malloc(unsigned long); int f%s(int n) { char *p = malloc(8); if (!p) return 1;\n return n; }\n' "$1"; }
{
    echo 'int x;'
    n=0
    for name in "$TMP/secret/shadow" ../secret/shadow .env ./.env "$TMP/p/.env" link.h; do
        n=$((n + 1))
        printf '#line 3 "%s"\n' "$name"
        leak $n
    done
} >lines.c
leak clean >plain.c
for format in text gcc json sarif html; do
    for j in 1 2 3; do # cold, from the cache, the last run's units
        [ $j = 3 ] && set -- || set -- lines.c plain.c
        "$STANCH" check --level=audit -v --format=$format "$@" >out 2>&1
        [ $? = 1 ] || bad "$format: status: $(cat out)"
        grep -q 'of-the-secret' out && bad "$format, run $j: quotes what clang did not read: $(grep of-the-secret out | cut -c1-200 | head -3)"
        grep -q 'shadow' out || bad "$format: the position is not told: $(cat out)"
    done
done
"$STANCH" check lines.c plain.c >out 2>&1
grep -q 'char \*p = malloc(8)' out || bad "a file that was read is not quoted: $(cat out)"
grep -q 'did not read this file' out || bad "why it is not quoted is not told: $(cat out)"
# The same through units, and what a unit from elsewhere claims to have read.
"$STANCH" unit lines.c -o lines.unit && "$STANCH" unit lines.c -o lines.u || bad 'no unit'
sed -e 's/ foreign$//' lines.u >forged.u
for u in lines.unit lines.u; do
    for format in text html; do
        "$STANCH" link --format=$format $u >out 2>&1
        grep -q 'of-the-secret' out && bad "$u: quotes what clang did not read"
    done
done
"$STANCH" link forged.u >out 2>&1
grep -A3 -E 'shadow:|link.h:' out | grep -q 'of-the-secret' && bad "a forged unit shows a file outside: $(cat out)"
# A grammar is not quoted either, but suppressions in it count.
printf '%s\n' '%token A' '' '' '/* stanch: ignore[leak] the parser is used once */' 'p = malloc(8);' >gram.y
printf '%s\n' 'void *malloc(unsigned long);' 'void g(void) {' 'char *p;' '#line 5 "gram.y"' 'p = malloc(8); p = 0; }' >gram.c
"$STANCH" check gram.c >out 2>&1
[ $? = 0 ] || bad "a suppression in a grammar: $(cat out)"
exit $fail
