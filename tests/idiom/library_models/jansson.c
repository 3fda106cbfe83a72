// Jansson: the header has the code that counts references; the counts of values are the library's. Its
// json_object_get lends, json-c's makes a reference (json_c.c).
#include <stdlib.h>

typedef struct json_t {
    int type;
    volatile size_t refcount;
} json_t;
json_t *json_loads(const char *input, size_t flags, void *error);
json_t *json_object(void);
json_t *json_integer(long long value);
json_t *json_object_get(const json_t *object, const char *key);
long long json_integer_value(const json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
char *json_dumps(const json_t *json, size_t flags);
void json_delete(json_t *json);
static inline void json_decref(json_t *json)
{
    if (json && json->refcount != (size_t)-1 && __atomic_sub_fetch(&json->refcount, 1, __ATOMIC_ACQ_REL) == 0)
        json_delete(json);
}

long long value_of_x(const char *s)
{
    json_t *root = json_loads(s, 0, NULL); // OK
    if (root == NULL)
        return -1;
    json_t *x = json_object_get(root, "x");
    long long n = x ? json_integer_value(x) : 0;
    json_decref(root);
    return n;
}

long long forgotten_where_x_is_missing(const char *s)
{
    json_t *root = json_loads(s, 0, NULL); // LEAK root
    if (root == NULL)
        return -1;
    json_t *x = json_object_get(root, "x");
    if (x == NULL)
        return 0; // LOST root
    long long n = json_integer_value(x);
    json_decref(root);
    return n;
}

char *written(int n)
{
    json_t *root = json_object();
    if (root == NULL)
        return NULL;
    json_object_set_new(root, "n", json_integer(n)); // OK
    char *s = json_dumps(root, 0);
    json_decref(root);
    return s;
}

int written_and_forgotten(int n)
{
    json_t *root = json_object();
    if (root == NULL)
        return -1;
    json_object_set_new(root, "n", json_integer(n));
    char *s = json_dumps(root, 0); // LEAK text
    json_decref(root);
    return s != NULL; // LOST text
}
