// A coder of liblzma that is begun again uses what it has; one of zlib would have to be ended before.
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *next_in;
    size_t avail_in;
    void *internal;
} lzma_stream;
int lzma_stream_decoder(lzma_stream *s, uint64_t limit, uint32_t flags);
int lzma_code(lzma_stream *s, int action);
void lzma_end(lzma_stream *s);

int two_files(const uint8_t *a, const uint8_t *b, size_t n)
{
    lzma_stream s = {0};
    if (lzma_stream_decoder(&s, UINT64_MAX, 0) != 0) // OK
        return -1;
    s.next_in = a;
    s.avail_in = n;
    lzma_code(&s, 0);
    int failed = lzma_stream_decoder(&s, UINT64_MAX, 0);
    s.next_in = b;
    s.avail_in = n;
    if (!failed)
        lzma_code(&s, 0);
    lzma_end(&s);
    return failed;
}

int not_ended_on_error(const uint8_t *a, size_t n)
{
    lzma_stream s = {0};
    if (lzma_stream_decoder(&s, UINT64_MAX, 0) != 0) // LEAK coder
        return -1;
    s.next_in = a;
    s.avail_in = n;
    if (lzma_code(&s, 0) != 0)
        return -1; // LOST coder
    lzma_end(&s);
    return 0;
}
