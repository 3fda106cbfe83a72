// A function grows a block in place, and where realloc fails it leaves null in the struct. Where its callers,
// or the functions that they give the struct to, write through that, the process ends there and
// loses the block once. Where they look at it first, every later call may lose another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    unsigned used;
    void **slot;
};

static void make_room(struct vector *v) {
    v->used++;
    if (v->slot)
        v->slot = realloc(v->slot, v->used * sizeof *v->slot); // LEAK grown LIKELY MEMORY-SHORT
    else
        v->slot = malloc(v->used * sizeof *v->slot);
}

static void set_last(struct vector *v, void *element) {
    unsigned last = v->used - 1;
    v->slot[last] = element;
}

static void set_last_if(struct vector *v, void *element) {
    if (v->slot) v->slot[v->used - 1] = element;
}

static void release(struct vector *v) {
    free(v->slot);
    free(v);
}

struct vector *words(char *text) {
    struct vector *v = calloc(1, sizeof *v);
    if (v == NULL) return NULL;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        union { const char *given; void *kept; } e;
        make_room(v); // LEAK written ONCE because PROCESS_ENDS
        e.given = word;
        set_last(v, e.kept);
    }
    return v;
}

struct vector *words_asked(char *text) {
    struct vector *v = calloc(1, sizeof *v);
    if (v == NULL) return NULL;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        make_room(v); // LEAK asked MEMORY-SHORT
        set_last_if(v, word);
    }
    return v;
}

// The caller itself.
void *last_word(char *text) {
    struct vector *v = calloc(1, sizeof *v);
    if (v == NULL) return NULL;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        make_room(v); // LEAK direct ONCE because PROCESS_ENDS
        v->slot[v->used - 1] = word;
    }
    void *last = v->used ? v->slot[v->used - 1] : NULL;
    release(v);
    return last;
}

// Another function may have put something else there.
static void try_again(struct vector *v) {
    if (v->slot == NULL) v->slot = malloc(sizeof *v->slot), v->used = 1;
}

void *changed_between(char *text) {
    struct vector *v = calloc(1, sizeof *v);
    if (v == NULL) return NULL;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        make_room(v); // LEAK between MEMORY-SHORT
        try_again(v);
        set_last(v, word);
    }
    void *last = v->used ? v->slot[v->used - 1] : NULL;
    release(v);
    return last;
}

// In the function that grows it, by a callee that gets the null itself, or the struct.
static void clear(char *text, size_t n) {
    text[n] = 0;
    for (size_t i = 0; i < n; i++) text[i] = 0;
}

static void clear_if(char *text, size_t n) {
    if (text == NULL) return;
    text[n] = 0;
    for (size_t i = 0; i < n; i++) text[i] = 0;
}

struct buffer {
    char *data;
    size_t length;
};

void cleared(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n + 1); // LEAK cleared LIKELY ONCE because PROCESS_ENDS
    clear(b->data, n);
    b->length = n;
}

void cleared_if(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n + 1); // LEAK cleared_if LIKELY MEMORY-SHORT
    clear_if(b->data, n);
    b->length = n;
}

static void end_text(struct buffer *b) {
    b->data[b->length] = 0;
}

void ended(struct buffer *b, size_t n) {
    b->length = n;
    b->data = realloc(b->data, n + 1); // LEAK ended LIKELY ONCE because PROCESS_ENDS
    end_text(b);
}

// A callee that all callers follow with a write through the null.
static void grow_for(struct buffer *b, size_t n) {
    b->length = n;
    b->data = realloc(b->data, n + 1); // LEAK for LIKELY ONCE because PROCESS_ENDS
}

void ended_by_caller(struct buffer *b, size_t n) {
    grow_for(b, n);
    end_text(b);
}

// The old block is put back before anybody can meet the null.
static int grow_or_keep(struct buffer *b, size_t n) {
    char *old = b->data;
    b->data = realloc(b->data, n + 1); // OK
    if (b->data == NULL) {
        b->data = old;
        return -1;
    }
    b->length = n;
    return 0;
}

void kept(struct buffer *b, size_t n) {
    grow_or_keep(b, n);
    end_text(b);
}

// Something else is there, and that is written to.
static void grow_or_small(struct buffer *b, size_t n) {
    static char small[16];
    b->data = realloc(b->data, n + 1); // LEAK small LIKELY MEMORY-SHORT
    b->length = n;
    if (b->data == NULL) {
        b->data = small;
        b->length = 0;
    }
}

void small(struct buffer *b, size_t n) {
    grow_or_small(b, n);
    end_text(b);
}
