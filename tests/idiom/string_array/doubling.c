// An array of strings grown by doubling, and its release.
#include <stdlib.h>
#include <string.h>

struct strings {
    char **v;
    size_t n, room;
};

static int strings_add(struct strings *a, const char *s) {
    if (a->n == a->room) {
        size_t room = a->room ? a->room * 2 : 4;
        char **v = realloc(a->v, room * sizeof *v); // OK
        if (v == NULL)
            return -1;
        a->v = v;
        a->room = room;
    }
    char *copy = strdup(s); // LEAK strings
    if (copy == NULL)
        return -1;
    a->v[a->n++] = copy;
    return 0;
}

static void strings_free(struct strings *a) {
    for (size_t i = 0; i < a->n; i++)
        free(a->v[i]);
    free(a->v);
}

int two_added_and_freed(const char *s) {
    struct strings a = {0};
    int r = strings_add(&a, s);
    if (r == 0)
        r = strings_add(&a, s);
    strings_free(&a);
    return r;
}

int only_the_array_freed(const char *s) {
    struct strings a = {0};
    int r = strings_add(&a, s); // LEAK strings
    free(a.v);                  // LOST strings
    return r;
}

char **split(const char *text, int *count) {
    char **words = NULL;
    int n = 0, room = 0;
    while (*text) {
        size_t len = strcspn(text, " ");
        if (n == room) {
            int more = room ? room * 2 : 8;
            char **w = realloc(words, more * sizeof *w); // OK
            if (w == NULL)
                goto fail;
            words = w;
            room = more;
        }
        words[n] = strndup(text, len); // OK
        if (words[n] == NULL)
            goto fail;
        n++;
        text += len;
        text += strspn(text, " ");
    }
    *count = n;
    return words;
fail:
    while (n > 0)
        free(words[--n]);
    free(words);
    return NULL;
}
