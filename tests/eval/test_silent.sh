#!/bin/bash
# Functions in which nothing is obtained or released are evaluated on one path once they get dear, and
# what is found does not depend on it: --no-prune walks all of them in full.
failed=0
cd "$TMP" || exit 1
cat >silent.c <<'EOF'
#include <stdlib.h>
#include <string.h>

struct Box { char *text; int flags[40]; int state; };

// Many tests and stores, nothing obtained: dear on every path.
int settle(struct Box *b, const int *in)
{
    int sum = 0;
EOF
for i in $(seq 0 39); do
    echo "    if (in[$i] > $i) { b->flags[$i] = in[$i]; sum += $i; } else b->flags[$i] = -1;"
    echo "    for (int k = 0; k < in[$i]; k++) if (b->flags[k % 40] == in[k]) b->state = k;"
done >>silent.c
cat >>silent.c <<'EOF'
    return sum;
}

// Small: what it returns stays tied to what it keeps.
static struct Box *kept;
int keep_if(struct Box *b, int want)
{
    if (!want) return 0;
    kept = b;
    return 1;
}

int leaks_when_settled(const int *in)
{
    struct Box *b = malloc(sizeof *b);
    if (!b) return -1;
    memset(b, 0, sizeof *b);
    if (settle(b, in) > 7) return 1;
    free(b);
    return 0;
}

int clean_by_result(const int *in, int want)
{
    struct Box *b = calloc(1, sizeof *b);
    if (!b) return -1;
    settle(b, in);
    if (!keep_if(b, want)) free(b);
    return 0;
}

int main(int argc, char **argv)
{
    int in[40] = {argc};
    (void)argv;
    return leaks_when_settled(in) + clean_by_result(in, argc > 1);
}
EOF
told() { "$STANCH" check --no-cache -q --impact=at-exit --format=gcc --stats "$@" silent.c 2>err; grep '^evaluation' err >stats; }
told >pruned.txt
one=$(sed -nE 's/.* ([0-9]+) of them on one path.*/\1/p' stats)
few=$(sed -nE 's/.*path, ([0-9]+) steps.*/\1/p' stats)
told --no-prune >full.txt
none=$(sed -nE 's/.* ([0-9]+) of them on one path.*/\1/p' stats)
many=$(sed -nE 's/.*path, ([0-9]+) steps.*/\1/p' stats)
cmp -s pruned.txt full.txt || { echo "--no-prune tells something else:"; diff pruned.txt full.txt; failed=1; }
line=$(grep -n 'b = malloc' silent.c | cut -d: -f1)
[ "$(grep -c 'warning: ' pruned.txt)" -eq 1 ] && grep -q 'from malloc' pruned.txt ||
    { echo "not just the leak of line $line is told:"; cat pruned.txt; failed=1; }
[ "${one:-0}" -ge 2 ] || { echo "settle and keep_if are not taken on one path: '$one'"; failed=1; }
[ "${none:-1}" -eq 0 ] || { echo "--no-prune takes functions on one path: '$none'"; failed=1; }
[ "${few:-0}" -lt "${many:-0}" ] || { echo "no steps were saved: $few of $many"; failed=1; }
exit $failed
