// Headers and fixtures for the recipes of lzma.own.
#include "run.h"

#include <lzma.h>
#include <stdlib.h>

static inline lzma_stream *encoding(void)
{
    lzma_stream *s = block(sizeof *s);
    lzma_easy_encoder(s, 0, LZMA_CHECK_CRC32);
    s->next_in = (uint8_t *)S("text"), s->avail_in = 4;
    s->next_out = block(1024), s->avail_out = 1024;
    return OWN(s, lzma_end);
}
static inline lzma_stream *decoding(void)
{
    lzma_stream *s = block(sizeof *s);
    lzma_stream_decoder(s, UINT64_MAX, 0);
    return OWN(s, lzma_end);
}
static inline lzma_options_lzma *preset(void)
{
    lzma_options_lzma *o = block(sizeof *o);
    lzma_lzma_preset(o, 0);
    return o;
}
static inline lzma_filter *chain(void)
{
    lzma_filter *f = block(2 * sizeof *f);
    f[0] = (lzma_filter){LZMA_FILTER_LZMA2, preset()};
    f[1].id = LZMA_VLI_UNKNOWN;
    return f;
}
static inline lzma_mt *threads(void)
{
    lzma_mt *m = block(sizeof *m);
    m->threads = 1, m->check = LZMA_CHECK_CRC32;
    m->memlimit_threading = m->memlimit_stop = UINT64_MAX;
    return m;
}
static inline uint8_t *packed(size_t *n)
{
    uint8_t *p = block(1024);
    *n = 0;
    lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)"text", 4, p, n, 1024);
    return p;
}
static inline void drop_index(lzma_index *i) { lzma_index_end(i, NULL); }
static inline lzma_index *lindex(void)
{
    lzma_index *i = OWN(lzma_index_init(NULL), drop_index);
    lzma_index_append(i, NULL, 64, 64);
    return i;
}
static inline uint8_t *packed_index(size_t *n)
{
    uint8_t *p = block(1024);
    *n = 0;
    lzma_index_buffer_encode(lindex(), p, n, 1024);
    return p;
}
static inline uint64_t *limit(void)
{
    uint64_t *l = block(sizeof *l);
    *l = UINT64_MAX;
    return l;
}
