#!/usr/bin/env bash
# Builds of every style, observed: all that they compile becomes jobs, nothing else does, and the
# build does not notice.
. "$(dirname "$0")/lib.sh"

# ---- make, recursive, parallel; quotes; archives; an assembler file; the exit status ----
fresh make
mkdir sub
cat >Makefile <<'M'
all: prog other
prog: a.o sub/libs.a
	$(CC) -o $@ a.o -Lsub -ls -lm
other: other.c sub/libs.a
	gcc -DOTHER -o $@ other.c sub/libs.a
a.o: a.c
	$(CC) -O2 -Wall -DX='"a b"' -c -o $@ a.c
sub/libs.a: force
	$(MAKE) -C sub
.PHONY: force
M
cat >sub/Makefile <<'M'
libs.a: b.o c.o s.o t.o
	ar rcs $@ $^
%.o: %.c
	gcc -g -I.. -c $<
t.o: t.S
	gcc -c t.S
M
echo 'const char *b(void); int main(void) { return b()[0] == X[0]; }' >a.c
echo 'int main(void) { return 0; }' >other.c
echo 'const char *b(void) { return ""; }' >sub/b.c
echo 'int c;' >sub/c.c
printf '.globl s\ns:\n' >sub/s.s
printf '.globl t\nt:\n' >sub/t.S
out=$($observe run -- make -j4 2>&1)
want "$out" '^job c a.c -> a.o : -DX="a b"$' '^job c sub/b.c -> sub/b.o : -I.. -U__OPTIMIZE__$' \
    '^job c sub/c.c -> sub/c.o' '^job c other.c -> other//.*/other.c : -DOTHER' \
    '^link program prog : a.o sub/libs.a -lm$' '^link archive sub/libs.a : sub/b.o sub/c.o sub/s.o sub/t.o$' \
    '^link program other : other//.*/other.c sub/libs.a$' '^skip sub/s.s assembler' '^skip sub/t.S assembler' '^status 0$'
