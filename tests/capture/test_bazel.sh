#!/usr/bin/env bash
# The command lines of a Bazel build, in the form of `bazel build -s` (bazel.log beside this), run again
# under observation: absolute tools, an empty environment, parameter files.
. "$(dirname "$0")/lib.sh"
fresh bazel
out=bazel-out/k8-fastbuild/bin
mkdir -p lib main $out/lib/_objs/greet $out/main/_objs/hello
echo '#include <stdlib.h>
char *greet(void) { char *p = malloc(9); if (p) p[0] = GREETING[0]; return p; }' >lib/greet.c
echo 'char *greet(void); int main(void) { char *p = greet(); return p == 0; }' >main/hello.c
printf 'rcsD\n%s/lib/libgreet.a\n%s/lib/_objs/greet/greet.pic.o\n' $out $out >$out/lib/libgreet.a-2.params
printf -- '-o\n%s/main/hello\n%s/main/_objs/hello/hello.pic.o\n%s/lib/libgreet.a\n-Wl,-S\n-lm\n' $out $out $out >$out/main/hello-2.params
sed -e "s|EXECROOT|$PWD|" -e '/^SUBCOMMAND:/d' -e '/^INFO:/d' "$ROOT/tests/capture/bazel.log" >replay.sh
seen=$($observe run -- sh -e replay.sh 2>&1)
want "$seen" "^job c lib/greet.c -> $out/lib/_objs/greet/greet.pic.o : .*-DGREETING=\"good day\"" \
    "^job c main/hello.c -> $out/main/_objs/hello/hello.pic.o" \
    "^link archive $out/lib/libgreet.a : $out/lib/_objs/greet/greet.pic.o\$" \
    "^link program $out/main/hello : $out/main/_objs/hello/hello.pic.o $out/lib/libgreet.a -lm\$" '^status 0$'
want_jobs "$seen" 2
want_none "$seen" warning
$out/main/hello || fail 'the program does not run'
finish
