#!/usr/bin/env bash
# What readers missed or stumbled over in paths: rounds of loops, texts that are compared, what succeeds, what an
# allocating function asks, why a callee left a block alone.
set -u
cat >"$TMP/words.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define same(a, b) (strcmp((a), (b)) == 0)
#define make(type) ({ void *__p = malloc(sizeof(type)); (type *)__p; })
extern const char *next(void *);
extern int enabled, lookup(const char *), send_out(const char *);
struct node { int kind; char *name; };
// Until the loop runs again nothing is lost; of a chain of texts one is enough.
int later_round(void *q) {
    const char *key;
    char *mode = NULL;
    while ((key = next(q))) {
        if (same(key, "one")) continue;
        else if (same(key, "two"))
            mode = strdup(key);
    }
    free(mode);
    return 0;
}
// A macro that the source has in the place of the call: its text is shown.
int text_of_macro(const char *key) {
    char *copy = strdup(key);
    if (!copy) return -1;
    if (same(key, "three")) return 3;
    free(copy);
    return 0;
}
// That pipe() gives 0 is what everybody expects.
int succeeds(void) {
    int in[2], out[2];
    if (pipe(in)) return -1;
    if (pipe(out)) {
        close(in[0]); close(in[1]);
        return -2;
    }
    if (fork() == -1) return -3;
    close(in[0]); close(in[1]); close(out[0]); close(out[1]);
    return 0;
}
// An early way out of the function that makes it, without a block.
static char *made(const char *name) {
    if (!enabled) return NULL;
    if (lookup(name) < 0) return NULL;
    return strdup(name);
}
int guards(const char *name, int n) {
    char *label = made(name);
    if (!label) return -1;
    if (n > 7) return 7;
    free(label);
    return 0;
}
// An error message is made because something failed.
static char *error_of(struct node *n) {
    n->name = strdup("x");
    if (!n->name) return strdup("no memory");
    return NULL;
}
int failing(struct node *n) {
    char *error = error_of(n);
    return error ? -1 : 0;
}
// Which test it is, its place says, where the evaluation has other words.
int by_place(struct node *n) {
    char *block = malloc(20);
    if (!block) return -1;
    n->name = strdup("name");
    if (!n->name) return -2;
    free(block);
    return 0;
}
// Why a callee did not keep it: no case of its switch does, of several reasons one.
static struct node *kept[9];
static int put(struct node *n, int kind) {
    switch (kind) {
    case 1: kept[0] = n; return 0;
    case 2: kept[1] = n; return 0;
    default: return -1;
    }
}
int no_case(int kind) {
    struct node *n = calloc(1, sizeof *n);
    if (!n) return -1;
    put(n, kind);
    return 0;
}
static int hand_over(struct node *n, const char *to) {
    if (!to) return -1;
    if (!enabled) return -1;
    kept[2] = n;
    return 0;
}
int several_reasons(const char *to) {
    struct node *given = calloc(1, sizeof *given);
    if (!given) return -1;
    hand_over(given, to);
    return 0;
}
// The variable of the source, not the macro's own.
int macros_own(int n) {
    struct node *shown = make(struct node);
    if (!shown) return -1;
    if (n > 3) return 3;
    free(shown);
    return 0;
}
// A block is what the callee is asked for.
static char *opened(const char *name) {
    if (lookup(name)) return NULL;
    return strdup(name);
}
int expects_block(const char *name) {
    char *dir = strdup(name);
    if (!dir) return -1;
    char *it = opened(dir);
    if (it == NULL) {
        free(dir);
        return -1;
    }
    send_out(it);
    free(it);
    return 0;
}
END
cd "$TMP" || exit
bad=0
has() { grep -qF -- "$1" out || { echo "lacks: $1"; bad=1; }; }
lacks() { ! grep -qF -- "$1" out || { echo "has: $1"; bad=1; }; }
"$STANCH" check --no-cache -v words.c >out 2>err
has "'mode' is overwritten while it still owns memory from strdup when the loop runs again and strcmp(key, \"two\") == 0 [leak]"
lacks '"one"'
has "'copy' leaks memory from strdup when strcmp(key, \"three\") == 0 [leak]"
has "descriptor 'in[0]' from pipe is never closed when fork() returns -1 [resource-leak]"
has "'label' leaks memory from made when n > 7 [leak]"
lacks "!enabled' is false"
lacks "lookup(name) < 0"
has "note: strdup() fails"
has "'error' leaks memory from error_of"
has "'block' leaks memory from malloc when strdup() fails [leak]"
has ":70:9: note: strdup() fails" # the operand is underlined, not its operator
has "'n' leaks memory from calloc when kind != 1 and kind != 2 [leak]"
has "'given' leaks memory from calloc when enabled == 0 [leak]"
has "'shown' leaks memory from malloc when n > 3 [leak]"
has "'dir' leaks memory from strdup [leak]"
exit $bad
