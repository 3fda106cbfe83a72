// A buffer with a count of its users: the block inside is replaced when it is full, on one of many
// paths. What says who may free it stays as it was on all of them.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct page {
    unsigned char *block;
    const unsigned char *seen;
    size_t start, end, limit, room;
    int borrowed;
    unsigned users;
    struct page *under;
};

enum { FIRST_ROOM = 256, MOST = 0x100000, NO_ROOM = -9, NOT_OURS = -49, NO_MEMORY = -2 };

struct page *page_new(void) {
    struct page *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->room = FIRST_ROOM;
    p->limit = MOST;
    p->users = 1;
    p->seen = p->block = calloc(1, p->room);
    if (p->block == NULL) {
        free(p);
        return NULL;
    }
    return p;
}

static int page_is_bad(const struct page *p) {
    if (p == NULL || (!p->borrowed && p->block != p->seen) || p->users < 1 || p->users > MOST ||
        p->seen == NULL || p->limit > MOST || p->room > p->limit || p->end > p->room ||
        p->start > p->end)
        abort();
    return 0;
}

void page_drop(struct page *p) {
    if (p == NULL || page_is_bad(p))
        return;
    p->users--;
    if (p->users > 0)
        return;
    page_drop(p->under);
    p->under = NULL;
    if (!p->borrowed) {
        memset(p->block, 0, p->room);
        free(p->block);
    }
    free(p);
}

static void *bigger(void *old, size_t was, size_t now) {
    unsigned char *fresh;
    if (old == NULL)
        return calloc(1, now);
    if (now <= was && was - now < was / 2)
        return old;
    fresh = malloc(now);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh, old, was < now ? was : now);
    free(old);
    return fresh;
}

static int page_has_no_room(const struct page *p, size_t more) {
    int bad = page_is_bad(p);
    if (bad)
        return bad;
    if (p->borrowed || p->users > 1)
        return NOT_OURS;
    if (more > p->limit || p->limit - more < p->end - p->start)
        return NO_ROOM;
    return 0;
}

static void page_pack(struct page *p, int now) {
    if (p->start == 0 || p->borrowed || p->users > 1)
        return;
    if (now || (p->start >= 64 && p->start >= p->end / 2)) {
        memmove(p->block, p->block + p->start, p->end - p->start);
        p->end -= p->start;
        p->start = 0;
    }
}

static int page_grow(struct page *p, size_t more) {
    size_t need, room;
    unsigned char *fresh;
    int bad = page_has_no_room(p, more);
    if (bad)
        return bad;
    page_pack(p, p->end + more > p->limit);
    if (more + p->end <= p->room)
        return 0;
    need = more + p->end - p->room;
    room = (p->room + need + 255) / 256 * 256;
    if (room > p->limit)
        room = p->room + need;
    fresh = bigger(p->block, p->room, room);
    if (fresh == NULL)
        return NO_MEMORY;
    p->room = room;
    p->seen = p->block = fresh;
    bad = page_has_no_room(p, more);
    return bad < 0 ? bad : 0;
}

int page_reserve(struct page *p, size_t more, unsigned char **at) {
    int bad;
    if (at != NULL)
        *at = NULL;
    bad = page_grow(p, more);
    if (bad)
        return bad;
    if (at != NULL)
        *at = p->block + p->end;
    p->end += more;
    return 0;
}

int page_put(struct page *p, const void *what, size_t more) {
    unsigned char *at;
    int bad = page_reserve(p, more, &at);
    if (bad < 0)
        return bad;
    if (more != 0)
        memcpy(at, what, more);
    return 0;
}

int page_put_byte(struct page *p, unsigned char c) {
    unsigned char *at;
    int bad = page_reserve(p, 1, &at);
    if (bad < 0)
        return bad;
    at[0] = c;
    return 0;
}

int send_page(struct page *p);

int written_and_dropped(const char *text) {
    struct page *p = page_new(); // OK
    int bad;
    if (p == NULL)
        return NO_MEMORY;
    if ((bad = page_put_byte(p, 1)) == 0 && (bad = page_put(p, text, strlen(text))) == 0)
        bad = 1;
    page_drop(p);
    return bad;
}

int forgotten_when_it_is_full(const char *text) {
    struct page *p = page_new(); // LEAK page
    if (p == NULL)
        return NO_MEMORY;
    if (page_put(p, text, strlen(text)) != 0)
        return -1; // LOST page
    page_drop(p);
    return 0;
}
