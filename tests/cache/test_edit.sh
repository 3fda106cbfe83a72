#!/bin/bash
# After an edit the functions that read the same as before are not evaluated again, and the report is that
# of a run that remembers nothing. Then the same with a damaged cache.
failed=0
cd "$TMP" || exit 1

cat >lib.h <<'C'
struct item { struct item *next; char *name; int kind; };
extern int verbose;
extern const char *const kinds[];
char *copy(const char *s);
void *need(unsigned long n);
struct item *item_new(const char *name, int kind);
void item_free(struct item *i);
typedef int (*Visit)(struct item *, void *);
int each(struct item *list, Visit visit, void *context);
C
cat >need.c <<'C'
#include <stdlib.h>
#include "lib.h"
int verbose;
void *need(unsigned long n)
{
    void *p = malloc(n);
    if (!p) abort();
    return p;
}
C
cat >copy.c <<'C'
#include <assert.h>
#include <string.h>
#include "lib.h"
char *copy(const char *s)
{
    assert(s);
    char *p = need(strlen(s) + 1);
    strcpy(p, s);
    return p;
}
const char *const kinds[] = {"one", "two"};
C
cat >item.c <<'C'
#include <stdlib.h>
#include "lib.h"
struct item *item_new(const char *name, int kind)
{
    struct item *i = need(sizeof *i);
    i->next = NULL;
    i->name = copy(name ? name : kinds[kind & 1]);
    i->kind = kind;
    return i;
}
void item_free(struct item *i)
{
    free(i->name);
    free(i);
}
int each(struct item *list, Visit visit, void *context)
{
    int n = 0;
    for (; list; list = list->next) n += visit(list, context);
    return n;
}
C
cat >use.c <<'C'
#include <stdio.h>
#include "lib.h"
static int show(struct item *i, void *context)
{
    (void)context;
    return printf("%s\n", i->name);
}
int lose_one(const char *name, int kind)
{
    struct item *i = item_new(name, kind);
    if (kind > 3) return 1;
    each(i, show, NULL);
    item_free(i);
    return 0;
}
int lose_name(const char *name)
{
    char *c = copy(name);
    if (verbose) puts(c);
    return c[0];
}
C
cat >main.c <<'C'
#include "lib.h"
#include <stdio.h>
int lose_one(const char *name, int kind);
int lose_name(const char *name);
int main(int argc, char **argv)
{
    FILE *f = fopen(argv[0], "r");
    if (!f) return 2;
    if (argc > 2) return lose_one(argv[1], argc);
    fclose(f);
    return lose_name(argv[0]);
}
C
files=(need.c copy.c item.c use.c main.c)

# edit WHAT KEPT: the run after an edit; at least KEPT functions must not have been evaluated again.
edit() {
    local kept
    for format in json text; do
        "$STANCH" check -j2 --level=audit --impact=at-exit --format=$format --no-cache "${files[@]}" >"cold.$format" 2>err || cat err >&2
    done
    "$STANCH" check -j2 --level=audit --impact=at-exit --format=json --stats "${files[@]}" >warm.json 2>stats
    "$STANCH" check -j1 --level=audit --impact=at-exit --format=text "${files[@]}" >warm.text 2>err || cat err >&2
    for format in json text; do
        cmp -s "cold.$format" "warm.$format" && continue
        echo "$1: the report differs from that of a run without memory ($format):"
        diff "cold.$format" "warm.$format" | head -10
        failed=1
    done
    kept=$(sed -n 's/^kept *\([0-9]*\) of.*/\1/p' stats)
    [ "${kept:-0}" -ge "$2" ] || {
        echo "$1: ${kept:-0} functions were kept, not $2 (of $(grep -c '^[a-z].*)$' "${files[@]}" | awk -F: '{s += $2} END {print s}'))"
        failed=1
    }
}

edit "first run" 0
grep -q '"leak"' cold.json || { echo "nothing is found at all"; failed=1; }
sed -i '1i // a line more' need.c
edit "a line in front, below everything" 8
sed -i 's/    strcpy(p, s);/    strcpy(p, s); p[0] = 0;/' copy.c
edit "a change that direct callers see" 3
sed -i 's/    if (!p) abort();/    if (!p) return NULL;/' need.c
edit "a change that all callers see" 1
sed -i 's/{"one", "two"}/{"one", 0}/' copy.c
edit "a constant table" 3
sed -i 's/    return printf/    item_free(i);\n    return printf/' use.c
edit "a callback that frees" 3
sed -i 's/^int verbose;/int verbose = 1;/' need.c
edit "a global" 5
sed -i 's/struct item { struct item \*next;/struct item { struct item *later, *next;/' lib.h
edit "a type" 0
sed -i 's/^static int show/static int hide(struct item *i, void *c)\n{\n    (void)c;\n    return i->kind;\n}\nstatic int show/; s/each(i, show/each(i, kind ? show : hide/' use.c
edit "another target of a call through a pointer" 2
sed -i '/fclose/d' main.c
edit "a leak in main" 7
sed -i 's/^void item_free/static void quite_new(void)\n{\n}\nvoid item_free/; s/    free(i->name);/    quite_new();/' item.c
edit "a new function, a leak elsewhere" 2
sed -i 's/char \*copy(const char \*s)$/char *other(const char *s)\n{\n    return s ? copy(s) : 0;\n}\n&/' copy.c
edit "order" 3
sed -i 's/return c\[0\];/return kinds[verbose \& 1][0];/' use.c
edit "a table is read elsewhere" 7

# Every object of the cache cut short, changed in the middle, or empty: as if it were not there.
number=0
for damage in 'truncate -s -7 "$f"' 'printf x | dd of="$f" bs=1 seek=300 conv=notrunc' ': >"$f"'; do
    find .stanch/cache/v1/objects -type f | while read -r f; do eval "$damage" 2>/dev/null; done
    number=$((number + 1))
    sed -i "1i // damaged $number" use.c
    edit "damage: $damage" 0
done
sed -i '1i // whole again' use.c
edit "after the damage" 7

# after TITLE TEST SED: what one place of the test says must reach what is told of others.
after() {
    cp "$ROOT/tests/idiom/$2" far.c
    "$STANCH" check -q --level=likely --impact=at-exit --format=gcc far.c >far.before
    sed -i "$3" far.c
    "$STANCH" check -q --level=likely --impact=at-exit --format=gcc far.c >far.after
    "$STANCH" check -q --level=likely --impact=at-exit --format=gcc --no-cache far.c >far.fresh
    if cmp -s far.before far.after || ! cmp far.after far.fresh; then
        echo "$1:"
        diff far.before far.fresh
        failed=1
    fi
}
# What a function may count on is in its callers.
after "a caller that no longer sets a global" set_before_the_call/stored_lines.c '/is_open = 1;/d'
# Which numbers a global may be is said by all of the program.
after "another number for a global" numbers_of_a_global/kind_of_transfer.c 's/asked = FOREIGN;/kind = FOREIGN;/'
exit $failed
