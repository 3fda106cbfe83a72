#!/usr/bin/env bash
# Disks that are full or cannot be written: the leak is reported all the same, or the reason is said
# and the status is that of unusable input. Never "no findings".
set -u
. "$ROOT/tests/fuzz/project.sh"
cd "$TMP" || exit 1
bad=0
# what [blocks]: runs the check in ./project, where files may have so many KiB, and judges it.
judge() {
    # Through a pipe: the limit is not meant for the test's own output.
    (cd project && ulimit -t 20 -f "${2:-unlimited}" && exec timeout 60 "$STANCH" check src/leaky.c) 2>&1 </dev/null |
        cat >out
    local status=${PIPESTATUS[0]}
    case $status in
    1) grep -q 'leaky.c:8:.*strdup' out || { echo "$1: status 1 without the leak: $(head -c 300 out)"; bad=1; } ;;
    2 | 3)
        grep -qiE 'no space|read-only|too large|full|cannot write' out ||
            { echo "$1: status $status without a reason: $(head -c 300 out)"; bad=1; } ;;
    *) echo "$1: status $status: $(head -c 300 out)"; bad=1 ;;
    esac
}

# A limit on the size of files stands for a full disk where nothing may be mounted.
make_project project
for blocks in 0 1 4 16; do
    rm -rf project/.stanch
    judge "files of at most $blocks KiB" $blocks
done

# Nobody may write there.
rm -rf project/.stanch
if [ "$(id -u)" -ne 0 ]; then
    chmod -R a-w project
    judge 'a project without write permission'
    chmod -R u+w project
fi

if [ "$(id -u)" -eq 0 ] && mkdir -p mounted && mount -t tmpfs -o size=64k none mounted 2>/dev/null; then
    trap 'umount "$TMP/mounted" 2>/dev/null' EXIT
    rm -rf project && ln -s mounted project
    make_project project
    judge 'a small disk'
    [ $bad -ne 0 ] || grep -q 'leaky.c:8' out || { echo "a small disk: TMPDIR was not used: $(head -c 300 out)"; bad=1; }
    rm -rf project/.stanch
    dd if=/dev/zero of=mounted/filler bs=1k 2>/dev/null
    judge 'a full disk'
    [ $bad -ne 0 ] || grep -q 'leaky.c:8' out || { echo "a full disk: TMPDIR was not used: $(head -c 300 out)"; bad=1; }
    rm -f mounted/filler
    # Full in the middle of a run: there is room for scratch at first, not for a large unit.
    rm -rf project/.stanch
    mount -o remount,size=300k mounted
    {
        echo 'int use(const char *); char *strdup(const char *); void free(void *);'
        for i in $(seq 1 1500); do
            echo "int f$i(const char *s) { char *p = strdup(s); if (!p) return -1; int n = use(p); free(p); return n; }"
        done
        echo 'int last(const char *s) { char *p = strdup(s); return use(p); }'
    } >big.c
    (cd project && exec timeout 60 "$STANCH" check -j2 src/leaky.c "$TMP/big.c") >out 2>&1 </dev/null
    grep -q 'leaky.c:8' out && grep -q 'big.c:1502' out ||
        { echo "a disk that becomes full: $(head -c 600 out)"; bad=1; }
    grep -q 'scratch files go to the temporary directory' out ||
        { echo "a disk that becomes full: nothing was tried again: $(head -c 300 out)"; bad=1; }
    mount -o remount,ro mounted
    judge 'a read-only disk'
    grep -q 'leaky.c:8' out || { echo "a read-only disk: no finding: $(head -c 300 out)"; bad=1; }
fi
exit $bad
