#!/usr/bin/env bash
# The words of a path: conditions as the source has them, names by access path, steps inside callees.
set -u
cat >"$TMP/cond.c" <<'END'
#include <dirent.h>
#include <getopt.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum err { ERR_SUCCESS = 0, ERR_NOMEM = 1, ERR_SUB_EXISTS = 7 };
enum ext { EXT_NAME = 1, EXT_DATA = 4 };
#define MODE_RAW 3
#define MODE_TEXT 4
int use(const char *);
enum err subscribe(const char *topic);
int enumerator(const char *topic) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    enum err rc = subscribe(topic);
    if (rc == ERR_SUB_EXISTS) return 1;
    free(copy);
    return 0;
}
int flags(const char *topic, unsigned flags) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    if (flags & EXT_DATA) return 1;
    free(copy);
    return 0;
}
int letters(const char *topic, int c) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    switch (c) {
    case 'a':
        free(copy);
        return 0;
    case 'b':
        return 1;
    default:
        free(copy);
        return 3;
    }
}
int enumerators(const char *topic, enum err e) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    switch (e) {
    case ERR_SUCCESS: break;
    case ERR_NOMEM: return 1;
    default: break;
    }
    free(copy);
    return 0;
}
int macros(const char *topic, int mode) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    switch (mode) {
    case MODE_RAW:
    case MODE_TEXT: {
        int n = use(topic);
        return n;
    }
    case 5: break;
    default: break;
    }
    free(copy);
    return 0;
}
int by_default(const char *topic, int mode) {
    char *copy = strdup(topic);
    if (!copy) return -1;
    switch (mode) {
    case 1: break;
    case 2: break;
    case 3: break;
    case 4: use(topic); break;
    default: return 7;
    }
    free(copy);
    return 0;
}
int options(int argc, char **argv) {
    char *file = strdup(argv[0]);
    if (!file) return -1;
    int c;
    while ((c = getopt(argc, argv, "fx")) != -1) {
        switch (c) {
        case 'f': break;
        case 'x': return 1;
        default: break;
        }
    }
    free(file);
    return 0;
}
int entries(const char *dir) {
    DIR *d = opendir(dir);
    if (!d) return -1;
    char *last = malloc(10);
    if (!last) { closedir(d); return -1; }
    while (readdir(d))
        if (use(last)) { free(last); closedir(d); return 1; }
    closedir(d);
    return 0;
}
int lines(FILE *f) {
    char *buf = malloc(100);
    if (!buf) return -1;
    if (!fgets(buf, 100, f)) return -1;
    int n = use(buf);
    free(buf);
    return n;
}
int octets(unsigned ocets, const char *s) {
    char *copy = strdup(s);
    if (!copy) return -1;
    if (ocets > 0) return 1;
    free(copy);
    return 0;
}
int option(char **argv) {
    char *copy = strdup(argv[0]);
    if (!copy) return -1;
    if (strcmp(argv[1], "--cafile") == 0) return 1;
    free(copy);
    return 0;
}
int lookups(const char *host) {
    struct addrinfo *a = NULL, *b = NULL;
    if (getaddrinfo(host, "80", NULL, &a)) return -1;
    if (getaddrinfo(host, "81", NULL, &b) != 0) return -1;
    freeaddrinfo(a);
    freeaddrinfo(b);
    return 0;
}
END
cat >"$TMP/names.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct conn { char *name; int fd; char *buf; };
int use(const char *);
static void conn_send(struct conn *c, int flush) {
    if (flush)
        free(c->buf);
}
void not_freed(struct conn *c, int n) {
    c->buf = malloc(9);
    if (!c->buf) return;
    conn_send(c, n > 8);
    c->buf = NULL;
}
static int conn_first(struct conn *c) {
    return c->buf[0];
}
static int conn_read(struct conn *c, int verbose) {
    if (verbose)
        return conn_first(c);
    return 0;
}
int used_inside(struct conn *c, int n) {
    free(c->buf);
    return conn_read(c, n > 3);
}
static void conn_drop(struct conn *c) {
    free(c->buf);
}
void twice(struct conn *c) {
    free(c->buf);
    conn_drop(c);
}
static int two_outs(char **a, char **b) {
    *a = malloc(10);
    *b = malloc(20);
    if (!*a || !*b) { free(*a); free(*b); return -1; }
    return 0;
}
int which_out(void) {
    char *one, *two;
    if (two_outs(&one, &two)) return -1;
    use(one), use(two);
    free(one);
    return 0;
}
int pipes(int n) {
    int fd[2];
    if (pipe(fd)) return -1;
    if (n > 3) { close(fd[0]); return 1; }
    close(fd[0]);
    close(fd[1]);
    return 0;
}
void moved(struct conn *c) {
    char *n = strdup("x");
    if (!n) return;
    c->name = n;
    n = NULL;
    c->name = NULL;
}
void wrong(void) {
    FILE *f = popen("ls", "r");
    if (!f) return;
    fclose(f);
}
END
cat >"$TMP/decides.c" <<'END'
#include <regex.h>
#include <stdlib.h>
#include <string.h>
struct site;
struct site *site_of(const char *file, int line);
void log_at(struct site *, const char *, ...);
#define LOG(...) \
    do { \
        static struct site *site; \
        if (site == NULL) site = site_of(__FILE__, __LINE__); \
        if (site) log_at(site, __VA_ARGS__); \
    } while (0)
