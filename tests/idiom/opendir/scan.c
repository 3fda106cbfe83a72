// opendir and closedir, scandir and its entries.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

int counted(const char *path) {
    DIR *dir = opendir(path); // OK
    if (dir == NULL)
        return -1;
    int n = 0;
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n;
}

int open_when_found(const char *path, const char *name) {
    DIR *dir = opendir(path); // RESOURCE-LEAK dir
    if (dir == NULL)
        return -1;
    struct dirent *e;
    while ((e = readdir(dir)) != NULL) {
        if (strcmp(e->d_name, name) == 0)
            return 1; // LOST dir
    }
    closedir(dir);
    return 0;
}

char *first_name(const char *path) {
    DIR *dir = opendir(path); // OK
    if (dir == NULL)
        return NULL;
    struct dirent *e = readdir(dir);
    char *name = e != NULL ? strdup(e->d_name) : NULL; // OK
    closedir(dir);
    return name;
}

int sorted_and_freed(const char *path) {
    struct dirent **names;
    int n = scandir(path, &names, NULL, alphasort); // OK
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return n;
}
