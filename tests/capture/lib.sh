# For the scripts beside this one. observe: the room as a tool, see test_observe.c.
set -u
observe=$ROOT/$B/tests/capture/test_observe
export XDG_CACHE_HOME=$TMP/cache
# The library that is preloaded; tests of the shims alone set it empty.
export STANCH_PRELOAD=${STANCH_PRELOAD-$ROOT/$B/stanch-preload.so}
# A compiler cache in PATH looks for the compiler in PATH by itself, in the middle of these tests.
PATH=$(printf '%s' "$PATH" | tr : '\n' | grep -v '/ccache$' | paste -sd:)
unset CC CXX AR LD CFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH
bad=0 good=0
fail() { # what, the output
    echo "FAIL: $1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/    /'
    bad=$((bad + 1))
}
# want OUTPUT REGEX...: each pattern matches some line.
want() {
    local out=$1 p
    shift
    for p in "$@"; do
        if printf '%s\n' "$out" | grep -qE -- "$p"; then good=$((good + 1)); else fail "no line matches: $p" "$out"; fi
    done
}
# want_none OUTPUT REGEX...
want_none() {
    local out=$1 p
    shift
    for p in "$@"; do
        if printf '%s\n' "$out" | grep -qE -- "$p"; then fail "a line matches: $p" "$out"; else good=$((good + 1)); fi
    done
}
# want_jobs OUTPUT N
want_jobs() {
    local n
    n=$(printf '%s\n' "$1" | grep -c '^job ')
    if [ "$n" -eq "$2" ]; then good=$((good + 1)); else fail "$n jobs, not $2" "$1"; fi
}
fresh() { # a new directory to work in
    rm -rf "$TMP/$1"
    mkdir -p "$TMP/$1"
    cd "$TMP/$1" || exit 1
}
finish() {
    echo "$good passed, $bad failed"
    [ "$bad" -eq 0 ]
}