want_jobs "$out" 4
./prog || fail 'the build did not build'
# The same build in one go gives the same text, whatever the order.
make -s -C sub clean 2>/dev/null
rm -f ./*.o sub/*.o sub/*.a prog other
again=$($observe run -- make -s 2>/dev/null)
[ "$again" = "$(printf '%s\n' "$out" | sed -n '/^job/,$p')" ] || fail 'another order, another answer' "$again"
# Nothing to do: said, with status 2 of ours and 0 of the build.
out=$($observe run -- true 2>&1) && fail 'an empty build was taken'
want "$out" 'compiled no C or C' '^status 0$'
# A failing build keeps its status and what was compiled until then.
rm -f a.o
out=$($observe run -- sh -c 'gcc -c a.c -DX=1; exit 7' 2>&1)
want "$out" '^job c a.c' '^status 7$'
out=$($observe run -- /nonexistent/build 2>&1) && fail 'a missing command was taken'
want "$out" 'cannot be run: No such file'
out=$($observe run -- sh -c 'gcc -c a.c -DX=1; kill -9 $$' 2>&1)
want "$out" '^status 137$'
# Standard streams are the build's own.
out=$(echo in | $observe run -- sh -c 'cat; echo err >&2; gcc -c a.c -DX=1' 2>err.txt)
want "$out" '^in$'
want "$(cat err.txt)" '^err$'

# ---- compilers by path, launchers, scripts, versions, odd names ----
fresh names
echo 'int x;' >a.c
mkdir -p opt/bin bin
for n in xgcc arm-linux-gnueabi-gcc; do
    printf '#!/bin/sh\nexec gcc "$@" -DFROM_%s\n' "${n%%-*}" >opt/bin/$n
    chmod +x opt/bin/$n
done
cp "$(readlink -f "$(type -P true)")" opt/bin/gcc
out=$(CC=$PWD/opt/bin/gcc $observe run -- sh -c '$CC -c a.c' 2>&1)
want "$out" '^job c a.c'
out=$($observe run -- make CC="$PWD/opt/bin/gcc -DM" a.o 2>&1)
want "$out" '^job c a.c -> a.o : -DM'
out=$($observe run -- "$PWD/opt/bin/gcc" -c a.c -DDIRECT 2>&1)
want "$out" '^job c a.c .*-DDIRECT'
# A script around the compiler: what it adds is seen, and one job comes of it.
out=$(PATH=$PWD/opt/bin:$PATH $observe run -- arm-linux-gnueabi-gcc -c a.c 2>&1)
want_jobs "$out" 1
printf '#!/bin/sh\nPATH=/usr/bin:/bin exec gcc "$@"\n' >bin/gcc
chmod +x bin/gcc
out=$(PATH=$PWD/bin:$PATH $observe run -- gcc -c a.c 2>&1)
want_jobs "$out" 1
# By its full path the compiler itself is not seen, only its assembler and linker.
printf '#!/bin/sh\nexec %s "$@"\n' "$(type -P gcc)" >bin/gcc
echo 'int main(void) { return 0; }' >m.c
out=$(PATH=$PWD/bin:$PATH $observe run -- gcc -o m m.c 2>&1)
want "$out" '^job c m.c' '^link program m '
want_jobs "$out" 1
if [ -z "$STANCH_PRELOAD" ]; then
    # Calls itself but for PATH: no endless loop among shims.
    printf '#!/bin/sh\nexec gcc -DINNER "$@"\n' >bin/gcc
    out=$(PATH=$PWD/bin:$PATH timeout 20 $observe run -- gcc -c a.c 2>&1)
    want "$out" '^job c a.c .*-DINNER' '^status 0'
    want_jobs "$out" 1
fi
rm bin/gcc
# ccache does not call the compiler on a hit: its own call counts, once.
printf '#!/bin/sh\n"$@"\n' >bin/ccache
chmod +x bin/ccache
out=$(PATH=$PWD/bin:$PATH $observe run -- sh -c 'CC="ccache gcc -m64"; $CC -c a.c' 2>&1)
want "$out" '^job c a.c -> a.o : -m64'
want_jobs "$out" 1
printf '#!/bin/sh\n: hit\n' >bin/ccache
out=$(PATH=$PWD/bin:$PATH $observe run -- ccache gcc -c a.c -DHIT 2>&1)
want "$out" '^job c a.c .*-DHIT'
out=$($observe run -- sh -c 'c99 -c a.c && c89 -c a.c -o b.o && cc -c a.c -o d.o && x86_64-linux-gnu-gcc -c a.c -o e.o' 2>&1)
want "$out" '-std=c99' '-std=c89|-std=c90|-ansi' 'd.o e.o'
want_jobs "$out" 3
# A shim goes on working after the observation, for builds that wrote down its path.
out=$($observe run -- sh -c 'command -v gcc >where; gcc -c a.c' 2>&1)
"$(cat where)" -c a.c -o later.o || fail 'a shim is of no use after the build'
[ -f later.o ] || fail 'a shim did not compile after the build'
out=$($observe run -- sh -c 'gcc -c a.c; no-such-gcc -c a.c; echo after $?' 2>&1)
want "$out" '^after 127'
# Include paths from the environment; response files that are gone when the build ends.
mkdir inc
echo '#define FROM_ENV 1' >inc/env.h
printf '#include <env.h>\nint y = FROM_ENV;\n' >e.c
echo '-DRSP="a b" -c e.c' >args.rsp
out=$(CPATH=$PWD/inc $observe run -- sh -c 'gcc @args.rsp; rm args.rsp' 2>&1)
want "$out" '^job c e.c -> e.o : -DRSP=a b .*-I.*/names/inc$'
# Two sources in one command, one source for two objects, preprocessing only.
echo 'int z;' >z.c
out=$($observe run -- sh -c 'gcc -c a.c z.c; gcc -DV=2 -c a.c -o v2.o; gcc -E a.c >/dev/null; gcc -M a.c >/dev/null; gcc -fsyntax-only a.c; echo "int q;" | gcc -x c -c - -o q.o; g++ -c a.c -o cxx.o' 2>&1)
want "$out" '^job c a.c -> a.o' '^job c a.c -> v2.o : -DV=2' '^job c z.c' '^job c\+\+ a.c -> cxx.o' 'preprocessed 4'
want_jobs "$out" 4
# ld and ar by themselves, a shared library by -l and through a symbolic link.
out=$($observe run -- sh -c 'gcc -fPIC -c a.c z.c; ld -r -o both.o a.o z.o; gcc -shared -o libq.so.1 both.o; ln -sf libq.so.1 libq.so
    echo "int main(void){return 0;}" >m.c; gcc -o m m.c -L. -lq' 2>&1)
want "$out" '^link partial both.o : a.o z.o' '^link shared libq.so.1 : both.o' '^link program m : m//.*/m.c libq.so.1$'
# Spaces in names.
mkdir 'a dir'
echo 'int s;' >'a dir/s p.c'
out=$(cd 'a dir' && $observe run -- gcc -c 's p.c' -DQ="'x y'" 2>&1)
want "$out" "^job c s p.c -> s p.o : -DQ='x y'"

# ---- a configure script: probes are no jobs ----
fresh configure
echo 'int main(void) { return 0; }' >main.c
cat >configure <<'S'
#!/bin/sh
${CC:-gcc} --version >/dev/null || exit 1
for f in puts nosuch; do
    echo "char $f(void); int main(void) { return $f(); }" >conftest.c
    if ${CC:-gcc} -o conftest conftest.c 2>/dev/null; then echo "#define HAVE_$f 1"; fi
    ${CC:-gcc} -c conftest.c 2>/dev/null
    rm -f conftest conftest.c conftest.o
done >config.h
printf 'all: main\nmain: main.o\n\t$(CC) -o $@ main.o\nmain.o: main.c\n\t$(CC) -DHAVE_CONFIG_H -I. -c main.c\n' >Makefile
S
chmod +x configure
out=$($observe run -- sh -c './configure && make -s' 2>&1)
want "$out" '^job c main.c -> main.o : -DHAVE_CONFIG_H -I.' '^link program main : main.o$' 'vanished [4-6] '
want_jobs "$out" 1
want_none "$out" conftest
[ "$(cat config.h)" = '#define HAVE_puts 1' ] || fail 'configure came to another result' "$(cat config.h)"

# ---- libtool's way: two objects for one source, convenience archives taken apart ----
fresh libtool
mkdir .libs
echo 'int a;' >a.c
echo 'int b;' >b.c
cat >build.sh <<'S'
set -e
for s in a b; do
    gcc -DLT -c $s.c -fPIC -DPIC -o .libs/$s.o
    gcc -DLT -c $s.c -o $s.o >/dev/null 2>&1
done
ar cr .libs/libconv.a .libs/a.o
mkdir -p .libs/libbig.lax/libconv.a
(cd .libs/libbig.lax/libconv.a && ar x "$PWD/../../libconv.a")
ar cr .libs/libbig.a b.o .libs/libbig.lax/libconv.a/a.o
ranlib .libs/libbig.a
rm -rf .libs/libbig.lax
S
out=$($observe run -- sh build.sh 2>&1)
want "$out" '^job c a.c -> .libs/a.o a.o : -DLT' '^link archive .libs/libbig.a : b.o .libs/a.o$'
want_jobs "$out" 2

# ---- CMake, with a precompiled header ----
if command -v cmake >/dev/null; then
    fresh cmake
    cat >CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.16)
