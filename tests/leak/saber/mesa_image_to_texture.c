// Conditional leak in mesa: an unknown format returns without the image that was made.
#include <stdlib.h>

enum { ALPHA, LUMINANCE, RGB };

struct image {
    int format;
    int pixels;
};

struct texture {
    int format;
    int components;
    unsigned char *data;
};

static struct texture *alloc_texture(void) {
    return calloc(1, sizeof(struct texture)); // LEAK texture
}

static void free_texture(struct texture *t) {
    free(t->data);
    free(t);
}

struct texture *lost_in_the_default_case(const struct image *image) {
    struct texture *t = alloc_texture();
    if (t == NULL)
        return NULL;
    t->format = image->format;
    t->data = malloc(image->pixels); // ALSO data
    if (t->data == NULL) {
        free(t);
        return NULL;
    }
    switch (t->format) {
    case ALPHA:
        t->components = 1;
        break;
    case LUMINANCE:
        t->components = 2;
        break;
    default:
        return NULL; // LOST texture; LOST data
    }
    return t;
}

struct texture *released_in_the_default_case(const struct image *image) {
    struct texture *t = alloc_texture();
    if (t == NULL)
        return NULL;
    t->format = image->format;
    t->data = malloc(image->pixels); // OK
    if (t->data == NULL) {
        free(t);
        return NULL;
    }
    switch (t->format) {
    case ALPHA:
        t->components = 1;
        break;
    case LUMINANCE:
        t->components = 2;
        break;
    default:
        free_texture(t);
        return NULL;
    }
    return t;
}
