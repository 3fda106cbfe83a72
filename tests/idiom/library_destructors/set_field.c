// The destructor of a library's type releases the fields that the program has set in it, also through
// a function of the program's. A plain free() of a struct does not.
#include <stdlib.h>
#include <string.h>

typedef unsigned char xmlChar;
typedef struct _xmlURI {
    char *scheme, *opaque, *authority, *server, *user;
    int port;
    char *path, *query, *fragment;
    int cleanup;
    char *query_raw;
} xmlURI;
xmlURI *xmlCreateURI(void);
void xmlFreeURI(xmlURI *uri);
xmlChar *xmlStrdup(const xmlChar *s);
extern void (*xmlFree)(void *);

static void uri_end(xmlURI *u)
{
    if (u)
        xmlFreeURI(u);
}

int goes_with_it(const char *text, int refused)
{
    xmlURI *u = xmlCreateURI();
    if (!u)
        return -1;
    u->path = (char *)xmlStrdup((const xmlChar *)text); // OK
    if (refused) {
        xmlFreeURI(u);
        return 0;
    }
    uri_end(u);
    return 1;
}

int by_wrapper_alone(const char *text)
{
    xmlURI *u = xmlCreateURI();
    if (!u)
        return -1;
    u->path = (char *)xmlStrdup((const xmlChar *)text); // OK
    uri_end(u);
    return 1;
}

int taken_out(const char *text)
{
    xmlURI *u = xmlCreateURI();
    if (!u)
        return -1;
    char *path = (char *)xmlStrdup((const xmlChar *)text); // LEAK path
    uri_end(u);
    return path != NULL; // LOST path
}

struct place {
    char *path;
};

int struct_of_ours(const char *text)
{
    struct place *p = malloc(sizeof *p);
    if (!p)
        return -1;
    p->path = strdup(text); // LEAK ours
    free(p); // LOST ours
    return 1;
}
