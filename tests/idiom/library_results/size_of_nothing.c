// A number of 0 is no failure, also where it is as wide as a pointer.
#include <iconv.h>
#include <string.h>

int fits(const char *name, char *in, size_t in_left)
{
    char out[4], *to = out;
    size_t left = sizeof out, r;
    iconv_t c = iconv_open("ASCII", name); // RESOURCE-LEAK fits ; WHEN: r == 0
    if (c == (iconv_t)-1)
        return 0;
    r = iconv(c, &in, &in_left, &to, &left);
    if (r != 0) {
        iconv_close(c);
        return 0;
    }
    return 1; // LOST fits
}
