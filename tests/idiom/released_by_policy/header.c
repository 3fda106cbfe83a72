// Who owns the name is said by a number: the callee frees it for two of its values, and the one
// between them is passed with a literal.
#include <stdlib.h>
#include <string.h>

enum policy { NONE, NAME, VALUE, BOTH };

struct header {
    char *name, *value;
    enum policy policy;
};

void set_header(struct header *h, const char *name, const char *value, enum policy policy) {
    if (value == NULL) {
        if (policy == NAME || policy == BOTH)
            free((void *)name);
        return;
    }
    h->name = (char *)name;
    h->value = (char *)value;
    h->policy = policy;
}

void literal_that_is_not_freed(struct header *h, const char *text) {
    char *value = text ? strdup(text) : NULL;
    set_header(h, "Host", value, VALUE);
}
