#!/usr/bin/env bash
# One job to bitcode: old C, annotations, precompiled headers, errors, dependencies, limits.
. "$(dirname "$0")/lib.sh"
fresh emit
emit() { # FILE [FLAGS...]: compiles FILE to 0.bc and shows the text
    local file=$1
    shift
    $observe emit . files "$file" -- "$@" 2>&1
}
text() { clang-19 -S -emit-llvm -Xclang -disable-llvm-passes -x ir 0.bc -o - 2>/dev/null; }

cat >old.c <<'C'
main(argc, argv) char **argv; { int x = argv; char *p = x; int *q = p; foo(x, p); void (*fp)(int) = main; long *l = &x; return; }
f() { return; } void g() { return 3; }
int h(a) { return a; }
int sw(int x) { return memcpy; }
void v(void) { char *s = 5; s = f; int a[2] = {1, 2, 3}; char e = {"x"}; struct { int i; } *t = s; t = 7; }
void fmt(void) { char b[2]; sprintf(b, "%d %s"); b[5] = 0; }
typedef int T; T *conv(const char *c) { return c; }
C
want "$(emit old.c)" '^emit 0 old.c deps 1'
want "$(emit old.c -std=gnu89 -Werror -Wall -pedantic-errors)" '^emit 0 old.c'

cat >notes.c <<'C'
#include <stdlib.h>
void drop(void *p) __attribute__((ownership_takes(pool, 1)));
void keep(void *p) __attribute__((__ownership_holds__(pool, 1)));
void *get(int n) __attribute__((__ownership_returns__(pool)));
void *make(int) __attribute__((malloc, __malloc__(drop, 1)));
static void *own(int n) __attribute__((ownership_returns(pool, 1)));
static void *own(int n) { return malloc(n); }
_Noreturn void quit(void);
void use(void) { __attribute__((cleanup(drop))) char *s = own(3); keep(get(1)); drop(make(2)); quit(); }
C
want "$(emit notes.c)" '^emit 0'
out=$(text)
want "$out" 'own.take pool, 1' 'own.hold pool, 1' '"own.ret pool\\00' 'own.malloc drop, 1' 'own.ret pool, 1' 'llvm.global.annotations' \
    'call void @drop' 'llvm.lifetime' 'declare !dbg .*@keep' 'noreturn'
# A program that has such names itself.
cat >mine.c <<'C'
#define ownership_returns(x)
#ifndef ownership_takes
#define ownership_takes(x)
#endif
#if defined(__has_attribute) && __has_attribute(ownership_holds)
#define HOLDS __attribute__((ownership_holds(m, 1)))
#else
#define HOLDS
#endif
void *a(void) ownership_returns(m); void b(void *) HOLDS;
int ownership_returns, __malloc__;
#ifdef __clang_analyzer__
#error
#endif
#ifdef __OPTIMIZE__
#error
#endif
C
want "$(emit mine.c)" '^emit 0'
# GCC's attribute in the spelling without underscores, beside the function of that name.
cat >gnu.c <<'C'
#include <stdlib.h>
void drop(void *);
void *make(int) __attribute__((malloc(drop, 1)));
void *use(void) { void *(*f)(size_t) = malloc; drop(make(1)); return malloc(malloc(2) != f(3)); }
C
want "$(emit gnu.c)" '^emit 0'
want "$(text)" 'own.malloc drop, 1' 'call .*@malloc'
# A struct member of that name is left alone.
echo 'struct a { void *(*malloc)(void *, int); }; void *f(struct a *a) { return a->malloc(a, 3); }' >member.c
want "$(emit member.c)" '^emit 0'

# Errors are clang's own, with the place; nothing is left behind.
printf 'int x = ;\n' >syntax.c
rm -f 0.bc 0.d
want "$(emit syntax.c)" '^emit 1 syntax.c' 'syntax.c:1:9: error: expected expression'
[ -e 0.bc ] || [ -e 0.d ] && fail 'a failed job left files behind'
printf '#include "nosuch.h"\n' >missing.c
want "$(emit missing.c)" "'nosuch.h' file not found"
head -c 3000000 /dev/zero | tr '\0' '(' >deep.c
want "$(timeout 60 "$observe" emit . files deep.c 2>&1)" '^emit [12] deep.c'
head -c 100000 /dev/urandom >noise.c
want "$(emit noise.c)" '^emit 1 noise.c'

# A precompiled file beside a header that is not one.
printf '#define P 1\n' >p.h
echo nonsense >p.h.gch
echo nonsense >p.h.pch
echo 'int p = P;' >p.c
want "$(emit p.c -include p.h)" '^emit 0 p.c deps 2'
# Flags of GCC and processors that clang does not have.
want "$(emit p.c -DP=1 -march=i9999 -fno-tree-vrp -mfpu=neon -fanalyzer -Wno-such)" '^emit 0'
echo '_Static_assert(sizeof(long) == 4 && (char)-1 > 0, "");' >small.c
want "$(emit small.c -m32 -funsigned-char)" '^emit 0'
want "$(emit p.c -DP=1 -funsigned-char -fshort-enums -D_FORTIFY_SOURCE=2)" '^emit 0'
# Every -std of GCC, and some to come.
standards='c89 c90 iso9899:1990 iso9899:199409 gnu89 gnu90 c99 c9x iso9899:1999 gnu99 gnu9x c11 c1x iso9899:2011 gnu11 gnu1x
    c17 c18 iso9899:2017 gnu17 gnu18 c2x gnu2x c23 gnu23 gnu2y gnu26'
echo 'int s_;' >s.c
{
    echo '[0'
    for s in $standards; do printf ',{"directory": "%s", "file": "s.c", "arguments": ["gcc", "-std=%s", "-DN=%s", "-c", "s.c"]}\n' "$PWD" "$s" "$s"; done
    echo ']'
} >std.json
out=$($observe emit . compdb std.json 2>&1)
want_jobs "$out" 27
want_none "$out" '^emit [1-9]'
# Old and new C++, C++ flags for a C file and the other way round.
printf '#include <vector>\n#include <string>\nint f() { std::vector<std::string> v(3); return v.size(); }\n' >v.cc
want "$(emit v.cc -std=c++98 -std=gnu11)" '^emit 0 v.cc deps [0-9]{2,}'
want "$(emit v.cc -std=c++20 -fno-rtti -fgnu89-inline)" '^emit 0'
want "$(emit s.c -std=c++11 -fno-rtti)" '^emit 0'

# The same job, the same bytes: __DATE__ too.
echo 'const char *when = __DATE__ __TIME__;' >date.c
emit date.c >/dev/null
cp 0.bc first.bc
sleep 1
emit date.c >/dev/null
cmp 0.bc first.bc || fail 'two runs, two answers'
finish
