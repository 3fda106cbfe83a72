#!/bin/bash
# Without the models nothing is known of the library: the run is incomplete and says what to do.
cd "$TMP" || exit 1
failed=0
printf '#include <stdlib.h>\nint f(void) { void *p = malloc(1); return p != 0; }\n' >x.c
"$STANCH" check --no-cache x.c >out 2>err
[ $? -eq 1 ] || { echo "with models: $(cat out err)"; failed=1; }
STANCH_MODELS=$TMP/nowhere "$STANCH" check --no-cache x.c >out 2>err
status=$?
[ $status -eq 3 ] || { echo "without models: status $status"; failed=1; }
grep -q "nowhere.*set STANCH_MODELS" err || { echo "without models: $(cat err)"; failed=1; }
for round in first second; do # nothing of it is kept
    STANCH_MODELS=$TMP/nowhere "$STANCH" check x.c >out 2>err
    [ $? -eq 3 ] || { echo "without models, $round run with a cache: $(cat out err)"; failed=1; }
done
"$STANCH" check x.c >out 2>err
[ $? -eq 1 ] || { echo "models again: $(cat out err)"; failed=1; }
printf 'int f(void) { return 1; }\n' >ok.c
"$STANCH" check --no-cache ok.c >out 2>err
[ $? -eq 0 ] || { echo "nothing to find: $(cat out err)"; failed=1; }
exit $failed
