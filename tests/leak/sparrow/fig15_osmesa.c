// Figure 15: the context of mesa leaks when its visual cannot be made; when the framebuffer cannot
// be made, the destroyer of the context forgets a part of it.
#include <stdlib.h>

typedef struct Visual {
    int depth;
} Visual;

typedef struct Shared {
    int users;
} Shared;

typedef struct Context {
    Visual *visual;
    Shared *shared;
    char *extensions;
} Context;

typedef struct Framebuffer {
    Visual *visual;
} Framebuffer;

typedef struct OSMesa {
    Visual *gl_visual;
    Context *gl_ctx;
    Framebuffer *gl_buffer;
} OSMesa;

static Visual *create_visual(int depth) {
    Visual *v = malloc(sizeof *v); // OK
    if (v == NULL)
        return NULL;
    v->depth = depth;
    return v;
}

static void destroy_visual(Visual *v) {
    free(v);
}

static Context *create_context(Visual *v) {
    Context *c = calloc(1, sizeof *c); // OK
    if (c == NULL)
        return NULL;
    c->shared = calloc(1, sizeof *c->shared); // OK
    if (c->shared == NULL) {
        free(c);
        return NULL;
    }
    c->extensions = malloc(256); // LEAK extensions
    if (c->extensions == NULL) {
        free(c->shared);
        free(c);
        return NULL;
    }
    c->visual = v;
    return c;
}

static void destroy_context(Context *c) {
    free(c->shared);
    free(c); // LOST extensions
}

static Framebuffer *create_framebuffer(Visual *v) {
    Framebuffer *b = malloc(sizeof *b); // OK
    if (b == NULL)
        return NULL;
    b->visual = v;
    return b;
}

OSMesa *create(int depth) {
    OSMesa *osmesa = calloc(1, sizeof *osmesa); // LEAK osmesa
    if (osmesa) {
        osmesa->gl_visual = create_visual(depth);
        if (!osmesa->gl_visual) {
            return NULL; // LOST osmesa
        }
        osmesa->gl_ctx = create_context(osmesa->gl_visual);
        if (!osmesa->gl_ctx) {
            destroy_visual(osmesa->gl_visual);
            free(osmesa);
            return NULL;
        }
        osmesa->gl_buffer = create_framebuffer(osmesa->gl_visual);
        if (!osmesa->gl_buffer) {
            destroy_visual(osmesa->gl_visual);
            destroy_context(osmesa->gl_ctx); // LOST extensions
            free(osmesa);
            return NULL;
        }
    }
    return osmesa;
}
