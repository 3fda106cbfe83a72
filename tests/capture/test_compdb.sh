#!/usr/bin/env bash
# compile_commands.json in its forms, good and bad; and files by hand.
. "$(dirname "$0")/lib.sh"
fresh db
mkdir src inc
echo 'int a;' >src/a.c
echo 'int b;' >src/b.cc
echo 'int c;' >'src/c d.c'
cat >compile_commands.json <<J
[
 {"directory": "$PWD", "command": "cc -DX='a b' -DY=\\"q\\\\\\"r\\" -I inc -c src/a.c -o a.o", "file": "src/a.c"},
 {"directory": "src", "arguments": ["g++", "-std=gnu++17", "-c", "b.cc"], "file": "b.cc", "output": "b.obj"},
 {"directory": "src", "arguments": ["/usr/bin/ccache", "gcc", "-c", "c d.c"], "file": "c d.c"},
 {"directory": "$PWD", "command": "cc -DX='a b' -DY=\\"q\\\\\\"r\\" -I inc -c src/a.c -o again.o", "file": "src/a.c"},
 {"directory": "$PWD", "command": "cc -DZ -c src/a.c", "file": "src/a.c"},
 {"directory": "$PWD", "command": "cc -c x.s", "file": "x.s"},
 {"directory": "$PWD", "command": "gfortran -c x.f90", "file": "x.f90"},
 {"directory": "$PWD", "command": "cc -E src/a.c", "file": "src/a.c"},
 {"directory": "$PWD", "command": "cc @/etc/passwd -c src/gone.c", "file": "src/gone.c"},
 17,
 {"directory": "$PWD", "command": "cc -c src/a.c"},
 {"directory": "$PWD", "command": "cc -c 'src/a.c", "file": "src/a.c"},
 {"directory": "$PWD", "file": "src/a.c", "arguments": []},
 {"directory": 3, "file": {}, "arguments": "x"}
]
J
for form in . compile_commands.json "$PWD"; do
    out=$($observe compdb "$form" 2>&1)
    want "$out" '^job c src/a.c -> a.o again.o : -DX=a b -DY=q"r -Iinc -U__OPT' '^job c src/a.c -> : -DZ' \
        '^job c\+\+ src/b.cc -> src/b.obj : .*-std=gnu\+\+17' '^job c src/c d.c' '^job c src/gone.c' \
        '^skip x.s assembler' '^skip x.f90 Fortran' 'unusable 5' 'merged 1 preprocessed 1' \
        'entry 10 is not an object' 'entry 11 has no "file"' 'entry 12 has an open quote' \
        'entry 13 has neither' 'response files outside'
    want_jobs "$out" 5
done
out=$($observe emit "$TMP" compdb . 2>&1)
want "$out" '^emit 0 a.c deps 1' '^emit 1 gone.c' "no such file or directory: '.*/src/gone.c'"

# Malformed: the position is told; nothing to go on with is false.
printf '[\n {"directory": "/",\n  "file": oops}\n]\n' >bad.json
out=$($observe compdb bad.json 2>&1) && fail 'malformed JSON was taken'
want "$out" '^bad.json:3:[0-9]+: error: '
for text in '' '{}' '[]' '"x"' '[{"file"' "$(printf '[%.0s' $(seq 3000))" '[{"file":"\ud800"}]'; do
    printf '%s' "$text" >bad.json
    out=$($observe compdb bad.json 2>&1)
    [ $? -eq 2 ] || fail "taken: ${text:0:20}" "$out"
    want "$out" 'error: '
done
out=$($observe compdb /nonexistent 2>&1) && fail 'a missing database was taken'
want "$out" 'nonexistent: No such file'
mkdir empty
out=$($observe compdb empty 2>&1) && fail 'an empty directory was taken'
want "$out" 'empty/compile_commands.json: No such file'
# Cut and changed bytes: an answer or a message, never a crash.
size=$(stat -c %s compile_commands.json)
for ((i = 0; i < size; i += 97)); do
    head -c "$i" compile_commands.json >cut.json
    timeout 20 "$observe" compdb cut.json >/dev/null 2>&1
    [ $? -eq 2 ] || fail "cut at $i"
done

# Files by hand.
out=$($observe files src/a.c src/b.cc nosuch.c src -- -DQ='x y' -I inc -fplugin=evil 2>&1)
want "$out" '^job c src/a.c -> : -DQ=x y -Iinc' '^job c\+\+ src/b.cc' 'nosuch.c: No such file' 'src: a directory' 'unusable 2'
want_jobs "$out" 2
out=$($observe files nosuch.c 2>&1) && fail 'a missing file was taken'
echo hello >note.txt
out=$($observe files note.txt 2>&1) && fail 'a text was taken'
want "$out" 'note.txt: not a C or C'
out=$($observe files note.txt -- -x c 2>&1)
want "$out" '^job c note.txt'
out=$($observe files src/a.c -- -DQ -I 2>&1)
want "$out" '^job c src/a.c -> : -DQ'
echo >x.s
out=$($observe files x.s src/a.c 2>&1)
want "$out" '^skip x.s assembler' '^job c src/a.c'
echo 'int d;' >./-dash.c
out=$($observe emit "$TMP" files ./-dash.c 2>&1)
want "$out" '^emit 0 -dash.c'
finish
