// A library that was loaded and whose code was called has to stay: likely. One that is given up
// before that is lost.
#include <dlfcn.h>
#include <stdio.h>

int load_and_start(const char *path) {
    void *library = dlopen(path, RTLD_NOW); // OK likely: it may have registered itself
    int (*start)(int);
    if (library == NULL)
        return -1;
    start = (int (*)(int))dlsym(library, "start");
    if (start == NULL) {
        dlclose(library);
        return -1;
    }
    if (start(1) == 0)
        puts("started");
    return 0;
}

int load_without_start(const char *path) {
    void *library = dlopen(path, RTLD_NOW); // RESOURCE-LEAK library
    int (*start)(int);
    if (library == NULL)
        return -1;
    start = (int (*)(int))dlsym(library, "start");
    if (start == NULL)
        return -1; // LOST library
    start(1);
    dlclose(library);
    return 0;
}
