#!/bin/bash
# The second round of a recursion: functions of which nothing new is known are not gone through again, their
# findings are told once, and what a belief changes reaches the others.
set -u
cd "$TMP" || exit 1
bad=0
fail() {
    echo "$*"
    bad=1
}
cat >ring.c <<'END'
#include <stdlib.h>
void peek(char *text);
static int first(int n);

// Whoever hands it to peek() has to free it: these say so.
#define WITNESS(name)            \
    void name(void)              \
    {                            \
        char *p = malloc(4);     \
        if (!p) return;          \
        peek(p);                 \
        free(p);                 \
    }
WITNESS(one)
WITNESS(two)
WITNESS(three)
WITNESS(four)

static void shows(char *text) { peek(text); }
char *kept[8]; // nobody is seen to free what is there, whatever peek() does
static int third(int n)
{
    kept[n & 7] = malloc(3);
    int left = 0;
    char *more = malloc(7);
    for (int i = 0; i < n; i++) left += first(i);
    free(more);
    return left;
}
static int second(int n)
{
    kept[n & 7] = malloc(3);
    char *lent = malloc(6);
    if (!lent) return 0;
    shows(lent);
    return third(n - 1); // lost since peek() only looks at it
}
static int first(int n)
{
    kept[n & 7] = malloc(3);
    return n ? second(n - 1) : 0;
}
int ring(int n) { return first(n); }
END
"$STANCH" check -q --no-cache --level=audit --impact=at-exit --format=gcc ring.c >told
[ "$(grep -c ':17: warning: memory from malloc leaks' told)" = 3 ] &&
    [ -z "$(sort told | uniq -d)" ] || fail "what nothing new is known of: not told once"
[ "$(grep -c "lent" told)" = 1 ] || fail "what a belief says: not told once"
! grep -q "'more'" told || fail "what is freed is told"
[ $bad = 0 ] || cat told
exit $bad
