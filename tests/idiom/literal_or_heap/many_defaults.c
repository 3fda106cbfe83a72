// A setting is one of many static defaults or a copy of the user's; the function that drops it asks
// which, and its answer for each default comes together with those for the others.
#include <stdlib.h>
#include <string.h>

static char plain[] = "plain", common[] = "common", combined[] = "combined", json[] = "json";
static char tcp[] = "tcp", tls[] = "tls", http[] = "http", https[] = "https", raw[] = "raw";

struct format {
    char *text, *file;
    int compiled;
};

static int is_default(const char *s) {
    return s == plain || s == common || s == combined || s == json || s == tcp || s == tls ||
           s == http || s == https || s == raw;
}

static void drop_text(char **s) {
    if (!is_default(*s)) {
        free(*s);
        *s = NULL;
    }
}

static void format_reset(struct format *f) {
    drop_text(&f->text);
    free(f->file);
    f->text = f->file = NULL;
}

static void format_forget(struct format *f) {
    free(f->file);
    f->text = f->file = NULL;
}

int copied_or_reset(struct format *to, const struct format *from) {
    to->text = is_default(from->text) ? from->text : strdup(from->text);
    to->file = strdup(from->file);
    if (!to->file) {
        format_reset(to);
        return 0;
    }
    return 1;
}

int copied_or_forgotten(struct format *to, const struct format *from) {
    to->text = strdup(from->text); // LEAK text
    to->file = strdup(from->file);
    if (!to->file) {
        format_forget(to); // LOST text
        return 0;
    }
    return 1;
}
