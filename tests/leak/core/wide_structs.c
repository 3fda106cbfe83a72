// Structures handed up through several functions: each part has an allocation of its own.
#include <stdlib.h>

struct image {
    int id;
    int *data;
    struct palette {
        int *colours;
        int n;
    } *palette;
};

static struct image *image_read(int n) {
    struct image *i = malloc(sizeof *i); // OK
    if (i == NULL)
        abort();
    i->data = malloc(n); // LEAK data
    i->palette = calloc(1, sizeof *i->palette); // OK
    if (i->palette == NULL)
        abort();
    i->palette->colours = malloc(256); // LEAK colours
    return i;
}

static struct image *image_open(int n) {
    struct image *i = image_read(n);
    i->id = n;
    return i;
}

static void image_free(struct image *i) {
    free(i->palette->colours);
    free(i->palette);
    free(i->data);
    free(i);
}

static void image_free_forgetting_data(struct image *i) {
    free(i->palette->colours);
    free(i->palette);
    free(i); // LOST data
}

static void image_free_forgetting_colours(struct image *i) {
    free(i->palette); // LOST colours
    free(i->data);
    free(i);
}

void all_parts_freed(int n) {
    image_free(image_open(n));
}

void data_forgotten(int n) {
    struct image *i = image_open(n);
    image_free_forgetting_data(i); // LOST data
}

void colours_forgotten(int n) {
    struct image *i = image_open(n);
    image_free_forgetting_colours(i); // LOST colours
}
