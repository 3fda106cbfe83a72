#!/usr/bin/env bash
# An edit in a caller settles a finding of a function that is not evaluated again, three calls below, and
# the report is that of a run that remembers nothing.
set -u
cd "$TMP" || exit 1
fail=0
cat >low.c <<'C'
#include <stdlib.h>
char *start(unsigned flags)
{
    char *p = malloc(32);
    if (p && (flags & 2)) return NULL;
    return p;
}
char *start_quietly(unsigned flags) { return start(flags | 1); }
char *start_task(unsigned flags) { return start_quietly(flags | 4); }
C
write_main() {
    cat >main.c <<C
#include <stdlib.h>
char *start_task(unsigned flags);
int main(void)
{
    for (int i = 0; i < 9; i++) free(start_task($1));
    return 0;
}
C
}
run() { "$STANCH" check --level=audit --impact=at-exit --format=gcc "$@" main.c low.c 2>&1; }
for flags in 0 2 8 3; do
    write_main "$flags"
    run >kept.out
    run --no-cache >cold.out
    cmp -s kept.out cold.out || { echo "flags $flags: not what a run without memory says"; diff cold.out kept.out; fail=1; }
    run --level=sure >sure.out
    leaks=$(grep -c 'low.c:5.*warning' sure.out)
    [ "$leaks" = $((flags >> 1 & 1)) ] || { echo "flags $flags: $leaks sure leaks in low.c"; fail=1; }
done
exit $fail
