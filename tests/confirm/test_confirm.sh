#!/usr/bin/env bash
# stanch show witness and stanch confirm: ids in every format, the record, programs that make findings
# happen, verdicts in the history, names that are meant to break out.
set -u
stanch=$ROOT/$B/stanch
fail=0
bad() { echo "$*"; fail=1; }
cd "$TMP" || exit 1

cat >box.h <<'END'
struct item { int kind; char *name; struct item *next; };
int deep(struct item *i);
END
cat >leaks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "box.h"
int ask(const char *);
static int limit_of_kind = 7;
int second_fails(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    FILE *g = fopen("other", "r");
    if (!g) return -1;
    fclose(f);
    fclose(g);
    return 0;
}
int from_struct(const struct item *it, int depth)
{
    char *copy = strdup(it->next->name);
    if (!copy) return -1;
    if (it->kind > limit_of_kind && ask(copy) > depth) return -1;
    free(copy);
    return 0;
}
static int hidden(int n)
{
    char *p = malloc(10);
    if (!p) return 0;
    p[0] = (char)n;
    if (n == 12345) return -1;
    free(p);
    return n;
}
int visible(int n) { return hidden(n); }
// Of another file of the project; the programs link without it.
__attribute__((visibility("hidden"))) void in_another_file(void);
void calls_another_file(void) { in_another_file(); }
int in_the_callee(struct item *i)
{
    char *p = malloc(32);
    if (!p) return 0;
    if (deep(i) == 3) return 1;
    free(p);
    return 0;
}
void twice(char *p, int n)
{
    free(p);
    if (n > 3)
        free(p);
}
int late(int n)
{
    int *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    p[0] = n;
    free(p);
    if (n == 17)
        return p[0];
    return 1;
}
END
cat >deep.c <<'END'
#include "box.h"
int deep(struct item *i) { return i->next ? i->next->kind : 0; }
END
cat >shape.cc <<'END'
#include <cstdlib>
class Shape {
    int sides;
    char *label;
public:
    int grow(int by);
};
int Shape::grow(int by)
{
    int *more = new int[4];
    more[0] = by;
    if (sides + by == 40) return -1;
    delete[] more;
    return sides;
}
END
"$stanch" check leaks.c deep.c shape.cc -- -I. >text 2>&1
ids=$(grep -oE '^  = [0-9a-f]{8}: ' text | grep -oE '[0-9a-f]{8}')
[ "$(wc -w <<<"$ids")" -eq 7 ] || { bad "not seven findings:"; cat text; }
grep -q 'confirmed by replay with fopen() failing the second time' text || bad 'text: no sentence about fopen'
grep -q 'confirmed by replay with n = 17' text || bad 'text: no sentence with n = 17'

# The id in every format.
for format in gcc json sarif gitlab html; do
    "$stanch" check --format=$format -o out.$format leaks.c deep.c shape.cc -- -I. >/dev/null 2>&1
    for id in $ids; do grep -q "$id" out.$format || bad "$format: no $id"; done
done
python3 - <<'END' || fail=1
import json
json_ids = {f["id"]: f for f in json.load(open("out.json"))["findings"]}
for f in json_ids.values():
    w = f["witness"]
    assert w["text"].startswith("confirmed by replay"), w
    assert w["steps"] and w["function"], w
    if f["rule"] == "leak":
        assert any(b["lost"] for b in w["blocks"]), f
named = [c["name"] for f in json_ids.values() for b in f["witness"]["blocks"] for c in b["content"]]
assert "it->next->name" in named and "it->kind" in named, named
for r in json.load(open("out.sarif"))["runs"][0]["results"]:
    assert r["properties"]["witness"]["steps"], r
    assert r["properties"]["id"] in json_ids
END
grep -q '"run":\[{' out.html || bad 'html: no run'

# -j makes no difference.
"$stanch" check --no-cache -j1 --format=json -o one.json leaks.c deep.c shape.cc -- -I.
"$stanch" check --no-cache -j3 --format=json -o three.json leaks.c deep.c shape.cc -- -I.
cmp one.json three.json || bad 'the record depends on -j'
cmp one.json out.json || bad 'the record from the cache differs'

# show witness.
id=$(grep -B1 "^  = [0-9a-f]*: " text | grep -A1 'fopen() failing the second' | grep -oE '[0-9a-f]{8}')
"$stanch" show witness "$id" >shown || bad 'show witness failed'
for line in 'the run begins in second_fails() at leaks.c:7' 'path = block 1  (const char \*)' \
    'fopen(.*) = 0, it fails (second call)  | FILE \*g = fopen("other", "r");' \
    'second_fails() returns -1' 'from fopen() at leaks.c:9: allocated, and nothing leads to it'; do
    grep -q "$line" shown || { bad "show witness lacks: $line"; cat shown; }
