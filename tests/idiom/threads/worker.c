// The argument of a thread belongs to it once pthread_create has succeeded.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
    char *path;
    int priority;
};

static void *worker(void *arg) {
    struct job *j = arg;
    free(j->path);
    free(j);
    return NULL;
}

static void *forgetful_worker(void *arg) {
    struct job *j = arg;
    return j->path;
}

static struct job *job_new(const char *path) {
    struct job *j = malloc(sizeof *j); // LEAK refused
    if (j == NULL)
        return NULL;
    j->path = strdup(path); // ALSO refused_path
    j->priority = 0;
    return j;
}

int handed_to_a_thread(const char *path) {
    pthread_t t;
    struct job *j = job_new(path);
    if (j == NULL)
        return -1;
    if (pthread_create(&t, NULL, worker, j) != 0) {
        worker(j);
        return -1;
    }
    pthread_detach(t);
    return 0;
}

int lost_when_the_thread_does_not_start(const char *path) {
    pthread_t t;
    struct job *j = job_new(path); // LEAK refused
    if (j == NULL)
        return -1;
    if (pthread_create(&t, NULL, worker, j) != 0)
        return -1; // LOST refused; LOST refused_path
    pthread_detach(t);
    return 0;
}

int joined_and_freed_here(const char *path) {
    pthread_t t;
    struct job *j = job_new(path);
    if (j == NULL)
        return -1;
    if (pthread_create(&t, NULL, forgetful_worker, j) != 0) {
        worker(j);
        return -1;
    }
    pthread_join(t, NULL);
    free(j->path);
    free(j);
    return 0;
}
