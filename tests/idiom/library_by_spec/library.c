// Families, ownership taken on success, reference counts, out-parameters and noreturn from a
// specification.
// run: --spec library.own
#include <stdlib.h>
#include <string.h>

struct handle;
struct registry;
struct widget;
struct handle *handle_open(const char *name);
void handle_close(struct handle *h);
const char *handle_name(struct handle *h);
int message_get(struct handle *h, char **text);
int registry_add(struct registry *r, char *name);
struct widget *widget_new(void);
struct widget *widget_ref(struct widget *w);
void widget_unref(struct widget *w);
void fatal(const char *message);

int handle_closed(const char *name) {
    struct handle *h = handle_open(name); // OK
    if (h == NULL)
        return -1;
    int n = (int)strlen(handle_name(h));
    handle_close(h);
    return n;
}

int handle_left_open(const char *name) {
    struct handle *h = handle_open(name); // RESOURCE-LEAK handle
    if (h == NULL)
        return -1;
    return (int)strlen(handle_name(h)); // LOST handle
}

int handle_freed(const char *name) {
    struct handle *h = handle_open(name);
    if (h == NULL)
        return -1;
    free(h); // MISMATCHED-FREE
    return 0;
}

int name_lost_when_refused(struct registry *r, const char *name) {
    char *copy = strdup(name); // LEAK copy
    if (copy == NULL)
        return -1;
    return registry_add(r, copy); // LOST copy
}

int name_freed_when_refused(struct registry *r, const char *name) {
    char *copy = strdup(name); // OK
    if (copy == NULL)
        return -1;
    if (registry_add(r, copy) != 0) {
        free(copy);
        return -1;
    }
    return 0;
}

int message_freed(struct handle *h) {
    char *text;
    if (message_get(h, &text) <= 0) // OK
        return -1;
    free(text);
    return 0;
}

int message_forgotten(struct handle *h) {
    char *text;
    if (message_get(h, &text) <= 0) // LEAK text
        return -1;
    return text[0]; // LOST text
}

void counted(void) {
    struct widget *w = widget_new(); // OK
    if (w == NULL)
        return;
    widget_ref(w);
    widget_unref(w);
    widget_unref(w);
}

void counted_once_too_little(void) {
    struct widget *w = widget_new(); // LEAK widget
    if (w == NULL)
        return;
    widget_ref(w);
    widget_unref(w);
} // LOST widget

void gone_for_good(int n) {
    char *p = malloc(10); // OK
    if (n < 0)
        fatal("negative");
    free(p);
}
