// Headers and fixtures for the recipes of jsonc.own.
#include "run.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#undef json_tokener_get_error
enum json_tokener_error json_tokener_get_error(struct json_tokener *);

static inline struct json_object *object(void) { return OWN(json_tokener_parse("{\"text\": {\"x\": 1}}"), json_object_put); }
static inline struct json_object *array(void) { return OWN(json_tokener_parse("[1, 2, 3]"), json_object_put); }
static inline struct json_object *number(void) { return OWN(json_object_new_int(7), json_object_put); }
static inline struct json_object *string(void) { return OWN(json_object_new_string("text"), json_object_put); }
static inline struct json_tokener *tokener(void) { return OWN(json_tokener_new(), json_tokener_free); }
static inline struct printbuf *pbuf(void) { return OWN(printbuf_new(), printbuf_free); }
static inline void leave(void *p) {}
static inline struct array_list *alist(void)
{
    struct array_list *l = OWN(array_list_new(leave), array_list_free);
    array_list_add(l, "x");
    return l;
}
static inline int by_value(const void *a, const void *b)
{
    return json_object_get_int(*(struct json_object **)a) - json_object_get_int(*(struct json_object **)b);
}
static inline struct json_object_iterator *iterator(void)
{
    struct json_object_iterator *i = block(sizeof *i);
    *i = json_object_iter_begin(object());
    return i;
}
static inline int opened(const char *s)
{
    FILE *f = fopen("x.json", "w");
    fputs(s, f);
    fclose(f);
    int fd = open("x.json", O_RDWR);
    return OWN(fd, close);
}
static inline struct json_object **at_object(void)
{
    struct json_object **p = block(sizeof *p);
    *p = object();
    return p;
}
