#!/usr/bin/env bash
# Two programs, an archive and a shared library in one build: calls resolve inside their program.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
cat >one.c <<'EOF'
void usage(void);
int helper(int);
int from_lib(int);
int main(void) { usage(); return helper(1) + from_lib(2); }
EOF
sed 's/helper(1)/helper(2)/' one.c >two.c
echo 'int puts(const char *); void usage(void) { puts("one"); }' >usage1.c
echo 'int printf(const char *, ...); void usage(void) { printf("two"); }' >usage2.c
echo 'static int twice(int x) { return 2 * x; } int helper(int x) { return twice(x); }' >helper.c
echo 'int abs(int); int idle(int x) { return abs(x); }' >idle.c
echo 'static int twice(int x) { return x + x; } int from_lib(int x) { return twice(x); }' >lib.c
cat >Makefile <<'EOF'
all: one two
one: one.o usage1.o libx.a liby.so
	$(CC) -o $@ one.o usage1.o libx.a -L. -ly
two: two.o usage2.o libx.a liby.so
	$(CC) -o $@ two.o usage2.o libx.a liby.so
libx.a: helper.o idle.o
	ar rc $@ $^
liby.so: lib.c
	$(CC) -shared -fPIC -o $@ lib.c
EOF
"$STANCH" run -q -- make -s >out 2>&1 || bad "run: status $?: $(cat out)"
"$STANCH" show units >units 2>&1 || bad "show units: $(cat units)"
grep -q '^7 of 7 units' units || bad "not all units: $(cat units)"
for p in 'program one: 4 units' 'program two: 4 units' 'program libx.a: 2 units'; do
    grep -q "^$p" units || bad "no '$p' in: $(cat units)"
done
"$STANCH" show calls >calls 2>&1
awk '/^program one:/ {p = 1} /^program two:/ {p = 2} /^program lib/ {p = 3} /^usage/ {print p, $0}' calls >usages
[ "$(cat usages)" = "$(printf '1 usage -> puts\n2 usage -> printf')" ] || bad "usages: $(cat usages)"
[ "$(grep -c '^helper.c:twice$' calls)" = 2 ] || bad "static functions are mixed up: $(cat calls)"
"$STANCH" show calls main >main 2>&1
grep -q '^main -> usage, helper, from_lib$' main || bad "main's calls: $(cat main)"
grep -q '^idle' main && bad "an archive member that nobody asked for is in a program"

# Text units go the same way as compiled ones.
"$STANCH" unit helper.c -o helper.u || bad "unit"
"$STANCH" unit lib.c -o lib.unit || bad "unit"
"$STANCH" show calls helper.u lib.unit >calls 2>&1
grep -q '^lib.c:twice$' calls && grep -q '^helper -> helper.c:twice$' calls || bad "units: $(cat calls)"
"$STANCH" show units >units && grep -q '^2 of 2 units' units || bad "the last units: $(cat units)"
"$STANCH" show ir helper.u | cmp -s - helper.u || bad "a unit does not come back from its text"
sed -i 's/ret/rett/' helper.u
"$STANCH" link helper.u lib.unit >out 2>&1
[ $? -eq 2 ] && grep -q '^helper.u:[0-9]*:[0-9]*: error' out || bad "a bad text unit: $(cat out)"
exit $fail
