// Figure 3: a list is built by moving the only pointer forward; with two elements or more the
// first is lost.
#include <stdlib.h>

struct el {
    struct el *next;
    int item;
};

static struct el *new_el(void) {
    struct el *e = malloc(sizeof *e); // LEAK head; LEAK inner
    if (e == NULL)
        abort();
    e->next = NULL;
    return e;
}

struct el *the_head_is_lost(int n) {
    struct el *p = new_el(); // LEAK head; WHEN: n >= 2
    p->item = 1;
    for (int i = 2; i <= n; i++) {
        p->next = new_el(); // LEAK inner; WHEN: n >= 3
        p = p->next;        // LOST head; LOST inner
        p->item = i;
    }
    return p;
}

struct el *the_head_is_kept(int n) {
    struct el *p = new_el(); // OK
    struct el *head = p;
    p->item = 1;
    for (int i = 2; i <= n; i++) {
        p->next = new_el(); // OK
        p = p->next;
        p->item = i;
    }
    return head;
}

void the_list_is_walked_and_freed(int n) {
    struct el *p = the_head_is_kept(n);
    while (p != NULL) {
        struct el *next = p->next;
        free(p);
        p = next;
    }
}
