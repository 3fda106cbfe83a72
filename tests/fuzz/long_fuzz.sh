#!/usr/bin/env bash
# Changed inputs of every kind, COUNT of each (10,000), beginning with SEED (1). Prints a line of
# counts for each kind; what failed is left in KEEP when that is set.
set -u
. "$ROOT/tests/fuzz/inputs.sh"
cd "$TMP" || exit 1
fuzz_inputs || { echo "the inputs could not be made"; exit 1; }
bad=0
for kind in ${KINDS:-$kinds}; do
    fuzz_kind "$kind" "${COUNT:-10000}" "${SEED:-1}" || bad=1
done
if [ -n "${KEEP:-}" ]; then cp -r keep/. "$KEEP"; fi
exit $bad
