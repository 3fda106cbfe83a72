// Headers and fixtures for the recipes of libc.own and posix.own.
#include "run.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <mcheck.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#undef basename
#undef strdupa

static inline FILE *stream(void) { return OWN(fopen("in", "r"), fclose); }
static inline FILE *fopen_at_end(void)
{
    FILE *f = stream();
    fseek(f, 0, SEEK_END);
    return f;
}
static inline FILE *writer(void) { return OWN(fopen("out", "w+"), fclose); }
static inline FILE *wide(void)
{
    FILE *f = writer();
    fputws(L"wide text\n", f);
    rewind(f);
    return f;
}
static inline int fd_of(const char *path, int flags) { return OWN(open(path, flags, 0600), close); }
static inline int fd_in(void) { return fd_of("in", O_RDONLY); }
static inline int fd_out(void) { return fd_of("out", O_RDWR | O_CREAT); }
static inline locale_t c_locale(void) { return OWN(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0), freelocale); }
static inline void *heap(size_t n) { return OWN(malloc(n), free); }
static inline struct tm *tm_now(void)
{
    struct tm *tm = block(sizeof *tm);
    tm->tm_year = 120;
    tm->tm_mday = 5;
    return tm;
}
static inline time_t *time_now(void)
{
    time_t *t = block(sizeof *t);
    *t = 1600000000;
    return t;
}
static inline fpos_t *fpos_of(FILE *f)
{
    fpos_t *p = block(sizeof *p);
    fgetpos(f, p);
    return p;
}
static inline int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline int by_int_r(const void *a, const void *b, void *arg) { return by_int(a, b); }
static inline int *ints(void)
{
    int *p = block(4 * sizeof *p);
    for (int i = 0; i < 4; i++) p[i] = 10 * i;
    return p;
}
static inline void nothing(void) {}
static inline void nothing_at_exit(int status, void *arg) {}
static inline int thread_ends(void *arg) { return 0; }
static inline mtx_t *mutex(void)
{
    mtx_t *m = block(sizeof *m);
    mtx_init(m, mtx_plain);
    return OWN(m, mtx_destroy);
}
static inline cnd_t *condition(void)
{
    cnd_t *c = block(sizeof *c);
    cnd_init(c);
    return OWN(c, cnd_destroy);
}
static inline thrd_t thread(void)
{
    thrd_t t;
    thrd_create(&t, thread_ends, NULL);
    return t;
}
// A copy of a text with room behind it.
static inline char *roomy(const char *s) { return strcpy(B(256), s); }
static inline wchar_t *wroomy(const wchar_t *s) { return wcscpy((wchar_t *)B(1024), s); }
// Pointers inside the copy, for functions that move them on.
static inline char **at_text(const char *s)
{
    char **p = block(sizeof *p);
    *p = S(s);
    return p;
}
static inline wchar_t **at_wide(const wchar_t *s)
{
    wchar_t **p = block(sizeof *p);
    *p = W(s);
    return p;
}
static inline ssize_t cookie_read(void *c, char *buf, size_t n) { return 0; }
static inline int cookie_close(void *c)
{
    free(c);
    return 0;
}
static inline cookie_io_functions_t cookie_io(void)
{
    return (cookie_io_functions_t){.read = cookie_read, .close = cookie_close};
}
// The stream of open_memstream must be closed before the text behind it is released.
static inline void close_memstream(FILE *f) { fclose(f); }

extern int finite(double);
extern void cfree(void *);
extern int getw(FILE *);
extern int putw(int, FILE *);
extern char *__xpg_basename(char *);
extern char *dirname(char *);
extern int __xpg_strerror_r(int, char *, size_t);
extern char *gets(char *);
extern int __overflow(FILE *, int);
extern void __chk_fail(void);
extern void __stack_chk_fail(void);
extern void __fortify_fail(const char *);
extern int __isinf(double), __isnan(double), __finite(double), __signbit(double), __fpclassify(double);
extern char *basename(const char *);
