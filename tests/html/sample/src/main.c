#include "config.h"
#include "net/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct config c = {0};
    char *path = argc > 1 ? strdup(argv[1]) : NULL;
    if (!path) {
        fputs("usage: serve FILE\n", stderr);
        return 2;
    }
    int status = config_read(&c, path);
    if (status == 0)
        status = server_run(config_get(&c, "address"));
    config_drop(&c);
    return status != 0;
}
