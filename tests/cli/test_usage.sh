#!/usr/bin/env bash
# What the command line says to mistakes, and with which exit status.
set -u
cd "$TMP" || exit 1
fail=0
# expect STATUS PATTERN ARGUMENTS...: the status, and the pattern somewhere in the output.
expect() {
    local want=$1 pattern=$2 out status
    shift 2
    out=$("$STANCH" "$@" 2>&1)
    status=$?
    if [ "$status" -ne "$want" ] || ! grep -qE -- "$pattern" <<<"$out"; then
        echo "stanch $*: status $status, wanted $want and /$pattern/:"
        sed 's/^/    /' <<<"$out"
        fail=1
    fi
}
echo 'int main(void) { return 0; }' >ok.c

expect 0 '^stanch [0-9]+\.[0-9]+\.[0-9]+$' --version
expect 0 'stanch check' --help
expect 2 'stanch check'
for c in check run unit link show spec history rules help version; do
    expect 0 "^stanch $c" "$c" --help
    expect 0 "^stanch $c" help "$c"
done
expect 0 '^stanch [0-9]+\.[0-9]+\.[0-9]+$' version
expect 0 '^  stanch check' help
expect 2 "unknown command 'chekc'; did you mean 'check'" help chekc
expect 0 '^leak +CWE-401 ' rules
expect 0 '^mismatched-free +CWE-762 ' rules
expect 2 "takes no 'leak'" rules leak
expect 2 'bash\|zsh\|fish' help completion tcsh
expect 2 "unknown command 'chekc'; did you mean 'check'\?" chekc ok.c
expect 2 'to analyse the file: stanch check ok.c' ok.c
expect 2 'unknown option --formt; did you mean --format\?' check --formt=text ok.c
expect 2 'unknown option --xyzzy; see stanch check --help' check --xyzzy ok.c
expect 2 "text\|gcc\|json\|sarif\|html\|gitlab, not 'yaml'" check --format=yaml ok.c
expect 2 "sure\|likely\|audit, not 'some'" check --level some ok.c
expect 2 "no rule 'noleak'; there are leak, .*mismatched-free" check --rules=+noleak ok.c
expect 2 "number from 1 to [0-9]+, not 'many'" check -j many ok.c
expect 2 "number from 1 to" check -j0 ok.c
expect 2 '-o needs FILE' check ok.c -o
expect 2 '--stats takes no value' check --stats=1 ok.c
expect 2 'has no option --dot' check --dot ok.c
expect 2 'no files' check
expect 2 'either -p or files' show units -p . ok.c
expect 2 'after --' run make
expect 2 'no build command' run --
expect 2 'one source file' unit
expect 2 'where to' unit ok.c
expect 2 'no units' link
expect 2 'show what' show
for w in points flow slice project summary heap owners nonsense; do
    # Stages that are not there yet are not offered.
    "$STANCH" show --help | grep -qw "$w" || expect 2 "'$w' is not a thing to show" show "$w" ok.c
