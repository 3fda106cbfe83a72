#!/usr/bin/env bash
# Real build systems that make check does without: autotools with libtool, CMake with make and with ninja,
# Meson, ccache, distcc. Every file is seen, every link whole, nothing is said. Installs what is missing.
. "$(dirname "$0")/lib.sh"
"$ROOT/tools/deps" "$ROOT/tests/capture/packages" >/dev/null || fail 'the packages of the long tests cannot be installed'
sources() { # a library of two files and a program, in the working directory
    mkdir -p lib src
    echo 'int two(void); int one(void) { return two(); }' >lib/one.c
    echo 'int two(void) { return 0; }' >lib/two.c
    echo 'int one(void); int main(void) { return one(); }' >src/main.c
}
whole() { # NAME OUTPUT
    for f in lib/one.c lib/two.c src/main.c; do want "$2" "^job c $f"; done
    want_jobs "$2" 3
    want "$2" '^link (archive|shared) .*one.* ' '^link program .*main' '^status 0$'
    want_none "$2" 'warning: .*(linked|calls)'
}

fresh autotools
sources
cat >configure.ac <<'A'
AC_INIT([p], [1])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_CHECK_FUNCS([puts nosuch])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
A
cat >Makefile.am <<'A'
lib_LTLIBRARIES = libone.la
libone_la_SOURCES = lib/one.c lib/two.c
bin_PROGRAMS = prog
prog_SOURCES = src/main.c
prog_LDADD = libone.la
A
autoreconf -i >log 2>&1 || fail autoreconf "$(cat log)"
for how in '' '--disable-static' '--disable-shared' 'AR=/usr/bin/ar CC=/usr/bin/gcc LD=/usr/bin/ld'; do
    make distclean >/dev/null 2>&1
    whole "autotools $how" "$($observe run -- sh -c "./configure $how >log 2>&1 && make -s -j2 >>log 2>&1" 2>&1)"
    # Configured before, the tools are known by their paths.
    make clean >/dev/null 2>&1
    whole "autotools again $how" "$($observe run -- make -s -j2 2>&1)"
done

cat_cmake() { printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nadd_library(one %s lib/one.c lib/two.c)\nadd_executable(prog src/main.c)\ntarget_link_libraries(prog one)\n' "$1" >CMakeLists.txt; }
for generator in 'Unix Makefiles' Ninja; do
    for kind in STATIC SHARED; do
        fresh cmake
        sources
        cat_cmake $kind
        cmake -G "$generator" -S . -B out >log 2>&1 || fail cmake "$(cat log)"
        whole "CMake $generator" "$($observe run -- cmake --build out -j2 2>&1)"
        rm -r out
        whole "CMake $generator, configured too" "$($observe run -- sh -c "cmake -G '$generator' -S . -B out >log && cmake --build out" 2>&1)"
    done
done
fresh cmake-ccache
sources
cat_cmake STATIC
export CCACHE_DIR=$TMP/ccache
for round in miss hit; do
    rm -rf out
    cmake -S . -B out -DCMAKE_C_COMPILER_LAUNCHER=ccache >log 2>&1
    whole "CMake with ccache, $round" "$($observe run -- cmake --build out -j2 2>&1)"
done

for kind in static shared; do
    fresh meson
    sources
    printf "project('p', 'c')\nl = ${kind}_library('one', 'lib/one.c', 'lib/two.c')\nexecutable('prog', 'src/main.c', link_with: l)\n" >meson.build
    meson setup out >log 2>&1 || fail meson "$(cat log)"
    whole Meson "$($observe run -- ninja -C out 2>&1)"
done

# distcc: the compiler runs in a server that was started before, or here; under its own name or as a
# masquerade. Without a fallback, so that what it says of the server is true.
fresh distcc
sources
printf 'prog: src/main.o libone.a\n\t$(CC) -o $@ $^\nlibone.a: lib/one.o lib/two.o\n\t$(AR) rc $@ $^\n' >Makefile
export DISTCC_DIR=$TMP/distcc-state
mkdir "$DISTCC_DIR"
port=$((20000 + $$ % 20000))
user=$(id -un)
[ "$user" != root ] || user=distccd # it refuses to be root
(cd / && TMPDIR=/tmp exec distccd --daemon --no-detach --listen 127.0.0.1 --allow 127.0.0.1 --port $port --enable-tcp-insecure \
    --user "$user" --log-stderr --log-level info) >"$TMP/distccd.log" 2>&1 </dev/null &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for i in $(seq 100); do (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
for hosts in localhost "127.0.0.1:$port"; do
    for how in 'distcc gcc' "distcc $(PATH=/usr/bin:/bin type -P gcc)" gcc; do
        rm -f lib/*.o src/*.o libone.a prog
        # With the compiler's own name, distcc's links stand first in PATH.
        before=$PATH
        [ "$how" != gcc ] || PATH=/usr/lib/distcc:$PATH
        whole "distcc on $hosts: $how" "$(DISTCC_HOSTS=$hosts DISTCC_FALLBACK=0 $observe run -- make -s -j2 CC="$how" 2>&1)"
        PATH=$before
    done
done
kill $server && wait $server 2>/dev/null
[ "$(grep -c COMPILE_OK "$TMP/distccd.log")" -eq 9 ] || fail 'the server did not compile' "$(cat "$TMP/distccd.log")"
finish
