#!/bin/bash
# The walk goes over the projection: branches whose sides differ in nothing that matters are passed over
# on one path, loops without anything that matters are not entered, and what is told is what --no-prune
# tells, which walks the whole graph.
failed=0
cd "$TMP" || exit 1
{
    cat <<'EOT'
#include <stdlib.h>

int use(int);

// Which of the many sums it is, nobody asks.
int leaks(int n, int flag)
{
    char *p = malloc(8);
    int sum = 0;
    if (!p) return -1;
EOT
    for i in $(seq 1 30); do
        echo "    if (n & $((1 << i % 30))) sum += n * $i; else sum ^= n;"
    done
    cat <<'EOT'
    for (int i = 0; i < n; i++) sum += i;
    if (flag) return 1;
    free(p);
    return 0;
}

// The same with the sum deciding in the end: all of it matters.
int decides(int n)
{
    char *p = malloc(8);
    int sum = 0;
    if (!p) return -1;
    if (n & 1) sum += n; else sum ^= n;
    for (int i = 0; i < n; i++) sum += i;
    if (sum == 5) return 1;
    free(p);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    return leaks(argc, argc > 2) + decides(argc);
}
EOT
} >focus.c
told() { "$STANCH" check --no-cache -q --impact=at-exit --format=gcc --stats "$@" focus.c 2>err; grep '^projection' err >stats; }
number() { sed -nE "s/.*[ ;]([0-9]+) $1.*/\1/p" stats; }
told >some.txt
passed=$(number 'branches passed over') forks=$(number forks)
told --no-prune >all.txt
none=$(number 'branches passed over') all=$(number forks)
places() { sed -nE "s/(: warning: .*) when .*( \\[.*)/\1\2/p" "$1"; }
[ "$(places some.txt)" = "$(places all.txt)" ] ||
    { echo "--no-prune tells something else:"; diff some.txt all.txt; failed=1; }
grep -q "when flag \[leak\]" some.txt ||
    { echo "the condition has branches in it that govern nothing:"; cat some.txt; failed=1; }
[ "$(grep -c 'warning: ' some.txt)" -eq 2 ] || { echo "not the two leaks are told:"; cat some.txt; failed=1; }
[ "${passed:-0}" -ge 1 ] || { echo "no branch was passed over"; failed=1; }
[ "${none:-1}" -eq 0 ] || { echo "--no-prune passes over branches: $none"; failed=1; }
[ "${forks:-99}" -lt 20 ] || { echo "forks at branches that govern nothing: $forks"; failed=1; }
[ "${all:-0}" -gt "${forks:-0}" ] || { echo "no fork was saved: $forks of $all"; failed=1; }
exit $failed
