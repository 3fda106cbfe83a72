typedef struct GifFile {
    int image_count;
    void *private;
} GifFile;

typedef int (*input_func)(GifFile *, unsigned char *, int);

GifFile *gif_open(void *user_data, input_func read);
int gif_close(GifFile *gif);
