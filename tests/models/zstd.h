// Headers and fixtures for the recipes of zstd.own.
#include "run.h"

#include <stdlib.h>
#include <zstd.h>

static inline ZSTD_CCtx *compressor(void) { return OWN(ZSTD_createCCtx(), ZSTD_freeCCtx); }
static inline ZSTD_DCtx *decompressor(void) { return OWN(ZSTD_createDCtx(), ZSTD_freeDCtx); }
static inline ZSTD_CDict *cdict(void) { return OWN(ZSTD_createCDict("text", 4, 1), ZSTD_freeCDict); }
static inline ZSTD_DDict *ddict(void) { return OWN(ZSTD_createDDict("text", 4), ZSTD_freeDDict); }
static inline ZSTD_outBuffer *output(void)
{
    ZSTD_outBuffer *b = block(sizeof *b);
    *b = (ZSTD_outBuffer){block(1024), 1024, 0};
    return b;
}
static inline ZSTD_inBuffer *input(void)
{
    ZSTD_inBuffer *b = block(sizeof *b);
    *b = (ZSTD_inBuffer){S("text"), 4, 0};
    return b;
}
static inline void *packed(size_t *n)
{
    void *p = block(1024);
    *n = ZSTD_compress(p, 1024, "text", 4, 1);
    return p;
}
