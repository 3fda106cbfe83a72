// A callee walks a list and stores a block in the element that it finds; the caller has not lost it,
// however far down it went.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct setting {
    struct setting *next;
    char *key;
    char *value;
};

struct conf {
    struct setting *first;
};

static int conf_replace(struct conf *c, const char *key, const char *value) {
    for (struct setting *s = c->first; s != NULL; s = s->next) {
        if (strcmp(s->key, key) == 0) {
            char *copy = strdup(value); // OK
            if (copy == NULL)
                return -1;
            free(s->value);
            s->value = copy;
            return 0;
        }
    }
    return -1;
}

int replaced_from_outside(struct conf *c, const char *line) {
    char *key = strdup(line); // OK
    int r = -1;
    if (key != NULL)
        r = conf_replace(c, key, "on");
    free(key);
    return r;
}

int replaced_from_further_outside(struct conf *c, const char *line) {
    return replaced_from_outside(c, line) + replaced_from_outside(c, "x");
}

static void append(struct conf *c, struct setting *s) {
    struct setting **link = &c->first;
    while (*link != NULL)
        link = &(*link)->next;
    *link = s;
}

int appended_at_the_end(struct conf *c) {
    struct setting *s = calloc(1, sizeof *s); // OK
    if (s == NULL)
        return -1;
    append(c, s);
    return 0;
}

struct tree {
    struct tree *left, *right;
    int key;
};

static void insert(struct tree **root, struct tree *t) {
    while (*root != NULL)
        root = t->key < (*root)->key ? &(*root)->left : &(*root)->right;
    *root = t;
}

int inserted_somewhere_below(struct tree **root, int key) {
    struct tree *t = calloc(1, sizeof *t); // OK
    if (t == NULL)
        return -1;
    t->key = key;
    insert(root, t);
    return 0;
}

static int insert_unless_there(struct tree **root, struct tree *t) {
    while (*root != NULL) {
        if ((*root)->key == t->key)
            return 0;
        root = t->key < (*root)->key ? &(*root)->left : &(*root)->right;
    }
    *root = t;
    return 1;
}

int lost_when_it_is_there(struct tree **root, int key) {
    struct tree *t = calloc(1, sizeof *t); // LEAK there
    if (t == NULL)
        return -1;
    t->key = key;
    return insert_unless_there(root, t); // LOST there
}

int freed_when_it_is_there(struct tree **root, int key) {
    struct tree *t = calloc(1, sizeof *t); // OK
    if (t == NULL)
        return -1;
    t->key = key;
    if (!insert_unless_there(root, t))
        free(t);
    return 0;
}
