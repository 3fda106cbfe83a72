// resource-leak: files, descriptors, directories, sockets, maps.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int file(const char *path) {
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK file
    if (f == NULL)
        return -1;
    return getc(f); // LOST file
}

int descriptor(const char *path) {
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0)
        return -1;
    char c;
    return (int)read(fd, &c, 1); // LOST fd
}

int descriptor_tested_against_minus_one(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd == -1)
        return -1;
    close(fd);
    return 0;
}

int descriptor_returned(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0)
        perror(path);
    return fd;
}

int descriptor_stored(const char *path, int *out) {
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0)
        return -1;
    *out = fd;
    return 0;
}

int directory(const char *path) {
    DIR *d = opendir(path); // RESOURCE-LEAK dir
    if (d == NULL)
        return -1;
    return readdir(d) != NULL; // LOST dir
}

int socket_on_error(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0); // RESOURCE-LEAK socket
    if (fd < 0)
        return -1;
    if (listen(fd, port) < 0)
        return -1; // LOST socket
    return fd;
}

int one_end_of_a_pipe(void) {
    int fd[2];
    if (pipe(fd) < 0) // RESOURCE-LEAK end
        return -1;
    close(fd[0]);
    return 0; // LOST end
}

int both_ends_of_a_pipe(void) {
    int fd[2];
    if (pipe(fd) < 0) // OK
        return -1;
    close(fd[0]);
    close(fd[1]);
    return 0;
}

int duplicated(int fd) {
    int copy = dup(fd); // RESOURCE-LEAK copy
    if (copy < 0)
        return -1;
    char c = 0;
    return (int)write(copy, &c, 1); // LOST copy
}

int closed_on_both_paths(const char *path) {
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL)
        return -1;
    if (getc(f) == '#') {
        fclose(f);
        return 1;
    }
    fclose(f);
    return 0;
}

int reopened_over_the_first(const char *a, const char *b) {
    FILE *f = fopen(a, "r"); // RESOURCE-LEAK first
    f = fopen(b, "r");       // LOST first
    if (f == NULL)
        return -1;
    fclose(f);
    return 0;
}
