#!/usr/bin/env bash
# A unit that two programs link: what one of them meets once recurs when the other meets it again
# and again, in whatever order they come; and happens once when neither does. What a path needs of a
# parameter is given by one of them, or by none; what only a file can name it calls itself, in a
# shared library too.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
cat >shared.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void once_here_often_there(const char *name) {
    char *copy = strdup(name);
    if (copy) puts(copy);
}
void once_in_both(const char *name) {
    char *copy = strdup(name);
    if (copy) puts(copy);
}
void in_neither(const char *name) {
    char *copy = strdup(name);
    if (copy) puts(copy);
}
void given_by_one(const char *name, int how) {
    char *copy = strdup(name);
    if (copy) puts(copy);
    if (how != 1) free(copy);
}
void given_by_none(const char *name, int how) {
    char *copy = strdup(name);
    if (copy) puts(copy);
    if (how != 2) free(copy);
}
static void known_in_the_file(const char *name, int how) {
    char *copy = strdup(name);
    if (copy) puts(copy);
    if (how != 3) free(copy);
}
void called_by_others(const char *name) { known_in_the_file(name, 0); }
END
cat >few.c <<'END'
void once_here_often_there(const char *), once_in_both(const char *);
void given_by_one(const char *, int), given_by_none(const char *, int);
int main(int argc, char **argv) {
    once_here_often_there(argv[0]);
    once_in_both(argv[0]);
    for (char **a = argv; *a; a++) given_by_one(*a, 0), given_by_none(*a, 0);
    return argc;
}
END
cat >many.c <<'END'
void once_here_often_there(const char *), once_in_both(const char *);
void given_by_one(const char *, int), given_by_none(const char *, int);
int main(int argc, char **argv) {
    for (char **a = argv; *a; a++) given_by_one(*a, 1), given_by_none(*a, 1);
    once_in_both(argv[0]);
    while (--argc > 0) once_here_often_there(*++argv);
    return 0;
}
END
levels() {
    python3 -c '
import json, sys
for f in sorted(json.load(open(sys.argv[1]))["findings"], key=lambda f: f["function"]):
    print(f["function"], f["level"], f["impact"], *[d["id"] for d in f["doubts"]])' "$1"
}
want="given_by_one sure recurs
in_neither sure once never-called
once_here_often_there sure recurs
once_in_both sure once runs-once"
for order in 'few many' 'many few'; do
    rm -rf .stanch
    build='cc -c shared.c few.c many.c && ar rc libshared.a shared.o'
    for p in $order; do build="$build && cc -o $p $p.o libshared.a"; done
    "$STANCH" run -q --impact=at-exit --format=json -o out.json -- sh -c "$build" >log 2>&1
    got=$(levels out.json)
    [ "$got" = "$want" ] || bad "$order: $got"
    "$STANCH" check -q --impact=at-exit --format=json -o again.json >log 2>&1
    got=$(levels again.json)
    [ "$got" = "$want" ] || bad "$order, again: $got"
done
rm -rf .stanch
"$STANCH" run -q --format=json -o out.json -- sh -c \
    'cc -fPIC -shared -o libshared.so shared.c && cc -c few.c && cc -o few few.o ./libshared.so' >log 2>&1
[ "$(levels out.json | grep -c ' sure recurs$')" = 5 ] || bad "a shared library: $(levels out.json)"
exit $fail
