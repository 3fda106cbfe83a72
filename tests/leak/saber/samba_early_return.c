// What is a memory leak: the copy of the name is forgotten on the error exit.
#include <stdlib.h>
#include <string.h>

#define NOT_FOUND 2

extern int lookup(const char *host);

int host_forgotten_on_error(const char *hostname) {
    char *host = strdup(hostname); // LEAK host
    if (host == NULL)
        return -1;
    if (lookup(host) < 0)
        return NOT_FOUND; // LOST host
    free(host);
    return 0;
}

int host_freed_on_error(const char *hostname) {
    char *host = strdup(hostname); // OK
    if (host == NULL)
        return -1;
    int result = lookup(host) < 0 ? NOT_FOUND : 0;
    free(host);
    return result;
}
