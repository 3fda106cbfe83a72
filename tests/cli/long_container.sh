#!/usr/bin/env bash
# The Containerfile, gone through in fresh chroots (debootstrap) instead of images: stanch is built there
# as a Debian package, installed with what it depends on in another one, runs the package's own test, and
# observes a build as README says. Packages come from where this machine's apt has them. Needs root.
set -u
bad=0
say() { echo "$1"; [ $# -lt 2 ] || tail -40 "$2" | sed 's/^/    /'; bad=1; }
[ "$(id -u)" -eq 0 ] || { echo 'a chroot needs root'; exit 1; }
"$ROOT/tools/deps" "$ROOT/tests/cli/packages" >/dev/null || exit 1
# In a mount namespace of its own: nothing stays mounted, whatever happens.
if [ -z "${IN_NAMESPACE:-}" ]; then
    IN_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
fi
mkdir -p "$TMP/cache"
base() { # SUITE: a new Debian in $TMP/base, with this machine's sources of packages
    local mirror
    mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 'Created-By: Packages' | sed -n "s/^$1 //p" | head -1)
    [ -n "$mirror" ] || { echo "apt of this machine has no $1"; return 1; }
    debootstrap --variant=minbase --cache-dir="$TMP/cache" "$1" "$TMP/base" "$mirror" || return 1
    rm -rf "$TMP/base/etc/apt"
    cp -rL /etc/apt "$TMP/base/etc/apt"
    # Only Debian's own, with the keys that it brings along.
    find "$TMP/base/etc/apt/sources.list.d" -type f ! -name 'debian*' -delete
    printf '#!/bin/sh\nexit 101\n' >"$TMP/base/usr/sbin/policy-rc.d"
    chmod 755 "$TMP/base/usr/sbin/policy-rc.d"
}
inside() { # STAGE COMMAND...
    local stage=$1
    shift
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$stage" "$@"
}
begin() { # STAGE
    cp -a "$TMP/base" "$1" && cp -L /etc/resolv.conf "$1/etc/resolv.conf" && mount -t proc proc "$1/proc" &&
        mount --rbind /dev "$1/dev" && mount --bind "$TMP/cache" "$1/var/cache/apt/archives" && mkdir -p "$TMP/cache/partial"
}
copy() { # STAGE FROM... TO
    local stage=$1 from to
    shift
    to=${*: -1}
    while [ $# -gt 1 ]; do
        from=$1
        shift
        mkdir -p "$stage$to"
        if [ "$from" = . ]; then
            (cd "$ROOT" && git ls-files -z | tar -c --null -T - | tar -x -C "$stage$to") || return 1
        else
            # shellcheck disable=SC2086 # a pattern
            cp -r $from "$stage$to" || return 1
        fi
    done
}
# One instruction a line, continued by a backslash; each must go well.
count=0
stage='' entry='' directory=/
while read -r what rest; do
    case $what in
    '' | '#'*) continue ;;
    FROM)
        suite=$(sed -nE 's/.*debian:([a-z]+)(-slim)?( .*)?$/\1/p' <<<"$rest")
        [ -d "$TMP/base" ] || base "$suite" >"$TMP/log" 2>&1 || { say "debootstrap $suite" "$TMP/log"; break; }
        name=$(sed -nE 's/.* AS ([a-z]+)$/\1/p' <<<"$rest")
        stage=$TMP/${name:-last}
        begin "$stage" || { say "FROM $rest"; break; } ;;
    RUN) inside "$stage" sh -c "$rest" >"$TMP/log" 2>&1 || { say "RUN $rest" "$TMP/log"; break; } ;;
    COPY)
        from=$(sed -nE 's/^--from=([a-z]+) .*/\1/p' <<<"$rest")
        # shellcheck disable=SC2086
        if [ -n "$from" ]; then
            set -- ${rest#--from=* }
            copy "$stage" "$TMP/$from$1" "$2"
        else
            copy "$stage" $rest
        fi >"$TMP/log" 2>&1 || { say "COPY $rest" "$TMP/log"; break; } ;;
    WORKDIR) directory=$rest && mkdir -p "$stage$rest" ;;
    ENTRYPOINT) entry=$(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]))' "$rest") ;;
    *) say "what is $what?" ;;
    esac
    count=$((count + 1))
done < <(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$ROOT/Containerfile")
[ "$count" -ge 8 ] && [ -n "$entry" ] || say "the Containerfile was not gone through: $count instructions"
[ $bad -eq 0 ] || exit 1
# The image is used: a project is mounted, its build is observed.
cp -r "$ROOT/examples/confcat/." "$stage$directory"
inside "$stage" sh -c "cd $directory && exec $entry run -- make" >"$TMP/log" 2>&1 </dev/null
[ $? -eq 1 ] && grep -q '\[leak\]' "$TMP/log" || say 'a build in the image' "$TMP/log"
inside "$stage" sh -c "cd $directory && exec $entry version" >"$TMP/log" 2>&1
grep -qx "stanch $(sed -n 's/^VERSION := //p' "$ROOT/Makefile")" "$TMP/log" || say 'the version' "$TMP/log"
# The package's own test, as autopkgtest would run it.
mkdir -p "$stage/test/tmp"
cp -r "$ROOT/examples" "$ROOT/packaging" "$stage/test"
inside "$stage" sh -c 'cd /test && AUTOPKGTEST_TMP=/test/tmp packaging/debian/tests/example' >"$TMP/log" 2>&1 || say 'the test of the package' "$TMP/log"
# It goes as it came.
inside "$stage" sh -c 'apt-get purge -y stanch && ! find / -xdev -name "*stanch*" -not -path "/test/*" -not -path "/work/*" -not -path "/root/.local/*" -not -path "/var/cache/*" | grep .' >"$TMP/log" 2>&1 || say 'after it was removed' "$TMP/log"
exit $bad
