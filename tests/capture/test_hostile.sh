#!/usr/bin/env bash
# A hostile project: whatever its flags and its environment say, nothing of it is run.
. "$(dirname "$0")/lib.sh"
fresh hostile
witness=$PWD/witness
cat >evil.sh <<S
#!/bin/sh
echo "\$0 \$@" >>$witness
exit 1
S
chmod +x evil.sh
mkdir bin
for n in as ld cc1 cc1plus clang clang-19 gcc cpp collect2 llvm-as objcopy sh; do cp evil.sh bin/$n; done
# A library that tells when it is loaded.
printf '#include <stdio.h>\n__attribute__((constructor)) static void c(void) { FILE *f = fopen("%s", "a"); if (f) { fputs("loaded\\n", f); fclose(f); } }\n' "$witness" >evil.c
gcc -shared -fPIC -o evil.so evil.c
printf -- '-fplugin=%s/evil.so -Xclang -load -Xclang %s/evil.so\n' "$PWD" "$PWD" >evil.cfg
printf -- '-fplugin=%s/evil.so\n' "$PWD" >evil.rsp
printf '*cc1:\n%s/evil.sh\n' "$PWD" >evil.specs
echo 'int x;' >x.c
d=$PWD
flags=(
    "-fplugin=$d/evil.so" "-fplugin $d/evil.so" "-fpass-plugin=$d/evil.so" "-Xclang -load -Xclang $d/evil.so"
    "-Xclang -plugin -Xclang evil -Xclang -add-plugin" "-B$d/bin" "-B $d/bin" "--prefix=$d/bin"
    "-wrapper $d/evil.sh" "-specs=$d/evil.specs" "--specs=$d/evil.specs" "--config $d/evil.cfg"
    "--config=$d/evil.cfg" "--config-user-dir=$d" "@evil.rsp" "@$d/evil.rsp" "@/etc/passwd" "-no-integrated-cpp"
    "-no-integrated-as -B$d/bin" "-fno-integrated-as" "-fno-integrated-cc1" "-save-temps" "-ccc-gcc-name $d/evil.sh"
    "-fuse-ld=$d/evil.sh" "-mllvm -load=$d/evil.so" "-Wa,-x -Xassembler y" "-Wp,-fplugin=$d/evil.so"
    "-Xpreprocessor -fplugin=$d/evil.so" "-D_X -o $d/written" "-MF $d/written" "-MJ $d/written"
    "-serialize-diagnostics $d/written" "-dependency-dot $d/written" "-fprofile-use=$d/evil" "-ftime-trace=$d/written"
    "-gsplit-dwarf" "-fmodules -fmodules-cache-path=$d/written" "-fdump-record-layouts" "-index-store-path $d/written"
    "-fcrash-diagnostics-dir=$d/written" "-working-directory $d/bin" "-resource-dir $d" "-fdebug-default-version=9"
    "-cc1 -load $d/evil.so" "-Xclang -cc1 -Xclang -o -Xclang $d/written" "--driver-mode=cl" "-include-pch $d/evil.so"
    "-stdlib=../../evil" "-target ../../evil -fplugin=$d/evil.so" "-fembed-bitcode" "-emit-ast" "-fthinlto-index=$d/evil"
)
export CCC_OVERRIDE_OPTIONS="+-fplugin=$d/evil.so" COMPILER_PATH=$d/bin GCC_EXEC_PREFIX=$d/bin/ \
    CLANG_CONFIG_FILE_USER_DIR=$d CC_PRINT_OPTIONS=1 CC_PRINT_OPTIONS_FILE=$d/written LLVM_PROFILE_FILE=$d/written \
    CLANG_CRASH_DIAGNOSTICS_DIR=$d/written
{
    echo '['
    first=1
    for f in "${flags[@]}"; do
        [ $first = 1 ] || echo ,
        first=0
        printf '{"directory": "%s", "file": "x.c", "command": "%s %s -c x.c -DN%d"}' "$d" "$d/evil.sh" "$f" "$RANDOM$RANDOM"
    done
    # Commands in odd places.
    printf ',{"directory": "%s", "file": "x.c", "command": "sh -c %s/evil.sh"}' "$d" "$d"
    printf ',{"directory": "%s", "file": "x.c", "command": "`%s/evil.sh` $(%s/evil.sh) ; %s/evil.sh | %s/evil.sh -c x.c"}' "$d" "$d" "$d" "$d" "$d"
    printf ',{"directory": "%s/nosuch", "file": "../x.c", "command": "gcc -c ../x.c"}' "$d"
    echo ']'
} >compile_commands.json
mkdir out
result=$(cd /tmp && $observe emit "$d/out" compdb "$d" 2>&1)
[ -e "$witness" ] && fail 'something ran' "$(cat "$witness")"
[ -e written ] && fail 'something was written'
want "$result" '^emit 0 x.c'
# All but those whose very values clang cannot know are compiled.
n=$(printf '%s\n' "$result" | grep -c '^emit 0')
[ "$n" -ge ${#flags[@]} ] || fail "only $n units of ${#flags[@]}" "$result"
# Clang is not looked for in the working directory.
out=$(cd bin && PATH=:.:$PATH $observe emit "$d/out" files "$d/x.c" 2>&1)
[ -e "$witness" ] && fail 'a clang of the working directory ran'
want "$out" '^emit 0'
out=$(STANCH_CLANG=/nonexistent/clang $observe emit "$d/out" files "$d/x.c" 2>&1)
want "$out" 'STANCH_CLANG names, cannot be run'
# Reading a source cannot wait for ever on us: standard input is empty.
echo '#include "/dev/stdin"' >stdin.c
mkfifo never
exec 3<>never
timeout 20 "$observe" emit "$d/out" files stdin.c >/dev/null 2>&1 <&3 || fail 'a source that reads standard input hangs'
exec 3<&-
finish
