#!/usr/bin/env bash
# What cannot be run ends with a reason, never with a guess; hostile programs end too.
set -u
failed=0
cd "$TMP" || exit 1
try() { # name expected-last-line, the source on standard input
    cat >"$1.c"
    local got
    got=$(ulimit -t 20; "$STANCH" show run "$1.c" 2>&1 | tail -1)
    # shellcheck disable=SC2254
    case $got in $2) ;; *) echo "$1: $got, not $2"; failed=1 ;; esac
}
try unknown 'undecided: it calls a function that nobody describes: mystery at *' <<'C'
int mystery(int); int main(void) { return mystery(1); }
C
try endless 'undecided: it takes too many steps at *' <<'C'
int main(void) { for (volatile int i = 0;; i++) {} }
C
try deep 'undecided: calls are nested too deep at *' <<'C'
static int f(int n) { return n ? f(n - 1) + f(n / 2) : 0; } int main(void) { return f(1000000); }
C
try memory 'undecided: it takes too much memory at *' <<'C'
#include <stdlib.h>
int main(void) { for (;;) if (!malloc(1 << 20)) return 1; }
C
try assembly 'undecided: it runs inline assembly at *' <<'C'
int main(void) { int n; __asm__("cpuid" : "=a"(n) : : "ebx", "ecx", "edx"); return n; }
C
try content 'undecided: it reads memory whose content is not known: elsewhere at *' <<'C'
extern int elsewhere; int main(void) { return elsewhere; }
C
try nowhere 'undecided: there is no main at *' <<'C'
int f(void) { return 0; }
C
try wild 'undecided: it calls something that is not a function at *' <<'C'
int main(void) { return ((int (*)(void))0x123456789)(); }
C
try nobody 'null at *' <<'C'
int main(void) { int *p = 0; return *p; }
C
try division 'signal 8 at *' <<'C'
int main(int n, char **v) { return 1 / (n - 1); }
C
try status 'exit 44' <<'C'
#include <stdlib.h>
static void bye(void) { exit(44); }
int main(void) { atexit(bye); return 300; }
C
exit $failed
