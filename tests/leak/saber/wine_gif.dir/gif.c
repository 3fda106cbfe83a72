// Conditional leak in wine: an opened GIF without images is not closed. Here the opener.
#include "gif.h"
#include <stdlib.h>

typedef struct Private {
    void *user_data;
    input_func read;
} Private;

GifFile *gif_open(void *user_data, input_func read) {
    GifFile *gif = calloc(1, sizeof *gif); // LEAK gif
    if (gif == NULL)
        return NULL;
    Private *private = malloc(sizeof *private); // ALSO private
    if (private == NULL) {
        free(gif);
        return NULL;
    }
    private->user_data = user_data;
    private->read = read;
    gif->private = private;
    gif->image_count = read(gif, NULL, 0);
    return gif;
}

int gif_close(GifFile *gif) {
    if (gif == NULL)
        return 0;
    Private *private = gif->private;
    free(private);
    free(gif);
    return 1;
}
