// Failure that is told by -1: a descriptor, and the address of a mapping.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int no_descriptor(const char *path) {
    char *line = malloc(80); // LEAK line
    if (line == NULL)
        return -1;
    int fd = open(path, O_RDONLY);
    if (fd == -1)
        return -1; // LOST line
    read(fd, line, 80);
    close(fd);
    free(line);
    return 0;
}

int no_mapping(size_t size) {
    char *line = malloc(80); // LEAK mapped
    if (line == NULL)
        return -1;
    char *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return -1; // LOST mapped
    memcpy(line, map, 80);
    munmap(map, size);
    free(line);
    return 0;
}

int asked_twice(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd == -1)
        return -1;
    char *line = malloc(80); // OK
    if (line == NULL) {
        close(fd);
        return -1;
    }
    if (fd < 0)
        return -1;
    read(fd, line, 80);
    free(line);
    close(fd);
    return 0;
}

void *grown_or_left(void *map, size_t size) {
    void *grown = mremap(map, size, 2 * size, MREMAP_MAYMOVE); // OK
    if (grown == MAP_FAILED)
        return NULL;
    return grown;
}

int no_block_is_there(size_t size) {
    char *line = malloc(size); // OK
    if (line == (char *)-1 || line == NULL)
        return -1;
    free(line);
    return 0;
}
