// Table III, structs and arrays of structs; each leaking and clean.
#include <stdlib.h>
#include <string.h>

struct person {
    char *name;
    char *city;
    int age;
};

void struct_1_field_forgotten(const char *name) {
    struct person *p = calloc(1, sizeof *p); // OK
    if (p == NULL)
        return;
    p->name = strdup(name); // LEAK name
    p->city = strdup(name); // OK
    free(p->city);
    free(p); // LOST name
}

void struct_1_clean(const char *name) {
    struct person *p = calloc(1, sizeof *p); // OK
    if (p == NULL)
        return;
    p->name = strdup(name); // OK
    p->city = strdup(name); // OK
    free(p->city);
    free(p->name);
    free(p);
}

void struct_2_field_of_a_local(const char *name) {
    struct person p = {0};
    p.name = strdup(name); // LEAK local
    p.age = 3;
} // LOST local

void struct_2_clean(const char *name) {
    struct person p = {0};
    p.name = strdup(name); // OK
    p.age = 3;
    free(p.name);
}

void array_struct_1_names_forgotten(int n, const char *name) {
    struct person *all = calloc(n, sizeof *all); // OK
    if (all == NULL)
        return;
    for (int i = 0; i < n; i++)
        all[i].name = strdup(name); // LEAK names
    free(all);                      // LOST names
}

void array_struct_1_clean(int n, const char *name) {
    struct person *all = calloc(n, sizeof *all); // OK
    if (all == NULL)
        return;
    for (int i = 0; i < n; i++)
        all[i].name = strdup(name); // OK
    for (int i = 0; i < n; i++)
        free(all[i].name);
    free(all);
}

void array_struct_2_one_field_of_two(const char *name) {
    struct person pair[2];
    memset(pair, 0, sizeof pair);
    pair[0].name = strdup(name); // OK
    pair[1].city = strdup(name); // LEAK city
    free(pair[0].name);
    free(pair[1].name);
} // LOST city

void array_struct_2_clean(const char *name) {
    struct person pair[2];
    memset(pair, 0, sizeof pair);
    pair[0].name = strdup(name); // OK
    pair[1].city = strdup(name); // OK
    free(pair[0].name);
    free(pair[1].city);
}
