// A search by number in a table of structs. Their titles are set at start, their numbers never: a
// number that is in the table is found.
#include <stdio.h>
#include <stdlib.h>

struct kind {
    const char *name, *title;
    int number;
};

#define KIND(name, number) \
    static struct kind name = {#name, NULL, number}

KIND(one, 1);
KIND(two, 2);
KIND(three, 3);
KIND(four, 4);
KIND(five, 5);
KIND(six, 6);
KIND(seven, 7);
KIND(eight, 8);
KIND(nine, 9);
KIND(ten, 10);

static struct kind *const all[] = {&one, &two, &three, &four, &five, &six, &seven, &eight,
                                   &nine, &ten, NULL};
static int ready;

static void set_titles(void)
{
    one.title = getenv("ONE");
    two.title = "Two";
    seven.title = "Seven";
    ready = 1;
}

const struct kind *kind_of(int number)
{
    if (!ready)
        set_titles();
    for (struct kind *const *k = all; *k != NULL; k++)
        if ((*k)->number == number)
            return *k;
    return NULL;
}

int show_seven(const char *path)
{
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL)
        return 1;
    const struct kind *k = kind_of(7);
    if (k == NULL)
        return -1;
    printf("%s\n", k->title);
    fclose(f);
    return 0;
}

int show_twelve(const char *path)
{
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK twelve
    if (f == NULL)
        return 1;
    const struct kind *k = kind_of(12);
    if (k == NULL)
        return -1; // LOST twelve
    printf("%s\n", k->title);
    fclose(f);
    return 0;
}

int main(int argc, char **argv)
{
    while (argc-- > 1)
        if (show_seven(argv[argc]) || show_twelve(argv[argc]))
            puts("not all");
    return 0;
}
