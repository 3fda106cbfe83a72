#!/usr/bin/env bash
# What a linked library exports decides what of it can be called: a version script, hidden visibility,
# a list of symbols. What nothing calls and nobody outside can name is dead, and what only dead code
# calls; a twin of each is alive.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
# Functions that leak, with their impact and whether never-called is among the reasons.
levels() { "$ROOT/tests/eval/impacts" "$1" never-called dead; }
# check WHAT WANT COMMANDS: the findings of a build, and again from its record.
check() {
    rm -rf .stanch ./*.o ./*.so ./*.a
    "$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -ec "$3" >log 2>&1
    local status=$? got
    got=$(levels out.json | tr '\n' ';')
    [ "$got" = "$2" ] || bad "$1: got $got, status $status
$(cat log)"
    rm -f ./*.o ./*.so ./*.a out.json
    "$STANCH" check -q --impact=at-exit --format=json -o out.json >log 2>&1
    got=$(levels out.json | tr '\n' ';')
    [ "$got" = "$2" ] || bad "$1, from the record: got $got
$(cat log)"
}
cat >plugin.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LEAKS(name) { char *copy = strdup(name); if (copy) puts(copy); }
#ifndef API
#define API
#endif
void inner(const char *name) LEAKS(name)
void of_the_dead(const char *name) LEAKS(name)
void nobody(const char *name) { LEAKS(name) of_the_dead(name); }
API void plugin_init(const char *name) { LEAKS(name) inner(name); }
END_C
alive='inner recurs;nobody recurs;of_the_dead recurs;plugin_init recurs;'
dead='inner recurs;nobody once dead;of_the_dead once dead;plugin_init recurs;'
check 'no list' "$alive" 'cc -fPIC -shared -o plugin.so plugin.c'
printf '{ global: plugin_*; local: *; };\n' >plugin.ver
check 'a version script' "$dead" 'cc -fPIC -shared -o plugin.so plugin.c -Wl,--version-script=plugin.ver'
check 'a version script that a build deletes' "$dead" \
    'printf "V1 { global: plugin_init; local: *; };" >x.ver
     cc -c -fPIC plugin.c; cc -shared -o plugin.so plugin.o -Wl,-version-script,x.ver; rm x.ver'
printf 'V1 { global: extern "C++" { none*; }; plugin_init; };\nV2 { global: nobody; local: *; } V1;\n' >two.ver
check 'two versions' 'inner recurs;nobody recurs;of_the_dead recurs;plugin_init recurs;' \
    'cc -fPIC -shared -o plugin.so plugin.c -Wl,--version-script=two.ver'
check 'hidden by a flag' "$dead" \
    'cc -fPIC -fvisibility=hidden -DAPI="__attribute__((visibility(\"default\")))" -shared -o plugin.so plugin.c'
check 'an archive in a library with a list' "$dead" \
    'cc -fPIC -c plugin.c; ar rc libplugin.a plugin.o
     cc -shared -o plugin.so -Wl,--whole-archive libplugin.a -Wl,--no-whole-archive -Wl,--version-script=plugin.ver'
check 'an archive that is not linked' "$alive" 'cc -c plugin.c; ar rc libplugin.a plugin.o'
check 'in two libraries, one without a list' "$alive" \
    'cc -fPIC -c plugin.c; cc -shared -o other.so plugin.o; cc -shared -o plugin.so plugin.o -Wl,--version-script=plugin.ver'
check 'the library is gone when the build ends' "$alive" \
    'cc -fPIC -c plugin.c; cc -shared -o plugin.so plugin.o -Wl,--version-script=plugin.ver; rm plugin.so'

# A program that links the library; one that is linked for plug-ins; one that is static.
echo 'void plugin_init(const char *); int main(int n, char **a) { while (--n > 0) plugin_init(a[n]); return 0; }' >main.c
check 'a library of a program, with a list' "$dead" \
    'cc -fPIC -shared -o plugin.so plugin.c -Wl,--version-script=plugin.ver; cc -o main main.c ./plugin.so'
check 'a library of a program, without' "$alive" \
    'cc -fPIC -shared -o plugin.so plugin.c; cc -o main main.c ./plugin.so'
check 'a program' "$dead" 'cc -o main main.c plugin.c'
check 'a static program' "$dead" 'cc -static -o main main.c plugin.c'
check 'a program for plug-ins' "$alive" 'cc -rdynamic -o main main.c plugin.c'
printf '{ nobody; };\n' >dynamic.list
check 'a program for plug-ins, by a list' 'inner recurs;nobody recurs;of_the_dead recurs;plugin_init recurs;' \
    'cc -o main main.c plugin.c -Wl,--dynamic-list=dynamic.list'

# Who else can call it: a table that is exported or not, another name, the start and the end of the
# process, an assembler's code.
cat >ways.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LEAKS(name) { char *copy = strdup(name); if (copy) puts(copy); }
struct ops { void (*run)(const char *); };
void in_exported(const char *name) LEAKS(name)
void in_hidden(const char *name) LEAKS(name)
void in_used(const char *name) LEAKS(name)
struct ops plugin_ops = {in_exported}, hidden_ops = {in_hidden};
struct ops used_ops = {in_used};
void by_alias(const char *name) LEAKS(name)
extern __typeof(by_alias) plugin_alias __attribute__((alias("by_alias")));
static void static_alias(const char *name) LEAKS(name)
extern __typeof(static_alias) plugin_static __attribute__((alias("static_alias")));
void by_version(const char *name) LEAKS(name)
__asm__(".symver by_version, plugin_versioned@V1");
void by_assembler(const char *name) LEAKS(name)
__attribute__((constructor)) void at_start(void) LEAKS(getenv("A"))
__attribute__((destructor)) void at_end(void) LEAKS(getenv("A"))
__attribute__((used)) void kept(const char *name) LEAKS(name)
void given_away(const char *name) LEAKS(name)
void plugin_give(void (**to)(const char *)) { *to = given_away; }
struct ops *plugin_used(int n) { return n ? &used_ops : NULL; }
END_C
printf '.globl plugin_jump\nplugin_jump: jmp by_assembler@PLT\n.section .note.GNU-stack,"",@progbits\n' >jump.s
printf 'V1 { global: plugin_*; local: *; };\n' >ways.ver
want='at_end recurs;at_start recurs;by_alias recurs;by_assembler recurs;by_version recurs;given_away recurs;'
want=$want'in_exported recurs;in_hidden once dead;in_used recurs;kept recurs;static_alias recurs;'
check 'other ways' "$want" \
    'cc -fPIC -c ways.c; as -o jump.o jump.s; cc -shared -o ways.so ways.o jump.o -Wl,--version-script=ways.ver'
# The same without the assembler's code.
check 'other ways, one less' "${want/by_assembler recurs/by_assembler once dead}" \
    'cc -fPIC -c ways.c; cc -shared -o ways.so ways.o -Wl,--version-script=ways.ver'

# All callers are seen: what none of them passes is no finding.
cat >passes.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void copies(const char *name, int how) {
    char *copy = strdup(name);
    if (copy) puts(copy);
    if (how != 2) free(copy);
}
void plugin_init(const char *name) { copies(name, 1); }
END_C
check 'what callers pass' '' 'cc -fPIC -shared -o plugin.so passes.c -Wl,--version-script=plugin.ver'
check 'what others may pass' 'copies recurs;' 'cc -fPIC -shared -o plugin.so passes.c'

# Results that were kept for the one are not used for the other.
list='cc -fPIC -shared -o plugin.so plugin.c passes.c -Wl,--version-script=plugin.ver'
sed -i 's/plugin_init/plugin_pass/' passes.c
for how in "$list" "${list% -Wl*}" "$list"; do
    "$STANCH" run -q --impact=at-exit --format=json -o kept.json -- sh -ec "$how" >log 2>&1
    "$STANCH" run -q --no-cache --impact=at-exit --format=json -o cold.json -- sh -ec "$how" >log 2>&1
    [ -n "$(levels kept.json)" ] && [ "$(levels kept.json)" = "$(levels cold.json)" ] ||
        bad "$how: kept $(levels kept.json), cold $(levels cold.json)"
done
exit $fail
