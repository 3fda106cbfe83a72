#!/usr/bin/env bash
# What a sanitizer finds in stanch is told apart from what stanch finds: status 99, and the runners fail on it.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' \
    'int main(int argc, char **argv) { char *p = malloc(8); if (getenv("OVER")) return p[argc + 8]; int x = 1; printf("%d\n", x << (argc + 40)); return argv[0][0] && p; }' >broken.c
gcc -fsanitize=address,undefined -fno-sanitize-recover=undefined -o broken broken.c || exit 1
./broken >out 2>&1
[ $? = 99 ] || bad "an undefined shift does not end with 99: $(cat out)"
OVER=1 ./broken >out 2>&1
[ $? = 99 ] || bad "a read behind a block does not end with 99: $(cat out)"
# By hand, without the environment of tests/run.
unset ASAN_OPTIONS UBSAN_OPTIONS
printf 'int f(void) { return 0; }\n' >quiet.c
for over in '' 1; do
    OVER=$over STANCH=$PWD/broken "$ROOT/tests/leak/run" quiet.c >out 2>&1 && bad "tests/leak/run passes with a broken stanch: $(cat out)"
    grep -q 'status 99' out || bad "tests/leak/run does not say it: $(cat out)"
    OVER=$over STANCH=$PWD/broken timeout 60 "$ROOT/tests/oracle/run" --count 1 --seed 1 >out 2>&1 && bad "tests/oracle/run passes with a broken stanch: $(cat out)"
    grep -q 'status 99' out || bad "tests/oracle/run does not say it: $(tail -3 out)"
done
# What the runner looks for afterwards: reports about our own code, wherever a test has put them, not those of
# programs that a test has compiled.
mkdir -p ours/src ours/build-x theirs 'with space'
cp broken.c ours/src/
(cd ours && gcc -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -o build-x/broken src/broken.c &&
    { ./build-x/broken >shift; OVER=1 ./build-x/broken >over; }) >ours/err 2>&1
cp ours/err 'with space/a log'
(cd theirs && { ../broken; OVER=1 ../broken; }) >theirs/err 2>&1
grep -q 'ERROR: AddressSanitizer' theirs/err || bad "the other program says nothing: $(cat theirs/err)"
B=build-x "$ROOT/tests/spoken" 'with space' >out || bad "a report about our own code is not seen: $(cat ours/err)"
grep -q '^src/broken.c:.*runtime error' out && grep -q 'ERROR: AddressSanitizer' out || bad "not both reports are shown: $(cat out)"
B=build-x "$ROOT/tests/spoken" theirs >out && bad "a report about another program counts: $(cat out)"
mkdir quiet && echo nothing >quiet/log
B=build-x "$ROOT/tests/spoken" quiet >out && bad "a report is seen where there is none: $(cat out)"
exit $fail
