#!/usr/bin/env bash
# Why a callee did what it did: what it left alone and by which branch; that a function of the program succeeds is no
# condition; which of two ways to a release is told; what is lost on another path.
set -u
cat >"$TMP/a.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pool { char **at; int used, size; };
struct ref { int count; char *name; unsigned flags; };
enum tag { TAG_NONE, TAG_TEXT, TAG_LIST };
struct item { enum tag tag; char *text; struct item *next; };
int use(const char *);
int lookup(struct pool *, const char *);
// a fixed table that is full
static void put(struct pool *p, char *x) {
    if (p->used == p->size) return;
    p->at[p->used++] = x;
}
int full(struct pool *p, const char *s) {
    char *one = strdup(s);
    if (!one) return -1;
    put(p, one);
    return 0;
}
// counted
static void drop(struct ref *r) {
    if (--r->count > 0) return;
    free(r->name);
    free(r);
}
int counted(struct ref *two) {
    struct ref *r = malloc(sizeof *r);
    if (!r) return -1;
    r->count = 2;
    r->name = NULL;
    drop(r);
    return 0;
}
// flags
struct opts { unsigned flags; char *text; };
static void opts_free(struct opts *o) {
    if (!(o->flags & 1)) return;
    free(o->text);
    free(o);
}
int flagged(const char *s, int n) {
    struct opts *three = calloc(1, sizeof *three);
    if (!three) return -1;
    if (n > 3) three->flags = 1;
    use(s);
    opts_free(three);
    return 0;
}
// deeper
static void put_twice(struct pool *p, char *x) {
    if (!x) return;
    put(p, x);
}
int deeper(struct pool *p, const char *s) {
    char *four = strdup(s);
    if (!four) return -1;
    put_twice(p, four);
    return 0;
}
// list search
static int insert_before(struct item *list, struct item *at, struct item *x) {
    struct item *p;
    for (p = list; p && p->next != at; p = p->next);
    if (p) { x->next = at; p->next = x; return 1; }
    return 0;
}
int inserted(struct item *list, struct item *at) {
    struct item *five = calloc(1, sizeof *five);
    if (!five) return -1;
    insert_before(list, at, five);
    return 0;
}
// success of own function is no condition
static int grow(void *p, size_t n) {
    *(void **)p = calloc(n, 1);
    if (!*(void **)p) return -1;
    return 0;
}
int two_blocks(int n) {
    char *six = NULL, *seven = NULL;
    if (grow(&six, 10) < 0) return -1;
    if (grow(&seven, 10) < 0) { free(six); return -1; }
    if (n > 4) { free(seven); return 1; }
    free(six); free(seven);
    return 0;
}
struct node { struct node *left, *right; };
static void node_free(struct node *n) { free(n); }
int owner(int n) {
    struct node *root = NULL;
    if (grow(&root, sizeof *root) < 0) return -1;
    if (grow(&root->left, sizeof *root) < 0) { node_free(root); return -1; }
    if (n > 4) { node_free(root); return 1; }
    free(root->left); node_free(root);
    return 0;
}
// kinds
static void item_free(struct item *i) {
    if (i->tag == TAG_TEXT) free(i->text);
    free(i);
}
int kinds(const char *s, enum tag tag) {
    struct item *i = calloc(1, sizeof *i);
    if (!i) return -1;
    i->tag = tag;
    i->text = strdup(s);
    item_free(i);
    return 0;
}
char *both(int n) {
    char *one = calloc(n, 1), *two = calloc(n, 1);
    if (!one || !two) return NULL;
    free(two);
    return one;
}
int add_all(int argc, char **argv) {
    char **add = NULL, **del = NULL;
    int n = 0, m = 0, rc = -1;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "DEL:", 4) == 0) {
            del = realloc(del, (m + 1) * sizeof *del);
            if (!del) goto done;
            del[m++] = argv[i];
        } else if (strncmp(argv[i], "ADD:", 4) == 0) {
            add = realloc(add, (n + 1) * sizeof *add);
            if (!add) goto done;
            add[n++] = argv[i];
        }
    }
    rc = 0;