int logged(const char *s, int n) {
    char *one = strdup(s);
    if (!one) return -1;
    LOG("copy %d", n);
    if (n > 3) { LOG("too many"); return -1; }
    LOG("fine");
    free(one);
    return 0;
}
int released(const char *s, int n) {
    char *two = strdup(s);
    if (!two) return -1;
    if (n > 4) free(two);
    LOG("fine");
    return 0;
}
static int prepare(char *text) {
    char *copy = strdup(text);
    if (!copy) return -1;
    free(copy);
    return 0;
}
int build(char *text) {
    char *three = strdup(text);
    if (!three) return -1;
    if (prepare(three) < 0) return -1;
    free(three);
    return 0;
}
struct array { void **at; int n; };
static void array_add(struct array *a, void *x) {
    if (!a) return;
    a->at[a->n++] = x;
}
void keep(struct array *a) {
    int *four = calloc(1, sizeof *four);
    if (!four) return;
    *four = 1;
    array_add(a, four);
}
int matches(const char *s, const char *p) {
    regex_t re;
    if (regcomp(&re, p, 0)) return -1;
    if (regexec(&re, s, 0, NULL, 0)) return 0;
    regfree(&re);
    return 1;
}
END
cd "$TMP" || exit 1
bad=0
has() { grep -qF -- "$2" "$1" || { echo "$1 lacks '$2'"; bad=1; }; }
lacks() { ! grep -qF -- "$2" "$1" || { echo "$1 has '$2'"; bad=1; }; }
"$STANCH" check --no-cache -v cond.c >cond
"$STANCH" check --no-cache -v names.c >names

"$STANCH" check --level=audit --no-cache -v decides.c >decides
# What a macro asks before it logs decides nothing; that the other side releases it does.
has decides "'one' leaks memory from strdup when n > 3 [leak]"
lacks decides "site"
has decides "'two' leaks memory from strdup when n <= 4 [leak]"
# A branch on what a callee returned is a step, and what happened in the callee; a caller's object that a callee keeps or not.
has decides "'three' leaks memory from strdup when strdup() fails [leak]"
has decides "note: strdup() fails in prepare"
has decides "note: 'prepare(three) < 0' is true"
has decides "'four' leaks memory from calloc when !a [leak]"
has decides "'re' leaks memory from regcomp when regexec(&re, s, 0, NULL, 0) [leak]"

has cond "'copy' leaks memory from strdup when rc == ERR_SUB_EXISTS"
has cond "'copy' leaks memory from strdup when flags & EXT_DATA"
has cond "'copy' leaks memory from strdup when ocets > 0"
has cond "'copy' leaks memory from strdup when strcmp(argv[1], \"--cafile\") == 0"
# A switch: the label of the case that is taken, or the default.
has cond "'copy' leaks memory from strdup when c == 'b'"
has cond "note: 'c == 'b'' is true"
has cond "'copy' leaks memory from strdup when e == ERR_NOMEM"
has cond "'copy' leaks memory from strdup when mode is MODE_RAW or MODE_TEXT"
has cond "'copy' leaks memory from strdup when the switch on mode takes the default"
has cond "note: the switch on 'mode' takes the default"
# What a later condition implies is not a condition.
has cond "'file' leaks memory from strdup when c == 'x'"
lacks cond '!= -1'
# The end of a list is not a failure.
has cond "'last' leaks memory from malloc when readdir() has no more entries"
has cond "'buf' leaks memory from malloc when fgets() has no more lines"
has cond "note: fgets() has no more lines"
# Which out-parameter, and which of the two calls.
has cond "'a' leaks memory from getaddrinfo when getaddrinfo() fails"
has cond "note: getaddrinfo() fails"
# What is meant is underlined, not only where it begins.
grep -qF '    char *copy = strdup(topic);' -A1 cond && grep -q '|  *^~~~~~~~~~~~~$' cond || { echo "no call is underlined"; bad=1; }

has names "'c->buf' is overwritten while it still owns memory from malloc when n <= 8"
has names "'c->buf' is used after it was freed when n > 3"
lacks names "'n <= 3' is false"
has names "names.c:22:16: note: used there by conn_first"
has names "names.c:18:12: note: used there"
has names "'c->buf' is freed twice"
has names "names.c:30:5: note: freed there by free"
has names "'two' leaks memory from two_outs"
has names "descriptor 'fd[1]' from pipe is never closed when n > 3"
has names "'c->name' is overwritten while it still owns memory from strdup"
has names "'f' from popen is released with fclose instead of pclose"
exit $bad
