// json-c: what is added belongs to the object if it could be added; getters lend; json_object_get counts.
#include <stddef.h>

struct json_object;
struct json_object *json_tokener_parse(const char *s);
struct json_object *json_object_new_object(void);
struct json_object *json_object_new_int(int n);
struct json_object *json_object_get(struct json_object *o);
int json_object_put(struct json_object *o);
int json_object_object_add(struct json_object *o, const char *key, struct json_object *value);
int json_object_object_get_ex(const struct json_object *o, const char *key, struct json_object **value);
int json_object_get_int(const struct json_object *o);

int value_of_x(const char *s)
{
    struct json_object *root = json_tokener_parse(s), *x; // OK
    int n = 0;
    if (json_object_object_get_ex(root, "x", &x))
        n = json_object_get_int(x);
    json_object_put(root);
    return n;
}

int forgotten_where_x_is_missing(const char *s)
{
    struct json_object *root = json_tokener_parse(s), *x; // LEAK root
    if (root == NULL)
        return 0;
    if (!json_object_object_get_ex(root, "x", &x))
        return -1; // LOST root
    int n = json_object_get_int(x);
    json_object_put(root);
    return n;
}

struct json_object *with_a_number(int n)
{
    struct json_object *o = json_object_new_object();
    if (o == NULL)
        return NULL;
    struct json_object *v = json_object_new_int(n); // OK
    if (v == NULL || json_object_object_add(o, "n", v) != 0) {
        json_object_put(v);
        json_object_put(o);
        return NULL;
    }
    return o;
}

int counted_twice(const char *s)
{
    struct json_object *root = json_tokener_parse(s); // LEAK twice
    if (root == NULL)
        return -1;
    json_object_get(root);
    json_object_put(root);
    return 0; // LOST twice
}

int counted_and_put_twice(const char *s)
{
    struct json_object *root = json_tokener_parse(s); // OK
    if (root == NULL)
        return -1;
    json_object_get(root);
    json_object_put(root);
    json_object_put(root);
    return 0;
}
