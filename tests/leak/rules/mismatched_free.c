// mismatched-free: released by the partner of another family.
#include <dirent.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

void file_freed(const char *path) {
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return;
    free(f); // MISMATCHED-FREE
}

void pipe_closed_as_a_file(const char *command) {
    FILE *f = popen(command, "r");
    if (f == NULL)
        return;
    fclose(f); // MISMATCHED-FREE
}

void directory_freed(const char *path) {
    DIR *d = opendir(path);
    if (d == NULL)
        return;
    free(d); // MISMATCHED-FREE
}

void addresses_freed(const char *host) {
    struct addrinfo *list;
    if (getaddrinfo(host, NULL, NULL, &list) != 0)
        return;
    free(list); // MISMATCHED-FREE
}

void right_partners(const char *path, const char *command) {
    FILE *f = fopen(path, "r"); // OK
    if (f != NULL)
        fclose(f);
    FILE *p = popen(command, "r"); // OK
    if (p != NULL)
        pclose(p);
    DIR *d = opendir(path); // OK
    if (d != NULL)
        closedir(d);
}
