// GIO: results that are the caller's, and what a descriptor list or a task takes over.
typedef struct _GFile GFile;
typedef struct _GTask GTask;
typedef struct _GUnixFDList GUnixFDList;
typedef struct _GError GError;
GFile *g_file_new_for_path(const char *path);
char *g_file_get_path(GFile *file);
void g_object_unref(void *object);
void g_free(void *p);
char *g_strdup(const char *s);
void g_task_return_pointer(GTask *task, void *result, void (*release)(void *));
GUnixFDList *g_unix_fd_list_new_from_array(const int *fds, int n);
int open(const char *name, int flags, ...);
void tell(const char *s);

void told(const char *name)
{
    GFile *f = g_file_new_for_path(name); // OK
    char *path = g_file_get_path(f);
    g_object_unref(f);
    if (path)
        tell(path);
    g_free(path);
}

int without_a_path(const char *name)
{
    GFile *f = g_file_new_for_path(name); // LEAK f
    char *path = g_file_get_path(f);
    if (!path)
        return -1; // LOST f
    tell(path);
    g_free(path);
    g_object_unref(f);
    return 0;
}

void answered(GTask *task, const char *s)
{
    g_task_return_pointer(task, g_strdup(s), g_free); // OK
}

GUnixFDList *listed(const char *name)
{
    int fd = open(name, 0); // OK
    if (fd < 0)
        return 0;
    return g_unix_fd_list_new_from_array(&fd, 1);
}
