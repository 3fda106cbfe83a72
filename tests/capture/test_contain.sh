#!/usr/bin/env bash
# clang and lowering run contained: nothing is written but the scratch directory, no network, and neither /etc nor
# the home directory beside the project is read. A pretended clang tries.
. "$(dirname "$0")/lib.sh"
fresh contain/p
echo 'int x;' >x.c
said=$("$STANCH" check -v x.c 2>&1)
want "$said" 'are contained: '
printf '%s\n' "$said" | grep -q 'files by Landlock, calls by seccomp' || { echo "no Landlock or seccomp here"; finish; exit; }
real=$(readlink -f "$(type -ap clang-19 | grep -v ccache | head -1)")
cat >../clang <<S
#!/bin/bash
say() { echo "\$1" >&2; }
echo no 2>/dev/null >$TMP/contain/written && say wrote-outside
echo no 2>/dev/null >$PWD/written && say wrote-in-the-project
mkdir $TMP/contain/made 2>/dev/null && say made-a-directory
cat /etc/passwd >/dev/null 2>&1 && say read-etc
ls /root /home >/dev/null 2>&1 && say read-home
{ exec 3<>/dev/tcp/127.0.0.1/9; } 2>&1 | grep -q 'refused' && say reached-the-network
grep -q '^NoNewPrivs:.*1' /proc/self/status 2>/dev/null && say can-read-proc
exec $real "\$@"
S
chmod +x ../clang
out=$(STANCH_CLANG=$TMP/contain/clang "$STANCH" check --no-cache x.c broken.c 2>&1)
echo 'int y = ;' >broken.c
out=$(STANCH_CLANG=$TMP/contain/clang "$STANCH" check --no-cache x.c broken.c 2>&1)
want "$out" 'broken.c:1:9: error' '1 of 2 units'
want_none "$out" 'wrote-' 'made-' 'read-' 'reached-' 'can-'
[ -e ../written ] || [ -e written ] || [ -e ../made ] && fail 'something was written outside'
# A source that reaches out is told why it cannot.
echo '#include "/etc/passwd"' >reach.c
out=$("$STANCH" check --no-cache reach.c x.c 2>&1)
want "$out" 'ermission denied|file not found' 'kept from the home directory'
want_none "$out" 'root:x:0'
# Neighbours of the project are read as ever, by path and by link.
mkdir -p ../include ../q && echo '#define N 1' >../include/n.h && ln -s ../include/n.h linked.h
printf '%s\n' '#include "../include/n.h"' '#include "linked.h"' '#include <stdlib.h>' 'int z = N;' >near.c
out=$("$STANCH" check --no-cache near.c 2>&1)
want "$out" '1 of 1 unit'
finish
