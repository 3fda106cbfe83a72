// Headers and fixtures for the recipes of posix.own.
#include "libc.h"

#include <aio.h>
#include <argz.h>
#include <arpa/inet.h>
#include <crypt.h>
#include <dlfcn.h>
#include <envz.h>
#include <err.h>
#include <error.h>
#include <execinfo.h>
#include <fnmatch.h>
#include <fts.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <link.h>
#include <mntent.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <nl_types.h>
#include <obstack.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <regex.h>
#include <resolv.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <shadow.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <termios.h>
#include <ucontext.h>
#include <utime.h>
#include <utmp.h>
#include <utmpx.h>
#include <wordexp.h>

static inline DIR *dir(void) { return OWN(opendir("dir"), closedir); }
static inline FTS *fts(void)
{
    static char *paths[] = {"dir", NULL};
    return OWN(fts_open(paths, FTS_PHYSICAL, NULL), fts_close);
}
static inline char **argz(const char *s)
{
    char **p = block(sizeof *p);
    *p = heap(strlen(s) + 1);
    strcpy(*p, s);
    return p;
}
static inline char **argz_of(const char *bytes, size_t n)
{
    char **p = block(sizeof *p);
    *p = heap(n);
    memcpy(*p, bytes, n);
    return p;
}
static inline size_t *length(size_t n)
{
    size_t *p = block(sizeof *p);
    *p = n;
    return p;
}
static inline int any_dirent(const struct dirent *d) { return d->d_name[0] != '.'; }
static inline int no_dirent(const struct dirent *d) { return 0; }
static inline int visit_ftw(const char *p, const struct stat *s, int t) { return 0; }
static inline int visit_nftw(const char *p, const struct stat *s, int t, struct FTW *f) { return 0; }
static inline int visit_phdr(struct dl_phdr_info *i, size_t n, void *d) { return 0; }
// scandir's array ends where its result says; the runner knows only the pointer.
static int scanned;
static inline void free_entries(void *list)
{
    for (int i = 0; i < scanned; i++) free(((void **)list)[i]);
    free(list);
}
static inline void *library(void) { return OWN(dlopen("libm.so.6", RTLD_NOW), dlclose); }
static inline regex_t *regex(void)
{
    regex_t *r = block(sizeof *r);
    regcomp(r, "a(b)", REG_EXTENDED);
    return OWN(r, regfree);
}
static inline glob_t *globbed(void)
{
    glob_t *g = block(sizeof *g);
    glob("*", 0, NULL, g);
    return OWN(g, globfree);
}
static inline wordexp_t *words(void)
{
    wordexp_t *w = block(sizeof *w);
    wordexp("a b", w, 0);
    return OWN(w, wordfree);
}
static inline iconv_t conversion(void) { return OWN(iconv_open("UTF-8", "ISO-8859-1"), iconv_close); }
static inline struct ifaddrs *interfaces(void)
{
    struct ifaddrs *i;
    getifaddrs(&i);
    return OWN(i, freeifaddrs);
}
static inline struct addrinfo *addresses(void)
{
    struct addrinfo *a, hints = {.ai_flags = AI_NUMERICHOST};
    getaddrinfo("127.0.0.1", "80", &hints, &a);
    return OWN(a, freeaddrinfo);
}
static inline const struct addrinfo *numeric(void)
{
    struct addrinfo *a = block(sizeof *a);
    a->ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    return a;
}
static inline struct sockaddr *address(void)
{
    struct sockaddr_in *a = block(sizeof *a);
    a->sin_family = AF_INET;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return (struct sockaddr *)a;
}
static inline socklen_t *address_size(void)
{
    socklen_t *n = block(sizeof *n);
    *n = sizeof(struct sockaddr_in);
    return n;
}
static inline int tcp(void) { return OWN(socket(AF_INET, SOCK_STREAM, 0), close); }
static inline int listener(void)
{
    int s = tcp();
    bind(s, address(), sizeof(struct sockaddr_in));
    listen(s, 5);
    return s;
}
// One end of a pair in which some bytes wait.
static inline int receiver(void)
{
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    write(s[1], "text", 4);
    OWN(s[1], close);
    return OWN(s[0], close);
}
static inline int pipe_end(int k)
{
    int p[2];
    pipe(p);
    write(p[1], "text", 4);
    OWN(p[1 - k], close);
    return OWN(p[k], close);
}
static inline struct iovec *iov(void)
{
    struct iovec *v = block(sizeof *v);
    v->iov_base = B(4);
    v->iov_len = 4;
    return v;
}
static inline struct msghdr *message(void)
{
    struct msghdr *m = block(sizeof *m);
    m->msg_iov = iov();
    m->msg_iovlen = 1;
    return m;
}
static inline struct mmsghdr *messages(void)
{
    struct mmsghdr *m = block(sizeof *m);
    m->msg_hdr.msg_iov = iov();
    m->msg_hdr.msg_iovlen = 1;
    return m;
}
static inline FILE *mounts(void) { return OWN(setmntent("/proc/mounts", "r"), endmntent); }
static inline FILE *users(void) { return OWN(fopen("/etc/passwd", "r"), fclose); }
static inline FILE *groups(void) { return OWN(fopen("/etc/group", "r"), fclose); }
static inline struct mntent *mount_entry(void)
{
    struct mntent *m = block(sizeof *m);
    m->mnt_fsname = S("dev");
    m->mnt_dir = S("/x");
    m->mnt_type = S("ext4");
    m->mnt_opts = S("rw,user");
    return m;
}
static inline mqd_t queue(void)
{
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 64};
    mqd_t q = mq_open("/stanch-models", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a);
    mq_unlink("/stanch-models");
    return OWN(q, mq_close);
}
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
static inline void obstack_end(struct obstack *h) { obstack_free(h, NULL); }
static inline struct obstack *obstack(void)
{
    struct obstack *h = block(sizeof *h);
    obstack_init(h);
    return OWN(h, obstack_end);
}
static inline int epoll(void) { return OWN(epoll_create1(0), close); }
static inline int epoll_with(int fd)
{
    int e = epoll();
    struct epoll_event ev = {.events = EPOLLIN};
    epoll_ctl(e, EPOLL_CTL_ADD, fd, &ev);
    return e;
}
static inline struct pollfd *pollfds(void)
{
    struct pollfd *p = block(sizeof *p);
    p->fd = pipe_end(0);
    p->events = POLLIN;
    return p;
}
static inline void *thread_body(void *arg) { return arg; }
static inline void *thread_waits(void *arg)
{
    pause();
    return NULL;
}
static inline pthread_t pthread(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread_body, NULL);
    return t;
}
static inline pthread_t done_pthread(void)
{
    pthread_t t = pthread();
    usleep(20000);
    return t;
}
static inline void join(void *t) { pthread_join((pthread_t)t, NULL); }
static inline pthread_attr_t *attr(void)
{
    pthread_attr_t *a = block(sizeof *a);
    pthread_attr_init(a);
    return OWN(a, pthread_attr_destroy);
}
static inline pthread_mutex_t *pmutex(void)
{
    pthread_mutex_t *m = block(sizeof *m);
    pthread_mutex_init(m, NULL);
    return m;
}
static inline pthread_mutex_t *locked(void)
{
    pthread_mutex_t *m = pmutex();
    pthread_mutex_lock(m);
    return m;
}
static inline pthread_cond_t *pcond(void)
{
    pthread_cond_t *c = block(sizeof *c);
    pthread_cond_init(c, NULL);
    return c;
}
static inline pthread_rwlock_t *rwlock(void)
{
    pthread_rwlock_t *l = block(sizeof *l);
    pthread_rwlock_init(l, NULL);
    return l;
}
static inline pthread_barrier_t *barrier(void)
{
    pthread_barrier_t *b = block(sizeof *b);
    pthread_barrier_init(b, NULL, 1);
    return b;
}
static inline pthread_spinlock_t *spin(void)
{
    pthread_spinlock_t *l = block(sizeof *l);
    pthread_spin_init(l, 0);
    return l;
}
static inline posix_spawnattr_t *spawnattr(void)
{
    posix_spawnattr_t *a = block(sizeof *a);
    posix_spawnattr_init(a);
    return OWN(a, posix_spawnattr_destroy);
}
static inline posix_spawn_file_actions_t *actions(void)
{
    posix_spawn_file_actions_t *a = block(sizeof *a);
    posix_spawn_file_actions_init(a);
    return OWN(a, posix_spawn_file_actions_destroy);
}
static inline char **command(void)
{
    char **a = block(2 * sizeof *a);
    a[0] = S("true");
    return a;
}
static inline pid_t child(void)
{
    pid_t p = fork();
    if (!p) _exit(0);
    return p;
}
static inline int pty(void) { return OWN(posix_openpt(O_RDWR | O_NOCTTY), close); }
static inline int open_pty(void)
{
    int fd = pty();
    grantpt(fd);
    unlockpt(fd);
    return fd;
}
static inline void **tree(void)
{
    void **root = block(sizeof *root);
    tsearch("b", root, (void *)strcmp);
    tsearch("a", root, (void *)strcmp);
    return root;
}
static inline void keep_key(void *key) {}
static inline void clear_tree(void **root) { tdestroy(*root, keep_key); }
static inline void visit_node(const void *n, VISIT v, int d) {}
static inline void visit_node_r(const void *n, VISIT v, void *c) {}
static inline struct hsearch_data *hashed(void)
{
    struct hsearch_data *h = block(sizeof *h);
    hcreate_r(10, h);
    return OWN(h, hdestroy_r);
}
static inline sem_t *semaphore(unsigned n)
{
    sem_t *s = block(sizeof *s);
    sem_init(s, 0, n);
    return s;
}
static inline sem_t *named_semaphore(void)
{
    sem_t *s = sem_open("/stanch-models", O_CREAT, 0600, 1);
    sem_unlink("/stanch-models");
    return OWN(s, sem_close);
}
static inline sigset_t *signals(void)
{
    sigset_t *s = block(sizeof *s);
    sigaddset(s, SIGUSR1);
    return s;
}
static inline sigset_t *blocked(void)
{
    sigset_t *s = signals();
    sigprocmask(SIG_BLOCK, s, NULL);
    raise(SIGUSR1);
    return s;
}
static inline struct timespec *ts(long ns)
{
    struct timespec *t = block(sizeof *t);
    t->tv_nsec = ns;
    return t;
}
static inline int messages_of(void) { return msgget(IPC_PRIVATE, 0600); }
static inline void drop_messages(void *id) { msgctl((int)(long)id, IPC_RMID, NULL); }
static inline int msgq(void) { return (int)(long)mine((void *)(long)messages_of(), drop_messages); }
static inline void drop_semaphores(void *id) { semctl((int)(long)id, 0, IPC_RMID); }
static inline int semq(void) { return (int)(long)mine((void *)(long)semget(IPC_PRIVATE, 1, 0600), drop_semaphores); }
static inline void drop_segment(void *id) { shmctl((int)(long)id, IPC_RMID, NULL); }
static inline int segment(void) { return (int)(long)mine((void *)(long)shmget(IPC_PRIVATE, 4096, 0600), drop_segment); }
static inline void unmap(void *p) { munmap(p, 4096); }
static inline void unmap2(void *p) { munmap(p, 8192); }
static inline void *mapping(void)
{
    return mine(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), unmap);
}
static inline void *page(void)
{
    void *p = NULL;
    posix_memalign(&p, 4096, 4096);
    return mine(p, free);
}
static inline timer_t timer(void)
{
    timer_t t;
    struct sigevent e = {.sigev_notify = SIGEV_NONE};
    timer_create(CLOCK_MONOTONIC, &e, &t);
    return t;
}
static inline void drop_timer(void *t) { timer_delete((timer_t)t); }
static inline timer_t own_timer(void) { return (timer_t)mine(timer(), drop_timer); }
static inline struct sigevent *no_event(void)
{
    struct sigevent *e = block(sizeof *e);
    e->sigev_notify = SIGEV_NONE;
    return e;
}
static inline const char *file(const char *name)
{
    close(open(name, O_CREAT | O_RDWR | O_TRUNC, 0600));
    return name;
}
static inline const char *no_file(const char *name)
{
    unlink(name);
    rmdir(name);
    return name;
}
static inline char **fake_argv(void)
{
    char **a = block(3 * sizeof *a);
    a[0] = S("x");
    a[1] = S("-a");
    optind = 1;
    return a;
}
static inline struct aiocb *aio(void)
{
    struct aiocb *a = block(sizeof *a);
    a->aio_fildes = fd_in();
    a->aio_buf = B(4);
    a->aio_nbytes = 4;
    return a;
}
static inline void aio_wait(struct aiocb *a)
{
    while (aio_error(a) == EINPROGRESS) usleep(1000);
}

extern int __dn_expand(void);
extern long __fdelt_chk(long), __fdelt_warn(long);
extern int __sched_cpucount(size_t, const cpu_set_t *);
extern cpu_set_t *__sched_cpualloc(size_t);
extern void __sched_cpufree(cpu_set_t *);
extern int __xpg_strerror_r(int, char *, size_t);
extern int __fxstat(int, int, struct stat *), __fxstatat(int, int, const char *, struct stat *, int);
extern int __lxstat(int, const char *, struct stat *), __xstat(int, const char *, struct stat *);
extern int __xmknod(int, const char *, mode_t, dev_t *);
extern int getpt(void);
extern int bindresvport(int, struct sockaddr_in *);
extern int eaccess(const char *, int);
extern int _obstack_allocated_p(struct obstack *, void *);
extern void _obstack_free(struct obstack *, void *);
