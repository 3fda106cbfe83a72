// Descriptors that live on as numbers: printed into text, as an index, in a set, as a copy.
// run: --level=likely
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

int to_child(const char *prog)
{
    int fd[2];
    char arg[32];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0) return -1;
    snprintf(arg, sizeof arg, "%d", fd[1]);
    if (fork() == 0) {
        close(fd[0]);
        execlp(prog, prog, arg, (char *)NULL);
        _exit(1);
    }
    close(fd[1]);
    return fd[0];
}
void inherit(void)
{
    char env[32];
    int fd = open("/dev/null", O_RDWR); // OK
    if (fd < 0) return;
    snprintf(env, sizeof env, "%d", fd);
    setenv("LOG_FD", env, 1);
}
struct client { int used; FILE *log; char buf[64]; };
static struct client *table[1024];
static struct client clients[1024];
int accept_one(int l)
{
    int fd = accept(l, NULL, NULL); // OK
    if (fd < 0) return -1;
    if (fd >= 1024) {
        close(fd);
        return -1;
    }
    clients[fd].used = 1;
    return 0;
}
int accept_two(int l)
{
    int fd = accept(l, NULL, NULL); // OK
    if (fd < 0 || fd >= 1024) {
        if (fd >= 0) close(fd);
        return -1;
    }
    table[fd] = calloc(1, sizeof *table[fd]); // OK
    if (!table[fd]) {
        close(fd);
        return -1;
    }
    return 0;
}
void client_drop(int fd)
{
    free(table[fd]);
    table[fd] = NULL;
    close(fd);
}
int clients_used(void)
{
    int n = 0;
    for (int i = 0; i < 1024; i++)
        if (clients[i].used) {
            n++;
            if (n > 100) {
                close(i);
                clients[i].used = 0;
            }
        }
    return n;
}
static fd_set active;
int accept_set(int l)
{
    int fd = accept(l, NULL, NULL); // OK
    if (fd < 0) return -1;
    FD_SET(fd, &active);
    return 0;
}
int watched(int ep, const char *n)
{
    int fd = open(n, O_RDONLY); // OK
    if (fd < 0) return -1;
    struct epoll_event ev = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) < 0) {
        close(fd);
        return -1;
    }
    return 0;
}
void redirect(const char *n)
{
    int fd = open(n, O_RDWR); // OK
    if (fd < 0) return;
    dup2(fd, 0);
    dup2(fd, 1);
    dup2(fd, 2);
    if (fd > 2) close(fd);
}
int saved_stdout(const char *n)
{
    int saved = dup(1), fd; // OK
    if (saved < 0) return -1;
    fd = open(n, O_WRONLY); // OK
    if (fd < 0) {
        close(saved);
        return -1;
    }
    dup2(fd, 1);
    close(fd);
    puts("x");
    dup2(saved, 1);
    close(saved);
    return 0;
}
void *worker(void *p)
{
    int fd = (int)(intptr_t)p;
    close(fd);
    return NULL;
}
int to_thread(int l)
{
    pthread_t t;
    int fd = accept(l, NULL, NULL); // OK
    if (fd < 0) return -1;
    if (pthread_create(&t, NULL, worker, (void *)(intptr_t)fd) != 0) {
        close(fd);
        return -1;
    }
    pthread_detach(t);
    return 0;
}
int lost_fd(const char *n)
{
    int fd = open(n, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0) return -1;
    printf("opened\n");
    return 0; // LOST fd
}
