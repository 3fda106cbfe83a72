#!/bin/bash
# stanch show summary, heap and project: the categories of Sparrow's Fig. 3 to 8 from the programs of the
# figures, and the chain and the graph of symbolic pointer analysis' Fig. 2.
failed=0
cd "$ROOT/tests/leak" || exit 1

# expect WHAT FUNCTION FILE TEXT...: each TEXT is a line of the dump but for the space before it.
expect() {
    local what=$1 function=$2 file=$3 text
    shift 3
    if ! "$STANCH" show "$what" "$function" --no-cache "$file" >"$TMP/out" 2>"$TMP/err"; then
        echo "show $what $function $file: failed: $(cat "$TMP/err")"
        failed=1
        return
    fi
    sed 's/^ *//' "$TMP/out" >"$TMP/lines"
    for text; do
        grep -qxF -e "$text" "$TMP/lines" && continue
        echo "show $what $function $file: no line '$text' in"
        cat "$TMP/out"
        failed=1
    done
}

absent() {
    grep -qF -e "$1" "$TMP/out" || return
    echo "unexpected '$1' in"
    cat "$TMP/out"
    failed=1
}

# Fig. 1: what f allocates depends on n.
expect summary f sparrow/fig1_summary_of_f.c 'Alloc2Arg: arg1*.next*' 'Alloc2Ret: ret*' \
    'case 1: when arg1 != 0; global.n == 0' 'case 2: when global.n != 0' \
    'allocates o1: malloc, line 14' 'writes    arg1*.next = o1'
# Fig. 2
expect summary f sparrow/fig2_aliased_actuals.c 'Arg2Free: arg1*, arg2*.next*'
# Fig. 3 to 8
expect summary freeNext sparrow/fig3_arg2free.c 'Arg2Free: arg1*.next*'
absent Arg2Glob
expect summary attachGlob sparrow/fig4_arg2glob_glob2arg.c 'Arg2Glob: arg1*' 'Glob2Arg: arg2**'
absent Arg2Free
expect summary makeArray sparrow/fig5_alloc2arg.c 'Alloc2Arg: arg1**'
absent Alloc2Ret
expect summary make2List sparrow/fig6_alloc2ret.c \
    'Alloc2Ret: ret*, ret*.next*, ret*.val*, ret*.next*.val*'
expect summary argPassing sparrow/fig7_glob2ret_arg2arg.c 'Glob2Ret: ret*' \
    'Arg2Arg: (arg1*, arg2**)'
expect summary renewList sparrow/fig8_arg2ret.c 'Arg2Ret: (arg1*.next*, ret*.next*)' \
    'Alloc2Ret: ret*' 'Arg2Free: arg1*, arg1*.val*'
# Fig. 14: one return gives new memory, the other what the argument held.
expect summary f sparrow/fig14_two_returns.c 'Alloc2Ret: ret*' 'Arg2Ret: (arg1*.val*, ret*)'
# A guard ties the release to the argument that asks for it.
expect summary free_when sparrow/path_free_when_asked.c 'Arg2Free: arg1*'
grep -q 'case .: when .*arg2 != 0' "$TMP/out" || {
    echo "no guard on arg2 in"
    cat "$TMP/out"
    failed=1
}

# Fig. 9: the node that lst2 points to is cut off, and nothing else.
expect heap leak sparrow/fig9_leak.c 'o5: cut off' 'o5 -next-> o3' 'table -> o4' 'cell -> o6'
[ "$(grep -c 'cut off' "$TMP/out")" = 1 ] || {
    echo "show heap leak: not exactly one object is cut off"
    cat "$TMP/out"
    failed=1
}
expect summary leak sparrow/fig9_leak.c
absent Alloc2Ret

# Symbolic, Fig. 2: the chain, and the two records that refer to each other.
expect heap the_two_records_below_are_lost symbolic/fig2_cycle_cut_off.c \
    'path condition  true' 'state condition o1 != 0 and o2 != 0 and o3 != 0' \
    'o2 -left-> o3' 'o3 -right-> o2' 'o1: freed' 'o2: cut off' 'o3: cut off'
chain='new(o1, calloc, line 18) (+) new(o2, calloc, line 19) (+) new(o3, calloc, line 20)'
chain="$chain (+) put(o1, left, o3) (+) put(o1, right, o2) (+) put(o2, left, o3)"
chain="$chain (+) put(o3, right, o2) (+) free(o1)"
grep -qF "_|_ (+) $chain" "$TMP/out" || {
    echo "another chain than: $chain"
    cat "$TMP/out"
    failed=1
}
expect heap the_cell_reachable_from_k_leaks sparrow/fig1_summary_of_f.c 'path condition  n == 0' \
    'path condition  n != 0' 'ret -> o1'

# Drawings: boxes and circles, dotted what was there before, solid what the function did.
"$STANCH" show summary renewList --dot --no-cache sparrow/fig8_arg2ret.c >"$TMP/out" || failed=1
for text in 'digraph "renewList" {' 'shape=box, label="ret"' 'shape=box, label="arg1"' \
    'shape=circle, label="!"' 'shape=circle, label="0"' 'label="val", style=dotted' \
    'label="next"]'; do
    grep -qF -e "$text" "$TMP/out" && continue
    echo "show summary --dot: no '$text' in"
    cat "$TMP/out"
    failed=1
done
"$STANCH" show heap leak --dot --no-cache sparrow/fig9_leak.c >"$TMP/out" || failed=1
for text in 'digraph "leak" {' 'label="root"' 'fillcolor=lightgrey, label="o5"'; do
    grep -qF -e "$text" "$TMP/out" && continue
    echo "show heap --dot: no '$text' in"
    cat "$TMP/out"
    failed=1
done

# The projection: of a long computation only the branch stays that decides about the release.
cat >"$TMP/long.c" <<'C'
#include <stdlib.h>
int work(const int *a, int n) {
    int sum = 0, k = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 3) sum += a[i]; else sum--;
        for (int j = 0; j < i; j++) k ^= j;
    }
    char *p = malloc(10);
    if (!p) return -1;
    switch (k & 3) { case 0: sum++; break; case 1: sum--; break; }
    if (sum > 100) { free(p); return 1; }
    return 0;
}
C
"$STANCH" show project work --no-cache "$TMP/long.c" >"$TMP/out" || failed=1
for text in '^project work: 5 of [0-9]* blocks' 'call ptr @malloc' 'call void @free' 'ret '; do
    grep -q -e "$text" "$TMP/out" && continue
    echo "show project: no '$text' in"
    cat "$TMP/out"
    failed=1
done
[ "$(grep -c ' branch ' "$TMP/out")" = 2 ] || {
    echo "show project: not the two branches that govern the release"
    cat "$TMP/out"
    failed=1
}

# What is unknown two calls below is unknown to the caller too; what was freed there is known to be.
expect summary box_drop ../idiom/table_of_slots/dropped_below.c 'loosens   arg1*'
expect summary table_add ../idiom/hash_table/grown_below.c 'frees     arg1*.slots*'

# Everything of a file at once, and the same bytes again.
for what in summary heap project; do
    for dot in '' --dot; do
        "$STANCH" show $what $dot --no-cache sparrow/fig15_osmesa.c >"$TMP/one" || failed=1
        "$STANCH" show $what $dot --no-cache sparrow/fig15_osmesa.c >"$TMP/two" || failed=1
        cmp "$TMP/one" "$TMP/two" || failed=1
        grep -q create_context "$TMP/one" || failed=1
    done
done
exit $failed
