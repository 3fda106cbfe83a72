// A vector of strings that ends with a null pointer.
#include <stdlib.h>
#include <string.h>

static char **copy_vector(char *const *from, int n) {
    char **v = calloc(n + 1, sizeof *v); // LEAK vector
    if (v == NULL)
        abort();
    for (int i = 0; i < n; i++) {
        v[i] = strdup(from[i]); // LEAK strings; ALSO all
        if (v[i] == NULL)
            abort();
    }
    return v;
}

static void free_vector(char **v) {
    if (v == NULL)
        return;
    for (char **p = v; *p != NULL; p++)
        free(*p);
    free(v);
}

void copied_and_freed(char *const *argv, int argc) {
    char **v = copy_vector(argv, argc);
    free_vector(v);
}

void strings_left(char *const *argv, int argc) {
    char **v = copy_vector(argv, argc);
    free(v); // LOST strings
}

int vector_left(char *const *argv, int argc) {
    char **v = copy_vector(argv, argc); // LEAK vector
    int n = 0;
    while (v[n] != NULL)
        n++;
    return n; // LOST vector; LOST all
}
