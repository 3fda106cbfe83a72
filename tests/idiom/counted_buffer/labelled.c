// A counted buffer with a label in it. What is written there depends on more paths than are kept
// apart, and text of unknown length is written too, from the start of the struct: what the count is
// afterwards is not sure.
#include <stdlib.h>
#include <string.h>

struct tag {
    char text[32];
    int users;
};

struct style {
    int kind, size;
};

static struct tag *tag_new(void) {
    struct tag *t = calloc(1, sizeof *t);
    if (t != NULL)
        t->users = 1;
    return t;
}

static int tag_set(struct tag *t, struct style *y, int n, const char *text) {
    switch (n) {
    case 0: y->kind = 1; y->size = 2; break;
    case 1: y->kind = 4; y->size = 7; break;
    case 2: y->kind = 7; y->size = 12; break;
    case 3: y->kind = 10; y->size = 17; break;
    case 4: y->kind = 13; y->size = 22; break;
    case 5: y->kind = 16; y->size = 27; break;
    case 6: y->kind = 19; y->size = 32; break;
    case 7: y->kind = 22; y->size = 37; break;
    case 8: y->kind = 25; y->size = 42; break;
    case 9: y->kind = 28; y->size = 47; break;
    case 10: y->kind = 31; y->size = 52; break;
    case 11: y->kind = 34; y->size = 57; break;
    case 12: y->kind = 37; y->size = 62; break;
    case 13: y->kind = 40; y->size = 67; break;
    default: return -1;
    }
    strcpy(t->text, text);
    return y->kind + y->size;
}

int labelled_and_dropped(struct style *y, int n, const char *text) {
    struct tag *t = tag_new(); // OK
    if (t == NULL)
        return -1;
    n = tag_set(t, y, n, text);
    if (t->users != 1)
        return -2;
    free(t);
    return n;
}

int forgotten_without_a_label(struct style *y, int n, const char *text) {
    struct tag *t = tag_new(); // LEAK t
    if (t == NULL)
        return -1;
    if (tag_set(t, y, n, text) < 0)
        return -2; // LOST t
    free(t);
    return 0;
}
