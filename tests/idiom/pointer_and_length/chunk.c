// A pointer and its length in one struct, passed by value, copied and cleared as one: there is no length without
// something it is the length of. Not so where the program itself lets the pointer go and leaves the length.
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *ptr;
    size_t len;
} chunk;

static const chunk chunk_empty = {NULL, 0};

// What is given for the copy is not taken where there is nothing to copy.
chunk filled(unsigned char *ptr, chunk c)
{
    chunk clone = chunk_empty;
    if (c.ptr && c.len > 0) {
        clone.ptr = ptr;
        clone.len = c.len;
        memcpy(clone.ptr, c.ptr, c.len);
    }
    return clone;
}

struct object {
    void (*set)(struct object *o, chunk data);
    chunk (*get)(struct object *o);
    chunk data;
    int kind;
};

static void set_by_value(struct object *o, chunk data)
{
    free(o->data.ptr);
    o->data = filled(data.len ? malloc(data.len) : NULL, data); // OK
}

static chunk get_from_memory(struct object *o)
{
    chunk c = o->data;
    return filled(c.len ? malloc(c.len) : NULL, c); // OK
}

static void set_by_call(struct object *o, struct object *from)
{
    chunk c = from->get(from);
    free(o->data.ptr);
    o->data = filled(c.len ? malloc(c.len) : NULL, c); // OK
}

static void set_of_a_kind(struct object *o, chunk data)
{
    unsigned char *to = data.len ? malloc(data.len) : NULL; // LEAK kind
    free(o->data.ptr);
    o->data = chunk_empty;
    if (o->kind == 3)
        return; // LOST kind
    o->data = filled(to, data);
}

static void set_long_ones(struct object *o, chunk data)
{
    unsigned char *to = malloc(data.len + 1); // LEAK short
    if (data.len < 8)
        return; // LOST short
    free(o->data.ptr);
    o->data = filled(to, data);
}

struct object *object_make(int kind)
{
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->set = kind == 1 ? set_of_a_kind : kind == 2 ? set_long_ones : set_by_value;
    o->get = get_from_memory;
    o->kind = kind;
    set_by_call(o, o);
    return o;
}

// ---- The program lets the pointer go, and the length stays.

typedef struct {
    unsigned char *at;
    size_t size;
} piece;

static piece cut(unsigned char *at, piece p)
{
    piece clone = {NULL, 0};
    if (p.at && p.size > 0) {
        clone.at = at;
        clone.size = p.size;
        memcpy(clone.at, p.at, p.size);
    }
    return clone;
}

void let_go(piece *p)
{
    free(p->at);
    p->at = NULL;
}

void set_piece(piece *to, piece data)
{
    free(to->at);
    unsigned char *at = data.size ? malloc(data.size) : NULL; // LEAK piece
    *to = cut(at, data);
} // LOST piece

// ---- A call passes a length without a pointer.

typedef struct {
    char *text;
    size_t length;
} word;

static word word_of(char *text, size_t length)
{
    word w = {text, length};
    return w;
}

static word doubled(char *at, word w)
{
    word clone = {NULL, 0};
    if (w.text && w.length > 0) {
        clone.text = at;
        clone.length = w.length;
        memcpy(clone.text, w.text, w.length);
    }
    return clone;
}

void set_word(word *to, word w)
{
    char *at = w.length ? malloc(w.length) : NULL; // LEAK word
    *to = doubled(at, w);
} // LOST word

void reserve(word *to)
{
    set_word(to, word_of(NULL, 16));
}
