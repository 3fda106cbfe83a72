#!/bin/bash
# What is believed to allocate depends on other files: a warm run says what a cold one says, whichever file
# has changed, and with any number of threads.
set -u
bad=0
fail() {
    echo "$*"
    bad=1
}
mkdir "$TMP/p" && cd "$TMP/p" || exit 1

cat >mem.h <<'END'
void *pool_get(unsigned long n);
void pool_put(void *p);
END
cat >user.c <<'END'
#include "mem.h"
int forgets(unsigned long n, int early)
{
    char *p = pool_get(n);
    if (!p) return -1;
    if (early) return -2;
    pool_put(p);
    return 0;
}
END
witness() { # name
    printf '#include "mem.h"\nvoid %s(void)\n{\n    char *p = pool_get(3);\n    if (!p) return;\n    p[0] = 1;\n    pool_put(p);\n}\n' "$1"
}
looker() { # name
    printf '#include "mem.h"\nint %s(void)\n{\n    char *p = pool_get(3);\n    return p[0];\n}\n' "$1"
}
check() { "$STANCH" check --no-record --level=likely "$@" user.c other.c 2>/dev/null; }
same() { # what is expected, when
    check -j1 >warm
    check -j4 --no-cache >cold
    diff warm cold >/dev/null || { fail "$2: warm and cold differ"; diff warm cold; }
    case $1 in
    leak) grep -q "leaks memory from pool_get when early" warm || fail "$2: not found" ;;
    none) ! grep -q "pool_get" warm || fail "$2: reported all the same" ;;
    esac
}
echo 'int nothing;' >other.c
same none "one function alone"
witness one >other.c
same leak "another releases it"
grep -q "'pool_get' allocates: 2 functions pass what it returns to 'pool_put'" warm || fail "no reason"
{ witness one; witness two; } >other.c
same leak "two others"
grep -q "3 functions pass what it returns" warm || fail "the reason is an old one"
{ witness one; looker two; looker three; } >other.c
same none "others only look at it"
printf '#include <stdlib.h>\n#include "mem.h"\nvoid *pool_get(unsigned long n) { return malloc(n); }\nvoid pool_put(void *p) { free(p); }\n' >other.c
same leak "the code is there"
! grep -q "this assumes" warm || fail "believed although the code is there"
exit $bad
