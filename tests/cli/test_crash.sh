#!/usr/bin/env bash
# A compiler that crashes, prints nonsense or writes damaged bitcode costs its file only.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
for f in good crash garbage cut silent fine; do echo "int $f(int x) { return x; }" >$f.c; done
real=$(command -v clang-19)
cat >clang <<EOF
#!/bin/bash
# The bitcode's name stands behind -o.
while [ \$# -gt 0 ]; do
    args+=("\$1")
    case \$1 in -o) out=\$2 ;; *.c) source=\$1 ;; esac
    shift
done
case \$source in
*crash.c) echo "internal compiler error" >&2; kill -SEGV \$\$ ;;
*garbage.c) "$real" "\${args[@]}" && head -c 3000 /dev/urandom >"\$out" ;;
*cut.c) "$real" "\${args[@]}" && truncate -s 1000 "\$out" ;;
*silent.c) exit 0 ;;
*) exec "$real" "\${args[@]}" ;;
esac
EOF
chmod +x clang
STANCH_CLANG=$PWD/clang "$STANCH" check good.c crash.c garbage.c cut.c silent.c fine.c >out 2>&1
status=$?
[ $status -eq 3 ] || bad "status $status: $(cat out)"
grep -q '2 of 6 units' out || bad "the others are not analysed: $(cat out)"
for f in crash garbage cut silent; do
    grep -q "^stanch: warning: $f.c: " out || bad "$f.c is not mentioned: $(cat out)"
done
grep -q 'internal compiler error' out || bad "the compiler's own message is lost: $(cat out)"
# What failed is tried again, and nothing of it is in the cache.
"$STANCH" check good.c crash.c garbage.c cut.c silent.c fine.c >out 2>&1
[ $? -eq 0 ] && grep -q '6 of 6 units' out || bad "after the crash: $(cat out)"
STANCH_CLANG=/nonexistent "$STANCH" check good.c >out 2>&1
[ $? -eq 2 ] || bad "a missing clang: $(cat out)"
exit $fail