done
"$stanch" show witness 00000000 2>err && bad 'an unknown id is taken'
grep -q 'the last run has no finding 00000000' err || bad "unknown id: $(cat err)"
"$stanch" show witness ../x 2>err && bad 'an odd id is taken'
grep -q 'is no id of a finding' err || bad "odd id: $(cat err)"

# confirm: all of them happen.
"$stanch" confirm >told 2>&1 || bad "confirm failed: $(cat told)"
[ "$(grep -c '  confirmed  ' told)" -eq 7 ] || { bad 'not all are confirmed:'; cat told; }
for id in $ids; do
    for f in repro.c repro.h Makefile output.txt; do
        [ -s ".stanch/repro/$id/$f" ] || bad "no $id/$f"
    done
done
# The verdict is shown by later runs, in every format.
"$stanch" check leaks.c deep.c shape.cc -- -I. 2>&1 |
    grep -c 'stanch confirm made it happen under AddressSanitizer' | grep -qx 7 || bad 'text: no verdicts'
for format in gcc json sarif gitlab html; do
    "$stanch" check --format=$format -o out.$format leaks.c deep.c shape.cc -- -I. >/dev/null 2>&1
    grep -qE 'made it happen under AddressSanitizer|"verdict": "confirmed"' out.$format || bad "$format: no verdict"
done

# A folder to send, which builds by itself.
first=$(head -1 <<<"$ids")
"$stanch" confirm "$first" --out="$TMP/with space/report" >told 2>&1 || bad "--out: $(cat told)"
[ -s "$TMP/with space/report/repro.c" ] || bad '--out: no program'
make -C "$TMP/with space/report" run >made 2>&1 && bad 'the program ends without a report'
grep -q 'ERROR: \(Address\|Leak\)Sanitizer' made || { bad 'make run shows nothing:'; tail -5 made; }
[ ! -e .stanch/repro/stray ] || bad 'stray'

# Something that is not there any more is not confirmed: the fixed file, the old witness.
sed -i 's/if (n == 12345) return -1;/if (n == 12345) { free(p); return -1; }/' leaks.c
hidden=$(python3 -c 'import json
print([f["id"] for f in json.load(open("one.json"))["findings"] if f["function"] == "hidden"][0])')
"$stanch" confirm "$hidden" >told 2>&1
grep -q '  not confirmed: ' told || { bad 'the fixed function is confirmed:'; cat told; }
# And what does not compile cannot run.
echo 'int broken(' >>leaks.c
"$stanch" confirm "$hidden" >told 2>&1
grep -q '  could not run: leaks.c does not compile' told || { bad 'a broken file runs:'; cat told; }

# Names that are meant to break out of comments, strings, recipes and paths.
mkdir -p 'odd $(touch stolen)' && cd 'odd $(touch stolen)' || exit 1
cat >"a'b\$(touch x);c.c" <<'END'
#include <stdlib.h>
struct s { int kind; };
#line 3 "*/ \\\n #include \"/etc/passwd\" .c"
int odd(struct s *s) { char *p = malloc(4); if (p && s->kind == 4) return 1; free(p); return 0; }
END
"$stanch" check "a'b\$(touch x);c.c" -- '-DQUOTE="$(touch y)"' >text 2>&1
"$stanch" confirm >told 2>&1 || bad "odd names: $(cat told)"
grep -q '  confirmed  ' told || { bad 'odd names are not confirmed:'; cat told text; }
for d in .stanch/repro/*; do make -C "$d" run >made 2>&1; grep -q LeakSanitizer made || { bad 'odd names: make:'; cat made; }; done
find "$TMP" -name stolen -o -name x -o -name y | grep . && bad 'a name was executed'

# No link is followed below .stanch.
cd "$TMP" && mkdir linked outside && cd linked || exit 1
cp ../deep.c ../box.h .
cat >small.c <<'END'
#include <stdlib.h>
int small(int n) { char *p = malloc(4); if (p && n == 4) return 1; free(p); return 0; }
END
"$stanch" check small.c >/dev/null 2>&1
ln -s "$TMP/outside" .stanch/repro
"$stanch" confirm >told 2>&1 && bad 'a link was followed'
[ -z "$(ls -A "$TMP/outside")" ] || bad 'something was written outside'

# What is held beyond its function is seen by no sanitizer.
mkdir "$TMP/held" && cd "$TMP/held" && cp "$ROOT/tests/idiom/locks/locks.c" "$ROOT/tests/idiom/locks/locks.own" . || exit 1
"$stanch" check --spec locks.own locks.c >text 2>&1
"$stanch" confirm "$(sed -nE 's/^  = ([0-9a-f]{8}).*/\1/p' text | head -1)" >told 2>&1
grep -q 'could not run: something leads to it still' told || { bad 'a lock that is held:'; cat told text; }

# Without a run there is nothing.
mkdir "$TMP/empty" && cd "$TMP/empty" && "$stanch" confirm 2>err && bad 'confirm without a run'
grep -q 'no findings of an earlier run' err || bad "without a run: $(cat err)"
exit $fail
