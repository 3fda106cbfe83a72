#!/usr/bin/env bash
# Compilers called by absolute path, from every kind of caller, with environments taken away; tools and
# programs that load no library; and that a build notices nothing.
. "$(dirname "$0")/lib.sh"
gcc=$(readlink -f "$(PATH=/usr/bin:/bin type -P gcc)") ar=$(PATH=/usr/bin:/bin type -P ar) ld=$(PATH=/usr/bin:/bin type -P ld)

# ---- make with absolute tools, parallel and recursive ----
fresh absolute
mkdir sub
cat >Makefile <<M
CC = $gcc
all: prog
prog: a.o b.o sub/libs.a
	\$(CC) -o \$@ a.o b.o sub/libs.a
%.o: %.c
	\$(CC) -DABS -c -o \$@ \$<
sub/libs.a: force
	\$(MAKE) -C sub CC=\$(CC) AR=$ar
.PHONY: force
M
printf 'libs.a: c.o d.o\n\t$(AR) rc $@ $^\n\t/usr/bin/ranlib $@\n' >sub/Makefile
echo 'int b(void); int main(void) { return b(); }' >a.c
echo 'int c(void); int b(void) { return c(); }' >b.c
echo 'int d(void); int c(void) { return d(); }' >sub/c.c
echo 'int d(void) { return 0; }' >sub/d.c
out=$($observe run -- make -j4 2>&1)
want "$out" '^job c a.c -> a.o : -DABS' '^job c b.c' '^job c sub/c.c' '^job c sub/d.c' \
    '^link archive sub/libs.a : sub/c.o sub/d.o$' '^link program prog : a.o b.o sub/libs.a$' '^status 0$'
want_jobs "$out" 4
want_none "$out" warning
./prog || fail 'the build did not build'

# ---- callers ----
fresh callers
echo 'int x;' >a.c
printf '.globl s\ns:\n' >s.s
out=$($observe run -- sh -c "$gcc -DSH -c a.c" 2>&1)
want "$out" '^job c a.c .*-DSH'
# An empty environment does not hide it, and the compiler gets that environment.
out=$($observe run -- env -i PATH=/usr/bin:/bin sh -c "$gcc -DEMPTY -c a.c; env" 2>&1)
want "$out" '^job c a.c .*-DEMPTY'
out=$($observe run -- env -u LD_PRELOAD sh -c "unset LD_PRELOAD; $gcc -DUNSET -c a.c" 2>&1)
want "$out" '^job c a.c .*-DUNSET'
# Every function of the family.
cat >call.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    (void)argc;
    char *gcc = argv[1], *name = "gcc";
    static char *none[] = {"PATH=/usr/bin:/bin", NULL};
    for (int i = 0; i < 11; i++) {
        char macro[16] = "-DF", *words[] = {gcc, macro, "-c", "a.c", NULL};
        macro[3] = (char)('a' + i);
        pid_t pid;
        int status;
        if (i == 0)
            posix_spawn(&pid, gcc, NULL, NULL, words, none);
        else if (i == 1)
            posix_spawnp(&pid, name, NULL, NULL, words, environ);
        else if ((pid = i == 2 ? vfork() : fork()) == 0) {
            if (i == 2) execve(gcc, words, environ);
            if (i == 3) execv(gcc, words);
            if (i == 4) execvp(name, words);
            if (i == 5) execvpe(name, words, none);
            if (i == 6) execl(gcc, "gcc", macro, "-c", "a.c", (char *)NULL);
            if (i == 7) execlp(name, "gcc", macro, "-c", "a.c", (char *)NULL);
            if (i == 8) execle(gcc, "gcc", macro, "-c", "a.c", (char *)NULL, none);
            if (i == 9) fexecve(open(gcc, O_RDONLY), words, none);
            if (i == 10) execveat(AT_FDCWD, gcc, words, none, 0);
            _exit(9);
        }
        if (waitpid(pid, &status, 0) < 0 || status) return 1;
    }
    return system("gcc -DFsystem -c a.c");
}
C
"$gcc" -o call call.c
out=$(PATH=/usr/bin:/bin $observe run -- ./call "$gcc" 2>&1)
for f in a b c d e f g h i k system; do want "$out" "^job c a.c .*-DF$f"; done
# Opened by number there is no name but that of the file: seen all the same.
want "$out" '^job c a.c .*-DFj'

