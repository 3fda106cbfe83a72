#include <stdlib.h>
#include <string.h>
struct user { char *name, *home; };
struct user *user_new(const char *name, const char *home)
{
    struct user *u = malloc(sizeof *u);
    if (u == NULL)
        return NULL;
    u->name = strdup(name);
    u->home = strdup(home);
    if (u->name == NULL || u->home == NULL) {
        free(u->home);
        free(u);
        return NULL;
    }
    return u;
}
