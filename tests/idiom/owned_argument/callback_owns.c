// A function that owns its argument must free it on every return.
#include <stdlib.h>
#include <string.h>

struct reference {
    char *name;
    int kind;
};

static struct reference *reference_new(const char *name, int kind) {
    struct reference *r = malloc(sizeof *r); // LEAK early LIKELY because UNDECIDED
    if (r == NULL)
        abort();
    r->name = strdup(name); // ALSO early_name
    r->kind = kind;
    return r;
}

static void reference_free(struct reference *r) {
    free(r->name);
    free(r);
}

typedef int (*visitor)(struct reference *, void *);

static int visit(const char **names, int n, visitor f, void *data) {
    for (int i = 0; i < n; i++) {
        int r = f(reference_new(names[i], i & 1), data); // LEAK early LIKELY because UNDECIDED; LOST early; LOST early_name
        if (r != 0)
            return r; // LOST early; LOST early_name
    }
    return 0;
}

static int count_owned(struct reference *r, void *data) {
    if (r->kind != 0) {
        reference_free(r);
        return 0;
    }
    ++*(int *)data;
    reference_free(r);
    return 0;
}

static int count_leaking(struct reference *r, void *data) {
    if (r->kind != 0)
        return 0; // LOST early; LOST early_name
    ++*(int *)data;
    reference_free(r);
    return 0;
}

int counted(const char **names, int n) {
    int count = 0;
    visit(names, n, count_owned, &count);
    return count;
}

int counted_leaking(const char **names, int n) {
    int count = 0;
    visit(names, n, count_leaking, &count); // LOST early; LOST early_name
    return count;
}
