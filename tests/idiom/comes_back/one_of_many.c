// A function that frees three lists has more cases than a summary keeps; that of a null pointer is
// kept, so that a caller that gives null is one that the function comes back to.
#include <stdlib.h>

struct options {
    char **env, **permit, **listen;
    size_t env_count, permit_count, listen_count;
    char *command;
};

static void options_free(struct options *o)
{
    size_t i;
    if (o == NULL) return;
    free(o->command);
    for (i = 0; i < o->env_count; i++) free(o->env[i]);
    free(o->env);
    for (i = 0; i < o->permit_count; i++) free(o->permit[i]);
    free(o->permit);
    for (i = 0; i < o->listen_count; i++) free(o->listen[i]);
    free(o->listen);
    free(o);
}

int allowed(int wanted)
{
    char *answer = malloc(8); // LEAK answer
    if (!answer) return 0;
    options_free(NULL);
    return wanted;
}

int allowed_and_freed(int wanted)
{
    char *answer = malloc(8); // OK
    if (!answer) return 0;
    options_free(NULL);
    free(answer);
    return wanted;
}