# ---- programs that load no library ----
fresh static
echo 'int x;' >a.c
cat >tool.c <<'C'
#include <unistd.h>
int main(int argc, char **argv) { (void)argc; argv[0] = GCC; return execv(GCC, argv); }
C
mkdir bin
if $gcc -static -DGCC="\"$gcc\"" -o bin/gcc tool.c 2>/dev/null; then
    out=$($observe run -- sh -c "$PWD/bin/gcc -DSTATIC -c a.c" 2>&1)
    want "$out" '^job c a.c .*-DSTATIC'
    want_jobs "$out" 1
    # In PATH it has a shim.
    out=$(PATH=$PWD/bin:$PATH $observe run -- env -i PATH="$PWD/bin:/usr/bin:/bin" gcc -DBYNAME -c a.c 2>&1)
    want "$out" '^job c a.c .*-DBYNAME'
    want_jobs "$out" 1
    # A static program in between hands the library on.
    mv bin/gcc bin/step
    out=$($observe run -- "$PWD/bin/step" -DBEYOND -c a.c 2>&1)
    want "$out" '^job c a.c .*-DBEYOND'
fi
# AddressSanitizer wants to be first.
printf '#include <stdlib.h>\nint main(void) { char *p = malloc(3); int r = p[0] = 0; free(p); return r; }\n' >gen.c
if $gcc -fsanitize=address -o gen gen.c 2>/dev/null && ./gen; then
    out=$($observe run -- sh -c "$gcc -fsanitize=address -c gen.c && ./gen && echo fine" 2>&1)
    want "$out" '^fine$' '^job c gen.c'
fi

# ---- scripts, caches, response files ----
fresh scripts
echo 'int x;' >a.c
mkdir bin
printf '#!/bin/sh\nexec %s -DADDED "$@"\n' "$gcc" >bin/cc
chmod +x bin/cc
out=$($observe run -- sh -c "$PWD/bin/cc -DGIVEN -c a.c" 2>&1)
want "$out" '^job c a.c -> a.o : -DADDED -DGIVEN'
want_jobs "$out" 1
# A compiler cache that had the object and only preprocessed: its own call counts.
printf '#!/bin/sh\nexec %s -E a.c -o /dev/null\n' "$gcc" >bin/cc
out=$($observe run -- sh -c "$PWD/bin/cc -DCACHED -c a.c" 2>&1)
want "$out" '^job c a.c .*-DCACHED'
echo '-DRSP -c a.c' >args.rsp
out=$($observe run -- sh -c "$gcc @args.rsp; rm args.rsp" 2>&1)
want "$out" '^job c a.c -> a.o : -DRSP'
if command -v ccache >/dev/null; then
    export CCACHE_DIR=$TMP/ccache
    for round in miss hit; do
        out=$($observe run -- sh -c "$(type -P ccache) $gcc -D$round -DCC -c a.c" 2>&1)
        want "$out" "^job c a.c .*-D$round"
        want_jobs "$out" 1
        out=$($observe run -- sh -c "$(type -P ccache) $gcc -DSAME -c a.c" 2>&1)
        want "$out" '^job c a.c .*-DSAME'
        want_jobs "$out" 1
    done
    ln -sf "$(type -P ccache)" bin/gcc # under the compiler's name
    for round in miss hit; do
        out=$(PATH=$PWD/bin:/usr/bin:/bin $observe run -- gcc -DMASK -c a.c 2>&1)
        want "$out" '^job c a.c .*-DMASK'
        want_jobs "$out" 1
    done
