#!/usr/bin/env bash
# The golden SARIF log has the form that SARIF 2.1.0 and GitHub code scanning ask for; broken ones
# are refused, so that the check itself is known to look.
set -eu
check=$ROOT/tests/report/sarif_check golden=$ROOT/tests/report/golden/name.sarif
"$check" "$golden"
refused() { # sed expression
    sed "$1" "$golden" >"$TMP/bad.sarif"
    if cmp -s "$golden" "$TMP/bad.sarif"; then echo "'$1' changed nothing"; exit 1; fi
    if "$check" "$TMP/bad.sarif" >/dev/null; then echo "accepted after '$1'"; exit 1; fi
}
refused 's/"2\.1\.0"/"2.0.0"/'
refused 's/"startLine": 7/"startLine": 0/'
refused 's/"startColumn"/"startColum"/'
refused 's/"level": "error"/"level": "fatal"/'
refused 's|"uri": "src/name.c"|"uri": "/src/name.c"|'
refused 's/"stanch\/v1": "[^"]*"/"stanch\/v1": "same"/'
refused 's/"ruleIndex": 3/"ruleIndex": 2/'
refused 's/"condition"/"text"/'
refused '$d'
