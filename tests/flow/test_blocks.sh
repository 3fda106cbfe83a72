#!/usr/bin/env bash
# show blocks: who is left with what a line obtains, and where it is released.
set -u
cd "$TMP" || exit 1
cat >a.c <<'END'
#include <stdlib.h>
#include <string.h>
char *kept;
static void done(char *p) { free(p); }
int released_on_both_ways(const char *s, int n)
{
    char *p = strdup(s);
    if (n > 3) {
        free(p);
        return 1;
    }
    done(p);
    return 0;
}
void stored(const char *s) { kept = strdup(s); }
int lost(const char *s) { return strdup(s) != 0; }
END
passed=0 failed=0
expect() { # selector text
    local seen
    seen=$("$STANCH" show blocks "$1" a.c --no-cache 2>&1)
    if [ "$seen" == "$2" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'FAIL show blocks %s:\n%s\n' "$1" "$seen"
    fi
}
expect a.c:7 'memory from `strdup` at a.c:7
  - owned by `released_on_both_ways` and what it calls: every path releases it
  - released at a.c:9 by `free` in `released_on_both_ways`
  - released at a.c:4 by `free` in `done`'
expect a.c:15 'memory from `strdup` at a.c:15
  - stored in a global variable'
expect lost 'memory from `strdup` at a.c:16
  - no release is seen'
echo "$passed passed, $failed failed"
exit $((failed != 0))
