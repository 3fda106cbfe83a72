// What a library promises of a call that fails or succeeds: nothing is read or mapped of no bytes, an
// open directory has a descriptor, an error text means that there is no result, what is stored
// once for all stays, and a list that is there has an element.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

static char *load(FILE *f, size_t *size)
{
    size_t n;
    if (fread(&n, sizeof n, 1, f) != 1)
        return NULL;
    char *p = malloc(n); // LEAK odd
    if (p && fread(p, n, 1, f) != 1) {
        free(p);
        p = NULL;
    }
    *size = n;
    return p;
}

void released_if_it_has_bytes(FILE *f)
{
    size_t n = 0;
    char *p = load(f, &n);
    if (n > 0) {
        puts("loaded");
        free(p);
    }
}

void released_if_it_has_many_bytes(FILE *f)
{
    size_t n = 0;
    char *p = load(f, &n);
    if (n > 1) {
        puts("loaded");
        free(p);
    }
} // LOST odd

void unmapped_if_it_has_bytes(int fd)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return;
    char *p = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0); // OK
    if (p == MAP_FAILED)
        return;
    if (st.st_size != 0)
        munmap(p, st.st_size);
}

void unmapped_if_it_has_a_size(int fd)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return;
    char *p = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0); // OK
    if (p == MAP_FAILED)
        return;
    if (st.st_size > 0)
        munmap(p, st.st_size);
}

void unmapped_if_it_has_many_bytes(int fd)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return;
    char *p = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0); // RESOURCE-LEAK small
    if (p == MAP_FAILED)
        return;
    if (st.st_size != 1)
        munmap(p, st.st_size);
} // LOST small

int directory_with_descriptor(const char *name)
{
    DIR *d = opendir(name); // OK
    if (!d)
        return -1;
    if (dirfd(d) < 0)
        return -1;
    closedir(d);
    return 0;
}

typedef struct pcre pcre;
typedef struct pcre_extra pcre_extra;
pcre_extra *pcre_study(const pcre *, int, const char **);
void pcre_free_study(pcre_extra *);

int no_result_with_an_error(const pcre *p)
{
    const char *error;
    pcre_extra *extra = pcre_study(p, 0, &error); // OK
    if (error)
        return -1;
    pcre_free_study(extra);
    return 0;
}

int a_result_without_an_error(const pcre *p, int early)
{
    const char *error;
    pcre_extra *extra = pcre_study(p, 0, &error); // LEAK extra
    if (error)
        return -1;
    if (early)
        return 1; // LOST extra
    pcre_free_study(extra);
    return 0;
}

typedef struct DBusMessage DBusMessage;
DBusMessage *dbus_message_new_method_return(DBusMessage *);
void dbus_message_unref(DBusMessage *);
int send_out(const DBusMessage *m);

struct app {
    DBusMessage *request;
    int ready;
};

static void reply(struct app *a, DBusMessage *m)
{
    if (!a->request || !m)
        return;
    send_out(m);
    dbus_message_unref(m);
}

static void reply_if_ready(struct app *a, DBusMessage *m)
{
    if (!a->ready || !m)
        return;
    send_out(m);
    dbus_message_unref(m);
}

void no_reply_to_nothing(struct app *a)
{
    reply(a, dbus_message_new_method_return(a->request)); // OK
}

void no_reply_when_not_ready(struct app *a)
{
    reply_if_ready(a, dbus_message_new_method_return(a->request)); // LEAK unready; LOST unready
}

int g_once_init_enter(void *);
void g_once_init_leave(void *, size_t);

char *stored_once(void)
{
    static char *name;
    if (g_once_init_enter(&name))
        g_once_init_leave(&name, (size_t)malloc(8)); // OK
    return name;
}

typedef struct GList GList;
GList *g_list_prepend(GList *list, void *data);
unsigned g_list_length(GList *list);
void g_list_free(GList *list);

int listed(int more)
{
    GList *list = g_list_prepend(NULL, "first"); // OK
    if (more)
        list = g_list_prepend(list, "second");
    if (g_list_length(list) == 0)
        return 0;
    g_list_free(list);
    return 1;
}

int listed_once(int more)
{
    GList *list = NULL;
    if (more)
        list = g_list_prepend(list, "first"); // LEAK once
    if (g_list_length(list) == 1)
        return 0; // LOST once
    g_list_free(list);
    return 1;
}
