# Sourced: a small project with one leak, and a tree outside of it that must not change.
make_project() { # directory
    mkdir -p "$1/src"
    cat >"$1/src/leaky.c" <<'C'
#include <stdlib.h>
#include <string.h>
int use(const char *);
int load(const char *path, int depth)
{
    char *copy = strdup(path);
    if (copy == NULL) return -1;
    if (depth > 8) return -1;
    int n = use(copy);
    free(copy);
    return n;
}
C
    printf 'void our_free(own(heap) char *p);\n' >"$1/ours.own"
}

# Folders of every shape that a sweep or a cache might take for its own.
make_outside() { # directory
    mkdir -p "$1/run1" "$1/objects/ab" "$1/v1/tmp/old" "$1/v1/objects"
    echo precious >"$1/file"
    : >"$1/run1/lock"
    echo precious >"$1/run1/data"
    : >"$1/v1/tmp/old/lock"
    echo precious >"$1/v1/tmp/old/data"
    echo precious >"$1/objects/ab/cdef"
    find "$1" -exec touch -h -d '3 days ago' {} +
}

# Everything about a tree but access times: names, kinds, modes, sizes, times of change, contents.
print_of() { # directory
    (cd "$1" && find . -printf '%p %y %m %s %T@ %l\n' | sort && find . -type f -exec cat {} + | cksum)
}

# The leak must be reported whatever the project's .stanch is: status 1 and the place; or 2, where
# something below .stanch that was asked for could not be used, which is then named.
checks_leak() { # output-file [more options]
    local out=$1
    shift
    (ulimit -t 20 && exec timeout 25 "$STANCH" check "$@" src/leaky.c) >"$out" 2>&1 </dev/null
    local status=$?
    if [ $status -eq 2 ] && grep -q 'error: .*\.stanch' "$out"; then status=1; fi
    if [ $status -ne 1 ] || ! grep -q 'leaky.c:8:.*strdup' "$out"; then
        echo "status $status: $(head -c 400 "$out")"
        return 1
    fi
}
