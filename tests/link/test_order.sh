#!/usr/bin/env bash
# The order in which units are named changes nothing: duplicate symbols, two units of one source
# and units that cannot be read, in several orders, formats and numbers of threads.
set -u
cd "$TMP" || exit 1
bad=0
mkdir x y z
cat >x/put.c <<'E'
#include <stdlib.h>
void put(char *p) { free(p); }
E
cat >y/put.c <<'E'
void put(char *p) { (void)p; }
E
cat >z/put.c <<'E'
#include <stdlib.h>
#ifdef KEEPS
static char *kept;
void put(char *p) { kept = p; }
#else
void put(char *p) { if (*p) free(p); }
#endif
char *get(void) { return malloc(8); }
E
cat >main.c <<'E'
#include <stdlib.h>
void put(char *);
char *get(void);
int main(void)
{
    char *p = malloc(10), *q = get();
    if (!p || !q) return 1;
    put(p);
    put(q);
    return 0;
}
E
cat >y/other.c <<'E'
#include <stdlib.h>
void put(char *);
char *get(void) { return calloc(4, 4); }
void use(void) { char *p = get(); if (p) put(p); }
E
for f in x/put y/put z/put main y/other; do "$STANCH" unit $f.c -o "${f/\//-}.unit" || exit 1; done
"$STANCH" unit z/put.c -o z-keeps.unit -- -DKEEPS || exit 1
echo 'no unit' >a-broken.unit
echo 'no unit' >z-broken.unit
units=(*.unit)
[ "${#units[@]}" = 8 ] || exit 1
orders=("${units[*]}" "$(printf '%s ' "${units[@]}" | tac -s' ' | tr '\n' ' ')")
for seed in 1 2 3 4 5 6; do
    orders+=("$(printf '%s\n' "${units[@]}" | shuf --random-source=<(yes $seed) | tr '\n' ' ')")
done
for format in text json sarif; do
    n=0
    for order in "${orders[@]}"; do
        n=$((n + 1))
        # shellcheck disable=SC2086
        "$STANCH" link --no-cache --level=audit --format=$format -j$((n % 3 + 1)) $order >$format.$n 2>err.$n ||
            [ $? -eq 2 ] || { echo "$order: nothing found: $(cat err.$n)"; bad=1; }
        for f in $format err; do
            cmp -s $f.1 $f.$n && continue
            echo "$format: the order '$order' changes the output:"
            diff $f.1 $f.$n | head -10
            bad=1
        done
    done
done
[ "$(printf '%s\n' "${orders[@]}" | sort -u | wc -l)" -ge 6 ] || { echo "the orders are too few"; bad=1; }
grep -q '"uri"' sarif.1 || { echo "nothing was found"; bad=1; }
exit $bad
