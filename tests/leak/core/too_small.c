// A block that is too small for what is stored in it is an error of its own; the leak behind it is
// still one.
#include <stdlib.h>

struct image {
    int id;
    int *data;
};

static struct image *image_read(void)
{
    struct image *image = malloc(10);
    if (!image) return NULL;
    image->data = malloc(10); // LEAK data
    return image;
}

void data_is_forgotten(void)
{
    struct image *image = image_read();
    free(image); // LOST data
}

void data_is_released(void)
{
    struct image *image = image_read();
    if (image) free(image->data);
    free(image);
}
