// What gives no list rather than an empty one: with no first entry there is nothing to free. And scandir gives -1,
// or a number of entries and with it the list: no other number leaves the old list in place.
// run: --spec lists.own
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

char **names_of(const char *key);
char **some_names_of(const char *key);
void names_free(char **names);

int first_is_there(const char *key) {
    char **names = names_of(key); // OK
    if (!names || !*names) return 0;
    puts(*names);
    names_free(names);
    return 1;
}

int second_may_not_be_there(const char *key) {
    char **names = names_of(key); // LEAK second
    if (!names || !names[1]) return 0; // LOST second
    puts(names[1]);
    names_free(names);
    return 1;
}

int nothing_is_known(const char *key) {
    char **names = some_names_of(key); // LEAK unknown
    if (!names || !*names) return 0; // LOST unknown
    puts(*names);
    names_free(names);
    return 1;
}

int each_folder(const char *const *paths, int n) {
    struct dirent **files;
    int found = 0;
    for (int k = 0; k < n; k++) {
        int count = scandir(paths[k], &files, NULL, alphasort); // OK
        switch (count) {
        case -1:
            perror(paths[k]);
            break;
        case 0:
            break;
        default:
            for (int i = 0; i < count; i++) free(files[i]);
            free(files);
            found++;
        }
    }
    return found;
}

int last_folder(const char *const *paths, int n) {
    struct dirent **files = NULL;
    for (int k = 0; k < n; k++) {
        int count = scandir(paths[k], &files, NULL, alphasort);
        if (count == 0) continue;
        if (count > 0)
            for (int i = 0; i < count; i++) free(files[i]);
        free(files); // DOUBLE-FREE
    }
    return n;
}
