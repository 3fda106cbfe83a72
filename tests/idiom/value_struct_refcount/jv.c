// A counted value passed by value: functions consume their argument unless it is copied first.
#include <stdlib.h>
#include <string.h>

struct box {
    int refs;
    char text[16];
};

typedef struct {
    int kind;
    struct box *box;
} val;

enum { INVALID, TEXT };

static val val_invalid(void) {
    return (val){INVALID, NULL};
}

static val val_text(const char *s) {
    struct box *b = malloc(sizeof *b); // LEAK kept; LEAK dropped
    if (b == NULL)
        abort();
    b->refs = 1;
    strncpy(b->text, s, sizeof b->text - 1);
    b->text[sizeof b->text - 1] = 0;
    return (val){TEXT, b};
}

static val val_copy(val v) {
    if (v.kind == TEXT)
        v.box->refs++;
    return v;
}

static void val_free(val v) {
    if (v.kind == TEXT && --v.box->refs == 0)
        free(v.box);
}

static int val_length(val v) {
    int n = v.kind == TEXT ? (int)strlen(v.box->text) : 0;
    val_free(v);
    return n;
}

int consumed(const char *s) {
    return val_length(val_text(s));
}

int copied_and_both_released(const char *s) {
    val v = val_text(s);
    int n = val_length(val_copy(v));
    val_free(v);
    return n;
}

int copied_and_one_kept(const char *s) {
    val v = val_text(s); // LEAK kept
    return val_length(val_copy(v)); // LOST kept
}

static val val_checked(val v) {
    if (v.kind == TEXT && v.box->text[0] == '!')
        return val_invalid(); // LOST dropped
    return v;
}

int argument_dropped_on_one_return(const char *s) {
    val v = val_checked(val_text(s)); // LEAK dropped; LOST dropped
    int valid = v.kind != INVALID;
    val_free(v);
    return valid; // LOST dropped
}
