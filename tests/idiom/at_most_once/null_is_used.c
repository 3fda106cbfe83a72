// realloc fails, and its null overwrites the last pointer: where the very next thing is to write through
// it, or to give up, the process ends there and loses the block once. Where the null is looked at
// and the function goes on, every later call may lose another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length;
};

void copied_to(struct buffer *b, const char *text, size_t n) {
    char *data = malloc(1); // LEAK first ONCE because PROCESS_ENDS
    if (data == NULL)
        return;
    data = realloc(data, n + 1); // LOST first
    memcpy(data, text, n + 1);
    b->data = data;
    b->length = n;
}

void cleared(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK filled LIKELY ONCE because PROCESS_ENDS
    memset(b->data, 0, n);
    b->length = n;
}

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "failed: %s\n", #x);                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

void asserted(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK asserted LIKELY ONCE because PROCESS_ENDS
    MUST(b->data != NULL);
    b->length = n;
}

int looked_at(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK looked LIKELY MEMORY-SHORT
    if (b->data == NULL)
        return -1;
    memset(b->data, 0, n);
    b->length = n;
    return 0;
}

// The pointer into the block goes on as another one, round a loop.
char *at_a_distance(const char *text) {
    static char *buffer;
    static size_t size;
    size_t at = 0;
    if (buffer == NULL) {
        size = 64;
        buffer = malloc(size);
    }
    char *p = buffer;
    for (char c; (c = *text++);) {
        if (at + 8 > size) {
            size *= 2;
            buffer = realloc(buffer, size); // LEAK distance ONCE because PROCESS_ENDS
            p = buffer + at;
        }
        if (c == '\\') *p++ = '\\', at++;
        *p++ = c;
        at++;
    }
    *p = 0;
    return buffer;
}

// The twin asks before it goes on.
char *at_a_distance_asked(const char *text) {
    static char *buffer;
    static size_t size;
    size_t at = 0;
    if (buffer == NULL) {
        size = 64;
        buffer = malloc(size); // LEAK started LIKELY MEMORY-SHORT
    }
    char *p = buffer;
    for (char c; (c = *text++);) {
        if (at + 8 > size) {
            size *= 2;
            buffer = realloc(buffer, size); // LEAK asked MEMORY-SHORT
            if (buffer == NULL) return NULL;
            p = buffer + at;
        }
        *p++ = c;
        at++;
    }
    *p = 0;
    return buffer;
}

struct entry {
    char *name, *value;
};

struct entries {
    struct entry *all;
    int count;
};

// Another way leads to the store, but not from here.
void first_or_next(struct entries *e, const char *name) {
    if (e->count)
        e->all = realloc(e->all, (e->count + 1) * sizeof *e->all); // LEAK next LIKELY ONCE because PROCESS_ENDS
    else
        e->all = malloc(sizeof *e->all);
    e->all[e->count].name = strdup(name);
    e->all[e->count].value = NULL;
    e->count++;
}

void first_or_next_asked(struct entries *e, const char *name) {
    if (e->count)
        e->all = realloc(e->all, (e->count + 1) * sizeof *e->all); // LEAK next_asked LIKELY MEMORY-SHORT
    else
        e->all = malloc(sizeof *e->all);
    if (e->all) {
        e->all[e->count].name = strdup(name);
        e->all[e->count].value = NULL;
        e->count++;
    }
}

// In the next round, or where the list is sent.
void in_the_next_round(FILE *f) {
    char line[80];
    int count = 0;
    char **lines = malloc(sizeof *lines); // LEAK round ONCE because PROCESS_ENDS
    if (lines == NULL)
        return;
    while (fgets(line, sizeof line, f)) {
        lines[count++] = strdup(line); // ALSO text
        lines = realloc(lines, (count + 1) * sizeof *lines); // LOST round
    }
    lines[count] = NULL;
    for (int i = 0; i < count; i++) {
        puts(lines[i]);
        free(lines[i]);
    }
    free(lines);
}

void not_in_the_next_round(FILE *f) {
    char line[80];
    int count = 0;
    char **lines = malloc(sizeof *lines); // LEAK no_round MEMORY-SHORT
    if (lines == NULL)
        return;
    while (lines && fgets(line, sizeof line, f)) {
        lines[count++] = strdup(line); // ALSO other_text
        lines = realloc(lines, (count + 1) * sizeof *lines); // LOST no_round
    }
    for (int i = 0; lines && i < count; i++) {
        puts(lines[i]);
        free(lines[i]);
    }
    free(lines);
}

// A callee that would write through null comes back only where it has the memory.
static void append(struct entries *e, const struct entry *from) {
    e->all = realloc(e->all, sizeof *e->all * (e->count + 1)); // LEAK append LIKELY ONCE because PROCESS_ENDS
    memcpy(&e->all[e->count], from, sizeof *from);
    e->count++;
}

void appended(const struct entry *from, int n) {
    struct entries e = {0};
    for (int i = 0; i < n; i++) append(&e, &from[i]);
    free(e.all);
}

static void append_if(struct entries *e, const struct entry *from) {
    e->all = realloc(e->all, sizeof *e->all * (e->count + 1)); // LEAK append_if LIKELY MEMORY-SHORT
    if (e->all) {
        memcpy(&e->all[e->count], from, sizeof *from);
        e->count++;
    }
}

void appended_if(const struct entry *from, int n) {
    struct entries e = {0};
    for (int i = 0; i < n; i++) append_if(&e, &from[i]); // LEAK called MEMORY-SHORT
    free(e.all);
}
