// Headers and fixtures for the recipes of cairo.own.
#include "run.h"

#include <cairo.h>
#include <stdlib.h>

static inline cairo_surface_t *surface(void)
{
    return OWN(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 9, 9), cairo_surface_destroy);
}
static inline cairo_t *context(void)
{
    cairo_t *c = OWN(cairo_create(surface()), cairo_destroy);
    cairo_rectangle(c, 1, 1, 3, 3);
    return c;
}
static inline cairo_t *grouped(void)
{
    cairo_t *c = context();
    cairo_push_group(c);
    return c;
}
static inline cairo_pattern_t *pattern(void) { return OWN(cairo_pattern_create_linear(0, 0, 1, 1), cairo_pattern_destroy); }
static inline cairo_region_t *region(void)
{
    cairo_rectangle_int_t r = {1, 1, 3, 3};
    return OWN(cairo_region_create_rectangle(&r), cairo_region_destroy);
}
static inline cairo_font_options_t *options(void) { return OWN(cairo_font_options_create(), cairo_font_options_destroy); }
static inline cairo_font_face_t *face(void)
{
    return OWN(cairo_toy_font_face_create("no such font", 0, 0), cairo_font_face_destroy);
}
static inline cairo_path_t *path(void) { return OWN(cairo_copy_path(context()), cairo_path_destroy); }
static inline cairo_matrix_t *matrix(void)
{
    cairo_matrix_t *m = block(sizeof *m);
    cairo_matrix_init_identity(m);
    return m;
}
static inline cairo_status_t swallow(void *data, const unsigned char *p, unsigned n) { return 0; }
static const cairo_user_data_key_t user_key;
