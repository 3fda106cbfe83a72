#!/usr/bin/env bash
# Every row of the flag table times hostile values, under strace: only our own clang is executed, nothing
# is opened for writing outside the scratch directory, no plugin is loaded.
. "$(dirname "$0")/lib.sh"
fresh table/project
d=$PWD
export XDG_STATE_HOME=$TMP/table/state XDG_CACHE_HOME=$TMP/table/cache
witness=$d/witness
printf '#include <stdio.h>\n__attribute__((constructor)) static void c(void) { FILE *f = fopen("%s", "a"); if (f) { fputs("loaded\\n", f); fclose(f); } }\n' "$witness" >evil_source
gcc -shared -fPIC -o evil.so -x c evil_source
mkdir sub @evil
# The first word is the value of the flag before. The driver knows one spelling, the compiler proper another,
# and both expand @file.
printf -- 'v -fplugin=%s/evil.so\n' "$d" >driver.rsp
for at in evil.rsp ../outside.rsp @evil/evil.rsp @evil.c evil.c sub/@evil.c sub/evil.c -evil.c; do
    printf -- 'v -load %s/evil.so\n' "$d" >"$at"
done
echo 'int x;' | tee x.c @evil/x.c >$'a\nb.c'
n=$("$ROOT/tests/capture/hostile_flags" database "$d" 2>&1)
# Not a link to ccache.
for clang in $(type -ap clang-19); do clang=$(readlink -f "$clang") && case $clang in */clang*) break ;; esac; done
# The look for leaks of our own needs ptrace itself.
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 timeout 300 strace -f -qq -y --seccomp-bpf -s 4096 -o log \
    -e trace=execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,truncate,chmod,fchmodat,mknod,mknodat,socket,connect,ptrace,mount \
    "$STANCH" check -p . >out 2>&1
status=$?
case $status in 0 | 3) good=$((good + 1)) ;; *) fail "status $status" "$(tail -20 out)" ;; esac
[ -e "$witness" ] && fail 'a plugin was loaded'
[ -e written ] && fail 'something was written'
want "$("$ROOT/tests/capture/hostile_flags" audit log "$d" "$XDG_STATE_HOME" "$STANCH" "$clang" 2>&1)" '^executed [1-9][0-9]* written [1-9][0-9]* bad 0$'
# Most of it is compiled all the same.
units=$(sed -nE 's/.*; ([0-9]+) of ([0-9]+) units? analysed.*/\1/p' out | tail -1)
[ "${units:-0}" -ge 80 ] || fail "only ${units:-no} units were analysed" "$(tail -5 out)"
finish
