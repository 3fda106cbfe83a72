// Headers and fixtures for the recipes of bzip2.own.
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <bzlib.h>
#include <stdlib.h>
#include <unistd.h>

static inline bz_stream *compressing(void)
{
    bz_stream *s = block(sizeof *s);
    BZ2_bzCompressInit(s, 9, 0, 0);
    s->next_in = S("text"), s->avail_in = 4;
    s->next_out = B(1024), s->avail_out = 1024;
    return OWN(s, BZ2_bzCompressEnd);
}
static inline char *packed(unsigned *n)
{
    char *p = B(1024), text[] = "text";
    *n = 1024;
    BZ2_bzBuffToBuffCompress(p, n, text, 4, 9, 0, 0);
    return p;
}
static inline unsigned *number(unsigned n)
{
    unsigned *p = block(sizeof *p);
    *p = n;
    return p;
}
static inline bz_stream *decompressing(void)
{
    bz_stream *s = block(sizeof *s);
    BZ2_bzDecompressInit(s, 0, 0);
    s->next_in = packed(&s->avail_in);
    s->next_out = B(1024), s->avail_out = 1024;
    return OWN(s, BZ2_bzDecompressEnd);
}
static inline void make_file(void)
{
    unsigned n;
    char *p = packed(&n);
    FILE *f = fopen("x.bz2", "w");
    fwrite(p, n, 1, f);
    fclose(f);
}
static inline FILE *file(void)
{
    make_file();
    return OWN(fopen("x.bz2", "r"), fclose);
}
static inline FILE *target(void) { return OWN(fopen("y.bz2", "w"), fclose); }
static inline void drop_read(BZFILE *b)
{
    int e;
    BZ2_bzReadClose(&e, b);
}
static inline void drop_write(BZFILE *b)
{
    int e;
    BZ2_bzWriteClose(&e, b, 1, NULL, NULL);
}
static inline BZFILE *reading(void)
{
    int e;
    return OWN(BZ2_bzReadOpen(&e, file(), 0, 0, NULL, 0), drop_read);
}
static inline BZFILE *read_all(void)
{
    BZFILE *b = reading();
    char x[16];
    int e;
    BZ2_bzRead(&e, b, x, 16);
    return b;
}
static inline BZFILE *writing(void)
{
    int e;
    return OWN(BZ2_bzWriteOpen(&e, target(), 9, 0, 0), drop_write);
}
static inline BZFILE *opened(const char *mode)
{
    make_file();
    return OWN(BZ2_bzopen(*mode == 'r' ? "x.bz2" : "z.bz2", mode), BZ2_bzclose);
}
static inline int descriptor(void)
{
    make_file();
    int fd = open("x.bz2", O_RDONLY);
    return OWN(fd, close);
}
