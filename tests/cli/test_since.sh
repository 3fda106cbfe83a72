#!/usr/bin/env bash
# One file of a program (check -p DIR FILE), and what a change brings (check --since REF).
set -u
cd "$TMP" || exit 1
fail=0
expect() { # STATUS PATTERN ARGUMENTS...
    local want=$1 pattern=$2 status
    shift 2
    "$STANCH" "$@" >out 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$want" ] || ! { [ -z "$pattern" ] || grep -qE -- "$pattern" out; }; then
        echo "stanch $*: status $status, wanted $want and /$pattern/:"
        sed 's/^/    /' out
        fail=1
    fi
}
never() { grep -qE -- "$1" out && { echo "not wanted: /$1/ in:"; sed 's/^/    /' out; fail=1; }; }
mkdir repo && cd repo || exit 1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t GIT_CONFIG_GLOBAL=/dev/null
git init -q . && git config core.hooksPath /dev/null
cat >api.h <<'C'
char *make(int n);
void drop(char *p);
#define SIZE 3
C
cat >make.c <<'C'
#include <stdlib.h>
#include "api.h"
char *make(int n) { return malloc(n); }
void drop(char *p)
{
    free(p);
}
C
cat >old.c <<'C'
#include "api.h"
int had_it_before(void)
{
    char *p = make(SIZE);
    return p == 0;
}
C
# Of less impact: only when memory is short, and once.
cat >short.c <<'C'
#include <stdlib.h>
int also_before(char **out)
{
    char *p = malloc(10), *q = malloc(20);
    if (!p || !q) return -1;
    out[0] = p;
    out[1] = q;
    return 0;
}
C
cat >user.c <<'C'
#include "api.h"
int fine(int n)
{
    char *p = make(n);
    if (!p) return -1;
    drop(p);
    return 0;
}
C
echo '.stanch/' >.gitignore
cat >compile_commands.json <<J
[{"directory": "$PWD", "file": "make.c", "command": "cc -c make.c"},
 {"directory": "$PWD", "file": "old.c", "command": "cc -c old.c"},
 {"directory": "$PWD", "file": "short.c", "command": "cc -c short.c"},
 {"directory": "$PWD", "file": "user.c", "command": "cc -c user.c"}]
J
git add -A && git commit -qm one

# ---- files ----
expect 1 'old.c:[0-9]+:' check -p . old.c
expect 0 '' check -p . user.c
expect 1 'old.c:' check -p . make.c # where the memory of the finding is obtained
expect 0 '' check -p . api.h
expect 2 'nowhere.c: No such file' check -p . nowhere.c
echo 'int x;' >alone.c
expect 3 'alone.c: not compiled by this program' check -p . alone.c
echo 'int y;' >alone.h
expect 0 'alone.h: no unit includes it' check -p . alone.h
expect 2 'nothing after --' check -p . old.c -- -DX
rm alone.c alone.h

# ---- a change ----
expect 0 '' check -p . --since HEAD
never 'had_it_before.*never'
# In the changed function itself; the old finding is not told again, though its file changed.
cp user.c user.before
sed -i 's/^    drop(p);$/    if (n > 7) return 1;\n    drop(p);/' user.c
sed -i '1i\\' old.c
expect 1 'user.c:6:' check -p . --since HEAD
never 'old.c:'
sed -i '1i\\' short.c
expect 1 'user.c:6:' check -p . --since HEAD
never 'short.c:'
# In a caller of what changed.
mv user.before user.c
sed -i 's/free(p);/(void)p;/' make.c
expect 1 'user.c:[67]:' check -p . --since HEAD
never 'old.c:'
git checkout -q make.c
# By a macro in a header: the size decides nothing here, so nothing is new.
sed -i 's/SIZE 3/SIZE 4/' api.h
expect 0 '' check -p . --since HEAD
# A file that the revision does not have; two revisions back; committed or not.
printf '#include "api.h"\nint brings(void) { char *p = make(1); return p == 0; }\n' >new.c
sed -i 's/^\[/[{"directory": "'"${PWD//\//\\/}"'", "file": "new.c", "command": "cc -c new.c"},\n /' compile_commands.json
expect 1 'new.c:2:' check -p . --since HEAD
never 'old.c:'
git add -A && git commit -qm two
expect 0 '' check -p . --since HEAD
expect 1 'new.c:2:' check -p . --since HEAD~1
never 'old.c:'
# Again, with everything in the cache; with a build; the output in another format.
expect 1 '"ruleId": "leak"' check -p . --since HEAD~1 --format=sarif
expect 1 'new.c:2:' run --since HEAD~1 -- sh -c 'cc -c make.c old.c user.c new.c'
never 'old.c:'
# A header that is gone since.
printf '#define GONE 1\n' >gone.h
printf '#include "api.h"\n#include "gone.h"\nint gone = GONE;\nint uses(void) { char *p = make(1); return p == 0; }\n' >new.c
git add -A && git commit -qm three
printf '#include "api.h"\nint uses(void) { char *p = make(1); return p == 0; }\n' >new.c
rm gone.h
expect 0 '' check -p . --since HEAD
# Doubtful before, and not shown; sure now.
quick() {
    cat >quick.c <<C
#include <stdlib.h>
#include <string.h>
int exiting;
void quick_free(void *p)
{
    if (p && !exiting) free(p);
}
int length(const char *s)
{
    char *copy = strdup(s);
    if (!copy) return -1;
    int n = (int)strlen(copy);
    $1
    return n;
}
C
}
quick 'quick_free(copy);'
git add -A && git commit -qm four
expect 1 'quick.c:13:' check --no-record --level=audit --impact=at-exit quick.c
quick ';'
expect 1 'quick.c:14:' check --no-record --since HEAD quick.c
expect 0 '' check --no-record --since HEAD --level=audit --impact=at-exit quick.c
git checkout -q quick.c
# What others have mended elsewhere since the branch began is not this branch's fault.
git checkout -q -f -b topic
printf '#include "api.h"\nint more(void) { return 1; }\nint uses(void) { char *p = make(1); return p == 0; }\n' >new.c
git commit -qm topic new.c
git checkout -q -f -
printf '#include "api.h"\nint uses(void) { char *p = make(1); drop(p); return p == 0; }\n' >new.c
git commit -qm mended new.c
trunk=$(git symbolic-ref --short HEAD)
git checkout -q -f topic
expect 0 '' check -p . --since "$trunk"
git checkout -q -f "$trunk"
# Mistakes.
expect 2 "'no-such' is no revision" check -p . --since no-such
expect 2 "is no revision" check -p . --since=--output=x
[ ! -e x ] || { echo 'an option of git came through'; fail=1; }
expect 2 'give files, -p DIR' check --since HEAD
# What the repository's configuration names is not run.
for key in core.fsmonitor diff.external core.pager; do git config "$key" "touch $PWD/ran; false"; done
git config diff.t.textconv "touch $PWD/ran; cat" && echo '*.c diff=t' >.gitattributes
expect 0 '' check -p . --since HEAD
[ ! -e ran ] || { echo 'the repository ran something'; fail=1; }
cd .. && mkdir plain && cp repo/make.c repo/api.h plain/ && cd plain || exit 1
expect 2 'needs a git repository' check --since HEAD make.c
exit $fail
