// The out-parameter already holds something: the callee must free it or keep it.
#include <stdlib.h>
#include <string.h>

static int set_option(char **slot, const char *value) {
    char *copy = strdup(value); // OK
    if (copy == NULL)
        return -1;
    free(*slot);
    *slot = copy;
    return 0;
}

static int set_option_leaky(char **slot, const char *value) {
    *slot = strdup(value); // LEAK old; LOST old
    return *slot ? 0 : -1;
}

int replaced(void) {
    char *name = NULL;
    set_option(&name, "a");
    set_option(&name, "b");
    free(name);
    return 0;
}

int replaced_and_lost(void) {
    char *name = NULL;
    set_option_leaky(&name, "a"); // LEAK old
    set_option_leaky(&name, "b"); // LOST old
    free(name);
    return 0;
}
