// Overwriting the only pointer to a block loses it there.
#include <stdlib.h>
#include <string.h>

void by_another_block(void) {
    char *p = malloc(1); // LEAK first
    p = malloc(2);       // LOST first
    free(p);
}

void by_null(void) {
    char *p = malloc(1); // LEAK nulled
    p = NULL;            // LOST nulled
    free(p);
}

void by_pointer_arithmetic_on_the_only_pointer(void) {
    char *p = malloc(10); // OK: still points into the block
    if (p == NULL)
        return;
    p += 3;
    free(p - 3);
}

void copied_before(void) {
    char *p = malloc(1); // OK
    char *q = p;
    p = malloc(2); // OK
    free(p);
    free(q);
}

void by_its_own_field(void) {
    struct node {
        struct node *next;
    } *p = calloc(1, sizeof *p); // LEAK node
    if (p == NULL)
        return;
    p->next = calloc(1, sizeof *p); // OK
    p = p->next;                    // LOST node
    free(p);
}

void in_a_field(void) {
    struct {
        char *text;
    } s;
    s.text = strdup("one"); // LEAK one
    s.text = strdup("two"); // LOST one
    free(s.text);
}

void by_memset(void) {
    struct {
        char *text;
        int n;
    } s;
    s.text = strdup("one");  // LEAK wiped
    memset(&s, 0, sizeof s); // LOST wiped
}

void by_struct_assignment(void) {
    struct pair {
        char *a, *b;
    } x = {0}, y = {0};
    x.a = strdup("a"); // LEAK assigned
    x = y;             // LOST assigned
    free(x.a);
}
