// A scanner that holds one token between calls.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct scanner {
    const char *at;
    char *token;
    int kind;
};

enum { END, WORD, NUMBER };

static int scan(struct scanner *s) {
    free(s->token);
    s->token = NULL;
    while (*s->at == ' ')
        s->at++;
    if (*s->at == 0)
        return s->kind = END;
    size_t n = strcspn(s->at, " ");
    s->token = strndup(s->at, n); // LEAK stopped
    s->at += n;
    return s->kind = isdigit((unsigned char)s->token[0]) ? NUMBER : WORD;
}

int scanned_to_the_end(const char *text) {
    struct scanner s = {text, NULL, END};
    int n = 0;
    while (scan(&s) != END)
        n++;
    return n;
}

int stopped_at_a_number(const char *text) {
    struct scanner s = {text, NULL, END};
    int n = 0;
    while (scan(&s) != END) { // LEAK stopped
        if (s.kind == NUMBER)
            return n; // LOST stopped
        n++;
    }
    return n;
}

int stopped_and_freed(const char *text) {
    struct scanner s = {text, NULL, END};
    int n = 0;
    while (scan(&s) != END) {
        if (s.kind == NUMBER)
            break;
        n++;
    }
    free(s.token);
    return n;
}

static int scan_leaky(struct scanner *s) {
    size_t n = strcspn(s->at, " ");
    if (n == 0)
        return END;
    s->token = strndup(s->at, n); // LEAK previous; LOST previous
    s->at += n;
    return WORD;
}

void token_over_token(const char *text) {
    struct scanner s = {text, NULL, END};
    scan_leaky(&s); // LEAK previous
    scan_leaky(&s); // LOST previous
    free(s.token);
}
