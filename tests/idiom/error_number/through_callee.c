// A function of the program's own hands up the number of an error with a minus: whoever calls it sees
// that it failed.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int bind_to(int s, const struct sockaddr *a, char **why)
{
    if (!bind(s, a, sizeof *a))
        return 0;
    *why = strdup(strerror(errno));
    return -errno;
}

int released_when_it_fails(int s, const struct sockaddr *a)
{
    char *why = NULL; // OK
    if (bind_to(s, a, &why) < 0) {
        free(why);
        return -1;
    }
    return 0;
}

int kept_when_it_fails(int s, const struct sockaddr *a, int quiet)
{
    char *why = NULL;
    if (bind_to(s, a, &why) < 0) { // LEAK why
        if (quiet)
            return -2; // LOST why
        free(why);
        return -1;
    }
    return 0;
}
