#!/usr/bin/env bash
# A full disk is named, and scratch files go elsewhere; standard input is refused, not taken for empty.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
source='void *malloc(unsigned long); void f(void) { malloc(8); }'
echo "$source" >leak.c
for name in - /dev/stdin /proc/self/fd/0; do
    echo "$source" | "$STANCH" check --no-cache $name -- -x c >out 2>&1
    [ $? = 2 ] && grep -q 'give the source a file' out || bad "$name: $(cat out)"
    grep -q 'no findings' out && bad "$name is taken for an empty file: $(cat out)"
done
mkfifo fifo.c
timeout 10 "$STANCH" check --no-cache fifo.c >out 2>&1
[ $? = 2 ] && grep -q 'not a regular file' out || bad "a FIFO: $(cat out)"
# Where we may mount: a project on a disk without room.
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=128k none disk 2>/dev/null; then
    cp leak.c disk/
    head -c 1000000 /dev/zero >disk/fill 2>/dev/null
    (cd disk && "$STANCH" check leak.c) >out 2>&1
    [ $? = 1 ] && grep -q 'leak.c:1:.*malloc' out || bad "a full disk: $(cat out)"
    grep -q 'No space left on device' out || bad "the reason is not told: $(cat out)"
    # Neither there nor in the temporary directory: a clear reason.
    (cd disk && TMPDIR=$PWD "$STANCH" check leak.c) >out 2>&1
    [ $? = 2 ] && grep -q 'No space left on device' out || bad "no room anywhere: $(cat out)"
    grep -q 'lowering failed' out && bad "no room anywhere, without a reason: $(cat out)"
    umount disk
fi
exit $fail
