#include <getopt.h>
#include <stdlib.h>
#include <string.h>
enum mode { MODE_TEXT, MODE_RAW, MODE_QUIT };
int run(enum mode mode, const char *name)
{
    char *copy = strdup(name);
    if (copy == NULL)
        return -1;
    switch (mode) {
    case MODE_TEXT:
        break;
    case MODE_QUIT:
        return 1;
    default:
        break;
    }
    free(copy);
    return 0;
}
