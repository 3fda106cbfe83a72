#include "base/pack.h"

void pack_bytes(Pack *p, void *bytes, size_t n)
{
    if (!p->reading) {
        vec_append(&p->out, (const char *)bytes, n);
    } else if (p->bad || (size_t)(p->end - p->at) < n) {
        p->bad = true;
        memset(bytes, 0, n);
    } else {
        memcpy(bytes, p->at, n);
        p->at += n;
    }
}

uint32_t pack_enum(Pack *p, uint32_t value, uint32_t count)
{
    pack_u32(p, &value);
    if (value >= count) p->bad = true, value = 0;
    return value;
}

void pack_text(Pack *p, const char **text)
{
    uint32_t len = *text && !p->reading ? (uint32_t)strlen(*text) : UINT32_MAX;
    pack_u32(p, &len);
    if (!p->reading) {
        if (*text) vec_append(&p->out, *text, len);
        return;
    }
    *text = NULL;
    if (len == UINT32_MAX || p->bad) return;
    if ((size_t)(p->end - p->at) < len) {
        p->bad = true;
        return;
    }
    *text = arena_strndup(p->arena, p->at, len);
    p->at += len;
}

uint32_t pack_len(Pack *p, uint32_t len, size_t least)
{
    pack_u32(p, &len);
    if (!p->reading) return len;
    if (len > (size_t)(p->end - p->at) / least) p->bad = true, len = 0;
    return len;
}
