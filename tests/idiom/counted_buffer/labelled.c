// A counted buffer with a label in it. What is written there depends on more paths than are kept
// apart, and text of unknown length is written too: what the count is afterwards is not sure.
#include <stdlib.h>
#include <string.h>

struct tag {
    int users, kind, size;
    char text[32];
};

static struct tag *tag_new(void) {
    struct tag *t = calloc(1, sizeof *t);
    if (t != NULL)
        t->users = 1;
    return t;
}

static int tag_set(struct tag *t, int n, const char *text) {
    size_t length = strlen(text);
    switch (n) {
    case 0: t->kind = 1; t->size = 2; break;
    case 1: t->kind = 4; t->size = 7; break;
    case 2: t->kind = 7; t->size = 12; break;
    case 3: t->kind = 10; t->size = 17; break;
    case 4: t->kind = 13; t->size = 22; break;
    case 5: t->kind = 16; t->size = 27; break;
    case 6: t->kind = 19; t->size = 32; break;
    case 7: t->kind = 22; t->size = 37; break;
    case 8: t->kind = 25; t->size = 42; break;
    case 9: t->kind = 28; t->size = 47; break;
    case 10: t->kind = 31; t->size = 52; break;
    case 11: t->kind = 34; t->size = 57; break;
    case 12: t->kind = 37; t->size = 62; break;
    case 13: t->kind = 40; t->size = 67; break;
    default: return -1;
    }
    if (length >= sizeof t->text)
        return -2;
    memcpy(t->text, text, length);
    return t->kind + t->size;
}

int labelled_and_dropped(int n, const char *text) {
    struct tag *t = tag_new(); // OK
    if (t == NULL)
        return -1;
    n = tag_set(t, n, text);
    if (t->users != 1)
        return -2;
    free(t);
    return n;
}

int forgotten_without_a_label(int n, const char *text) {
    struct tag *t = tag_new(); // LEAK t
    if (t == NULL)
        return -1;
    if (tag_set(t, n, text) < 0)
        return -2; // LOST t
    free(t);
    return 0;
}
