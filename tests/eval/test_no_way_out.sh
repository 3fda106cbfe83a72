#!/usr/bin/env bash
# A function none of whose paths comes to a return is named and counted like one that was given up,
# and callers go on behind it; one that never returns, or that is only stuck in the first round of a
# large cycle of calls, is not.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
cat >stuck.c <<'END'
#include <stdlib.h>
#include <string.h>
struct list { struct list *next; int n; };
static int follows_null(void) {
    struct list l = {0};
    l.next->n = 3;
    return l.n;
}
int behind(const char *s) {
    char *copy = strdup(s);
    if (!copy) return -1;
    if (follows_null()) return 1;
    free(copy);
    return 0;
}
void ends(int n) {
    if (n > 3) exit(n);
    abort();
}
int comes_back(int n) {
    if (n > 3) ends(n);
    return n;
}
END
"$STANCH" check --no-cache --no-record --format=json stuck.c -- -w >stuck.json 2>/dev/null
python3 - stuck.json <<'END' || fail=1
import json, sys
run = json.load(open(sys.argv[1]))
named = [(g['function'], g['reason']) for g in run['run']['given_up']]
found = [f['place']['line'] for f in run['findings']]
if named != [('follows_null', 'no path reaches a return')]: print('given up:', named); sys.exit(1)
if found != [12]: print('lines of findings:', found); sys.exit(1)
END
# A cycle of more functions than are tried again and again, callers first: f0 calls f1 and so on,
# the last has a way out, and calls the first.
{
    echo '#include <stdlib.h>'
    for i in $(seq 0 40); do echo "char *f$i(int n);"; done
    for i in $(seq 0 39); do
        echo "char *f$i(int n) { char *p = f$((i + 1))(n); return p; }"
    done
    echo 'char *f40(int n) { if (n > 40) free(f0(n - 1)); return malloc(n); }'
} >cycle.c
"$STANCH" check --no-cache --no-record --format=json cycle.c >cycle.json 2>/dev/null
grep -q 'no path reaches' cycle.json && bad "a function of the cycle has no way out"
exit $fail
