// Headers and fixtures for the recipes of zlib.own.
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#undef deflateInit
static inline z_stream *deflating(void)
{
    z_stream *s = block(sizeof *s);
    deflateInit_(s, 6, ZLIB_VERSION, sizeof *s);
    s->next_in = (Bytef *)S("text");
    s->avail_in = 4;
    s->next_out = block(256);
    s->avail_out = 256;
    return OWN(s, deflateEnd);
}
static inline z_stream *inflating(void)
{
    z_stream *s = block(sizeof *s);
    inflateInit2_(s, 47, ZLIB_VERSION, sizeof *s);
    return OWN(s, inflateEnd);
}
static inline gzFile reading(void)
{
    gzFile w = gzopen("z.gz", "wb");
    gzputs(w, "some text\nmore\n");
    gzclose(w);
    return OWN(gzopen("z.gz", "rb"), gzclose);
}
static inline gzFile writing(void) { return OWN(gzopen("w.gz", "wb"), gzclose); }
static inline uLongf *size(uLong n)
{
    uLongf *p = block(sizeof *p);
    *p = n;
    return p;
}
static inline Bytef *packed(void)
{
    Bytef *b = block(64);
    uLongf n = 64;
    compress(b, &n, (const Bytef *)"text", 4);
    return b;
}
static inline uLong packed_size(void)
{
    Bytef b[64];
    uLongf n = 64;
    compress(b, &n, (const Bytef *)"text", 4);
    return n;
}
static inline z_stream *back(void)
{
    static unsigned char window[32768];
    z_stream *s = block(sizeof *s);
    inflateBackInit_(s, 15, window, ZLIB_VERSION, sizeof *s);
    return OWN(s, inflateBackEnd);
}
static inline unsigned no_input(void *d, unsigned char **p) { return 0; }
static inline int no_output(void *d, unsigned char *p, unsigned n) { return 0; }
static inline int fd_of(const char *p, int flags) { return OWN(open(p, flags, 0600), close); }
