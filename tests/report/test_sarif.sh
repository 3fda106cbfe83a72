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
refused 's|"helpUri": "https:|"helpUri": "http:|'
refused 's|"stanch/"|"stanch"|'
refused 's/"precision": "medium"/"precision": "fair"/'
refused 's/"security-severity": "8.1"/"security-severity": "81"/'
refused 's/"primaryLocationLineHash"/"otherHash"/'

# A baseline and a category.
cp "$ROOT/tests/report/src/name.c" "$TMP/name.c"
cd "$TMP"
"$STANCH" check --no-cache --write-baseline known.json --rules=leak name.c >/dev/null || [ $? -eq 1 ]
"$STANCH" check --no-cache --baseline known.json --category=tools --format=sarif -o new.sarif name.c || [ $? -eq 1 ]
"$check" new.sarif
grep -q '"id": "stanch/tools/"' new.sarif || { echo "no category"; exit 1; }
results=$(grep -c '"ruleIndex"' new.sarif) new=$(grep -c '"baselineState": "new"' new.sarif)
[ "$results" -gt 0 ] && [ "$results" -eq "$new" ] || { echo "$results results, $new of them marked as new"; exit 1; }
