// What a library gives only when it fails, and where names point that are cut out of a path.
#include <libgen.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct sqlite3 sqlite3;
int sqlite3_exec(sqlite3 *db, const char *sql, int (*callback)(void *, int, char **, char **), void *arg, char **error);
void sqlite3_free(void *p);
void report(const char *text);
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr);

int no_message_on_success(sqlite3 *db)
{
    char *message;
    if (sqlite3_exec(db, "vacuum", NULL, NULL, &message) != 0) { // OK
        report(message);
        sqlite3_free(message);
        return -1;
    }
    return 0;
}

int message_forgotten_on_failure(sqlite3 *db)
{
    char *message;
    if (sqlite3_exec(db, "vacuum", NULL, NULL, &message) != 0) { // LEAK message
        report(message);
        return -1; // LOST message
    }
    return 0;
}

char *name_inside_its_path(const char *path)
{
    char *copy = strdup(path); // OK
    return copy ? basename(copy) : NULL;
}

char *name_copied_and_path_freed(const char *path)
{
    char *copy = strdup(path); // OK
    if (copy == NULL) return NULL;
    char *name = strdup(basename(copy)); // OK
    free(copy);
    return name;
}

char *name_copied_and_path_forgotten(const char *path)
{
    char *copy = strdup(path); // LEAK path
    if (copy == NULL) return NULL;
    return strdup(basename(copy)); // LOST path
}

int attributes_forgotten(size_t *size)
{
    pthread_attr_t attr;
    if (pthread_getattr_np(pthread_self(), &attr)) // LEAK attr
        return -1;
    return pthread_attr_getstacksize(&attr, size); // LOST attr
}

int attributes_destroyed(size_t *size)
{
    pthread_attr_t attr;
    if (pthread_getattr_np(pthread_self(), &attr)) // OK
        return -1;
    int status = pthread_attr_getstacksize(&attr, size);
    pthread_attr_destroy(&attr);
    return status;
}

int attributes_of_a_new_thread(pthread_t *thread, void *(*run)(void *))
{
    pthread_attr_t attr;
    pthread_attr_init(&attr); // OK
    int status = pthread_create(thread, &attr, run, NULL);
    pthread_attr_destroy(&attr);
    return status;
}