fi

# ---- link steps by absolute tools, and archives that nobody was seen to make ----
fresh links
for s in a b c m; do echo "int $s(void) { return 0; }" >$s.c; done
echo 'int a(void); int main(void) { return a(); }' >m.c
out=$($observe run -- sh -c "gcc -c a.c b.c c.c; $ld -r -o ab.o a.o b.o; $ar rc libx.a ab.o c.o; gcc -o m m.c libx.a" 2>&1)
want "$out" '^link partial ab.o : a.o b.o' '^link archive libx.a : ab.o c.o' '^link program m : .* libx.a'
# A copy, and an archive made by a script on ar's standard input.
out=$($observe run -- sh -c "gcc -c a.c b.c c.c; ar rc t.a a.o; mkdir -p lib; cp t.a lib/liba.a
    printf 'CREATE all.a\nADDMOD b.o\nADDMOD c.o\nSAVE\nEND\n' | ar -M; gcc -o m m.c lib/liba.a all.a" 2>&1)
want "$out" '^link archive lib/liba.a : a.o$' '^link archive all.a : (b.o c.o|c.o b.o)$'
want_none "$out" warning
# Long member names; a damaged archive is none.
echo 'int long_name;' >a_rather_long_name_of_a_source.c
out=$($observe run -- sh -c "gcc -c a_rather_long_name_of_a_source.c a.c; ar rc t.a a_rather_long_name_of_a_source.o a.o; mv t.a l.a; gcc -o m m.c l.a" 2>&1)
want "$out" '^link archive l.a :.* a_rather_long_name_of_a_source.o' '^link archive l.a :.* a.o'
# What was linked and not seen to be compiled is said.
"$gcc" -c b.c -o hidden.o
"$gcc" -c c.c -o old.o && touch -d '2 days ago' old.o
out=$($observe run -- sh -c "cp hidden.o new.o; gcc -c a.c; gcc -o m m.c a.o new.o old.o" 2>&1)
want "$out" 'warning: 1 object file was linked that no command in sight compiled, .*: new.o$' \
    '1 file that the build links is older than the build'
for cut in 0 7 8 20 67 68 90; do
    out=$($observe run -- sh -c "gcc -c a.c; head -c $cut l.a >cut.a; gcc -o m m.c a.o; $ld -r -o r.o a.o cut.a" 2>&1)
    want "$out" '^job c a.c'
done

# ---- nothing is left behind and nothing is changed ----
fresh unchanged
echo 'int x;' >a.c
$observe run -- sh -c 'command -v gcc >seen; echo "$PATH" >>seen; cd /; gcc -c "$OLDPWD/a.c" -o "$OLDPWD/a.o"' >/dev/null 2>&1
sh -c 'command -v gcc; echo "$PATH"' >alone
cmp -s seen alone || fail 'the build sees another PATH or compiler' "$(cat seen)"
# What a compiler starts does not see us.
printf '#!/bin/sh\nenv | grep -E "^(STANCH_CAPTURE|LD_PRELOAD)" >>%s/leaked\nexec %s "$@"\n' "$PWD" "$(PATH=/usr/bin:/bin type -P as)" >as
chmod +x as
$observe run -- "$gcc" -B"$PWD" -c a.c >/dev/null 2>&1
[ ! -s leaked ] || fail 'the environment of the assembler' "$(cat leaked)"
# Somebody else's preloaded library stays. (AddressSanitizer in ourselves would not be the first then.)
echo 'int stanch_test_other;' >other.c
gcc -shared -fPIC -o other.so other.c
if [ -z "${SAN:-}" ]; then
    out=$(LD_PRELOAD=$PWD/other.so $observe run -- sh -c "echo \$LD_PRELOAD; gcc -c a.c" 2>&1)
    want "$out" "^[^:]*/stanch-preload.so:$PWD/other.so$" '^job c a.c'
fi
finish
