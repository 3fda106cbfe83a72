#!/usr/bin/env bash
# Programs that link the same library share what was evaluated of it, and say what each says alone.
set -u
cd "$TMP" || exit 1
fail=0
cat >lib.h <<'C'
#include <stdlib.h>
struct box { char *text; int count; };
struct box *box_new(int n);
int box_fill(struct box *b, const char *s);
void box_free(struct box *b);
void box_drop(struct box *b);
C
cat >lib.c <<'C'
#include "lib.h"
#include <string.h>
static char *copy(const char *s) { return strdup(s); }
struct box *box_new(int n) {
    struct box *b = malloc(sizeof *b);
    if (!b) return NULL;
    b->text = NULL;
    b->count = n;
    return b;
}
int box_fill(struct box *b, const char *s) {
    char *t = copy(s);
    if (!t) return -1;
    if (b->count > 3) return -1; /* t is lost */
    free(b->text);
    b->text = t;
    return 0;
}
void box_free(struct box *b) {
    if (b) free(b->text);
    free(b);
}
void box_drop(struct box *b) { free(b); }
C
for p in one two three; do
    cat >$p.c <<C
#include "lib.h"
int use_$p(const char *s) {
    struct box *b = box_new(*s);
    if (!b) return 1;
    if (box_fill(b, s)) return 2; /* b is lost */
    $([ $p = two ] && echo box_drop || echo box_free)(b);
    return 0;
}
int main(int argc, char **argv) { return argc > 1 ? use_$p(argv[1]) : 0; }
C
done
printf 'P ?= one two three\nall: $(P)\n%%: %%.c lib.c\n\tgcc -o $@ $^\n' >Makefile
found() { grep -E '^[a-z.]+:[0-9]+:[0-9]+: warning' "$1" | sort -u; }
"$STANCH" run --no-cache --impact=at-exit --stats --format=gcc -- make -B >all.out 2>stats
for p in one two three; do
    "$STANCH" run --no-cache --impact=at-exit --format=gcc -- make -B P=$p >$p.out 2>&1
done
cat one.out two.out three.out >alone.out
found all.out >all.found
found alone.out >alone.found
[ -s all.found ] && diff alone.found all.found || { echo "together they say something else than alone"; fail=1; }
for p in one two three lib; do
    grep -q "^$p.c:" all.found || { echo "nothing is found in $p.c"; fail=1; }
done
grep -qE '^kept +[1-9]' stats || { echo "nothing was shared:"; cat stats; fail=1; }
exit $fail