done
expect 2 "did you mean 'units'" show unit ok.c
expect 2 'there is no --dot for units' show units --dot ok.c
expect 2 'no earlier run is remembered' show units
expect 2 'no function with code matches' show ir nowhere ok.c
expect 2 'check FILE' spec check
expect 2 "has no 'frob'" spec frob
expect 0 '' check -q ok.c
expect 0 'ok.c: c, 1 function,' show units
expect 0 'check -q ok.c' history
expect 0 'ret 0' show ir main ok.c
expect 0 'ret 0' show ir ok.c:1 ok.c
expect 0 '^main$' show calls
expect 0 'digraph' show calls --dot
expect 0 'digraph' show cfg main --dot
expect 0 'main: 1 block,' show cfg
# Files behind the dashes, also those with a name that begins with one; then flags behind a second pair.
expect 0 '1 of 1 unit' check --no-cache -- ok.c
printf '#ifdef WANTED\nint x;\n#else\n#error not wanted\n#endif\n' >-odd.c
expect 0 '1 of 1 unit' check --no-cache -- -odd.c -- -DWANTED
expect 2 'the one unit could not be analysed' check --no-cache -- -odd.c
# A flag that clang is not given is named, once.
out=$("$STANCH" check --no-cache ok.c ok.c -- -Wall -fnonsense-flag -fnonsense-flag -Xlinker --gc 2>&1)
[ "$(grep -c 'nonsense-flag is not known and is left out' <<<"$out")" = 1 ] || { echo "unknown flag: $out"; fail=1; }
grep -q 'Wall\|gc' <<<"$out" && { echo "known flags: $out"; fail=1; }
# The report's file is tried before the work.
expect 2 'cannot write nowhere/x' check ok.c -o nowhere/x
expect 2 'cannot write nowhere/b' check ok.c --write-baseline nowhere/b
expect 2 'cannot write nowhere/x' show units ok.c -o nowhere/x
# What cannot be used is not hidden by findings.
printf '#include <stdlib.h>\nint f(void) { char *p = malloc(1); return p == 0; }\n' >leak.c
expect 1 'leak.c:2' check --no-cache leak.c
expect 2 'leak.c:2' check --no-cache leak.c gone.c
expect 2 'gone.own' check --no-cache leak.c --spec gone.own
# show says why it has nothing to print, and what there is.
expect 0 "show slice prints .* nothing of the kind at 'main', which is in 'main'" show slice main ok.c
expect 2 "'ok.c:9': the line is in none; 'main' begins at line 1" show ir ok.c:9 ok.c
expect 2 "nothing of that file was compiled" show ir other.c:9 ok.c
# Version control sees the specifications and nothing else of what is kept.
if command -v git >/dev/null; then
    mkdir repo && cd repo && git init -q . && cp ../ok.c . && git add ok.c
    expect 0 '' check -q ok.c
    echo '// mine' >.stanch/mine.own
    [ "$(git status --porcelain -uall | grep -v '^A')" = '?? .stanch/mine.own' ] || { git status --porcelain -uall; fail=1; }
    cd ..
fi
# What is left out, and why, is said; also by -q.
printf '#include <stdlib.h>\nint leaky(int n) { char *p = malloc(9); if (n) return 1; free(p); return 0; }\n' >leaky.c
echo 'int broken( {' >broken.c
expect 2 'leaky.c is no flag: a source goes before the --' check ok.c -- leaky.c
expect 3 'incomplete: 1 of 2 units analysed' check -q broken.c ok.c
expect 4 'the build failed with status 1' run -q -- sh -c 'cc -c ok.c; exit 1'
expect 2 'the one unit could not be analysed' check broken.c
mkdir -p units/below && "$STANCH" unit leaky.c -o units/below/leaky.unit
expect 1 '1 finding .*1 of 1 unit' link units
mkdir empty
expect 2 'no units below it' link empty units
printf '[{"directory": "%s", "file": "gone.c", "command": "cc -c gone.c"}, {"directory": "%s", "file": "leaky.c", "command": "cc -c leaky.c"}]' \
    "$PWD" "$PWD" >compile_commands.json
expect 2 'gone.c: the build database lists it, and it is not there' check -p .
rm compile_commands.json
# A compiler that only its assembler was seen of.
echo 'int leaky(int); int main(void) { return leaky(1); }' >main.c
compiler=$(command -v gcc)
(export STANCH_PRELOAD=''; expect 0 'no command in sight compiled.*: leaky.o' run -- sh -c "cc -c main.c; $compiler -c leaky.c; cc main.o leaky.o -o prog"; exit $fail) || fail=1
# Compiled to the assembler's source first.
expect 1 '1 finding .*2 of 2 units' run --impact=at-exit -- sh -c 'cc -c main.c; cc -S leaky.c; as leaky.s -o leaky.o; cc main.o leaky.o -o prog'
expect 1 '1 finding .*2 of 2 units' run --impact=at-exit -- sh -c 'cc -c main.c; cc -S leaky.c -o other.s; as -o leaky.o other.s; cc main.o leaky.o -o prog'
exit $fail
