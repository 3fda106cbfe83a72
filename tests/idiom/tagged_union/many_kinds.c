// What stands in a union is released by kind; there are more ways through that than are kept apart.
#include <stdlib.h>
#include <string.h>

enum kind { NOTHING, PADDING, APPLICATION, TABLE, COMMENT, SHEET, PICTURE };

struct object {
    enum kind kind;
    int length;
    union {
        struct {
            char id[4];
            char *data;
        } application;
        struct {
            unsigned count;
            long *points;
        } table;
        struct {
            unsigned length;
            char *vendor;
            unsigned count;
            char *comments;
        } comment;
        struct {
            char catalog[129];
            unsigned count;
            char *tracks;
        } sheet;
        struct {
            int type;
            char *mime;
            char *description;
            int width, height;
            char *data;
        } picture;
        struct {
            char *data;
        } unknown;
    } u;
};

static void delete_data(struct object *o)
{
    switch (o->kind) {
    case NOTHING:
    case PADDING:
        break;
    case APPLICATION:
        if (o->u.application.data != NULL) {
            free(o->u.application.data);
            o->u.application.data = NULL;
        }
        break;
    case TABLE:
        if (o->u.table.points != NULL) {
            free(o->u.table.points);
            o->u.table.points = NULL;
        }
        break;
    case COMMENT:
        if (o->u.comment.vendor != NULL) {
            free(o->u.comment.vendor);
            o->u.comment.vendor = NULL;
        }
        if (o->u.comment.comments != NULL) {
            free(o->u.comment.comments);
            o->u.comment.comments = NULL;
        }
        break;
    case SHEET:
        if (o->u.sheet.tracks != NULL) {
            free(o->u.sheet.tracks);
            o->u.sheet.tracks = NULL;
        }
        break;
    case PICTURE:
        if (o->u.picture.mime != NULL) {
            free(o->u.picture.mime);
            o->u.picture.mime = NULL;
        }
        if (o->u.picture.description != NULL) {
            free(o->u.picture.description);
            o->u.picture.description = NULL;
        }
        if (o->u.picture.data != NULL) {
            free(o->u.picture.data);
            o->u.picture.data = NULL;
        }
        break;
    default:
        if (o->u.unknown.data != NULL) {
            free(o->u.unknown.data);
            o->u.unknown.data = NULL;
        }
        break;
    }
}

void delete_object(struct object *o)
{
    delete_data(o);
    free(o);
}

struct object *picture(const char *mime, const char *text)
{
    struct object *o = calloc(1, sizeof *o); // OK
    if (o == NULL)
        return NULL;
    o->kind = PICTURE;
    o->u.picture.mime = strdup(mime); // OK
    if (o->u.picture.mime == NULL) {
        delete_object(o);
        return NULL;
    }
    o->u.picture.description = strdup(text); // OK
    if (o->u.picture.description == NULL) {
        delete_object(o);
        return NULL;
    }
    o->u.picture.data = malloc(100); // OK
    if (o->u.picture.data == NULL) {
        delete_object(o);
        return NULL;
    }
    return o;
}

struct object *picture_like(const struct object *like)
{
    struct object *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    o->kind = like->kind;
    if (o->kind == PICTURE) {
        o->u.picture.mime = strdup(like->u.picture.mime); // OK
        o->u.picture.description = strdup(like->u.picture.description); // OK
        o->u.picture.data = malloc(100); // OK
        if (!o->u.picture.mime || !o->u.picture.description || !o->u.picture.data) {
            delete_object(o);
            return NULL;
        }
    }
    return o;
}

struct object *picture_without(const char *mime)
{
    struct object *o = calloc(1, sizeof *o); // OK
    if (o == NULL)
        return NULL;
    o->u.picture.mime = strdup(mime); // LEAK mime
    if (o->u.picture.mime == NULL || o->u.picture.mime[0] == 0) {
        free(o); // LOST mime
        return NULL;
    }
    o->kind = PICTURE;
    return o;
}
