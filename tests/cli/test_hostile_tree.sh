#!/usr/bin/env bash
# A repository that brings its own .stanch: links, FIFOs, devices and huge files there do no harm
# outside, and nothing of a cache is believed that this user's runs did not write.
set -u
cd "$TMP" || exit 1
top=$PWD
export XDG_STATE_HOME=$top/state
fail=0
bad() { echo "$*"; fail=1; }
project() { # a fresh one, as the working directory
    rm -rf "$top/p" "$top/outside"
    mkdir -p "$top/p" "$top/outside/run.1/sub"
    cd "$top/p" || exit 1
    printf '%s\n' '#include <stdlib.h>' 'int f(int c) { char *p = malloc(10); if (!p) return 1; if (c < 0) return 2; free(p); return 0; }' >x.c
    touch -d '1 hour ago' x.c
    for f in lock keep sub/deep; do echo precious >"$top/outside/run.1/$f"; done
    echo precious >"$top/outside/file"
    ls -lR --time-style=full-iso "$top/outside" >"$top/before"
}
unharmed() { # what
    ls -lR --time-style=full-iso "$top/outside" | cmp -s - "$top/before" || { bad "$1: outside was changed:"; ls -lR "$top/outside"; }
}
finds() { # what [options]: the leak is found, in time
    local what=$1 status
    shift
    timeout 20 "$STANCH" check "$@" x.c >"$top/out" 2>&1 </dev/null
    status=$?
    # 2: a specification was refused, which is told beside the finding.
    [ $status -eq 1 ] || { [ $status -eq 2 ] && grep -q 'error: .*stanch.*: ' "$top/out"; } || bad "$what: status $status: $(cat "$top/out")"
    grep -q 'x.c:2:.*malloc' "$top/out" || bad "$what: no finding: $(cat "$top/out")"
}

# Each directory and file of .stanch as a link out of the tree.
for at in .stanch .stanch/cache .stanch/cache/v1 .stanch/cache/v1/tmp .stanch/cache/v1/objects .stanch/cache/v1/recipes; do
    project
    mkdir -p "$(dirname $at)"
    ln -s "$top/outside" $at
    finds "a link at $at"
    unharmed "a link at $at"
done
for at in cache/v1/tmp/run.1 cache/last cache/v1/last cache/v1/index.db cache/v1/index.lock cache/v1/rescan cache/.gitignore history.db history.lock \
    history.db-journal cache/v1/index.db-journal history.db-wal; do
    project
    mkdir -p "$(dirname .stanch/$at)"
    case $at in *run.1) ln -s "$top/outside/run.1" .stanch/$at ;; *) ln -s "$top/outside/file" .stanch/$at ;; esac
    finds "a link at $at"
    "$STANCH" history >"$top/out" 2>&1
    unharmed "a link at $at"
done
# A dangling link makes no file either.
project
mkdir .stanch && ln -s "$top/outside/made" .stanch/history.db && finds 'a dangling link'
unharmed 'a dangling link'

# Things that are no files: nothing waits, nothing is read without end.
for what in fifo directory zero sparse; do
    project
    mkdir -p .stanch/cache/v1
    for at in z.own history.db cache/v1/index.db cache/v1/last cache/v1/index.lock history.lock; do
        case $what in
        fifo) mkfifo .stanch/$at ;;
        directory) mkdir .stanch/$at ;;
        zero) ln -s /dev/zero .stanch/$at ;;
        sparse) truncate -s 100G .stanch/$at ;;
        esac
    done
    ([ -n "${SAN:-}" ] || ulimit -v 4000000; finds "a $what")
    grep -q 'z.own: ' "$top/out" || bad "a $what as z.own is not mentioned: $(cat "$top/out")"
done

# A rollback journal names a further file, which SQLite deletes after it has rolled back.
project
finds 'a first run'
python3 - "$top/outside/file" <<'P'
import struct, sys
name = sys.argv[1].encode()
head = bytes([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]) + struct.pack('>IIIII', 0, 0, 0, 512, 4096)
tail = struct.pack('>I', (0x40000000 // 4096) + 1) + name + struct.pack('>II', len(name), sum(name)) + head[:8]
for at in ('.stanch/history.db-journal', '.stanch/cache/v1/index.db-journal'):
    open(at, 'wb').write(head.ljust(512, b'\0') + tail)
P
sed -i 's/10/20/' x.c
finds 'a planted journal'
"$STANCH" history >/dev/null 2>&1
unharmed 'a planted journal'

# The cache of another user: as if with another secret.
project
finds 'a first run'
"$STANCH" check --stats x.c >"$top/out" 2>&1
grep -qE '^cache +2 read, 0 missed, 0 stored' "$top/out" || bad "our own cache is not used: $(cat "$top/out")"
printf '%s\n' 'void f(void) {}' >clean.c
XDG_STATE_HOME=$top/other "$STANCH" check --stats x.c >"$top/out" 2>&1
[ $? = 1 ] && grep -qE '^cache .* 2 missed, 2 stored' "$top/out" || bad "another user's cache is believed: $(cat "$top/out")"
"$STANCH" check --stats >"$top/out" 2>&1
[ $? = 2 ] && grep -q 'no earlier run is remembered' "$top/out" || bad "another user's last run is believed: $(cat "$top/out")"
# Genuine entries under other names: each object and recipe in the place of the next.
project
printf '%s\n' '#include <stdlib.h>' 'int f(int c) { return c; }' >clean.c
touch -d '1 hour ago' clean.c
"$STANCH" check clean.c >/dev/null 2>&1
finds 'a first run'
for kind in objects recipes; do
    from=$(find .stanch/cache/v1/$kind -type f | sort | tail -1)
    for to in $(find .stanch/cache/v1/$kind -type f | sort); do
        cp "$to" "$top/saved" && cp "$from" "$to"
        finds "$kind: $from as $to"
        cp "$top/saved" "$to"
        from=$to
    done
done
# A secret within the project is the project's: what it sealed is not ours.
project
mkdir -p home && HOME=$PWD/home XDG_STATE_HOME= "$STANCH" check x.c >/dev/null 2>&1
HOME=$PWD/home XDG_STATE_HOME= "$STANCH" check --stats x.c >"$top/out" 2>&1
[ $? = 1 ] && grep -qE '^cache .* 2 missed, 2 stored' "$top/out" && grep -q 'lies within the project' "$top/out" || bad "a planted secret: $(cat "$top/out")"
# Nowhere to keep one: nothing is used again, and the run is as good as any.
(unset HOME XDG_STATE_HOME; "$STANCH" check x.c; "$STANCH" check --stats x.c) >"$top/out" 2>&1
grep -qE '^cache .* 2 missed, 2 stored' "$top/out" && grep -q 'HOME is set' "$top/out" || bad "without a home: $(cat "$top/out")"
# The secret is private, and a readable one is not used.
[ "$(stat -c %a "$top/state/stanch/secret")" = 600 ] || bad "the secret can be read by others"
chmod 644 "$top/state/stanch/secret"
"$STANCH" check x.c >"$top/out" 2>&1
grep -q 'not private' "$top/out" || bad "a secret that others can read: $(cat "$top/out")"
exit $fail
