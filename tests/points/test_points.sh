#!/usr/bin/env bash
# Points-to sets and call targets in the dumps.
set -u
here=$ROOT/tests/points
failed=0
has() { grep -qF -- "$2" "$1" || { echo "missing in $1: $2"; cat "$1"; failed=1; }; }
hasnt() { ! grep -qF -- "$2" "$1" || { echo "unwanted in $1: $2"; failed=1; }; }
cd "$TMP" || exit 1

"$STANCH" show points foo --no-cache "$here/motivating.c" >m || failed=1
has m '(p) -> heap foo:13 malloc'
has m '(q) -> foo:a'
has m '[foo:a] -> heap foo:13 malloc'
"$STANCH" show points bar --no-cache "$here/motivating.c" >b || failed=1
has b '%r -> unknown, heap foo:13 malloc'

"$STANCH" show calls --indirect --no-cache "$here/calls.c" >c || failed=1
has c 'from_plain:15 -> two, one'
hasnt c 'from_plain:15 -> two, one,'
has c 'from_table:16 -> three, one'
hasnt c 'from_table:16 -> three, one,'
has c 'last:17 -> end'
has c 'from_struct:18 -> two'
has c 'handed:19 -> one'
has c 'from_elsewhere:21 -> unknown'
has c 'made:28 -> three'
"$STANCH" show points main --no-cache "$here/calls.c" >p || failed=1
has p 'heap main:41 fresh'
has p 'heap main:42 fresh'
"$STANCH" show points fresh --no-cache "$here/calls.c" >w || failed=1
has w 'fresh: allocation wrapper'
"$STANCH" show points by_size --no-cache "$here/calls.c" >s || failed=1
has s 'main:a'

"$STANCH" show calls --indirect --no-cache "$here/virtual.cc" >v || failed=1
has v 'square_only:14 -> Square::area'
has v 'any:15 -> '
has v 'Circle::area'

"$STANCH" show points --no-cache "$here/steps.u" >t || failed=1
has t '%5 -> heap main:%0 malloc'          # moved in the loop
has t '%10 -> heap main:%1 malloc'         # what any element holds
has t '%13 -> heap main:%0 malloc+8'       # through an integer
has t '%16 -> heap main:%0 malloc'
has t '%20 -> heap main:%1 malloc'         # tagged and masked
hasnt t 'malloc+16'
hasnt t 'malloc+48'

for f in motivating.c calls.c; do
    "$STANCH" show points --no-cache "$here/$f" >one
    "$STANCH" show points --no-cache "$here/$f" >two
    cmp -s one two || { echo "two runs differ: $f"; failed=1; }
done
exit $failed
