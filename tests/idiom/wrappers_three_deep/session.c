// Three layers over malloc and three over free; the leak shows at the outermost caller.
#include <stdlib.h>
#include <string.h>

static void *mem_alloc(size_t n) {
    return malloc(n ? n : 1); // LEAK session; ALSO user
}

static void *mem_zalloc(size_t n) {
    void *p = mem_alloc(n);
    if (p != NULL)
        memset(p, 0, n);
    return p;
}

static void mem_free(void *p) {
    free(p);
}

struct session {
    int id;
    char *user;
};

static char *str_new(const char *s) {
    size_t n = strlen(s) + 1;
    char *p = mem_alloc(n);
    if (p != NULL)
        memcpy(p, s, n);
    return p;
}

static void session_free(struct session *s) {
    if (s == NULL)
        return;
    mem_free(s->user);
    mem_free(s);
}

static struct session *session_new(int id, const char *user) {
    struct session *s = mem_zalloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->id = id;
    s->user = str_new(user);
    if (s->user == NULL) {
        session_free(s);
        return NULL;
    }
    return s;
}

extern int authenticate(const struct session *s);

int session_freed(int id, const char *user) {
    struct session *s = session_new(id, user);
    if (s == NULL)
        return -1;
    int ok = authenticate(s);
    session_free(s);
    return ok;
}

int session_lost_when_refused(int id, const char *user) {
    struct session *s = session_new(id, user); // LEAK session
    if (s == NULL)
        return -1;
    if (!authenticate(s))
        return 0; // LOST session; LOST user
    session_free(s);
    return 1;
}
