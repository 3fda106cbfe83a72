// False positive of Saber: a buffer on the stack with a heap fallback. The two tests agree.
#include <stdlib.h>
#include <string.h>

extern void use(const char *);

void freed_when_it_is_not_the_small_one(const char *text) {
    char smallbuf[256];
    char *tmpbuf;
    size_t tmplen = strlen(text) + 1;
    if (tmplen < sizeof smallbuf)
        tmpbuf = smallbuf;
    else
        tmpbuf = malloc(tmplen); // OK
    if (tmpbuf == NULL)
        return;
    memcpy(tmpbuf, text, tmplen);
    use(tmpbuf);
    if (tmpbuf != smallbuf)
        free(tmpbuf);
}

void freed_by_the_same_length(const char *text) {
    char smallbuf[256];
    char *tmpbuf;
    size_t tmplen = strlen(text) + 1;
    if (tmplen < sizeof smallbuf)
        tmpbuf = smallbuf;
    else
        tmpbuf = malloc(tmplen); // OK
    if (tmpbuf == NULL)
        return;
    memcpy(tmpbuf, text, tmplen);
    use(tmpbuf);
    if (tmplen >= sizeof smallbuf)
        free(tmpbuf);
}

void the_wrong_one_is_left(const char *text) {
    char smallbuf[256];
    char *tmpbuf;
    size_t tmplen = strlen(text) + 1;
    if (tmplen < sizeof smallbuf)
        tmpbuf = smallbuf;
    else
        tmpbuf = malloc(tmplen); // LEAK tmpbuf
    if (tmpbuf == NULL)
        return;
    memcpy(tmpbuf, text, tmplen);
    use(tmpbuf);
    if (tmplen > sizeof smallbuf)
        free(tmpbuf);
} // LOST tmpbuf

void the_small_one_is_freed(const char *text) {
    char smallbuf[256];
    char *tmpbuf;
    size_t tmplen = strlen(text) + 1;
    if (tmplen < sizeof smallbuf)
        tmpbuf = smallbuf;
    else
        tmpbuf = malloc(tmplen); // OK
    if (tmpbuf == NULL)
        return;
    memcpy(tmpbuf, text, tmplen);
    use(tmpbuf);
    free(tmpbuf); // INVALID-FREE
}
