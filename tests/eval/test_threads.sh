#!/bin/bash
# The same bytes whatever -j: over the leak tests together (as text and as JSON) and over a program with
# hundreds of functions: layers that call down, groups that call each other, tables of functions.
failed=0

same() { # name, report for each -j: report-1, ...
    for j in 2 4; do
        for format in text json; do
            cmp -s "$TMP/$1-1.$format" "$TMP/$1-$j.$format" && continue
            echo "$1: -j$j differs from -j1 ($format):"
            diff "$TMP/$1-1.$format" "$TMP/$1-$j.$format" | head -5
            failed=1
        done
    done
}

cd "$TMP" || exit 1
generate() {
    awk -v seed=7 'function rnd(n) { seed = (seed * 16807) % 2147483647; return seed % n }
    BEGIN {
        print "#include <stdlib.h>\n#include <stdio.h>"
        n = 400
        for (i = 0; i < n; i++) printf "static int f%d(char **out, int n);\n", i
        print "typedef int (*Step)(char **, int);"
        for (t = 0; t < 12; t++) {
            printf "static const Step table%d[] = {", t
            for (k = 0; k < 3; k++) printf "%sf%d", k ? ", " : "", rnd(n)
            print "};"
        }
        for (i = 0; i < n; i++) {
            printf "static int f%d(char **out, int n)\n{\n    char *p = malloc(%d + n);\n", i, i + 1
            print "    if (!p) return -1;"
            if (i % 3) printf "    if (f%d(&p, n + 1) < 0) %s\n", rnd(i) , \
                rnd(4) ? "{ free(p); return -1; }" : "return -1;"
            if (i % 17 == 5) printf "    if (n > 3) f%d(out, n - 1);\n", (i + 1 + rnd(20)) % n
            if (i % 11 == 2) printf "    table%d[n %% 3](&p, n);\n", rnd(12)
            if (i % 13 == 4) printf "    table%d[1](&p, n);\n", rnd(12)
            if (rnd(3)) print "    free(*out);\n    *out = p;"
            else print "    free(p);"
            print "    return n;\n}"
        }
        print "int main(int argc, char **argv)\n{\n    char *s = NULL;\n    (void)argv;"
        for (i = 0; i < n; i += 7) printf "    f%d(&s, argc);\n", i
        print "    free(s);\n    return 0;\n}"
    }'
}
generate >many.c
"$STANCH" unit many.c -o many.unit || exit 1
for j in 1 2 4; do
    for format in text json; do
        "$STANCH" link -j$j --no-cache --level=audit --impact=at-exit --format=$format many.unit >"many-$j.$format"
    done
done
same many
[ "$(grep -c 'leak' many-1.text)" -ge 20 ] || { echo "the generated program has too few findings"; failed=1; }

# The leak tests, all together: compiled once; without inputs the same units are analysed anew.
cp -r "$ROOT/tests/leak" leak
cd leak || exit 1
mapfile -t files < <(find . -name '*.c' | LC_ALL=C sort)
"$STANCH" check -q "${files[@]}" >/dev/null 2>&1
for j in 1 2 4; do
    for format in text json; do
        "$STANCH" check -j$j --format=$format >"$TMP/leak-$j.$format" 2>"$TMP/err" && cat "$TMP/err"
    done
done
same leak
[ "$(grep -c 'leak' "$TMP/leak-1.text")" -ge 20 ] || { echo "too few findings in the leak tests"; failed=1; }
exit $failed
