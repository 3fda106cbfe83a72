// A loss that needs a field or a global to have a value which callers far above have set otherwise,
// or have not.
#include <stdlib.h>
#include <string.h>

struct stream {
    char *buffer;
    int own, mode;
};

// ---- A field that the constructor always sets.

static struct stream *stream_new(int mode)
{
    struct stream *s = malloc(sizeof *s); // OK
    if (!s) return NULL;
    s->buffer = malloc(64); // OK
    if (!s->buffer) {
        free(s);
        return NULL;
    }
    s->own = 1;
    s->mode = mode;
    return s;
}

static void stream_free(struct stream *s)
{
    free(s->buffer);
    free(s);
}

static int append(struct stream *s, const char *text)
{
    char *copy = strdup(text); // OK
    if (!copy) return -1;
    if (!s->own || !s->buffer) return -1;
    free(copy);
    return 0;
}

static int append_line(struct stream *s, const char *text)
{
    return append(s, text) + append(s, "\n");
}

static int append_title(struct stream *s)
{
    return append_line(s, "title");
}

int constructed(void)
{
    struct stream *s = stream_new(2);
    if (!s) return -1;
    int r = append_title(s);
    stream_free(s);
    return r;
}

static int insert(struct stream *s, const char *text)
{
    char *copy = strdup(text); // LEAK by_hand
    if (!copy) return -1;
    if (!s->own) return -1; // LOST by_hand
    free(copy);
    return 0;
}

static int insert_line(struct stream *s, const char *text)
{
    return insert(s, text) + insert(s, "\n");
}

static int insert_title(struct stream *s)
{
    return insert_line(s, "title");
}

int made_by_hand(void)
{
    char room[64];
    struct stream s = {room, 0, 0};
    return insert_title(&s);
}

// ---- A global that is set before the call.

static int ready;
static char *table;

static int send_stored(const char *line)
{
    char *copy = strdup(line); // OK
    if (!copy) return -1;
    if (!ready) return -1;
    free(copy);
    return 0;
}

static int send_lines(const char *line)
{
    return send_stored(line) + send_stored("end");
}

static int send_all(const char *line)
{
    return send_lines(line);
}

int set_before(const char *line)
{
    ready = 1;
    return send_all(line);
}

static int post_stored(const char *line)
{
    char *copy = strdup(line); // LEAK not_ready
    if (!copy) return -1;
    if (!ready) return -1; // LOST not_ready
    free(copy);
    return 0;
}

static int post_lines(const char *line)
{
    return post_stored(line) + post_stored("end");
}

static int post_all(const char *line)
{
    return post_lines(line);
}

int set_after(const char *line)
{
    ready = 0;
    int r = post_all(line);
    ready = 1;
    return r;
}

// ---- A global pointer that is made before the call.

static int look_up(const char *key)
{
    char *copy = strdup(key); // OK
    if (!copy) return -1;
    if (!table) return -1;
    int r = strcmp(copy, table);
    free(copy);
    return r;
}

static int look_twice(const char *key)
{
    return look_up(key) + look_up("other");
}

static int search(const char *key)
{
    return look_twice(key);
}

int made_before(const char *key)
{
    if (!table) table = strdup("words"); // OK
    if (!table) return -1;
    return search(key);
}
