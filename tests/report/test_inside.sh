#!/usr/bin/env bash
# Steps inside callees: the branch by which a callee decides is shown, the calls below it with -v; what is released by
# the wrong function is told the right one.
set -u
cat >"$TMP/a.c" <<'END'
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct conn { char *buf; int fd; };
static void conn_drop(struct conn *c) {
    free(c->buf);
    free(c);
}
static int conn_send(struct conn *c, const char *text, size_t n) {
    if (n > 4096) {
        conn_drop(c);
        return -1;
    }
    return write(c->fd, text, n) < 0;
}
int relay(struct conn *c, const char *text, size_t n) {
    conn_send(c, text, n);
    c->fd = -1;
    return 0;
}
int run(const char *command) {
    FILE *f = popen(command, "r");
    if (f == NULL) return -1;
    fclose(f);
    return 0;
}
END
cd "$TMP" || exit 1
bad=0
has() { grep -qF -- "$2" "$1" || { echo "$1 lacks '$2'"; bad=1; }; }
lacks() { ! grep -qF -- "$2" "$1" || { echo "$1 has '$2'"; bad=1; }; }
"$STANCH" check --no-cache a.c >short
"$STANCH" check --no-cache -v a.c >long
"$STANCH" check --no-cache --format=json a.c >json
has short "a.c:18:5: note: freed by conn_send"
has short "a.c:11:9: note: 'n > 4096' is true"
has short "a.c:8:5: note: freed there by free"
lacks short "freed there by conn_drop"
has short "1 step of the path is left out"
has long "a.c:12:9: note: freed there by conn_drop"
has long "a.c:8:5: note: freed there by free"
lacks long "a.c:18:5: note: 'n > 4096'"
has short "'f' from popen is released with fclose instead of pclose"
has short "released by the wrong function here; use pclose"
has json '"depth": 2'
exit $bad
