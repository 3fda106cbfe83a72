// Init and fini of a struct that the caller provides.
#include <stdlib.h>
#include <string.h>

struct parser {
    char *buffer;
    char *error;
    int depth;
};

static int parser_init(struct parser *p) {
    memset(p, 0, sizeof *p);
    p->buffer = malloc(512); // LEAK left
    return p->buffer ? 0 : -1;
}

static void parser_fail(struct parser *p, const char *message) {
    free(p->error);
    p->error = strdup(message); // LEAK error
}

static void parser_fini(struct parser *p) {
    free(p->buffer);
    free(p->error);
}

static void parser_fini_forgetful(struct parser *p) {
    free(p->buffer);
    p->buffer = NULL;
}

extern int parse(struct parser *p, const char *text);

int everything_released(const char *text) {
    struct parser p;
    if (parser_init(&p) < 0)
        return -1;
    if (text[0] == 0)
        parser_fail(&p, "empty");
    parser_fini(&p);
    return 0;
}

int error_text_forgotten(const char *text) {
    struct parser p;
    if (parser_init(&p) < 0)
        return -1;
    if (text[0] == 0)
        parser_fail(&p, "empty"); // LEAK error
    parser_fini_forgetful(&p);
    return 0; // LOST error
}

int not_finished_on_failure(const char *text) {
    struct parser p;
    if (parser_init(&p) < 0) // LEAK left
        return -1;
    if (text[0] == 0)
        return -2; // LOST left
    parser_fini(&p);
    return 0;
}
