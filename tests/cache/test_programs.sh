#!/bin/bash
# A library that several programs link is evaluated once, whoever else declares what it calls: the second
# program has its functions from the first.
set -u
bad=0
fail() {
    echo "$*"
    bad=1
}
mkdir "$TMP/p" && cd "$TMP/p" || exit 1
cat >lib.h <<'END'
char *joined(const char *a, const char *b);
int looks(const char *text);
END
cat >lib.c <<'END'
#include "lib.h"
#include <stdlib.h>
#include <string.h>
char *joined(const char *a, const char *b)
{
    char *text = malloc(strlen(a) + strlen(b) + 1);
    if (!text) return 0;
    strcpy(text, a);
    return strcat(text, b);
}
int looks(const char *text)
{
    char *copy = strdup(text);
    return copy && *copy == 'x';
}
END
# It declares strlen itself, so that its unit is the first to do so; the other does not.
cat >a.c <<'END'
#include "lib.h"
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char *text = joined(argv[0], "a");
    int n = text ? (int)strlen(text) : 0;
    free(text);
    return n + looks(argv[argc - 1]);
}
END
cat >b.c <<'END'
#include "lib.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    free(joined(argv[0], "b"));
    return looks(argv[argc - 1]);
}
END
cat >build.sh <<'END'
set -e
cc -c -fPIC lib.c
cc -c a.c
cc -c b.c
cc -shared -o libx.so lib.o
cc -o a a.o -L. -lx
cc -o b b.o -L. -lx
END
"$STANCH" run -q -j1 --stats --format=gcc -- bash build.sh >told 2>stats
grep -q "3 units, 2 programs" stats || fail "not two programs"
grep -q "^evaluation 4 functions" stats || fail "a function was evaluated twice"
grep -q "^kept *2 of 6 functions" stats || fail "not kept for the other"
[ "$(grep -c "lib.c:14:.*leak" told)" = 1 ] || fail "the leak is not told once"
rm -rf .stanch ./*.o a b libx.so
"$STANCH" run --no-cache -q -j2 --format=gcc -- bash build.sh >cold 2>/dev/null
diff told cold || fail "with two threads it says something else"
[ $bad = 0 ] || grep -E "^(kept|program|evaluation)" stats
exit $bad
