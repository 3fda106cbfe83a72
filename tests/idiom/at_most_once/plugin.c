// A library that was loaded and whose code was called has to stay: likely. One that is given up
// before that is lost. So has one of which something is kept.
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

void load_for_its_constructors(const char *path) {
    if (dlopen(path, RTLD_NOW) == NULL) // OK likely: nothing is asked of it
        puts("cannot be loaded");
}

struct kind {
    struct kind *next;
    const char *name;
};
static struct kind *kinds;
static void *program;

struct kind *kind_of(const char *path, const char *name) {
    void *library = dlopen(path, RTLD_LAZY); // OK likely: what it has of this kind is kept
    if (library == NULL) {
        library = program;
        if (library == NULL)
            return NULL;
    }
    struct kind *k = dlsym(library, name);
    if (k == NULL) {
        if (library != program)
            dlclose(library);
        return NULL;
    }
    k->next = kinds;
    kinds = k;
    return k;
}

int version_of(const char *path) {
    void *plugin = dlopen(path, RTLD_LAZY); // RESOURCE-LEAK plugin
    if (plugin == NULL)
        return -1;
    const int *version = dlsym(plugin, "version");
    if (version == NULL) {
        dlclose(plugin);
        return -1;
    }
    return *version; // LOST plugin
}
