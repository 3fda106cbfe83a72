#!/usr/bin/env bash
# The modules of src/ look only where they may and are no longer than agreed; and the two scripts
# that say so do notice: an edge to the right, another module's private header, a long function, a
# long file, a long module.
set -u
passed=0 failed=0
ok() { # what, status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $1"; fi
}
cd "$ROOT" || exit 1
tools/modules --quiet; ok "modules look left" $?
tools/sizes --quiet; ok "sizes are as agreed" $?
tools/paragraphs README.md doc/*.md; ok "no paragraph of the documentation is longer than eight lines" $?
{ seq 8; echo; seq 9; } >"$TMP/long.md"
[ "$(tools/paragraphs "$TMP/long.md")" = "$TMP/long.md:10: a paragraph of 9 lines" ]; ok "a long paragraph is found" $?

mkdir -p "$TMP/copy" && cp -r tools src "$TMP/copy" && cd "$TMP/copy" || exit 1
refused() { # what, the text of the complaint, command...
    local what=$1 text=$2 out
    shift 2
    out=$("$@" --quiet 2>&1)
    [ $? -ne 0 ] && grep -q "$text" <<<"$out"
    ok "$what" $?
}
echo '#include "eval/eval.h"' >>src/logic/cond.c
refused "an edge to the right" "logic must not include eval" tools/modules
sed -i '$d' src/logic/cond.c
echo '#include "walk/walk_int.h"' >>src/eval/run.c
refused "a private header" "eval includes a private header" tools/modules
sed -i '$d' src/eval/run.c
mkdir src/newcomer && echo '#include "base/mem.h"' >src/newcomer/newcomer.c
refused "a module that nobody has placed" "newcomer must not include base" tools/modules
rm -r src/newcomer
tools/modules --quiet; ok "the copy is as good as the original" $?

{ echo 'void long_one(void)'; echo '{'; yes '    ;' | head -119; echo '}'; } >>src/base/bits.c
refused "a long function" "long_one has 121 lines" tools/sizes
refused "a long file" "bits.c has [0-9]* lines" env FILE=100 tools/sizes
refused "a long module" "src/base/ has [0-9]* lines" env MODULE=100 FUNCTION=1000 tools/sizes

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
