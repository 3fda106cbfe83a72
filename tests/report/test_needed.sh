#!/usr/bin/env bash
# A condition is told when the other side of it avoids the finding, and not when it leaks just the same.
set -u
cat >"$TMP/a.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct list { char **at; int used, size; int error; };
int use(const char *);
void report(const char *);
extern int level;
const char *next_key(void *);
static char *note_text;
// Lost whether fopen fails or not.
int either_way(const char *name) {
    char *path = strdup(name);
    if (!path) return -1;
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    fclose(f);
    return 0;
}
// Lost for every count: the loop's end decides nothing.
int any_count(int n) {
    int *points = malloc(100 * sizeof *points), sum = 0;
    if (!points) return -1;
    for (int i = 0; i < n && i < 100; i++) { points[i] = i; sum += use(""); }
    return sum;
}
// The list keeps it unless realloc fails in there; nobody asks.
static void push(struct list *l, char *x) {
    if (l->used == l->size) {
        char **more = realloc(l->at, (l->size + 8) * sizeof *more);
        if (!more) { l->error = 1; return; }
        l->at = more;
        l->size += 8;
    }
    l->at[l->used++] = x;
}
int pushed(struct list *l, const char *s) {
    char *item = strdup(s);
    if (!item) return -1;
    if (strlen(s) > 3 && use(s) < 0) { free(item); return -1; }
    push(l, item);
    return l->error ? -1 : 0;
}
// What the message on the way out asks and obtains plays no part.
static void complain(const char *text) {
    if (!note_text) note_text = malloc(100);
    if (!note_text) return;
    if (level > 2) report(text);
    strncpy(note_text, text, 99);
}
int forked(void) {
    int fd[2];
    if (pipe(fd) < 0) return -1;
    if (fork() == -1) {
        complain("no fork");
        return -1;
    }
    close(fd[0]);
    close(fd[1]);
    return 0;
}
// The next round's test is none of this one's business.
struct child { struct child *next; const char *value; };
struct cell { struct cell *next; char *value; };
static int append(struct cell **l, char *value) {
    struct cell *more = malloc(sizeof *more);
    if (!more) return -1;
    more->value = value;
    more->next = *l;
    *l = more;
    return 0;
}
void copied(struct cell **l, const struct child *c) {
    for (; c; c = c->next) {
        char *value = c->value ? strdup(c->value) : NULL;
        append(l, value);
    }
}
// A second line of that kind is needed.
char *last_of(FILE *f) {
    char line[100], *last = NULL;
    while (fgets(line, sizeof line, f))
        if (line[0] == '/') last = strdup(line);
    return last;
}
// What a function returned is named where the variable alone does not say it, and what leads to the call is not told.
int parse(const char *, int);
int answered(const char *s, int n) {
    char *three = strdup(s);
    if (!three) return -1;
    if (n > 5) {
        int rc;
        rc = parse(s, 0);
        if (rc == 7) return 1;
    }
    free(three);
    return 0;
}
// The caller's block, which realloc leaves as it was.
int grow(struct list *l, int n) {
    l->at = realloc(l->at, (l->size + n) * sizeof *l->at);
    if (!l->at) return -1;
    l->size += n;
    return 0;
}
// A callee that does not keep it, by what it asked of another.
struct cell *find(struct cell *, const char *);
static int insert(struct cell **l, char *value) {
    if (find(*l, value)) return 0;
    struct cell *more = malloc(sizeof *more);
    if (!more) { free(value); return 0; }
    more->value = value;
    more->next = *l;
    *l = more;
    return 0;
}
int inserted(struct cell **l, const char *s) {
    char *four = strdup(s);
    if (!four) return -1;
    return insert(l, four);
}
// A callee that does not keep it, and nobody knows why.
int sign(void);
static int maybe(struct cell **l, char *value) {
    int kinds[4] = {sign(), sign(), sign(), 0}, sum = 0;
    for (int i = 0; i < 4; i++) sum += kinds[i] * i;
    if (sum > 3) return 0;
    (*l)->value = value;
    return 0;
}
int taken(struct cell **l, const char *s) {
    char *five = strdup(s);
    if (!five) return -1;
    return maybe(l, five);
}
// A descriptor is no memory.
void twice(const char *name) {
    int fd = open(name, 0);
    if (fd < 0) return;
    close(fd);
    if (level > 3) close(fd);
}
// Two ways to one loss: one of them is told.
int one_of_two(const char *s, int a, int b) {
    char *two = strdup(s);
    if (!two) return -1;
    if (!a) {
        if (!b) { free(two); return 0; }
    }
    use(s);
    return 1;
}
// A library's count that is not zero keeps from an early way out, and is no condition beside a failure.
void *scan(void *, int);
int counted(const char *name) {
    char head[12];
    FILE *f = fopen(name, "rb");
    int n;
    if (!f) return -1;
    if (!(n = fread(head, 1, sizeof head, f))) {
        fclose(f);
        return -1;
    }
    void *tag = scan(head, n);
    if (!tag) return -2;
    fclose(f);
    return 0;
}
// What fails in a later round fails in the call that made the block.
struct heap { char **at; int used; };
static void shrink(struct heap *h) {
    h->at = realloc(h->at, (h->used - 1) * sizeof *h->at);
    h->used--;
}
void empty(struct heap *h) {
    while (h->used > 1) shrink(h);
}
// Lost in one of several ways in which a callee may leave it, which come together afterwards: what decides is told.
struct row { char **fields; int count; };
static int add_field(struct row *r, char *field) {
    char **more = realloc(r->fields, (r->count + 1) * sizeof *more);
    if (!more) return 0;
    r->fields = more;
    r->fields[r->count++] = field;
    return 1;
}
int fill_row(struct row *r, const char *a, const char *b) {
    char *key = strdup(a);
    if (!key) return -1;
    add_field(r, key);
    key = strdup(b);
    if (!key) return -1;
    add_field(r, key);
    return r->count;
}
// Overwritten in a later round, before the place that makes it.
char *last_line(FILE *f) {
    char line[100], *note = NULL;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == 'c') { note = NULL; continue; }
        if (line[0] == 'n') note = strdup(line);
    }
    return note;
}
// What leads to the place in the later round.
int items(void *q, const char *word, char **out) {
    const char *key;
    char *value = NULL;
    int n = 0;
    while ((key = next_key(q))) {
        if (!strcmp(key, "name")) n += 2;
        if (!strcmp(key, "address")) value = strdup(word);
        n++;
    }
    *out = value;
    return n;
}
// Not the pointer to its end.
struct span { char *start, *end; };
int spans(struct span *p, int n) {
    struct span *made = malloc(sizeof *made);
    if (!made) return -1;
    made->start = malloc(100);
    made->end = made->start + 100;
    if (n > 4) { free(made); return -1; }
    *p = *made;
    free(made);
    return 0;
}
// Which part of a condition it is.
int parts(const char *s, int n, int m) {
    char *both = strdup(s);
    if (!both) return -1;
    if ((m && !strcmp(s, "x"))
        || (!m && n > 3))
        return 1;
    free(both);
    return 0;
}
END
cd "$TMP" || exit 1
bad=0
has() { grep -qF -- "$1" out || { echo "lacks '$1'"; bad=1; }; }
lacks() { ! grep -qF -- "$1" out || { echo "has '$1'"; bad=1; }; }
"$STANCH" check --no-cache a.c >out
has "'path' leaks memory from strdup [leak]"
has "'points' leaks memory from malloc [leak]"
has "'item' leaks memory from strdup when realloc() fails [leak]"
has "note: realloc() fails in push"
has "from pipe is never closed when fork() returns -1 [resource-leak]"
lacks "level > 2"
lacks "note_text"
has "memory from strdup when malloc() fails [leak]"
lacks "'c->value' is"
has "'last' is overwritten while it still owns memory from strdup when the loop runs again and line[0] == '/' [leak]"
has "'three' leaks memory from strdup when rc == 7 (from parse()) [leak]"
has "'l->at' is overwritten while it still owns memory when realloc() fails [leak]"
has "note: realloc() fails, which leaves the old block as it was"
has "descriptor 'fd' is closed twice when level > 3 [double-free]"
has "note: closed again here"
has "'two' leaks memory from strdup when a [leak]"
has "confirmed by replay with a = 1"
has "file 'f' from fopen is never closed when scan() fails [resource-leak]"
has "'!(n = fread(head, 1, sizeof head, f))' is false"
has "'h->at' is overwritten while it still owns memory when realloc() fails"
has "'key' is overwritten while it still owns memory from strdup when realloc() fails [leak]"
has "'note' is overwritten while it still owns memory from strdup when the loop runs again and line[0] == 'c' [leak]"
has "'made->start' leaks memory from malloc: its owner is freed when n > 4 [leak]"
has "'!strcmp(s, \"x\")' is true"
has "'value' is overwritten while it still owns memory from strdup when the loop runs again and !strcmp(key, \"address\") [leak]"
# No place for it in the list: for audit.
"$STANCH" check --level=audit --no-cache a.c >out
has "'four' leaks memory from strdup when find() != 0 in insert [leak]"
grep -qE "'five' leaks memory from strdup when (.* in maybe|maybe\(\) neither keeps nor frees it) \[leak\]" out || { echo "five"; grep five out; bad=1; }
exit $bad
