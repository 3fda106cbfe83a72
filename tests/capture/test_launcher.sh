#!/usr/bin/env bash
# stanch-cc: units beside the objects of any build, which does not notice.
. "$(dirname "$0")/lib.sh"
cc=$ROOT/$B/stanch-cc
fresh plain
mkdir obj
printf '#include <stdlib.h>\nchar *make(void) { return malloc(3); }\n' >make.c
printf 'char *make(void); int main(void) { char *p = make(); return p == 0; }\n' >main.c
cat >Makefile <<'M'
prog: obj/main.o obj/make.o
	$(CC) -o $@ $^
obj/%.o: %.c
	$(CC) -DWHAT='"a b"' -c -o $@ $<
M
make -s -j2 CC="$cc gcc" >out 2>&1 || fail 'the build failed' "$(cat out)"
[ ! -s out ] || fail 'the build said something' "$(cat out)"
./prog || fail 'the program does not run'
ls obj/main.o.unit obj/make.o.unit >/dev/null || fail 'no units'
[ ! -e .stanch ] || fail 'the launcher left .stanch behind'
out=$("$STANCH" link --impact=at-exit --no-cache $(find . -name '*.unit') 2>&1)
[ $? = 1 ] || fail 'the leak over two files was not found' "$out"
want "$out" 'main.c:1:' 'make.c:2'

# ---- the compiler's own output, status and signals ----
echo 'int broken( {' >broken.c
touch broken.o.unit
"$cc" gcc -c broken.c >mine 2>&1
mine=$?
gcc -c broken.c >theirs 2>&1
[ $mine = $? ] && cmp -s mine theirs || fail 'a failing compile looks another way' "$(cat mine)"
"$cc" /nonexistent/gcc -c main.c >out 2>&1
[ $? = 127 ] || fail 'a missing compiler' "$(cat out)"
"$cc" sh -c 'kill -TERM $$' >out 2>&1
[ $? = 143 ] || fail 'a compiler that is killed'
"$cc" gcc --version >mine 2>&1
gcc --version >theirs
cmp -s mine theirs || fail 'the version'
# No object, no unit: preprocessing, a header, a configure script's probe.
rm -f ./*.unit
echo 'int main(void) { return 0; }' >conftest.c
"$cc" gcc -c conftest.c && "$cc" gcc -E main.c >/dev/null && "$cc" gcc -fsyntax-only main.c
[ -z "$(ls ./*.unit 2>/dev/null)" ] || fail 'units of nothing' "$(ls)"
# Compiled and linked at once; two sources; C++ by the compiler's name; response files; a launcher behind.
"$cc" gcc -o both main.c make.c && ls both.main.c.unit both.make.c.unit >/dev/null || fail 'compile and link at once'
echo 'struct A { A() {} int x; }; A a;' >cxx.c
"$cc" g++ -c cxx.c -o cxx.o && want "$("$STANCH" show units cxx.o.unit 2>&1)" 'c\+\+'
echo '-DRSP=1 -c main.c -o rsp.o' >rsp
"$cc" gcc @rsp && [ -e rsp.o.unit ] || fail 'response file'
printf '#!/bin/sh\nexec "$@"\n' >ccache
chmod +x ccache
"$cc" ./ccache gcc -c main.c -o through.o && [ -e through.o.unit ] || fail 'a launcher behind the launcher'
# What our clang cannot compile is said, and the build goes on; an old unit does not stay.
printf 'int f(void) { int x = 0; __builtin_gcc_only_thing(); return x; }\nregister int r asm("nosuch");\n' >odd.c
printf '#!/bin/sh\n: >odd.o\n' >gcc
chmod +x gcc
touch odd.o.unit
out=$("$cc" ./gcc -c odd.c -o odd.o 2>&1) || fail 'a unit that cannot be made fails the build' "$out"
want "$out" 'odd.c: clang cannot compile it'
[ ! -e odd.o.unit ] || fail 'a stale unit stayed'

# ---- CMake ----
if command -v cmake >/dev/null; then
    fresh cmake
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nadd_library(l STATIC sub/l.c)\nadd_executable(main main.c)\ntarget_link_libraries(main l)\n' >CMakeLists.txt
    mkdir sub
    printf '#include <stdlib.h>\nchar *l(void) { return malloc(3); }\n' >sub/l.c
    echo 'char *l(void); int main(void) { char *p = l(); return p == 0; }' >main.c
    cmake -S . -B out -DCMAKE_C_COMPILER_LAUNCHER="$cc" >log 2>&1 && cmake --build out >>log 2>&1 || fail 'cmake' "$(cat log)"
    out=$("$STANCH" link --impact=at-exit --no-cache $(find out -name '*.unit') 2>&1)
    want "$out" '2 of 2 units' 'main.c:1:'
fi
finish
