#!/usr/bin/env bash
# Hostile .stanch trees: every path that a run makes below .stanch is committed as a link, a FIFO, a
# device, a directory instead of a file and the other way round, or somebody else's. Nothing outside
# changes, nothing hangs, and the leak is still reported.
set -u
. "$ROOT/tests/fuzz/project.sh"
cd "$TMP" || exit 1
make_project model
(cd model && "$STANCH" check src/leaky.c >/dev/null 2>&1; cp ours.own .stanch/ours.own)
(cd model && "$STANCH" check src/leaky.c >/dev/null 2>&1)
# Names that contain hashes differ from run to run only where contents do: one of each depth is enough.
mapfile -t paths < <(cd model && find .stanch -mindepth 1 | sed -E 's,/[0-9a-f]{2}(/|$),/HH\1,; s,/[0-9a-f]{20}[0-9a-f]*,/HASH,' |
    sort -u | while read -r shape; do
        glob=$(printf '%s' "$shape" | sed -E 's,HASH,*,g; s,HH,??,g')
        for p in $glob; do [ -e "$p" ] && echo "$p" && break; done
    done | sort -u)
[ ${#paths[@]} -ge 6 ] || { echo "only ${#paths[@]} paths below .stanch: ${paths[*]}"; exit 1; }
paths+=(.stanch .stanch/cache/v1/tmp .stanch/more.own)
kinds='link-dir link-file link-loop link-zero fifo swapped'
[ "$(id -u)" -eq 0 ] && kinds="$kinds device foreign"
bad=0 tried=0
try() { # kind path
    rm -rf project outside
    cp -a model project
    make_outside outside
    local at=project/$2 before after
    mkdir -p "$(dirname "$at")"
    case $1 in
    foreign) [ -e "$at" ] || return 0; chown -R 12345 "$at" ;;
    swapped)
        if [ -d "$at" ]; then rm -rf "$at"; echo x >"$at"; else rm -f "$at"; mkdir -p "$at/sub"; fi ;;
    *)
        rm -rf "$at"
        case $1 in
        link-dir) ln -s "$TMP/outside" "$at" ;;
        link-file) ln -s "$TMP/outside/file" "$at" ;;
        link-loop) ln -s "$(basename "$at")" "$at" ;;
        link-zero) ln -s /dev/zero "$at" ;;
        fifo) mkfifo "$at" ;;
        device) mknod "$at" c 1 5 2>/dev/null || return 0 ;;
        esac ;;
    esac
    before=$(print_of outside)
    tried=$((tried + 1))
    (cd project && checks_leak ../out) >why || { echo "$1 at $2: $(cat why)"; bad=1; }
    after=$(print_of outside)
    [ "$before" = "$after" ] || { echo "$1 at $2: something outside changed"; diff <(echo "$before") <(echo "$after"); bad=1; }
}
for p in "${paths[@]}"; do for k in $kinds; do try "$k" "$p"; done; done
[ $tried -ge 40 ] || { echo "only $tried trees were tried"; bad=1; }
exit $bad