done:
    free(add);
    free(del);
    return rc;
}
// A pool that grows: that it is full leads to the release, not the test that keeps from an early way out.
struct values { int *at; int used, size; int error; };
static int more(struct values *v) {
    if (v->used >= v->size) {
        int size = 2 * v->size;
        if (size <= v->size) { v->error = 1; return 0; }
        int *at = realloc(v->at, size * sizeof *at);
        if (!at) { v->error = 1; return 0; }
        v->at = at;
        v->size = size;
    }
    return v->used++;
}
int stale(struct values *v) {
    int *first = v->at;
    int i = more(v);
    if (v->error) return -1;
    return *first + i;
}
// In the caller's words where it has some.
static void send(struct item *i, int flush) {
    if (flush) free(i->text);
}
void sent(struct item *i, int n) {
    i->text = malloc(9);
    if (!i->text) return;
    send(i, n > 8);
    i->text = NULL;
}
// What a constructor asks is no condition of the loss.
struct world { int opened; };
static char *make(struct world *w) {
    if (w->opened != 3) return NULL;
    return malloc(10);
}
int made(struct world *w, int n) {
    char *eight = make(w);
    if (!eight) return -1;
    if (n > 2) return 1;
    free(eight);
    return 0;
}
// Released only when something fails: that nothing does is no reason.
static int finish(struct item *i, FILE *f) {
    if (fclose(f) == EOF) { free(i->text); return -1; }
    return 0;
}
int finished(FILE *f, int n) {
    struct item i = {TAG_TEXT, malloc(10), NULL};
    if (!i.text) return -1;
    if (n > 7) return finish(&i, f);
    free(i.text);
    return 0;
}
// What a callee asked of what only it knew, in the source's words.
struct item *find_item(struct item *);
static int convert(struct item *i) {
    struct item *other = find_item(i);
    if (other->tag == TAG_LIST) return -1;
    return 0;
}
int converted(struct item *i) {
    char *nine = malloc(10);
    if (!nine) return -1;
    if (convert(i) < 0) return -1;
    free(nine);
    return 0;
}
END
cd "$TMP" || exit 1
bad=0
has() { grep -qF -- "$1" out || { echo "lacks '$1'"; bad=1; }; }
lacks() { ! grep -qF -- "$1" out || { echo "has '$1'"; bad=1; }; }
"$STANCH" check --level=audit --no-cache a.c >out 2>&1
# The branch inside, in the source's words, as condition and as step; also of two calls further in.
has "'one' leaks memory from strdup when p->used == p->size [leak]"
has "note: put() neither keeps nor frees it"
has "note: 'p->used == p->size' is true"
has "'four' leaks memory from strdup when p->used == p->size [leak]"
has "note: put_twice() neither keeps nor frees it"
has "'three' leaks memory from calloc when !(o->flags & 1) in opts_free [leak]"
grep -qE "'r' leaks memory from malloc when .*r->count.* > 0 in drop \[leak\]" out || { echo "counted"; bad=1; }
# Of what hangs on the argument; an enumerator by its name.
has "'i->text' leaks memory from strdup: its owner is freed when i->tag != TAG_TEXT in item_free [leak]"
lacks "tag != 1"
# A function that only fails when something fails in it.
has "'six' leaks memory from grow when n > 4 [leak]"
lacks "'grow(&seven, 10) < 0' is false"
# By the variable that holds the owner, which the callee filled.
has "'root->left' leaks memory from grow: its owner is freed when n > 4 [leak]"
# One of the two failed: the other one is not lost with it.
has "'one' leaks memory from calloc when calloc() fails [leak]"
lacks "also lost with it: memory from calloc"
has "note: 'v->used >= v->size' is true"
lacks "note: realloc() in more"
has "'i->text' is overwritten while it still owns memory from malloc when n <= 8 [leak]"
has "'eight' leaks memory from make when n > 2 [leak]"
lacks "opened"
has "'nine' leaks memory from malloc when convert(i) < 0 [leak]"
has "note: 'other->tag == TAG_LIST' is true"
has "'i.text' leaks memory from malloc when n > 7 [leak]"
exit $bad
