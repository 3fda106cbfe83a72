#!/bin/bash
# A statement more in a function moves all instructions after it, and a line more all lines. Its callers must not see that:
# what the function alone knows (a number that a loop counts, bytes that others wrote, a block that it obtains) has no
# instruction's number in its summary, and where it obtains and releases is counted in calls.
failed=0
cd "$TMP" || exit 1
cat >leaf.c <<'C'
#include <stdlib.h>
struct node { struct node *next; int kind; char *text; };
int unseen(struct node *n);
int count(struct node *n)
{
    int limit = 100, c = 0;
    BEFORE
    while (n) {
        c += n->kind;
        n = n->next;
    }
    return c > limit ? limit : c;
}
char *pick(struct node *n, int k)
{
    int most = 2;
    BEFORE
    if (k > most) return NULL;
    char *p = malloc(unseen(n) + count(n) + 1);
    if (p) p[0] = n->text[k];
    return p;
}
int *held(struct node *n, int **other)
{
    int unset;
    BEFORE
    if (unseen(n)) unset = 3;
    *other = calloc(2, sizeof **other);
    n->kind = unset;
    return unseen(n) ? malloc(4) : NULL;
}
C
cat >use.c <<'C'
#include <stdlib.h>
struct node;
int count(struct node *n);
char *pick(struct node *n, int k);
int *held(struct node *n, int **other);
int one(struct node *n)
{
    char *p = pick(n, 1);
    if (!p) return 1;
    free(p);
    return 0;
}
int two(struct node *n)
{
    char *p = pick(n, 1);
    return p != 0;
}
int three(struct node *n)
{
    int *a, *b = held(n, &a);
    free(b);
    if (count(n) > 3) return 1;
    free(a);
    return two(n) + one(n);
}
C
mv leaf.c leaf.in
check() { "$STANCH" check -q -j2 --level=audit --impact=at-exit --format=json "$@" leaf.c use.c -- -w; }
# `;` ends a line.
for before in '' 'int i = 5; i += sizeof *n; i ^= 3;' '/* no code */;/* in three */;/* lines */'; do
    lines=$(printf '%s' "$before" | sed 's/; */;\\n/g')
    sed "s@^ *BEFORE@$lines@" leaf.in >leaf.c
    check --no-cache >cold.json
    check --stats >warm.json 2>stats
    cmp cold.json warm.json || failed=1
    evaluated=$(sed -n 's/^evaluation \([0-9]*\) functions.*/\1/p' stats)
    [ "${evaluated:-9}" -le "${most:-6}" ] || {
        echo "with '$before' $evaluated functions were evaluated, of which three have changed"
        failed=1
    }
    most=3
done
exit $failed
