#!/usr/bin/env bash
# Link steps say what their output exports, whatever the build did to decide it; archives that are
# linked whole are; what other objects need is known.
. "$(dirname "$0")/lib.sh"
fresh exports
cat >lib.c <<'C'
int shown(void) { return 1; }
int other(void) { return 2; }
__attribute__((visibility("hidden"))) int hidden(void) { return 3; }
C
echo 'int shown(void); int main(void) { return shown(); }' >main.c
printf '{ global: sh*; local: *; };\n' >v.ver
build='gcc -fPIC -c lib.c
gcc -shared -o all.so lib.o
gcc -shared -o listed.so lib.o -Wl,--version-script=v.ver
gcc -shared -o excluded.so -Wl,--whole-archive libx.a -Wl,--no-whole-archive -Wl,--exclude-libs,ALL
gcc -o plain main.c lib.o
gcc -rdynamic -o dynamic main.c lib.o
gcc -shared -o gone.so lib.o
rm gone.so'
gcc -fPIC -c lib.c && ar rc libx.a lib.o
out=$($observe run -- sh -ec "$build" 2>&1)
want "$out" '^exports all.so : other shown$' '^exports listed.so : shown$' '^exports excluded.so :$' '^link program plain' \
    '^exports dynamic :.* main other shown' '^link shared gone.so'
want_none "$out" '^exports gone.so' '^exports plain :.*shown' '^exports.*hidden'
# The bounds of what is linked whole; ld itself, and one word for each.
fresh whole
cp ../exports/lib.c ../exports/main.c . && echo 'int extra;' >extra.c
cat >steps.sh <<'S'
gcc -fPIC -c lib.c extra.c
ar rc libw.a lib.o
ar rc liby.a extra.o
gcc -shared -o one.so -Wl,--whole-archive,libw.a,--no-whole-archive liby.a
gcc -shared -o two.so -Xlinker --whole-archive -L. -lw -Xlinker --no-whole-archive liby.a
ld -shared -o three.so --whole-archive libw.a --no-whole-archive liby.a
S
out=$($observe run -- sh -e steps.sh 2>&1)
want "$out" '^link shared one.so : libw.a[+] liby.a$' '^link shared two.so : libw.a[+] liby.a$' '^link shared three.so : libw.a[+] liby.a$'
# What objects of other languages need; one that cannot be read leaves the program open.
fresh needed
printf '.globl main\nmain: jmp from_assembler\n.section .note.GNU-stack,"",@progbits\n' >start.s
echo 'int from_assembler(void) { return 0; }' >c.c
echo '{}' >odd.o
out=$($observe run -- sh -ec 'gcc -c c.c; as -o start.o start.s; gcc -no-pie -o p c.o start.o' 2>&1)
want "$out" '^needed :.* from_assembler'
want_none "$out" '^open'
out=$($observe run -- sh -c 'gcc -c c.c; as -o start.o start.s; gcc -no-pie -o p c.o start.o; rm start.o' 2>&1)
want "$out" '^open p$'
finish
