// Headers and fixtures for the recipes of cap.own.
#include "run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <unistd.h>

static inline cap_t caps(void) { return OWN(cap_get_proc(), cap_free); }
static inline cap_iab_t iab(void) { return OWN(cap_iab_get_proc(), cap_free); }
static inline int opened(void)
{
    int fd = open("in", O_RDONLY);
    return OWN(fd, close);
}
static inline void *external(void)
{
    void *p = block(cap_size(caps()));
    cap_copy_ext(p, caps(), cap_size(caps()));
    return p;
}