project(p C CXX)
include(CheckFunctionExists)
check_function_exists(puts HAVE_PUTS)
add_library(l STATIC l.c)
add_library(s SHARED s.cpp)
set_target_properties(s PROPERTIES VERSION 1.2 SOVERSION 1)
add_executable(main main.c)
target_precompile_headers(main PRIVATE pch.h)
target_compile_definitions(main PRIVATE "TEXT=\"a b\"")
target_link_libraries(main l s)
M
    echo 'int l(void) { return 0; }' >l.c
    echo 'extern "C" int s() { return 0; }' >s.cpp
    echo '#define FROM_PCH 0' >pch.h
    echo 'int l(void); int s(void); int main(void) { return l() + s() + FROM_PCH; }' >main.c
    out=$($observe emit "$TMP" run -- sh -c 'cmake -S . -B out >/dev/null && cmake --build out -j2' 2>&1)
    want "$out" '^job c main.c -> .*-DTEXT="a b".*-include.*cmake_pch.h' '^job c l.c' '^job c\+\+ s.cpp' \
        '^link program out/main : out/.*main.c.o out/libl.a out/libs.so.1.2$' '^link shared out/libs.so.1.2 :' \
        '^emit 0 main.c' '^emit 0 s.cpp'
    want_jobs "$out" 3
    want_none "$out" CMakeTmp CompilerId
fi

# ---- Meson ----
if command -v meson >/dev/null; then
    fresh meson
    printf "project('p', 'c')\nexecutable('main', 'main.c', link_with: static_library('l', 'l.c'))\n" >meson.build
    echo 'int l(void) { return 0; }' >l.c
    echo 'int l(void); int main(void) { return l(); }' >main.c
    out=$($observe run -- sh -c 'meson setup out >/dev/null && ninja -C out' 2>&1)
    want "$out" '^job c main.c' '^job c l.c' '^link program out/main'
    want_jobs "$out" 2
fi
finish
