#!/usr/bin/env bash
# A leak in code that only tests are linked with does not matter like one in a product. What decides is
# where the build writes its programs, below the directory of the run.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
levels() { "$ROOT/tests/eval/impacts" "$1" test-program test; }
# check WHAT WANT COMMANDS: the findings of a build.
check() {
    local got status
    "$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -ec "$3" >log 2>&1
    status=$?
    got=$(levels out.json | tr '\n' ';')
    [ "$got" = "$2" ] || bad "$1: got $got, status $status
$(cat log)"
}
# leaks NAME FUNCTION MORE: a file with a function that leaks.
leaks() {
    printf '#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nvoid %s(const char *name) {\n    char *copy = strdup(name);\n    if (copy) puts(copy);\n}\n%s\n' \
        "$2" "${3:-}" >"$1"
}
mains() { printf '%sint main(int n, char **a) { while (--n > 0) { %s } return 0; }' "$1" "$2"; }
mkdir -p tests/sub src t contest
leaks src/product.c product "$(mains '' 'product(a[n]);')"
leaks tests/a.c in_test "$(mains 'void helper(const char *), library(const char *);' 'in_test(a[n]); helper(a[n]); library(a[n]);')"
leaks tests/helper.c helper
leaks src/library.c library
cc='cc -c src/product.c tests/a.c tests/helper.c src/library.c'
p='cc -o prog product.o'
check 'a directory of tests' 'helper once test;in_test once test;library once test;product recurs;' \
    "$cc; $p; cc -o tests/a a.o helper.o library.o"
check 'a name' 'helper once test;in_test once test;library once test;product recurs;' "$cc; $p; cc -o a_test a.o helper.o library.o"
"$STANCH" check -q --impact=at-exit --format=json -o out.json >log 2>&1
[ "$(levels out.json | grep -c ' once test$')" = 3 ] || bad "from the record: $(levels out.json)"
check 'another name' 'helper once test;in_test once test;library once test;product recurs;' "$cc; $p; cc -o src/test-a a.o helper.o library.o"
check 'deeper' 'helper once test;in_test once test;library once test;product recurs;' "$cc; $p; cc -o t/prog a.o helper.o library.o"
check 'no test' 'helper recurs;in_test recurs;library recurs;product recurs;' "$cc; $p; cc -o contest/latest a.o helper.o library.o"
# Also in what is no test.
check 'in both' 'helper once test;in_test once test;library recurs;product recurs;' \
    "$cc; cc -o prog product.o library.o -Wl,--defsym,keep=library; cc -o tests/a a.o helper.o library.o; cc -shared -fPIC -o lib.so src/library.c"
# Nothing but tests: they are what was asked for.
check 'only tests' 'helper recurs;in_test recurs;library recurs;' 'cc -c tests/a.c tests/helper.c src/library.c; cc -o tests/a a.o helper.o library.o'
# Below a directory of that name that is not the project's.
(cd tests/sub && cp ../../src/*.c ../*.c . && "$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -ec \
    'cc -c product.c a.c helper.c library.c; cc -o prog product.o; cc -o other a.o helper.o library.o' >log 2>&1
    levels out.json | tr '\n' ';' >got)
[ "$(cat tests/sub/got)" = 'helper recurs;in_test recurs;library recurs;product recurs;' ] || bad "below tests: $(cat tests/sub/got)"

# An archive of which only tests make use: a library for others, unless it lies among the tests, or they test a
# shared library.
check 'a static library and its test' 'helper once test;in_test once test;library recurs;product recurs;' \
    "$cc; $p; ar rc liblibrary.a library.o; ar rc tests/libhelper.a helper.o; cc -o tests/a a.o tests/libhelper.a liblibrary.a"
check 'a shared library, its test and a helper' 'helper once test;in_test once test;library recurs;product recurs;' \
    "$cc; $p; cc -shared -fPIC -o liblibrary.so src/library.c; ar rc libhelper.a helper.o; cc -o tests/a a.o libhelper.a ./liblibrary.so"
# Without link steps nothing is said.
"$STANCH" check -q --impact=at-exit --format=json -o out.json tests/a.c tests/helper.c >log 2>&1
[ "$(levels out.json | tr '\n' ';')" = 'helper recurs;in_test recurs;' ] || bad "files: $(levels out.json)"
exit $fail
