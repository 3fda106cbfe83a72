#!/bin/bash
# Functions that call each other in a circle: an edit of one that says the same as before costs that one. What
# it calls is read back from the cache, also where it has no way out and so no cases. The report is that of a run
# that remembers nothing.
failed=0
cd "$TMP" || exit 1
cat >circle.c <<'C'
#include <stdlib.h>
struct tree { struct tree *left, *right; char *text; };
char *branch(struct tree *t, int depth);
_Noreturn void stop(void)
{
    for (;;)
        abort();
}
char *leaf(struct tree *t, int depth)
{
    if (depth > 90) stop();
    if (t->text) return t->text;
    return branch(t->right, depth + 1);
}
char *turn(struct tree *t, int depth)
{
    char *copy = malloc(8);
    if (!copy) stop();
    if (depth > 80) return NULL;
    free(copy);
    return branch(t->left, depth + 1);
}
char *branch(struct tree *t, int depth)
{
    return t->left ? turn(t, depth) : leaf(t, depth);
}
int main(int argc, char **argv)
{
    struct tree t = {0, 0, argv[0]};
    return branch(&t, argc) != NULL;
}
C

# What is evaluated of the five functions after the edit.
check() {
    "$STANCH" check -q --level=audit --impact=once --stats circle.c >with.txt 2>stats
    "$STANCH" check -q --level=audit --impact=once --no-cache circle.c >without.txt 2>/dev/null
    cmp -s with.txt without.txt || { echo "$1: another report than without the cache"; diff with.txt without.txt; failed=1; }
    local done
    done=$(sed -n 's/^evaluation \([0-9]*\) functions.*/\1/p' stats)
    [ "$done" = "$2" ] || { echo "$1: $done functions were evaluated, not $2"; failed=1; }
}

check "first run" 5
sed -i 's/if (depth > 90) stop();/if (90 < depth) stop();/' circle.c
check "edit in the circle" 1
sed -i 's/if (!copy) stop();/if (copy == NULL) stop();/' circle.c
check "another" 1
grep -q '\[leak\]' with.txt || { echo "the leak in the circle is not told"; cat with.txt; failed=1; }
exit $failed
