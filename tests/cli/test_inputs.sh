#!/usr/bin/env bash
# Bad input: a clear message, the right status, and the rest of the work still done.
set -u
cd "$TMP" || exit 1
fail=0
expect() {
    local want=$1 pattern=$2 status
    shift 2
    "$STANCH" "$@" >out 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$want" ] || ! { [ -z "$pattern" ] || grep -qE -- "$pattern" out; }; then
        echo "stanch $*: status $status, wanted $want and /$pattern/:"
        sed 's/^/    /' out
        fail=1
    fi
}
also() { grep -qE -- "$1" out || { echo "missing: /$1/ in:"; sed 's/^/    /' out; fail=1; }; }

for i in 1 2 3 4 5; do echo "int f$i(int x) { return x + $i; }" >"f$i.c"; done
echo 'int broken( { return 0; }' >broken.c

expect 2 'missing.c' check missing.c
expect 2 'missing.c' check f1.c missing.c f2.c
also '2 of 2 units'
expect 3 'broken.c: .*clang' check f1.c broken.c f2.c
also "broken.c:1:[0-9]+: error: "
also '2 of 3 units'
expect 3 'broken.c: failed' show units f1.c broken.c
expect 2 'the one unit could not be analysed' check broken.c
mkdir dir.c
expect 2 'dir.c' check dir.c

# Build databases.
echo '[{"directory": "' >compile_commands.json
expect 2 'compile_commands.json' check -p .
echo '{"directory": "x"}' >compile_commands.json
expect 2 'compile_commands.json' check -p .
echo '[]' >compile_commands.json
expect 2 'compile_commands.json' check -p .
expect 2 'nowhere' check -p nowhere
cat >compile_commands.json <<EOF
[{"directory": "$PWD", "file": "f1.c", "arguments": ["cc", "-c", "f1.c"]},
 {"directory": "$PWD", "file": "f2.c", "command": "cc -c -DX='a b' f2.c"},
 {"directory": "$PWD", "file": "gone.c", "command": "cc -c gone.c"}]
EOF
expect 2 'f1.c' show units -p .
also 'f2.c: c, 1 function,'

# Builds: that compile nothing, that fail, that cannot be started.
expect 2 '' run -- true
expect 4 '' run -- sh -c 'cc -c f1.c; exit 7'
also '1 of 1 unit'
also 'failed with status 7'
# Findings do not hide it, and neither does a build that compiled nothing.
printf '#include <stdlib.h>\nint leaks(int n) { char *p = malloc(n); return p ? 1 : 0; }\n' >leaks.c
expect 4 'leaks.c:2' run -- sh -c 'cc -c leaks.c; exit 1'
expect 4 'failed with status 137' run -- sh -c 'kill -9 $$'
expect 2 'cannot be run' run -- /nonexistent/make
# A function of the build that a program was not seen to be linked with.
echo 'int helper(void); int main(void) { return helper(); }' >calls.c
echo 'int helper(void) { return 0; }' >helper.c
expect 0 'warning: prog: calls 1 function that this build compiles but was not seen to link into it: helper in helper.c' \
    run -- sh -c 'cc -c calls.c helper.c; cp helper.o hidden.o; cc -o prog calls.o hidden.o'
expect 0 '^2 of 2 units|0 findings|no findings' run -- sh -c 'cc -c calls.c helper.c; cc -o prog calls.o helper.o'
grep -q warning out && { echo 'a program that is linked whole has a warning'; fail=1; }
"$STANCH" run -- /nonexistent/make >out 2>&1 && { echo "a build that cannot be started gave 0"; fail=1; }
expect 0 '2 of 2 units' run -- sh -c 'cc -c f1.c && cc -c f2.c'

# Unit files.
expect 0 '' unit f1.c -o f1.unit
expect 0 '1 of 1 unit' link f1.unit
head -c 100 f1.unit >cut.unit
expect 2 'cut.unit is not a unit' link cut.unit
expect 2 'cut.unit is not a unit' link f1.unit cut.unit
also '1 of 2 units'
expect 2 'f1.c is not a unit' link f1.c
expect 2 'cannot read' link nowhere.unit
expect 2 'cannot write' unit f1.c -o nowhere/f1.unit

if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 0 locked
    expect 2 'locked' check -p locked
fi

# Output that cannot be written.
expect 2 'nowhere/out' check f1.c -o nowhere/out
"$STANCH" show ir f1.c >/dev/full 2>out
[ $? -eq 2 ] || { echo "a full disk is no error"; fail=1; }
"$STANCH" show ir f1.c | head -1 >/dev/null
[ "${PIPESTATUS[0]}" -eq 0 ] || { echo "a closed pipe is an error"; fail=1; }

# The same bytes whatever the number of processes, the cache and the order of ending.
"$STANCH" show ir -j1 --no-cache f1.c f2.c f3.c f4.c f5.c >one 2>&1
"$STANCH" show ir -j2 --no-cache f1.c f2.c f3.c f4.c f5.c >two 2>&1
"$STANCH" show ir -j5 f1.c f2.c f3.c f4.c f5.c >three 2>&1
cmp -s one two && cmp -s one three || { echo "-j changes the output"; fail=1; }
for j in 1 3; do
    "$STANCH" check -j$j --no-cache f1.c broken.c f3.c missing.c f5.c >messages$j 2>&1
done
cmp -s messages1 messages3 || { echo "-j changes the messages"; diff messages1 messages3; fail=1; }
# Without inputs: the last run's units again, the same findings.
mkdir again && (
    cd again && echo 'void *malloc(unsigned long); void f(void) { malloc(8); }' >leak.c
    # The id is made from the source line, which is gone then.
    "$STANCH" check --format=gcc leak.c | sed -E 's/[0-9a-f]{8}: //' >first
    rm leak.c
    "$STANCH" check --format=gcc | sed -E 's/[0-9a-f]{8}: //' >second
    [ -s first ] && cmp first second
) || { echo "check without inputs is not the last run's"; fail=1; }
# What could not be compiled stays counted then.
mkdir again2 && (
    cd again2 && echo 'int x;' >good.c && echo 'int x = ;' >bad.c
    "$STANCH" check good.c bad.c >first 2>/dev/null
    first=$?
    "$STANCH" check >second 2>/dev/null
    [ $? = $first ] && grep -q '1 of 2 units' second && cmp first second
) || { echo "check without inputs forgets a unit that failed"; fail=1; }
[ -e .stanch ] || { echo ".stanch is not made"; fail=1; }
mkdir clean && (cd clean && "$STANCH" check -q --no-cache ../f1.c)
[ -e clean/.stanch ] && { echo "--no-cache writes"; fail=1; }
exit $fail
