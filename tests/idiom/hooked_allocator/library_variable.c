// A library's allocator is a variable that holds a function: what it does is said by the row of its name.
#include <stddef.h>

typedef void *(*xmlMallocFunc)(size_t);
typedef void (*xmlFreeFunc)(void *);

extern xmlMallocFunc xmlMalloc;
extern xmlFreeFunc xmlFree;
extern xmlFreeFunc unknownFree;

void replace(xmlMallocFunc allocate, xmlFreeFunc release)
{
    xmlMalloc = allocate;
    xmlFree = release;
}

int forgotten(int early)
{
    char *p = xmlMalloc(8); // LEAK hooked
    if (p == NULL) return -1;
    if (early) return -2; // LOST hooked
    xmlFree(p);
    return 0;
}

int released(void)
{
    char *p = xmlMalloc(8); // OK
    if (p == NULL) return -1;
    xmlFree(p);
    return 0;
}

int released_by_another(int early)
{
    char *p = xmlMalloc(8); // OK
    if (p == NULL) return -1;
    unknownFree(p);
    return 0;
}

void released_twice(void)
{
    char *p = xmlMalloc(8);
    if (p == NULL) return;
    xmlFree(p);
    xmlFree(p); // DOUBLE-FREE
}
