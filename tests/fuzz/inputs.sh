# Sourced by the fuzz tests: makes the inputs to start from in the working directory, and runs a
# kind over them.
fuzz=$ROOT/$B/stanch-fuzz
export STANCH_MODELS=$ROOT/models
kinds='unit-text unit-binary spec compdb baseline suppress history cache-index source-c source-cxx'

fuzz_inputs() {
    local kind
    mkdir -p keep
    for kind in $kinds; do mkdir -p "in/$kind"; done
    cp "$ROOT"/tests/*/*.u in/unit-text/
    for seed in 1 2 3 4; do "$ROOT/tests/cli/random_unit" $seed >in/unit-text/random$seed.u; done
    cp "$ROOT"/tests/leak/core/*.c "$ROOT"/tests/leak/rules/*.c in/source-c/
    cp "$ROOT"/tests/idiom/cxx_*/*.cc in/source-cxx/
    local n=0 f
    for f in "$ROOT"/tests/leak/rules/*.c "$ROOT"/tests/idiom/cxx_unique_ptr/*.cc; do
        n=$((n + 1))
        [ $n -le 6 ] || break
        "$STANCH" unit "$f" -o in/unit-binary/$n.unit 2>/dev/null
    done
    cp "$ROOT"/models/*.own "$ROOT"/tests/spec/good/* in/spec/
    # The unit whose findings meet a baseline, a suppression file, a history.
    cat >leaky.c <<'C'
#include <stdlib.h>
#include <string.h>
char *kept;
int one(const char *s, int n) { char *p = strdup(s); if (n > 3) return -1; free(p); return 0; }
int two(int n) { char *p = malloc(n); kept = malloc(n); if (!p) return -1; p[0] = 0; free(p); free(p); return n; }
C
    "$STANCH" unit leaky.c -o fixed.unit || return 1
    "$STANCH" link -q --level=audit --write-baseline in/baseline/b.json -o /dev/null fixed.unit
    cp .stanch/history.db in/history/ && cp .stanch/cache/v1/index.db in/cache-index/ || return 1
    rm -rf .stanch
    printf '# why\nleak leaky.c:one -- kept on purpose\ndouble-free **/x*.c -- known\n' >in/suppress/s.txt
    cat >in/compdb/c.json <<J
[{"directory": "$PWD", "file": "leaky.c", "command": "gcc -I. -DX=\"a b\" -include leaky.h -O2 -o x.o -c leaky.c"},
 {"directory": "$PWD", "file": "leaky.c", "arguments": ["clang", "-std=gnu11", "-isystem", "/usr/include", "@args", "-c", "leaky.c"]},
 {"directory": ".", "file": "../x.cc", "command": "ccache g++ -fno-exceptions -x c++ -MD -MF x.d x.cc", "output": "x.o"}]
J
}

# kind count seed: status 1 when an input failed; failed inputs are left in keep/.
fuzz_kind() {
    local kind=$1
    # Databases are sorted out without compiling: the compiler does nothing.
    if [ "$kind" = compdb ]; then local STANCH_CLANG=/bin/true && export STANCH_CLANG; fi
    "$fuzz" "$kind" --count "$2" --seed "$3" --keep keep --fixed fixed.unit "in/$kind"/*
}
