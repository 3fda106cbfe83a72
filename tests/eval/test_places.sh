#!/bin/bash
# Which of several places in a callee a block comes from: the one that the arguments lead to, and
# where they leave it open the report says so.
cd "$TMP" || exit 1
cat >a.c <<'C'
#include <stdlib.h>
static char *make(int kind) {
    if (kind == 1)
        return malloc(8);
    if (kind == 7)
        return malloc(8);
    return NULL;
}
static char *either(int kind) {
    return kind & 1 ? malloc(8)
                    : malloc(8);
}
void second(int n) {
    char *p = make(7);
    if (p && n)
        p = NULL;
    free(p);
}
void some(int n) {
    char *p = either(n);
    if (p && n)
        p = NULL;
    free(p);
}
C
"$STANCH" check --no-cache a.c >out 2>&1
failed=0
expect() {
    grep -qxF "$1" out && return
    echo "no line '$1' in"
    cat out
    failed=1
}
expect "a.c:6:16: note: allocated there by malloc"
grep -q "a.c:1[01]:[0-9]*: note: allocated there by malloc, here or elsewhere" out || {
    echo "the other place is not spoken of in"
    cat out
    failed=1
}
exit $failed
