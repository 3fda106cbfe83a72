// Misuses that may be none: what is freed need not be what it seems to be.
// run: --level=audit
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int ask(int n);

static char empty[1];

static char *room_for(size_t n)
{
    return n ? malloc(n) : empty;
}

void stands_in_for_a_block(size_t n)
{
    char *p = room_for(n);
    free(p); // INVALID-FREE AUDIT because STAND_IN
}

struct box {
    int on_heap, value;
};
void fill(struct box *b);

void a_field_says_so(void)
{
    struct box b;
    fill(&b);
    if (b.on_heap) free(&b); // INVALID-FREE AUDIT because FLAGGED
}

// The path that is shown has the number that was asked for, and keeps it.
int kept_on_the_path_shown(const char *name, int want, int how)
{
    int k = 0, fd = open(name, O_RDONLY); // RESOURCE-LEAK shown AUDIT because NOT_ON_PATH
    if (fd < 0) return -1;
    if (fd != want) k += ask(0);
    if (how & 1) k += ask(1);
    if (how & 2) k += ask(2);
    if (how & 4) k += ask(3);
    if (how & 8) k += ask(4);
    if (how & 16) k += ask(5);
    if (how & 32) k += ask(6);
    if (k == 77) return 0; // LOST shown
    if (fd != want) close(fd);
    return k;
}
