// Scopes: blocks end the life of a pointer; the cleanup attribute releases at the end of one.
#include <alloca.h>
#include <stdlib.h>

static void free_char(char **p) {
    free(*p);
}

#define auto_free __attribute__((cleanup(free_char)))

extern int ask(void);

void inner_scope_forgets(void) {
    if (ask()) {
        char *p = malloc(4); // LEAK inner
        if (p != NULL)
            p[0] = 1;
    } // LOST inner
    ask();
} // LOST inner

void inner_scope_frees(void) {
    {
        char *p = malloc(4); // OK
        free(p);
    }
    ask();
}

int cleaned_on_every_return(void) {
    auto_free char *p = malloc(4); // OK
    if (ask())
        return 1;
    if (ask())
        return 2;
    return 0;
}

char *stolen_from_the_cleanup(void) {
    auto_free char *p = malloc(4); // OK
    if (ask())
        return NULL;
    char *result = p;
    p = NULL;
    return result;
}

void overwritten_before_the_cleanup(void) {
    auto_free char *p = malloc(4); // LEAK over
    p = malloc(8);                 // LOST over
}

void stack_memory_goes_by_itself(int n) {
    char *p = alloca(n);
    p[0] = 0;
    char q[n + 1];
    q[0] = p[0];
}

void result_not_used(void) {
    malloc(4); // LEAK unused; LOST unused
} // LOST unused

void cast_to_void(void) {
    (void)malloc(4); // LEAK cast; LOST cast
} // LOST cast
