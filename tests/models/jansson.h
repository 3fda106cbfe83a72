// Headers and fixtures for the recipes of jansson.own.
#include "run.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

static inline void drop_json(json_t *j) { json_decref(j); }
static inline json_t *object(void) { return OWN(json_loads("{\"text\": {\"x\": 1}}", 0, NULL), drop_json); }
static inline json_t *other_object(void) { return OWN(json_loads("{\"text\": 1}", 0, NULL), drop_json); }
static inline json_t *array(void) { return OWN(json_loads("[1, 2, 3]", 0, NULL), drop_json); }
static inline json_t *integer(void) { return OWN(json_integer(7), drop_json); }
static inline json_t *real(void) { return OWN(json_real(.5), drop_json); }
static inline json_t *string(void) { return OWN(json_string("text"), drop_json); }
static inline FILE *stream(const char *s)
{
    FILE *f = OWN(fopen("x.json", "w+"), fclose);
    fputs(s, f);
    rewind(f);
    return f;
}
static inline int opened(const char *s)
{
    FILE *f = fopen("x.json", "w");
    fputs(s, f);
    fclose(f);
    int fd = open("x.json", O_RDWR);
    return OWN(fd, close);
}
static inline size_t once(void *buf, size_t n, void *data)
{
    int *at = data;
    if ((*at)++) return 0;
    memcpy(buf, "[1]", 3);
    return 3;
}
static inline int swallow(const char *buf, size_t n, void *data) { return 0; }
