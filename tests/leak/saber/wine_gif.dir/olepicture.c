#include "gif.h"
#include <stddef.h>

static int input(GifFile *gif, unsigned char *bytes, int n) {
    (void)gif;
    (void)bytes;
    return n;
}

extern void draw(const GifFile *gif);

int not_closed_without_images(void *data) {
    GifFile *gif = gif_open(data, input);
    if (gif == NULL)
        return -1;
    if (gif->image_count < 1)
        return -2; // LOST gif; LOST private
    draw(gif);
    gif_close(gif);
    return 0;
}

int closed_without_images(void *data) {
    GifFile *gif = gif_open(data, input);
    if (gif == NULL)
        return -1;
    if (gif->image_count < 1) {
        gif_close(gif);
        return -2;
    }
    draw(gif);
    gif_close(gif);
    return 0;
}
