// Strings in an array that is grown by functions of its owner's: realloc, or by hand with the rest
// zeroed and the old block wiped.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p) {
    if (p == NULL)
        exit(1);
    return p;
}

static void *grow_zeroed(void *old, size_t old_count, size_t count, size_t size) {
    if (old == NULL)
        return calloc(count, size);
    size_t old_bytes = old_count * size, bytes = count * size;
    if (bytes <= old_bytes)
        return old;
    char *fresh = malloc(bytes);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh, old, old_bytes);
    memset(fresh + old_bytes, 0, bytes - old_bytes);
    memset(old, 0, old_bytes);
    free(old);
    return fresh;
}

static void append(char ***list, const char *s) {
    size_t i = 0;
    if (*list == NULL) {
        *list = must(calloc(2, sizeof **list));
    } else {
        for (i = 0; (*list)[i] != NULL; i++)
            ;
        *list = must(grow_zeroed(*list, i + 1, i + 2, sizeof **list));
    }
    (*list)[i] = must(strdup(s)); // OK
}

char **four_names(const char *a, const char *b) {
    char **names = NULL;
    append(&names, a);
    append(&names, b);
    append(&names, a);
    append(&names, b);
    return names;
}

static void set(char ***envp, unsigned *sizep, const char *name) {
    char **env = *envp;
    unsigned i, size = *sizep;
    size_t length = strlen(name);
    for (i = 0; env[i] != NULL; i++)
        if (strncmp(env[i], name, length) == 0 && env[i][length] == '=')
            break;
    if (env[i] != NULL) {
        free(env[i]);
    } else {
        if (i >= size - 1) {
            size += 50;
            env = *envp = must(reallocarray(env, size, sizeof *env));
            *sizep = size;
        }
        env[i + 1] = NULL;
    }
    env[i] = must(strdup(name)); // OK
}

char **environment(int n, char **names) {
    unsigned size = 50;
    char **env = must(calloc(size, sizeof *env)); // OK
    env[0] = NULL;
    for (int i = 0; i < n; i++)
        set(&env, &size, names[i]);
    set(&env, &size, "USER=me");
    set(&env, &size, "HOME=/");
    set(&env, &size, "SHELL=/bin/sh");
    return env;
}

static struct option {
    char *key, *value;
} *options;
static size_t option_count;

static void option_add(const char *key, const char *value) {
    options = must(reallocarray(options, option_count + 1, sizeof *options));
    options[option_count].key = must(strdup(key));                        // OK
    options[option_count].value = value == NULL ? NULL : must(strdup(value)); // OK
    option_count++;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct option *)a)->key, ((const struct option *)b)->key);
}

void options_from(unsigned flags, const char *command) {
    if (command != NULL)
        option_add("command", command);
    if (flags & 1)
        option_add("pty", NULL);
    if (flags & 2)
        option_add("agent", NULL);
    if (option_count > 0)
        qsort(options, option_count, sizeof *options, by_key);
}

int only_the_array_is_freed(const char *a) {
    char **names = NULL;
    append(&names, a); // LEAK only
    free(names);       // LOST only
    return 0;
}
